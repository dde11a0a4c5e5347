//! The places of people, by the state and by the text.
//! The people who speak and act in a chapter, and whether they can.

use crate::domain::state::{Category, State};
use crate::text::consistency::{ChapterReading, Contradiction, Inconsistency, Registry, presence};
use serde_json::Value;
use std::collections::BTreeSet;

/// Words between a name and the place where that person is.
const IS_AT: [&str; 16] = [
    "正坐在",
    "正站在",
    "独自坐在",
    "一个人坐在",
    "坐在",
    "站在",
    "躺在",
    "蹲在",
    "跪在",
    "靠在",
    "守在",
    "待在",
    "等在",
    "躲在",
    "正在",
    "在",
];
/// Characters of a sentence that tells of a way, or of passing time.
const WAY: &str = "到回去来走赶进出离过奔逃跑抵返入迁搬送带押醒";
/// Words that let time pass.
const TIME_PASSES: [&str; 14] = [
    "第二天",
    "次日",
    "翌日",
    "隔天",
    "隔日",
    "当晚",
    "天后",
    "日后",
    "月后",
    "年后",
    "时辰后",
    "小时后",
    "之后",
    "后来",
];

/// Shorter names of places, in characters, are not told from other words.
const SHORTEST: usize = 2;

fn location<'s>(state: &'s State, id: &str) -> Option<&'s str> {
    state.tree.get(Category::Characters.as_str())?.get(id)?.get("location")?.as_str().filter(|place| !place.is_empty())
}

fn places(state: &State) -> BTreeSet<&str> {
    let people = state.entities(Category::Characters).filter_map(|(id, _)| location(state, id));
    let listed = state.entities(Category::Locations).map(|(id, _)| state.display_name(Category::Locations, id));
    people.chain(listed).filter(|place| place.chars().count() >= SHORTEST).collect()
}

/// People who are first seen at another place than the records have before and after the chapter, with no way told.
pub(super) fn elsewhere(reading: &ChapterReading<'_>, registry: &Registry) -> Vec<Inconsistency> {
    let (before, after) = (reading.of.before, reading.of.after);
    let places: BTreeSet<&str> = places(before).into_iter().chain(self::places(after)).collect();
    let mut seen = BTreeSet::new();
    let mut findings = Vec::new();
    for mention in reading.mentions.iter().filter(|mention| mention.ids.len() == 1) {
        let (id, at) = (mention.ids[0].as_str(), mention.range.start);
        let Some(was) = location(before, id).filter(|_| registry.people.contains(id)) else { continue };
        let rest = &reading.of.text[mention.range.end..];
        let is_at = IS_AT.iter().find_map(|words| rest.strip_prefix(words));
        let place =
            is_at.and_then(|rest| places.iter().filter(|place| rest.starts_with(**place)).max_by_key(|p| p.len()));
        let Some(is) = place.filter(|_| !reading.is_spoken(at) && seen.insert(id)) else { continue };
        let is_same = |place: &str| shares_a_pair(place, is);
        let moved = location(after, id).is_some_and(is_same);
        if is_same(was) || moved || reading.is_of_another_time(at) || tells_a_way(reading, at) {
            continue;
        }
        let what =
            Contradiction::Place { person: registry.name(id).to_owned(), was: was.to_owned(), is: (*is).to_owned() };
        findings.push(reading.finding(what, at));
    }
    findings
}

/// True when two names of places have two characters in a row in common, so that one place may be part of the other.
fn shares_a_pair(one: &str, other: &str) -> bool {
    let letters: Vec<char> = one.chars().collect();
    letters.windows(2).any(|pair| other.contains(&pair.iter().collect::<String>()))
}

/// True when the text up to a byte lets time pass or tells of a way.
fn tells_a_way(reading: &ChapterReading<'_>, at: usize) -> bool {
    let told = &reading.of.text[..at];
    TIME_PASSES.iter().any(|words| told.contains(words)) || told.contains(|c| WAY.contains(c))
}

/// Fields of a person's state that may tell of death.
const LIFE: [&str; 6] = ["status", "state", "health", "condition", "life", "alive"];
/// Words of such a field that mean death.
const DEATH: [&str; 12] = ["死", "亡", "身故", "去世", "过世", "毙命", "殒", "殉", "遇害", "牺牲", "dead", "deceased"];
/// Words that contain one of [`DEATH`] and mean life.
const ALIVE: [&str; 9] = ["未死", "没死", "假死", "濒死", "生死", "不死", "诈死", "装死", "流亡"];

/// The state's words for a person's death; `None` for the living.
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
pub(super) fn acting_without(reading: &ChapterReading<'_>, registry: &Registry) -> Vec<Inconsistency> {
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
pub(super) fn foreign(reading: &ChapterReading<'_>, registry: &Registry) -> Vec<Inconsistency> {
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
