//! Replies between the moment when they are paid for and their commit.

use super::error::RunError;
use super::responder::CallOutcome;
use crate::domain::book::work::Part;
use crate::llm::{self, Call};
use std::cell::RefCell;

/// Replies that are paid for and on no draft yet. An error of the disk between a reply and its commit leaves one here, and
/// the next attempt at the same part takes it in place of another call.
#[derive(Debug, Default)]
pub struct Unrecorded(RefCell<Vec<(Part, llm::Request, CallOutcome)>>);

impl Unrecorded {
    pub(super) fn hold(&self, part: Part, request: &llm::Request, outcome: &CallOutcome) {
        self.0.borrow_mut().push((part, request.clone(), outcome.clone()));
    }

    /// The reply to that request, or else one to the same part: a result of another stage that came meanwhile may have changed the
    /// request, and undisturbed the reply would have counted all the same.
    pub(super) fn reply_to(&self, part: Part, request: &llm::Request) -> Option<CallOutcome> {
        let held = self.0.borrow();
        let same = held.iter().find(|(of, what, _)| *of == part && what == request);
        let found = same.or_else(|| held.iter().rfind(|(of, ..)| *of == part));
        found.map(|(.., outcome)| outcome.clone())
    }

    /// Makes an attempt at a part of the work, and a second one where an error leaves a reply of it here: a disk that fails
    /// for a moment does not cost a reply.
    pub(crate) async fn try_twice(
        &self,
        part: Part,
        attempt: impl AsyncFn() -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        let holds = || self.0.borrow().iter().any(|(of, ..)| *of == part);
        match attempt().await {
            Err(error) if !matches!(error, RunError::Interrupted) && holds() => attempt().await,
            done => done,
        }
    }

    /// The call is on a draft.
    pub(crate) fn recorded(&self, call: &Call) {
        self.0.borrow_mut().retain(|(.., outcome)| outcome.call != *call);
    }
}
