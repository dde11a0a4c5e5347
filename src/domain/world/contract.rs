//! The rules for a chapter in four layers: world rules (L1), character contracts (L2), the chapter's own contract (L3)
//! and storyline rules (LS). Product document §6.5 and §6.6.4.

use crate::domain::notation::or_default;
use crate::domain::prelude::*;
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::read_action;

named! {
    pub enum Layer {
        /// World rules, which may never be broken.
        World = "L1",
        /// Character contracts, changed only by a planned event.
        Character = "L2",
        /// The chapter's contract: objectives and conditions.
        Chapter = "L3",
        Storyline = "LS",
    }
}

named! {
    /// Whether a broken rule blocks the chapter.
    pub enum Strength {
        /// Blocks.
        Hard = "hard",
        /// Is reported.
        Soft = "soft",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Rule {
    /// `W-001`, `LS-005`.
    pub id: String,
    /// The subject: `magic_system`, `continuity`.
    pub category: String,
    /// One sentence that can be checked.
    pub rule: String,
    pub strength: Strength,
    /// Cases in which the rule does not hold.
    pub exceptions: Vec<String>,
    /// The first chapter with the rule; 0 for always.
    pub introduced_chapter: u32,
    /// The last accepted chapter that the judge has found to keep the rule.
    pub last_verified: Option<u32>,
}

/// An ability of a character, or a way of behaving.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CharacterContract {
    /// `C-LINFENG-001`.
    pub id: String,
    /// `capability`, `personality`, `relationship`, …
    #[serde(rename = "type", default)]
    pub kind: String,
    /// One sentence that can be checked.
    pub rule: String,
    /// Cases in which the contract does not hold.
    #[serde(default, deserialize_with = "or_default")]
    pub exceptions: Vec<String>,
    /// The first chapter in which the contract holds.
    #[serde(rename = "valid_from_chapter", default = "first")]
    pub valid_from: u32,
    /// The last chapter in which the contract holds; `None` without an end.
    pub valid_until: Option<u32>,
    /// The event that must happen before the contract may change.
    pub update_requires: Option<String>,
}

const fn first() -> u32 {
    1
}

impl CharacterContract {
    pub fn holds_in(&self, chapter: ChapterNo) -> bool {
        chapter.get() >= self.valid_from && self.valid_until.is_none_or(|last| chapter.get() <= last)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objective {
    /// `OBJ-048-1`.
    pub id: String,
    /// `plot`, `foreshadowing`, `character`, …
    pub kind: String,
    /// True when the chapter fails without it.
    pub required: bool,
    pub description: String,
    /// The action of a foreshadowing objective.
    pub task: Option<(Action, Slug)>,
}

impl Objective {
    /// The task at the start of a description, `推进 ancient_prophecy：…`, in contracts of the first format.
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

/// The start of a criterion that names rules.
pub const KEEPS: &str = "守住";

/// The attribute for a character's place.
pub const LOCATION: &str = "location";
/// The attribute for a character's mood.
pub const EMOTION: &str = "emotional_state";

/// A chapter's contract, derived from its outline section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChapterContract {
    pub chapter: ChapterNo,
    pub storyline: Slug,
    /// Facts that must hold before the chapter, one a line.
    pub preconditions: Vec<String>,
    /// Place and mood of the characters before the chapter, by plan and state at the time of writing.
    pub character_states: States,
    /// Ids of the world rules that the chapter depends on, in order.
    pub rules: Vec<String>,
    pub objectives: Vec<Objective>,
    /// Facts that must hold after the chapter, one a line.
    pub postconditions: Vec<String>,
    /// The facts that give a character a new place.
    pub state_changes: States,
    pub foreshadowing: BTreeMap<Slug, Action>,
    pub acceptance: Vec<String>,
    /// The characters in the chapter; empty when the contract names none.
    pub characters: Vec<Slug>,
    /// `None` in contracts that do not say.
    pub context: Option<LineContext>,
    /// The next storyline and the lead to it.
    pub transition: Option<Transition>,
}

/// The position of a chapter's storyline before the chapter (product document §6.6.3).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineContext {
    pub last: Option<ChapterNo>,
    /// The line's progress in the volume after this chapter, in per cent, 0 to 100; `None` without a schedule.
    pub progress: Option<u32>,
    /// The previous chapter on the line, in a sentence or two; may be empty.
    pub last_summary: String,
    /// The other running lines meanwhile, a sentence each. A line's memory, if any, is newer.
    pub concurrent: BTreeMap<Slug, String>,
}

impl LineContext {
    /// The number of chapters on other lines in between.
    pub fn away(&self, chapter: ChapterNo) -> Option<u32> {
        Some(chapter.get().saturating_sub(self.last?.get()).saturating_sub(1))
    }
}

/// How a chapter's end leads to another storyline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transition {
    #[serde(rename = "next_storyline")]
    pub next: Slug,
    /// One sentence.
    #[serde(default)]
    pub bridge: String,
}

/// True when the text names the id as a whole: `W-001` does not stand in `W-0011` or in `W-001-A`.
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

fn add_new<T: PartialEq>(list: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !list.contains(&one) {
            list.push(one);
        }
    }
}

impl CharacterContract {
    /// True when a text of the rule names the id.
    pub fn names(&self, id: &str) -> bool {
        let texts = [&self.rule].into_iter().chain(&self.exceptions).chain(&self.update_requires);
        texts.into_iter().any(|text| names_id(text, id))
    }
}

impl ChapterContract {
    /// True when both contracts demand the same of the chapter. The picture of the book at the time of writing
    /// (`character_states`, the line's last summary, the other lines) is no demand, and fields that the first format
    /// lacks make no difference.
    pub fn asks_the_same(&self, other: &Self) -> bool {
        self.comparable_with(other) == other.comparable_with(self)
    }

    /// The contract without its picture of the book; fields that it lacks come from `other`.
    fn comparable_with(&self, other: &Self) -> Self {
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

    /// The line, the people, the objectives and the outcomes that the contract asks for, without the chapter's number.
    pub fn demands(&self) -> (&Slug, &[Slug], Vec<&str>, &[String]) {
        let objectives = self.objectives.iter().map(|objective| objective.description.as_str()).collect();
        (&self.storyline, &self.characters, objectives, &self.postconditions)
    }

    /// The contract without its picture of the book at the time of writing.
    pub fn without_picture(&self) -> Self {
        let context = self.context.as_ref().map(|context| LineContext {
            last_summary: String::new(),
            concurrent: BTreeMap::new(),
            ..context.clone()
        });
        Self { character_states: States::new(), context, ..self.clone() }
    }

    /// The contract with the picture of the book that the other one has.
    #[must_use]
    pub fn with_picture_of(self, other: Self) -> Self {
        let LineContext { last_summary, concurrent, .. } = other.context.unwrap_or_default();
        let context = self.context.map(|context| LineContext { last_summary, concurrent, ..context });
        Self { character_states: other.character_states, context, ..self }
    }

    /// The contract of two chapters that become one, with the demands that their contracts have in place of its own.
    #[must_use]
    pub fn with_demands_of(mut self, contracts: [Self; 2]) -> Self {
        self.objectives.clear();
        [&mut self.preconditions, &mut self.postconditions, &mut self.acceptance].into_iter().for_each(Vec::clear);
        for mut contract in contracts {
            for objective in contract.objectives {
                let id = format!("OBJ-{:03}-{}", self.chapter.get(), self.objectives.len() + 1);
                let named = contract.acceptance.iter_mut().filter(|line| names_id(line, &objective.id));
                named.for_each(|line| *line = line.replace(&objective.id, &id));
                self.objectives.push(Objective { id, ..objective });
            }
            // The first chapter may bring about what the second one rests on.
            contract.preconditions.retain(|line| !self.postconditions.contains(line));
            add_new(&mut self.preconditions, contract.preconditions);
            add_new(&mut self.postconditions, contract.postconditions);
            add_new(&mut self.acceptance, contract.acceptance);
            add_new(&mut self.characters, contract.characters);
            add_new(&mut self.rules, contract.rules);
            self.foreshadowing.extend(contract.foreshadowing);
            self.state_changes.extend(contract.state_changes);
        }
        self.rules.sort();
        self
    }

    /// Adds the fields that the first format had only in words: tasks of objectives, and actions on foreshadowings.
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

    /// True when the contract names the id in its rules or its words.
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
