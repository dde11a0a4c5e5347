//! Transactions of the book without a draft: a step without an agent, and a turn to another phase; and requests, told from
//! each other by their words, so that the same one right after its answer is not paid for again.

use crate::agents::call::prompt::hash_of;
use crate::domain::workflow::Answer;
use crate::pipeline::book::hand_edits;
use crate::pipeline::prelude::*;
use crate::store::{self, Log};

/// Makes the change one commit of the book, which is to be as `base` has it. The request is noted, so that the same command
/// is not carried out a second time.
pub(crate) fn commit_step(
    run: &Run<'_>,
    (step, request): (Step, &str),
    message: Message,
    change: Change,
    base: &Snapshot<'_>,
) -> Result<Done, RunError> {
    let work = Work::Step(step);
    let commit = BookCommit::new(run, work, message.trailer(STEP, step), change, base);
    let commit = commit.trailer(trailer::WORK, work).trailer(trailer::REQUEST, request_hash(request));
    Ok(commit.make()?.into())
}

/// Makes the change, as the author has answered, one commit that turns the book from one phase to the next.
pub(crate) fn commit_turn(
    run: &Run<'_>,
    answer: Answer,
    message: Message,
    change: Change,
    after: impl FnOnce(Checkpoint) -> Checkpoint,
) -> Result<Done, RunError> {
    hand_edits::commit_local_changes(run)?;
    let view = BookView::new(run.session.book().snapshot()?);
    let before = view.checkpoint_with_totals()?;
    let volume = before.volume;
    let checkpoint = Checkpoint { time: run.calls.clock.rfc3339(), ..after(before) };
    let change = view.put_checkpoint(change, &checkpoint)?;
    let message = message.trailer(key::VOLUME, volume.get()).trailer(key::ANSWER, answer);
    Ok(BookCommit::new(run, Work::Plan(volume), message, change, &view).make()?.into())
}

/// The last transaction, when it answers this very request: it was asked for again by accident, or because the command
/// died before it could say that it was done. When the author has changed since what it made, the request is a new one.
pub(crate) fn just_done(book: &Book, work: Work, request: &str) -> Result<Option<Transaction>, StoreError> {
    let last = newest(book)?.filter(|transaction| {
        let trailers = &transaction.trailers;
        trailers.read(trailer::WORK) == Some(work) && trailers.get(trailer::REQUEST) == Some(&request_hash(request))
    });
    let Some(last) = last else { return Ok(None) };
    let after = book.snapshot_of(last.id)?;
    let changed = book.snapshot()?.changed_since(&after)?;
    let made = match last.parent {
        Some(parent) => after.changed_since(&book.snapshot_of(parent)?)?,
        None => Default::default(),
    };
    let is_untouched = changed.iter().all(|path| path == layout::CHECKPOINT || !made.contains(path));
    Ok(is_untouched.then_some(last))
}

/// So many commits of the author's may lie between two equal requests.
const JUST: usize = 20;

/// The last transaction that is more than the author's own edits.
pub(crate) fn newest(book: &Book) -> Result<Option<Transaction>, StoreError> {
    let log = store::history::log(book, &Log { limit: JUST, ..Log::default() })?;
    Ok(log.into_iter().find(|transaction| transaction.kind != Kind::HandEdit && !transaction.kind.is_upkeep()))
}

pub(crate) fn request_hash(request: &str) -> String {
    hash_of(&[("request", request)])
}
