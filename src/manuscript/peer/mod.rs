//! Books of other writing programs: the accepted chapters, and the facts, plot threads, people and rules that their folders hold.

mod ainovel;
mod inkos;
mod webnovel;

use crate::domain::id::named;
use crate::manuscript::read::{ReadError, heading_of, stem};
use crate::manuscript::{DoubtKind, Manuscript, SourceChapter, SourceDoubt, SourceInfo, SourcePlace, Volume};
use crate::text::encoding;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

named! {
    pub enum Program {
        Inkos = "inkos",
        Ainovel = "ainovel",
        Webnovel = "webnovel",
    }
}

/// A book of another program. The numbers of chapters are those of that program.
#[derive(Debug, Default, PartialEq)]
pub struct PeerBook {
    pub manuscript: Manuscript,
    pub facts: Vec<PeerFact>,
    pub threads: Vec<PeerThread>,
    pub people: Vec<PeerPerson>,
    pub rules: Vec<PeerRule>,
    pub summaries: BTreeMap<u32, String>,
    /// Texts for planners, such as outlines, by a name of ASCII.
    pub research: Vec<(String, String)>,
    /// All else that the folder has, as a note in Markdown.
    pub note: String,
    /// The bytes of the chapters' files, in the order of the manuscript's sources.
    pub bytes: Vec<Vec<u8>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PeerFact {
    pub chapter: u32,
    pub subject: String,
    pub field: String,
    pub value: String,
}

/// A plot thread; `advanced` and `resolved` are chapters.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PeerThread {
    pub id: String,
    pub description: String,
    pub planted: u32,
    pub advanced: Option<u32>,
    pub resolved: Option<u32>,
    /// It spans volumes.
    pub is_core: bool,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct PeerPerson {
    /// The id of the other program, by which facts may name the person.
    pub key: String,
    pub name: String,
    pub aliases: Vec<String>,
    pub role: String,
    pub profile: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PeerRule {
    pub category: String,
    pub rule: String,
}

/// Reads the folder of a book, its files by their paths. Files without bytes are left out and told.
pub fn read(program: Program, files: &BTreeMap<String, Vec<u8>>) -> Result<PeerBook, ReadError> {
    let mut folder = Folder { files, used: BTreeSet::new(), book: PeerBook::default() };
    match program {
        Program::Inkos => inkos::read(&mut folder),
        Program::Ainovel => ainovel::read(&mut folder),
        Program::Webnovel => webnovel::read(&mut folder),
    }
    let others = files.iter().filter(|(_, bytes)| bytes.is_empty()).map(|(path, _)| path.clone());
    folder.leave_out(others.collect());
    let Folder { used, mut book, .. } = folder;
    book.manuscript.take_empty_chapters();
    if book.manuscript.chapters.is_empty() {
        let broken = book.manuscript.doubts.into_iter().find(|doubt| doubt.kind == DoubtKind::BrokenFile);
        return Err(broken.map_or(ReadError::Empty, |doubt| ReadError::Broken { name: doubt.detail }));
    }
    for (path, bytes) in files.iter().filter(|(path, _)| !used.contains(*path)) {
        if let Some(read) = encoding::read(bytes, None).filter(|read| !read.text.trim().is_empty()) {
            book.note.push_str(&format!("\n## {path}\n\n{}\n", read.text.trim()));
        }
    }
    Ok(book)
}

/// The files of a folder on their way to a book.
struct Folder<'f> {
    files: &'f BTreeMap<String, Vec<u8>>,
    /// The files that the book, or nothing, is made of; the others go into the note.
    used: BTreeSet<String>,
    book: PeerBook,
}

impl<'f> Folder<'f> {
    fn text(&mut self, path: &str) -> Option<String> {
        let read = encoding::read(self.files.get(path)?, None)?;
        self.used.insert(path.to_owned());
        Some(read.text)
    }

    /// The value in a JSON file. One that cannot be read is told, and goes into the note.
    fn json<T: DeserializeOwned>(&mut self, path: &str) -> Option<T> {
        let text = self.text(path)?;
        let value = serde_json::from_str(&text);
        if value.is_err() {
            self.used.remove(path);
            let place = self.source(path);
            self.book.manuscript.doubts.push(SourceDoubt::new(DoubtKind::BrokenFile, place, path));
        }
        value.ok()
    }

    /// The first of the files that is there.
    fn json_of<T: DeserializeOwned>(&mut self, paths: &[&str]) -> Option<T> {
        paths.iter().find(|path| self.files.contains_key(**path)).and_then(|path| self.json(path))
    }

    /// The paths in a folder, and in those below.
    fn under(&self, folder: &str) -> Vec<String> {
        let inside =
            self.files.keys().filter(|path| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')));
        inside.cloned().collect()
    }

    /// The place of a file among the sources, which it joins.
    fn source(&mut self, path: &str) -> SourcePlace {
        let sources = &mut self.book.manuscript.sources;
        sources.push(SourceInfo { name: path.to_owned(), encoding: "", proof: String::new() });
        self.book.bytes.push(self.files.get(path).cloned().unwrap_or_default());
        SourcePlace { source: sources.len() - 1, line: 1 }
    }

    /// Leaves out drafts, deleted texts and copies, and says so.
    fn leave_out(&mut self, paths: Vec<String>) {
        let paths: Vec<String> = paths.into_iter().filter(|path| self.used.insert(path.clone())).collect();
        if let Some(first) = paths.first() {
            let place = self.source(first);
            let doubt = SourceDoubt { count: paths.len(), ..SourceDoubt::new(DoubtKind::LeftOut, place, first) };
            self.book.manuscript.doubts.push(doubt);
        }
    }

    /// Adds an accepted chapter from its file; without the file its number is told. A heading in the file has the title where the
    /// program's index has none.
    fn chapter(&mut self, number: u32, title: &str, volume: (u32, &str), path: Option<String>) {
        let place = self.source(path.as_deref().unwrap_or(&format!("第{number}章")));
        let Some(text) = path.as_deref().and_then(|path| self.text(path)) else {
            return self.book.manuscript.doubts.push(SourceDoubt::new(DoubtKind::Gap, place, number.to_string()));
        };
        let (settings, text) = front_matter(&text);
        if !settings.is_empty() {
            self.book.note.push_str(&format!("\n## 第{number}章\n\n{settings}\n"));
        }
        let text = text.trim();
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let found = heading_of(first).filter(|(of, _)| *of == Some(number) || first.starts_with("# "));
        let (heading, own, text) = match found {
            Some((_, own)) => (first.to_owned(), own, rest.trim().to_owned()),
            None => (String::new(), String::new(), text.to_owned()),
        };
        let title = if title.trim().is_empty() { own } else { title.trim().to_owned() };
        let of_book = &mut self.book.manuscript;
        of_book.sources[place.source].encoding = "UTF-8";
        of_book.sources[place.source].proof = text.chars().take(40).collect();
        if of_book.volumes.last().is_none_or(|last| last.number != Some(volume.0)) {
            let number = Some(volume.0);
            of_book.volumes.push(Volume { number, title: volume.1.to_owned(), place, ..Volume::default() });
        }
        let volume = of_book.volumes.len() - 1;
        of_book.chapters.push(SourceChapter {
            volume,
            number: Some(number),
            heading,
            title,
            text,
            place,
            ..SourceChapter::default()
        });
    }

    /// Tells of chapters between two that the folder has no text of.
    fn lacks(&mut self, before: u32, after: u32) {
        let (first, last) = (before.saturating_add(1), after.saturating_sub(1));
        if first <= last {
            let detail = if first == last { first.to_string() } else { format!("{first}–{last}") };
            let place = self.source(&format!("第{first}章"));
            self.book.manuscript.doubts.push(SourceDoubt::new(DoubtKind::Gap, place, detail));
        }
    }

    /// Adds what is known of a field that no value of this program has a place for.
    fn unknown(&mut self, of: &str, rest: &Map<String, Value>) {
        if !rest.is_empty() {
            self.book.note.push_str(&format!("- {of}: {}\n", Value::from(rest.clone())));
        }
    }

    /// Adds texts for planners.
    fn research(&mut self, paths: &[String]) {
        for path in paths {
            if let Some(text) = self.text(path).filter(|text| !text.trim().is_empty()) {
                self.book.research.push((stem(path).to_owned(), format!("<!-- {path} -->\n\n{}\n", text.trim())));
            }
        }
    }
}

/// The settings at the head of a text, between two lines of dashes, and the rest.
fn front_matter(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches('\u{feff}');
    let inner = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---"));
    inner.map_or(("", text), |(settings, rest)| (settings, rest.split_once('\n').map_or("", |(_, rest)| rest)))
}

/// The first number in the name of a file.
fn number_of(path: &str) -> Option<u32> {
    let name = path.rsplit('/').next()?;
    let start = name.find(|c: char| c.is_ascii_digit())?;
    let digits = name[start..].split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}
