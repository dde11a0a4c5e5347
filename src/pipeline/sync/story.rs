//! The chapters of two lines: which of them are the same story, and from where on they are two. Their state, ledger and
//! checkpoint are replayed from the chapters, with what authors and plans changed beside them, and never merged as text.

use crate::domain::book::wish::Wishes;
use crate::pipeline::BookView;
use crate::pipeline::book::files;
use crate::pipeline::book::{memories, replay};
use crate::pipeline::prelude::*;
use crate::pipeline::sync::conflict::{NumberConflict, Side};
use crate::store::{self, Contents, merge_lines};

/// Two lines and the commit that both went on from.
#[derive(Debug)]
pub(super) struct DivergedLines<'b> {
    pub(super) base: Snapshot<'b>,
    pub(super) ours: Snapshot<'b>,
    pub(super) theirs: Snapshot<'b>,
    /// The paths that ours has changed.
    pub(super) by_us: BTreeSet<String>,
    pub(super) by_them: BTreeSet<String>,
}

impl<'b> DivergedLines<'b> {
    pub(super) fn new([base, ours, theirs]: [Snapshot<'b>; 3]) -> Result<Self, StoreError> {
        let by_us = ours.changed_since(&base)?.into_iter().collect();
        let by_them = theirs.changed_since(&base)?.into_iter().collect();
        Ok(Self { base, ours, theirs, by_us, by_them })
    }

    pub(super) fn of(&self, side: Side) -> &Snapshot<'b> {
        match side {
            Side::Ours => &self.ours,
            Side::Theirs => &self.theirs,
        }
    }

    /// The three versions of a file: base, ours, theirs.
    pub(super) fn versions(&self, path: &str) -> Result<[Option<Vec<u8>>; 3], StoreError> {
        Ok([self.base.read(path)?, self.ours.read(path)?, self.theirs.read(path)?])
    }

    pub(super) fn changed(&self, side: Side, path: &str) -> bool {
        match side {
            Side::Ours => self.by_us.contains(path),
            Side::Theirs => self.by_them.contains(path),
        }
    }

    /// Every path that either line has changed, in order.
    pub(super) fn paths(&self) -> BTreeSet<String> {
        self.by_us.union(&self.by_them).cloned().collect()
    }
}

/// Both versions of a file with the changes of both, if they can be told apart; a file that only one line has changed is
/// that line's.
pub(super) fn merged(versions: &[Option<Vec<u8>>; 3]) -> Result<Option<Option<Vec<u8>>>, StoreError> {
    let [base, ours, theirs] = versions;
    Ok(match () {
        () if ours == theirs || theirs == base => Some(ours.clone()),
        () if ours == base => Some(theirs.clone()),
        () => match (base, ours, theirs) {
            (Some(base), Some(ours), Some(theirs)) => merge_lines(base, ours, theirs)?.map(Some),
            _ => None,
        },
    })
}

/// The wishes of both lines; `None` where a line's cannot be read.
pub(super) fn wishes(versions: &[Option<Vec<u8>>; 3]) -> Option<Option<Vec<u8>>> {
    let read = |version: &Option<Vec<u8>>| match version {
        Some(bytes) => format::plain::read_wishes(bytes).ok(),
        None => Some(Wishes::default()),
    };
    let [base, ours, theirs] = versions;
    let joined = read(ours)?.joined(read(theirs)?, &read(base)?);
    Some((!joined.wishes.is_empty()).then(|| format::write(&joined, ours.as_deref())))
}

/// Chapters that have other numbers on a line while the other one has changed what has the old ones. `None` also where both have
/// made the same of them.
pub(super) fn numbers(book: &Book, lines: &DivergedLines<'_>) -> Result<Option<NumberConflict>, StoreError> {
    let base = lines.base.commit_id();
    let steps = |side: Side| -> Result<Vec<Renumbering>, StoreError> {
        let commits = book.beyond(lines.of(side).commit_id(), Some(base))?;
        Ok(commits.iter().rev().filter_map(Transaction::renumbers).collect())
    };
    let (ours, theirs) = (steps(Side::Ours)?, steps(Side::Theirs)?);
    let Some(first) = ours.iter().chain(&theirs).map(|how| how.first()).min() else { return Ok(None) };
    let has_changed = |paths: &BTreeSet<String>| {
        // An outline is merged by lines: the words of a section keep to their heading, whatever its number.
        let is_other = |place: BookPath| place.has_numbers_from(first) && !matches!(place, BookPath::Outline(_));
        paths.iter().filter_map(|path| layout::classify(path)).any(is_other)
    };
    let is_clash = has_changed(&lines.by_us) && has_changed(&lines.by_them);
    Ok(is_clash.then_some(NumberConflict { ours, theirs, first }))
}

/// The chapters at which two lines tell different stories, in order. Empty where one goes on from the other, or where they
/// have changed different chapters.
pub(super) fn differing(lines: &DivergedLines<'_>) -> Result<BTreeSet<ChapterNo>, RunError> {
    let mut differing = BTreeSet::new();
    for path in lines.paths() {
        let Some(BookPath::Chapter(volume, chapter)) = layout::classify(&path) else { continue };
        let versions = lines.versions(&path)?;
        let deltas = lines.versions(&layout::delta(volume, chapter))?;
        let both_wrote = deltas[1] != deltas[2] && deltas[1] != deltas[0] && deltas[2] != deltas[0];
        if versions[1] != versions[2] && (merged(&versions)?.is_none() || both_wrote) {
            differing.insert(chapter);
        }
    }
    let [base, ours, theirs] = [lines.base.contents()?, lines.ours.contents()?, lines.theirs.contents()?];
    let numbers = |contents: &Contents| contents.iter().map(|(chapter, _)| chapter).collect::<BTreeSet<ChapterNo>>();
    let [base, ours, theirs] = [base, ours, theirs].map(numbers);
    let both_moved = ours != base && theirs != base && ours != theirs;
    let both_only_added = ours.is_superset(&base) && theirs.is_superset(&base);
    if both_moved && !both_only_added {
        differing.extend(ours.symmetric_difference(&theirs).next());
    }
    Ok(differing)
}

/// The line that the chapters come from as a whole: the chosen one, or the one that has more of them.
pub(super) fn leading(lines: &DivergedLines<'_>, chosen: Option<Side>) -> Result<Side, RunError> {
    let longer = || -> Result<Side, StoreError> {
        let [ours, theirs] = [lines.ours.contents()?.count(), lines.theirs.contents()?.count()];
        let base = lines.base.contents()?.count();
        // Shorter than before: that line has gone back, and the other has left its chapters alone.
        let back = |count: usize| count < base;
        Ok(if back(theirs) || (theirs > ours && !back(ours)) { Side::Theirs } else { Side::Ours })
    };
    Ok(chosen.map_or_else(longer, Ok)?)
}

/// The deltas of the chapters that the snapshot has, and whether each opens its volume.
pub(super) fn deltas(
    view: &crate::pipeline::BookView<'_>,
) -> Result<BTreeMap<ChapterNo, (crate::domain::state::Delta, bool)>, RunError> {
    let mut opened = BTreeSet::new();
    let mut found = BTreeMap::new();
    for (chapter, volume) in view.contents()?.iter() {
        let opens = opened.insert(volume);
        if let Some(delta) = files::delta(view, volume, chapter)? {
            found.insert(chapter, (delta, opens));
        }
    }
    Ok(found)
}

/// Which line leads, and from which chapter on it is the only one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leading {
    pub(super) side: Side,
    pub(super) from: Option<ChapterNo>,
    /// The other line has other numbers for the chapters from there on.
    pub(super) is_renumbered: bool,
}

/// The change with state, ledger and checkpoint of the book that it makes of our line.
pub(super) fn with_facts(
    book: &Book,
    lines: &DivergedLines<'_>,
    leading: Leading,
    mut change: Change,
) -> Result<Change, RunError> {
    let [by_us, by_them] = [Side::Ours, Side::Theirs].map(|side| moves_facts(lines, side));
    if by_them && !by_us && !leading.is_renumbered {
        for path in [layout::STATE, layout::FORESHADOWING] {
            change = taken(change, path, lines.theirs.read(path)?);
        }
    } else if by_them {
        let view = BookView::new(store::change::snapshot_over(book, lines.ours.commit_id(), &change)?);
        let chapters = deltas(&view)?;
        let chronicle = |side: Side| Ok::<_, RunError>(replay::replay_of(book, lines.of(side).commit_id())?.chronicle);
        let base = replay::replay_of(book, lines.base.commit_id())?.chronicle;
        let (first, second) = (leading.side, other(leading.side));
        let joined = chronicle(first)?.with_chapters(chapters);
        let joined = joined.with_edits_of(&chronicle(second)?, &base, leading.from);
        change = change.and(replay::restored(&view, joined.now())?).and(replay::bases(&view, &joined)?);
        change = change.and(memories::restored(book, &view, &joined)?);
    }
    with_checkpoint(book, lines, leading, change)
}

fn with_checkpoint(
    book: &Book,
    lines: &DivergedLines<'_>,
    leading: Leading,
    change: Change,
) -> Result<Change, RunError> {
    let [by_us, by_them] = [Side::Ours, Side::Theirs].map(|side| lines.changed(side, layout::CHECKPOINT));
    let side = match (by_us, by_them) {
        (false, true) => Side::Theirs,
        (true, true) => leading.side,
        _ => Side::Ours,
    };
    let recorded = BookView::new(lines.of(side).clone()).recorded_checkpoint()?;
    let view = BookView::new(store::change::snapshot_over(book, lines.ours.commit_id(), &change)?);
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
fn moves_facts(lines: &DivergedLines<'_>, side: Side) -> bool {
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
