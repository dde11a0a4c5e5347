//! The agenda: tasks of the next chapters for foreshadowings.

use super::irregular::Irregularity;
use super::{Inventory, Neglect, Standing, Thread};
use crate::domain::volume::foreshadowing::{Action, SHORT_RANGE};
use crate::domain::{ChapterNo, Slug};

/// Chapters of an agenda: as many as an author writes at a time (product document §5: one to three).
pub const NEXT: u32 = 3;

/// Why a chapter should act on a foreshadowing, the most urgent first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
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

impl Reason {
    /// The name in `--json`.
    pub const fn name(&self) -> &'static str {
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgendaItem {
    pub chapter: ChapterNo,
    pub id: Slug,
    pub action: Action,
    pub reason: Reason,
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
                reason: self.pressing(thread, step.chapter).unwrap_or(Reason::Planned),
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
    fn pressing(&self, thread: &Thread, chapter: ChapterNo) -> Option<Reason> {
        match (thread.standing, thread.window) {
            (Standing::Overdue | Standing::Due, Some((_, to))) if chapter.get() > to => Some(Reason::Late(to)),
            (Standing::Overdue | Standing::Due, Some((_, to))) if chapter.get() == to => Some(Reason::LastChance),
            (Standing::Due, Some((_, to))) if thread.next(Action::Resolved).is_none_or(|at| at.get() > to) => {
                Some(Reason::WindowOpen(to))
            }
            _ => thread.neglect.map(Reason::Neglected),
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
                (Action::Planted, Reason::PlantingMissed(chapter))
            }
            _ => match self.pressing(thread, next)? {
                reason @ (Reason::Late(_) | Reason::LastChance) if !is_soon(resolves) => (Action::Resolved, reason),
                reason @ (Reason::WindowOpen(_) | Reason::Neglected(_)) if !is_touched && !is_fresh => {
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
