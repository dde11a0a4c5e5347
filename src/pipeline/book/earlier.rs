//! The book before what the author, or damage, has made of it.

use crate::domain::renumbering::Renumbering;
use crate::pipeline::engine::trailer::STEP;
use crate::pipeline::prelude::*;
use crate::store::format::check::{Severity, check_file};
use crate::store::{Block, Log, Obstruction};

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

/// A link that a commit of the author's has put in place of a file or folder of the book.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CommittedLink {
    pub(crate) place: Obstruction,
    /// The commit that has the file or folder.
    pub(crate) whole_in: CommitId,
}

/// The links that commits of the author's have put in place of files and folders of the book since the program's last commit.
pub(crate) fn committed_links(book: &Book) -> Result<Vec<CommittedLink>, RunError> {
    let snapshot = book.snapshot()?;
    let Some(before) = before_authors(book, &snapshot)? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for path in snapshot.changed_since(&before)?.into_iter().filter(|path| snapshot.is_link(path)) {
        let block = match before.files(&path)?.is_empty() {
            false => Block::LinkedFolder,
            true if before.has(&path) && !before.is_link(&path) => Block::Link,
            true => continue,
        };
        let place = Obstruction { full: book.root().join(&path), path, block };
        found.push(CommittedLink { place, whole_in: before.commit_id() });
    }
    Ok(found)
}
