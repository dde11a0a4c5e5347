//! The book before what the author, or damage, has made of it.

use crate::domain::renumbering::Renumbering;
use crate::pipeline::engine::trailer::STEP;
use crate::pipeline::prelude::*;
use crate::store::Log;
use crate::store::format::check::{Severity, check_file};

/// The book as of the program's last commit; `None` where that is the last one. An undo or a redo leads back to commits of the
/// author's.
pub(crate) fn before_authors<'b>(book: &'b Book, snapshot: &Snapshot<'_>) -> Result<Option<Snapshot<'b>>, RunError> {
    let is_ours = |transaction: &Transaction| transaction.is_ours && transaction.retraces().is_none();
    let ours = book.in_effect(is_ours)?.pop().filter(is_ours);
    let ours = ours.filter(|transaction| transaction.id != snapshot.commit_id());
    Ok(ours.map(|ours| book.snapshot_of(ours.id)).transpose()?)
}

/// The book before the author's edits, those included that the program has committed, and the first of several moves by hand, which
/// have been taken over since.
pub(crate) fn before_edits(book: &Book) -> Result<(Snapshot<'_>, Vec<Renumbering>), RunError> {
    let is_first =
        |transaction: &Transaction| transaction.renumbers().is_some() && transaction.trailers.get(STEP).is_none();
    let is_base = |transaction: &Transaction| {
        let is_edit = transaction.kind == Kind::HandEdit || is_first(transaction);
        transaction.is_ours && transaction.retraces().is_none() && !is_edit
    };
    let mut since = book.in_effect(is_base)?;
    let base = since.pop_if(|last| is_base(last));
    let moves = since.iter().rev().filter(|transaction| is_first(transaction)).filter_map(Transaction::renumbers);
    Ok((base.map_or_else(|| book.snapshot(), |base| book.snapshot_of(base.id))?, moves.collect()))
}

/// The newest commit in which the file is of its format, first among those in effect: a rollback that left the file as it
/// was may have passed over the commits that have it whole. Before a commit that gave its chapter the number, the file was another's.
pub(crate) fn last_whole(book: &Book, path: &str) -> Result<Option<CommitId>, RunError> {
    let chapter = layout::classify(path).and_then(|place| place.chapter());
    for commits in [book.in_effect(|_| false)?, book.log(&Log::default())?] {
        for transaction in commits {
            if let Some(bytes) = book.snapshot_of(transaction.id)?.read(path)?
                && check_file(path, &bytes).iter().all(|finding| finding.severity == Severity::Warning)
            {
                return Ok(Some(transaction.id));
            }
            let how = chapter.zip(transaction.renumbers());
            if how.is_some_and(|(chapter, how)| how.before(chapter) != Some(chapter)) {
                break;
            }
        }
    }
    Ok(None)
}
