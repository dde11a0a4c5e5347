//! XML and XHTML as a row of tags and texts, read with tolerance: files of authors have faults.

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};
use zip::ZipArchive;

/// The names are without their prefixes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    Open(String, BTreeMap<String, String>),
    Close(String),
    Text(String),
}

/// The nodes of the document; what follows a fault that cannot be passed over is missing, and the fault comes back.
pub(super) fn nodes(text: &str) -> (Vec<Node>, Option<String>) {
    let text = escaped(text);
    let mut reader = Reader::from_str(&text);
    let config = reader.config_mut();
    (config.check_end_names, config.allow_unmatched_ends, config.allow_dangling_amp) = (false, true, true);
    let mut nodes = Vec::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => nodes.push(open(&tag)),
            Ok(Event::Empty(tag)) => {
                nodes.push(open(&tag));
                nodes.push(Node::Close(local(tag.name().as_ref())));
            }
            Ok(Event::End(tag)) => nodes.push(Node::Close(local(tag.name().as_ref()))),
            Ok(Event::Text(text)) => push(&mut nodes, &text.xml10_content()),
            Ok(Event::CData(text)) => push(&mut nodes, &text.xml10_content()),
            Ok(Event::GeneralRef(name)) => {
                let written = format!("&{};", &*name);
                let text = unescape(&written).map_or_else(|_| written.clone(), |text| text.into_owned());
                push(&mut nodes, &text);
            }
            Ok(Event::Eof) => return (nodes, None),
            Ok(_) => {}
            Err(error) => return (nodes, Some(error.to_string())),
        }
    }
}

fn push(nodes: &mut Vec<Node>, text: &str) {
    match nodes.last_mut() {
        Some(Node::Text(before)) => before.push_str(text),
        _ => nodes.push(Node::Text(text.to_owned())),
    }
}

fn open(tag: &BytesStart<'_>) -> Node {
    let attribute = |attribute: quick_xml::events::attributes::Attribute<'_>| {
        let value = unescape(&attribute.value).map_or_else(|_| attribute.value.to_string(), |value| value.into_owned());
        (local(attribute.key.as_ref()), value)
    };
    Node::Open(local(tag.name().as_ref()), tag.html_attributes().flatten().map(attribute).collect())
}

fn local(name: &str) -> String {
    name.rsplit(':').next().unwrap_or(name).to_owned()
}

/// The text with `&lt;` for each `<` that begins no markup: a reader would take the text behind it for a tag.
fn escaped(text: &str) -> Cow<'_, str> {
    let (mut out, mut done, mut at) = (String::new(), 0, 0);
    while let Some(found) = text[at..].find('<').map(|found| at + found) {
        at = found + markup(&text[found..]).unwrap_or(1);
        if at == found + 1 {
            out.extend([&text[done..found], "&lt;"]);
            done = at;
        }
    }
    if done == 0 { text.into() } else { (out + &text[done..]).into() }
}

/// The length of the tag, comment or declaration at the beginning of the text.
fn markup(text: &str) -> Option<usize> {
    for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")] {
        if text.starts_with(start) {
            return text.find(end).map(|at| at + end.len());
        }
    }
    let name = text.strip_prefix("</").unwrap_or(&text[1..]);
    let rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_:.-".contains(c));
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !rest.starts_with([' ', '\t', '\n', '/', '>']) {
        return None;
    }
    let mut quote = None;
    for (at, byte) in rest.bytes().enumerate() {
        match (quote, byte) {
            (_, b'<') => return None,
            (None, b'>') => return Some(text.len() - rest.len() + at + 1),
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, _) if !byte.is_ascii() => return None,
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

/// All parts of an archive have less text than this; a small archive could unpack to more than the memory holds.
const MOST: u64 = 256 << 20;

pub(super) struct ZipParts<'b> {
    zip: ZipArchive<Cursor<&'b [u8]>>,
    left: u64,
}

impl<'b> ZipParts<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Option<Self> {
        Some(Self { zip: ZipArchive::new(Cursor::new(bytes)).ok()?, left: MOST })
    }

    pub(super) fn part(&mut self, name: &str) -> Option<String> {
        let mut bytes = Vec::new();
        self.zip.by_name(name).ok()?.take(self.left).read_to_end(&mut bytes).ok()?;
        self.left = self.left.checked_sub(bytes.len() as u64).filter(|left| *left > 0)?;
        Some(crate::text::encoding::read(&bytes, None)?.text)
    }
}
