//! The planning agents' replies: a world, a theme, people, a storyline, a volume's schedule and its chapters, and its review.
//!
//! A schedule and the outline that follows it are made in separate calls. Both ask [`weave`] which line a chapter is on, and
//! it gives the same answer whenever the same chapters stand already, so that batches of an outline fit together.

mod amend;
mod brief;
mod cast;
mod fill;
mod line;
mod outline;
mod review;
mod schedule;
mod theme;
mod threads;
mod weave;
mod world;

pub(super) use amend::amend;
pub(super) use cast::cast;
pub(super) use fill::fill;
pub(super) use line::line;
pub(super) use outline::outline;
pub(super) use review::review;
pub(super) use schedule::schedule;
pub(super) use theme::theme;
pub(super) use world::world;

use super::age::{Age, words};
use super::chance::{Chance, seed};
use super::patterns::{expand, pool};
use crate::agents::planners::context::PlanningContext;
use crate::domain::world::character::Character;

/// The line of a book that has none yet.
const MAIN_LINE: &str = "main-arc";

/// How much further on a walk through a pool begins than the one before it.
const STRIDE: usize = 1;

/// The book and the seed that every planner draws with.
struct Desk<'a> {
    context: &'a PlanningContext,
    age: Age,
    seed: u64,
}

impl<'a> Desk<'a> {
    fn new(context: &'a PlanningContext) -> Self {
        Self { context, age: Age::of(&context.config), seed: seed(&[&context.config.title, &context.config.genre]) }
    }

    /// The pool in the book's own order.
    fn shuffled(&self, name: &str, mut list: Vec<&'static str>) -> Vec<&'static str> {
        Chance::new(self.seed ^ seed(&[name])).shuffle(&mut list);
        list
    }

    /// The `turn`-th entry of a pool in the book's own order, so that neighbouring turns have different ones.
    fn deal(&self, name: &str, turn: usize) -> &'static str {
        nth(&self.shuffled(name, pool(name).to_vec()), turn)
    }

    /// Takes an entry of the pool that the book's age has.
    fn deal_aged(&self, name: &str, turn: usize) -> &'static str {
        self.deal(&self.aged(name), turn)
    }

    /// Takes an entry of a pool whose lines are words between bars.
    fn word(&self, name: &str, turn: usize) -> &'static str {
        nth(&self.shuffled(name, split(name)), turn)
    }

    fn word_aged(&self, name: &str, turn: usize) -> &'static str {
        self.word(&self.aged(name), turn)
    }

    /// The entry of a pool for a chapter. Each walk through the pool begins elsewhere, so that two pools do not keep
    /// meeting at the same entries.
    fn walk(&self, name: &str, turn: usize) -> &'static str {
        let list = self.shuffled(name, split(name));
        nth(&list, turn + turn / list.len().max(1) * STRIDE)
    }

    fn aged(&self, name: &str) -> String {
        format!("{name} {}", self.age.name())
    }

    /// Writes a pattern out with these words in its slots; what is not among them is drawn from the props.
    fn fill(&self, pattern: &str, turn: usize, slots: &[(&str, &str)]) -> String {
        let mut chance = Chance::new(self.seed ^ seed(&[pattern, &turn.to_string()]));
        let mut slot = |name: &str| {
            let own = slots.iter().find(|(slot, _)| *slot == name).map(|(_, words)| (*words).to_owned());
            own.unwrap_or_else(|| chance.pick(&words(name, self.age)).copied().unwrap_or("什么").to_owned())
        };
        one_field(&expand(pattern, turn, &mut slot))
    }

    /// The main character's name: as the book has it, as the brief begins with it, or an invented one.
    fn protagonist(&self) -> String {
        let lead = self.context.characters.iter().find(|person| person.role.contains("protagonist"));
        let lead = lead.or_else(|| self.context.characters.first()).map(|person| person.display_name.clone());
        let written = || brief::section(&self.context.brief, "主角").and_then(|text| cast::leading_name(&text));
        lead.filter(|name| !name.trim().is_empty())
            .or_else(written)
            .unwrap_or_else(|| self.deal("plan name", 0).split(' ').next().unwrap_or("沈渡").to_owned())
    }

    /// The character that the words mean: by id, name or alias.
    fn person(&self, words: &str) -> Option<&'a Character> {
        self.context.characters.iter().find(|person| person.is_called(words))
    }
}

fn nth(list: &[&'static str], turn: usize) -> &'static str {
    list.get(turn % list.len().max(1)).copied().unwrap_or_default()
}

/// All words of a pool whose lines stand between bars; of other pools, the lines.
fn split(name: &str) -> Vec<&'static str> {
    pool(name).iter().flat_map(|line| line.split('|')).collect()
}

/// One line without the mark that separates entries of an outline's field.
fn one_field(text: &str) -> String {
    text.split(['\n', '；', ';']).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("，")
}

fn steps(pattern: &'static str) -> Vec<&'static str> {
    pattern.split(" >> ").map(str::trim).collect()
}

/// The first `limit` characters.
fn first_chars(text: &str, limit: usize) -> String {
    text.chars().take(limit).collect()
}

#[cfg(test)]
mod tests;
