//! The inventory of foreshadowings: the standing of each, irregularities ([`irregular`]), and tasks of the next
//! chapters ([`agenda`]). Derived from the ledger, the known plans and the last completed chapter, and never stored.

pub mod irregular;

use crate::domain::prelude::*;
use crate::domain::volume::foreshadowing::{Action, Foreshadowing, Ledger, SHORT_RANGE, Scope, ThreadPlan, ThreadStep};
use crate::domain::volume::inventory::irregular::Irregularity;
use crate::domain::volume::outline::Outline;
use crate::domain::world::contract::ChapterContract;

/// A core foreshadowing is neglected after so many chapters without a mention: the length of the shortest volume
/// (product document §5: 30 to 50 chapters), because the rule of one mention a volume allows twice as many in long
/// volumes.
pub const SILENT_CORE: u32 = 30;

/// An ordinary foreshadowing is neglected after so many chapters: the longest time to its resolution (product document
/// §5.3), and the inventory interval of the source documents.
pub const SILENT_ORDINARY: u32 = SHORT_RANGE.1;

named! {
    /// The standing of a foreshadowing, the most urgent first.
    pub enum Standing {
        /// Ordinary, open, and past the end of its window.
        Overdue = "overdue",
        /// Open, and its window has begun.
        Due = "due",
        /// Open, and without a mention for too long.
        Neglected = "neglected",
        /// Taken up again since its planting.
        Advanced = "advanced",
        /// Planted, and not taken up since.
        Planted = "planted",
        /// In a plan, and not in the ledger.
        Planned = "planned",
        /// Paid off.
        Resolved = "resolved",
    }
}

/// The rule by which a foreshadowing is neglected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Neglect {
    /// The volume neither has touched it nor plans to. Each volume touches every open core foreshadowing once.
    Volume(VolumeNo),
    /// The number of chapters without a mention.
    Chapters(u32),
}

/// A step in an outline, a volume's plan or a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedStep {
    pub chapter: ChapterNo,
    /// The storyline of the chapter, or of the plan.
    pub storyline: Slug,
    pub id: Slug,
    pub action: Action,
    /// The plan's words; may be empty.
    pub detail: String,
}

/// The part of a volume's plan about foreshadowings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VolumePlan {
    pub volume: VolumeNo,
    /// First and last chapter; `None` without an outline.
    pub chapters: Option<(u32, u32)>,
    /// The foreshadowings to plant or to advance.
    pub planned: Vec<ThreadPlan>,
    /// The steps in chapter order.
    pub steps: Vec<PlannedStep>,
}

impl VolumePlan {
    /// The plan of a volume: the outline's own tasks, then those only in the plan of foreshadowings or a contract.
    pub fn of<'c>(
        volume: VolumeNo,
        outline: &Outline,
        planned: &[ThreadPlan],
        contracts: impl IntoIterator<Item = &'c ChapterContract>,
    ) -> Self {
        let in_outline = outline.sections.iter().flat_map(|section| {
            section.tasks.iter().map(|task| PlannedStep {
                chapter: section.chapter,
                storyline: section.storyline.clone(),
                id: task.id.clone(),
                action: task.action,
                detail: task.detail.clone(),
            })
        });
        let bare = |chapter, storyline: &Slug, id: &Slug, action| PlannedStep {
            chapter,
            storyline: storyline.clone(),
            id: id.clone(),
            action,
            detail: String::new(),
        };
        let in_plan = planned.iter().flat_map(|planned| {
            let plant = planned.plant.map(|chapter| (chapter, Action::Planted));
            let advance = planned.advance.iter().filter_map(|chapter| ChapterNo::new(*chapter));
            let steps = plant.into_iter().chain(advance.map(|chapter| (chapter, Action::Advanced)));
            steps.map(|(chapter, action)| bare(chapter, &planned.storyline, &planned.id, action))
        });
        let in_contracts = contracts.into_iter().flat_map(|contract| {
            let of = |(id, action): (&Slug, &Action)| bare(contract.chapter, &contract.storyline, id, *action);
            contract.foreshadowing.iter().map(of).collect::<Vec<_>>()
        });
        let mut steps: Vec<PlannedStep> = in_outline.collect();
        for step in in_plan.chain(in_contracts) {
            // A chapter that resolves a thing has also taken it up.
            let is_told = steps.iter().any(|known| {
                known.chapter == step.chapter
                    && known.id == step.id
                    && (known.action == step.action || step.action == Action::Advanced)
            });
            if !is_told {
                steps.push(step);
            }
        }
        steps.sort_by_key(|step| step.chapter);
        let chapters = outline.range().map(|(first, last)| (first.get(), last.get()));
        Self { volume, chapters, planned: planned.to_vec(), steps }
    }
}

/// A foreshadowing with all that is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Thread {
    pub id: Slug,
    pub description: String,
    pub scope: Scope,
    pub storyline: Slug,
    /// First and last chapter of the resolution.
    pub window: Option<(u32, u32)>,
    /// The actions so far; empty when only planned.
    pub history: Vec<ThreadStep>,
    /// The plans of coming chapters, in order.
    pub ahead: Vec<PlannedStep>,
    pub standing: Standing,
    /// Why it is neglected, if it is, whatever its standing.
    pub neglect: Option<Neglect>,
}

impl Thread {
    pub fn is_core(&self) -> bool {
        self.scope.is_core()
    }

    pub fn planted(&self) -> Option<ChapterNo> {
        self.history.iter().find(|step| step.action == Action::Planted).map(|step| step.chapter)
    }

    pub fn last_touched(&self) -> Option<ChapterNo> {
        self.history.iter().map(|step| step.chapter).max()
    }

    pub fn resolved(&self) -> Option<ChapterNo> {
        self.history.iter().rev().find(|step| step.action == Action::Resolved).map(|step| step.chapter)
    }

    pub fn is_open(&self) -> bool {
        !matches!(self.standing, Standing::Planned | Standing::Resolved)
    }

    /// The first coming chapter that plans `action`.
    pub fn next(&self, action: Action) -> Option<ChapterNo> {
        self.ahead.iter().find(|step| step.action == action).map(|step| step.chapter)
    }

    fn judged(mut self, basis: &InventoryBasis<'_>) -> Self {
        let last = basis.last_completed;
        self.neglect = self.neglect_in(basis);
        let status = self.history.last().map(|step| step.action);
        let has_begun = self.window.is_some_and(|(from, _)| last + 1 >= from);
        let is_past = self.window.is_some_and(|(_, to)| last > to);
        self.standing = match (status, self.scope) {
            (Some(Action::Resolved), _) => Standing::Resolved,
            (None, _) => Standing::Planned,
            (_, Scope::Short) if is_past => Standing::Overdue,
            // A long one has no fixed date, so a past window says nothing.
            (_, scope) if has_begun && !(is_past && scope == Scope::Long) => Standing::Due,
            _ if self.neglect.is_some() => Standing::Neglected,
            (Some(Action::Advanced), _) => Standing::Advanced,
            (Some(Action::Planted), _) => Standing::Planted,
        };
        self
    }

    fn neglect_in(&self, basis: &InventoryBasis<'_>) -> Option<Neglect> {
        if self.history.last().is_none_or(|step| step.action == Action::Resolved) {
            return None;
        }
        let touched = self.last_touched()?.get();
        let present = basis.volumes.iter().find(|plan| plan.volume == basis.present);
        if let (true, Some(plan)) = (self.is_core(), present)
            && let Some((first, end)) = plan.chapters
            && touched < first
            && !self.ahead.iter().any(|step| step.chapter.get() <= end)
        {
            return Some(Neglect::Volume(plan.volume));
        }
        let silent = basis.last_completed.saturating_sub(touched);
        let limit = if self.is_core() { SILENT_CORE } else { SILENT_ORDINARY };
        (silent >= limit).then_some(Neglect::Chapters(silent))
    }

    /// The sort key: the most urgent first, core ones first among equals.
    fn urgency(&self) -> (Standing, bool, u32, u32, Slug) {
        let due = self.window.map_or(u32::MAX, |(_, to)| to);
        let begins = self.planted().or_else(|| self.ahead.first().map(|step| step.chapter));
        (self.standing, !self.is_core(), due, begins.map_or(u32::MAX, ChapterNo::get), self.id.clone())
    }
}

#[derive(Debug, Clone, Copy)]
pub struct InventoryBasis<'b> {
    pub ledger: &'b Ledger,
    /// The known plans, in volume order.
    pub volumes: &'b [VolumePlan],
    pub present: VolumeNo,
    /// The last completed chapter; 0 before the first.
    pub last_completed: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Inventory {
    pub volume: VolumeNo,
    /// The last completed chapter; 0 before the first.
    pub last_completed: u32,
    /// The last chapter of a known outline; 0 without one.
    pub planned_until: u32,
    /// The most urgent first.
    pub threads: Vec<Thread>,
    /// The gravest first.
    pub irregularities: Vec<Irregularity>,
}

impl Inventory {
    pub fn of(basis: &InventoryBasis<'_>) -> Self {
        let mut ahead: BTreeMap<&Slug, Vec<PlannedStep>> = BTreeMap::new();
        for step in basis.steps().filter(|step| step.chapter.get() > basis.last_completed) {
            ahead.entry(&step.id).or_default().push(step.clone());
        }
        let mut ahead_of = |id: &Slug| ahead.remove(id).unwrap_or_default();
        let noted = basis.ledger.entries.iter().map(|entry| (basis.noted(entry), ahead_of(&entry.id)));
        let noted: Vec<(Thread, Vec<PlannedStep>)> = noted.collect();
        let planned = basis.only_planned().into_iter().map(|thread| {
            let ahead = ahead_of(&thread.id);
            (thread, ahead)
        });
        let all = noted.into_iter().chain(planned.collect::<Vec<_>>());
        let mut threads: Vec<Thread> = all.map(|(thread, ahead)| Thread { ahead, ..thread }.judged(basis)).collect();
        threads.sort_by_key(Thread::urgency);
        let ends = basis.volumes.iter().filter_map(|plan| plan.chapters);
        Self {
            volume: basis.present,
            last_completed: basis.last_completed,
            planned_until: ends.map(|(_, end)| end).max().unwrap_or(0),
            irregularities: irregular::irregularities(basis, &threads),
            threads,
        }
    }

    pub fn get(&self, id: &Slug) -> Option<&Thread> {
        self.threads.iter().find(|thread| thread.id == *id)
    }

    /// Planted and not resolved, the most urgent first.
    pub fn open(&self) -> impl Iterator<Item = &Thread> {
        self.threads.iter().filter(|thread| thread.is_open())
    }
}

impl InventoryBasis<'_> {
    fn steps(&self) -> impl Iterator<Item = &PlannedStep> {
        self.volumes.iter().flat_map(|plan| &plan.steps)
    }

    /// The plans for an id, the latest volume first.
    fn planned(&self, id: &Slug) -> impl Iterator<Item = &ThreadPlan> {
        self.volumes.iter().rev().flat_map(|plan| &plan.planned).filter(move |planned| planned.id == *id)
    }

    fn noted(&self, entry: &Foreshadowing) -> Thread {
        Thread {
            id: entry.id.clone(),
            description: entry.description.clone(),
            scope: entry.scope,
            storyline: entry.storyline.clone(),
            window: entry.target.or_else(|| self.planned(&entry.id).find_map(|planned| planned.target)),
            history: entry.history.clone(),
            ahead: Vec::new(),
            standing: Standing::Planted,
            neglect: None,
        }
    }

    /// Planned foreshadowings that the ledger lacks; from an outline alone, those that a section plants.
    fn only_planned(&self) -> Vec<Thread> {
        let mut seen: BTreeSet<&Slug> = self.ledger.entries.iter().map(|entry| &entry.id).collect();
        let thread = |id: &Slug, storyline: &Slug, description: &str| Thread {
            id: id.clone(),
            description: description.to_owned(),
            scope: Scope::Short,
            storyline: storyline.clone(),
            window: None,
            history: Vec::new(),
            ahead: Vec::new(),
            standing: Standing::Planned,
            neglect: None,
        };
        let mut threads = Vec::new();
        for planned in self.volumes.iter().rev().flat_map(|plan| &plan.planned) {
            if seen.insert(&planned.id) {
                let bare = thread(&planned.id, &planned.storyline, &planned.description);
                threads.push(Thread { scope: planned.scope, window: planned.target, ..bare });
            }
        }
        for step in self.steps().filter(|step| step.action == Action::Planted) {
            if seen.insert(&step.id) {
                threads.push(thread(&step.id, &step.storyline, &step.detail));
            }
        }
        threads
    }
}

#[cfg(test)]
mod tests;
