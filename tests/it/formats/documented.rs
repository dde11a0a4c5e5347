//! `docs/formats.md` says what is true: every block is read by the reader of its path, and is what the program writes.

use novel::domain::Slug;
use novel::domain::world::storyline::Schedule;
use novel::store::format::check::check_file;
use novel::store::format::{self, contract, rules, storylines};
use novel::store::layout::{self, BookPath};

/// The blocks of the page, each with the path in the heading before it.
fn blocks() -> Vec<(String, String)> {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/formats.md")).unwrap();
    let (mut found, mut path, mut block) = (Vec::new(), String::new(), None::<String>);
    for line in page.lines() {
        match (&mut block, line) {
            (None, "```json") => block = Some(String::new()),
            (Some(text), "```") => {
                found.push((path.clone(), std::mem::take(text)));
                block = None;
            }
            (Some(text), line) => *text += &format!("{line}\n"),
            (None, line) => {
                if let Some(named) = line.strip_prefix("### `").and_then(|rest| rest.strip_suffix('`')) {
                    path = named.to_owned();
                }
            }
        }
    }
    found
}

#[test]
fn every_example_is_read_and_written_as_it_stands() {
    let line = Slug::new("main-arc").unwrap();
    let blocks = blocks();
    assert_eq!(blocks.len(), 5);
    for (path, text) in blocks {
        let bytes = text.as_bytes();
        assert_eq!(check_file(&path, bytes), [], "{path}");
        let written = match layout::classify(&path).unwrap() {
            BookPath::Contract(..) => contract::write(&contract::read(&line, bytes).unwrap(), None),
            BookPath::Schedule(_) => format::write(&format::read::<Schedule>(bytes).unwrap(), None),
            BookPath::Storylines => storylines::write(&storylines::read(bytes).unwrap(), None),
            BookPath::WorldRules => rules::write(&rules::read(bytes).unwrap(), None),
            BookPath::StorylineRules => rules::write_spec(&rules::read(bytes).unwrap(), None),
            other => panic!("{other:?}"),
        };
        assert_eq!(String::from_utf8(written).unwrap(), text, "{path}");
    }
}
