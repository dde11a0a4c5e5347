//! Operations on a book: from a snapshot to the next action, one action at a time, and the events in between.
//! The decision what comes next is pure and stands in `domain` ([`stage`](crate::domain::chapter::stage::Progress::next) for a
//! chapter, [`journey`](crate::domain::workflow) for the book). Here it is carried out: [`chapter`] and [`planning`] take
//! work from its draft branch to its commit on what [`engine`] gives every kind of work; [`book`] reads the book and makes the
//! changes that no agent makes; [`recall`] finds passages on a memory server; [`checks`] and [`quality`] look at all of it; [`workflow`] answers the author's choices.

pub mod book;
pub mod chapter;
pub mod checks;
pub mod engine;
pub mod planning;
mod prelude;
pub mod quality;
pub mod rebuild;
pub mod recall;
pub mod sync;
pub mod workflow;

pub use crate::agents::Why;
pub use crate::pipeline::book::view::{config_now, sound_config};
pub use crate::pipeline::engine::clock::{Clock, Stop};
pub use book::view::BookView;
pub use chapter::run::{Goal, Outcome};
pub use engine::error::{Budget, RunError};
pub use engine::event::{Accepted, Event, RestoredFiles, Warning};
pub use engine::model_call::Calls;
pub use engine::responder::{AgentModel, ModelClient, Models, Responder, ThinkingSettings};
pub use engine::run::Run;
