//! Contradictions between ledger and plans of foreshadowings.

use super::{Basis, Standing, Thread};
use crate::domain::volume::foreshadowing::{Action, Scope};
use crate::domain::{ChapterNo, Slug};
use std::collections::{BTreeMap, BTreeSet};

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
pub(super) fn irregularities(basis: &Basis<'_>, threads: &[Thread]) -> Vec<Irregularity> {
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
fn planned_before_planting(basis: &Basis<'_>) -> Vec<Irregularity> {
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

fn not_planted(basis: &Basis<'_>) -> Vec<Irregularity> {
    let past = basis.steps().filter(|step| step.chapter.get() <= basis.last_completed);
    let missing = past.filter(|step| step.action == Action::Planted && basis.ledger.get(&step.id).is_none());
    missing.map(|step| Irregularity::NotPlanted { id: step.id.clone(), chapter: step.chapter }).collect()
}

/// A resolution outside the window in the present volume or later; those of earlier volumes cannot be changed.
fn outside_window(basis: &Basis<'_>, thread: &Thread) -> Option<Irregularity> {
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
fn never_planned(basis: &Basis<'_>, thread: &Thread) -> Option<Irregularity> {
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
