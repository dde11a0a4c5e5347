//! Steps that ask nobody: each is one transaction of the book.

use crate::domain::book::work::{Step, Work};
use crate::pipeline::chapter::draft::trailer;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::pipeline::planning::draft::request_hash;
use crate::pipeline::planning::steps::{Done, STEP};
use crate::store::{Change, CommitId, Kind, Message};

/// What such a transaction says.
pub(crate) struct CommitText<'a> {
    pub(crate) kind: Kind,
    pub(crate) step: Step,
    /// What was asked for, so that the same command is not carried out a second time.
    pub(crate) request: &'a str,
    pub(crate) subject: String,
    pub(crate) body: String,
    pub(crate) trailers: Vec<(&'static str, String)>,
}

impl Run<'_> {
    /// Makes the change one commit of the book, which is to be at `expected`.
    pub(crate) fn step(&self, told: CommitText<'_>, change: Change, expected: CommitId) -> Result<Done, RunError> {
        let work = Work::Step(told.step);
        let mut message = Message::new(told.kind, &told.subject).body(&told.body).trailer(STEP, told.step);
        for (key, value) in told.trailers {
            message = message.trailer(key, value);
        }
        message = message.trailer(trailer::WORK, work).trailer(trailer::REQUEST, request_hash(told.request));
        let committed = self.commit(work, self.proposal(change, message, expected))?;
        Ok(Done { commit: committed.id, subject: told.subject })
    }
}
