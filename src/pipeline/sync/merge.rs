//! One book from two lines that have gone on from the same commit.
//! Files are compared three ways, texts are merged by lines, and chapters belong together: from the first chapter at which
//! the lines tell different stories, everything that writing made comes from one of them. After chapters have
//! got other numbers on one line, everything that has numbers comes from one of them.

use crate::pipeline::BookView;
use crate::pipeline::book::files;
use crate::pipeline::engine::clock::rfc3339;
use crate::pipeline::prelude::*;
use crate::pipeline::sync::conflict::{
    ChapterConflict, ChapterVersion, Conflicts, FileConflict, MadeBy, NumberConflict, Side,
};
use crate::pipeline::sync::story::{self, DivergedLines, Leading, other, taken};
use crate::store::HistoryRelation;
use crate::store::layout::Owner;
use crate::store::remote;
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
    let numbers = story::numbers(book, &lines)?;
    let differing = if numbers.is_some() { BTreeSet::new() } else { story::differing(&lines)? };
    let from = numbers.as_ref().map(|numbers| numbers.first).or(differing.first().copied());
    let side = story::leading(&lines, chosen.filter(|_| from.is_some()))?;
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
    let change = story::with_facts(book, &lines, leading, change)?;
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
            Some(BookPath::Wishes) => story::wishes(&versions),
            _ => story::merged(&versions)?,
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
