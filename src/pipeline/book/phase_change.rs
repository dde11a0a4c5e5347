//! Commits by which the book goes on to another phase, as the author has answered.

use crate::domain::book::checkpoint::Checkpoint;
use crate::domain::book::work::Work;
use crate::domain::workflow::Answer;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::commits::BookCommit;
use crate::pipeline::engine::done::Done;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::store::{Change, Kind, Message, Subject, key};

/// A transaction that turns the book, as the author has answered.
pub(crate) struct PhaseChange {
    pub(crate) subject: Subject,
    pub(crate) body: String,
    pub(crate) kind: Kind,
    pub(crate) change: Change,
    pub(crate) answer: Answer,
}

impl PhaseChange {
    /// One that changes the checkpoint and nothing else.
    pub(crate) fn of(subject: Subject, kind: Kind, answer: Answer) -> Self {
        Self { subject, body: String::new(), kind, change: Change::default(), answer }
    }
}

impl Run<'_> {
    /// A transaction that turns the book from one phase to the next.
    pub(crate) fn turn(
        &self,
        turn: PhaseChange,
        after: impl FnOnce(Checkpoint) -> Checkpoint,
    ) -> Result<Done, RunError> {
        let PhaseChange { subject, body, kind, change, answer } = turn;
        self.commit_local_changes()?;
        let book = self.session.book();
        let view = BookView::new(book.snapshot()?);
        let before = view.checkpoint_with_totals()?;
        let volume = before.volume;
        let checkpoint = Checkpoint { time: self.calls.clock.rfc3339(), ..after(before) };
        let change = view.put_checkpoint(change, &checkpoint)?;
        let message = Message::new(kind, subject).body(&body);
        let message = message.trailer(key::VOLUME, volume.get()).trailer(key::ANSWER, answer);
        Ok(BookCommit::new(self, Work::Plan(volume), message, change, &view).make()?.into())
    }
}
