//! The schedule of a book: which patterns and words a chapter takes, so that those used lately do not come again.
//!
//! Nothing is looked up for it. A book goes through each pool in an order of its own; chapter N begins at N times the number
//! of patterns that a chapter may take, and each time round a pattern takes the next choice and the next word of every
//! slot. A chapter that is written twice is thus the same, and a chapter of a long book costs no more than the first.

use super::age::{Age, words};
use super::chance::{Chance, seed};
use super::patterns::in_book_order;
use std::collections::BTreeMap;

/// The place of one text in the schedule of its book.
pub(super) struct Rota {
    book_seed: u64,
    chapter: usize,
    /// Apart from 0 for texts that replace another one of the same chapter.
    shift: usize,
    pools: BTreeMap<String, (Vec<&'static str>, usize)>,
}

/// A pattern whose turn it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    pub(super) pattern: &'static str,
    /// How often the book has been through the pool.
    pub(super) round: usize,
}

impl Rota {
    /// The schedule of a chapter; `shift` tells the texts of one chapter apart.
    pub(super) fn new(book_seed: u64, chapter: u32, shift: usize) -> Self {
        Self { book_seed, chapter: chapter as usize, shift, pools: BTreeMap::new() }
    }

    /// The next pattern of a pool of which each chapter may take `share`; beyond that it borrows from later chapters, with
    /// other words. `None` for an empty pool.
    pub(super) fn draw(&mut self, name: &str, share: usize) -> Option<Turn> {
        let book_seed = self.book_seed;
        let (order, drawn) = self.pools.entry(name.to_owned()).or_insert_with(|| (in_book_order(name, book_seed), 0));
        let length = order.len();
        let place = self.chapter * share + *drawn + self.shift * (length / 3 + 1);
        let borrowed = *drawn / share.max(1);
        *drawn += 1;
        let pattern = *order.get(place.checked_rem(length)?)?;
        Some(Turn { pattern, round: place / length + self.shift * 11 + borrowed * 5 })
    }

    /// Leaves only the patterns of a pool that pass.
    pub(super) fn keep(&mut self, name: &str, passes: impl Fn(&str) -> bool) {
        let order = in_book_order(name, self.book_seed).into_iter().filter(|pattern| passes(pattern)).collect();
        self.pools.insert(name.to_owned(), (order, 0));
    }

    /// How many patterns of a pool this text has taken.
    pub(super) fn drawn(&self, name: &str) -> usize {
        self.pools.get(name).map_or(0, |(_, drawn)| *drawn)
    }
}

/// The words that the slots of one pattern take in one round.
pub(super) struct Props {
    age: Age,
    start: usize,
    uses: usize,
    /// The words that stay the same, where the pattern is a conversation or a scene.
    kept: Option<BTreeMap<String, &'static str>>,
    /// The place of the next gesture in its list.
    gestures: usize,
}

/// Slots that differ within a scene as well: how people stand, speak and count.
const FLEETING: [&str; 5] = [GESTURE, "语", "久", "数", "序"];
/// The slot for what people do with their hands and faces meanwhile.
const GESTURE: &str = "身";

impl Props {
    /// The words of a pattern in a round.
    pub(super) fn new(age: Age, book_seed: u64, turn: Turn) -> Self {
        let start = Chance::new(book_seed ^ seed(&[turn.pattern])).below(4096) + turn.round;
        let kept = turn.pattern.contains(" / ").then(BTreeMap::new);
        Self { age, start, uses: 0, kept, gestures: start }
    }

    /// Counts gestures on from `used` instead, so that a chapter has each only once.
    pub(super) fn gestures_from(mut self, used: usize) -> Self {
        self.gestures = used;
        self
    }

    /// How many gestures have been counted.
    pub(super) fn gestures(&self) -> usize {
        self.gestures
    }

    /// Which place of its choices the pattern takes.
    pub(super) fn choice(&self) -> usize {
        self.start
    }

    /// The word for a slot. In a conversation a thing stays what it is; else several slots of one name get different words.
    pub(super) fn word(&mut self, slot: &str) -> &'static str {
        if let Some(known) = self.kept.as_ref().and_then(|kept| kept.get(slot)) {
            return known;
        }
        let list = words(slot, self.age);
        let at = if slot == GESTURE { self.gestures } else { self.start + self.uses * 5 + slot.len() };
        self.gestures += usize::from(slot == GESTURE);
        self.uses += 1;
        let word = list.get(at % list.len().max(1)).copied().unwrap_or("什么");
        if let Some(kept) = self.kept.as_mut().filter(|_| !FLEETING.contains(&slot)) {
            kept.insert(slot.to_owned(), word);
        }
        word
    }
}
