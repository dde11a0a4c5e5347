//! The people who speak and act in a chapter, and whether they can.

use super::{Contradiction, Finding, Reading, Registry, presence};
use crate::domain::state::Category;
use serde_json::Value;
use std::collections::BTreeSet;

/// Fields of a person's state that may tell of death.
const LIFE: [&str; 6] = ["status", "state", "health", "condition", "life", "alive"];
/// Words of such a field that mean death.
const DEATH: [&str; 12] = ["死", "亡", "身故", "去世", "过世", "毙命", "殒", "殉", "遇害", "牺牲", "dead", "deceased"];
/// Words that contain one of [`DEATH`] and mean life.
const ALIVE: [&str; 9] = ["未死", "没死", "假死", "濒死", "生死", "不死", "诈死", "装死", "流亡"];

/// The state's words for a person's death; `None` for the living.
#[must_use]
pub fn death(fields: &Value) -> Option<String> {
    LIFE.iter().find_map(|field| match fields.get(*field)? {
        Value::Bool(false) if *field == "alive" => Some("alive: false".to_owned()),
        Value::String(text) => {
            let text_is = |words: &[&str]| words.iter().any(|word| text.contains(word));
            (text_is(&DEATH) && !text_is(&ALIVE)).then(|| text.clone())
        }
        _ => None,
    })
}

/// Dead or retired people who speak or act.
pub(super) fn acting_without(reading: &Reading<'_>, registry: &Registry) -> Vec<Finding> {
    let dead = |id: &str| {
        let (before, after) = (reading.of.before.tree.get(Category::Characters.as_str())?, &reading.of.after);
        let record = death(before.get(id)?)?;
        // A person who lives again afterwards has come back in this chapter.
        after.tree.get(Category::Characters.as_str())?.get(id).and_then(death).map(|_| record)
    };
    let has_left =
        |id: &str| registry.retired.get(id).is_some_and(|last| last.is_none_or(|last| last < reading.of.chapter));
    presence::present(reading, |id| dead(id).is_some() || has_left(id))
        .into_iter()
        .filter_map(|(id, at)| {
            let person = registry.name(id).to_owned();
            let what = match dead(id) {
                Some(record) => Contradiction::Dead { person, record },
                None if has_left(id) => Contradiction::Retired { person },
                None => return None,
            };
            Some(reading.finding(what, at))
        })
        .collect()
}

/// The first mention of each person of another storyline.
pub(super) fn foreign(reading: &Reading<'_>, registry: &Registry) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    let named = reading.mentions.iter().filter_map(|mention| {
        let [id] = mention.ids.as_slice() else { return None };
        let line = reading.of.foreign.get(id)?;
        seen.insert(id.as_str()).then(|| {
            let what = Contradiction::Leak { person: registry.name(id).to_owned(), line: line.clone() };
            reading.finding(what, mention.range.start)
        })
    });
    named.collect()
}
