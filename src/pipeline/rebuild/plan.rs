//! A rebuild before it is made: the chapters that are summarised again, those that only note a change of wording, and the
//! later chapters that may rely on them.

use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits::{MissingChapters, refuse_lost};
use crate::pipeline::book::on_disk::{refuse_unsound, view_on_disk};
use crate::pipeline::book::replay::replay_of;
use crate::pipeline::book::timeline;
use crate::pipeline::chapter::write::ChapterOutcome;
use crate::pipeline::prelude::*;
use crate::pipeline::rebuild::outdated::{self, OutdatedReason, RebuildItem, RebuildOrder, Treatment};
use crate::pipeline::rebuild::reliance::{self, EditedChapters, Reliance};
use crate::store;

#[derive(Debug, Clone, PartialEq)]
pub struct RebuildPlan {
    /// The chapters, the earliest first.
    pub chapters: Vec<RebuildItem>,
    /// Later chapters that may rely on them: those that work with anything that these chapters have set so far, or repeat
    /// words that were taken out of them. The rebuild itself tells which of them really do.
    pub may_rely: Vec<Reliance>,
}

/// Plans a rebuild. Reads only, and counts changes that are in no commit.
/// Fails with [`RunError::NoSuchChapter`]; when the repository cannot be read.
pub fn plan(book: &Book, order: &RebuildOrder) -> Result<RebuildPlan, RunError> {
    let view = view_on_disk(book)?;
    match order.chapters.is_empty() {
        true => refuse_unsound(book, MissingChapters::Stop)?,
        // The author's word that texts which have changed places are edits.
        false => refuse_unsound(book, MissingChapters::Pass)?,
    }
    refuse_lost(book, &view)?;
    let chapters = planned_chapters(book, &view, order)?;
    let before = timeline::chronicle(book)?;
    let edits = EditedChapters::of(book, &view, &chapters)?;
    // Nothing is known of the new operations, so everything that rests on the old ones may fall.
    let bare = |after: Chronicle, planned: &RebuildItem| {
        let delta = after.chapters().find(|delta| delta.chapter == planned.chapter).cloned();
        delta.map_or_else(|| after.clone(), |delta| after.with(&Delta { ops: Vec::new(), ..delta }))
    };
    let asked = chapters.iter().filter(|planned| planned.treatment == Treatment::Summarize);
    let after = asked.fold(before.clone(), bare);
    let may_rely = reliance::relying(&view, &before, &after, &edits)?;
    Ok(RebuildPlan { chapters, may_rely })
}

/// True when a rebuild has to ask a model: an edit of wording alone needs none. Reads only, and counts changes that are in no
/// commit.
pub fn asks(book: &Book, order: &RebuildOrder) -> Result<bool, RunError> {
    let planned = planned_chapters(book, &view_on_disk(book)?, order)?;
    let is_asked = |planned: &RebuildItem| planned.treatment == Treatment::Summarize;
    Ok(order.cascade || order.revise || planned.iter().any(is_asked))
}

/// The chapters of an order, the earliest first, each with its treatment.
pub(super) fn planned_chapters(
    book: &Book,
    view: &BookView<'_>,
    order: &RebuildOrder,
) -> Result<Vec<RebuildItem>, RunError> {
    let outdated = outdated::with_skipped(book, view)?;
    let mut reasons: BTreeMap<ChapterNo, OutdatedReason> =
        outdated.into_iter().map(|outdated| (outdated.chapter, outdated.reason)).collect();
    let wanted = if order.chapters.is_empty() { reasons.keys().copied().collect() } else { order.chapters.clone() };
    let mut planned = Vec::new();
    for chapter in wanted {
        let (volume, reason) = (view.volume_of(chapter)?, reasons.remove(&chapter));
        let treatment = treatment(book, view, (volume, chapter), reason.as_ref(), order.wording)?;
        planned.push(RebuildItem { chapter, volume, reason, treatment });
    }
    Ok(planned)
}

fn treatment(
    book: &Book,
    view: &BookView<'_>,
    (volume, chapter): (VolumeNo, ChapterNo),
    reason: Option<&OutdatedReason>,
    vouched: bool,
) -> Result<Treatment, RunError> {
    let Some(OutdatedReason::Edited { from }) = reason else { return Ok(Treatment::Summarize) };
    if vouched {
        return Ok(Treatment::Note);
    }
    // The earlier text may be beyond the end of a shallow clone.
    let Some(old) = store::change::content(book, from)? else { return Ok(Treatment::Summarize) };
    let old = Chapter::from_markdown(chapter, &String::from_utf8_lossy(&old), "");
    let new = view.chapter(chapter)?;
    let paths = ChapterPaths::of(volume, chapter);
    let mut derived = String::new();
    for path in [&paths.summary, &paths.delta, &paths.memory] {
        derived.push_str(&String::from_utf8_lossy(&view.bytes(path)?.unwrap_or_default()));
    }
    let characters = files::characters(view)?;
    let names: Vec<String> = characters.iter().flat_map(|person| person.names()).map(str::to_owned).collect();
    let alone = text::is_wording_alone(&old.body, &new.body, &derived, &names);
    Ok(if alone { Treatment::Note } else { Treatment::Summarize })
}

#[derive(Debug, Default)]
pub struct Rebuilt {
    /// Its commit; `None` when nothing was to be done.
    pub commit: Option<CommitId>,
    /// The chapters that were rebuilt, the earliest first; those that a cascade reached have no reason.
    pub chapters: Vec<RebuildItem>,
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
    let edits = EditedChapters::of(book, &then, &chapters)?;
    let (before, after) = (replay_of(book, parent)?.chronicle, replay_of(book, done.id)?.chronicle);
    let mut relying = reliance::relying(&now, &before, &after, &edits)?;
    let again: BTreeSet<ChapterNo> =
        store::pending_command::log_after(book, done.id)?.iter().filter_map(Transaction::accepts).collect();
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
    let done = store::history::last_of(book, &[Kind::Rebuild], is_of_edit)?;
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
