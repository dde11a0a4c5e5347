//! Chapters that left nothing in the state because their operations could not be read, and when the state has to be
//! rebuilt from them.

use super::view::BookView;
use crate::domain::book::checkpoint::Totals;
use crate::pipeline::prelude::*;

/// From so many chapters without operations on, a rebuild of the state is proposed (agent protocol §10.6, rule 1).
const THIN_FROM: u32 = 3;
/// The proposal is repeated every so many chapters: the rhythm of the author's quality brief (orchestrator chapter §8.2).
pub(crate) const BRIEF_EVERY: u32 = 5;

/// Returns whether so many chapters are without operations that a rebuild is proposed.
pub(crate) fn is_thin(totals: Totals) -> bool {
    totals.skipped_ops >= THIN_FROM
}

/// The accepted chapters whose operations could not be read, the earliest first; empty while a rebuild is not due. The
/// deltas say which they are, and are read backwards only until all that the checkpoint counts are found.
pub fn without_operations(view: &BookView<'_>) -> Result<Vec<ChapterNo>, RunError> {
    let checkpoint = view.checkpoint_with_totals()?;
    let mut found = Vec::new();
    if !is_thin(checkpoint.totals) {
        return Ok(found);
    }
    for (chapter, volume) in view.among(1..=checkpoint.last_completed)?.into_iter().rev() {
        if found.len() as u32 >= checkpoint.totals.skipped_ops {
            break;
        }
        if view.delta(volume, chapter)?.is_some_and(|delta| delta.skipped.is_some()) {
            found.push(chapter);
        }
    }
    found.reverse();
    Ok(found)
}
