//! The book as its plans were settled, for comparisons. `novel character rename` changes names in plans and is no edit that anything
//! has to follow, so that the earlier book is read with the names of now.

use crate::pipeline::book::files;
use crate::pipeline::book::new_names::with_names_of;
use crate::pipeline::engine::trailer::{ASKS, SINCE};
use crate::pipeline::prelude::*;
use crate::store;

const SETTLING: [Kind; 2] = [Kind::Init, Kind::Plan];
/// The folders of plans, and of what these rest on.
pub(crate) const PLANS: [&str; 4] = ["characters", "storylines", "volumes", "world"];

/// The commit that `since` names, or the last one by which plans were settled.
/// Fails with [`RunError::NoSuchRevision`]; when the repository cannot be read.
pub(super) fn settled(book: &Book, since: Option<&str>) -> Result<CommitId, RunError> {
    if let Some(name) = since {
        return book.resolve(name)?.ok_or_else(|| RunError::NoSuchRevision { name: name.to_owned() });
    }
    let settles = |transaction: &Transaction| {
        let has = |key: &str| transaction.trailers.get(key).is_some();
        let planned = transaction.trailers.get(STEP).is_some_and(|step| match step {
            // A regeneration that has left something to be done names no commit since which all is done.
            step if step == Step::Regenerate.as_str() => has(SINCE) || has(key::MOVED),
            step => ["volume", "trial"].contains(&step),
        });
        transaction.kind == Kind::Init || planned
    };
    let last = match store::provenance::last_source_of(book, &PLANS, &SETTLING, settles)? {
        // A book that another program has begun.
        None => store::history::in_effect(book, |_| false)?.pop(),
        last => last,
    };
    last.map_or_else(|| Ok(book.tip()?), |transaction| Ok(transaction.id))
}

/// The chapters, by their numbers since `settled`, about whose contracts that commit left the author to be asked.
pub(super) fn carried(book: &Book, settled: CommitId) -> Result<Vec<ChapterNo>, RunError> {
    let asks = book.transaction(settled)?.trailers.read::<String>(ASKS).unwrap_or_default();
    Ok(asks.split(',').filter_map(|chapter| chapter.parse().ok()).collect())
}

/// The book as of `base`, its wanted files with the names that people have `now`.
pub(super) fn earlier<'b>(
    book: &'b Book,
    base: CommitId,
    is_wanted: &dyn Fn(&str) -> bool,
    now: &BookView<'_>,
) -> Result<BookView<'b>, RunError> {
    let view = BookView::new(book.snapshot_of(base)?);
    let change = with_names_of(book, &view, &files::characters(now)?, is_wanted)?;
    Ok(BookView::new(store::change::snapshot_over(book, base, &change)?))
}
