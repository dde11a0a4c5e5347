//! Finds what a merge, an amend, a rebase or another checkout has changed in the book without the program.

use crate::pipeline::book::view::BookView;
use crate::pipeline::prelude::*;
use crate::pipeline::rebuild::outdated::{self, Outdated, Reason};

/// The parts of the book that no longer fit each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moved {
    /// Chapters whose text has changed while their summary and delta have not.
    pub edited: BTreeSet<ChapterNo>,
    /// Chapters that have come without a delta.
    pub bare: BTreeSet<ChapterNo>,
    pub gone: BTreeSet<ChapterNo>,
    /// True when the state is not that of the last chapter.
    pub state: bool,
    /// True when rules, people, storylines or plans have changed.
    pub plans: bool,
}

/// Compares the book as of two commits. Folders that are the same in both are not opened.
pub fn between(book: &Book, from: CommitId, to: CommitId) -> Result<Moved, RunError> {
    let (before, after) = (book.snapshot_of(from)?, BookView::new(book.snapshot_of(to)?));
    let mut moved = Moved::default();
    let changed: BTreeSet<String> = after.changed_since(&before)?.into_iter().collect();
    for path in &changed {
        match layout::classify(path) {
            Some(BookPath::Chapter(_, chapter)) if !after.has(path) => drop(moved.gone.insert(chapter)),
            Some(BookPath::WorldRules | BookPath::Storylines | BookPath::Character { .. }) => moved.plans = true,
            Some(place) => moved.plans |= place.is_plan(),
            None => {}
        }
    }
    for Outdated { chapter, volume, reason } in outdated::outdated(book, &after)? {
        let is_new = changed.contains(&layout::chapter(volume, chapter));
        match reason {
            Reason::Unread if is_new => drop(moved.bare.insert(chapter)),
            Reason::Edited { .. } if is_new => drop(moved.edited.insert(chapter)),
            _ => {}
        }
    }
    let contents = after.contents()?;
    // A chapter that has moved to another volume is still there.
    moved.gone.retain(|chapter| !contents.has(*chapter));
    moved.state = !changed.is_empty() && !after.state_is_of_last()?;
    Ok(moved)
}
