use super::field::labelled;
use crate::domain::chapter::{bare_title, numbered};

/// A chapter number in Arabic or Chinese numerals, up to 9999.
#[must_use]
pub fn parse_numeral(text: &str) -> Option<u32> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if text.is_empty() {
        return None;
    }
    let arabic: Option<String> = text
        .chars()
        .map(|c| match c {
            '０'..='９' => char::from_u32(c as u32 - '０' as u32 + '0' as u32),
            _ => c.is_ascii_digit().then_some(c),
        })
        .collect();
    if let Some(digits) = arabic {
        return (digits.len() <= 6).then(|| digits.parse().ok()).flatten();
    }
    let digit = |c| "零一二三四五六七八九".chars().position(|d| d == c).map(|at| at as u32);
    let (mut total, mut pending, mut positional) = (0u32, None::<u32>, true);
    let mut plain = String::new();
    for c in text.chars() {
        let c = match c {
            '〇' => '零',
            '两' => '二',
            other => other,
        };
        if let Some(value) = digit(c) {
            plain.push(char::from_digit(value, 10)?);
            pending = Some(value);
            continue;
        }
        positional = false;
        let unit = match c {
            '十' => 10,
            '百' => 100,
            '千' => 1000,
            _ => return None,
        };
        total += pending.take().unwrap_or(1).max(u32::from(unit == 10)) * unit;
    }
    if positional && plain.len() > 1 { plain.parse().ok() } else { Some(total + pending.unwrap_or(0)) }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_of_all_kinds() {
        let table = [
            ("12", 12),
            ("０４８", 48),
            ("十", 10),
            ("十二", 12),
            ("二十", 20),
            ("一百零三", 103),
            ("一百二十", 120),
            ("两千零一", 2001),
            ("一二三", 123),
            ("二〇〇", 200),
            ("七", 7),
        ];
        for (text, number) in table {
            assert_eq!(parse_numeral(text), Some(number), "{text}");
        }
        assert_eq!(parse_numeral("道"), None);
        assert_eq!(parse_numeral(""), None);
    }
}
