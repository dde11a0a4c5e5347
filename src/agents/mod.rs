//! One file an agent: typed input to prompt and schema, reply to typed output.
//!
//! The way of a call: a [`Task`] becomes a [`Prompt`] ([`prompt()`]), somebody answers it, and the agent's own `read`
//! turns the answer into values of the domain, or into a [`ReplyFault`] from which [`ask_again()`] makes the words for a
//! second try. Nothing here waits, reads a file or knows which model answers.

pub mod amendments;
pub mod lore;
pub mod material;
pub mod offline;
pub mod task;

pub mod fill;
pub mod prompts;

pub mod context;
mod measure;
pub mod rulebook;

pub mod prompt;
pub mod reply;

mod chat;
pub mod completeness;

pub mod edits;
pub mod judge;
pub mod refiner;
pub mod scenes;
pub mod style_analyzer;
pub mod summarizer;
pub mod writer;

pub mod character_weaver;
pub mod plot_architect;
pub mod world_builder;

pub mod ask_again;
pub mod echo;

pub use ask_again::{Again, ask_again};
pub use context::Breakdown;
pub use echo::{echo, echo_of, is_example, without_examples};
pub use lore::{CastRequest, Lore, VolumeOrder};
pub use material::Material;
pub use prompt::{Answer, Prompt, PromptPart, prompt};
pub use prompts::{PromptError, Prompts};
pub use reply::ReplyFault;
pub use scenes::SceneOrder;
pub use task::Task;
