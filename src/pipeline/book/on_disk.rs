//! The book with the author's changes that are in no commit yet.
//! The parts of a book that everything else rests on: rules, theme, characters, style.

use crate::domain::workflow::Founded;
use crate::pipeline::book::damage;
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits::{MissingChapters, near, refuse_lost, with_edits};
use crate::pipeline::prelude::*;
use crate::store::{Edit, EntryFilter};

/// The book as it is on disk, with the author's changes that are in no commit.
pub(crate) fn view_on_disk(book: &Book) -> Result<BookView<'_>, RunError> {
    view_with(book, EntryFilter::of(&layout::is_book_path))
}

/// The same with the author's changes of plans alone: the results of chapters, which are nearly all files of a long book, are those of
/// the last commit.
pub(crate) fn plans_on_disk(book: &Book) -> Result<BookView<'_>, RunError> {
    let is_no_result = |path: &[u8]| !layout::is_in_results(path);
    view_with(book, EntryFilter::of(&layout::is_book_path).among(&is_no_result))
}

fn view_with<'b>(book: &'b Book, wanted: EntryFilter<'_>) -> Result<BookView<'b>, RunError> {
    Ok(with_edits(book, &usable(book, wanted)?)?)
}

/// The author's changes that are in no commit. A file that cannot be used would look as if everything in it had gone.
pub(crate) fn usable_edits(book: &Book) -> Result<Vec<Edit>, RunError> {
    usable(book, EntryFilter::of(&layout::is_book_path))
}

/// The author's changes, where a run may commit them and go on to the next chapter. Reads only.
/// Fails as [`Run::settled_next`] does.
pub(crate) fn settled_edits(book: &Book) -> Result<Vec<Edit>, RunError> {
    let next = BookView::new(book.snapshot()?).checkpoint()?.next_chapter();
    let edits = near(book, next, |wanted| damage::sound(book, wanted, MissingChapters::Stop))?.edits;
    let view = with_edits(book, &edits)?;
    refuse_lost(book, &view)?;
    Ok(edits)
}

/// Fails as a run does that commits the author's changes of the whole book. Reads only.
pub(crate) fn refuse_unsound(book: &Book, chapters: MissingChapters) -> Result<(), RunError> {
    damage::sound(book, EntryFilter::of(&layout::is_book_path), chapters).map(drop)
}

fn usable(book: &Book, wanted: EntryFilter<'_>) -> Result<Vec<Edit>, RunError> {
    let survey = damage::survey(book, wanted)?;
    match survey.damaged.into_iter().find_map(|damaged| Some((damaged.path, damaged.error?))) {
        Some((path, error)) => Err(damage::halt_of(book, path, error)?),
        None => Ok(survey.edits),
    }
}

/// The foundations of the book. Reads only.
pub fn founded(book: &Book) -> Result<Founded, RunError> {
    founded_in(&BookView::new(book.snapshot()?))
}

pub(crate) fn founded_in(view: &BookView<'_>) -> Result<Founded, RunError> {
    let brief = view.text(layout::BRIEF)?.unwrap_or_default();
    Ok(Founded {
        rules: !files::rules(view)?.is_empty(),
        theme: !said_under(&brief, "## 主题").is_empty(),
        cast: files::characters(view)?.iter().any(|person| !person.contracts.is_empty()),
        style: files::style_profile(view)?.is_some_and(|profile| profile.is_chosen()),
        written: view.checkpoint()?.last_completed,
    })
}

/// The lines under a heading of the brief, without the template's advice.
pub fn said_under<'b>(brief: &'b str, heading: &str) -> Vec<&'b str> {
    let mut lines = brief.lines().skip_while(|line| line.trim() != heading);
    lines.next();
    let mut said = Vec::new();
    let mut advice = false;
    for line in lines.map(str::trim).take_while(|line| !line.starts_with('#')) {
        let begins = line.starts_with("<!--");
        if !(advice || begins || line.is_empty()) {
            said.push(line);
        }
        advice = (advice || begins) && !line.contains("-->");
    }
    said
}
