//! One file per agent: typed input to prompt and schema, reply to typed output. A [`Task`] becomes a [`Prompt`]
//! ([`prompt()`]), a model or the offline writer answers it, and the agent's own `read` turns the answer into values of
//! the domain, or into a [`ReplyFault`] from which [`ask_again()`] makes a second request. Nothing here waits, reads a
//! file or knows which model answers.

pub mod calibration;
pub mod call;
pub mod checks;
pub mod context;
pub mod judge;
pub mod offline;
pub mod planners;
mod prelude;
pub mod refiner;
pub mod revision_wish;
pub mod scenes;
pub mod style_analyzer;
pub mod summarizer;
pub mod writer;

pub use crate::agents::call::again_words::{Again, ask_again};
pub use crate::agents::call::prompt::{Prompt, PromptError, PromptPart, Prompts, ReplyForm};
pub use crate::agents::call::reply::{FieldKind, ReplyFault, Why};
pub use crate::agents::call::task::{Opinion, SceneOrder, Task};
pub use crate::agents::checks::parroting::{echo, echo_of, is_example, without_examples};
pub use crate::agents::context::Breakdown;
pub use crate::agents::context::chapter::{ChapterContext, HouseList};
pub use crate::agents::planners::context::{CastRequest, PlanningContext, VolumeOrder};
use crate::agents::planners::{character_weaver, plot_architect, world_builder};

/// Makes the prompt of a task. Fails when a text of the book's `prompts/` folder does not fit its agent.
pub fn prompt(task: &Task, prompts: &Prompts) -> Result<Prompt, PromptError> {
    match task {
        Task::Draft { context }
        | Task::Scene { context, .. }
        | Task::Revise { context, .. }
        | Task::Rewrite { context, .. } => writer::prompt(context, task, prompts),
        Task::ScenePlan { context, reasons } => scenes::plan_prompt(context, reasons, prompts),
        Task::Summarize { context, text, hints } => summarizer::prompt(context, text, hints, prompts),
        Task::Retell { text, before } => summarizer::retell_prompt(text, before, prompts),
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
        Task::Theme { context } => plot_architect::theme_prompt(context, prompts),
        Task::Storyline { context, wish } => plot_architect::storyline_prompt(context, wish, prompts),
        Task::Schedule { context, order, kept, flaws } => {
            plot_architect::schedule::prompt(context, order, kept, flaws, prompts)
        }
        Task::Outline { context, order, plan, chapters, flaws } => {
            let request = plot_architect::outline::OutlineRequest { order, plan, chapters: *chapters, flaws };
            plot_architect::outline::prompt(context, &request, prompts)
        }
        Task::Review { context, volume, figures } => plot_architect::review_prompt(context, *volume, figures, prompts),
        Task::Blurb { context, opening } => plot_architect::blurb_prompt(context, opening, prompts),
        Task::Fill { context, order, plan, gaps } => {
            plot_architect::outline::fill_prompt(context, order, plan, gaps, prompts)
        }
        Task::Amend { context, plan, chapters, changes, flaws } => {
            let request = plot_architect::outline::AmendRequest { plan, chapters, changes, flaws };
            plot_architect::outline::amend_prompt(context, &request, prompts)
        }
    }
}
