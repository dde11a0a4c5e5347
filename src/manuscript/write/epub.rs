//! EPUB 3, with the contents of EPUB 2 beside for old readers.

use super::{CoverFormat, Edition, PageLine, Profile, escaped_lines, lines};
use quick_xml::escape::escape;
use std::fmt::Write as _;
use std::io::{Result, Seek, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const STYLE: &str = include_str!("../../../templates/export/epub.css");

const CONTAINER: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"#;

/// A page of the book, in reading order.
struct EpubPage {
    /// The name of the file without its ending, also the id.
    name: String,
    title: String,
    /// 0 for pages that the contents do not name, 1 for a volume, 2 for a chapter.
    level: usize,
}

/// Writes the book: a title page, and a page for each volume that the profile gives a heading and for each chapter.
pub fn write(edition: &Edition, profile: &Profile, to: impl Write + Seek) -> Result<()> {
    let mut zip = ZipWriter::new(to);
    // The type of the file stands first in it, uncompressed: this is how readers know an epub.
    zip.start_file("mimetype", SimpleFileOptions::DEFAULT.compression_method(CompressionMethod::Stored))?;
    zip.write_all(b"application/epub+zip")?;
    let mut put = |name: &str, bytes: &[u8]| -> Result<()> {
        zip.start_file(name, SimpleFileOptions::DEFAULT.compression_method(CompressionMethod::Deflated))?;
        zip.write_all(bytes)
    };
    put("META-INF/container.xml", CONTAINER.as_bytes())?;
    put("book/style.css", STYLE.as_bytes())?;
    let mut pages = Vec::new();
    let mut page = |name: String, title: String, level, body: &str| -> Result<()> {
        put(&format!("book/{name}.xhtml"), xhtml(&title, body).as_bytes())?;
        pages.push(EpubPage { name, title, level });
        Ok(())
    };
    if let Some(cover) = &edition.cover {
        let body = format!("<div class=\"cover\"><img src=\"{}\" alt=\"封面\"/></div>\n", cover.format.file());
        page("cover".to_owned(), "封面".to_owned(), 0, &body)?;
    }
    let mut body = format!("<div class=\"title\">\n<h1>{}</h1>\n", escape(&edition.title));
    if !edition.author.is_empty() {
        let _ = writeln!(body, "<p>{}</p>", escape(&edition.author));
    }
    body.push_str("</div>\n");
    page("title".to_owned(), edition.title.clone(), 0, &body)?;
    for volume in &edition.volumes {
        let heading = profile.volume_heading(volume);
        let level = 1 + usize::from(heading.is_some());
        if let Some(heading) = heading {
            let body = format!("<h1 class=\"volume\">{}</h1>\n", escape(&heading));
            page(format!("volume-{:02}", volume.number), heading, 1, &body)?;
        }
        for chapter in &volume.chapters {
            let heading = profile.chapter_heading(chapter);
            let body = chapter_body(&heading, level, &chapter.text);
            page(format!("chapter-{:04}", chapter.number), heading, level, &body)?;
        }
    }
    if let Some(cover) = &edition.cover {
        put(&format!("book/{}", cover.format.file()), &cover.bytes)?;
    }
    put("book/contents.xhtml", contents(&pages).as_bytes())?;
    put("book/contents.ncx", ncx(edition, &pages).as_bytes())?;
    put("book/package.opf", package(edition, &pages).as_bytes())?;
    zip.finish()?;
    Ok(())
}

impl CoverFormat {
    fn file(self) -> &'static str {
        match self {
            Self::Jpeg => "cover.jpg",
            Self::Png => "cover.png",
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
        }
    }
}

fn xhtml(title: &str, body: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="zh-CN" xml:lang="zh-CN">
<head>
<title>{}</title>
<link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body>
{body}</body>
</html>
"#,
        escape(title)
    )
}

fn chapter_body(heading: &str, level: usize, text: &str) -> String {
    let mut out = String::new();
    let mut put = |tag: &str, attributes: &str, text: &str| {
        // Several blanks are one in XHTML.
        let has_blanks = text.contains("  ") || text.contains('\t');
        let style = if has_blanks { " style=\"white-space: pre-wrap\"" } else { "" };
        let _ = writeln!(out, "<{tag}{attributes}{style}>{}</{tag}>", escaped_lines(text, "<br/>"));
    };
    put(&format!("h{level}"), "", heading);
    for line in lines(text) {
        match line {
            PageLine::Paragraph(text) => put("p", "", text),
            PageLine::Heading(depth, text) => put(&format!("h{}", (level + depth - 1).min(6)), "", text.trim_start()),
            PageLine::SceneBreak(mark) => put("p", " class=\"break\"", mark),
            PageLine::Gap => put("p", " class=\"gap\"", "\u{a0}"),
        }
    }
    out
}

/// The entries of the contents, with the chapters of a volume between `deeper` and `back`.
fn nested(
    pages: &[EpubPage],
    mut entry: impl FnMut(&EpubPage, usize) -> String,
    deeper: &str,
    back: &str,
    end: &str,
) -> String {
    let mut out = String::new();
    let mut depth = 0;
    let named = pages.iter().filter(|page| page.level > 0);
    for (at, page) in named.enumerate() {
        match page.level {
            level if depth == 0 => depth = level,
            level if level > depth => {
                out.push_str(deeper);
                depth = level;
            }
            level => {
                out.push_str(end);
                while depth > level {
                    out.push_str(back);
                    depth -= 1;
                }
            }
        }
        out.push_str(&entry(page, at + 1));
    }
    if depth > 0 {
        out.push_str(end);
    }
    if depth > 1 {
        out.push_str(back);
    }
    out
}

/// The contents of EPUB 3, a page of its own.
fn contents(pages: &[EpubPage]) -> String {
    let entry = |page: &EpubPage, _| format!("<li><a href=\"{}.xhtml\">{}</a>", page.name, escape(&page.title));
    let list = nested(pages, entry, "\n<ol>\n", "</ol></li>\n", "</li>\n");
    xhtml("目录", &format!("<nav epub:type=\"toc\">\n<h1>目录</h1>\n<ol>\n{list}</ol>\n</nav>\n"))
}

/// The contents of EPUB 2, which old readers ask for.
fn ncx(edition: &Edition, pages: &[EpubPage]) -> String {
    let entry = |page: &EpubPage, order| {
        format!(
            "<navPoint id=\"{0}\" playOrder=\"{order}\"><navLabel><text>{1}</text></navLabel><content src=\"{0}.xhtml\"/>",
            page.name,
            escape(&page.title)
        )
    };
    let points = nested(pages, entry, "\n", "</navPoint>\n", "</navPoint>\n");
    let depth = pages.iter().map(|page| page.level).max().unwrap_or(1).max(1);
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1" xml:lang="zh-CN">
<head>
<meta name="dtb:uid" content="{}"/>
<meta name="dtb:depth" content="{depth}"/>
<meta name="dtb:totalPageCount" content="0"/>
<meta name="dtb:maxPageNumber" content="0"/>
</head>
<docTitle><text>{}</text></docTitle>
<navMap>
{points}</navMap>
</ncx>
"#,
        escape(&edition.id),
        escape(&edition.title)
    )
}

fn package(edition: &Edition, pages: &[EpubPage]) -> String {
    let mut metadata = format!(
        "<dc:identifier id=\"id\">{}</dc:identifier>\n<dc:title>{}</dc:title>\n<dc:language>zh-CN</dc:language>\n",
        escape(&edition.id),
        escape(&edition.title)
    );
    if !edition.author.is_empty() {
        let _ = writeln!(metadata, "<dc:creator>{}</dc:creator>", escape(&edition.author));
    }
    let _ = writeln!(metadata, "<dc:source>git:{}</dc:source>", escape(&edition.commit));
    let _ = writeln!(metadata, "<meta property=\"dcterms:modified\">{}</meta>", edition.modified_at());
    let (mut manifest, mut spine) = (String::new(), String::new());
    if let Some(cover) = &edition.cover {
        metadata.push_str("<meta name=\"cover\" content=\"cover-image\"/>\n");
        let (file, kind) = (cover.format.file(), cover.format.media_type());
        let _ = writeln!(
            manifest,
            "<item id=\"cover-image\" href=\"{file}\" media-type=\"{kind}\" properties=\"cover-image\"/>"
        );
    }
    for EpubPage { name, .. } in pages {
        let _ = writeln!(manifest, "<item id=\"{name}\" href=\"{name}.xhtml\" media-type=\"application/xhtml+xml\"/>");
        let _ = writeln!(spine, "<itemref idref=\"{name}\"/>");
    }
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="zh-CN">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
{metadata}</metadata>
<manifest>
<item id="contents" href="contents.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="ncx" href="contents.ncx" media-type="application/x-dtbncx+xml"/>
<item id="style" href="style.css" media-type="text/css"/>
{manifest}</manifest>
<spine toc="ncx">
{spine}</spine>
</package>
"#
    )
}
