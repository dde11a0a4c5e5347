//! The book before what the author, or damage, has made of it.

use crate::pipeline::engine::error::RunError;
use crate::store::format::check::{Severity, check_file};
use crate::store::{Book, CommitId, Log, Snapshot, Transaction, layout};

/// The book as of the program's last commit; `None` where that is the last one. An undo or a redo leads back to commits of the
/// author's.
pub(crate) fn before_authors<'b>(book: &'b Book, snapshot: &Snapshot<'_>) -> Result<Option<Snapshot<'b>>, RunError> {
    let is_ours = |transaction: &Transaction| transaction.is_ours && transaction.retraces().is_none();
    let ours = book.in_effect(is_ours)?.pop().filter(is_ours);
    let ours = ours.filter(|transaction| transaction.id != snapshot.commit_id());
    Ok(ours.map(|ours| book.snapshot_of(ours.id)).transpose()?)
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
