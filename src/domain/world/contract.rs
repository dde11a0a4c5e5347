//! The rules a chapter is held against, in four layers: world rules (L1), character contracts (L2), the chapter's own
//! contract (L3) and storyline rules (LS). Product document §6.5 and §6.6.4.

use crate::domain::named::named;
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::task::read_action;
use crate::domain::{ChapterNo, Slug};
use std::collections::BTreeMap;

named! {
    /// The origin of a rule.
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
    /// Its subject: `magic_system`, `continuity`.
    pub category: String,
    /// The rule in one sentence that can be checked.
    pub rule: String,
    /// Hard or soft.
    pub strength: Strength,
    /// When it does not hold.
    pub exceptions: Vec<String>,
    /// The chapter from which it holds; 0 for always.
    pub introduced_chapter: u32,
    /// The last accepted chapter that the judge has held against it and found to keep it; `None` before the first.
    pub last_verified: Option<u32>,
}

/// An ability of a character, or a way of behaving.
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
    /// Last chapter in which it holds; `None` for a contract without an end.
    pub valid_until: Option<u32>,
    /// The event that has to happen before it may change.
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
    /// The achievement that is asked for.
    pub description: String,
    /// Of a foreshadowing objective: what is to be done with which foreshadowing.
    pub task: Option<(Action, Slug)>,
}

impl Objective {
    /// The task that a description begins with, `推进 ancient_prophecy：…`, as contracts of the first format have it.
    #[must_use]
    pub fn task_in(description: &str) -> Option<(Action, Slug)> {
        let (action, rest) = read_action(description.trim())?;
        let rest = rest.trim_start_matches([' ', '　', ':', '：', '`']);
        let is_id = |c: &char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
        let id: String = rest.chars().take_while(is_id).collect();
        Some((action, Slug::new(&id).ok()?))
    }
}

/// Attributes of characters: `lin-feng` → `location` → `城北`. Keys are ids, or names of the author's choice.
pub type States = BTreeMap<String, BTreeMap<String, String>>;

/// How a criterion begins that names rules.
pub const KEEPS: &str = "守住";

/// The attribute of the state for a character's place.
pub const LOCATION: &str = "location";
/// The attribute of the state for a character's mood.
pub const EMOTION: &str = "emotional_state";

/// The chapter's contract, derived from its outline section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChapterContract {
    pub chapter: ChapterNo,
    pub storyline: Slug,
    /// The facts that must hold before it, one a line.
    pub preconditions: Vec<String>,
    /// Place and mood of its characters before it, as far as plan and state said when the contract was written.
    pub character_states: States,
    /// The world rules that it hangs on, by id, in order.
    pub rules: Vec<String>,
    /// The objectives that it has to achieve.
    pub objectives: Vec<Objective>,
    /// The facts that must hold after it, one a line.
    pub postconditions: Vec<String>,
    /// Those of the facts that give a character a new place.
    pub state_changes: States,
    /// The action that each foreshadowing gets.
    pub foreshadowing: BTreeMap<Slug, Action>,
    /// How its success is seen.
    pub acceptance: Vec<String>,
    /// The characters in it; empty when the contract names none.
    pub characters: Vec<Slug>,
    /// The position of its storyline; `None` in contracts that do not say.
    pub context: Option<LineContext>,
    /// The next storyline and how the chapter's end leads there.
    pub transition: Option<Transition>,
}

/// The position of a chapter's storyline when the chapter comes (product document §6.6.3).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineContext {
    /// The chapter before it on the same line; `None` for the line's first.
    pub last: Option<ChapterNo>,
    /// How much of the line's part in the volume is told with this chapter, in per cent, 0 to 100; `None` where no schedule
    /// says how large that part is.
    pub progress: Option<u32>,
    /// The chapter before it on the same line, in a sentence or two; empty for the line's first.
    pub last_summary: String,
    /// The other running lines meanwhile, a sentence each. A line's memory is newer once it has one.
    pub concurrent: BTreeMap<Slug, String>,
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
    /// Returns whether both ask the same of the chapter. A contract's picture of the book at the time of writing
    /// (`character_states`, the line's last summary, the other lines) is no demand. Fields that contracts of the
    /// first format did not have make no difference.
    #[must_use]
    pub fn asks_the_same(&self, other: &Self) -> bool {
        self.demands(other) == other.demands(self)
    }

    /// The contract without its picture of the book, and with what it lacks taken from `other`.
    fn demands(&self, other: &Self) -> Self {
        let without = |list: &[String], some: &[String]| -> Vec<String> {
            list.iter().filter(|line| !some.contains(line)).cloned().collect()
        };
        // Criteria that name rules came with the second format.
        let only_rules = without(&self.acceptance, &other.acceptance).is_empty()
            && without(&other.acceptance, &self.acceptance).iter().all(|line| line.starts_with(KEEPS));
        let objective = |(at, objective): (usize, &Objective)| {
            let same = other.objectives.get(at).filter(|same| same.id == objective.id);
            let task = objective.task.clone().or_else(|| same.and_then(|same| same.task.clone()));
            Objective { task, ..objective.clone() }
        };
        let or = |own: &States, others: &States| if own.is_empty() { others.clone() } else { own.clone() };
        Self {
            state_changes: or(&self.state_changes, &other.state_changes),
            foreshadowing: if self.foreshadowing.is_empty() {
                other.foreshadowing.clone()
            } else {
                self.foreshadowing.clone()
            },
            objectives: self.objectives.iter().enumerate().map(objective).collect(),
            acceptance: if only_rules { other.acceptance.clone() } else { self.acceptance.clone() },
            ..self.without_picture()
        }
    }

    /// The contract without what it says of the book as it was when it was written.
    #[must_use]
    pub fn without_picture(&self) -> Self {
        let context = self.context.as_ref().map(|context| LineContext {
            last_summary: String::new(),
            concurrent: BTreeMap::new(),
            ..context.clone()
        });
        Self { character_states: States::new(), context, ..self.clone() }
    }

    /// The contract with what the first format wrote in words only: tasks of objectives, and what becomes of foreshadowings.
    #[must_use]
    pub fn upgraded(mut self) -> Self {
        for objective in self.objectives.iter_mut().filter(|objective| objective.kind == "foreshadowing") {
            objective.task = objective.task.take().or_else(|| Objective::task_in(&objective.description));
        }
        if self.foreshadowing.is_empty() {
            self.foreshadowing = self.objectives.iter().filter_map(|o| o.task.clone()).map(|(a, id)| (id, a)).collect();
        }
        self
    }

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

    fn contract() -> ChapterContract {
        let objective = |description: &str, kind: &str| Objective {
            id: "OBJ-001-1".into(),
            kind: kind.into(),
            required: true,
            description: description.into(),
            task: None,
        };
        ChapterContract {
            chapter: ChapterNo::FIRST,
            storyline: Slug::new("main-arc").unwrap(),
            preconditions: vec!["雨下到第三天".into()],
            character_states: States::new(),
            rules: vec![],
            objectives: vec![objective("推进 wet_umbrella：水是咸的", "foreshadowing"), objective("回收 x：y", "plot")],
            postconditions: vec![],
            state_changes: States::new(),
            foreshadowing: BTreeMap::new(),
            acceptance: vec!["演出来".into()],
            characters: vec![],
            context: None,
            transition: None,
        }
    }

    #[test]
    fn a_contract_of_the_first_format_gets_its_tasks_and_asks_the_same() {
        let old = contract();
        let new = old.clone().upgraded();
        let umbrella = Slug::new("wet_umbrella").unwrap();
        assert_eq!(new.objectives[0].task, Some((Action::Advanced, umbrella.clone())));
        assert_eq!((new.objectives[1].task.clone(), new.foreshadowing.get(&umbrella)), (None, Some(&Action::Advanced)));
        let mut derived = new.clone();
        derived.acceptance.push("守住 W-001".into());
        derived.state_changes = States::from([("song-yan".into(), BTreeMap::from([(LOCATION.into(), "桥头".into())]))]);
        derived.character_states = derived.state_changes.clone();
        assert!(old.asks_the_same(&derived) && derived.asks_the_same(&old));
        for change in [
            |c: &mut ChapterContract| c.preconditions.push("别的".into()),
            |c: &mut ChapterContract| c.objectives[0].description.push('。'),
            |c: &mut ChapterContract| c.acceptance.push("作者自己的".into()),
            |c: &mut ChapterContract| c.objectives.truncate(1),
        ] {
            let mut changed = old.clone();
            change(&mut changed);
            assert!(!changed.asks_the_same(&derived) && !derived.asks_the_same(&changed), "{changed:?}");
        }
    }

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

    #[test]
    fn a_contract_holds_from_its_first_chapter_to_its_last() {
        let mut own =
            crate::domain::world::character::Character::sample("a-qi", "阿七", &[("C-1", "会水")]).contracts.remove(0);
        (own.valid_from, own.valid_until) = (3, Some(5));
        let holds = |own: &CharacterContract| [2, 3, 5, 6].map(|n| own.holds_in(ChapterNo::new(n).unwrap()));
        assert_eq!(holds(&own), [false, true, true, false]);
        own.valid_until = None;
        assert_eq!(holds(&own), [false, true, true, true]);
    }

    #[test]
    fn a_chapter_s_contract_names_a_rule_by_its_list_or_in_its_words() {
        let listed = ChapterContract { rules: vec!["W-001".into()], ..contract() };
        let mut told = contract();
        told.postconditions.push("W-002 破了".into());
        let names = |contract: &ChapterContract| ["W-001", "W-002"].map(|id| contract.names(id));
        assert_eq!((names(&listed), names(&told)), ([true, false], [false, true]));
    }
}
