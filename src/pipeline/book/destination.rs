//! The destination of a rollback that names no chapter: a planning step, a volume's plan, or any transaction.

use crate::pipeline::engine::trailer::STEP;
use crate::pipeline::prelude::*;
use crate::store::StoreError;

/// A place in the book's history, as the author names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// Right after a planning step was taken last.
    Step(Step),
    /// Right after the volume's plan was approved last.
    Plan(VolumeNo),
    /// Right after a transaction, named by its commit in any way that git understands.
    Commit(String),
}

/// The transaction that the destination names; `None` where the book's line has no such one.
pub fn find(book: &Book, destination: &Destination) -> Result<Option<Transaction>, RunError> {
    let step_of = |transaction: &Transaction| transaction.trailers.get(STEP).map(str::to_owned);
    let is_it = |transaction: &Transaction| match destination {
        Destination::Step(step) => step_of(transaction).as_deref() == Some(step.as_str()),
        Destination::Plan(volume) => {
            let is_plan = transaction.kind == Kind::Plan && transaction.volume == Some(*volume);
            is_plan && matches!(step_of(transaction).as_deref(), Some("volume" | "trial"))
        }
        Destination::Commit(_) => false,
    };
    if let Destination::Commit(name) = destination {
        let Some(commit) = book.resolve(name)? else { return Ok(None) };
        let is_on_line = book.reaches(book.tip()?.oid(), commit.oid())?;
        return Ok(if is_on_line { Some(book.transaction(commit)?) } else { None });
    }
    Ok(book.in_effect(is_it)?.pop().filter(is_it))
}

/// The transactions in effect that leave the book when it goes back to `to`, newest first.
pub fn leaving(book: &Book, to: CommitId) -> Result<Vec<Transaction>, RunError> {
    let mut line = book.in_effect(|transaction| transaction.id == to)?;
    if line.last().is_some_and(|last| last.id == to) {
        line.pop();
        return Ok(line);
    }
    // The destination itself was rolled back before: what leaves is newer than anything that it contains.
    let mut failed: Option<StoreError> = None;
    line = book.in_effect(|transaction| {
        book.reaches(to.oid(), transaction.id.oid()).unwrap_or_else(|error| {
            failed = Some(error);
            true
        })
    })?;
    match failed {
        Some(error) => Err(error.into()),
        None => {
            line.pop();
            Ok(line)
        }
    }
}

/// True for a file that stays as it is on the way to a destination other than a chapter: the author's inputs and files that are not the
/// book's. The plans of volumes go back, since going back behind them is the purpose.
pub fn stays(path: &str) -> bool {
    layout::classify(path).is_none_or(|place| place.is_author_input() && !place.is_plan())
}
