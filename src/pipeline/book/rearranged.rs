//! Chapters that the author has rearranged in the folder, by an editor or by `git mv`, before anything is made of it.

use super::hand_edits;
use crate::domain::ChapterNo;
use crate::domain::chapter::Chapter;
use crate::domain::chapter::rearranged::rearranged;
use crate::domain::renumbering::Renumbering;
use crate::pipeline::engine::error::{RenumberError, RunError};
use crate::store::layout::{self, BookPath};
use crate::store::{Book, Change, Wanted};

/// Chapters as they stand in the folder, rearranged.
#[derive(Debug)]
pub(crate) struct Rearranged {
    pub(crate) how: Renumbering,
    /// The author's files as they are, those of the chapters included.
    pub(crate) files: Change,
}

/// Refuses to take texts that have changed places for edits of the chapters whose numbers they have now.
pub(crate) fn refuse<'p>(book: &Book, paths: impl Iterator<Item = &'p String>) -> Result<(), RunError> {
    let of_chapter = |path: &String| match layout::classify(path) {
        Some(BookPath::Chapter(_, chapter)) => Some(chapter),
        _ => None,
    };
    let Some(first) = paths.filter_map(of_chapter).min() else { return Ok(()) };
    operation(book, first)?.map_or(Ok(()), |(how, _)| Err(RenumberError::ByHand(how).into()))
}

/// The operation, and the chapters' files.
fn operation(book: &Book, first: ChapterNo) -> Result<Option<(Renumbering, Change)>, RunError> {
    let snapshot = book.snapshot()?;
    let contents = snapshot.contents()?;
    let Some(last) = contents.last().filter(|_| contents.gaps().next().is_none()) else { return Ok(None) };
    let (mut before, mut now, mut files) = (Vec::new(), Vec::new(), Change::default());
    let body = |chapter, bytes: Vec<u8>| Chapter::from_markdown(chapter, &String::from_utf8_lossy(&bytes), "").body;
    for chapter in (first.get()..=last.get() + 1).filter_map(ChapterNo::new) {
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

/// The rearranged chapters, with everything else that is in no commit; `None` for chapters that have their numbers still.
pub(crate) fn in_folder(book: &Book) -> Result<Option<Rearranged>, RunError> {
    let Some((how, files)) = operation(book, ChapterNo::FIRST)? else { return Ok(None) };
    let edits = hand_edits::uncommitted(book, Wanted::of(&layout::is_book_path))?;
    let all = hand_edits::change_of(book, &edits)?;
    let files = files.only(|path| layout::classify(path).and_then(|place| place.chapter()) >= Some(how.first()));
    Ok(Some(Rearranged { how, files: all.and(files) }))
}
