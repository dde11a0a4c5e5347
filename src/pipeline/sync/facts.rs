//! State, ledger and checkpoint of two lines together: replayed from the chapters, with what authors and plans changed
//! beside them. They are never merged as text.

use super::conflict::Side;
use super::story::{self, Lines};
use crate::domain::ChapterNo;
use crate::pipeline::BookView;
use crate::pipeline::book::replay;
use crate::pipeline::engine::error::RunError;
use crate::store::layout::{self, BookPath};
use crate::store::{Book, Change};

/// Which line leads, and from which chapter on it is the only one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leading {
    pub(super) side: Side,
    pub(super) from: Option<ChapterNo>,
}

/// The change with state, ledger and checkpoint of the book that it makes of our line.
pub(super) fn with_facts(
    book: &Book,
    lines: &Lines<'_>,
    leading: Leading,
    mut change: Change,
) -> Result<Change, RunError> {
    let [by_us, by_them] = [Side::Ours, Side::Theirs].map(|side| moves_facts(lines, side));
    if by_them && !by_us {
        for path in [layout::STATE, layout::FORESHADOWING] {
            change = taken(change, path, lines.theirs.read(path)?);
        }
    } else if by_us && by_them {
        let view = BookView::new(book.snapshot_over(lines.ours.commit_id(), &change)?);
        let chapters = story::deltas(&view)?;
        let chronicle = |side: Side| Ok::<_, RunError>(replay::replay_of(book, lines.of(side).commit_id())?.chronicle);
        let base = replay::replay_of(book, lines.base.commit_id())?.chronicle;
        let (first, second) = (leading.side, other(leading.side));
        let joined = chronicle(first)?.with_chapters(chapters);
        let joined = joined.with_edits_of(&chronicle(second)?, &base, leading.from);
        let restored = replay::restored(&view, joined.now())?;
        change.puts.extend(restored.puts);
    }
    with_checkpoint(book, lines, leading, change)
}

fn with_checkpoint(book: &Book, lines: &Lines<'_>, leading: Leading, change: Change) -> Result<Change, RunError> {
    let [by_us, by_them] = [Side::Ours, Side::Theirs].map(|side| lines.changed(side, layout::CHECKPOINT));
    let side = match (by_us, by_them) {
        (false, true) => Side::Theirs,
        (true, true) => leading.side,
        _ => Side::Ours,
    };
    let recorded = BookView::new(lines.of(side).clone()).recorded_checkpoint()?;
    let view = BookView::new(book.snapshot_over(lines.ours.commit_id(), &change)?);
    if view.agrees(&recorded)? && !(by_us && by_them) {
        return Ok(taken(change, layout::CHECKPOINT, lines.of(side).read(layout::CHECKPOINT)?));
    }
    let corrected = view.corrected(recorded)?;
    view.put_checkpoint(change, &corrected)
}

/// The change with that version of a file in our line's place.
pub(super) fn taken(change: Change, path: &str, version: Option<Vec<u8>>) -> Change {
    match version {
        Some(bytes) => change.put(path, bytes),
        None => change.remove(path),
    }
}

pub(super) fn other(side: Side) -> Side {
    match side {
        Side::Ours => Side::Theirs,
        Side::Theirs => Side::Ours,
    }
}

/// True when a line has changed what the state follows from, or the state itself.
fn moves_facts(lines: &Lines<'_>, side: Side) -> bool {
    let paths = match side {
        Side::Ours => &lines.by_us,
        Side::Theirs => &lines.by_them,
    };
    paths.iter().any(|path| match layout::classify(path) {
        Some(BookPath::State | BookPath::Foreshadowing | BookPath::Delta(..)) => true,
        Some(BookPath::Chapter(..)) => lines.base.has(path) != lines.of(side).has(path),
        _ => false,
    })
}
