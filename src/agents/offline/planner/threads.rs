//! The foreshadowing of a volume: what earlier volumes left open is taken up, the rest is new.

use super::super::patterns::pool;
use super::Desk;
use crate::agents::planners::context::VolumeOrder;
use crate::domain::volume::foreshadowing::{Action, Planned, Scope};
use crate::domain::volume::outline::Section;
use crate::domain::{ChapterNo, Slug};
use std::collections::{BTreeMap, BTreeSet};

/// The id of the thread that the trial chapters plant.
pub(super) const FIRST_LAMP: &str = "first_lamp";

/// The truth behind that thread: the ledger and the trial outline know only how it is planted.
pub(super) fn first_lamp(desk: &Desk<'_>) -> String {
    format!("头一盏灯：{}", desk.deal("plan truth", 0))
}

/// The chapters of a volume that are still to be written.
#[derive(Clone, Copy)]
struct Free {
    first: u32,
    last: u32,
}

impl Free {
    fn count(self) -> u32 {
        (self.last + 1).saturating_sub(self.first)
    }

    /// A chapter for the `turn`-th thing that has no date of its own.
    fn spread(self, turn: u32) -> Option<u32> {
        (self.count() > 0).then(|| self.first + (2 + turn * 5) % self.count())
    }
}

/// Everything that the volume plants or goes on with. `lines` says which line each chapter is on.
pub(super) fn threads(
    desk: &Desk<'_>,
    order: &VolumeOrder,
    kept: &[Section],
    lines: &BTreeMap<u32, Slug>,
) -> Vec<Planned> {
    let first = kept.iter().map(|section| section.chapter.get() + 1).max().unwrap_or(order.first);
    let free = Free { first: first.max(order.first), last: order.last() };
    let open = open(desk, kept);
    if order.closing {
        return open.iter().zip(0..).map(|(open, turn)| paid_off(open, free, turn)).collect();
    }
    let mut planned: Vec<Planned> = open.iter().zip(0..).map(|(open, turn)| taken_up(open, free, turn)).collect();
    let own =
        kept.iter().flat_map(|section| &section.tasks).filter(|task| task.action == Action::Planted).count() as u32;
    let has_long = open.iter().any(|open| open.scope == Scope::Long);
    let mut new =
        New { desk, order, lines, taken: planned.iter().map(|planned| planned.id.clone()).collect(), count: 0 };
    new.taken.extend(desk.context.ledger.entries.iter().map(|entry| entry.id.clone()));
    new.taken.extend(kept.iter().flat_map(|section| &section.tasks).map(|task| task.id.clone()));
    planned.extend(new.all(free, own, has_long));
    planned
}

/// Something that is planted and not paid off.
struct Open {
    id: Slug,
    description: String,
    scope: Scope,
    storyline: Slug,
    target: Option<(u32, u32)>,
    is_taken_up: bool,
}

/// The open threads of the ledger, and those that the kept chapters plant beyond it.
fn open(desk: &Desk<'_>, kept: &[Section]) -> Vec<Open> {
    let entries = desk.context.ledger.open().map(|entry| Open {
        id: entry.id.clone(),
        description: entry.description.clone(),
        scope: entry.scope,
        storyline: entry.storyline.clone(),
        target: entry.target,
        is_taken_up: entry.status() == Action::Advanced,
    });
    let mut open: Vec<Open> = entries.collect();
    for section in kept {
        for task in &section.tasks {
            let known = open.iter_mut().find(|open| open.id == task.id);
            match (task.action, known) {
                (Action::Planted, None) if desk.context.ledger.get(&task.id).is_none() => open.push(Open {
                    id: task.id.clone(),
                    description: task.detail.clone(),
                    scope: Scope::Short,
                    storyline: section.storyline.clone(),
                    target: Some((section.chapter.get() + 3, section.chapter.get() + 10)),
                    is_taken_up: false,
                }),
                (Action::Advanced, Some(known)) => known.is_taken_up = true,
                (Action::Resolved, _) => open.retain(|open| open.id != task.id),
                _ => {}
            }
        }
    }
    for lamp in open.iter_mut().filter(|open| open.id.as_str().starts_with(FIRST_LAMP)) {
        lamp.description = first_lamp(desk);
    }
    open
}

/// How the volume goes on with it: paid off where that is due here, met once more where it is not.
fn taken_up(open: &Open, free: Free, turn: u32) -> Planned {
    let is_later = |target: (u32, u32)| match open.scope {
        Scope::Short => target.0 > free.last,
        Scope::Medium | Scope::Long => target.1 > free.last,
    };
    let (advance, target) = match (open.scope, open.target) {
        _ if free.count() == 0 => (None, None),
        (Scope::Long, _) => (free.spread(turn), None),
        (_, Some(target)) if is_later(target) => (free.spread(turn), Some(target)),
        (_, target) => {
            let (from, to) = target.unwrap_or((free.first + free.count() / 3, free.last));
            let (from, to) = (from.max(free.first), to.min(free.last));
            let (from, to) = if from > to {
                // Overdue: soon, but not all at once.
                let from = free.first + (1 + turn * 2) % free.count().min(8);
                (from, (from + 3).min(free.last))
            } else {
                (from, to)
            };
            let reminder = (!open.is_taken_up && from > free.first).then(|| from - 1);
            (reminder, Some((from, to)))
        }
    };
    Planned {
        id: open.id.clone(),
        description: open.description.clone(),
        scope: open.scope,
        storyline: open.storyline.clone(),
        plant: None,
        advance: advance.into_iter().collect(),
        target,
    }
}

/// How the volume that ends the book pays it off: all of them, spread over its second half.
fn paid_off(open: &Open, free: Free, turn: u32) -> Planned {
    let count = free.count().max(1);
    let half = count / 2;
    let to = (free.first + half + turn % (count - half)).min(free.last);
    let from = to.saturating_sub(1).max(free.first);
    let reminder = (!open.is_taken_up && from > free.first).then(|| from - 1);
    Planned {
        id: open.id.clone(),
        description: open.description.clone(),
        scope: open.scope,
        storyline: open.storyline.clone(),
        plant: None,
        advance: reminder.into_iter().collect(),
        target: Some((from, to)),
    }
}

/// Makes up new ones.
struct New<'a> {
    desk: &'a Desk<'a>,
    order: &'a VolumeOrder,
    lines: &'a BTreeMap<u32, Slug>,
    taken: BTreeSet<Slug>,
    count: usize,
}

impl New<'_> {
    /// About three in ten chapters, of which one may reach beyond the volume and one across the book.
    fn all(&mut self, free: Free, own: u32, has_long: bool) -> Vec<Planned> {
        let (chapters, count) = (self.order.chapters, free.count());
        let mut planned = Vec::new();
        let long = !has_long && count >= 2;
        let medium = chapters >= 8 && count >= 4;
        let total = (chapters * 3 + 5) / 10;
        let short = total.saturating_sub(own + u32::from(long) + u32::from(medium)).max(u32::from(own == 0));
        // The last three chapters plant nothing that would have to be paid off within the volume.
        let room = count.saturating_sub(3);
        let short = short.min(room);
        for turn in 0..short {
            let plant = free.first + (room * turn + room / 2) / short;
            let (from, to) = match plant + 4 {
                from if from <= free.last => (from, (from + 1 + turn % 4).min(free.last)),
                _ => (free.last, free.last),
            };
            planned.extend(self.one(Scope::Short, plant, vec![plant + 2], Some((from, to))));
        }
        if medium {
            let (plant, again) = (free.first + count / 4, free.first + count * 2 / 3);
            planned.extend(self.one(Scope::Medium, plant, vec![again], Some((free.last + 2, free.last + 5))));
        }
        if long {
            let plant = free.first + u32::from(count > 2);
            let again = plant + (count / 2).max(1);
            let advance = if again <= free.last { vec![again] } else { Vec::new() };
            planned.extend(self.one(Scope::Long, plant, advance, None));
        }
        planned
    }

    fn one(&mut self, scope: Scope, plant: u32, advance: Vec<u32>, target: Option<(u32, u32)>) -> Option<Planned> {
        let volume = self.order.volume.get();
        let things = pool(&self.desk.aged("plan thing")).len().max(1);
        // Each volume begins elsewhere in the list, and a second round through it is told apart by a number.
        let turn = self.count + volume as usize * 7;
        let round = self.count / things + 1;
        self.count += 1;
        let (word, name) = self.desk.deal_aged("plan thing", turn).split_once(' ').unwrap_or(("token", "旧物"));
        let base = if round == 1 { format!("{word}_v{volume}") } else { format!("{word}{round}_v{volume}") };
        let numbered = (2u32..100).map(|n| format!("{base}_{n}"));
        let id = std::iter::once(base.clone()).chain(numbered).filter_map(|id| Slug::new(&id).ok());
        let id = id.into_iter().find(|id| !self.taken.contains(id))?;
        self.taken.insert(id.clone());
        let truth = self.desk.deal("plan truth", turn + volume as usize * 3);
        Some(Planned {
            id,
            description: format!("{name}：{truth}"),
            scope,
            storyline: self.lines.get(&plant)?.clone(),
            plant: ChapterNo::new(plant),
            advance,
            target,
        })
    }
}
