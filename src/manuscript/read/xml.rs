//! XML and XHTML as a row of tags and texts, read with tolerance: files of authors have faults.

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
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
    let mut reader = Reader::from_str(text);
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

/// A part of a zip archive as text; `None` where the archive has none.
pub(super) fn part(archive: &mut ZipArchive<Cursor<&[u8]>>, name: &str) -> Option<String> {
    let mut bytes = Vec::new();
    archive.by_name(name).ok()?.read_to_end(&mut bytes).ok()?;
    Some(crate::text::encoding::read(&bytes, None)?.text)
}
