//! Word's format.
//! Text and Markdown.

use crate::manuscript::write::{Edition, EditionChapter, Line, Profile, lines};
use quick_xml::escape::escape;
use std::borrow::Cow;
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
const END: &str = r#"<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1800" w:bottom="1440" w:left="1800" w:header="851" w:footer="992" w:gutter="0"/></w:sectPr></w:body></w:document>"#;

/// Writes the book: title and author, then volumes as first and chapters as second headings, each on a new page.
pub fn write(edition: &Edition, profile: &Profile, to: impl Write + Seek) -> Result<()> {
    let mut zip = ZipWriter::new(to);
    let options = SimpleFileOptions::DEFAULT.compression_method(CompressionMethod::Deflated);
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
        write!(document, "<w:p>{style}<w:r><w:t xml:space=\"preserve\">{}</w:t></w:r></w:p>", escape(text))
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
                    Line::Paragraph(text) => paragraph("", text)?,
                    // Chapters, also those of a book without volumes, begin a page; headings within them do not.
                    Line::Heading(depth, text) => {
                        paragraph(&format!("Heading{}", (level + depth - 1).clamp(3, 6)), text.trim_start())?
                    }
                    Line::SceneBreak(mark) => paragraph("SceneBreak", mark)?,
                    Line::Gap => paragraph("", "")?,
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

/// The book as text, by a profile. Ends with a line break.
#[must_use]
pub fn text(edition: &Edition, profile: &Profile) -> String {
    let mut out = String::new();
    let heading = |out: &mut String, line: &str| {
        if !out.is_empty() {
            out.push_str(&"\n".repeat(profile.blank_lines_before_heading));
        }
        out.push_str(line);
        out.push('\n');
    };
    for volume in &edition.volumes {
        if let Some(line) = profile.volume_heading(volume) {
            heading(&mut out, &line);
        }
        for chapter in &volume.chapters {
            heading(&mut out, &profile.chapter_heading(chapter));
            paragraphs(&mut out, chapter, profile);
        }
    }
    out
}

/// One chapter as text: its heading and its paragraphs.
#[must_use]
pub fn chapter_text(chapter: &EditionChapter, profile: &Profile) -> String {
    let mut out = [&profile.chapter_heading(chapter), "\n"].concat();
    paragraphs(&mut out, chapter, profile);
    out
}

fn paragraphs(out: &mut String, chapter: &EditionChapter, profile: &Profile) {
    for line in lines(&chapter.text) {
        if !matches!(line, Line::Gap) {
            out.push_str(&"\n".repeat(profile.blank_lines));
        }
        match line {
            Line::Paragraph(text) => out.extend([&profile.indent, text]),
            Line::Heading(depth, text) => out.extend([&profile.indent, &"#".repeat(depth), text]),
            Line::SceneBreak(own) => {
                out.push_str(if profile.scene_break.is_empty() { own } else { &profile.scene_break });
            }
            Line::Gap => {}
        }
        out.push('\n');
    }
}

/// The book in Markdown: `#` a volume, `##` a chapter, and title, author and commit in front.
#[must_use]
pub fn markdown(edition: &Edition, profile: &Profile) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut out = format!("---\ntitle: {}\n", quoted(&edition.title));
    if !edition.author.is_empty() {
        out.push_str(&format!("author: {}\n", quoted(&edition.author)));
    }
    out.push_str(&format!("lang: zh-CN\ncommit: {}\n---\n", edition.commit));
    for volume in &edition.volumes {
        if let Some(heading) = profile.volume_heading(volume) {
            out.push_str(&format!("\n# {}\n", escaped_heading(&heading)));
        }
        for chapter in &volume.chapters {
            out.push('\n');
            out.push_str(&chapter_markdown(chapter, profile, 2));
        }
    }
    out
}

/// One chapter in Markdown: its heading on that level, and its text, which a reader of Markdown shows as it stands.
#[must_use]
pub fn chapter_markdown(chapter: &EditionChapter, profile: &Profile, level: usize) -> String {
    let mut out = format!("{} {}\n\n", "#".repeat(level), escaped_heading(&profile.chapter_heading(chapter)));
    let mut following = chapter.text.trim().lines().peekable();
    while let Some(line) = following.next() {
        match lines(line).into_iter().next() {
            Some(Line::Paragraph(text)) => {
                out.push_str(&escaped(text));
                // Without an empty line after it, the paragraph goes on in the next line.
                if following.peek().is_some_and(|next| !next.trim().is_empty()) {
                    out.push('\\');
                }
            }
            Some(Line::Heading(depth, text)) => {
                out.extend([&"#".repeat((level + depth - 1).min(6)), " ", &escaped_heading(text.trim_start())]);
            }
            Some(Line::SceneBreak(mark)) => out.push_str(mark),
            Some(Line::Gap) | None => {}
        }
        out.push('\n');
    }
    out
}

/// A heading likewise, with a backslash before marks at its end, which would close it.
fn escaped_heading(text: &str) -> String {
    let text = escaped(text);
    let open = text.trim_end_matches('#');
    let is_closed = open.is_empty() || open.ends_with(' ');
    if is_closed && open.len() < text.len() { [open, "\\", &text[open.len()..]].concat() } else { text.into_owned() }
}

/// The text with a backslash before marks that Markdown would take for a heading or for an escape.
fn escaped(text: &str) -> Cow<'_, str> {
    let title = text.trim_start_matches('#');
    let is_heading = title.len() < text.len() && title.starts_with(|c: char| c.is_whitespace() || c == '第');
    if !is_heading && !text.contains('\\') {
        return text.into();
    }
    let mut out = String::from(if is_heading { "\\" } else { "" });
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        out.push(c);
        if c == '\\' && chars.peek().is_none_or(char::is_ascii_punctuation) {
            out.push(c);
        }
    }
    out.into()
}
