//! The built-in offline writer: answers every task as a model would, without a key or a network.
//!
//! It is how every path of the program is walked without a model: the demo book, crash tests, benchmarks, decisions.
//! Its prose comes from a grammar of sentence patterns (`patterns/`) filled with the book's own people, places and
//! outline; a storyline's kind sets the tone, the genre the props. Everything is a function of the
//! material: the same task has the same answer, on every machine. Replies go through the same parsers as a model's.
//!
//! # Rehearsing decisions (排练)
//!
//! Left alone, no chapter is ever paused or rewritten. An author who wants to see what the gate does writes into
//! `brief.md` what the offline judge shall find, one entry a judgement of the chapter, the last one repeating:
//!
//! ```text
//! 离线评分: 3.2, 4.1
//! 离线评分(ch-005): 2.4
//! 离线违规(ch-006): W-001, 无
//! 离线进度(vol-02): wrap_up, 8
//! ```
//!
//! The last one is for the review of a volume: how the book should go on, and with how many chapters. A line with a chapter
//! or a volume in brackets goes before one without. The first judgement is the draft's; a revision or a
//! rewrite has the next one. Which text it has before it the judge tells by the opening paragraph, which is different for
//! each edition and never touched by the offline refiner; under another opening a text counts as a first draft.

mod chance;
mod cut;
mod decks;
mod edition;
mod judge;
mod patterns;
mod people;
mod planner;
mod prose;
mod refiner;
mod rehearsal;
mod scenario;
mod scenes;
mod style;
mod summarizer;
mod talk;
mod writer;

use super::Task;
use crate::domain::world::style::StyleSource;

/// The name under which logs and commits list it in place of a model.
pub const NAME: &str = "offline";

/// The reply that a model would give to the task.
#[must_use]
pub fn answer(task: &Task<'_>) -> String {
    match *task {
        Task::Draft { material } => writer::draft(material),
        Task::ScenePlan { material, .. } => scenes::plan(material),
        Task::Scene { material, order } => scenes::scene(material, order),
        Task::Revise { material, text, fixes, violations, round } => {
            writer::revise(material, text, fixes, violations, round)
        }
        Task::Rewrite { material, .. } => writer::rewrite(material),
        Task::Summarize { material, text, .. } => summarizer::summarize(material, text),
        Task::Refine { material, text, pass, .. } => refiner::refine(material, text, pass),
        Task::Judge { material, text, second, .. } => judge::judge(material, text, second),
        Task::AnalyzeStyle { samples, source, name, .. } => {
            style::analyze(samples, name.filter(|_| source == StyleSource::Reference))
        }
        Task::World { lore, request } => planner::world(lore, request),
        Task::Theme { lore } => planner::theme(lore),
        Task::Cast { lore, request } => planner::cast(lore, request),
        Task::Storyline { lore, wish } => planner::line(lore, wish),
        Task::Schedule { lore, order, kept, .. } => planner::schedule(lore, order, kept),
        Task::Outline { lore, order, plan, chapters, .. } => planner::outline(lore, order, plan, chapters),
        Task::Review { lore, volume, .. } => planner::review(lore, volume),
        Task::Fill { lore, order, plan, gaps } => planner::fill(lore, order, plan, gaps),
        Task::Amend { lore, plan, chapters, flaws, .. } => planner::amend(lore, plan, chapters, flaws),
    }
}

#[cfg(test)]
mod tests;
