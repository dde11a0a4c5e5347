//! The part of the state around a chapter, one fact a line, in the words of operations: `path = value`.

use crate::agents::context::PartLimits;
use crate::agents::prelude::*;
use crate::domain::notation::plain;
use crate::domain::state::StatePath;

/// Further world facts are left out, the oldest first.
const MAX_WORLD: usize = 20;
/// Relationships in words, by the lower end of their range; see
/// [`MAX_RELATIONSHIP`](crate::domain::state::MAX_RELATIONSHIP).
const RELATIONSHIPS: [(f64, &str); 7] = [
    (60.0, "生死相托"),
    (20.0, "信得过"),
    (1.0, "略有好感"),
    (0.0, "谈不上亲疏"),
    (-19.0, "心有芥蒂"),
    (-59.0, "敌视"),
    (f64::NEG_INFINITY, "势不两立"),
];
const MAX_VALUE: usize = 80;

/// The world's time and events, facts about these people, and the places, things and groups named by the plan, the
/// `text` or these people's facts.
pub(crate) fn state(context: &ChapterContext, people: &[&Character], text: &str, extent: &PartLimits) -> String {
    let tree = &context.state.tree;
    let mut facts = Vec::new();
    if let Some(world) = tree.get(Category::WorldState.as_str()) {
        flatten(Category::WorldState.as_str(), world, &mut facts);
        facts.drain(..facts.len().saturating_sub(MAX_WORLD));
    }
    let known = tree.get(Category::Characters.as_str());
    let before = facts.len();
    for person in people {
        if let Some(value) = known.and_then(|known| known.get(person.id.as_str())) {
            flatten(&format!("{}.{}", Category::Characters, person.id), value, &mut facts);
        }
    }
    let names = format!("{}\n{text}\n{}", crate::agents::context::cast::plan_text(context), facts[before..].join("\n"));
    for category in [Category::Locations, Category::Items, Category::Factions] {
        for (key, value) in tree.get(category.as_str()).and_then(Value::as_object).into_iter().flatten() {
            let name = value.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
            if names.contains(key.as_str()) || name.is_some_and(|name| names.contains(name)) {
                flatten(&format!("{category}.{key}"), value, &mut facts);
            }
        }
    }
    facts.truncate(extent.facts);
    facts.join("\n")
}

fn flatten(path: &str, value: &Value, facts: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| flatten(&format!("{path}.{key}"), value, facts)),
        Value::Array(list) => {
            let entries: Vec<String> = list.iter().map(plain).collect();
            facts.push(format!("{path} = [{}]", clip_line(&entries.join("、"), MAX_VALUE)));
        }
        Value::Number(number) if is_relationship(path) => {
            let value = number.as_f64().unwrap_or_default();
            let words = RELATIONSHIPS.iter().find(|(from, _)| value >= *from).map_or("", |(_, words)| words);
            facts.push(format!("{path} = {number}（{words}）"));
        }
        single => facts.push(format!("{path} = {}", clip_line(&plain(single), MAX_VALUE))),
    }
}

fn is_relationship(path: &str) -> bool {
    path.parse().is_ok_and(|path: StatePath| path.is_relationship())
}
