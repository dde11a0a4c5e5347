//! Reading: from the bytes of files to chapters.

use crate::manuscript::{Apart, ApartKind, DoubtKind, Manuscript, SourceDoubt, SourceInfo, SourcePlace};
use crate::text::{encoding, is_han};
use regex::Regex;
use std::collections::BTreeMap;

mod assemble;
mod choose;
mod docx;
mod epub;
mod heading;
mod markdown;
mod xml;

pub(super) use markdown::stem;
pub use markdown::{is_readable, natural};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Headings are the lines that this matches, and no others.
    pub split: Option<Regex>,
    pub encoding: Option<&'static encoding_rs::Encoding>,
    /// Lines of the site that the text was copied from are taken out, and Chinese marks restored.
    pub clean: bool,
    /// The files are all that a folder has: those that cannot be read are left out and told.
    pub is_folder: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum ReadError {
    /// The bytes are no text in any encoding.
    NoText {
        name: String,
    },
    /// A damaged file, or one of another kind than its name says.
    Broken {
        name: String,
    },
    OtherKind {
        name: String,
    },
    /// An epub whose text only the reader of a shop shows.
    Encrypted {
        name: String,
    },
    /// There is nothing to be read in the files.
    Empty,
}

/// A paragraph or a line of a file, whatever its format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Block {
    text: String,
    /// The level that the format gives it as a heading, from 1.
    level: Option<u8>,
    place: SourcePlace,
    /// Empty lines before it.
    gap: usize,
    /// A line of text with blanks at its beginning.
    is_indented: bool,
}

/// Reads the files as one novel, in their order or in that of their chapters' numbers.
pub fn read(sources: &[SourceFile], options: &Options) -> Result<Manuscript, ReadError> {
    let mut manuscript = Manuscript::default();
    let mut files = Vec::new();
    let mut broken = None;
    for (at, source) in sources.iter().enumerate() {
        let read = match crate::manuscript::read::markdown::ending(&source.name).as_str() {
            "epub" => epub::blocks(source, at, &mut manuscript).map(|blocks| split_at_breaks(blocks, 1)),
            "docx" => docx::blocks(source, at, &mut manuscript).map(|blocks| split_at_breaks(blocks, 0)),
            "md" | "markdown" => {
                lines(source, at, options, &mut manuscript).map(|lines| markdown::refine(lines, &mut manuscript))
            }
            "txt" => lines(source, at, options, &mut manuscript),
            _ => Err(ReadError::OtherKind { name: source.name.clone() }),
        };
        manuscript.sources.resize_with(at + 1, || SourceInfo {
            name: source.name.clone(),
            encoding: "",
            proof: String::new(),
        });
        let mut doubt =
            |kind| manuscript.doubts.push(SourceDoubt::new(kind, SourcePlace { source: at, line: 1 }, &source.name));
        match read {
            Ok(blocks) if blocks.is_empty() => {
                doubt(DoubtKind::EmptyFile);
                manuscript.sources[at].encoding = "";
            }
            Ok(blocks) => files.push(blocks),
            Err(error) if !options.is_folder => return Err(error),
            Err(ReadError::OtherKind { .. }) => doubt(DoubtKind::OtherFile),
            Err(error) => {
                doubt(DoubtKind::BrokenFile);
                broken.get_or_insert(error);
            }
        }
    }
    crate::manuscript::read::markdown::by_headings(&mut files, &mut manuscript);
    let mut blocks: Vec<Block> = files.into_iter().flatten().collect();
    if blocks.is_empty() {
        return Err(broken.unwrap_or(ReadError::Empty));
    }
    for block in &blocks {
        if let Some(bad) = block.text.find('\u{fffd}') {
            let before = block.text[..bad].char_indices().rev().nth(9).map_or(0, |(at, _)| at);
            let detail: String = block.text[before..].chars().take(40).collect();
            manuscript.doubts.push(SourceDoubt::new(DoubtKind::BadBytes, block.place, detail));
        }
    }
    restore_marks(&mut blocks, options, &mut manuscript);
    note_site_lines(&mut blocks, options, &mut manuscript);
    assemble::assemble(blocks, options, &mut manuscript);
    if manuscript.chapters.is_empty() {
        return Err(ReadError::Empty);
    }
    Ok(manuscript)
}

/// The number and the title of a line that is the heading of a chapter.
pub(super) fn heading_of(line: &str) -> Option<(Option<u32>, String)> {
    let found = if line.starts_with('#') { Some(heading::titled(line)) } else { heading::candidate(line) };
    found.filter(|found| !found.is_weak && !found.is_volume).map(|found| (found.number, found.title))
}

fn lines(source: &SourceFile, at: usize, options: &Options, into: &mut Manuscript) -> Result<Vec<Block>, ReadError> {
    let read = encoding::read(&source.bytes, options.encoding);
    let read = read.ok_or_else(|| ReadError::NoText { name: source.name.clone() })?;
    let proof = read.text.lines().map(str::trim).find(|line| !line.is_ascii()).unwrap_or_default();
    let proof = proof.chars().take(40).collect();
    into.sources.push(SourceInfo { name: source.name.clone(), encoding: read.encoding, proof });
    for line in &read.foreign {
        let text = read.text.lines().nth(line - 1).unwrap_or_default();
        let place = SourcePlace { source: at, line: *line };
        into.doubts.push(SourceDoubt::new(DoubtKind::ForeignLine, place, text.trim()));
    }
    let (mut blocks, mut gap) = (Vec::new(), 0);
    for (line, text) in read.text.lines().enumerate() {
        let bare = text.trim_matches(is_blank);
        if bare.is_empty() {
            gap += 1;
            continue;
        }
        let place = SourcePlace { source: at, line: line + 1 };
        let is_indented = text.trim_start_matches('\u{feff}').starts_with(is_blank);
        if is_indented {
            count(into, DoubtKind::Indents, place, "");
        }
        // Markdown breaks a line where two blanks end it.
        let is_broken = text.ends_with("  ")
            && matches!(crate::manuscript::read::markdown::ending(&source.name).as_str(), "md" | "markdown");
        let bare = if is_broken { [bare, "\\"].concat() } else { bare.to_owned() };
        blocks.push(Block { text: bare, place, gap, is_indented, ..Block::default() });
        gap = 0;
    }
    Ok(blocks)
}

const VERSE: usize = 24;

/// Makes paragraphs of the lines of those that hold a heading or whole pages, as texts from the web do, and of others at blank lines.
fn split_at_breaks(blocks: Vec<Block>, gap: usize) -> Vec<Block> {
    let is_heading = |line: &str| {
        let found = heading::candidate(line).filter(|found| !found.is_weak);
        found.is_some_and(|found| matches!(found.form, heading::HeadingForm::Unit(_) | heading::HeadingForm::English))
    };
    let parts = |block: Block| -> Vec<Block> {
        if block.level.is_some() || !block.text.contains('\n') {
            return vec![block];
        }
        let is_flat = block.text.lines().count() > VERSE || block.text.lines().any(is_heading);
        let parts =
            block.text.split(if is_flat { "\n" } else { "\n\n" }).map(str::trim).filter(|part| !part.is_empty());
        let part = |(nth, text): (usize, &str)| Block {
            text: text.to_owned(),
            gap: if nth == 0 { block.gap } else { gap },
            ..block.clone()
        };
        parts.enumerate().map(part).collect()
    };
    blocks.into_iter().flat_map(parts).collect()
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}')
}

fn count(into: &mut Manuscript, kind: DoubtKind, place: SourcePlace, detail: &str) {
    count_in(&mut into.doubts, kind, place, detail);
}

/// Adds one to the doubt of that kind, which begins at the first place. All that is left out is told.
fn count_in(doubts: &mut Vec<SourceDoubt>, kind: DoubtKind, place: SourcePlace, detail: &str) {
    let is_it = |doubt: &SourceDoubt| doubt.kind == kind && (kind != DoubtKind::LeftOut || doubt.detail == detail);
    match doubts.iter_mut().find(|doubt| is_it(doubt)) {
        Some(doubt) => doubt.count += 1,
        None => doubts.push(SourceDoubt::new(kind, place, detail)),
    }
}

fn name_book(text: &str, into: &mut Manuscript) {
    for line in text.lines().take(20) {
        let bare = line.trim().trim_matches(['《', '》']);
        let value = |names: &[&str]| {
            names.iter().find_map(|name| {
                let rest = bare.strip_prefix(name)?.trim_start();
                Some(rest.strip_prefix(['：', ':'])?.trim().trim_matches(['《', '》', '"']).to_owned())
            })
        };
        if let Some(author) = value(&["作者", "Author", "author", "著"]) {
            into.author.get_or_insert(author);
        } else if let Some(title) = value(&["书名", "書名", "Title", "title"]) {
            into.title.get_or_insert(title);
        } else if line.trim().starts_with('《') && line.trim().ends_with('》') {
            into.title.get_or_insert(bare.to_owned());
        }
    }
}

fn put_apart(into: &mut Manuscript, (kind, doubt): (ApartKind, DoubtKind), text: String, place: SourcePlace) {
    into.doubts.push(SourceDoubt::new(doubt, place, text.lines().next().unwrap_or_default()));
    into.apart.push(Apart { kind, text, place });
}

/// Tells of paragraphs with such marks in a text that has no Chinese ones, and restores them where the author wishes that. Corner
/// brackets are marks of their own, which no program straightens.
fn restore_marks(blocks: &mut [Block], options: &Options, into: &mut Manuscript) {
    if blocks.iter().any(|block| block.text.contains(['“', '”', '…'])) {
        return;
    }
    let kind = if options.clean { DoubtKind::MarksRestored } else { DoubtKind::StraightMarks };
    for block in blocks.iter_mut().filter(|block| block.text.chars().any(is_han)) {
        let restored = restored(&block.text);
        if restored != block.text {
            count(into, kind, block.place, &block.text);
            if options.clean {
                block.text = restored;
            }
        }
    }
}

/// Quotes of a kind are counted within the paragraph; where their number is odd or one would face the wrong way, as those within
/// others would, all of them stay. Apostrophes do not count.
fn restored(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let is_letter = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_alphanumeric);
    let is_apostrophe = |at: usize| is_letter(at.checked_sub(1)) && is_letter(Some(at + 1));
    let quotes = |mark: char| {
        let at = letters.iter().enumerate().filter(|(at, c)| **c == mark && !is_apostrophe(*at)).map(|(at, _)| at);
        let at: Vec<usize> = at.collect();
        let is_wrong = |(nth, at): (usize, &usize)| match nth % 2 {
            0 => letters.get(at + 1).is_none_or(|next| "，。！？、；：）》".contains(*next)),
            _ => at.checked_sub(1).is_none_or(|before| "，：（《".contains(letters[before])),
        };
        let is_odd = !at.len().is_multiple_of(2) || at.iter().enumerate().any(is_wrong);
        if is_odd { Vec::new() } else { at }
    };
    let mut out = letters.clone();
    for (mark, curly) in [('"', ['“', '”']), ('\'', ['‘', '’'])] {
        for (nth, at) in quotes(mark).into_iter().enumerate() {
            out[at] = curly[nth % 2];
        }
    }
    out.into_iter().collect::<String>().replace("......", "……").replace("------", "——")
}

const WORDS: [&str; 18] = [
    "本章未完",
    "请翻页",
    "點擊下一頁",
    "点击下一页",
    "手机用户请",
    "手机阅读",
    "最新章节",
    "最快更新",
    "无弹窗",
    "全文阅读",
    "txt下载",
    "TXT下载",
    "请记住本站",
    "请记住本书",
    "本书首发",
    "一秒记住",
    "更多精彩小说",
    "请收藏本站",
];
const ADDRESSES: [&str; 9] = ["www.", "http://", "https://", ".com", ".net", ".org", ".cc", ".la/", "ｗｗｗ"];
const ABOUT: [&str; 9] = ["小说", "书", "网", "阅读", "章节", "更新", "下载", "TXT", "txt"];
/// Lines of a story are longer, or have no address.
const LONGEST: usize = 80;

/// Finds the site's lines, and takes them out where the author wishes that; otherwise they are told.
fn note_site_lines(blocks: &mut Vec<Block>, options: &Options, into: &mut Manuscript) {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for block in blocks.iter() {
        *times.entry(block.text.as_str()).or_default() += 1;
    }
    let is_site = |block: &Block| is_of_site(&block.text, times[block.text.as_str()]);
    let marked: Vec<bool> = blocks.iter().map(is_site).collect();
    let lines: Vec<&Block> =
        blocks.iter().zip(&marked).filter(|(_, is_site)| **is_site).map(|(block, _)| block).collect();
    let Some(first) = lines.first() else { return };
    let kind = if options.clean { DoubtKind::SiteLinesOut } else { DoubtKind::SiteLines };
    into.doubts.push(SourceDoubt { count: lines.len(), ..SourceDoubt::new(kind, first.place, first.text.clone()) });
    if options.clean {
        let text: Vec<&str> = lines.iter().map(|block| block.text.as_str()).collect();
        into.apart.push(Apart { kind: ApartKind::SiteLine, text: text.join("\n"), place: first.place });
        let mut marked = marked.into_iter();
        blocks.retain(|_| !marked.next().unwrap_or_default());
    }
}

fn is_of_site(line: &str, times: usize) -> bool {
    if line.chars().count() > LONGEST {
        return false;
    }
    let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
    let is_speech = line.starts_with(['“', '「', '"']);
    !is_speech && (has(&WORDS) || has(&ADDRESSES) && (has(&ABOUT) || times > 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_restored_in_pairs() {
        assert_eq!(restored("他说\"好\"......她------"), "他说“好”……她——");
        for kept in ["他说\"好", "他说：\"我说：\"之乎者也\"，就走。\"", "他说，\"他走了，\"又说"]
        {
            assert_eq!(restored(kept), kept);
        }
        assert_eq!(restored("他写着'天'字，说It's"), "他写着‘天’字，说It's");
    }
}
