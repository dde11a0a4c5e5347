//! What the book has cost, read from the logs of its chapters and of the chapter in flight.

use super::desk::LOG;
use super::halt::Halt;
use super::shelf::Shelf;
use crate::domain::log::ChapterLog;
use crate::domain::{ChapterNo, VolumeNo};
use crate::store::{Book, Snapshot, format, layout};

/// A chapter's log and where it belongs.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The chapter's volume.
    pub volume: VolumeNo,
    /// The log.
    pub log: ChapterLog,
    /// Whether the chapter is accepted.
    pub accepted: bool,
}

/// The logs of all chapters, in order, and of the chapter in flight. A log that cannot be read is an error: a sum
/// without it would be a lie.
///
/// # Errors
/// When a log is not of its format.
pub fn logs(book: &Book) -> Result<Vec<Entry>, Halt> {
    let snapshot = book.snapshot()?;
    let mut entries = Vec::new();
    for path in snapshot.files("logs")? {
        if let Some(layout::Place::Log(volume, _)) = layout::classify(&path) {
            entries.extend(entry(&snapshot, &path, volume, true)?);
        }
    }
    for (work, tip) in book.drafts()? {
        let Some(chapter) = work.chapter() else { continue };
        let draft = book.snapshot_of(tip)?;
        let volume = Shelf::new(&draft).plan(chapter)?.map_or(VolumeNo::FIRST, |(volume, _)| volume);
        entries.extend(entry(&draft, LOG, volume, false)?);
    }
    entries.sort_by_key(|entry| entry.log.chapter);
    Ok(entries)
}

fn entry(snapshot: &Snapshot<'_>, path: &str, volume: VolumeNo, accepted: bool) -> Result<Option<Entry>, Halt> {
    let Some(bytes) = snapshot.read(path)? else { return Ok(None) };
    let log = format::log::read(&bytes).map_err(Halt::of_file(path))?;
    Ok(Some(Entry { volume, log, accepted }))
}

/// The recorded calls of a chapter, in the order in which they ended, as they stand on its draft.
///
/// # Errors
/// When the repository cannot be read.
pub fn calls(book: &Book, chapter: ChapterNo) -> Result<Vec<(String, Vec<u8>)>, Halt> {
    let Some(snapshot) = draft_of(book, chapter)? else { return Ok(Vec::new()) };
    let mut calls = Vec::new();
    for path in snapshot.files(super::desk::DRAFT_ONLY)? {
        let name = path.strip_prefix(super::desk::CALLS).and_then(|name| name.strip_suffix(".json"));
        if let (Some(name), Some(bytes)) = (name, snapshot.read(&path)?) {
            calls.push((name.to_owned(), bytes));
        }
    }
    Ok(calls)
}

/// The last commit of a chapter's draft: of the chapter in flight, or the one that an accepted chapter came from.
///
/// # Errors
/// When the repository cannot be read.
pub fn draft_of(book: &Book, chapter: ChapterNo) -> Result<Option<Snapshot<'_>>, Halt> {
    let accepted = book.chapter_commit(chapter)?;
    let open = book.draft_tip(chapter)?;
    let tip = match (open, accepted) {
        (Some(tip), _) => Some(tip),
        (None, Some(commit)) => book.transaction(commit)?.trailers.read(crate::store::key::DRAFT),
        (None, None) => None,
    };
    Ok(tip.map(|tip| book.snapshot_of(tip)).transpose()?)
}
