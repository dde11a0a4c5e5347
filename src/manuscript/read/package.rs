//! The package of an epub: the files of its spine in order, and its list of contents.

use super::xml::{self, Node};
use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;
use std::io::Cursor;
use zip::ZipArchive;

#[derive(Default)]
pub(super) struct Package {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    /// The files of the novel in order, without the page of the contents.
    pub(super) spine: Vec<String>,
    /// The entries of the list of contents by their place, with their depth from 1. A list of less than three tells nothing.
    pub(super) contents: BTreeMap<String, (String, u8)>,
}

impl Package {
    pub(super) fn read(archive: &mut ZipArchive<Cursor<&[u8]>>) -> Option<Self> {
        let mut nodes = |path: &str| xml::part(archive, path).map(|text| xml::nodes(&text).0);
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
                    items.insert(value("id"), file);
                }
                "itemref" => spine.push(value("idref")),
                _ => {}
            }
        }
        found.spine = spine.into_iter().filter_map(|id| items.get(id).cloned()).collect();
        found.spine.retain(|file| Some(file) != nav.as_ref());
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
