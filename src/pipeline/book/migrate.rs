//! Bringing the files of an older book to the present formats, once and as a transaction of its own.
//! A book of a newer program is only read: writing in it would mix in files of an older format, or lose data.

use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits::uncommitted;
use crate::pipeline::prelude::*;
use crate::store::format::migrate::{self, Introduced};
use crate::store::format::plain;
use crate::store::{Body, CommitError, EntryFilter, Remark};

/// Returns true when a file that every book has is of an older format: the others are, too. Looking at these few keeps
/// the time flat; a single file of an older format among newer ones is read as it is.
fn is_older(view: &BookView<'_>) -> Result<bool, RunError> {
    let schedule = layout::schedule(view.checkpoint()?.volume);
    for path in [layout::STORYLINES, layout::WORLD_RULES, layout::STORYLINE_RULES, &schedule] {
        if view.bytes(path)?.is_some_and(|bytes| migrate::is_older(path, &bytes)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The volume in which each storyline runs for the first time, by the schedules.
fn introduced(view: &BookView<'_>) -> Result<Introduced, RunError> {
    let mut introduced = Introduced::new();
    for volume in view.volumes()? {
        // A schedule that cannot be read is the examination's business.
        let Ok(Some(schedule)) = files::schedule(view, volume) else { continue };
        for line in schedule.active {
            introduced.entry(line.storyline).or_insert(volume);
        }
    }
    Ok(introduced)
}

/// Every file below `folders` that is of an older format, in the present one.
pub(crate) fn brought_up(view: &BookView<'_>, folders: &[String]) -> Result<Change, RunError> {
    let introduced = introduced(view)?;
    let mut change = Change::default();
    for folder in folders {
        for path in view.files(folder)? {
            let bytes = view.bytes(&path)?.unwrap_or_default();
            if let Some(new) = migrate::migrated(&path, &bytes, &introduced) {
                change = change.put(&path, new);
            }
        }
    }
    Ok(change)
}

/// Brings older files of the book to the present formats. Files with local changes are left to the next time.
pub(crate) fn bring_up(run: &Run<'_>) -> Result<(), RunError> {
    let book = run.session.book();
    let view = BookView::new(book.snapshot()?);
    if !is_older(&view)? {
        return Ok(());
    }
    let folders = [layout::VOLUMES, "storylines", "world"].map(str::to_owned);
    let mut change = brought_up(&view, &folders)?;
    // A checkpoint of an older program gets the number of the present format with them.
    change = view.put_checkpoint(change, &view.checkpoint_with_totals()?)?;
    let is_in = |path: &str| change.puts.contains_key(path);
    let edited = uncommitted(book, EntryFilter::of(&is_in))?;
    for edit in edited {
        change.puts.remove(&edit.path);
    }
    let files = change.puts.keys().filter(|path| *path != layout::CHECKPOINT).count();
    if files == 0 {
        return Ok(());
    }
    let message = Message::new(Kind::Migrate, Subject::Formats(files))
        .body(Body::default().and(Remark::Notation))
        .trailer(key::FORMATS, migrate::VERSION);
    let work = Work::Step(Step::World);
    match BookCommit::new(run, work, message, change, &view).make_unless_edited() {
        // Saved between the look and the lock: the next command finds it committed.
        Err(CommitError::AuthorEdited { .. }) => Ok(()),
        Err(error) => Err(error.into()),
        Ok(committed) => {
            run.tell(Event::Migrated { commit: committed.id.to_string(), files });
            Ok(())
        }
    }
}

/// Refuses a book of a newer program, told by the number of the book's format in its checkpoint.
/// Fails with [`RunError::Format`], with the file and its version; or when the repository cannot be read.
pub fn refuse_newer(book: &Book) -> Result<(), RunError> {
    let checkpoint = book.snapshot()?.read(layout::CHECKPOINT)?;
    match checkpoint.and_then(|bytes| plain::newer_book(&bytes)) {
        Some(source) => Err(RunError::Format { path: layout::CHECKPOINT.to_owned(), source }),
        None => Ok(()),
    }
}
