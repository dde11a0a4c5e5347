//! Docx files, by a walk of their own over runs: no library reads inserted words, readings, numbers of lists and styles alike.

use crate::domain::notation::han_numeral;
use crate::manuscript::read::xml::{Node, ZipParts, nodes};
use crate::manuscript::read::{Block, ReadError, SourceFile, count};
use crate::manuscript::{DoubtKind, Manuscript, SourceInfo, SourcePlace};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

/// Text below these is not in the document as its author sees it: deleted, moved away, a reading, a copy for older programs.
const SKIPPED: [&str; 6] = ["del", "moveFrom", "rt", "Fallback", "instrText", "delText"];

pub(super) fn blocks(source: &SourceFile, at: usize, into: &mut Manuscript) -> Result<Vec<Block>, ReadError> {
    let broken = || ReadError::Broken { name: source.name.clone() };
    // Word puts a document with a password into a file of its older kind.
    let entry: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    if source.bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) && source.bytes.windows(entry.len()).any(|at| at == entry) {
        return Err(ReadError::Encrypted { name: source.name.clone() });
    }
    let mut parts = ZipParts::open(&source.bytes).ok_or_else(broken)?;
    let (document, fault) = nodes(&parts.part("word/document.xml").ok_or_else(broken)?);
    if fault.is_some() {
        return Err(broken());
    }
    let mut part = |name: &str| parts.part(name).map(|text| nodes(&text).0).unwrap_or_default();
    let (styles, numbers) = (styles(&part("word/styles.xml")), Numbering::of(&part("word/numbering.xml")));
    let mut notes = notes(&part("word/footnotes.xml"));
    notes.append(&mut self::notes(&part("word/endnotes.xml")));
    let properties = part("docProps/core.xml");
    into.title = into.title.take().or_else(|| property(&properties, "title"));
    into.author = into.author.take().or_else(|| property(&properties, "creator"));
    let mut walk = DocxWalk { styles, numbers, notes, at, ..DocxWalk::default() };
    walk.document(&document, into);
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

fn notes(nodes: &[Node]) -> BTreeMap<String, String> {
    let (mut notes, mut id, mut path): (BTreeMap<String, String>, _, _) = (BTreeMap::new(), String::new(), Vec::new());
    for node in nodes {
        let text = match node {
            Node::Open(name, of) => {
                path.push(name.as_str());
                match name.as_str() {
                    "footnote" | "endnote" => {
                        let is_note = of.get("type").is_none_or(|kind| kind == "normal");
                        let number = of.get("id").filter(|_| is_note);
                        id = number.map_or(String::new(), |number| [name, number.as_str()].concat());
                        continue;
                    }
                    "p" | "br" | "cr" => "\n",
                    "tab" if path.contains(&"r") => "\t",
                    _ => continue,
                }
            }
            Node::Close(name) => {
                path.truncate(path.iter().rposition(|open| open == name).unwrap_or(path.len()));
                continue;
            }
            Node::Text(text) if path.last() == Some(&"t") => text,
            Node::Text(_) => continue,
        };
        if !id.is_empty() && !path.iter().any(|name| SKIPPED.contains(name)) {
            notes.entry(id.clone()).or_default().push_str(text);
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
    /// By list and depth, the value with which a list goes on where it begins.
    restarts: BTreeMap<(String, usize), u32>,
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
                "lvlOverride" => depth = depth_of(of),
                "startOverride" => {
                    found.restarts.insert((number.clone(), depth), value.parse().unwrap_or(1));
                }
                "lvl" => {
                    depth = depth_of(of);
                    found.levels.entry((list.clone(), depth)).or_insert(("decimal".into(), String::new(), 1));
                }
                "num" => {
                    number = of.get("numId").cloned().unwrap_or_default();
                    list = own(&number);
                }
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
        let levels = |at| self.levels.get(&(own(number), at)).or_else(|| self.levels.get(&(list.clone(), at)));
        let (kind, text, start) = levels(depth)?.clone();
        let kinds: Vec<String> = (0..=depth).map(|at| levels(at).map_or("decimal".into(), |of| of.0.clone())).collect();
        let count = self.counts.entry((list.clone(), depth)).and_modify(|count| *count += 1).or_insert(start);
        *count = self.restarts.remove(&(number.to_owned(), depth)).unwrap_or(*count);
        self.counts.retain(|(of, at), _| *of != list || *at <= depth);
        if kind == "bullet" || kind == "none" {
            return None;
        }
        let mut shown = text;
        for (at, kind) in kinds.iter().enumerate() {
            let value = self.counts.get(&(list.clone(), at)).copied().unwrap_or(1);
            shown = shown.replace(&format!("%{}", at + 1), &numeral(kind, value));
        }
        Some(shown)
    }
}

fn depth_of(of: &BTreeMap<String, String>) -> usize {
    of.get("ilvl").and_then(|depth| depth.parse().ok()).unwrap_or(0)
}

fn own(number: &str) -> String {
    format!("num {number}")
}

fn numeral(kind: &str, value: u32) -> String {
    let roman = || {
        let (mut out, mut rest) = (String::new(), value.min(3_999));
        for (digits, of) in ["m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"]
            .into_iter()
            .zip([1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1])
        {
            out.push_str(&digits.repeat((rest / of) as usize));
            rest %= of;
        }
        out
    };
    let letters = || {
        let letter = char::from(b'a' + (value.max(1) - 1) as u8 % 26);
        letter.to_string().repeat((value.max(1) as usize - 1) / 26 + 1)
    };
    match kind {
        "upperRoman" => roman().to_uppercase(),
        "lowerRoman" => roman(),
        "upperLetter" => letters().to_uppercase(),
        "lowerLetter" => letters(),
        "decimalZero" => format!("{value:02}"),
        _ if kind.starts_with("decimalEnclosedCircle") && (1..=20).contains(&value) => {
            char::from_u32(0x245f + value).map_or(String::new(), String::from)
        }
        _ if ["hinese", "apanese", "deograph", "aiwanese"].iter().any(|part| kind.contains(part)) => han_numeral(value),
        _ => value.to_string(),
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
    /// The author has deleted the mark at its end.
    goes_on: bool,
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
    /// Text and notes of the paragraph that goes on in the next.
    begun: DocxParagraph,
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
                    let is_out = gallery.is_some() || path.iter().any(|name| SKIPPED.contains(name));
                    match name.as_str() {
                        // A rule across the page, in the form that pandoc writes.
                        "pict" if is_rule(&nodes[at..]) => self.open.iter_mut().for_each(|open| open.is_rule = true),
                        "drawing" | "pict" | "object" | "altChunk" | "sym" | "commentReference" if !is_out => {
                            count(into, DoubtKind::LeftOut, place, name)
                        }
                        "rt" => count(into, DoubtKind::Readings, place, "ruby"),
                        "del" | "moveFrom" if path.contains(&"p") => {
                            count(into, DoubtKind::LeftOut, place, "w:del");
                            if let Some(open) = self.open.last_mut().filter(|_| path.contains(&"pPr")) {
                                open.goes_on = true;
                            }
                        }
                        _ => self.open(name, of, is_run, is_out),
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
                        self.close(gallery.is_some() || path.iter().any(|name| SKIPPED.contains(name)), into);
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
        if !self.begun.text.is_empty() {
            self.open.push(take(&mut self.begun));
            self.close(false, into);
        }
    }

    fn open(&mut self, name: &str, of: &BTreeMap<String, String>, is_run: bool, is_out: bool) {
        let value = of.get("val").cloned().unwrap_or_default();
        if name == "p" {
            self.open.push(take(&mut self.begun));
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
            "br" | "cr" if is_run && !is_out => open.text.push('\n'),
            "tab" | "ptab" if is_run && !is_out => open.text.push('\t'),
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
        let Some(DocxParagraph { text, style, level, number, notes, is_rule, goes_on }) = self.open.pop() else {
            return;
        };
        self.line += 1;
        if goes_on {
            self.begun = DocxParagraph { text, notes, ..DocxParagraph::default() };
            return;
        }
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
        self.blocks.push(Block { text, level, place, gap: take(&mut self.gap), ..Block::default() });
        for (at, note) in notes.iter().enumerate() {
            count(into, DoubtKind::Notes, place, note.trim());
            self.blocks.push(Block { text: format!("[{}] {}", at + 1, note.trim()), place, ..Block::default() });
        }
    }

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
