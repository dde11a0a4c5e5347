//! The shared parts of every kind of work: the run, its events and errors, the models that answer and the calls to them, drafts,
//! and commits of the book.

pub(super) mod ask;
pub mod call_record;
pub mod clock;
pub mod commits;
pub mod error;
pub mod event;
pub mod model_call;
pub mod responder;
pub mod run;
pub mod trailer;
