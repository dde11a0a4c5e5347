//! The replay of the book with the commit of each step, for questions about the past.
//! A replay reads every commit, which takes seconds in a long book. It is kept in `.git/novel/replay`, with the commit that it
//! has come to, and goes on from there. When the book has left that commit (a rollback, another branch, a rewritten history),
//! the replay begins again. `doctor` never uses it; a command that writes believes it only when it ends with the state and the
//! ledger that are committed.

use crate::domain::state::history::{Facts, HistoryStep};
use crate::pipeline::book::replay::{self, Replaying};
use crate::pipeline::prelude::*;
use crate::store;
use std::fmt::Write as _;

const NAME: &str = "replay";

/// The steps of a book with their commits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Timeline {
    pub(crate) chronicle: Chronicle,
    pub(super) edits: Vec<CommitId>,
    /// The commit that brought each chapter's delta as it is now, with the chapter's volume.
    pub(super) deltas: BTreeMap<ChapterNo, (VolumeNo, CommitId)>,
}

impl Timeline {
    pub(crate) fn of(book: &Book) -> Result<Self, RunError> {
        Ok(replayed(book, book.tip()?)?.into())
    }
}

/// The history of the state as of the last commit, for a command that writes.
pub(crate) fn chronicle(book: &Book) -> Result<Chronicle, RunError> {
    let kept = replayed(book, book.tip()?)?.chronicle;
    if replay::is_recorded(&book.snapshot()?, kept.now())? {
        return Ok(kept);
    }
    // The committed files are damaged, or the kept replay is.
    Ok(replay::replay(book)?.chronicle)
}

/// Up to so many chapters at the end of a book are read from their commits; of more, the kept replay tells sooner.
const PART: u32 = 200;

/// The history of the state from the chapter `first` on, for a look at the book.
pub(crate) fn chronicle_since(book: &Book, first: ChapterNo) -> Result<Chronicle, RunError> {
    match part_since(book, first)? {
        Some(part) => Ok(part),
        None => Ok(Timeline::of(book)?.chronicle),
    }
}

/// The last part of the history, from the facts that are committed with the chapter before `first`. `None` for a part that is long,
/// and where commits of that part have changed what is before it.
fn part_since(book: &Book, first: ChapterNo) -> Result<Option<Chronicle>, RunError> {
    let tip = book.tip()?;
    let length = book.contents_of(tip)?.last_number().saturating_sub(first.get());
    let Some(before) = first.previous().filter(|_| length <= PART) else { return Ok(None) };
    let Some(known) = book.chapter_commit(before)? else { return Ok(None) };
    let view = BookView::new(book.snapshot_of(known)?);
    let contents = view.contents()?;
    if contents.last() != Some(before) {
        return Ok(None);
    }
    let Some(line) = store::provenance::content_line_after(book, tip, known)? else { return Ok(None) };
    // The whole history makes good for a file that is damaged there.
    let (Ok(state), Ok(ledger)) = (view.state(), view.ledger()) else { return Ok(None) };
    let mut replaying = Replaying::after(Facts { state, ledger }, before, contents);
    replaying.go_on(book, line, Some(known))?;
    Ok(replaying.part())
}

impl From<Replaying> for Timeline {
    fn from(replaying: Replaying) -> Self {
        let volumes = replaying.volumes();
        let counted = replaying.deltas.iter().filter(|((volume, chapter), _)| volumes.get(chapter) == Some(volume));
        Self {
            deltas: counted.map(|((volume, chapter), (_, commit))| (*chapter, (*volume, *commit))).collect(),
            chronicle: replaying.chronicle,
            edits: replaying.edits,
        }
    }
}

fn replayed(book: &Book, tip: CommitId) -> Result<Replaying, RunError> {
    let key = store::cache::history_key(book)?;
    // A cache that cannot be read is as good as none.
    let cached = store::cache::cached(book, NAME, &key).ok().flatten().and_then(|bytes| read(&bytes));
    let (mut replaying, line, from) = match cached {
        Some((known, replaying)) if known == tip => return Ok(replaying),
        Some((known, replaying)) => match store::provenance::content_line_after(book, tip, known)? {
            Some(line) => (replaying, line, Some(known)),
            None => (Replaying::default(), store::provenance::content_line(book, tip)?, None),
        },
        None => (Replaying::default(), store::provenance::content_line(book, tip)?, None),
    };
    replaying.go_on(book, line, from)?;
    store::cache::keep_cached(book, NAME, &key, write(tip, &replaying).as_bytes());
    Ok(replaying)
}

/// The commit and the replay up to it: a line for each volume's chapters, for each delta, and for each step.
fn write(tip: CommitId, replaying: &Replaying) -> String {
    let mut out = format!("{tip}\n");
    for (volume, chapters) in replaying.texts.iter().filter(|(_, chapters)| !chapters.is_empty()) {
        let chapters: Vec<String> = chapters.iter().map(|chapter| chapter.get().to_string()).collect();
        let _ = writeln!(out, "texts {} {}", volume.get(), chapters.join(","));
    }
    for ((volume, _), (delta, commit)) in &replaying.deltas {
        let _ = writeln!(out, "delta {} {commit} {}", volume.get(), format::delta::write_line(delta));
    }
    let mut edits = replaying.edits.iter();
    for step in replaying.chronicle.steps() {
        let _ = match (step, edits.clone().next()) {
            (HistoryStep::Chapter { delta, opens_volume }, _) => {
                writeln!(out, "chapter {} {}", delta.chapter.get(), u8::from(*opens_volume))
            }
            (HistoryStep::Edit(edit), commit) => {
                edits.next();
                let commit = commit.map(CommitId::to_string).unwrap_or_default();
                writeln!(out, "edit {commit} {}", format::delta::write_edit(edit))
            }
        };
    }
    out
}

/// Reads the cache; `None` when anything in it is not as expected.
fn read(bytes: &[u8]) -> Option<(CommitId, Replaying)> {
    let mut lines = std::str::from_utf8(bytes).ok()?.lines();
    let tip = lines.next()?.parse().ok()?;
    let mut replaying = Replaying::default();
    let (mut counted, mut steps) = (BTreeMap::new(), Vec::new());
    // The lines of texts come before those of deltas.
    let mut volumes = None;
    for line in lines {
        let (kind, rest) = line.split_once(' ')?;
        let (first, rest) = rest.split_once(' ')?;
        match kind {
            "texts" => {
                let chapters = rest.split(',').map(str::parse).collect::<Result<BTreeSet<ChapterNo>, _>>().ok()?;
                replaying.texts.insert(first.parse().ok()?, chapters);
            }
            "delta" => {
                let (commit, delta) = rest.split_once(' ')?;
                let (volume, delta) = (first.parse().ok()?, format::delta::read(delta.as_bytes()).ok()?);
                let volumes = volumes.get_or_insert_with(|| replaying.volumes());
                if volumes.get(&delta.chapter) == Some(&volume) {
                    counted.insert(delta.chapter, delta.clone());
                }
                replaying.deltas.insert((volume, delta.chapter), (delta, commit.parse().ok()?));
            }
            "chapter" => {
                let delta = counted.remove(&first.parse().ok()?)?;
                steps.push(HistoryStep::Chapter { delta, opens_volume: rest == "1" });
            }
            "edit" => {
                replaying.edits.push(first.parse().ok()?);
                steps.push(HistoryStep::Edit(format::delta::read_edit(rest.as_bytes()).ok()?));
            }
            _ => return None,
        }
    }
    replaying.chronicle = Chronicle::from_steps(steps);
    Some((tip, replaying))
}
