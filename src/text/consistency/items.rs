//! The owners of items, by the state and by the text.

use super::numeral::number_before;
use super::people::death;
use super::presence::present;
use super::{Contradiction, Examined, Finding, Reading, Registry, Sort, Weight};
use crate::domain::state::{Category, State};
use crate::domain::{ChapterNo, Slug};
use std::collections::{BTreeMap, BTreeSet};

/// Words with which a person brings out an item.
const BRINGS_OUT: [&str; 16] = [
    "掏出", "摸出", "取出", "拿出", "亮出", "抽出", "举起", "捧出", "解下", "递出", "翻出", "拔出", "握着", "握紧",
    "攥着", "攥紧",
];
/// Shorter names, in characters, are not told from other words: money and tea are in everybody's hands.
const SHORTEST: usize = 3;

fn held(state: &State) -> BTreeMap<&str, BTreeSet<&str>> {
    let people = state.entities(Category::Characters);
    people
        .filter_map(|(id, fields)| {
            let list = fields.get("inventory")?.as_array()?;
            Some((id, list.iter().filter_map(|item| item.as_str()).collect()))
        })
        .collect()
}

fn owner_of<'a>(held: &BTreeMap<&'a str, BTreeSet<&str>>, item: &str) -> Option<&'a str> {
    held.iter().find(|(_, items)| items.contains(item)).map(|(id, _)| *id)
}

/// The noun at the end of an item's name, by which the text calls the item: 录音笔 of 贴着胶布的录音笔.
fn noun(item: &str) -> &str {
    let last = item.rsplit('的').next().unwrap_or(item);
    if last.chars().count() >= SHORTEST { last } else { item }
}

/// The items that two people hold, each with the first two of them.
pub(super) fn shared(state: &State) -> BTreeMap<String, (String, String)> {
    let held = held(state);
    let mut pairs = BTreeMap::new();
    for (id, items) in &held {
        for item in items.iter().filter(|item| item.chars().count() >= SHORTEST) {
            let other = held.iter().find(|(other, items)| *other > id && items.contains(item));
            pairs.extend(other.map(|(other, _)| ((*item).to_owned(), ((*id).to_owned(), (*other).to_owned()))));
        }
    }
    pairs
}

/// Items that two people hold after the chapter, and did not hold before it.
pub(super) fn two_owners(reading: &Reading<'_>) -> Vec<Finding> {
    let of = &reading.of;
    let known = shared(of.before);
    let new = shared(of.after).into_iter().filter(|(item, _)| !known.contains_key(item));
    new.map(|(item, (one, other))| {
        let name = |id: &str| of.after.display_name(Category::Characters, id).to_owned();
        let at = of.text.rfind(noun(&item)).unwrap_or(of.text.len());
        reading.finding(Contradiction::TwoOwners { item, owners: (name(&one), name(&other)) }, at)
    })
    .collect()
}

/// Items that a person brings out without holding them before or receiving them in the chapter.
pub(super) fn not_held(reading: &Reading<'_>, registry: &Registry, gone: &mut BTreeSet<String>) -> Vec<Finding> {
    let (before, after) = (held(reading.of.before), held(reading.of.after));
    let items: BTreeSet<&str> = before.values().flatten().copied().chain(gone.iter().map(String::as_str)).collect();
    let mut findings = Vec::new();
    for item in items.into_iter().filter(|item| item.chars().count() >= SHORTEST) {
        let Some((id, at)) = brought_out(reading, noun(item)) else { continue };
        let has = |held: &BTreeMap<&str, BTreeSet<&str>>| held.get(id).is_some_and(|items| items.contains(item));
        let changes_hands = owner_of(&before, item) != owner_of(&after, item);
        if has(&before) || has(&after) || changes_hands {
            continue;
        }
        let owner = owner_of(&before, item).map(|owner| registry.name(owner).to_owned());
        let (person, item) = (registry.name(id).to_owned(), item.to_owned());
        findings.push(reading.finding(Contradiction::NotHeld { person, item, owner }, at));
    }
    let lost = before.values().flatten().filter(|item| owner_of(&after, item).is_none());
    gone.extend(lost.map(|item| (*item).to_owned()));
    gone.retain(|item| owner_of(&after, item).is_none());
    findings
}

/// Words before the number of what is left or there.
const THERE_ARE: [&str; 10] = ["还剩下", "只剩下", "还剩", "只剩", "剩下", "剩", "还有", "只有", "共有", "统共"];
/// Measure words between a number and an item.
const MEASURE_WORDS: &str = "枚颗张块把支本个只文锭粒瓶箱份匹条封卷株道";

/// Items whose number in the text differs from the records. Any number may be told in a chapter that changes it.
pub(super) fn counted(reading: &Reading<'_>, registry: &Registry) -> Vec<Finding> {
    let number = |state: &State, id: &str| state.tree.get(Category::Items.as_str())?.get(id)?.get("count")?.as_u64();
    let mut seen = BTreeSet::new();
    let found = reading.mentions.iter().filter_map(|mention| {
        let [id] = mention.ids.as_slice() else { return None };
        let recorded = number(reading.of.before, id)?;
        let at = mention.range.start;
        let clause = &reading.of.text[..at];
        let clause = clause.strip_suffix(|c| MEASURE_WORDS.contains(c)).unwrap_or(clause);
        let (is, start) = number_before(clause)?;
        let is_said = THERE_ARE.iter().any(|words| clause[..start].ends_with(words));
        let stays = number(reading.of.after, id) == Some(recorded);
        if is == recorded || !stays || !is_said || reading.is_spoken(at) || !seen.insert(id) {
            return None;
        }
        let what = Contradiction::Count { item: registry.name(id).to_owned(), recorded, is };
        Some(reading.finding(what, at))
    });
    found.collect()
}

/// The last name before the verb that brings the item out, in a sentence with the item, and the place of the verb.
fn brought_out<'a>(reading: &'a Reading<'_>, item: &str) -> Option<(&'a str, usize)> {
    reading.sentences().iter().find_map(|sentence| {
        let place = sentence.raw.find(item)?;
        let verb = BRINGS_OUT.iter().filter_map(|verb| sentence.raw[..place].rfind(verb)).max()?;
        let (verb, end) = (sentence.start + verb, sentence.start + place);
        if reading.is_spoken(verb) {
            return None;
        }
        let subject = reading.mentions.iter().rfind(|m| m.range.start >= sentence.start && m.range.end <= verb)?;
        let [id] = subject.ids.as_slice() else { return None };
        // Another person's item has that name between verb and item: 掏出林枫的密信.
        let is_anothers = reading.mentions.iter().any(|m| m.range.start > verb && m.range.end <= end);
        (!is_anothers && !reading.is_spoken(subject.range.start)).then_some((id.as_str(), verb))
    })
}

/// The part of a state that certain contradictions follow from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Conflicting {
    /// Items that two people hold.
    shared: BTreeSet<String>,
    dead: BTreeSet<String>,
}

impl Conflicting {
    #[must_use]
    pub fn of(state: &State) -> Self {
        let people = state.entities(Category::Characters);
        Self {
            shared: shared(state).into_keys().collect(),
            dead: people.filter(|(_, fields)| death(fields).is_some()).map(|(id, _)| id.to_owned()).collect(),
        }
    }

    /// Returns the sort and the subject of each contradiction of a chapter on `storyline` between the states `self` and
    /// `after`. The `text` is read only where the dead may act in it.
    pub fn conflicts<E>(
        &self,
        after: &Self,
        (chapter, storyline): (ChapterNo, &Slug),
        registry: &Registry,
        text: impl FnOnce() -> Result<String, E>,
    ) -> Result<Vec<(Sort, String)>, E> {
        let mut found: Vec<(Sort, String)> =
            after.shared.difference(&self.shared).map(|item| (Sort::TwoOwners, item.clone())).collect();
        // A person who lives again afterwards has come back in this chapter.
        let dead: BTreeSet<&str> = self.dead.intersection(&after.dead).map(String::as_str).collect();
        if !dead.is_empty() {
            let text = text()?;
            if registry.index.names_one_of(&text, &dead) {
                let (none, no_people, nobody) = (State::default(), BTreeMap::new(), BTreeSet::new());
                let reading = Reading::of(
                    Examined {
                        chapter,
                        title: "",
                        text: &text,
                        storyline,
                        before: &none,
                        after: &none,
                        foreign: &no_people,
                        expected: &nobody,
                        undone: &[],
                    },
                    registry,
                );
                let dead = present(&reading, |id| dead.contains(id)).into_iter();
                found.extend(dead.map(|(id, _)| (Sort::Dead, registry.name(id).to_owned())));
            }
        }
        debug_assert!(found.iter().all(|(sort, _)| sort.weight() == Weight::Conflict));
        Ok(found)
    }
}
