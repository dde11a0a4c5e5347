//! The book with the author's changes that are in no commit yet.

use super::damage;
use crate::pipeline::engine::error::RunError;
use crate::store::{Book, Change, Edit, Snapshot, Wanted, layout};

/// The book as it is on disk, with the author's changes that are in no commit.
pub(crate) fn snapshot_on_disk(book: &Book) -> Result<Snapshot<'_>, RunError> {
    let mut change = Change::default();
    for edit in usable_edits(book)? {
        change = match book.on_disk(&edit.path)? {
            Some(bytes) => change.put(&edit.path, bytes),
            None => change.remove(&edit.path),
        };
    }
    Ok(book.snapshot_with(&change)?)
}

/// The author's changes that are in no commit. A file that cannot be used would look as if everything in it had gone.
pub(crate) fn usable_edits(book: &Book) -> Result<Vec<Edit>, RunError> {
    let survey = damage::survey(book, Wanted::of(&layout::is_book_path))?;
    match survey.damaged.into_iter().find_map(|damaged| Some((damaged.path, damaged.error?))) {
        Some((path, error)) => Err(damage::halt_of(book, path, error)?),
        None => Ok(survey.edits),
    }
}
