//! A volume's plan as a whole: its checks and the derived chapter contracts (product document §5.3, §6.5.4, §6.6.2).

mod check;
mod derive;
mod flaw;

pub use flaw::Flaw;

use super::foreshadowing::{Ledger, Planned};
use super::outline::Outline;
use crate::domain::world::character::Character;
use crate::domain::world::contract::{ChapterContract, States};
use crate::domain::world::storyline::{Schedule, Storylines};
use crate::domain::{ChapterNo, Slug};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    pub outline: Outline,
    /// How the storylines share the chapters.
    pub schedule: Option<Schedule>,
    pub foreshadowing: Vec<Planned>,
    pub contracts: BTreeMap<ChapterNo, ChapterContract>,
}

impl Plan {
    fn chapters_on<'a>(&'a self, line: &'a Slug) -> impl Iterator<Item = ChapterNo> + 'a {
        self.outline.sections.iter().filter(move |section| section.storyline == *line).map(|section| section.chapter)
    }
}

/// The book before the volume, as the basis for checking a plan.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanBasis {
    pub first: u32,
    /// The number of chapters of the volume, if given.
    pub chapters: Option<u32>,
    pub storylines: Storylines,
    pub characters: Vec<Character>,
    pub ledger: Ledger,
    /// Facts left true by the last chapter of each line, one a line.
    pub standing: BTreeMap<Slug, Vec<String>>,
    pub last_on: BTreeMap<Slug, ChapterNo>,
    /// Place and mood of the characters in the state, by id.
    pub states: States,
    /// The status of each line by its memory, in one sentence.
    pub statuses: BTreeMap<Slug, String>,
    /// The last written chapter of each line, in a sentence or two.
    pub told: BTreeMap<Slug, String>,
    pub rules: BTreeSet<String>,
    /// The last accepted chapter: plantings up to it have happened, planned or not.
    pub written: u32,
    /// True when the book ends with the volume.
    pub closing: bool,
}

/// How many volumes back a plan looks for facts of a line.
pub const VOLUMES_BACK: usize = 3;

/// The facts left true by the last chapters of each line, by their contracts; the latest volume first.
pub fn left_standing<'p>(plans: impl Iterator<Item = &'p Plan>) -> BTreeMap<Slug, Vec<String>> {
    let mut standing = BTreeMap::new();
    for plan in plans.take(VOLUMES_BACK) {
        for section in plan.outline.sections.iter().rev() {
            let Some(contract) = plan.contracts.get(&section.chapter) else { continue };
            standing.entry(section.storyline.clone()).or_insert_with(|| contract.postconditions.clone());
        }
    }
    standing
}

/// The last chapters on each line; the latest volume first.
pub fn last_chapters<'p>(plans: impl Iterator<Item = &'p Plan>) -> BTreeMap<Slug, ChapterNo> {
    let mut last = BTreeMap::new();
    for section in plans.take(VOLUMES_BACK).flat_map(|plan| plan.outline.sections.iter().rev()) {
        last.entry(section.storyline.clone()).or_insert(section.chapter);
    }
    last
}

/// True for a field that means "none".
fn is_nothing(text: &str) -> bool {
    matches!(text.trim().trim_end_matches(['。', '.']), "" | "无" | "没有" | "暂无" | "none" | "None" | "-" | "—")
}

/// The facts of a field: its lines, split at semicolons.
fn facts_of(text: &str) -> Vec<String> {
    let parts = text
        .split(['\n', '；', ';'])
        .map(|part| part.trim().trim_start_matches(['-', '*', ' ']).trim_end_matches('。'));
    parts.filter(|part| !is_nothing(part)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
