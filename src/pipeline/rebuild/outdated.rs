//! The chapters whose summary and delta were made of another text than the chapter has now.
//!
//! A delta names the text that it was made of, so that any way of changing a chapter is found by comparing two ids: an
//! edit, an amended commit, a rebase, a merge. Deltas of older versions name none; there the commit that accepted the
//! chapter tells.

use crate::domain::{ChapterNo, ContentId, VolumeNo};
use crate::pipeline::engine::error::RunError;
use crate::store::layout::{self, BookPath};
use crate::store::{Book, Snapshot, format};
use std::collections::{BTreeMap, BTreeSet};

/// Why a chapter's summary and delta are not of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// They were made of this text, and the chapter has another one now.
    Edited {
        /// The earlier text.
        from: ContentId,
    },
    /// The chapter has no delta: the author wrote it, and no summarizer has read it.
    Unread,
    /// The delta says nothing, because the summarizer's operations could not be read.
    Skipped,
}

/// A chapter whose summary and delta are not of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outdated {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its volume.
    pub volume: VolumeNo,
    /// Why they are not of its text.
    pub reason: Reason,
}

/// The outdated chapters of a commit, the earliest first. Chapters whose operations could not be read are not among
/// them; [`with_skipped`] adds those.
///
/// # Errors
/// When the repository cannot be read.
pub fn outdated(book: &Book, snapshot: &Snapshot<'_>) -> Result<Vec<Outdated>, RunError> {
    let deltas = snapshot.content_ids(layout::DELTAS)?;
    let sources = sources(book, snapshot, &deltas)?;
    let mut found = Vec::new();
    for (chapter, (volume, text)) in snapshot.chapter_texts()? {
        let reason = match deltas.get(&layout::delta(volume, chapter)) {
            None => Reason::Unread,
            Some(delta) => match sources.get(delta) {
                Some(from) if *from != text => Reason::Edited { from: from.clone() },
                _ => continue,
            },
        };
        found.push(Outdated { chapter, volume, reason });
    }
    Ok(found)
}

/// The same with the chapters whose operations could not be read.
///
/// # Errors
/// When the repository cannot be read.
pub fn with_skipped(book: &Book, snapshot: &Snapshot<'_>) -> Result<Vec<Outdated>, RunError> {
    let mut found = outdated(book, snapshot)?;
    for (chapter, volume) in snapshot.contents()?.iter() {
        let Some(bytes) = snapshot.read(&layout::delta(volume, chapter))? else { continue };
        let skipped = format::delta::read(&bytes).is_ok_and(|delta| delta.skipped.is_some());
        if skipped && !found.iter().any(|outdated| outdated.chapter == chapter) {
            found.push(Outdated { chapter, volume, reason: Reason::Skipped });
        }
    }
    found.sort_by_key(|outdated| outdated.chapter);
    Ok(found)
}

/// The text that each delta was made of. An unreadable delta has none; the look at formats tells of it.
fn sources(
    book: &Book,
    snapshot: &Snapshot<'_>,
    deltas: &BTreeMap<String, ContentId>,
) -> Result<BTreeMap<ContentId, ContentId>, RunError> {
    let mut known = book.known_sources();
    let unknown: Vec<_> = deltas.iter().filter(|(_, delta)| !known.contains_key(*delta)).collect();
    if unknown.is_empty() {
        return Ok(known);
    }
    let mut unsigned = Vec::new();
    for (path, id) in unknown {
        let Some(BookPath::Delta(volume, chapter)) = layout::classify(path) else { continue };
        let bytes = snapshot.read(path)?.unwrap_or_default();
        match format::delta::read(&bytes).map(|delta| delta.text) {
            Ok(Some(text)) => _ = known.insert(id.clone(), text),
            Ok(None) => unsigned.push((volume, chapter, id)),
            Err(_) => {}
        }
    }
    if !unsigned.is_empty() {
        let commits = book.chapters()?;
        for (volume, chapter, id) in unsigned {
            let Some(commit) = commits.get(&chapter) else { continue };
            let then = book.snapshot_of(commit.id)?;
            known.extend(then.content_id(&layout::chapter(volume, chapter)).map(|text| (id.clone(), text)));
        }
    }
    let current: BTreeSet<&ContentId> = deltas.values().collect();
    known.retain(|delta, _| current.contains(delta));
    book.note_sources(&known);
    Ok(known)
}
