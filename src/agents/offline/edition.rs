//! The texts that a chapter goes through, and how the judge tells them apart without being told.

use super::cut::sentences;
use super::patterns::expand;
use super::rota::{Props, Rota};
use super::scenario::Scenario;

/// Which of a chapter's texts this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edition {
    /// Whether the whole chapter was written again.
    pub(super) rewritten: bool,
    /// Revisions since then.
    pub(super) round: u32,
}

impl Edition {
    /// How many judgements came before this text: the place in a list of rehearsed scores.
    pub(super) fn index(self) -> usize {
        usize::from(self.rewritten) + self.round as usize
    }

    /// Every edition that is ever recognised.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let rounds = |rewritten| (0..6).map(move |round| Self { rewritten, round });
        rounds(false).chain(rounds(true))
    }

    /// A number of its own, for seeds.
    pub(super) fn salt(self) -> u64 {
        u64::from(self.round) * 2 + u64::from(self.rewritten)
    }

    /// The place in the schedule of patterns at which it stands apart from the other texts of its chapter.
    pub(super) fn shift(self, scenario: &Scenario) -> usize {
        self.salt() as usize + scenario.editions * 13
    }
}

/// The first paragraph of an edition. Each edition has its own, and nothing else changes it, so that it tells the
/// editions apart.
pub(super) fn opening(scenario: &Scenario, edition: Edition) -> String {
    let mut rota = Rota::new(scenario.book_seed, scenario.number, edition.shift(scenario));
    let name = if edition.index() == 0 { "opening" } else { "opening again" };
    let Some(turn) = rota.draw(name, 1) else { return format!("{}到了{}。", scenario.pov.name, scenario.place) };
    let mut props = Props::new(scenario.age, scenario.book_seed, turn);
    let choice = props.choice();
    expand(turn.pattern, choice, &mut |slot| scenario.slot(slot, scenario.partner(0), &mut props))
}

/// The edition that a text is, told by its opening; `None` when it is not one of the offline writer's.
pub(super) fn edition_of(scenario: &Scenario, text: &str) -> Option<Edition> {
    Edition::all().find(|edition| {
        let first = opening(scenario, *edition);
        sentences(&first).first().is_some_and(|sentence| text.contains(sentence))
    })
}
