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
mod prompts;
pub mod refiner;
pub mod retell;
pub mod revision_wish;
pub mod scenes;
pub mod style_analyzer;
pub mod summarizer;
pub mod writer;

pub use crate::agents::call::prompt::{PromptError, Prompts};
pub use crate::agents::call::task::SceneOrder;
pub use call::again_words::{Again, ask_again};
pub use call::prompt::{Prompt, PromptPart, ReplyForm};
pub use call::reply::{FieldKind, ReplyFault, Why};
pub use call::task::{Opinion, Task};
pub use checks::parroting::{echo, echo_of, is_example, without_examples};
pub use context::chapter::ChapterContext;
pub use context::{Breakdown, HouseList};
pub use planners::context::{CastRequest, PlanningContext, VolumeOrder};
pub use prompts::prompt;
