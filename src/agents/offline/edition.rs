//! The texts that a chapter goes through, and how the judge tells them apart without being told.

use super::chance::{Chance, seed};
use super::cut::sentences;
use super::patterns::{expand, pool, turn_of_pattern};
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

    /// Which place of a pattern's choices it takes: a rewrite the other one than the draft, so that they differ even
    /// where both come to the same pattern.
    pub(super) fn turn(self, scenario: &Scenario, pattern: &str) -> usize {
        turn_of_pattern(scenario.seed, pattern) + usize::from(self.rewritten) + self.round as usize
    }

    /// Which hand of patterns it plays: neighbours of a chapter hold the next and the previous one, so a text that
    /// replaces another takes the opposite one.
    pub(super) fn hand(self, number: u32) -> usize {
        number as usize + if (self.round + u32::from(self.rewritten)) % 2 == 1 { 2 } else { 0 }
    }
}

/// The first paragraph of an edition. Each edition has its own, and nothing else changes it, so that it tells the
/// editions apart.
pub(super) fn opening(scenario: &Scenario, edition: Edition) -> String {
    let mood = format!("opening {}", scenario.mood.name());
    let number = scenario.number as usize + edition.salt() as usize * 5;
    let (name, turn) = if number.is_multiple_of(3) { (mood.as_str(), number / 3) } else { ("opening", number) };
    let mut order = pool(name).to_vec();
    Chance::new(scenario.book_seed ^ seed(&[name])).shuffle(&mut order);
    let pattern = order.get(turn % order.len().max(1)).copied().unwrap_or("[日]，[主]到了[地]。");
    let mut chance = Chance::new(scenario.seed ^ seed(&["opening"]) ^ edition.salt());
    let (partner, third) = (scenario.partner(0), scenario.partner(1));
    expand(pattern, edition.turn(scenario, pattern), &mut chance, &mut |slot, chance| {
        scenario.slot(slot, partner, third, chance)
    })
}

/// The edition that a text is, told by its opening; `None` when somebody wrote another one.
pub(super) fn edition_of(scenario: &Scenario, text: &str) -> Option<Edition> {
    Edition::all().find(|edition| {
        let first = opening(scenario, *edition);
        sentences(&first).first().is_some_and(|sentence| text.contains(sentence))
    })
}
