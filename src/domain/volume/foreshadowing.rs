//! The foreshadowing ledger: planting, advances, due ranges and resolutions.

use crate::domain::prelude::*;

named! {
    /// The reach of a foreshadowing (formats chapter §9.2).
    pub enum Scope {
        /// Within the volume, resolved 3 to 10 chapters later; overdue past its range.
        Short = "short",
        /// Across one to three volumes.
        Medium = "medium",
        /// Across the book, with no fixed date; never overdue.
        Long = "long",
    }
}

impl Scope {
    /// True for a core foreshadowing, which spans volumes. Ordinary ones end within their volume.
    pub const fn is_core(self) -> bool {
        matches!(self, Self::Medium | Self::Long)
    }
}

named! {
    /// A chapter's action on a foreshadowing, and the resulting status.
    pub enum Action {
        /// First laid out.
        Planted = "planted",
        /// Taken up again, any number of times.
        Advanced = "advanced",
        /// Paid off; nothing may follow.
        Resolved = "resolved",
    }
}

impl Action {
    /// The verb in outlines, prompts and contracts.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Planted => "埋设",
            Self::Advanced => "推进",
            Self::Resolved => "回收",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeshadowOp {
    pub id: Slug,
    pub action: Action,
    /// The event, in a sentence of the story.
    pub detail: String,
    /// The reach, where planting says so; otherwise short.
    pub scope: Option<Scope>,
    /// First and last chapter of the resolution, where planting says so.
    pub target: Option<(u32, u32)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadStep {
    pub chapter: ChapterNo,
    pub action: Action,
    #[serde(default)]
    pub detail: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Foreshadowing {
    pub id: Slug,
    pub description: String,
    pub scope: Scope,
    /// Recommended first and last chapter of the resolution.
    pub target: Option<(u32, u32)>,
    pub storyline: Slug,
    /// The steps so far, planting first; never empty.
    pub history: Vec<ThreadStep>,
}

impl Foreshadowing {
    /// The last action, which is also the status.
    pub fn status(&self) -> Action {
        self.history.last().map_or(Action::Planted, |step| step.action)
    }

    pub fn planted_chapter(&self) -> ChapterNo {
        self.history.first().map_or(ChapterNo::FIRST, |step| step.chapter)
    }

    pub fn last_updated_chapter(&self) -> ChapterNo {
        self.history.last().map_or(ChapterNo::FIRST, |step| step.chapter)
    }

    /// True for a short, open foreshadowing after its range.
    pub fn overdue(&self, last_completed: u32) -> bool {
        self.scope == Scope::Short
            && self.status() != Action::Resolved
            && self.target.is_some_and(|(_, latest)| last_completed > latest)
    }
}

/// A foreshadowing that a volume plans to plant or to advance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadPlan {
    pub id: Slug,
    /// The subject, and the meaning for the reader.
    #[serde(default)]
    pub description: String,
    pub scope: Scope,
    #[serde(rename = "storyline_id")]
    pub storyline: Slug,
    /// The chapter that plants it; `None` for one of an earlier volume.
    #[serde(rename = "planned_chapter")]
    pub plant: Option<ChapterNo>,
    #[serde(rename = "advance_chapters", default)]
    pub advance: Vec<u32>,
    /// First and last chapter of the resolution.
    #[serde(rename = "target_resolve_range")]
    pub target: Option<(u32, u32)>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ThreadRefusal {
    #[error("planted already: `{0}`")]
    AlreadyPlanted(Slug),
    /// Advanced or resolved before it was planted.
    #[error("not planted: `{0}`")]
    NotPlanted(Slug),
    #[error("resolved already: `{0}`")]
    AlreadyResolved(Slug),
}

/// All foreshadowings of the book, in planting order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ledger {
    pub entries: Vec<Foreshadowing>,
}

/// A short foreshadowing is due 3 to 10 chapters after its planting (product document §5.3).
pub(crate) const SHORT_RANGE: (u32, u32) = (3, 10);

impl Ledger {
    pub fn get(&self, id: &Slug) -> Option<&Foreshadowing> {
        self.entries.iter().find(|entry| entry.id == *id)
    }

    pub fn apply(&mut self, op: &ForeshadowOp, chapter: ChapterNo, storyline: &Slug) -> Result<(), ThreadRefusal> {
        let step = ThreadStep { chapter, action: op.action, detail: op.detail.clone() };
        let entry = self.entries.iter_mut().find(|entry| entry.id == op.id);
        match (op.action, entry) {
            (Action::Planted, Some(_)) => Err(ThreadRefusal::AlreadyPlanted(op.id.clone())),
            (Action::Planted, None) => {
                let scope = op.scope.unwrap_or(Scope::Short);
                let due = |(from, to)| (chapter.get() + from, chapter.get() + to);
                self.entries.push(Foreshadowing {
                    id: op.id.clone(),
                    description: op.detail.clone(),
                    scope,
                    target: op.target.or_else(|| (scope == Scope::Short).then(|| due(SHORT_RANGE))),
                    storyline: storyline.clone(),
                    history: vec![step],
                });
                Ok(())
            }
            (_, None) => Err(ThreadRefusal::NotPlanted(op.id.clone())),
            (_, Some(entry)) if entry.status() == Action::Resolved => {
                Err(ThreadRefusal::AlreadyResolved(op.id.clone()))
            }
            (_, Some(entry)) => {
                entry.history.push(step);
                Ok(())
            }
        }
    }

    /// The ledger before that chapter, except for entries dropped since.
    #[must_use]
    pub fn before(mut self, chapter: u32) -> Self {
        for entry in &mut self.entries {
            entry.history.retain(|step| step.chapter.get() < chapter);
        }
        self.entries.retain(|entry| !entry.history.is_empty());
        self
    }

    /// Entries not yet resolved.
    pub fn open(&self) -> impl Iterator<Item = &Foreshadowing> {
        self.entries.iter().filter(|entry| entry.status() != Action::Resolved)
    }

    /// The ledger for a new volume, without resolved entries, which stay in the history of the book.
    #[must_use]
    pub fn carried_over(mut self) -> Self {
        self.entries.retain(|entry| entry.status() != Action::Resolved);
        self
    }

    /// Entries by id, for comparisons that must not depend on the planting order.
    #[cfg(test)]
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.entries.sort_by(|a, b| a.id.cmp(&b.id));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn op(id: &str, action: Action) -> ForeshadowOp {
        ForeshadowOp {
            id: Slug::new(id).unwrap(), action, detail: "铜镜背面有字".into(), scope: None, target: None
        }
    }

    fn at(n: u32) -> ChapterNo {
        ChapterNo::new(n).unwrap()
    }

    #[test]
    fn a_short_one_is_overdue_after_its_range_and_no_other_is() {
        let mut ledger = Ledger::default();
        let line = Slug::new("main-arc").unwrap();
        ledger.apply(&op("mirror", Action::Planted), at(3), &line).unwrap();
        let long = ForeshadowOp { scope: Some(Scope::Long), ..op("prophecy", Action::Planted) };
        ledger.apply(&long, at(3), &line).unwrap();
        let overdue = |n| ledger.entries.iter().filter(|e| e.overdue(n)).map(|e| e.id.to_string()).collect::<Vec<_>>();
        assert_eq!(overdue(13), Vec::<String>::new());
        assert_eq!(overdue(14), ["mirror"]);
    }

    proptest! {
        #[test]
        fn nothing_is_paid_before_it_is_planted_nor_twice(
            steps in prop::collection::vec((prop::sample::select(vec!["a", "b"]), prop::sample::select(Action::ALL.to_vec())), 0..20)
        ) {
            let mut ledger = Ledger::default();
            let line = Slug::new("main-arc").unwrap();
            for (n, (id, action)) in steps.into_iter().enumerate() {
                let _ = ledger.apply(&op(id, action), at(n as u32 + 1), &line);
            }
            for entry in &ledger.entries {
                let actions: Vec<Action> = entry.history.iter().map(|step| step.action).collect();
                prop_assert_eq!(actions.iter().filter(|a| **a == Action::Planted).count(), 1);
                prop_assert_eq!(actions[0], Action::Planted);
                prop_assert!(actions[..actions.len() - 1].iter().all(|a| *a != Action::Resolved));
                prop_assert!(entry.history.windows(2).all(|w| w[0].chapter < w[1].chapter));
            }
        }
    }

    #[test]
    fn a_ledger_of_an_earlier_chapter_has_what_was_there_before_it() {
        let mut ledger = Ledger::default();
        let line = Slug::new("main-arc").unwrap();
        for (chapter, id, action) in
            [(2, "mirror", Action::Planted), (4, "mirror", Action::Resolved), (4, "map", Action::Planted)]
        {
            ledger.apply(&op(id, action), at(chapter), &line).unwrap();
        }
        assert_eq!(ledger.clone().before(5), ledger);
        let fourth = ledger.clone().before(4);
        let told: Vec<(&str, Action)> =
            fourth.entries.iter().map(|entry| (entry.id.as_str(), entry.status())).collect();
        assert_eq!(told, [("mirror", Action::Planted)]);
        assert_eq!(ledger.before(2), Ledger::default());
    }

    #[test]
    fn a_short_one_without_a_date_is_due_three_to_ten_chapters_later() {
        let mut ledger = Ledger::default();
        ledger.apply(&op("mirror", Action::Planted), at(4), &Slug::new("main-arc").unwrap()).unwrap();
        assert_eq!(ledger.entries[0].target, Some((7, 14)));
    }
}
