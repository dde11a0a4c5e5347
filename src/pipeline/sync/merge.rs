//! One book from two lines that have gone on from the same commit.
//! Files are compared three ways, texts are merged by lines, and chapters belong together: from the first chapter at which
//! the lines tell different stories, everything that writing made comes from one of them. After chapters have
//! got other numbers on one line, everything that has numbers comes from one of them. State, ledger and checkpoint are replayed
//! from the chapters, with what authors and plans changed beside them, and never merged as text.

use crate::domain::chapter::author_notes::Wishes;
use crate::pipeline::BookView;
use crate::pipeline::book::{files, memories, replay};
use crate::pipeline::engine::clock::rfc3339;
use crate::pipeline::prelude::*;
use crate::pipeline::sync::conflict::{
    ChapterConflict, ChapterVersion, Conflicts, FileConflict, MadeBy, NumberConflict, Side,
};
use crate::store::layout::Owner;
use crate::store::{self, Contents, HistoryRelation, merge_lines, remote};
use crate::text::{Count, Sentence, sentences};

/// Two lines, merged as far as that is possible.
#[derive(Debug)]
pub(super) struct Merge {
    /// The change of our line that makes it the merged book; without a choice, as far as it goes without one.
    pub(super) change: Change,
    pub(super) conflicts: Conflicts,
}

/// Merges `ours` and `theirs`, which have gone on from `base`. With a side chosen, conflicts are settled for it.
pub(super) fn merge(book: &Book, [base, ours, theirs]: [CommitId; 3], chosen: Option<Side>) -> Result<Merge, RunError> {
    let lines = DivergedLines::new([book.snapshot_of(base)?, book.snapshot_of(ours)?, book.snapshot_of(theirs)?])?;
    let numbers = numbers(book, &lines)?;
    let differing = if numbers.is_some() { BTreeSet::new() } else { differing(&lines)? };
    let from = numbers.as_ref().map(|numbers| numbers.first).or(differing.first().copied());
    let side = leading(&lines, chosen.filter(|_| from.is_some()))?;
    let leading = Leading { side, from, is_renumbered: numbers.is_some() };
    let (change, files) = (Change::default(), BTreeSet::new());
    let mut merging = Merging { lines: &lines, leading, numbers: numbers.as_ref(), chosen, change, files };
    for path in lines.paths() {
        merging.file(&path)?;
    }
    let Merging { change, files, .. } = merging;
    let conflicts = Conflicts {
        numbers,
        chapters: differing.iter().map(|chapter| chapter_conflict(book, &lines, *chapter)).collect::<Result<_, _>>()?,
        files: files.iter().map(|path| file_conflict(book, &lines, path)).collect::<Result<_, _>>()?,
    };
    if !conflicts.is_empty() && chosen.is_none() {
        return Ok(Merge { change, conflicts });
    }
    let change = with_facts(book, &lines, leading, change)?;
    Ok(Merge { change, conflicts })
}

struct Merging<'l, 'b> {
    lines: &'l DivergedLines<'b>,
    leading: Leading,
    numbers: Option<&'l NumberConflict>,
    chosen: Option<Side>,
    change: Change,
    /// Files of the author's that cannot be merged.
    files: BTreeSet<String>,
}

impl Merging<'_, '_> {
    fn file(&mut self, path: &str) -> Result<(), RunError> {
        let place = layout::classify(path);
        if let (Some(place), Some(numbers)) = (&place, self.numbers)
            && numbers.changes(place, self.lines.base.read(path)?.as_deref())
        {
            return self.take(path, self.leading.side);
        }
        if matches!(place, Some(BookPath::State | BookPath::Foreshadowing | BookPath::Checkpoint)) {
            return Ok(());
        }
        let chapter = place.as_ref().and_then(|place| place.chapter().filter(|of| place.is_result_of(*of)));
        if let (Some(chapter), Some(from)) = (chapter, self.leading.from)
            && chapter >= from
        {
            // The story is one line's from here on.
            self.take(path, self.leading.side)?;
            return Ok(());
        }
        let versions = self.lines.versions(path)?;
        let [base, ours, theirs] = &versions;
        if ours == theirs || theirs == base {
            return Ok(());
        }
        if ours == base {
            return self.take(path, Side::Theirs);
        }
        if place.as_ref().is_some_and(|place| place.owner() == Owner::Program) {
            let side = chapter.map_or(self.leading.side, |chapter| self.writer_of(path, chapter));
            return self.take(path, side);
        }
        let merged = match place {
            Some(BookPath::Wishes) => wishes(&versions),
            _ => merged(&versions)?,
        };
        match merged {
            Some(None) => self.put(path, None),
            Some(Some(bytes)) if format::check::fault(path, &bytes, ours.as_deref()).is_none() => {
                self.put(path, Some(bytes));
            }
            _ => {
                self.files.insert(path.to_owned());
                if let Some(side) = self.chosen {
                    self.take(path, side)?;
                }
            }
        }
        Ok(())
    }

    /// The line whose text of the chapter stands; where both lines have the same, theirs, which others have as well.
    fn writer_of(&self, path: &str, chapter: ChapterNo) -> Side {
        let volume = layout::classify(path).and_then(|place| place.volume());
        let text = volume.map(|volume| layout::chapter(volume, chapter));
        let changed = |side| text.as_ref().is_some_and(|text| self.lines.changed(side, text));
        if changed(Side::Ours) && !changed(Side::Theirs) { Side::Ours } else { Side::Theirs }
    }

    fn take(&mut self, path: &str, side: Side) -> Result<(), RunError> {
        if side == Side::Theirs {
            let version = self.lines.theirs.read(path)?;
            self.put(path, version);
        }
        Ok(())
    }

    fn put(&mut self, path: &str, version: Option<Vec<u8>>) {
        self.change = taken(std::mem::take(&mut self.change), path, version);
    }
}

fn chapter_conflict(book: &Book, lines: &DivergedLines<'_>, chapter: ChapterNo) -> Result<ChapterConflict, RunError> {
    let of = |side: Side| chapter_version(book, lines, side, chapter);
    let (mut ours, mut theirs) = (of(Side::Ours)?, of(Side::Theirs)?);
    if let (Some((ours, our_text)), Some((theirs, their_text))) = (&mut ours, &mut theirs) {
        let (a, b) = (sentences(our_text), sentences(their_text));
        let shared = a.iter().zip(&b).take_while(|(a, b)| a.text() == b.text()).count();
        let first = |of: &[Sentence]| of.get(shared).map(|sentence| sentence.text().to_owned()).unwrap_or_default();
        (ours.difference, theirs.difference) = (first(&a), first(&b));
    }
    let version = |side: Option<(ChapterVersion, String)>| side.map(|(version, _)| version);
    Ok(ChapterConflict { chapter, ours: version(ours), theirs: version(theirs) })
}

fn chapter_version(
    book: &Book,
    lines: &DivergedLines<'_>,
    side: Side,
    chapter: ChapterNo,
) -> Result<Option<(ChapterVersion, String)>, RunError> {
    let snapshot = lines.of(side);
    let view = BookView::new(snapshot.clone());
    let contents = view.contents()?;
    let (Some(volume), Some(last)) = (contents.volume_of(chapter), contents.last()) else { return Ok(None) };
    let text = view.chapter(chapter)?;
    let opening = sentences(&text.body).first().map(|sentence| sentence.text().to_owned()).unwrap_or_default();
    let score = files::evaluation(&view, volume, chapter).ok().flatten().map(|report| report.evaluation.overall());
    let version = ChapterVersion {
        title: text.title,
        opening,
        difference: String::new(),
        words: Count::of_prose(&text.body).words as u64,
        score,
        by: remote::history::origin_of_chapter(book, snapshot.commit_id(), chapter)?.map(made_by),
        last,
    };
    Ok(Some((version, text.body)))
}

fn file_conflict(book: &Book, lines: &DivergedLines<'_>, path: &str) -> Result<FileConflict, RunError> {
    let base = lines.base.commit_id();
    let by = |side: Side| {
        Ok::<_, RunError>(remote::history::last_change(book, path, lines.of(side).commit_id(), base)?.map(made_by))
    };
    Ok(FileConflict { path: path.to_owned(), ours: by(Side::Ours)?, theirs: by(Side::Theirs)? })
}

fn made_by(transaction: Transaction) -> MadeBy {
    MadeBy {
        commit: transaction.id.to_string(),
        author: transaction.author.name,
        time: rfc3339(transaction.time.seconds, transaction.time.offset_minutes),
    }
}

/// The line that a choice leaves behind.
pub(super) fn left_behind(chosen: Side, ours: CommitId, theirs: CommitId) -> CommitId {
    match other(chosen) {
        Side::Ours => ours,
        Side::Theirs => theirs,
    }
}

/// A choice between this copy and a remote.
#[derive(Debug, Clone, PartialEq)]
pub struct Undecided {
    pub remote: String,
    pub conflicts: Conflicts,
}

/// The choice that the last sync has left to the author; `None` where it left none, or the book is no longer as it was then.
/// Asks no remote, and reads only.
pub fn undecided(book: &Book) -> Result<Option<Undecided>, RunError> {
    // Most books have none, and `novel status` asks each time.
    if remote::name::remotes(book)?.is_empty() {
        return Ok(None);
    }
    let Ok(remote) = remote::name::default_remote(book, Some(&config_now(book)?.sync.remote)) else { return Ok(None) };
    let Some(theirs) = remote::name::known_tip(book, &remote)? else { return Ok(None) };
    let ours = book.tip()?;
    let HistoryRelation::Diverged(base) = remote::history::relation(book, ours, theirs)? else { return Ok(None) };
    let conflicts = merge(book, [base, ours, theirs], None)?.conflicts;
    Ok((!conflicts.is_empty()).then(|| Undecided { remote: remote.to_string(), conflicts }))
}

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
