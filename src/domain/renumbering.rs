//! Chapters that get other numbers because one is inserted, moved, split, merged or removed.

use super::ChapterNo;
use serde::{Serialize, Serializer};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renumbering {
    /// A new chapter takes the number.
    Insert(ChapterNo),
    /// To another number, or with the same one to another volume.
    Move { from: ChapterNo, to: ChapterNo },
    /// The second part of the chapter becomes the chapter after it.
    Split(ChapterNo),
    /// The chapter after this one becomes its second part.
    Merge(ChapterNo),
    /// A chapter leaves the book, and the later ones move up.
    Remove(ChapterNo),
}

impl Renumbering {
    /// The new number of a chapter; `None` for a chapter that is removed, or merged into another.
    pub fn of(self, chapter: ChapterNo) -> Option<ChapterNo> {
        match self {
            Self::Remove(at) if chapter == at => None,
            Self::Merge(at) if chapter == at.next() => None,
            _ => ChapterNo::new(self.refers(chapter.get())),
        }
    }

    /// The number of a chapter after several operations, of which the newest comes first.
    pub fn of_all(newest_first: &[Self], chapter: ChapterNo) -> Option<ChapterNo> {
        newest_first.iter().rev().try_fold(chapter, |number, how| how.of(number))
    }

    /// The number by which a chapter is referred to now. The chapter after a removed one takes its place.
    pub fn refers(self, n: u32) -> u32 {
        match self {
            Self::Insert(at) if n >= at.get() => n + 1,
            Self::Split(at) if n > at.get() => n + 1,
            Self::Merge(at) if n > at.get() => n - 1,
            Self::Remove(at) if n > at.get() => n - 1,
            Self::Move { from, to } if n == from.get() => to.get(),
            Self::Move { from, to } if (from.get()..=to.get()).contains(&n) => n - 1,
            Self::Move { from, to } if (to.get()..=from.get()).contains(&n) => n + 1,
            _ => n,
        }
    }

    /// The range of chapters with its new ends. A longer range does not follow a chapter that moves out of it.
    pub fn range(self, chapters: RangeInclusive<u32>) -> RangeInclusive<u32> {
        let (first, last) = chapters.into_inner();
        let moved = match self {
            Self::Move { from, to } if first < last && from != to => Some(from.get()),
            _ => None,
        };
        let [low, high] = [first, last].map(|n| if moved == Some(n) { None } else { Some(self.refers(n)) });
        let low = low.unwrap_or_else(|| self.refers(first + 1));
        low..=high.unwrap_or_else(|| self.refers(last - 1)).max(low)
    }

    /// The number that a chapter had before; `None` for a text that was no chapter of its own.
    pub fn before(self, chapter: ChapterNo) -> Option<ChapterNo> {
        self.inverse().of(chapter)
    }

    /// The operation that takes this one back.
    #[must_use]
    pub fn inverse(self) -> Self {
        match self {
            Self::Insert(at) => Self::Remove(at),
            Self::Remove(at) => Self::Insert(at),
            Self::Split(at) => Self::Merge(at),
            Self::Merge(at) => Self::Split(at),
            Self::Move { from, to } => Self::Move { from: to, to: from },
        }
    }

    /// The number under which a chapter's draft goes on; `None` where the chapter is gone or has become another text.
    pub fn of_draft(self, chapter: ChapterNo) -> Option<ChapterNo> {
        match self {
            Self::Split(at) | Self::Merge(at) if chapter == at => None,
            _ => self.of(chapter),
        }
    }

    /// The first chapter that is another one now.
    pub fn first(self) -> ChapterNo {
        match self {
            Self::Insert(at) | Self::Split(at) | Self::Merge(at) | Self::Remove(at) => at,
            Self::Move { from, to } => from.min(to),
        }
    }
}

impl fmt::Display for Renumbering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Insert(at) => write!(f, "insert {}", at.get()),
            Self::Move { from, to } => write!(f, "move {} {}", from.get(), to.get()),
            Self::Split(at) => write!(f, "split {}", at.get()),
            Self::Merge(at) => write!(f, "merge {}", at.get()),
            Self::Remove(at) => write!(f, "remove {}", at.get()),
        }
    }
}

/// As `novel chapter` takes the operation: `move 5 2`.
impl Serialize for Renumbering {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl FromStr for Renumbering {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split_whitespace().collect();
        let number = |at: usize| parts.get(at).and_then(|part| part.parse().ok()).ok_or_else(|| text.to_owned());
        Ok(match parts.first() {
            Some(&"insert") => Self::Insert(number(1)?),
            Some(&"move") => Self::Move { from: number(1)?, to: number(2)? },
            Some(&"split") => Self::Split(number(1)?),
            Some(&"merge") => Self::Merge(number(1)?),
            Some(&"remove") => Self::Remove(number(1)?),
            _ => return Err(text.to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn chapter() -> impl Strategy<Value = ChapterNo> {
        (1u32..40).prop_map(|n| ChapterNo::new(n).unwrap())
    }

    pub(crate) fn any() -> impl Strategy<Value = Renumbering> {
        prop_oneof![
            chapter().prop_map(Renumbering::Insert),
            chapter().prop_map(Renumbering::Split),
            chapter().prop_map(Renumbering::Merge),
            chapter().prop_map(Renumbering::Remove),
            (chapter(), chapter()).prop_map(|(from, to)| Renumbering::Move { from, to }),
        ]
    }

    proptest! {
        #[test]
        fn no_two_chapters_get_one_number_and_each_is_found_again(how in any(), last in 1u32..50) {
            let mut taken = std::collections::BTreeSet::new();
            for chapter in (1..=last).filter_map(ChapterNo::new) {
                let Some(new) = how.of(chapter) else { continue };
                prop_assert!(taken.insert(new), "{how}: {chapter} to {new}");
                prop_assert_eq!(how.before(new), Some(chapter), "{}", how);
                prop_assert!(new == chapter || chapter >= how.first() || new >= how.first());
            }
            prop_assert_eq!(how.to_string().parse(), Ok(how));
        }

        #[test]
        fn a_range_stays_a_range(how in any(), first in 1u32..30, length in 0u32..9) {
            let (low, high) = how.range(first..=first + length).into_inner();
            // A range of one chapter follows the chapter to its new number.
            let follows = length == 0 && low == how.refers(first);
            let ends_near = high <= first + length + 1;
            prop_assert!(1 <= low && low <= high && (follows || ends_near), "{how}: {low} to {high}");
        }
    }
}
