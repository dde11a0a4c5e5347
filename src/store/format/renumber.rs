//! Files of a book after its chapters have other numbers, or a person another name. Each number of a chapter in a file's fields,
//! headings and ids becomes the new one, and every other byte stays. The prose of chapters and outlines is the author's and
//! keeps what it says of numbers; a name changes in plans and records always, in chapters and reports on them on request.

use crate::domain::chapter::{is_heading, numbered};
use crate::domain::notation::parse_numeral;
use crate::domain::volume::outline::label_part;
use crate::store::format::{json, text};
use crate::store::prelude::*;
use serde_json::{Map, Value};

/// Fields with the number of a chapter.
const NUMBERS: [&str; 10] = [
    "chapter",
    "planted_chapter",
    "planned_chapter",
    "last_updated_chapter",
    "last_chapter_on_this_line",
    "first_chapter",
    "last_chapter",
    "detected_chapter",
    "against_first",
    "against_last",
];
/// Fields that say from when, or until when, something holds: a place in the book that no single chapter takes along.
const PLACES: [&str; 4] = ["introduced_chapter", "last_verified", "valid_from_chapter", "valid_until"];
const LISTS: [&str; 2] = ["advance_chapters", "chapters"];
/// Fields with a first and a last chapter.
const RANGES: [&str; 2] = ["target_resolve_range", "chapter_range"];

/// The content of the file at `place` with the new numbers.
pub fn renumbered(place: &BookPath, bytes: &[u8], how: Renumbering) -> Vec<u8> {
    let new = match place {
        BookPath::Chapter(_, chapter) | BookPath::Summary(_, chapter) => in_heading(bytes, *chapter, how),
        BookPath::Memory(_) | BookPath::Review(_) => text(bytes).ok().map(|text| in_words(&text, how).into_bytes()),
        BookPath::Contract(..)
        | BookPath::ForeshadowingPlan(_)
        | BookPath::Schedule(_)
        | BookPath::Judgement(_)
        | BookPath::Delta(..)
        | BookPath::ChapterMemory(..)
        | BookPath::Evaluation { .. }
        | BookPath::QualityBrief(..)
        | BookPath::Log(..)
        | BookPath::Character { .. }
        | BookPath::WorldRules
        | BookPath::Waivers
        | BookPath::Wishes
        | BookPath::StyleDrift => in_json(place, bytes, how),
        _ => None,
    };
    new.unwrap_or_else(|| bytes.to_vec())
}

/// A text whose first line is a heading with the chapter's number.
fn in_heading(bytes: &[u8], chapter: ChapterNo, how: Renumbering) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let begin = text.len() - text.trim_start_matches(['\u{feff}', '\n', '\r', ' ']).len();
    let line = text[begin..].lines().next().filter(|line| is_heading(line))?;
    let new = heading(line, chapter, how.of(chapter)?)?;
    Some(format!("{}{new}{}", &text[..begin], &text[begin + line.len()..]).into_bytes())
}

/// A heading with another number; `None` where it has not the number that it should have.
pub fn heading(line: &str, was: ChapterNo, is: ChapterNo) -> Option<String> {
    let bare = line.trim_start_matches(['#', '＃', ' ', '*']);
    if let Some((number, title)) = numbered(bare) {
        let marks = &line[..line.len() - bare.len()];
        return (parse_numeral(number)? == was.get()).then(|| format!("{marks}第{}章{title}", is.get()));
    }
    let digits = line.find(|c: char| c.is_ascii_digit())?;
    let end = line[digits..].find(|c: char| !c.is_ascii_digit()).map_or(line.len(), |end| digits + end);
    let width = end - digits;
    (line[digits..end].parse() == Ok(was.get()))
        .then(|| format!("{}{:0width$}{}", &line[..digits], is.get(), &line[end..]))
}

/// The text of a section of an outline with another number in its heading; `title` for one whose heading has not the number `was`.
pub fn section_headed(text: &str, (was, is): (ChapterNo, ChapterNo), title: &str) -> String {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let new = heading(line.trim_end_matches('\r'), was, is);
    let new = new.unwrap_or_else(|| format!("## 第{}章 {title}", is.get()));
    let ending = if line.ends_with('\r') { "\r\n" } else { "\n" };
    format!("{new}{ending}{rest}")
}

fn in_json(place: &BookPath, bytes: &[u8], how: Renumbering) -> Option<Vec<u8>> {
    let before = json::value(&text(bytes).ok()?).ok()?;
    let mut document = before.clone();
    if let (BookPath::Waivers, Some(Value::Array(list))) = (place, document.get_mut("waivers")) {
        let chapter = |entry: &Value| entry["chapter"].as_u64().and_then(|n| ChapterNo::new(u32::try_from(n).ok()?));
        list.retain(|entry| chapter(entry).is_none_or(|chapter| how.of(chapter).is_some()));
    }
    if let (BookPath::ForeshadowingPlan(_), Some(Value::Array(threads))) = (place, document.get_mut("foreshadowing")) {
        threads.iter_mut().for_each(|thread| without_removed(thread, how));
    }
    // A contract's words name chapters and its own objectives; an evaluation answers for them.
    let words = matches!(place, BookPath::Contract(..) | BookPath::Evaluation { .. });
    let ends = ["first_chapter", "last_chapter"].map(|name| (name, document.get(name).cloned()));
    walk(&mut document, how, words);
    if let (BookPath::Wishes, Some(Value::Array(wishes))) = (place, before.get("wishes")) {
        for (at, wish) in wishes.iter().enumerate() {
            let mut ends = ["first_chapter", "last_chapter"].map(|name| wish[name].clone());
            range(&mut ends, how);
            let [first, last] = ends;
            (document["wishes"][at]["first_chapter"], document["wishes"][at]["last_chapter"]) = (first, last);
        }
    }
    // A brief of the same chapters in another order.
    for (name, end) in ends.into_iter().filter(|_| matches!(place, BookPath::QualityBrief(..))) {
        end.into_iter().for_each(|end| document[name] = end);
    }
    (document != before).then(|| json::print(&document))
}

/// Takes the chapters that are removed out of the plan of a plot thread: the one after them neither plants nor advances it for that.
fn without_removed(thread: &mut Value, how: Renumbering) {
    let is_removed = |chapter: &Value| {
        let number = chapter.as_u64().and_then(|n| ChapterNo::new(u32::try_from(n).ok()?));
        matches!(how, Renumbering::Remove(at) if number == Some(at))
    };
    if let Some(planted) = thread.get_mut("planned_chapter").filter(|planted| is_removed(planted)) {
        *planted = Value::Null;
    }
    if let Some(Value::Array(advances)) = thread.get_mut("advance_chapters") {
        advances.retain(|chapter| !is_removed(chapter));
    }
}

fn walk(value: &mut Value, how: Renumbering, words: bool) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                let name = name.as_str();
                match field {
                    Value::Number(_) if NUMBERS.contains(&name) => number(field, how),
                    Value::Number(_) if PLACES.contains(&name) => {
                        if field.as_u64() > Some(1) && !matches!(how, Renumbering::Move { .. }) {
                            number(field, how);
                        }
                    }
                    Value::Array(list) if LISTS.contains(&name) => {
                        list.iter_mut().filter(|entry| entry.is_number()).for_each(|entry| number(entry, how));
                        list.iter_mut().for_each(|entry| walk(entry, how, words));
                    }
                    Value::Array(ends) if RANGES.contains(&name) => range(ends, how),
                    field => walk(field, how, words),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|entry| walk(entry, how, words)),
        Value::String(said) if words => *said = in_words(said, how),
        _ => {}
    }
}

fn number(value: &mut Value, how: Renumbering) {
    if let Some(n) = value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0) {
        *value = how.refers(n).into();
    }
}

fn range(ends: &mut [Value], how: Renumbering) {
    let numbers: Vec<u32> = ends.iter().filter_map(|end| u32::try_from(end.as_u64()?).ok()).collect();
    if let ([first, last], [low, high]) = (&numbers[..], ends)
        && *first > 0
        && first <= last
    {
        let new = how.range(*first..=*last);
        (*low, *high) = ((*new.start()).into(), (*new.end()).into());
    }
}

/// Words that the program has made: `第12章`, `ch-012`, `OBJ-012-1`.
fn in_words(text: &str, how: Renumbering) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, mark)) = ["第", "ch-", "OBJ-"].iter().filter_map(|m| Some((rest.find(m)?, *m))).min() {
        let after = &rest[at + mark.len()..];
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let ends = match mark {
            "第" => after[digits..].starts_with('章'),
            "OBJ-" => after[digits..].starts_with('-'),
            _ => digits >= 3,
        };
        out.push_str(&rest[..at + mark.len()]);
        rest = after;
        if let Some(n) = after[..digits].parse().ok().filter(|n| ends && *n > 0) {
            let n = how.refers(n);
            out.push_str(&if mark == "第" { n.to_string() } else { format!("{n:03}") });
            rest = &after[digits..];
        }
    }
    out + rest
}

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
            let after = walk_texts(before.clone(), apply);
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
fn walk_texts(value: Value, apply: &dyn Fn(&str) -> String) -> Value {
    let words = |text: String| if Slug::new(&text).is_ok() { text } else { apply(&text) };
    match value {
        Value::String(text) => Value::String(words(text)),
        Value::Array(list) => list.into_iter().map(|entry| walk_texts(entry, apply)).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(key, field)| (words(key), walk_texts(field, apply)));
            Value::Object(fields.collect::<Map<String, Value>>())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ChapterNo, VolumeNo};
    use crate::store::format::{contract, evaluation, foreshadowing, json, samples};
    use proptest::prelude::*;

    fn at(n: u32) -> ChapterNo {
        ChapterNo::new(n).unwrap()
    }

    fn there_and_back(place: &BookPath, bytes: &[u8], n: u32) -> Vec<u8> {
        renumbered(place, &renumbered(place, bytes, Renumbering::Insert(at(n))), Renumbering::Remove(at(n)))
    }

    #[test]
    fn headings_of_every_shape_get_the_number_and_keep_their_form() {
        for (line, new) in [
            ("# 第2章 失手师", Some("# 第13章 失手师")),
            ("## 第二章：失手师", Some("## 第13章：失手师")),
            ("**第 2 章　《失手师》**", Some("**第13章　《失手师》**")),
            ("## Chapter 002: 404", Some("## Chapter 013: 404")),
            ("# 404号房", None),
        ] {
            assert_eq!(heading(line, at(2), at(13)).as_deref(), new, "{line}");
        }
        let place = BookPath::Chapter(VolumeNo::FIRST, at(2));
        let text = "# 第2章 失手师\n\n第2章里他说过。\n";
        let new = renumbered(&place, text.as_bytes(), Renumbering::Insert(at(1)));
        assert_eq!(String::from_utf8(new).unwrap(), "# 第3章 失手师\n\n第2章里他说过。\n");
    }

    #[test]
    fn a_removed_chapter_plants_and_advances_no_thread_any_more() {
        let text = r#"{"foreshadowing": [{"planned_chapter": 3, "advance_chapters": [3, 5]}, {"planned_chapter": 4}]}"#;
        let new =
            renumbered(&BookPath::ForeshadowingPlan(VolumeNo::FIRST), text.as_bytes(), Renumbering::Remove(at(3)));
        let new: Value = serde_json::from_slice(&new).unwrap();
        assert_eq!(new["foreshadowing"][0], serde_json::json!({"planned_chapter": null, "advance_chapters": [4]}));
        assert_eq!(new["foreshadowing"][1]["planned_chapter"], 3);
    }

    #[test]
    fn a_removed_chapter_takes_its_waivers_along() {
        let text = r#"{"waivers": [{"chapter": 3, "check": "W-001"}, {"chapter": 5, "check": "W-001"}, {"check": "variant"}]}"#;
        let new = renumbered(&BookPath::Waivers, text.as_bytes(), Renumbering::Remove(at(3)));
        let new: Value = serde_json::from_slice(&new).unwrap();
        let chapters: Vec<&Value> =
            new["waivers"].as_array().unwrap().iter().map(|waiver| &waiver["chapter"]).collect();
        assert_eq!(chapters, [&Value::from(4), &Value::Null]);
    }

    proptest! {
        #[test]
        fn numbers_come_back_and_nothing_else_changes(
            contract in samples::contract(),
            recorded in samples::recorded(),
            plan in samples::plan(),
            schedule in samples::schedule(),
            n in 1u32..60,
        ) {
            let volume = VolumeNo::FIRST;
            let files = [
                (BookPath::Contract(volume, contract.chapter), contract::write(&contract, None)),
                (BookPath::ForeshadowingPlan(volume), foreshadowing::write_plan(&plan, None)),
                (BookPath::Schedule(volume), json::write(&schedule, None)),
                (BookPath::Evaluation { volume, chapter: at(n), second: false }, evaluation::write(&recorded, None)),
            ];
            for (place, bytes) in files {
                let back = there_and_back(&place, &bytes, n);
                prop_assert_eq!(String::from_utf8(back).unwrap(), String::from_utf8(bytes).unwrap());
            }
        }
    }

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
