//! Requests: told from each other by their words, so that the same one right after its answer is not paid for again.

use crate::agents::call::prompt_files::hash_of;
use crate::domain::book::work::Work;
use crate::pipeline::engine::trailer;
use crate::store::{Book, Kind, Log, StoreError, Transaction, layout};

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
    let log = book.log(&Log { limit: JUST, ..Log::default() })?;
    Ok(log.into_iter().find(|transaction| transaction.kind != Kind::HandEdit && !transaction.kind.is_upkeep()))
}

/// A request by its hash.
pub(crate) fn request_hash(request: &str) -> String {
    hash_of(&[("request", request)])
}
