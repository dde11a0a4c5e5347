//! The book with the author's changes that are in no commit yet.

use super::damage;
use super::hand_edits::with_edits;
use super::view::BookView;
use crate::pipeline::prelude::*;
use crate::store::{Edit, Wanted};

/// The book as it is on disk, with the author's changes that are in no commit.
pub(crate) fn view_on_disk(book: &Book) -> Result<BookView<'_>, RunError> {
    view_with(book, Wanted::of(&layout::is_book_path))
}

/// The same with the author's changes of plans alone: the results of chapters, which are nearly all files of a long book, are those of
/// the last commit.
pub(crate) fn plans_on_disk(book: &Book) -> Result<BookView<'_>, RunError> {
    let is_no_result = |path: &[u8]| !layout::is_in_results(path);
    view_with(book, Wanted::of(&layout::is_book_path).among(&is_no_result))
}

fn view_with<'b>(book: &'b Book, wanted: Wanted<'_>) -> Result<BookView<'b>, RunError> {
    Ok(with_edits(book, &usable(book, wanted)?)?)
}

/// The author's changes that are in no commit. A file that cannot be used would look as if everything in it had gone.
pub(crate) fn usable_edits(book: &Book) -> Result<Vec<Edit>, RunError> {
    usable(book, Wanted::of(&layout::is_book_path))
}

/// The files of the author's that are gone from the folder and that a run would stop at.
pub(crate) fn gone(book: &Book) -> Result<Vec<String>, RunError> {
    let damaged = damage::survey(book, Wanted::of(&layout::is_book_path))?.damaged.into_iter();
    Ok(damaged
        .filter(|damaged| damaged.error.is_none() && !damaged.is_restored())
        .map(|damaged| damaged.path)
        .collect())
}

fn usable(book: &Book, wanted: Wanted<'_>) -> Result<Vec<Edit>, RunError> {
    let survey = damage::survey(book, wanted)?;
    match survey.damaged.into_iter().find_map(|damaged| Some((damaged.path, damaged.error?))) {
        Some((path, error)) => Err(damage::halt_of(book, path, error)?),
        None => Ok(survey.edits),
    }
}
