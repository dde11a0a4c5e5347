//! Writes a novel in the formats that readers and shops take. Each writer gives the same bytes for the same edition.

use crate::domain::id::named;
use crate::text::{BlockKind, Paragraph, PhraseList, paragraphs};
use quick_xml::escape::escape;

mod docx;
mod epub;
mod plain;
mod profile;

pub use docx::write as docx;
pub use epub::write as epub;
pub use plain::{chapter_markdown, chapter_text, markdown, text};
pub use profile::{FIELDS, Profile, ProfileError, ProfileMistake};

named! {
    pub enum Format {
        Txt = "txt",
        Md = "md",
        Epub = "epub",
        Docx = "docx",
    }
}

/// A novel as it goes out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edition {
    pub title: String,
    pub author: String,
    /// A URI that all editions of one book share.
    pub id: String,
    pub commit: String,
    /// When it was made, in seconds since 1970.
    pub modified: i64,
    pub cover: Option<Cover>,
    /// Each has a chapter.
    pub volumes: Vec<EditionVolume>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditionVolume {
    pub number: u32,
    /// May be empty.
    pub title: String,
    pub chapters: Vec<EditionChapter>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditionChapter {
    pub number: u32,
    /// May be empty.
    pub title: String,
    /// A paragraph a line; more than one blank line between two of them is a gap, which readers show.
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    pub format: CoverFormat,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverFormat {
    Jpeg,
    Png,
}

impl Cover {
    /// The picture, if its first bytes are those of a JPEG or PNG file, which every reader shows.
    pub fn of(bytes: Vec<u8>) -> Option<Self> {
        let format = match bytes.as_slice() {
            [0xFF, 0xD8, 0xFF, ..] => CoverFormat::Jpeg,
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => CoverFormat::Png,
            _ => return None,
        };
        Some(Self { format, bytes })
    }
}

impl Edition {
    /// `2026-11-28T09:00:00Z`
    fn modified_at(&self) -> String {
        jiff::Timestamp::from_second(self.modified).unwrap_or(jiff::Timestamp::UNIX_EPOCH).to_string()
    }

    pub fn chapters(&self) -> impl Iterator<Item = (&EditionVolume, &EditionChapter)> {
        self.volumes.iter().flat_map(|volume| volume.chapters.iter().map(move |chapter| (volume, chapter)))
    }
}

/// Puts U+FFFD for the characters that XML 1.0 cannot hold: control characters but for tabs and line breaks. Returns the
/// chapters that had some.
pub fn replace_unwritable(edition: &mut Edition) -> Vec<u32> {
    let is_bad =
        |c: char| matches!(c, '\u{0}'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}');
    let clean = |text: &mut String| {
        let has_bad = text.contains(is_bad);
        if has_bad {
            *text = text.replace(is_bad, "\u{FFFD}");
        }
        has_bad
    };
    clean(&mut edition.title);
    clean(&mut edition.author);
    let mut chapters = Vec::new();
    for volume in &mut edition.volumes {
        clean(&mut volume.title);
        for chapter in &mut volume.chapters {
            if clean(&mut chapter.title) | clean(&mut chapter.text) {
                chapters.push(chapter.number);
            }
        }
    }
    chapters
}

/// A line of a chapter, by its place on the page.
enum PageLine<'t> {
    /// One line, or more where line breaks are rarer than blank lines.
    Paragraph(&'t str),
    /// A heading within the chapter: the number of its marks, and the rest of the line with the blank after the marks.
    Heading(usize, &'t str),
    SceneBreak(&'t str),
    /// More than one blank line.
    Gap,
}

fn lines(text: &str) -> Vec<PageLine<'_>> {
    let (mut lines, mut end) = (Vec::new(), 0);
    let is_loose = text.matches("\n\n").count() * 3 > text.trim().matches('\n').count();
    for paragraph in paragraphs(text) {
        let breaks = if lines.is_empty() { 0 } else { text[end..paragraph.start].matches('\n').count() };
        if breaks > 2 {
            lines.push(PageLine::Gap);
        }
        let begin = end;
        end = paragraph.start + paragraph.text.len();
        match (lines.last_mut(), line(paragraph)) {
            (Some(PageLine::Paragraph(last)), PageLine::Paragraph(_)) if breaks == 1 && is_loose => {
                *last = &text[begin - last.len()..end];
            }
            (_, line) => lines.push(line),
        }
    }
    lines
}

fn line(paragraph: Paragraph<'_>) -> PageLine<'_> {
    match paragraph.block {
        BlockKind::SceneBreak => PageLine::SceneBreak(paragraph.text),
        BlockKind::Prose | BlockKind::Heading => {
            let title = paragraph.text.trim_start_matches('#');
            let depth = paragraph.text.len() - title.len();
            // A single mark is the heading of a chapter: within one, it is text.
            match (2..=6).contains(&depth) && title.starts_with(char::is_whitespace) {
                true => PageLine::Heading(depth, title),
                false => PageLine::Paragraph(paragraph.text),
            }
        }
    }
}

fn escaped_lines(text: &str, between: &str) -> String {
    text.lines().map(|line| escape(line.trim_matches([' ', '\t', '\u{3000}']))).collect::<Vec<_>>().join(between)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskyPlace {
    pub chapter: u32,
    pub word: String,
    /// The word with some text around it.
    pub quotation: String,
}

/// Characters of a quotation before and after the word.
const AROUND: usize = 12;

/// Every place of the words (one a line; lines that begin with `#` are remarks) in the texts and titles of chapters.
pub fn risky_places(edition: &Edition, list: &str) -> Vec<RiskyPlace> {
    let list = PhraseList::new(list.lines().filter(|line| !line.starts_with('#')));
    let mut places = Vec::new();
    for (_, chapter) in edition.chapters() {
        let title = std::iter::once(chapter.title.as_str());
        for line in title.chain(paragraphs(&chapter.text).into_iter().map(|paragraph| paragraph.text)) {
            places.extend(list.find(line).hits.into_iter().map(|hit| {
                let before = line[..hit.range.start].char_indices().rev().take(AROUND).last();
                let after = line[hit.range.end..].char_indices().nth(AROUND);
                let start = before.map_or(hit.range.start, |(at, _)| at);
                let end = after.map_or(line.len(), |(at, _)| hit.range.end + at);
                RiskyPlace { chapter: chapter.number, word: hit.phrase, quotation: line[start..end].to_owned() }
            }));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use super::{EditionChapter, EditionVolume};

    #[test]
    fn each_place_has_its_chapter_and_its_words_around() {
        let chapter = EditionChapter {
            number: 7,
            title: "血案".to_owned(),
            text: "他想起那一桩血案，一桩没有人敢提起来的旧血案。\n\n什么也没有。\n".to_owned(),
        };
        let volumes = vec![EditionVolume { number: 1, title: String::new(), chapters: vec![chapter] }];
        let edition = Edition { volumes, ..Edition::default() };
        let places = risky_places(&edition, "# 平台不收\n血案\n\n旧血案\n");
        let told: Vec<(u32, &str, &str)> =
            places.iter().map(|place| (place.chapter, place.word.as_str(), place.quotation.as_str())).collect();
        assert_eq!(
            told,
            [
                (7, "血案", "血案"),
                (7, "血案", "他想起那一桩血案，一桩没有人敢提起来的旧"),
                (7, "旧血案", "案，一桩没有人敢提起来的旧血案。"),
            ]
        );
    }
}
