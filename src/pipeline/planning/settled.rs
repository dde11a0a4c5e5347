//! The commit by which rules, people and plans were last settled: the one that a book is compared with.

use crate::domain::book::work::Step;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::trailer::STEP;
use crate::store::{Book, CommitId, Kind, StoreError, Transaction};

/// The kinds of commits that may settle them.
const SETTLING: [Kind; 2] = [Kind::Init, Kind::Plan];

/// The commit that `since` names, or the last one by which they were settled.
/// Fails with [`RunError::NoSuchRevision`]; when the repository cannot be read.
pub(super) fn base(book: &Book, since: Option<&str>) -> Result<CommitId, RunError> {
    if let Some(name) = since {
        return book.resolve(name)?.ok_or_else(|| RunError::NoSuchRevision { name: name.to_owned() });
    }
    last(book)?.map_or_else(|| Ok(book.tip()?), Ok)
}

/// The last commit that settled them, or else the first one.
pub(super) fn last(book: &Book) -> Result<Option<CommitId>, StoreError> {
    Ok(book.last_of_or_first(&SETTLING, settles)?.map(|transaction| transaction.id))
}

fn settles(transaction: &Transaction) -> bool {
    let step = transaction.trailers.get(STEP);
    let planned = step.is_some_and(|step| ["volume", "trial", Step::Regenerate.as_str()].contains(&step));
    transaction.kind == Kind::Init || planned
}
