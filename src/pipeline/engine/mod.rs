//! What every kind of work shares: the run, its events and errors, the models that answer, and calls to them.

pub mod error;
pub mod event;
pub(super) mod model_call;
pub mod responder;
pub mod run;
