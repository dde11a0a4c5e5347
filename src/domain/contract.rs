//! The rules a chapter is held against, in four layers: world rules (L1), character contracts (L2), the chapter's own
//! contract (L3) and storyline rules (LS). Product document §6.5 and §6.6.4.

use super::named::named;
use super::{ChapterNo, Slug};

named! {
    /// Where a rule comes from.
    pub enum Layer {
        /// World rules: may never be broken.
        World = "L1",
        /// Character contracts: changed only by a planned event.
        Character = "L2",
        /// The chapter's contract: objectives and conditions.
        Chapter = "L3",
        /// Storyline rules.
        Storyline = "LS",
    }
}

named! {
    /// Whether breaking a rule blocks the chapter.
    pub enum Strength {
        /// Blocks.
        Hard = "hard",
        /// Is reported.
        Soft = "soft",
    }
}

/// A rule of the world or of the storylines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// `W-001`, `LS-005`.
    pub id: String,
    /// What it is about: `magic_system`, `continuity`.
    pub category: String,
    /// The rule in one sentence that can be checked.
    pub rule: String,
    /// Hard or soft.
    pub strength: Strength,
    /// When it does not hold.
    pub exceptions: Vec<String>,
    /// The chapter from which it holds; 0 for always.
    pub introduced_chapter: u32,
}

/// What a character can do and how he or she behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharacterContract {
    /// `C-LINFENG-001`.
    pub id: String,
    /// `capability`, `personality`, `relationship`, …
    pub kind: String,
    /// The rule in one sentence that can be checked.
    pub rule: String,
    /// When it does not hold.
    pub exceptions: Vec<String>,
    /// First chapter in which it holds.
    pub valid_from: u32,
    /// Last chapter in which it holds; open where there is none.
    pub valid_until: Option<u32>,
    /// What has to happen before it may change.
    pub update_requires: Option<String>,
}

impl CharacterContract {
    /// Whether it holds in that chapter.
    #[must_use]
    pub fn holds_in(&self, chapter: ChapterNo) -> bool {
        chapter.get() >= self.valid_from && self.valid_until.is_none_or(|last| chapter.get() <= last)
    }
}

/// Something the chapter has to achieve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objective {
    /// `OBJ-048-1`.
    pub id: String,
    /// `plot`, `foreshadowing`, `character`, …
    pub kind: String,
    /// Whether the chapter fails without it.
    pub required: bool,
    /// What has to be achieved.
    pub description: String,
}

/// The chapter's contract, derived from its outline section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChapterContract {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its storyline.
    pub storyline: Slug,
    /// What must be true before it: one fact a line.
    pub preconditions: Vec<String>,
    /// The world rules that it hangs on, by id, in order.
    pub rules: Vec<String>,
    /// What it has to achieve.
    pub objectives: Vec<Objective>,
    /// What must be true after it: one fact a line.
    pub postconditions: Vec<String>,
    /// How its success is seen.
    pub acceptance: Vec<String>,
    /// The characters in it; empty when the contract names none.
    pub characters: Vec<Slug>,
    /// Where its storyline stands; `None` in contracts that do not say.
    pub context: Option<LineContext>,
    /// The next storyline and how the chapter's end leads there.
    pub transition: Option<Transition>,
}

/// Where a chapter's storyline stands when the chapter comes (product document §6.6.3). What has happened on it and on the
/// others meanwhile is in their memories, which are newer than any plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineContext {
    /// The chapter before it on the same line; `None` for the line's first.
    pub last: Option<ChapterNo>,
    /// How much of the line's part in the volume is told with this chapter, in per cent, 0 to 100; `None` where no schedule
    /// says how large that part is.
    pub progress: Option<u32>,
}

impl LineContext {
    /// How many chapters on other lines lie between.
    #[must_use]
    pub fn away(&self, chapter: ChapterNo) -> Option<u32> {
        Some(chapter.get().saturating_sub(self.last?.get()).saturating_sub(1))
    }
}

/// How a chapter's end leads over to another storyline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// The storyline of the next chapter.
    pub next: Slug,
    /// The bridge, in one sentence.
    pub bridge: String,
}

/// Whether the text names the id as a whole: `W-001` does not stand in `W-0011` or in `W-001-A`.
#[must_use]
pub fn names_id(text: &str, id: &str) -> bool {
    let goes_on = |c: char| c.is_ascii_alphanumeric();
    !id.is_empty()
        && text.match_indices(id).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + id.len()..]);
            let mut next = after.chars();
            let ends = match next.next() {
                Some('-' | '_') => !next.next().is_some_and(goes_on),
                next => !next.is_some_and(goes_on),
            };
            ends && !before.chars().next_back().is_some_and(|c| goes_on(c) || c == '-' || c == '_')
        })
}

impl CharacterContract {
    /// Whether it names the id anywhere.
    #[must_use]
    pub fn names(&self, id: &str) -> bool {
        let texts = [&self.rule].into_iter().chain(&self.exceptions).chain(&self.update_requires);
        texts.into_iter().any(|text| names_id(text, id))
    }
}

impl ChapterContract {
    /// Whether it names the id anywhere, among the rules that it hangs on or in its words.
    #[must_use]
    pub fn names(&self, id: &str) -> bool {
        let facts = self.preconditions.iter().chain(&self.postconditions).chain(&self.acceptance);
        let mut texts = facts.chain(self.objectives.iter().map(|objective| &objective.description));
        self.rules.iter().any(|rule| rule == id) || texts.any(|text| names_id(text, id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_named_as_a_whole_or_not_at_all() {
        for text in ["W-001", "按W-001行事", "（W-001）", "W-001。", "W-0011 与 W-001", "W-001-", "违反 W-001, W-002"]
        {
            assert!(names_id(text, "W-001"), "{text}");
        }
        for text in ["", "W-0011", "W-001-A", "XW-001", "W-00", "NEW-001"] {
            assert!(!names_id(text, "W-001"), "{text}");
        }
        assert!(!names_id("任何话", ""));
    }
}
