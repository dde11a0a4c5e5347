//! Records that the author has moved with the texts of chapters. They come back to their places, and follow the texts from there when
//! the chapters get their new numbers.

use crate::domain::chapter::heading_number;
use crate::pipeline::book::earlier_passages::before_authors;
use crate::pipeline::book::hand_edits;
use crate::pipeline::prelude::*;
use crate::store::format::check::fault;
use crate::store::layout::Owner;
use crate::store::{self, EntryFilter};

/// The files in the folder that are not at their places, or whose place another one has: contracts, and records that git does not know
/// there.
pub(crate) fn in_folder(book: &Book) -> Result<Vec<String>, RunError> {
    let last = BookView::new(book.snapshot()?);
    let edits = hand_edits::uncommitted(book, EntryFilter::of(&layout::is_book_path))?;
    let mut moved = contracts(&hand_edits::change_of(book, &edits)?, &last)?;
    let folders: Vec<String> = last.volumes()?.into_iter().flat_map(layout::result_folders).collect();
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    for edit in store::hand_edits::of_author(book, &folders, EntryFilter::of(&layout::is_result))?.edits {
        let Some(bytes) = book.on_disk(&edit.path)?.filter(|_| !last.has(&edit.path)) else { continue };
        let is_other = match layout::classify(&edit.path) {
            Some(BookPath::Summary(_, chapter)) => {
                heading_number(&String::from_utf8_lossy(&bytes)).is_some_and(|number| number != chapter.get())
            }
            _ => is_of_other(&edit.path, &bytes, None),
        };
        moved.extend(is_other.then_some(edit.path));
    }
    Ok(moved)
}

/// The records as they were before commits of the author's that have moved some of them; empty where none was moved.
pub(crate) fn in_commits(book: &Book) -> Result<Change, RunError> {
    let (snapshot, mut change) = (book.snapshot()?, Change::default());
    let Some(before) = before_authors(book, &snapshot)?.map(BookView::new) else { return Ok(change) };
    let changed = snapshot.changed_since(&before)?;
    let (mut now, mut has_moved) = (Change::default(), false);
    for path in &changed {
        let is = snapshot.read(path)?;
        let place = layout::classify(path).filter(|place| place.owner() == Owner::Program);
        if place.and_then(|place| place.chapter()).is_some() {
            let was = before.bytes(path)?;
            has_moved |= is.as_ref().is_some_and(|is| is_of_other(path, is, was.as_deref()));
            change = change.put_or_remove(path, was);
        }
        now = now.put_or_remove(path, is);
    }
    if !has_moved {
        return Ok(Change::default());
    }
    for path in contracts(&now, &before)? {
        change = change.put_or_remove(&path, before.bytes(&path)?);
    }
    Ok(change)
}

fn is_of_other(path: &str, bytes: &[u8], was: Option<&[u8]>) -> bool {
    fault(path, bytes, was).is_some_and(|fault| fault.is_of_other_chapter())
}

/// The paths among the changed ones at which the contract of another chapter stands, and those whose contract stands elsewhere.
fn contracts(now: &Change, before: &BookView<'_>) -> Result<Vec<String>, RunError> {
    let is_contract = |path: &&String| matches!(layout::classify(path), Some(BookPath::Contract(..)));
    let mut moved = Vec::new();
    for path in now.puts.keys().chain(&now.removes).filter(is_contract) {
        let is_moved = match (now.puts.get(path), before.bytes(path)?) {
            (Some(is), _) => is_of_another(is, path, before)?,
            (None, was) => was.is_some_and(|was| leaves_with_text(path, now) || now.puts.values().any(|is| *is == was)),
        };
        moved.extend(is_moved.then(|| path.clone()));
    }
    Ok(moved)
}

fn leaves_with_text(path: &str, now: &Change) -> bool {
    let Some(BookPath::Contract(volume, chapter)) = layout::classify(path) else { return false };
    now.removes.contains(&layout::chapter(volume, chapter))
}

/// True for the contract that another file had.
fn is_of_another(contract: &[u8], path: &str, before: &BookView<'_>) -> Result<bool, RunError> {
    let read = |line: Slug| format::contract::read(&line, contract).ok();
    let Some(read) = format::contract::named_storyline(contract).and_then(read) else { return Ok(false) };
    for volume in before.volumes()? {
        let other = layout::contract(volume, read.chapter);
        if other != path && before.bytes(&other)?.as_deref() == Some(contract) {
            return Ok(true);
        }
    }
    Ok(false)
}
