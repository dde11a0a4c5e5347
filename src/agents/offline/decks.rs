//! Drawing patterns so that neighbouring chapters have none in common.
//!
//! A pool is shuffled once for the book and dealt out into four hands; chapter N plays hand N mod 4, a revision the hand
//! two chapters on, which no neighbour holds. Only when a hand is empty are others drawn from, nearest last.
//!
//! Neighbours thus share next to nothing (under 1 % of their runs of eight characters), but a hand comes back every
//! fourth chapter: over twenty chapters about half of all runs have been seen. More patterns are the only cure.

use super::chance::{Chance, seed};
use super::patterns::pool;
use std::collections::BTreeMap;

const HANDS: usize = 4;

/// The patterns that one text draws from.
pub(super) struct Decks {
    book_seed: u64,
    hand: usize,
    piles: BTreeMap<String, Vec<&'static str>>,
}

impl Decks {
    /// The decks of a text that plays the given hand.
    pub(super) fn new(book_seed: u64, hand: usize) -> Self {
        Self { book_seed, hand, piles: BTreeMap::new() }
    }

    /// How many patterns of the pool are left in the text's own hand or beyond it.
    fn pile(&mut self, name: &str, chance: &mut Chance) -> &mut Vec<&'static str> {
        let (book_seed, hand) = (self.book_seed, self.hand);
        self.piles.entry(name.to_owned()).or_insert_with(|| {
            let mut all = pool(name).to_vec();
            Chance::new(book_seed ^ seed(&[name])).shuffle(&mut all);
            // Dealt so that the last of the pile is drawn first: own hand, then the one two on, then the neighbours'.
            let mut pile = Vec::new();
            for distance in [3, 1, 2, 0] {
                let wanted = (hand + distance) % HANDS;
                let mut dealt: Vec<&str> = (wanted..all.len()).step_by(HANDS).map(|at| all[at]).collect();
                chance.shuffle(&mut dealt);
                pile.append(&mut dealt);
            }
            pile
        })
    }

    /// The next pattern of the pool; `None` when all are spent.
    pub(super) fn draw(&mut self, name: &str, chance: &mut Chance) -> Option<&'static str> {
        self.pile(name, chance).pop()
    }

    /// How much of the pool is left that no neighbouring chapter draws, in hundredths of the pool.
    pub(super) fn left(&mut self, name: &str, chance: &mut Chance) -> usize {
        let length = pool(name).len();
        let hand = self.hand;
        let of_neighbours: usize =
            [1, 3].iter().map(|distance| (length + HANDS - 1 - (hand + distance) % HANDS) / HANDS).sum();
        self.pile(name, chance).len().saturating_sub(of_neighbours) * 100 / length.max(1)
    }

    /// How many patterns of the pool are left, neighbours' included.
    pub(super) fn len(&mut self, name: &str, chance: &mut Chance) -> usize {
        self.pile(name, chance).len()
    }
}
