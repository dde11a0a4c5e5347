//! Epub files: the files of the spine in order, cut where headings and the list of contents say.

use crate::manuscript::read::xml::{Node, ZipParts, nodes};
use crate::manuscript::read::{Block, ReadError, SourceFile, count};
use crate::manuscript::{DoubtKind, Manuscript, SourceInfo, SourcePlace};
use percent_encoding::percent_decode_str;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

const BLOCKS: &str = " p div section article body h1 h2 h3 h4 h5 h6 li ul ol dl dt dd blockquote table caption tr td th pre figure \
figcaption aside hr main header footer nav center address details summary form fieldset ";
/// Elements whose text is none of the novel's: the reading of a character stands beside it.
const SKIPPED: [&str; 5] = ["head", "script", "style", "rt", "rp"];
/// Headings that the list of contents does not name are below those that it names.
pub(super) const BELOW: u8 = 10;

pub(super) fn blocks(source: &SourceFile, at: usize, into: &mut Manuscript) -> Result<Vec<Block>, ReadError> {
    let broken = || ReadError::Broken { name: source.name.clone() };
    let mut parts = ZipParts::open(&source.bytes).ok_or_else(broken)?;
    let package = Package::read(&mut parts).ok_or_else(broken)?;
    let encrypted = parts.part("META-INF/encryption.xml").map(|text| nodes(&text).0).unwrap_or_default();
    let is_of_text = |node: &Node| match node {
        Node::Open(name, of) if name == "CipherReference" => {
            of.get("URI").is_some_and(|uri| package.spine.contains(&resolved("", uri)))
        }
        _ => false,
    };
    if encrypted.iter().any(is_of_text) {
        return Err(ReadError::Encrypted { name: source.name.clone() });
    }
    into.title = into.title.take().or(package.title);
    into.author = into.author.take().or(package.author);
    let mut walk = EpubWalk { contents: package.contents, source: at, ..EpubWalk::default() };
    for path in &package.beside {
        count(into, DoubtKind::LeftOut, walk.place(), path);
    }
    for path in package.spine {
        let text = parts.part(&path).ok_or_else(broken)?;
        let (nodes, fault) = nodes(&text);
        if let Some(fault) = fault {
            count(into, DoubtKind::LeftOut, walk.place(), &fault);
        }
        walk.page(path, &nodes, into);
    }
    let blocks = walk.with_notes(into);
    let proof = blocks.iter().map(|block| block.text.as_str()).find(|text| !text.is_ascii()).unwrap_or_default();
    let proof = proof.chars().take(40).collect();
    into.sources.push(SourceInfo { name: source.name.clone(), encoding: "epub", proof });
    Ok(blocks)
}

#[derive(Default)]
struct EpubWalk {
    contents: BTreeMap<String, (String, u8)>,
    source: usize,
    path: String,
    line: usize,
    blocks: Vec<Block>,
    text: String,
    level: Option<u8>,
    /// A gap before the next block, which an export writes for more than one blank line.
    has_gap: bool,
    /// The entry of the contents that points here, until a block takes it.
    entry: Option<(String, u8)>,
    taken: BTreeSet<String>,
    open: Vec<String>,
    /// The number of the last item in each list that is open; `None` for lists without numbers.
    lists: Vec<Option<i64>>,
    number: Option<i64>,
    /// From this depth on blanks are text.
    kept_blanks: Option<usize>,
    /// From this depth on a list of notes.
    list_of_notes: Option<usize>,
    /// The link that is open: its target, the beginning of its text, and whether the page says that it is the mark of a note.
    link: Option<(String, usize, bool)>,
    /// The marks of notes by their targets: the block with the mark, and the mark.
    marks: BTreeMap<String, (usize, String)>,
    note: Option<(String, usize)>,
    notes: BTreeMap<String, Vec<String>>,
}

impl EpubWalk {
    fn place(&self) -> SourcePlace {
        SourcePlace { source: self.source, line: self.line + 1 }
    }

    fn page(&mut self, path: String, nodes: &[Node], into: &mut Manuscript) {
        self.entry = self.contents.get(&path).cloned();
        self.path = path;
        for node in nodes {
            match node {
                Node::Open(name, attributes) => self.open(name, attributes, into),
                Node::Close(name) => self.close(name),
                Node::Text(text) if self.open.iter().all(|name| !SKIPPED.contains(&name.as_str())) => {
                    match self.kept_blanks {
                        Some(_) => self.text.push_str(text),
                        None => push_collapsed(&mut self.text, text),
                    }
                }
                Node::Text(_) => {}
            }
        }
        self.end();
        self.title_without_text();
        self.open.clear();
        (self.kept_blanks, self.list_of_notes, self.link, self.note) = (None, None, None, None);
    }

    fn open(&mut self, name: &str, attributes: &BTreeMap<String, String>, into: &mut Manuscript) {
        let of = |name: &str| attributes.get(name).map_or("", String::as_str);
        if is_block(name) {
            self.end();
        }
        self.open.push(name.to_owned());
        let depth = self.open.len();
        if !of("id").is_empty() {
            self.anchor(of("id"), is_heading(name));
        }
        if name == "pre" || of("style").replace(' ', "").contains("white-space:pre") {
            self.kept_blanks.get_or_insert(depth);
        }
        if name == "a" && self.text.is_empty() {
            // An entry of a list of contents.
            self.number = None;
        }
        let roles = [of("type"), of("role"), of("class")].join(" ");
        if is_block(name) && ["footnotes", "endnotes"].iter().any(|notes| roles.contains(notes)) {
            self.list_of_notes.get_or_insert(depth);
        }
        match name {
            "br" => self.text.push('\n'),
            // The rule above a list of notes.
            "hr" if self.list_of_notes.is_some() => {}
            "hr" => {
                self.text.push_str("***");
                self.end();
            }
            "p" if of("class") == "gap" => self.has_gap = true,
            "ul" => self.lists.push(None),
            "ol" => self.lists.push(Some(of("start").parse().unwrap_or(1) - 1)),
            "li" => {
                let of_list = self.lists.last_mut().and_then(Option::as_mut);
                self.number = of_list.map(|last| {
                    *last = of("value").parse().unwrap_or(last.saturating_add(1));
                    *last
                });
            }
            "img" | "image" => {
                let alt = if of("alt").is_empty() { "img" } else { of("alt") };
                count(into, DoubtKind::LeftOut, self.place(), alt);
            }
            "rt" => count(into, DoubtKind::Readings, self.place(), self.text.trim()),
            "a" if of("href").contains('#') => {
                let is_mark = ["noteref", "footnote", "backlink"].iter().any(|role| roles.contains(role))
                    || self.open.iter().any(|name| name == "sup");
                let target = resolved(&self.path, of("href"));
                self.link = Some((target, self.text.len(), is_mark));
            }
            "sup" => self.link = self.link.take().map(|(target, start, _)| (target, start, true)),
            heading if is_heading(heading) => self.level = heading[1..].parse().ok(),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        if name == "a" {
            self.end_link();
        }
        if is_block(name) {
            self.end();
        }
        match name {
            "ol" | "ul" => drop(self.lists.pop()),
            "li" => self.number = None,
            _ => {}
        }
        if let Some(to) = self.open.iter().rposition(|open| open == name) {
            self.open.truncate(to);
        }
        let depth = self.open.len();
        self.kept_blanks = self.kept_blanks.filter(|from| *from <= depth);
        self.list_of_notes = self.list_of_notes.filter(|from| *from <= depth);
        self.note = self.note.take().filter(|(_, from)| *from <= depth);
    }

    /// Ends a link. The mark of a note stands in brackets, so that it is no number of the text; the way back from a note goes.
    fn end_link(&mut self) {
        let Some((target, start, is_mark)) = self.link.take() else { return };
        let mark = self.text.get(start..).unwrap_or_default().trim().to_owned();
        let bare = mark.trim_matches(['[', ']', '〔', '〕', '（', '）', '(', ')', '注', '^']);
        let is_number = !bare.is_empty() && bare.chars().count() <= 4 && bare.chars().all(char::is_numeric);
        let is_bracketed = is_number && bare != mark || bare.chars().all(|c| ('①'..='⑳').contains(&c));
        let is_reference =
            (is_mark && mark.chars().count() <= 8 || is_bracketed) && !self.contents.contains_key(&target);
        if mark.is_empty() {
        } else if self.note.is_some() && (is_mark || is_number || mark.starts_with(['↩', '↑'])) {
            self.text.truncate(start);
        } else if is_reference {
            let shown = if is_bracketed { mark } else { format!("[{mark}]") };
            self.text.truncate(start);
            self.text.push_str(&shown);
            self.marks.entry(target).or_insert((self.blocks.len(), shown));
        }
    }

    /// An entry of the contents or the mark of a note may point here.
    fn anchor(&mut self, id: &str, is_heading: bool) {
        let place = format!("{}#{id}", self.path);
        if let Some(entry) = self.contents.get(&place).filter(|_| self.taken.insert(place.clone())) {
            let entry = entry.clone();
            self.end();
            self.title_without_text();
            self.entry = Some(entry);
        } else if !is_heading && self.note.is_none() && self.marks.contains_key(&place) {
            let block = self.open.iter().rposition(|name| is_block(name));
            let is_small = |at: &usize| !["body", "section", "article"].contains(&self.open[*at].as_str());
            self.note = block.filter(is_small).map(|at| (place, at + 1));
        }
    }

    /// Ends the paragraph. A heading is on the level of the contents where they name it.
    fn end(&mut self) {
        let (text, level) = (take(&mut self.text), self.level.take());
        let lines: Vec<&str> = text.split('\n').map(|line| line.trim_matches(super::is_blank)).collect();
        let text = lines.join("\n").trim().to_owned();
        if text.is_empty() {
            return;
        }
        let number = self.number.take().filter(|_| self.list_of_notes.is_none());
        if let Some((target, _)) = &self.note {
            return self.notes.entry(target.clone()).or_default().push(text);
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
        let text = match (level, number) {
            (Some(_), _) => text.replace('\n', " "),
            (None, Some(number)) => format!("{number}. {text}"),
            (None, None) => text,
        };
        self.push(text, level);
    }

    /// A title that only the contents have, such as one that the page shows as a picture.
    fn title_without_text(&mut self) {
        if let Some((label, depth)) = self.entry.take().filter(|(label, _)| !label.is_empty()) {
            let at = self.blocks.len();
            self.push(label, Some(depth));
            // A mark in the paragraph that is about to be put after the title.
            self.marks.values_mut().filter(|(block, _)| *block == at).for_each(|(block, _)| *block += 1);
        }
    }

    fn push(&mut self, text: String, level: Option<u8>) {
        let place = self.place();
        self.line += 1;
        let gap = 1 + usize::from(take(&mut self.has_gap));
        self.blocks.push(Block { text, level, place, gap, ..Block::default() });
    }

    /// The blocks with each note below the paragraph with its mark.
    fn with_notes(self, into: &mut Manuscript) -> Vec<Block> {
        let (mut notes, mut of_blocks) = (self.notes, BTreeMap::<usize, Vec<String>>::new());
        let mut marks: Vec<_> = self.marks.into_iter().collect();
        marks.sort_by(|(_, (_, one)), (_, (_, other))| super::natural(one, other));
        for (target, (block, mark)) in marks {
            if let Some(note) = notes.remove(&target) {
                let note = note.join("\n");
                // Many notes begin with their mark.
                let is_end = |c: char| c.is_whitespace() || ".．、：:".contains(c);
                let after = |mark| note.strip_prefix(mark)?.strip_prefix(is_end);
                let bare = after(mark.as_str()).or_else(|| after(mark.trim_matches(['[', ']'])));
                let bare = bare.unwrap_or(&note).trim_start_matches(is_end);
                of_blocks.entry(block).or_default().push(format!("{mark} {bare}"));
            }
        }
        let mut placed = Vec::with_capacity(self.blocks.len());
        for (at, block) in self.blocks.into_iter().enumerate() {
            let place = block.place;
            placed.push(block);
            for text in of_blocks.remove(&at).unwrap_or_default() {
                count(into, DoubtKind::Notes, place, &text);
                placed.push(Block { text, place, gap: 1, ..Block::default() });
            }
        }
        placed
    }
}

fn is_block(name: &str) -> bool {
    BLOCKS.split(' ').any(|block| block == name)
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

#[derive(Default)]
pub(super) struct Package {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    /// The files of the novel in order, without the page of the contents.
    pub(super) spine: Vec<String>,
    /// Files with text that readers do not show in the row of the others.
    beside: Vec<String>,
    /// The entries of the list of contents by their place, with their depth from 1. A list of less than three tells nothing.
    pub(super) contents: BTreeMap<String, (String, u8)>,
}

impl Package {
    pub(super) fn read(parts: &mut ZipParts<'_>) -> Option<Self> {
        let mut nodes = |path: &str| parts.part(path).map(|text| nodes(&text).0);
        let container = nodes("META-INF/container.xml")?;
        let path = container.iter().find_map(|node| match node {
            Node::Open(name, of) if name == "rootfile" => of.get("full-path"),
            _ => None,
        })?;
        let (mut found, mut items, mut spine) = (Self::default(), BTreeMap::new(), Vec::new());
        let (mut nav, mut ncx) = (None, None);
        let package = nodes(path)?;
        for (at, node) in package.iter().enumerate() {
            let Node::Open(name, of) = node else { continue };
            let value = |name: &str| of.get(name).map_or("", String::as_str);
            let text = || match package.get(at + 1) {
                Some(Node::Text(text)) if !text.trim().is_empty() => Some(text.trim().to_owned()),
                _ => None,
            };
            match name.as_str() {
                "title" => found.title = found.title.take().or_else(text),
                "creator" => found.author = found.author.take().or_else(text),
                "item" => {
                    let file = resolved(path, value("href"));
                    if value("properties").split_whitespace().any(|property| property == "nav") {
                        nav = Some(file.clone());
                    }
                    if value("media-type") == "application/x-dtbncx+xml" {
                        ncx = Some(file.clone());
                    }
                    if value("media-type") == "application/xhtml+xml" {
                        found.beside.push(file.clone());
                    }
                    items.insert(value("id"), file);
                }
                "itemref" => spine.push(value("idref")),
                _ => {}
            }
        }
        found.spine = spine.into_iter().filter_map(|id| items.get(id).cloned()).collect();
        found.spine.retain(|file| Some(file) != nav.as_ref());
        let shown: BTreeSet<&String> = found.spine.iter().chain(&nav).collect();
        found.beside.retain(|file| !shown.contains(file));
        for list in [nav, ncx].into_iter().flatten() {
            if found.contents.is_empty() {
                found.contents = contents(&list, &nodes(&list).unwrap_or_default());
            }
        }
        if found.contents.len() < 3 {
            found.contents.clear();
        }
        Some(found)
    }
}

/// The entries of a list of contents, of EPUB 3 (`nav`, `ol`, `a`) or of EPUB 2 (`navMap`, `navPoint`, `text`, `content`).
fn contents(path: &str, nodes: &[Node]) -> BTreeMap<String, (String, u8)> {
    let mut found = BTreeMap::new();
    let (mut is_list, mut depth, mut label, mut target) = (false, 0u8, String::new(), None);
    let mut add = |target: String, label: &str, depth: u8| {
        let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
        found.entry(target).or_insert((label, depth.clamp(1, 9)));
    };
    for node in nodes {
        match node {
            Node::Open(name, of) => match name.as_str() {
                "nav" => is_list = of.get("type").is_none_or(|kind| kind.contains("toc")),
                "navMap" => is_list = true,
                "ol" | "navPoint" => depth = depth.saturating_add(1),
                "a" => (label, target) = (String::new(), of.get("href").map(|href| resolved(path, href))),
                "text" => label.clear(),
                "content" if is_list => {
                    if let Some(href) = of.get("src") {
                        add(resolved(path, href), &label, depth);
                    }
                }
                _ => {}
            },
            Node::Close(name) => match name.as_str() {
                "nav" | "navMap" => is_list = false,
                "ol" | "navPoint" => depth = depth.saturating_sub(1),
                "a" => {
                    if let Some(target) = target.take().filter(|_| is_list) {
                        add(target, &label, depth);
                    }
                }
                _ => {}
            },
            Node::Text(text) => label.push_str(text),
        }
    }
    found
}

/// The path in the archive that a link in the file at `from` means, with its fragment.
pub(super) fn resolved(from: &str, href: &str) -> String {
    let href = percent_decode_str(href).decode_utf8_lossy();
    let (file, fragment) = href.split_once('#').map_or((&*href, None), |(file, id)| (file, Some(id)));
    let mut parts: Vec<&str> = match file {
        "" => from.split('/').collect(),
        _ => from.split('/').rev().skip(1).collect::<Vec<_>>().into_iter().rev().collect(),
    };
    for part in file.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    let path = parts.join("/");
    fragment.map_or(path.clone(), |id| format!("{path}#{id}"))
}

#[cfg(test)]
mod tests {
    use super::resolved;

    #[test]
    fn links_are_resolved_from_their_file() {
        for (from, href, path) in [
            ("EPUB/book.opf", "text/a.xhtml", "EPUB/text/a.xhtml"),
            ("EPUB/text/a.xhtml", "../b.xhtml#one", "EPUB/b.xhtml#one"),
            ("EPUB/text/a.xhtml", "#two", "EPUB/text/a.xhtml#two"),
            ("book.opf", "%E7%AC%AC1.xhtml", "第1.xhtml"),
        ] {
            assert_eq!(resolved(from, href), path);
        }
    }
}
