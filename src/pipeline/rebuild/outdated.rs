//! The chapters whose summary and delta were made of another text than the chapter has now.
//!
//! A delta names the text that it was made of, so that any way of changing a chapter is found by comparing two ids: an
//! edit, an amended commit, a rebase, a merge. Deltas of older versions name none; there the commit that accepted the
//! chapter tells.

use crate::domain::{ChapterNo, ContentId, VolumeNo};
use crate::pipeline::engine::error::RunError;
use crate::store::layout;
use crate::store::{Book, Snapshot, Transaction, format};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// Why a chapter's summary and delta are not of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// They were made of this text, and the chapter has another one now.
    Edited { from: ContentId },
    /// The chapter has no delta: the author wrote it, and no summarizer has read it.
    Unread,
    /// The delta says nothing, because the summarizer's operations could not be read.
    Skipped,
}

/// A chapter whose summary and delta are not of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outdated {
    pub chapter: ChapterNo,
    pub volume: VolumeNo,
    /// Why they are not of its text.
    pub reason: Reason,
}

/// The outdated chapters of a commit, the earliest first. Chapters whose operations could not be read are not among
/// them; [`with_skipped`] adds those. Reads every delta and no chapter.
pub fn outdated(book: &Book, snapshot: &Snapshot<'_>) -> Result<Vec<Outdated>, RunError> {
    let mut found = with_skipped(book, snapshot)?;
    found.retain(|outdated| outdated.reason != Reason::Skipped);
    Ok(found)
}

/// The outdated chapters and those whose operations could not be read. `snapshot` may have changes that are in no commit.
pub fn with_skipped(book: &Book, snapshot: &Snapshot<'_>) -> Result<Vec<Outdated>, RunError> {
    let deltas = snapshot.content_ids(layout::DELTAS)?;
    let sources = Sources { book, commits: OnceCell::new() };
    let mut found = Vec::new();
    for (chapter, (volume, text)) in snapshot.chapter_texts()? {
        let reason = match deltas.get(&layout::delta(volume, chapter)) {
            Some(delta) => sources.reason(delta, &text, (volume, chapter))?,
            None => Some(Reason::Unread),
        };
        found.extend(reason.map(|reason| Outdated { chapter, volume, reason }));
    }
    Ok(found)
}

/// The texts that deltas were made of.
struct Sources<'b> {
    book: &'b Book,
    /// The commits that accepted the chapters.
    commits: OnceCell<BTreeMap<ChapterNo, Transaction>>,
}

impl Sources<'_> {
    /// Why the chapter's delta is not of its text; `None` when it is.
    fn reason(
        &self,
        delta: &ContentId,
        text: &ContentId,
        (volume, chapter): (VolumeNo, ChapterNo),
    ) -> Result<Option<Reason>, RunError> {
        let bytes = self.book.content(delta)?.unwrap_or_default();
        // The look at formats tells of a delta that cannot be read.
        let Ok(delta) = format::delta::read(&bytes) else { return Ok(None) };
        let from = match delta.text {
            Some(from) => Some(from),
            None => self.accepted(volume, chapter)?,
        };
        let edited = from.filter(|from| from != text).map(|from| Reason::Edited { from });
        Ok(edited.or(delta.skipped.map(|_| Reason::Skipped)))
    }

    /// The text with which the chapter was accepted.
    fn accepted(&self, volume: VolumeNo, chapter: ChapterNo) -> Result<Option<ContentId>, RunError> {
        let commits = match self.commits.get() {
            Some(commits) => commits,
            None => {
                let read = self.book.chapters()?;
                self.commits.get_or_init(|| read)
            }
        };
        let Some(commit) = commits.get(&chapter) else { return Ok(None) };
        Ok(self.book.snapshot_of(commit.id)?.content_id(&layout::chapter(volume, chapter)))
    }
}
