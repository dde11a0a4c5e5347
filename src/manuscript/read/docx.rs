//! Docx files, by a walk of their own over runs: no library reads inserted words, readings, numbers of lists and styles alike.

use crate::domain::notation::han_numeral;
use crate::manuscript::read::xml::{Node, nodes, part};
use crate::manuscript::read::{Block, ReadError, SourceFile, count};
use crate::manuscript::{DoubtKind, Manuscript, SourceInfo, SourcePlace};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

/// Text below these is not in the document as its author sees it: deleted, moved away, a reading, a copy for older programs.
const SKIPPED: [&str; 6] = ["del", "moveFrom", "rt", "Fallback", "instrText", "delText"];

pub(super) fn blocks(source: &SourceFile, at: usize, into: &mut Manuscript) -> Result<Vec<Block>, ReadError> {
    let broken = || ReadError::Broken { name: source.name.clone() };
    let mut archive = zip::ZipArchive::new(Cursor::new(source.bytes.as_slice())).map_err(|_| broken())?;
    let document = part(&mut archive, "word/document.xml").ok_or_else(broken)?;
    let mut part = |name: &str| part(&mut archive, name).map(|text| nodes(&text).0).unwrap_or_default();
    let (styles, numbers) = (styles(&part("word/styles.xml")), Numbering::of(&part("word/numbering.xml")));
    let mut notes = notes(&part("word/footnotes.xml"));
    notes.append(&mut self::notes(&part("word/endnotes.xml")));
    let properties = part("docProps/core.xml");
    into.title = into.title.take().or_else(|| property(&properties, "title"));
    into.author = into.author.take().or_else(|| property(&properties, "creator"));
    let mut walk = DocxWalk { styles, numbers, notes, at, ..DocxWalk::default() };
    walk.document(&nodes(&document).0, into);
    let proof = walk.blocks.iter().map(|block| block.text.as_str()).find(|text| !text.is_ascii()).unwrap_or_default();
    let proof = proof.chars().take(40).collect();
    into.sources.push(SourceInfo { name: source.name.clone(), encoding: "docx", proof });
    Ok(walk.blocks)
}

#[derive(Debug, Clone, Default)]
struct DocxStyle {
    name: String,
    based_on: Option<String>,
    level: Option<u8>,
    number: Option<(String, usize)>,
}

fn styles(nodes: &[Node]) -> BTreeMap<String, DocxStyle> {
    let mut styles: BTreeMap<String, DocxStyle> = BTreeMap::new();
    let mut id = String::new();
    for node in nodes {
        let Node::Open(name, of) = node else { continue };
        let value = of.get("val").cloned().unwrap_or_default();
        if name == "style" {
            id = of.get("styleId").cloned().unwrap_or_default();
            styles.entry(id.clone()).or_default();
            continue;
        }
        let Some(style) = styles.get_mut(&id) else { continue };
        match name.as_str() {
            "name" => style.name = value.to_lowercase(),
            "basedOn" => style.based_on = Some(value),
            "outlineLvl" => style.level = level(&value),
            "ilvl" => {
                style.number =
                    Some((style.number.take().map_or(String::new(), |(id, _)| id), value.parse().unwrap_or(0)))
            }
            "numId" => style.number = Some((value, style.number.take().map_or(0, |(_, depth)| depth))),
            _ => {}
        }
    }
    styles
}

/// The level of a heading from the value of `outlineLvl`, where 9 is text.
fn level(value: &str) -> Option<u8> {
    value.parse().ok().filter(|level: &u8| *level < 9).map(|level| level + 1)
}

/// The text of each note, by its element and its id.
fn notes(nodes: &[Node]) -> BTreeMap<String, String> {
    let (mut notes, mut id, mut is_text): (BTreeMap<String, String>, _, _) = (BTreeMap::new(), None::<String>, false);
    for node in nodes {
        match node {
            Node::Open(name, of) if name == "footnote" || name == "endnote" => {
                id = of.get("id").filter(|_| !of.contains_key("type")).map(|id| [name, id.as_str()].concat())
            }
            Node::Open(name, _) => is_text = name == "t",
            Node::Close(_) => is_text = false,
            Node::Text(text) if is_text => {
                if let Some(id) = &id {
                    notes.entry(id.clone()).or_default().push_str(text);
                }
            }
            Node::Text(_) => {}
        }
    }
    notes
}

fn property(nodes: &[Node], wanted: &str) -> Option<String> {
    let at = nodes.iter().position(|node| matches!(node, Node::Open(name, _) if name == wanted))?;
    match nodes.get(at + 1)? {
        Node::Text(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        _ => None,
    }
}

/// The texts that lists put before their paragraphs, such as 第一章.
#[derive(Debug, Default)]
struct Numbering {
    lists: BTreeMap<String, String>,
    /// By list and depth: the kind of numeral, the text with `%1`, the first value.
    levels: BTreeMap<(String, usize), (String, String, u32)>,
    counts: BTreeMap<(String, usize), u32>,
}

impl Numbering {
    fn of(nodes: &[Node]) -> Self {
        let mut found = Self::default();
        let (mut list, mut depth, mut number) = (String::new(), 0, String::new());
        for node in nodes {
            let Node::Open(name, of) = node else { continue };
            let value = of.get("val").cloned().unwrap_or_default();
            match name.as_str() {
                "abstractNum" => list = of.get("abstractNumId").cloned().unwrap_or_default(),
                "lvl" => {
                    depth = of.get("ilvl").and_then(|depth| depth.parse().ok()).unwrap_or(0);
                    found.levels.entry((list.clone(), depth)).or_insert(("decimal".into(), String::new(), 1));
                }
                "num" => number = of.get("numId").cloned().unwrap_or_default(),
                "abstractNumId" => drop(found.lists.insert(number.clone(), value)),
                kind => {
                    let Some(level) = found.levels.get_mut(&(list.clone(), depth)) else { continue };
                    match kind {
                        "numFmt" => level.0 = value,
                        "lvlText" => level.1 = value,
                        "start" => level.2 = value.parse().unwrap_or(1),
                        _ => {}
                    }
                }
            }
        }
        found
    }

    /// The text before the next paragraph of that list; `None` for bullets.
    fn next(&mut self, number: &str, depth: usize) -> Option<String> {
        let list = self.lists.get(number)?.clone();
        let (kind, text, start) = self.levels.get(&(list.clone(), depth))?.clone();
        self.counts.entry((list.clone(), depth)).and_modify(|count| *count += 1).or_insert(start);
        self.counts.retain(|(of, at), _| *of != list || *at <= depth);
        if kind == "bullet" || kind == "none" {
            return None;
        }
        let mut shown = text;
        for at in 0..=depth {
            let kind = self.levels.get(&(list.clone(), at)).map_or("decimal", |level| level.0.as_str());
            let value = self.counts.get(&(list.clone(), at)).copied().unwrap_or(1);
            let is_han = ["hinese", "apanese", "deograph", "aiwanese"].iter().any(|part| kind.contains(part));
            let value = if is_han { han_numeral(value) } else { value.to_string() };
            shown = shown.replace(&format!("%{}", at + 1), &value);
        }
        Some(shown)
    }
}

/// A paragraph that is open; one in a text box is inside another.
#[derive(Debug, Default)]
struct DocxParagraph {
    text: String,
    style: String,
    level: Option<u8>,
    number: Option<(String, usize)>,
    notes: Vec<String>,
    /// Has a line above or below, which is a break between scenes where there is no text.
    is_rule: bool,
}

#[derive(Default)]
struct DocxWalk {
    styles: BTreeMap<String, DocxStyle>,
    numbers: Numbering,
    notes: BTreeMap<String, String>,
    at: usize,
    line: usize,
    gap: usize,
    blocks: Vec<Block>,
    open: Vec<DocxParagraph>,
    /// The depth of the field that is a list of contents, and of all fields.
    contents: Option<usize>,
    fields: usize,
}

impl DocxWalk {
    fn document(&mut self, nodes: &[Node], into: &mut Manuscript) {
        let mut path: Vec<&str> = Vec::new();
        let mut gallery: Option<usize> = None;
        for (at, node) in nodes.iter().enumerate() {
            let place = SourcePlace { source: self.at, line: self.line + 1 };
            match node {
                Node::Open(name, of) => {
                    path.push(name);
                    let is_contents =
                        name == "docPartGallery" && of.get("val").is_some_and(|value| value.contains("Contents"));
                    if is_contents {
                        gallery = path.iter().position(|name| *name == "sdt");
                        count(into, DoubtKind::LeftOut, place, "contents");
                    }
                    let is_run = path.contains(&"r");
                    match name.as_str() {
                        // A rule across the page, in the form that pandoc writes.
                        "pict" if is_rule(&nodes[at..]) => self.open.iter_mut().for_each(|open| open.is_rule = true),
                        "drawing" | "pict" | "object" | "sym" | "commentReference" => {
                            count(into, DoubtKind::LeftOut, place, name)
                        }
                        "rt" => count(into, DoubtKind::Readings, place, "ruby"),
                        "del" | "moveFrom" if path.contains(&"p") => count(into, DoubtKind::LeftOut, place, "w:del"),
                        _ => self.open(name, of, is_run, gallery.is_some()),
                    }
                }
                Node::Close(name) => {
                    if let Some(to) = path.iter().rposition(|open| open == name) {
                        path.truncate(to);
                    }
                    if gallery.is_some_and(|gallery| path.len() <= gallery) {
                        gallery = None;
                    }
                    if name == "p" {
                        self.close(gallery.is_some(), into);
                    }
                }
                Node::Text(text) => {
                    let is_out =
                        path.iter().any(|name| SKIPPED.contains(name)) || gallery.is_some() || self.contents.is_some();
                    if path.last() == Some(&"instrText") && text.trim_start().starts_with("TOC") {
                        self.contents = Some(self.fields);
                        count(into, DoubtKind::LeftOut, place, "contents");
                    }
                    let is_text = matches!(nodes.get(at.wrapping_sub(1)), Some(Node::Open(name, _)) if name == "t");
                    if is_text
                        && !is_out
                        && let Some(open) = self.open.last_mut()
                    {
                        open.text.push_str(text);
                    }
                }
            }
        }
    }

    fn open(&mut self, name: &str, of: &BTreeMap<String, String>, is_run: bool, is_out: bool) {
        let value = of.get("val").cloned().unwrap_or_default();
        if name == "p" {
            self.open.push(DocxParagraph::default());
            return;
        }
        if name == "fldChar" {
            match of.get("fldCharType").map(String::as_str) {
                Some("begin") => self.fields += 1,
                Some("end") => {
                    if self.contents == Some(self.fields) {
                        self.contents = None;
                    }
                    self.fields = self.fields.saturating_sub(1);
                }
                _ => {}
            }
        }
        let is_out = is_out || self.contents.is_some();
        let Some(open) = self.open.last_mut() else { return };
        match name {
            "pStyle" => open.style = value,
            "outlineLvl" => open.level = level(&value),
            "pBdr" => open.is_rule = true,
            "ilvl" => {
                open.number = Some((open.number.take().map_or(String::new(), |(id, _)| id), value.parse().unwrap_or(0)))
            }
            "numId" => open.number = Some((value, open.number.take().map_or(0, |(_, depth)| depth))),
            "br" | "cr" if is_run && !is_out && of.get("type").is_none_or(|kind| kind == "textWrapping") => {
                open.text.push('\n')
            }
            "tab" if is_run && !is_out => open.text.push('\t'),
            "noBreakHyphen" if !is_out => open.text.push('\u{2011}'),
            "footnoteReference" | "endnoteReference" if !is_out => {
                let key = [name.trim_end_matches("Reference"), of.get("id").map_or("", String::as_str)].concat();
                if let Some(note) = self.notes.get(&key) {
                    open.notes.push(note.clone());
                    open.text.push_str(&format!("[{}]", open.notes.len()));
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, is_out: bool, into: &mut Manuscript) {
        let Some(DocxParagraph { text, style, level, number, notes, is_rule }) = self.open.pop() else { return };
        self.line += 1;
        let is_contents =
            self.chain(&style).iter().any(|style| style.name.starts_with("toc ") || style.name.starts_with("目录"));
        let lines: Vec<&str> = text.split('\n').map(|line| line.trim_matches(super::is_blank)).collect();
        let text = lines.join("\n").trim().to_owned();
        if is_out || is_contents {
            return;
        }
        if text.is_empty() && !is_rule {
            self.gap += 1;
            return;
        }
        let text = if text.is_empty() { "***".to_owned() } else { text };
        let chain = self.chain(&style);
        let of_style = chain.iter().find_map(|style| heading_level(&style.name).or(style.level));
        let number = number.or_else(|| chain.iter().find_map(|style| style.number.clone()));
        let level = level.or(of_style);
        let prefix = number.and_then(|(number, depth)| self.numbers.next(&number, depth));
        let text = match prefix.filter(|prefix| !prefix.is_empty()) {
            Some(prefix) => format!("{} {text}", prefix.trim_end()),
            None => text,
        };
        let text = if level.is_some() { text.replace('\n', " ") } else { text };
        let place = SourcePlace { source: self.at, line: self.line };
        self.blocks.push(Block { text, level, place, gap: std::mem::take(&mut self.gap), ..Block::default() });
        for (at, note) in notes.iter().enumerate() {
            count(into, DoubtKind::Notes, place, note.trim());
            self.blocks.push(Block { text: format!("[{}] {}", at + 1, note.trim()), place, ..Block::default() });
        }
    }

    /// The style and those that it is based on.
    fn chain(&self, id: &str) -> Vec<DocxStyle> {
        let (mut chain, mut seen, mut next) = (Vec::new(), BTreeSet::new(), Some(id.to_owned()));
        while let Some(id) = next.filter(|id| seen.insert(id.clone())) {
            let Some(style) = self.styles.get(&id) else { break };
            next = style.based_on.clone();
            chain.push(style.clone());
        }
        chain
    }
}

/// True for a picture that is a rule across the page.
fn is_rule(picture: &[Node]) -> bool {
    let mut parts = picture.iter().take_while(|node| !matches!(node, Node::Close(name) if name == "pict"));
    parts.any(|node| matches!(node, Node::Open(_, of) if of.get("hr").is_some_and(|value| value == "t")))
}

/// The level of a style by its name: `heading 2`, 标题 2.
fn heading_level(name: &str) -> Option<u8> {
    let rest =
        name.strip_prefix("heading").or_else(|| name.strip_prefix("标题")).or_else(|| name.strip_prefix("標題"))?;
    rest.trim().parse().ok().filter(|level| (1..=9).contains(level))
}
