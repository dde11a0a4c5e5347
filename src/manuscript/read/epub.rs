//! Epub files: the files of the spine in order, cut where headings and the list of contents say.

use super::xml::{self, Node};
use super::{Block, ReadError, Source, count};
use crate::manuscript::{DoubtKind, Manuscript, Place, SourceInfo};
use rbook::Epub;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

/// Elements that begin a paragraph.
const BLOCKS: [&str; 22] = [
    "p",
    "div",
    "section",
    "article",
    "body",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "li",
    "ul",
    "ol",
    "blockquote",
    "table",
    "tr",
    "td",
    "pre",
    "figure",
    "aside",
    "hr",
];
/// Elements whose text is none of the novel's: the reading of a character stands beside it.
const SKIPPED: [&str; 6] = ["head", "script", "style", "rt", "rp", "svg"];
/// Headings that the list of contents does not name are below those that it names.
const BELOW: u8 = 10;

pub(super) fn blocks(source: &Source, at: usize, into: &mut Manuscript) -> Result<Vec<Block>, ReadError> {
    let broken = || ReadError::Broken { name: source.name.clone() };
    let mut archive = zip::ZipArchive::new(Cursor::new(source.bytes.as_slice())).map_err(|_| broken())?;
    if let Some(text) = xml::part(&mut archive, "META-INF/encryption.xml")
        && ["html", ".htm"].iter().any(|ending| text.contains(ending))
    {
        return Err(ReadError::Encrypted { name: source.name.clone() });
    }
    let epub = Epub::read(Cursor::new(source.bytes.clone())).map_err(|_| broken())?;
    let title = epub.metadata().title().map(|title| title.value().trim().to_owned()).filter(|title| !title.is_empty());
    into.title = into.title.take().or(title);
    let author = epub.metadata().creators().next().map(|author| author.value().to_owned());
    into.author = into.author.take().or(author);
    let contents = contents(&epub);
    let (mut blocks, mut line) = (Vec::new(), 0);
    for entry in epub.spine().iter() {
        let Some(file) = entry.manifest_entry() else { continue };
        if file.properties().has_property("nav") {
            continue;
        }
        let text = file.read_str().map_err(|_| broken())?;
        let (nodes, fault) = xml::nodes(&text);
        let place = Place { source: at, line: line + 1 };
        if let Some(fault) = fault {
            count(into, DoubtKind::LeftOut, place, &fault);
        }
        let mut page = Page::new(at, line, &contents, &file.href().decode());
        page.walk(&nodes, into);
        line = page.line;
        blocks.extend(page.blocks);
    }
    let proof = blocks.iter().map(|block| block.text.as_str()).find(|text| !text.is_ascii()).unwrap_or_default();
    let proof = proof.chars().take(40).collect();
    into.sources.push(SourceInfo { name: source.name.clone(), encoding: "epub", proof });
    Ok(blocks)
}

/// The entries of the list of contents by their place, with their depth from 1. A list of less than three tells nothing.
fn contents(epub: &Epub) -> BTreeMap<String, (String, u8)> {
    let mut found = BTreeMap::new();
    let entries = epub.toc().contents().into_iter().flat_map(|root| root.flatten().collect::<Vec<_>>());
    for entry in entries.filter(|entry| !entry.is_root()) {
        let Some(href) = entry.href() else { continue };
        let label = entry.label().split_whitespace().collect::<Vec<_>>().join(" ");
        let depth = u8::try_from(entry.depth()).unwrap_or(9).clamp(1, 9);
        found.entry(href.decode().into_owned()).or_insert((label, depth));
    }
    if found.len() < 3 { BTreeMap::new() } else { found }
}

/// A file of the spine on its way to blocks.
struct Page<'c> {
    contents: &'c BTreeMap<String, (String, u8)>,
    path: String,
    source: usize,
    line: usize,
    blocks: Vec<Block>,
    text: String,
    level: Option<u8>,
    /// The entry of the contents that points here, until a block takes it.
    entry: Option<(String, u8)>,
    taken: BTreeSet<String>,
}

impl<'c> Page<'c> {
    fn new(source: usize, line: usize, contents: &'c BTreeMap<String, (String, u8)>, path: &str) -> Self {
        let entry = contents.get(path).cloned();
        let (text, path) = (String::new(), path.to_owned());
        Self { contents, path, source, line, blocks: Vec::new(), text, level: None, entry, taken: BTreeSet::new() }
    }

    fn walk(&mut self, nodes: &[Node], into: &mut Manuscript) {
        let mut skipped = 0usize;
        for node in nodes {
            match node {
                Node::Open(name, attributes) => {
                    if SKIPPED.contains(&name.as_str()) {
                        skipped += 1;
                    }
                    if BLOCKS.contains(&name.as_str()) {
                        self.end();
                    }
                    if let Some(id) = attributes.get("id") {
                        self.anchor(id);
                    }
                    match name.as_str() {
                        "br" => self.text.push('\n'),
                        "hr" => {
                            self.text.push_str("***");
                            self.end();
                        }
                        "img" | "image" => {
                            let alt = attributes.get("alt").map_or("", String::as_str);
                            let place = Place { source: self.source, line: self.line + 1 };
                            count(into, DoubtKind::LeftOut, place, if alt.is_empty() { "img" } else { alt });
                        }
                        "rt" => {
                            let place = Place { source: self.source, line: self.line + 1 };
                            count(into, DoubtKind::Readings, place, self.text.trim());
                        }
                        heading if is_heading(heading) => self.level = heading[1..].parse().ok(),
                        _ => {}
                    }
                }
                Node::Close(name) => {
                    if BLOCKS.contains(&name.as_str()) {
                        self.end();
                    }
                    if SKIPPED.contains(&name.as_str()) {
                        skipped = skipped.saturating_sub(1);
                    }
                }
                Node::Text(text) if skipped == 0 => push_collapsed(&mut self.text, text),
                Node::Text(_) => {}
            }
        }
        self.end();
        self.title_without_text();
    }

    /// An entry of the contents may point here.
    fn anchor(&mut self, id: &str) {
        let place = format!("{}#{id}", self.path);
        if let Some(entry) = self.contents.get(&place).filter(|_| self.taken.insert(place.clone())) {
            self.end();
            self.title_without_text();
            self.entry = Some(entry.clone());
        }
    }

    /// Ends the paragraph. A heading is on the level of the contents where they name it.
    fn end(&mut self) {
        let text = std::mem::take(&mut self.text);
        let level = self.level.take();
        let lines: Vec<&str> = text.split('\n').map(|line| line.trim_matches(super::is_blank)).collect();
        let text = lines.join("\n").trim().to_owned();
        if text.is_empty() {
            self.level = level.filter(|_| false);
            return;
        }
        let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let level = match self.entry.take() {
            Some((label, depth)) if level.is_some() || plain(&label) == plain(&text) => Some(depth),
            Some(entry) => {
                self.entry = Some(entry);
                self.title_without_text();
                level.map(|level| level + BELOW)
            }
            None if self.contents.is_empty() => level,
            None => level.map(|level| level + BELOW),
        };
        let text = if level.is_some() { text.replace('\n', " ") } else { text };
        self.push(text, level);
    }

    /// A title that only the contents have, such as one that the page shows as a picture.
    fn title_without_text(&mut self) {
        if let Some((label, depth)) = self.entry.take().filter(|(label, _)| !label.is_empty()) {
            self.push(label, Some(depth));
        }
    }

    fn push(&mut self, text: String, level: Option<u8>) {
        self.line += 1;
        self.blocks.push(Block { text, level, place: Place { source: self.source, line: self.line }, gap: 1 });
    }
}

fn is_heading(name: &str) -> bool {
    matches!(name.as_bytes(), [b'h', b'1'..=b'6'])
}

/// Adds the text with its line breaks and blanks of ASCII as one blank, and none between Han characters.
fn push_collapsed(into: &mut String, text: &str) {
    let is_white = |c: char| c.is_ascii_whitespace();
    let is_wide = |c: char| u32::from(c) >= 0x2e80;
    let mut rest = text;
    while !rest.is_empty() {
        let white = rest.find(|c| !is_white(c)).unwrap_or(rest.len());
        if white > 0 {
            let breaks = rest[..white].contains('\n');
            rest = &rest[white..];
            let joins =
                breaks && into.chars().next_back().is_some_and(is_wide) && rest.chars().next().is_none_or(is_wide);
            if !joins && !into.is_empty() && !into.ends_with([' ', '\n']) {
                into.push(' ');
            }
        }
        let word = rest.find(is_white).unwrap_or(rest.len());
        into.push_str(&rest[..word]);
        rest = &rest[word..];
    }
}
