//! Steps that ask nobody: each is one transaction of the book.

use super::desk::trailer;
use super::halt::Halt;
use super::plan_desk::named;
use super::planning::{Done, STEP};
use super::run::Run;
use crate::domain::work::{Step, Work};
use crate::store::{Change, CommitId, Kind, Message};

/// What such a transaction says.
pub(super) struct Told<'a> {
    pub(super) kind: Kind,
    pub(super) step: Step,
    /// What was asked for, so that the same command is not carried out a second time.
    pub(super) request: &'a str,
    pub(super) subject: String,
    pub(super) body: String,
    pub(super) trailers: Vec<(&'static str, String)>,
}

impl Run<'_> {
    /// Makes the change one commit of the book, which is to be at `expected`.
    pub(super) fn step(&self, told: Told<'_>, change: Change, expected: CommitId) -> Result<Done, Halt> {
        let work = Work::Step(told.step);
        let mut message = Message::new(told.kind, &told.subject).body(&told.body).trailer(STEP, told.step);
        for (key, value) in told.trailers {
            message = message.trailer(key, value);
        }
        message = message.trailer(trailer::WORK, work).trailer(trailer::REQUEST, named(told.request));
        let committed = self.commit(work, self.proposal(change, message, expected))?;
        Ok(Done { commit: committed.id, subject: told.subject })
    }
}
