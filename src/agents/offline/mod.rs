//! The built-in offline writer: answers every task as a model would, without a key or a network.
//!
//! It is how every path of the program is walked without a model: the demo book, crash tests, benchmarks, decisions.
//! Its prose is plain: a stock of phrases (`templates/offline/`) filled with the book's own people and places, from
//! which the outline is played in scenes. Everything is a function of the material: the same task has the same
//! answer, on every machine. Replies go through the same parsers as a model's.
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
//! The last one is for the review of a volume: how the book should go on, and with how many chapters. A line with a
//! chapter or a volume in brackets goes before one without. The first judgement is the draft's; a revision or a
//! rewrite has the next one. Which text it has before it the judge tells by the opening paragraph; under another
//! opening a text counts as a first draft.

mod phrases;
mod planner;
mod scenario;
mod writer;

use crate::agents::Task;

/// The name under which logs and commits list it in place of a model.
pub const NAME: &str = "offline";

/// The reply that a model would give to the task.
pub fn answer(task: &Task<'_>) -> String {
    match *task {
        Task::Draft { context } => writer::draft(context, 0),
        Task::ScenePlan { context, .. } => writer::scene_plan(context),
        Task::Scene { context, order } => writer::scene(context, order),
        Task::Revise { context, text, fixes, violations, .. } => writer::revise(context, text, fixes, violations),
        Task::Rewrite { context, .. } => writer::draft(context, 1),
        Task::Summarize { context, text, .. } => readers::summarize(context, text),
        Task::Retell { text, .. } => readers::retell(text),
        Task::Refine { context, text, pass, .. } => readers::refine(context, text, pass),
        Task::Judge { context, text, .. } => readers::judge(context, text),
        Task::AnalyzeStyle { samples, name, .. } => readers::analyze(samples, name),
        Task::World { context, request } => planner::world(context, request),
        Task::Theme { context } => planner::theme(context),
        Task::Cast { context, request } => planner::cast(context, request),
        Task::Storyline { context, wish } => planner::line(context, wish),
        Task::Schedule { context, order, kept, .. } => planner::schedule(context, order, kept),
        Task::Outline { context, order, plan, chapters: (from, to), .. } => {
            planner::outline(context, order, plan, &(from..=to).collect::<Vec<u32>>())
        }
        Task::Review { context, volume, .. } => planner::review(context, volume),
        Task::Blurb { context, .. } => planner::blurb(context),
        Task::Fill { context, order, plan, gaps } => {
            planner::outline(context, order, plan, &gaps.keys().map(|chapter| chapter.get()).collect::<Vec<u32>>())
        }
        Task::Amend { context, plan, chapters, flaws, .. } => planner::amend(context, plan, chapters, flaws),
    }
}

mod readers;
#[cfg(test)]
mod tests;
