//! Chapters that the author has rearranged by an editor or by `git mv`, in the folder or in commits of plain git.

use super::committed_links::before_authors;
use super::hand_edits;
use crate::domain::ChapterNo;
use crate::domain::chapter::Chapter;
use crate::domain::chapter::rearranged::rearranged;
use crate::domain::renumbering::Renumbering;
use crate::pipeline::engine::error::{RenumberError, RunError};
use crate::store::layout::{self, BookPath};
use crate::store::{Book, Change, Snapshot, Wanted};

/// Chapters as they stand, rearranged.
#[derive(Debug)]
pub(crate) struct Rearranged {
    pub(crate) how: Renumbering,
    /// The author's files as they are, those of the chapters included.
    pub(crate) files: Change,
}

/// Refuses to take texts that have changed places for edits of the chapters whose numbers they have now.
pub(crate) fn refuse<'p>(book: &Book, paths: impl Iterator<Item = &'p String>) -> Result<(), RunError> {
    standing(book, paths)?.map_or(Ok(()), |how| Err(RenumberError::ByHand(how).into()))
}

/// The operation by which the files in the folder, of which `paths` differ from the last commit, come from the committed ones.
pub(crate) fn standing<'p>(
    book: &Book,
    paths: impl Iterator<Item = &'p String>,
) -> Result<Option<Renumbering>, RunError> {
    let of_chapter = |path: &String| match layout::classify(path) {
        Some(BookPath::Chapter(_, chapter)) => Some(chapter),
        _ => None,
    };
    let Some(first) = paths.filter_map(of_chapter).min() else { return Ok(None) };
    Ok(operation(book, &book.snapshot()?, first)?.map(|(how, _)| how))
}

/// The operation that leads from the snapshot to the folder, and the chapters' files.
fn operation(
    book: &Book,
    snapshot: &Snapshot<'_>,
    first: ChapterNo,
) -> Result<Option<(Renumbering, Change)>, RunError> {
    let contents = snapshot.contents()?;
    let Some(last) = contents.last().filter(|_| contents.gaps().next().is_none()) else { return Ok(None) };
    let (mut before, mut now, mut files) = (Vec::new(), Vec::new(), Change::default());
    let body = |chapter, bytes: Vec<u8>| Chapter::from_markdown(chapter, &String::from_utf8_lossy(&bytes), "").body;
    let end = last.max(book.snapshot()?.contents()?.last().unwrap_or(last)).get() + 1;
    for chapter in (first.get()..=end).filter_map(ChapterNo::new) {
        let Some(volume) = contents.volume_of(chapter).or(contents.volume_of(last)) else { continue };
        let path = layout::chapter(volume, chapter);
        before.extend(snapshot.read(&path)?.map(|bytes| body(chapter, bytes)));
        match book.on_disk(&path)? {
            Some(bytes) if now.len() as u32 == chapter.get() - first.get() => {
                now.push(body(chapter, bytes.clone()));
                files = files.put(&path, bytes);
            }
            // A file after one that is missing.
            Some(_) => return Ok(None),
            None => files = files.remove(&path),
        }
    }
    Ok(rearranged(first, &before, &now).map(|how| (how, files)))
}

/// Chapters that the author's commits have rearranged since the program's last one, and whose records have the old numbers still; with
/// everything else that these commits have changed.
pub(crate) fn committed(book: &Book) -> Result<Option<Rearranged>, RunError> {
    let snapshot = book.snapshot()?;
    let Some(before) = before_authors(book, &snapshot)? else { return Ok(None) };
    let mut changed = snapshot.changed_since(&before)?;
    changed.retain(|path| layout::is_book_path(path));
    let places: Vec<BookPath> = changed.iter().filter_map(|path| layout::classify(path)).collect();
    let chapters = places.iter().filter(|place| matches!(place, BookPath::Chapter(..)));
    let Some(first) = chapters.filter_map(BookPath::chapter).min() else { return Ok(None) };
    if places.iter().any(|place| matches!(place, BookPath::Delta(..))) {
        return Ok(None);
    }
    let Some((how, files)) = operation(book, &before, first)? else { return Ok(None) };
    let mut own = Change::default();
    for path in changed {
        own = match snapshot.read(&path)? {
            Some(bytes) => own.put(&path, bytes),
            None => own.remove(&path),
        };
    }
    Ok(Some(Rearranged { how, files: own.and(files) }))
}

/// Refuses to go on where the author's commits have rearranged chapters.
pub(crate) fn refuse_committed(book: &Book) -> Result<(), RunError> {
    committed(book)?.map_or(Ok(()), |found| Err(RenumberError::ByHand(found.how).into()))
}

/// The rearranged chapters, with everything else that the author has changed; `None` for chapters that have their numbers still.
pub(crate) fn by_hand(book: &Book) -> Result<Option<Rearranged>, RunError> {
    let found = operation(book, &book.snapshot()?, ChapterNo::FIRST)?.map(|(how, files)| Rearranged { how, files });
    let Some(Rearranged { how, files }) = found.map_or_else(|| committed(book), |found| Ok(Some(found)))? else {
        return Ok(None);
    };
    let edits = hand_edits::uncommitted(book, Wanted::of(&layout::is_book_path))?;
    let all = hand_edits::change_of(book, &edits)?;
    let is_kept = |path: &str| match layout::classify(path) {
        Some(place) if matches!(place, BookPath::Chapter(..)) => place.chapter() >= Some(how.first()),
        _ => true,
    };
    Ok(Some(Rearranged { how, files: all.and(files.only(is_kept)) }))
}
