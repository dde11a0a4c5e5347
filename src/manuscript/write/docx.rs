//! Word's format.

use crate::manuscript::write::{Edition, PageLine, Profile, escaped_lines, lines};
use quick_xml::escape::escape;
use std::io::{BufWriter, Result, Seek, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The parts that are alike in every book.
const PARTS: [(&str, &str); 4] = [
    (
        "[Content_Types].xml",
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>"#,
    ),
    (
        "_rels/.rels",
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>"#,
    ),
    (
        "word/_rels/document.xml.rels",
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#,
    ),
    ("word/styles.xml", include_str!("../../../templates/export/styles.xml")),
];

const DOCUMENT: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>"#;
const BREAK: &str = r#"</w:t><w:br/><w:t xml:space="preserve">"#;
const END: &str = r#"<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1800" w:bottom="1440" w:left="1800" w:header="851" w:footer="992" w:gutter="0"/></w:sectPr></w:body></w:document>"#;

/// Writes the book: title and author, then volumes as first and chapters as second headings, each on a new page.
pub fn write(edition: &Edition, profile: &Profile, to: impl Write + Seek) -> Result<()> {
    let mut zip = ZipWriter::new(to);
    // By default a long book takes three fifths longer, for a file a fiftieth smaller.
    let options = SimpleFileOptions::DEFAULT.compression_method(CompressionMethod::Deflated).compression_level(Some(5));
    for (name, part) in PARTS {
        zip.start_file(name, options)?;
        zip.write_all(part.as_bytes())?;
    }
    zip.start_file("docProps/core.xml", options)?;
    zip.write_all(properties(edition).as_bytes())?;
    zip.start_file("word/document.xml", options)?;
    let mut document = BufWriter::new(&mut zip);
    document.write_all(DOCUMENT.as_bytes())?;
    let mut paragraph = |style: &str, text: &str| -> Result<()> {
        let style =
            if style.is_empty() { String::new() } else { format!("<w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>") };
        write!(
            document,
            "<w:p>{style}<w:r><w:t xml:space=\"preserve\">{}</w:t></w:r></w:p>",
            escaped_lines(text, BREAK)
        )
    };
    paragraph("Title", &edition.title)?;
    if !edition.author.is_empty() {
        paragraph("Subtitle", &edition.author)?;
    }
    for volume in &edition.volumes {
        let heading = profile.volume_heading(volume);
        let level = 1 + usize::from(heading.is_some());
        if let Some(heading) = heading {
            paragraph("Heading1", &heading)?;
        }
        for chapter in &volume.chapters {
            paragraph(&format!("Heading{level}"), &profile.chapter_heading(chapter))?;
            for line in lines(&chapter.text) {
                match line {
                    PageLine::Paragraph(text) => paragraph("", text)?,
                    // Chapters, also those of a book without volumes, begin a page; headings within them do not.
                    PageLine::Heading(depth, text) => {
                        paragraph(&format!("Heading{}", (level + depth - 1).clamp(3, 6)), text.trim_start())?
                    }
                    PageLine::SceneBreak(mark) => paragraph("SceneBreak", mark)?,
                    PageLine::Gap => paragraph("", "")?,
                }
            }
        }
    }
    document.write_all(END.as_bytes())?;
    document.flush()?;
    drop(document);
    zip.finish()?;
    Ok(())
}

fn properties(edition: &Edition) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>{}</dc:title><dc:creator>{}</dc:creator><dc:description>git:{}</dc:description><dc:language>zh-CN</dc:language><dcterms:created xsi:type="dcterms:W3CDTF">{modified}</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">{modified}</dcterms:modified></cp:coreProperties>"#,
        escape(&edition.title),
        escape(&edition.author),
        escape(&edition.commit),
        modified = edition.modified_at(),
    )
}
