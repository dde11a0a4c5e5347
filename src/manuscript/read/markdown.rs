//! Markdown: lines as they stand, or paragraphs that a program has wrapped.
//! The files of a folder in the order in which a person reads them.

use crate::domain::notation::numeral;
use crate::manuscript::read::heading::{CHAPTERS, HeadingForm, HeadingMatch, candidate, titled};
use crate::manuscript::read::{Block, count};
use crate::manuscript::{ApartKind, DoubtKind, Manuscript, PartKind, SourcePlace};
use std::cmp::Ordering;
use std::ops::RangeInclusive;
use unicode_width::UnicodeWidthStr as _;

/// A title without a mark of a heading is not longer than this.
const TITLE: usize = 25;
/// Programs wrap lines at a column among these.
const COLUMNS: RangeInclusive<usize> = 60..=100;
/// Dashes from this number on are the rule across the page that pandoc writes; authors type fewer.
const RULE: usize = 60;

/// Names headings, joins the lines of wrapped paragraphs, brings notes to their paragraphs, and takes the escapes out of text.
pub(super) fn refine(mut blocks: Vec<Block>, into: &mut Manuscript) -> Vec<Block> {
    let settings: Vec<String> = blocks.drain(..settings(&blocks)).map(|block| block.text).collect();
    if !settings.is_empty() {
        let (text, place) = (settings.join("\n"), SourcePlace { source: into.sources.len() - 1, line: 1 });
        super::name_book(&text, into);
        super::put_apart(into, (ApartKind::Front, DoubtKind::Front), text, place);
    }
    let is_wrapped = is_wrapped(&blocks);
    let mut refined: Vec<Block> = Vec::new();
    let mut is_broken = false;
    let fences = fences(&blocks);
    let gaps: Vec<bool> = blocks.iter().map(|block| block.gap > 0).collect();
    for (at, mut block) in blocks.into_iter().enumerate() {
        if fences.iter().any(|fence| fence.contains(&at)) {
            refined.push(block);
            is_broken = true;
            continue;
        }
        let is_set_off = !is_broken && gaps.get(at + 1).is_none_or(|gap| *gap) && (at <= 1 || gaps[at - 1]);
        if block.gap == 0 && underline(&block.text, refined.last_mut(), is_set_off) {
            continue;
        }
        block.level = level(&block.text);
        if block.level.is_some() {
            block.text = closed(&block.text);
        }
        let breaks_before = std::mem::replace(&mut is_broken, block.text.ends_with('\\'));
        let text = unescaped(&block.text);
        if text.len() < block.text.strip_suffix('\\').unwrap_or(&block.text).trim_end().len() {
            count(into, DoubtKind::Escapes, block.place, &block.text);
        }
        let is_rule = text.len() >= RULE && text.bytes().all(|byte| byte == b'-');
        block.text = if is_rule { "***".to_owned() } else { text };
        match refined.last_mut() {
            Some(before)
                if is_wrapped
                    && !breaks_before
                    && block.gap == 0
                    && before.level.is_none()
                    && block.level.is_none()
                    && definition(&block.text).is_none() =>
            {
                count(into, DoubtKind::CommonMark, block.place, &block.text);
                // Each line of a quotation has its mark.
                let text = match before.text.starts_with('>') {
                    true => block.text.trim_start_matches('>').trim_start(),
                    false => &block.text,
                };
                let is_wide = |c: Option<char>| c.is_some_and(|c| u32::from(c) >= 0x2018);
                let joins = is_wide(before.text.chars().next_back()) && is_wide(text.chars().next());
                before.text.push_str(if joins { "" } else { " " });
                before.text.push_str(text);
            }
            _ => refined.push(block),
        }
    }
    with_notes(refined, into)
}

/// The number of lines at the front that hold settings, between two rules.
fn settings(blocks: &[Block]) -> usize {
    let is_rule = |block: &Block| block.text == "---";
    let is_key = |key: &str| !key.is_empty() && key.chars().count() <= 20 && !key.contains([' ', '，', '。', '“']);
    let is_setting = |block: &Block| {
        let (text, key) = (block.text.as_str(), block.text.split_once(':'));
        block.gap == 0
            && (block.is_indented || text.starts_with(['-', '[', ']']) || key.is_some_and(|(key, _)| is_key(key)))
    };
    let end = blocks.iter().skip(1).position(is_rule).filter(|_| blocks.first().is_some_and(is_rule));
    end.filter(|end| blocks[1..=*end].iter().all(is_setting)).map_or(0, |end| end + 2)
}

/// The lines of each block of code, with those of three marks around it. A block needs an end.
fn fences(blocks: &[Block]) -> Vec<RangeInclusive<usize>> {
    let mut found = Vec::new();
    let mut open = None;
    for (at, block) in blocks.iter().enumerate() {
        match open {
            Some(from) if block.text.trim_matches('`').is_empty() && block.text.len() >= 3 => {
                found.push(from..=at);
                open = None;
            }
            None if block.text.starts_with("```") => open = Some(at),
            _ => {}
        }
    }
    found
}

/// Makes the line before a heading where this one underlines it: `===`, or `---` below a line that reads like one or is set off.
fn underline(line: &str, before: Option<&mut Block>, is_set_off: bool) -> bool {
    let is_all = |mark: u8| line.len() >= 3 && line.bytes().all(|byte| byte == mark);
    let Some(before) = before.filter(|before| before.level.is_none()) else { return false };
    let is_title = || is_set_off && is_title(&before.text);
    let level = match () {
        () if is_all(b'=') => 1,
        () if is_all(b'-') && (is_title() || candidate(&before.text).is_some_and(|found| !found.is_weak)) => 2,
        () => return false,
    };
    before.level = Some(level);
    true
}

/// True for a short line that does not end like a sentence.
pub(super) fn is_title(line: &str) -> bool {
    line.chars().count() <= TITLE && !line.ends_with(['。', '！', '？', '”', '…', '，', '：', '」'])
}

/// The heading without the marks that may close it.
fn closed(heading: &str) -> String {
    let open = heading.trim_end_matches('#');
    if open.len() < heading.len() && open.ends_with(' ') { open.trim_end().to_owned() } else { heading.to_owned() }
}

/// The blocks with the definition of each note, `[^1]: …`, below the paragraph with its mark, where a heading is between them.
fn with_notes(blocks: Vec<Block>, into: &mut Manuscript) -> Vec<Block> {
    let mut placed: Vec<Block> = Vec::with_capacity(blocks.len());
    for block in blocks {
        let place = definition(&block.text).and_then(|mark| {
            let at = placed.iter().rposition(|other| other.text.contains(mark) && definition(&other.text).is_none())?;
            placed[at + 1..].iter().any(|between| between.level.is_some()).then_some(at)
        });
        match place {
            Some(mark) => {
                count(into, DoubtKind::Notes, block.place, &block.text);
                let notes = placed[mark + 1..].iter().take_while(|block| definition(&block.text).is_some()).count();
                placed.insert(mark + 1 + notes, block);
            }
            None => placed.push(block),
        }
    }
    placed
}

/// The mark of the note that the line defines.
fn definition(text: &str) -> Option<&str> {
    let end = text.starts_with("[^").then(|| text.find("]:"))??;
    text.get(..=end)
}

/// The level of a heading such as `## 第一章`.
fn level(line: &str) -> Option<u8> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let is_heading = (1..=6).contains(&level) && (rest.starts_with([' ', '\u{3000}']) || rest.starts_with('第'));
    u8::try_from(level).ok().filter(|_| is_heading)
}

/// True for paragraphs that a program has wrapped: nearly every line has an empty one on each side, or follows a line that had no room
/// for its first word.
fn is_wrapped(blocks: &[Block]) -> bool {
    let is_open = |block: &Block| level(&block.text).is_none() && !block.text.ends_with('\\');
    let going_on = || blocks.windows(2).filter(|pair| pair[1].gap == 0 && is_open(&pair[0]));
    if going_on().count() * 5 < blocks.len() {
        return true;
    }
    let broken = going_on().filter(|pair| pair[0].text.contains(' ')).map(|pair| pair[0].text.width());
    let column = broken.max().unwrap_or(0);
    let first_word = |line: &str| line.split(' ').next().map_or(0, |word| word.width());
    let is_full = |pair: &[Block]| pair[0].text.width() + 1 + first_word(&pair[1].text) > column;
    COLUMNS.contains(&column) && going_on().all(is_full)
}

/// The text without the backslash before marks of Markdown, and at the end of a line.
fn unescaped(text: &str) -> String {
    let text = text.strip_suffix('\\').unwrap_or(text).trim_end();
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c == '\\' && chars.peek().is_some_and(char::is_ascii_punctuation) {
            true => out.extend(chars.next()),
            false => out.push(c),
        }
    }
    out
}

/// The endings of files that can be read.
const ENDINGS: [&str; 5] = ["txt", "md", "markdown", "epub", "docx"];

/// True for the name of a file that can be read.
pub fn is_readable(name: &str) -> bool {
    ENDINGS.contains(&ending(name).as_str())
}

pub(super) fn ending(name: &str) -> String {
    name.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase())
}

/// The name of a file without its folders and its ending.
pub(in crate::manuscript) fn stem(name: &str) -> &str {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Puts the files in the order of the numbers in their headings, where every file has some and each goes on after the one
/// before. Says so where that changes their order.
pub(super) fn by_headings(files: &mut [Vec<Block>], into: &mut Manuscript) {
    let is_number = |found: &HeadingMatch| {
        let is_chapter = match found.form {
            HeadingForm::Unit(unit) => CHAPTERS.contains(unit),
            form => form == HeadingForm::English,
        };
        is_chapter && !found.is_weak && !found.is_volume
    };
    let numbers = |file: &Vec<Block>| {
        let mut found = file.iter().filter_map(|block| candidate(&block.text).filter(is_number)?.number);
        let first = found.next().or_else(|| titled(stem(&into.sources[file[0].place.source].name)).number)?;
        Some((first, found.next_back().unwrap_or(first)))
    };
    if files.len() < 2 {
        return;
    }
    let Some(of_files) = files.iter().map(numbers).collect::<Option<Vec<_>>>() else { return };
    let mut in_order = of_files.clone();
    in_order.sort_unstable();
    let runs_on = in_order.windows(2).all(|pair| pair[1].0 == pair[0].1 + 1);
    if runs_on && in_order != of_files {
        let example = into.sources[files[0][0].place.source].name.clone();
        count(into, DoubtKind::FilesOrdered, files[0][0].place, &example);
        let mut numbered: Vec<_> = of_files.into_iter().zip(files.iter_mut().map(std::mem::take)).collect();
        numbered.sort_by_key(|(numbers, _)| *numbers);
        for (file, (_, blocks)) in files.iter_mut().zip(numbered) {
            *file = blocks;
        }
    }
}

/// Compares paths as a person reads them: a prologue first, numbers as numbers, in digits and in Han (chapter 2 before chapter
/// 10, 第九章 before 第十章), the last volume and the afterword at the end.
pub fn natural(one: &str, other: &str) -> Ordering {
    let part_of_novel = |name: &str| match candidate(stem(name)).map(|found| found.kind) {
        Some(PartKind::Prologue) => 0,
        Some(PartKind::Epilogue) => 2,
        Some(PartKind::Extra) => 3,
        Some(PartKind::Afterword) => 4,
        _ => 1,
    };
    let (one, other) = (one.split(['/', '\\']), other.split(['/', '\\']));
    let by_part =
        |one: &str, other: &str| part_of_novel(one).cmp(&part_of_novel(other)).then_with(|| by_number(one, other));
    let mut pairs = one.clone().zip(other.clone());
    let differing = pairs.find_map(|(one, other)| Some(by_part(one, other)).filter(|order| order.is_ne()));
    differing.unwrap_or_else(|| one.count().cmp(&other.count()))
}

fn by_number(one: &str, other: &str) -> Ordering {
    let (mut one, mut other) = (one, other);
    // 上, 中 and 下 are the parts of a novel in this order, which is not that of their codes.
    let code = |c: char| match c {
        '上' | '中' | '下' => '\u{4e0a}' as u32 + "上中下".find(c).map_or(0, |at| at as u32 / 3),
        c => c as u32,
    };
    loop {
        let (Some(a), Some(b)) = (one.chars().next(), other.chars().next()) else {
            return one.len().cmp(&other.len());
        };
        let order = match (numeral(one), numeral(other)) {
            (Some((a, rest)), Some((b, rest_of_other))) => {
                (one, other) = (rest, rest_of_other);
                a.cmp(&b)
            }
            _ => {
                (one, other) = (&one[a.len_utf8()..], &other[b.len_utf8()..]);
                code(a).cmp(&code(b))
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ordered_by_their_numbers() {
        let mut names =
            ["第十章.txt", "第二章.txt", "10.txt", "9.txt", "010b.txt", "卷二/1.md", "卷一/12.md", "卷一/2.md"];
        names.sort_by(|one, other| natural(one, other));
        assert_eq!(
            names,
            ["9.txt", "10.txt", "010b.txt", "卷一/2.md", "卷一/12.md", "卷二/1.md", "第二章.txt", "第十章.txt"]
        );
        let mut names = ["后记.txt", "尾声.txt", "第10章.txt", "番外/1.txt", "第2章.txt", "楔子.txt"];
        names.sort_by(|one, other| natural(one, other));
        assert_eq!(names, ["楔子.txt", "第2章.txt", "第10章.txt", "尾声.txt", "番外/1.txt", "后记.txt"]);
        let mut names = ["青锋录（下）.txt", "青锋录（中）.txt", "青锋录（上）.txt"];
        names.sort_by(|one, other| natural(one, other));
        assert_eq!(names, ["青锋录（上）.txt", "青锋录（中）.txt", "青锋录（下）.txt"]);
    }
}
