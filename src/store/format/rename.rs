//! Files of a book after a person has another name: plans and records always, chapters and reports on them on request.

use super::{json, text};
use crate::domain::Slug;
use crate::store::layout::BookPath;
use serde_json::{Map, Value};

/// The files that take part in a renaming.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Plans, and records of chapters: later prompts are made of them.
    Records,
    /// Also the chapters, with their evaluations, whose quotations are of the text.
    Chapters,
}

/// The content of the file at `place` with other names in its words; `None` where nothing changes.
#[must_use]
pub fn renamed(place: &BookPath, bytes: &[u8], reach: Reach, apply: &dyn Fn(&str) -> String) -> Option<Vec<u8>> {
    match place {
        BookPath::Chapter(..) if reach < Reach::Chapters => None,
        BookPath::Evaluation { .. } | BookPath::QualityBrief(..) if reach < Reach::Chapters => None,
        BookPath::Brief
        | BookPath::Outline(_)
        | BookPath::Memory(_)
        | BookPath::Summary(..)
        | BookPath::Review(_)
        | BookPath::Profile { .. }
        | BookPath::Chapter(..) => in_text(bytes, apply),
        BookPath::World(_) if place.is_text() => in_text(bytes, apply),
        BookPath::WorldRules
        | BookPath::StorylineRules
        | BookPath::Storylines
        | BookPath::Schedule(_)
        | BookPath::ForeshadowingPlan(_)
        | BookPath::Contract(..)
        | BookPath::Judgement(_)
        | BookPath::State
        | BookPath::Foreshadowing
        | BookPath::ChapterMemory(..)
        | BookPath::Character { .. }
        | BookPath::Relationships
        | BookPath::Waivers
        | BookPath::Evaluation { .. }
        | BookPath::QualityBrief(..) => {
            let before = json::value(&text(bytes).ok()?).ok()?;
            let after = walk(before.clone(), apply);
            (after != before).then(|| json::print(&after))
        }
        _ => None,
    }
}

fn in_text(bytes: &[u8], apply: &dyn Fn(&str) -> String) -> Option<Vec<u8>> {
    let before = std::str::from_utf8(bytes).ok()?;
    let after = apply(before);
    (after != before).then(|| after.into_bytes())
}

/// The document with other names in texts and keys. Ids stay.
fn walk(value: Value, apply: &dyn Fn(&str) -> String) -> Value {
    let words = |text: String| if Slug::new(&text).is_ok() { text } else { apply(&text) };
    match value {
        Value::String(text) => Value::String(words(text)),
        Value::Array(list) => list.into_iter().map(|entry| walk(entry, apply)).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(key, field)| (words(key), walk(field, apply)));
            Value::Object(fields.collect::<Map<String, Value>>())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ChapterNo, VolumeNo};

    #[test]
    fn words_and_keys_change_and_ids_and_other_files_stay() {
        let apply = |text: &str| text.replace("沈渡", "沈舟").replace("lin", "rue");
        let at = ChapterNo::FIRST;
        let state = r#"{"characters": {"lin": {"display_name": "沈渡", "relationships": {"沈渡": 2}}}, "n": 1}"#;
        let new = renamed(&BookPath::State, state.as_bytes(), Reach::Records, &apply).unwrap();
        let new: Value = serde_json::from_slice(&new).unwrap();
        assert_eq!(new["characters"]["lin"]["display_name"], "沈舟");
        assert_eq!(new["characters"]["lin"]["relationships"]["沈舟"], 2);
        let chapter = BookPath::Chapter(VolumeNo::FIRST, at);
        let text = "# 第1章 沈渡\n\n沈渡来了。\n".as_bytes();
        assert_eq!(renamed(&chapter, text, Reach::Records, &apply), None);
        let new = renamed(&chapter, text, Reach::Chapters, &apply).unwrap();
        assert_eq!(String::from_utf8(new).unwrap(), "# 第1章 沈舟\n\n沈舟来了。\n");
        for place in [BookPath::Config, BookPath::Research("a.md".into()), BookPath::Log(VolumeNo::FIRST, at)] {
            assert_eq!(renamed(&place, text, Reach::Chapters, &apply), None, "{place:?}");
        }
        assert_eq!(renamed(&BookPath::Brief, "无".as_bytes(), Reach::Chapters, &apply), None);
    }
}
