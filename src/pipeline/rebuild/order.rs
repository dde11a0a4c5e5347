//! An order to rebuild chapters, and what is done about each.

use super::outdated::Reason;
use crate::domain::{ChapterNo, VolumeNo};
use std::collections::BTreeSet;

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
    /// The order in words: two in the same words are the same.
    pub fn words(&self) -> String {
        let chapters: Vec<String> = self.chapters.iter().map(ChapterNo::to_string).collect();
        let wording = if self.wording { " wording" } else { "" };
        let cascade = if self.cascade { " cascade" } else { "" };
        let revise = if self.revise { " revise" } else { "" };
        format!("rebuild {}{wording}{cascade}{revise}", chapters.join(" "))
    }
}

/// The treatment of a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    /// The wording alone has changed: summary and delta stand, and say from now on that they are of the present text.
    Note,
    /// The summarizer reads the present text.
    Summarize,
}

/// A chapter to be rebuilt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedChapter {
    pub chapter: ChapterNo,
    pub volume: VolumeNo,
    /// Why; `None` for one that is up to date and was asked for by name.
    pub reason: Option<Reason>,
    pub treatment: Treatment,
}
