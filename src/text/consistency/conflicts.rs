//! The certain contradictions by sort and subject, without doubts and sentences: enough to count them over a whole
//! book. Most chapters are decided by the records alone.

use super::people::death;
use super::presence::present;
use super::{Examined, Reading, Registry, Sort, Weight, items};
use crate::domain::state::{Category, State};
use crate::domain::{ChapterNo, Slug};
use std::collections::{BTreeMap, BTreeSet};

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
            shared: items::shared(state).into_keys().collect(),
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
