use super::call::prompt::{Prompt, PromptError, Prompts};
use super::call::task::Task;
use super::planners::{character_weaver, plot_architect, world_builder};
use super::{judge, refiner, retell, scenes, style_analyzer, summarizer, writer};

/// Makes the prompt of a task. Fails when a text of the book's `prompts/` folder does not fit its agent.
pub fn prompt(task: &Task, prompts: &Prompts) -> Result<Prompt, PromptError> {
    match task {
        Task::Draft { context }
        | Task::Scene { context, .. }
        | Task::Revise { context, .. }
        | Task::Rewrite { context, .. } => writer::prompt(context, task, prompts),
        Task::ScenePlan { context, reasons } => scenes::plan_prompt(context, reasons, prompts),
        Task::Summarize { context, text, hints } => summarizer::prompt(context, text, hints, prompts),
        Task::Retell { text, before } => retell::prompt(text, before, prompts),
        Task::Refine { context, text, pass, remarks } => refiner::prompt(context, text, *pass, remarks, prompts),
        Task::Judge { context, text, cross_references, measured, opinion } => {
            let evidence = judge::JudgeInput { text, cross_references, measured };
            judge::prompt(context, &evidence, *opinion, prompts)
        }
        Task::AnalyzeStyle { samples, measured, source, name } => {
            style_analyzer::prompt(samples, measured, (*source, *name), prompts)
        }
        Task::World { context, request } => world_builder::prompt(context, request, prompts),
        Task::Cast { context, request } => character_weaver::prompt(context, request, prompts),
        Task::Theme { context } => plot_architect::theme::prompt(context, prompts),
        Task::Storyline { context, wish } => plot_architect::storyline::prompt(context, wish, prompts),
        Task::Schedule { context, order, kept, flaws } => {
            plot_architect::schedule::prompt(context, order, kept, flaws, prompts)
        }
        Task::Outline { context, order, plan, chapters, flaws } => {
            let request = plot_architect::outline::OutlineRequest { order, plan, chapters: *chapters, flaws };
            plot_architect::outline::prompt(context, &request, prompts)
        }
        Task::Review { context, volume, figures } => plot_architect::review::prompt(context, *volume, figures, prompts),
        Task::Blurb { context, opening } => plot_architect::blurb::prompt(context, opening, prompts),
        Task::Fill { context, order, plan, gaps } => plot_architect::fill::prompt(context, order, plan, gaps, prompts),
        Task::Amend { context, plan, chapters, changes, flaws } => {
            let request = plot_architect::amend::AmendRequest { plan, chapters, changes, flaws };
            plot_architect::amend::prompt(context, &request, prompts)
        }
    }
}
