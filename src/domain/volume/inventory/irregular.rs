//! Contradictions between ledger and plans of foreshadowings.
//! The agenda: tasks of the next chapters for foreshadowings.

use crate::domain::prelude::*;
use crate::domain::volume::foreshadowing::{Action, SHORT_RANGE, Scope};
use crate::domain::volume::inventory::{Inventory, InventoryBasis, Neglect, Standing, Thread};
use serde::Serializer;

/// An irregularity, the gravest kind first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Irregularity {
    /// Taken up or resolved before the planting.
    BeforePlanting {
        id: Slug,
        chapter: ChapterNo,
        action: Action,
        planted: Option<ChapterNo>,
        /// True for a chapter not yet written.
        ahead: bool,
    },
    /// The chapter that should have planted it is past, and the ledger lacks it.
    NotPlanted { id: Slug, chapter: ChapterNo },
    /// Resolved before or after its window.
    OutsideWindow {
        id: Slug,
        chapter: ChapterNo,
        /// First and last chapter of the resolution.
        window: (u32, u32),
        /// True for a chapter not yet written.
        ahead: bool,
    },
    /// Open, and in no outline and no plan.
    NeverPlanned { id: Slug, chapter: ChapterNo },
    /// Two ids with the same description.
    SameDescription {
        /// The one planted first.
        id: Slug,
        other: Slug,
        /// The chapter that plants the other one, if any.
        chapter: Option<ChapterNo>,
    },
}

impl Irregularity {
    /// The name in `--json`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::BeforePlanting { .. } => "before-planting",
            Self::NotPlanted { .. } => "not-planted",
            Self::OutsideWindow { .. } => "outside-window",
            Self::NeverPlanned { .. } => "never-planned",
            Self::SameDescription { .. } => "same-description",
        }
    }

    /// The foreshadowing; of two, the one planted first.
    pub const fn id(&self) -> &Slug {
        match self {
            Self::BeforePlanting { id, .. }
            | Self::NotPlanted { id, .. }
            | Self::OutsideWindow { id, .. }
            | Self::NeverPlanned { id, .. }
            | Self::SameDescription { id, .. } => id,
        }
    }

    pub const fn chapter(&self) -> Option<ChapterNo> {
        match self {
            Self::BeforePlanting { chapter, .. }
            | Self::NotPlanted { chapter, .. }
            | Self::OutsideWindow { chapter, .. }
            | Self::NeverPlanned { chapter, .. } => Some(*chapter),
            Self::SameDescription { chapter, .. } => *chapter,
        }
    }
}

/// All irregularities, each once, the gravest first.
pub(super) fn irregularities(basis: &InventoryBasis<'_>, threads: &[Thread]) -> Vec<Irregularity> {
    let mut all: BTreeSet<Irregularity> = BTreeSet::new();
    for thread in threads {
        all.extend(in_ledger_before_planting(thread));
        all.extend(outside_window(basis, thread));
        all.extend(never_planned(basis, thread));
    }
    all.extend(planned_before_planting(basis));
    all.extend(not_planted(basis));
    all.extend(same_descriptions(threads));
    all.into_iter().collect()
}

fn in_ledger_before_planting(thread: &Thread) -> impl Iterator<Item = Irregularity> {
    let planted = thread.planted();
    let early = thread.history.iter().filter(move |step| planted.is_some_and(|planted| step.chapter < planted));
    early.map(move |step| Irregularity::BeforePlanting {
        id: thread.id.clone(),
        chapter: step.chapter,
        action: step.action,
        planted,
        ahead: false,
    })
}

/// Steps of coming chapters before any planting.
fn planned_before_planting(basis: &InventoryBasis<'_>) -> Vec<Irregularity> {
    let plants = |id: &Slug| {
        let own = basis.steps().filter(|step| step.action == Action::Planted && step.id == *id);
        own.map(|step| step.chapter).min()
    };
    let coming = basis.steps().filter(|step| step.chapter.get() > basis.last_completed);
    let unfounded = coming.filter(|step| step.action != Action::Planted && basis.ledger.get(&step.id).is_none());
    let early = unfounded.filter_map(|step| {
        let planted = plants(&step.id);
        let is_early = planted.is_none_or(|planted| planted > step.chapter);
        is_early.then(|| Irregularity::BeforePlanting {
            id: step.id.clone(),
            chapter: step.chapter,
            action: step.action,
            planted,
            ahead: true,
        })
    });
    early.collect()
}

fn not_planted(basis: &InventoryBasis<'_>) -> Vec<Irregularity> {
    let past = basis.steps().filter(|step| step.chapter.get() <= basis.last_completed);
    let missing = past.filter(|step| step.action == Action::Planted && basis.ledger.get(&step.id).is_none());
    missing.map(|step| Irregularity::NotPlanted { id: step.id.clone(), chapter: step.chapter }).collect()
}

/// A resolution outside the window in the present volume or later; those of earlier volumes cannot be changed.
fn outside_window(basis: &InventoryBasis<'_>, thread: &Thread) -> Option<Irregularity> {
    let window = thread.window.filter(|_| thread.scope != Scope::Long)?;
    let first = basis.volumes.iter().find(|plan| plan.volume == basis.present).and_then(|plan| plan.chapters);
    let (chapter, ahead) = match thread.resolved() {
        Some(chapter) => (chapter, false),
        // Every resolution of an overdue one is late.
        None if thread.standing == Standing::Overdue => return None,
        None => (thread.next(Action::Resolved)?, true),
    };
    let is_present = first.is_none_or(|(first, _)| chapter.get() >= first);
    let is_outside = !(window.0..=window.1).contains(&chapter.get());
    (is_present && is_outside).then(|| Irregularity::OutsideWindow { id: thread.id.clone(), chapter, window, ahead })
}

/// An open one without a plan, where the outline of its chapter is known.
fn never_planned(basis: &InventoryBasis<'_>, thread: &Thread) -> Option<Irregularity> {
    let chapter = thread.planted().filter(|_| thread.is_open())?;
    let covers = |(first, end): (u32, u32)| (first..=end).contains(&chapter.get());
    let is_known = basis.volumes.iter().any(|plan| plan.chapters.is_some_and(covers));
    let is_named = basis.planned(&thread.id).next().is_some() || basis.steps().any(|step| step.id == thread.id);
    (is_known && !is_named).then(|| Irregularity::NeverPlanned { id: thread.id.clone(), chapter })
}

/// Pairs of ids whose descriptions have equal letters and characters, at least one of them not resolved.
fn same_descriptions(threads: &[Thread]) -> Vec<Irregularity> {
    let mut by_words: BTreeMap<String, Vec<&Thread>> = BTreeMap::new();
    for thread in threads {
        let words: String = thread.description.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
        if !words.is_empty() {
            by_words.entry(words).or_default().push(thread);
        }
    }
    let mut pairs = Vec::new();
    for mut same in by_words.into_values() {
        same.sort_by_key(|thread| (thread.planted().is_none(), thread.planted(), &thread.id));
        let Some((first, others)) = same.split_first() else { continue };
        let doubled =
            others.iter().filter(|other| other.standing != Standing::Resolved || first.standing != Standing::Resolved);
        pairs.extend(doubled.map(|other| Irregularity::SameDescription {
            id: first.id.clone(),
            other: other.id.clone(),
            chapter: other.planted(),
        }));
    }
    pairs
}

/// Chapters of an agenda: as many as an author writes at a time (product document §5: one to three).
pub const NEXT: u32 = 3;

/// Why a chapter should act on a foreshadowing, the most urgent first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum AgendaReason {
    /// The window ended with this chapter.
    Late(u32),
    /// The window ends with the chapter.
    LastChance,
    /// This chapter should have planted the foreshadowing.
    PlantingMissed(ChapterNo),
    /// The window, which ends with this chapter, has begun, and no chapter is planned to resolve it in time.
    WindowOpen(u32),
    /// The foreshadowing has not been mentioned for too long.
    Neglected(Neglect),
    Planned,
}

impl AgendaReason {
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Late(_) => "late",
            Self::LastChance => "last-chance",
            Self::PlantingMissed(_) => "planting-missed",
            Self::WindowOpen(_) => "window-open",
            Self::Neglected(_) => "neglected",
            Self::Planned => "planned",
        }
    }
}

/// The name of the reason alone.
impl Serialize for AgendaReason {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgendaItem {
    pub chapter: ChapterNo,
    pub id: Slug,
    pub action: Action,
    pub reason: AgendaReason,
    /// True for a planned step; false for a proposal.
    pub planned: bool,
    /// The plan's words, if any.
    pub detail: String,
}

impl Inventory {
    /// The tasks of the next `chapters` chapters, in order and the most urgent first in each: planned steps, and
    /// proposals for the next chapter where no plan acts in time.
    pub fn agenda(&self, chapters: u32) -> Vec<AgendaItem> {
        let until = self.last_completed.saturating_add(chapters);
        let mut items: Vec<(bool, u32, AgendaItem)> = Vec::new();
        for thread in &self.threads {
            let due = thread.window.map_or(u32::MAX, |(_, to)| to);
            let planned = thread.ahead.iter().filter(|step| step.chapter.get() <= until);
            let planned = planned.map(|step| AgendaItem {
                chapter: step.chapter,
                id: thread.id.clone(),
                action: step.action,
                reason: self.pressing(thread, step.chapter).unwrap_or(AgendaReason::Planned),
                planned: true,
                detail: step.detail.clone(),
            });
            let all = planned.chain(self.proposed(thread, until));
            items.extend(all.map(|item| (!thread.is_core(), due, item)));
        }
        items.sort_by(|(ordinary, due, item), (other_ordinary, other_due, other)| {
            let key = (item.chapter, &item.reason, ordinary, due, &item.id, item.action);
            key.cmp(&(other.chapter, &other.reason, other_ordinary, other_due, &other.id, other.action))
        });
        items.into_iter().map(|(_, _, item)| item).collect()
    }

    /// The urgent reason at that chapter, if any.
    fn pressing(&self, thread: &Thread, chapter: ChapterNo) -> Option<AgendaReason> {
        match (thread.standing, thread.window) {
            (Standing::Overdue | Standing::Due, Some((_, to))) if chapter.get() > to => Some(AgendaReason::Late(to)),
            (Standing::Overdue | Standing::Due, Some((_, to))) if chapter.get() == to => Some(AgendaReason::LastChance),
            (Standing::Due, Some((_, to))) if thread.next(Action::Resolved).is_none_or(|at| at.get() > to) => {
                Some(AgendaReason::WindowOpen(to))
            }
            _ => thread.neglect.map(AgendaReason::Neglected),
        }
    }

    /// The proposal for the next chapter about a foreshadowing whose plan comes too late or is missing.
    fn proposed(&self, thread: &Thread, until: u32) -> Option<AgendaItem> {
        let next = ChapterNo::after(self.last_completed);
        let is_soon = |step: Option<ChapterNo>| step.is_some_and(|at| at.get() <= until);
        let is_touched = is_soon(thread.ahead.first().map(|step| step.chapter));
        let resolves = thread.next(Action::Resolved);
        // Readers need no reminder of a thing they have just met.
        let is_fresh = thread.last_touched().is_some_and(|at| at.get() + SHORT_RANGE.0 > self.last_completed);
        let (action, reason) = match thread.standing {
            Standing::Resolved => return None,
            Standing::Planned => {
                let chapter = self.missed_planting(thread).filter(|_| thread.next(Action::Planted).is_none())?;
                (Action::Planted, AgendaReason::PlantingMissed(chapter))
            }
            _ => match self.pressing(thread, next)? {
                reason @ (AgendaReason::Late(_) | AgendaReason::LastChance) if !is_soon(resolves) => {
                    (Action::Resolved, reason)
                }
                reason @ (AgendaReason::WindowOpen(_) | AgendaReason::Neglected(_)) if !is_touched && !is_fresh => {
                    (Action::Advanced, reason)
                }
                _ => return None,
            },
        };
        let detail = String::new();
        Some(AgendaItem { chapter: next, id: thread.id.clone(), action, reason, planned: false, detail })
    }

    /// The past chapter that should have planted it.
    fn missed_planting(&self, thread: &Thread) -> Option<ChapterNo> {
        let missed = self.irregularities.iter().filter_map(|irregularity| match irregularity {
            Irregularity::NotPlanted { id, chapter } if *id == thread.id => Some(*chapter),
            _ => None,
        });
        missed.max()
    }
}
