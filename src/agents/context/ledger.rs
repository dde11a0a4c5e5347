//! The foreshadowings that concern a chapter.

use super::Extent;
use crate::agents::context::chapter::ChapterContext;
use crate::agents::context::measure::clip_line;
use crate::domain::volume::foreshadowing::Foreshadowing;
use crate::domain::volume::outline::Task;
use std::cmp::Reverse;

/// Overdue ones beyond these are left out, the youngest first.
const MAX_OVERDUE: usize = 8;

/// The chapter's tasks, the open ones of its storyline, and those overdue anywhere.
pub(crate) fn ledger(context: &ChapterContext, extent: &Extent) -> String {
    let tasks = &context.section.tasks;
    let has_task = |entry: &Foreshadowing| tasks.iter().any(|task| task.id == entry.id);
    let last = context.chapter.get() - 1;
    let (overdue, open): (Vec<_>, Vec<_>) =
        context.ledger.open().filter(|entry| !has_task(entry)).partition(|entry| entry.overdue(last));
    let mut open: Vec<_> = open.into_iter().filter(|entry| entry.storyline == *context.storyline()).collect();
    if open.len() > extent.open {
        open.sort_by_key(|entry| (Reverse(entry.last_updated_chapter()), &entry.id));
        open.truncate(extent.open);
        open.sort_by_key(|entry| (entry.planted_chapter(), &entry.id));
    }
    let tasks = tasks.iter().map(|task| task_line(task, context.ledger.get(&task.id)));
    let groups = [
        ("本章任务", tasks.collect::<Vec<_>>()),
        ("本线未收", open.into_iter().map(entry_line).collect()),
        ("已逾期", overdue.into_iter().take(MAX_OVERDUE).map(entry_line).collect()),
    ];
    let groups = groups.into_iter().filter(|(_, lines)| !lines.is_empty());
    groups.map(|(name, lines)| format!("{name}：\n{}", super::bullets(lines))).collect()
}

fn task_line(task: &Task, entry: Option<&Foreshadowing>) -> String {
    let line = format!("{} {}：{}", task.action.verb(), task.id, clip_line(&task.detail, 80));
    match entry {
        Some(entry) => format!("{line}（原为：{}）", about(entry)),
        None => line,
    }
}

fn entry_line(entry: &Foreshadowing) -> String {
    format!("{}：{}", entry.id, about(entry))
}

fn about(entry: &Foreshadowing) -> String {
    let mut text = clip_line(&entry.description, 60);
    if let [_, .., last] = &entry.history[..] {
        text.push_str(&format!("；第{}章{}：{}", last.chapter.get(), last.action.verb(), clip_line(&last.detail, 60)));
    }
    if let Some((from, to)) = entry.target {
        text.push_str(&format!("；宜在第{from}至{to}章回收"));
    }
    text
}
