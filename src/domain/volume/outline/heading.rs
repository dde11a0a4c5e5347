use super::field::labelled;
use crate::domain::chapter::{bare_title, numbered};
use crate::domain::numeral::parse_numeral;

/// The number and the title of a heading: `第12章 …`, `第十二章 …`, `12. …`, `Chapter 12: …`, `ch-012 …`.
pub(super) fn read_heading(heading: &str) -> Option<(u32, String)> {
    let text = bare_heading(heading);
    let separators = [' ', '　', ':', '：', '.', '、', '-', '—'];
    if let Some((number, title)) = numbered(text) {
        return Some((parse_numeral(number)?, bare_title(title.trim_start_matches(separators)).to_owned()));
    }
    let lower = text.to_ascii_lowercase();
    let word =
        ["chapter-", "chapter", "ch-", "ch."].iter().find(|word| lower.starts_with(**word)).map_or(0, |w| w.len());
    let rest = text[word..].trim_start();
    let title = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = rest[..rest.len() - title.len()].parse().ok()?;
    Some((number, bare_title(title.trim_start_matches(separators)).to_owned()))
}

pub(super) enum Heading {
    /// `## …`: a chapter begins.
    Section,
    /// A chapter's heading with another number of hash marks, or with none.
    NotMarked,
}

/// A line without hash marks, list marks and bold marks.
pub(super) fn bare_heading(line: &str) -> &str {
    line.trim().trim_start_matches(['#', '＃']).trim().trim_matches('*').trim()
}

/// The kind of heading of a line. One without hash marks is told from a sentence by the field after it.
pub(super) fn heading_of<'l>(line: &str, mut after: impl Iterator<Item = &'l str>) -> Option<Heading> {
    let text = line.trim_end();
    let level = text.chars().take_while(|c| matches!(c, '#' | '＃')).count();
    let bare = bare_heading(text);
    let is_chapter =
        || numbered(bare).is_some() || bare.to_ascii_lowercase().starts_with("chapter") && read_heading(bare).is_some();
    match level {
        2 if text.starts_with("## ") || is_chapter() => Some(Heading::Section),
        0 if text.starts_with([' ', '\t', '　', '-', '+']) || bare.is_empty() || !is_chapter() => None,
        0 => {
            let next = after.find(|line| !line.trim().is_empty())?;
            labelled(next).map(|_| Heading::NotMarked)
        }
        _ if level != 2 && is_chapter() => Some(Heading::NotMarked),
        _ => None,
    }
}
