//! What a merge, an amend, a rebase or another checkout has changed in the book without the program.

use crate::domain::ChapterNo;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::error::RunError;
use crate::store::layout::{self, BookPath};
use crate::store::{Book, CommitId};
use std::collections::BTreeSet;

/// The parts of the book that no longer fit each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moved {
    /// Chapters whose text has changed while their summary and delta have not.
    pub edited: BTreeSet<ChapterNo>,
    /// Chapters that have come without a delta.
    pub bare: BTreeSet<ChapterNo>,
    /// Chapters that are gone.
    pub gone: BTreeSet<ChapterNo>,
    /// True when the state is not that of the last chapter.
    pub state: bool,
    /// True when rules, people, storylines or plans have changed.
    pub plans: bool,
}

impl Moved {
    /// True when everything still fits.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// Compares the book as of two commits. Folders that are the same in both are not opened.
///
/// # Errors
/// When the repository cannot be read.
pub fn between(book: &Book, from: CommitId, to: CommitId) -> Result<Moved, RunError> {
    let (before, after) = (book.snapshot_of(from)?, book.snapshot_of(to)?);
    let mut moved = Moved::default();
    let changed: BTreeSet<String> = after.changed_since(&before)?.into_iter().collect();
    for path in &changed {
        let Some(place) = layout::classify(path) else { continue };
        match place {
            BookPath::Chapter(volume, chapter) => {
                let delta = layout::delta(volume, chapter);
                match (after.has(path), after.has(&delta)) {
                    (false, _) => moved.gone.insert(chapter),
                    (true, false) => moved.bare.insert(chapter),
                    (true, true) if !changed.contains(&delta) => moved.edited.insert(chapter),
                    (true, true) => false,
                };
            }
            place => {
                let is_world =
                    matches!(place, BookPath::WorldRules | BookPath::Storylines | BookPath::Character { .. });
                moved.plans |= is_world || place.is_plan();
            }
        }
    }
    let contents = after.contents()?;
    // A chapter that has moved to another volume is still there.
    moved.gone.retain(|chapter| !contents.has(*chapter));
    moved.state = !changed.is_empty() && !BookView::new(&after).state_is_of_last()?;
    Ok(moved)
}
