//! The chapters whose summary and delta were made of another text than the chapter has now.
//! A delta names the text that it was made of, so that any way of changing a chapter is found by comparing two ids: an
//! edit, an amended commit, a rebase, a merge. Deltas of older versions name none; there the commit that accepted the
//! chapter tells.

use crate::pipeline::prelude::*;
use crate::store;

/// Why a chapter's summary and delta are not of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutdatedReason {
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
    pub reason: OutdatedReason,
}

/// The outdated chapters of a commit, the earliest first. Chapters whose operations could not be read are not among
/// them; [`with_skipped`] adds those. Reads every delta and no chapter.
pub fn outdated(book: &Book, snapshot: &Snapshot<'_>) -> Result<Vec<Outdated>, RunError> {
    let mut found = with_skipped(book, snapshot)?;
    found.retain(|outdated| outdated.reason != OutdatedReason::Skipped);
    Ok(found)
}

/// The outdated chapters and those whose operations could not be read. `snapshot` may have changes that are in no commit.
pub fn with_skipped(book: &Book, snapshot: &Snapshot<'_>) -> Result<Vec<Outdated>, RunError> {
    let deltas = snapshot.content_ids(layout::DELTAS)?;
    let mut commits: Option<BTreeMap<ChapterNo, Transaction>> = None;
    let mut found = Vec::new();
    for (chapter, (volume, text)) in snapshot.chapter_texts()? {
        let Some(delta) = deltas.get(&layout::delta(volume, chapter)) else {
            found.push(Outdated { chapter, volume, reason: OutdatedReason::Unread });
            continue;
        };
        // The look at formats tells of a delta that cannot be read.
        let Ok(delta) = format::delta::read(&store::change::content(book, delta)?.unwrap_or_default()) else {
            continue;
        };
        let mut from = delta.text;
        if from.is_none() {
            // The text that was accepted.
            let commits = match &mut commits {
                Some(commits) => commits,
                commits => commits.insert(store::history::chapters(book)?),
            };
            if let Some(commit) = commits.get(&chapter) {
                from = book.snapshot_of(commit.id)?.content_id(&layout::chapter(volume, chapter));
            }
        }
        let edited = from.filter(|from| *from != text).map(|from| OutdatedReason::Edited { from });
        let reason = edited.or(delta.skipped.map(|_| OutdatedReason::Skipped));
        found.extend(reason.map(|reason| Outdated { chapter, volume, reason }));
    }
    Ok(found)
}

/// Which chapters, and how far the rebuild goes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RebuildOrder {
    /// The chapters; empty for all that are outdated.
    pub chapters: BTreeSet<ChapterNo>,
    /// Whether the author vouches that the edits changed the wording alone: nothing is asked.
    pub wording: bool,
    /// Whether the chapters that rely on what has changed are summarised again too.
    pub cascade: bool,
    /// Whether the text of the chapters that rely on what has changed is mended.
    pub revise: bool,
}

impl RebuildOrder {
    /// True when the order is about what the last rebuild left, where no chapter is outdated.
    pub fn goes_on(&self) -> bool {
        (self.cascade || self.revise) && self.chapters.is_empty()
    }

    /// The order in words: two in the same words are the same.
    pub fn words(&self) -> String {
        let chapters: Vec<String> = self.chapters.iter().map(ChapterNo::to_string).collect();
        let wording = if self.wording { " wording" } else { "" };
        let cascade = if self.cascade { " cascade" } else { "" };
        let revise = if self.revise { " revise" } else { "" };
        format!("rebuild {}{wording}{cascade}{revise}", chapters.join(" "))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Treatment {
    /// The wording alone has changed: summary and delta stand, and say from now on that they are of the present text.
    Note,
    /// The summarizer reads the present text.
    Summarize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RebuildItem {
    pub chapter: ChapterNo,
    pub volume: VolumeNo,
    /// Why; `None` for one that is up to date and was asked for by name.
    pub reason: Option<OutdatedReason>,
    pub treatment: Treatment,
}
