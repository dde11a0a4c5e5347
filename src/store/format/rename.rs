//! Files of a book after a person has another name: plans and records always, chapters and reports on them on request.

use crate::domain::volume::outline::label_part;
use crate::store::format::{json, text};
use crate::store::prelude::*;
use serde_json::{Map, Value};

/// The files that take part in a renaming.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RenameReach {
    /// Plans, and records of chapters: later prompts are made of them.
    Records,
    /// Also the chapters, with their evaluations, whose quotations are of the text.
    Chapters,
}

/// The content of the file at `place` with other names in its words; `None` where nothing changes.
pub fn renamed(place: &BookPath, bytes: &[u8], reach: RenameReach, apply: &dyn Fn(&str) -> String) -> Option<Vec<u8>> {
    match place {
        BookPath::Chapter(..) if reach < RenameReach::Chapters => None,
        BookPath::Evaluation { .. } | BookPath::QualityBrief(..) if reach < RenameReach::Chapters => None,
        BookPath::Brief
        | BookPath::Outline(_)
        | BookPath::Memory(_)
        | BookPath::Summary(..)
        | BookPath::Review(_)
        | BookPath::Profile { .. }
        | BookPath::Chapter(..) => in_text(place, bytes, apply),
        BookPath::World(_) if place.is_text() => in_text(place, bytes, apply),
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

/// The text with other names. Labels that the program reads stay, because a name may be one of their words: 冲突.
fn in_text(place: &BookPath, bytes: &[u8], apply: &dyn Fn(&str) -> String) -> Option<Vec<u8>> {
    let before = std::str::from_utf8(bytes).ok()?;
    let label = |line: &str| match place {
        BookPath::Outline(_) => label_part(line).len(),
        BookPath::Brief if line.starts_with('#') => line.len(),
        BookPath::Summary(..) | BookPath::Memory(_) if line.starts_with('>') => line.find(['：', ':']).unwrap_or(0),
        _ => 0,
    };
    let has_labels =
        matches!(place, BookPath::Outline(_) | BookPath::Brief | BookPath::Summary(..) | BookPath::Memory(_));
    let in_line = |line: &str| {
        let (label, rest) = line.split_at(label(line));
        format!("{label}{}", apply(rest))
    };
    let after = if has_labels { before.split_inclusive('\n').map(in_line).collect() } else { apply(before) };
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
        let new = renamed(&BookPath::State, state.as_bytes(), RenameReach::Records, &apply).unwrap();
        let new: Value = serde_json::from_slice(&new).unwrap();
        assert_eq!(new["characters"]["lin"]["display_name"], "沈舟");
        assert_eq!(new["characters"]["lin"]["relationships"]["沈舟"], 2);
        let chapter = BookPath::Chapter(VolumeNo::FIRST, at);
        let text = "# 第1章 沈渡\n\n沈渡来了。\n".as_bytes();
        assert_eq!(renamed(&chapter, text, RenameReach::Records, &apply), None);
        let new = renamed(&chapter, text, RenameReach::Chapters, &apply).unwrap();
        assert_eq!(String::from_utf8(new).unwrap(), "# 第1章 沈舟\n\n沈舟来了。\n");
        for place in [BookPath::Config, BookPath::Research("a.md".into()), BookPath::Log(VolumeNo::FIRST, at)] {
            assert_eq!(renamed(&place, text, RenameReach::Chapters, &apply), None, "{place:?}");
        }
        assert_eq!(renamed(&BookPath::Brief, "无".as_bytes(), RenameReach::Chapters, &apply), None);
    }

    #[test]
    fn labels_stay_where_a_name_is_one_of_their_words() {
        let apply =
            |text: &str| ["冲突", "故事", "现状"].iter().fold(text.to_owned(), |text, was| text.replace(was, "甲"));
        for (place, text, new) in [
            (
                BookPath::Outline(VolumeNo::FIRST),
                "## 第1章 冲突\n- **冲突**：和冲突的冲突\n- 状态变化:\n  - 冲突来了\n",
                "## 第1章 甲\n- **冲突**：和甲的甲\n- 状态变化:\n  - 甲来了\n",
            ),
            (BookPath::Brief, "## 核心冲突\n\n冲突。\n", "## 核心冲突\n\n甲。\n"),
            (
                BookPath::Summary(VolumeNo::FIRST, ChapterNo::FIRST),
                "# 第1章 信\n\n> 故事线：main-arc\n> 现状：冲突走了\n\n冲突。\n",
                "# 第1章 信\n\n> 故事线：main-arc\n> 现状：甲走了\n\n甲。\n",
            ),
        ] {
            let written = renamed(&place, text.as_bytes(), RenameReach::Records, &apply).unwrap();
            assert_eq!(String::from_utf8(written).unwrap(), new);
        }
    }
}
