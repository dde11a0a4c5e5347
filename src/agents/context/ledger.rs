//! The foreshadowings that concern a chapter.

use crate::agents::context::{PartLimits, may_know};
use crate::agents::prelude::*;
use crate::domain::volume::foreshadowing::{Foreshadowing, Scope};
use crate::domain::volume::inventory::irregular::{AgendaItem, NEXT};
use crate::domain::volume::inventory::{Inventory, InventoryBasis, VolumePlan};
use crate::domain::volume::outline::ThreadTask;
use std::cmp::Reverse;

/// Further overdue ones are left out, the youngest first.
const MAX_OVERDUE: usize = 8;
/// The most proposals for a writer: each takes room from the chapter's own plan.
const MAX_PROPOSED: usize = 3;

/// The chapter's tasks, open foreshadowings of its storyline, and all overdue ones.
pub(crate) fn ledger(context: &ChapterContext, extent: &PartLimits) -> String {
    groups(context, extent, &[])
}

/// The foreshadowings with the most urgent proposals about the chapter's line and those that it may touch.
pub(crate) fn ledger_with_proposals(context: &ChapterContext, extent: &PartLimits) -> String {
    groups(context, extent, &proposals(context))
}

fn groups(context: &ChapterContext, extent: &PartLimits, proposed: &[AgendaItem]) -> String {
    let tasks = &context.section.tasks;
    let is_named = |id: &Slug| tasks.iter().any(|task| task.id == *id) || proposed.iter().any(|item| item.id == *id);
    let chapter = context.chapter.get();
    let unnamed = context.ledger.open().filter(|entry| !is_named(&entry.id));
    let (overdue, open): (Vec<_>, Vec<_>) = unnamed.partition(|entry| entry.overdue(chapter - 1));
    let mut open: Vec<_> = open.into_iter().filter(|entry| entry.storyline == *context.storyline()).collect();
    if open.len() > extent.open {
        open.sort_by_key(|entry| (Reverse(entry.last_updated_chapter()), &entry.id));
        open.truncate(extent.open);
        open.sort_by_key(|entry| (entry.planted_chapter(), &entry.id));
    }
    let line = |entry: &Foreshadowing| format!("{}：{}", entry.id, about(entry, chapter));
    let groups = [
        ("本章任务", tasks.iter().map(|task| task_line(context, task)).collect::<Vec<_>>()),
        ("章纲之外，合得上情节才做", proposed.iter().map(|item| proposal_line(context, item)).collect()),
        ("本线未收", open.into_iter().map(line).collect()),
        ("已超期", overdue.into_iter().take(MAX_OVERDUE).map(line).collect()),
    ];
    let groups = groups.into_iter().filter(|(_, lines)| !lines.is_empty());
    groups.map(|(name, lines)| format!("{name}：\n{}", super::bullets(lines))).collect()
}

/// The proposals that the chapter may know of, the most urgent first.
fn proposals(context: &ChapterContext) -> Vec<AgendaItem> {
    let plan = VolumePlan::of(context.volume, &context.outline, &context.planned, &context.contract);
    let inventory = Inventory::of(&InventoryBasis {
        ledger: &context.ledger,
        volumes: &[plan],
        present: context.volume,
        last_completed: context.chapter.get() - 1,
    });
    let knows = |id: &Slug| inventory.get(id).is_some_and(|thread| may_know(context, &thread.storyline));
    let proposed = inventory.agenda(NEXT).into_iter().filter(|item| !item.planned && knows(&item.id));
    proposed.take(MAX_PROPOSED).collect()
}

/// `sealed-letter：第12章埋下，最迟第20章回收，这一章推进：…（原为：…）`
fn task_line(context: &ChapterContext, task: &ThreadTask) -> String {
    let entry = context.ledger.get(&task.id);
    let line = format!("{}：{}：{}", task.id, orders(context, &task.id, task.action), clip_line(&task.detail, 80));
    match entry {
        Some(entry) => format!("{line}（原为：{}）", subject(entry)),
        None => line,
    }
}

fn proposal_line(context: &ChapterContext, item: &AgendaItem) -> String {
    let planned = || context.planned.iter().find(|planned| planned.id == item.id);
    let subject = match context.ledger.get(&item.id) {
        Some(entry) => subject(entry),
        None => planned().map(|planned| clip_line(&planned.description, 60)).unwrap_or_default(),
    };
    format!("{}：{}：{subject}", item.id, orders(context, &item.id, item.action))
}

/// `第12章埋下，最迟第20章回收，这一章推进`
fn orders(context: &ChapterContext, id: &Slug, action: Action) -> String {
    let chapter = context.chapter.get();
    let orders = format!("这一章{}", action.verb());
    let dates = match context.ledger.get(id) {
        Some(entry) => dates(entry, chapter),
        None => {
            let planned = context.planned.iter().find(|planned| planned.id == *id);
            planned.and_then(|planned| due(planned.target?, planned.scope, chapter)).into_iter().collect()
        }
    };
    dates.into_iter().chain([orders]).collect::<Vec<_>>().join("，")
}

/// The subject and the due range, for foreshadowings that the chapter does not touch.
fn about(entry: &Foreshadowing, chapter: u32) -> String {
    let due = entry.target.and_then(|target| due(target, entry.scope, chapter));
    due.map_or_else(|| subject(entry), |due| format!("{}；{due}", subject(entry)))
}

fn dates(entry: &Foreshadowing, chapter: u32) -> Vec<String> {
    let planted = format!("第{}章埋下", entry.planted_chapter().get());
    let due = entry.target.and_then(|target| due(target, entry.scope, chapter));
    std::iter::once(planted).chain(due).collect()
}

/// A due range in words for a chapter. A long one has no fixed date, so a past range says nothing.
fn due((from, to): (u32, u32), scope: Scope, chapter: u32) -> Option<String> {
    match chapter {
        _ if chapter > to => (scope != Scope::Long).then(|| format!("原定最迟第{to}章回收，已经过了")),
        _ if chapter >= from => Some(format!("最迟第{to}章回收")),
        _ => Some(format!("宜在第{from}至{to}章回收")),
    }
}

/// The description, and the last step after the planting.
fn subject(entry: &Foreshadowing) -> String {
    let mut text = clip_line(&entry.description, 60);
    if let [_, .., last] = &entry.history[..] {
        text.push_str(&format!("；第{}章{}：{}", last.chapter.get(), last.action.verb(), clip_line(&last.detail, 60)));
    }
    text
}
