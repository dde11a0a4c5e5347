//! Titles of chapters that repeat an earlier one, or nearly.

use super::{Contradiction, Finding, Reading};
use crate::domain::ChapterNo;
use std::collections::BTreeMap;

/// A title that differs in one character is looked for in so many chapters back; an equal one in the whole book.
const NEAR: u32 = 100;
/// Shorter titles that differ in one character are different words.
const SHORTEST: usize = 4;
/// Characters that number the parts of one story: 夜雨（上）, 三探水牢.
const COUNTERS: &str = "上中下前后初再又零一二三四五六七八九十百首终续";

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Titles(BTreeMap<ChapterNo, String>);

impl Titles {
    pub(crate) const NONE: Self = Self(BTreeMap::new());

    pub fn note(&mut self, chapter: ChapterNo, title: &str) {
        self.0.insert(chapter, title.trim().to_owned());
    }

    /// The earlier chapter with an equal title, or among the last hundred one that differs in a character; with its
    /// title.
    #[must_use]
    pub fn like(&self, chapter: ChapterNo, title: &str) -> Option<(ChapterNo, &str)> {
        let letters = letters(title);
        let others = || self.0.iter().filter(|(other, known)| **other < chapter && !known.is_empty());
        let is_near = |other: ChapterNo| other.get() + NEAR >= chapter.get();
        let same = others().find(|(_, known)| self::letters(known) == letters);
        let near =
            || others().rfind(|(other, known)| is_near(**other) && differ_by_one(&letters, &self::letters(known)));
        let (other, known) = same.or_else(near).filter(|_| !letters.is_empty())?;
        Some((*other, known))
    }

    /// The finding about the title of a chapter, which is then remembered.
    pub(super) fn again(&mut self, reading: &Reading<'_>) -> Option<Finding> {
        let (chapter, title) = (reading.of.chapter, reading.of.title.trim());
        let what = self
            .like(chapter, title)
            .map(|(other, known)| Contradiction::Title { chapter: other, title: known.to_owned() });
        self.note(chapter, title);
        Some(Finding { chapter, what: what?, quotation: title.to_owned() })
    }
}

/// The characters of a title without marks and spaces.
fn letters(title: &str) -> Vec<char> {
    title.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// True when two titles differ in one character that is not a counter.
fn differ_by_one(a: &[char], b: &[char]) -> bool {
    let is_counter = |c: &char| COUNTERS.contains(*c) || c.is_ascii_digit();
    let ends = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let back = a[ends..].iter().rev().zip(b[ends..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (own, other) = (&a[ends..a.len() - back], &b[ends..b.len() - back]);
    let shorter = a.len().min(b.len());
    let counts = own.iter().chain(other).any(is_counter);
    shorter >= SHORTEST && own.len() <= 1 && other.len() <= 1 && !counts
}
