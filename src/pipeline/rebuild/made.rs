//! Rebuilds that are in the book, and the chapters that the last one has left.

use super::outdated::{PlannedChapter, RebuildOrder};
use super::plan::planned_chapters;
use super::reliance::{self, Edits, Reliance};
use crate::pipeline::book::replay::replay_of;
use crate::pipeline::book::view::BookView;
use crate::pipeline::chapter::write::ChapterOutcome;
use crate::pipeline::engine::trailer::STEP;
use crate::pipeline::prelude::*;

#[derive(Debug, Default)]
pub struct Rebuilt {
    /// Its commit; `None` when nothing was to be done.
    pub commit: Option<CommitId>,
    /// The chapters that were rebuilt, the earliest first; those that a cascade reached have no reason.
    pub chapters: Vec<PlannedChapter>,
    /// The later chapters that rely on what has changed, and were neither rebuilt nor mended.
    pub relying: Vec<Reliance>,
    /// The chapters whose text was mended, the earliest first; the last may wait for the author.
    pub mended: Vec<(ChapterNo, ChapterOutcome)>,
    /// Whether texts were to be mended: those of `relying` were left.
    pub revised: bool,
}

pub(super) fn is_rebuild(transaction: &Transaction) -> bool {
    transaction.kind == Kind::Rebuild && transaction.trailers.get(STEP) == Some(Step::Rebuild.as_str())
}

/// A rebuild that is in the book. Chapters that were accepted after it rely on nothing any more.
pub(super) fn made(book: &Book, order: &RebuildOrder, done: &Transaction) -> Result<Rebuilt, RunError> {
    let Some(parent) = done.parent else { return Ok(Rebuilt { commit: Some(done.id), ..Rebuilt::default() }) };
    let (then, now) = (BookView::new(book.snapshot_of(parent)?), BookView::new(book.snapshot_of(done.id)?));
    let chapters = planned_chapters(book, &then, order)?;
    let edits = Edits::of(book, &then, &chapters)?;
    let (before, after) = (replay_of(book, parent)?.chronicle, replay_of(book, done.id)?.chronicle);
    let mut relying = reliance::relying(&now, &before, &after, &edits)?;
    let again: BTreeSet<ChapterNo> = book.log_after(done.id)?.iter().filter_map(Transaction::accepts).collect();
    relying.retain(|reliance| !order.cascade && !again.contains(&reliance.chapter));
    Ok(Rebuilt { commit: Some(done.id), chapters, relying, ..Rebuilt::default() })
}

/// The later chapters that rely on what the last rebuild of an edited chapter has changed, and that nothing has put right since: for
/// a cascade those whose delta is still the same, otherwise those whose text is. Reads only.
pub fn left_by_last(book: &Book, order: &RebuildOrder) -> Result<Vec<Reliance>, RunError> {
    let (all, mut failed) = (RebuildOrder::default(), None);
    let is_of_edit = |done: &Transaction| {
        let Some(parent) = done.parent.filter(|_| is_rebuild(done)) else { return false };
        let planned = book.snapshot_of(parent).map_err(RunError::from);
        match planned.and_then(|then| planned_chapters(book, &BookView::new(then), &all)) {
            Ok(planned) => !planned.is_empty(),
            Err(error) => {
                failed = Some(error);
                true
            }
        }
    };
    let done = book.last_of(&[Kind::Rebuild], is_of_edit)?;
    if let Some(error) = failed {
        return Err(error);
    }
    let Some(done) = done else { return Ok(Vec::new()) };
    let mut left = made(book, &all, &done)?.relying;
    if order.cascade {
        let (then, now) = (book.snapshot_of(done.id)?, BookView::new(book.snapshot()?));
        let (deltas, new) = (then.content_ids(layout::DELTAS)?, now.content_ids(layout::DELTAS)?);
        let path = |chapter| Ok::<_, RunError>(layout::delta(now.volume_of(chapter)?, chapter));
        let mut kept = Vec::new();
        for reliance in left {
            let path = path(reliance.chapter)?;
            kept.extend((deltas.get(&path) == new.get(&path)).then_some(reliance));
        }
        left = kept;
    }
    Ok(left)
}
