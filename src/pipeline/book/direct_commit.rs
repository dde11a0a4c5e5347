//! Steps without an agent: each is one transaction of the book.

use crate::domain::book::work::{Step, Work};
use crate::pipeline::book::requests::request_hash;
use crate::pipeline::engine::commits::BookCommit;
use crate::pipeline::engine::done::Done;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::pipeline::engine::trailer::{self, STEP};
use crate::store::Body;
use crate::store::{Change, Kind, Message, Snapshot, Subject};

/// The message of such a transaction.
pub(crate) struct CommitText<'a> {
    pub(crate) kind: Kind,
    pub(crate) step: Step,
    /// The request, so that the same command is not carried out a second time.
    pub(crate) request: &'a str,
    pub(crate) subject: Subject,
    pub(crate) body: Body,
    pub(crate) trailers: Vec<(&'static str, String)>,
}

impl Run<'_> {
    /// Makes the change one commit of the book, which is to be as `base` has it.
    pub(crate) fn step(&self, told: CommitText<'_>, change: Change, base: &Snapshot<'_>) -> Result<Done, RunError> {
        let work = Work::Step(told.step);
        let message = Message::new(told.kind, told.subject).body(told.body).trailer(STEP, told.step);
        let mut commit = BookCommit::new(self, work, message, change, base);
        for (key, value) in told.trailers {
            commit = commit.trailer(key, value);
        }
        let commit = commit.trailer(trailer::WORK, work).trailer(trailer::REQUEST, request_hash(told.request));
        Ok(commit.make()?.into())
    }
}
