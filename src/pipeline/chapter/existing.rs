//! A chapter that is in the book, written again: what it is written from, and what becomes of the book after it. The delta of a chapter
//! joined with the book: the operations that fit, and the state and the ledger that follow.
//! Texts of the author's own at the place of a chapter whose draft is open: committed with plain git, or in the folder still.

use crate::agents::context::chapter::Memory;
use crate::domain::chapter::heading_number;
use crate::domain::state::history::{AffectedChapter, Facts};
use crate::pipeline::book::chapter_context;
use crate::pipeline::book::files;
use crate::pipeline::book::kept::{Kept, KeptThing};
use crate::pipeline::book::{rearranged, timeline};
use crate::pipeline::prelude::*;
use crate::store;
use crate::store::format::lossy_text;

pub(crate) struct ExistingChapter {
    /// `None` for a chapter that was taken out.
    pub(crate) commit: Option<CommitId>,
    /// The judge's report on it.
    pub(crate) report: Option<RecordedEvaluation>,
    /// The chapter after it and how that one begins, if it is written: the new text leads up to it.
    pub(crate) follows: Option<(ChapterNo, String)>,
    /// How many texts of the chapter have been accepted.
    editions: u32,
    /// The history of the state up to now.
    pub(crate) chronicle: Chronicle,
    pub(crate) before: Facts,
    memories: BTreeMap<Slug, Memory>,
}

impl ExistingChapter {
    /// The chapter that is in the book; `None` for one that is not.
    pub(crate) fn of(book: &Book, view: &BookView<'_>, chapter: ChapterNo) -> Result<Option<Self>, RunError> {
        let contents = view.contents()?;
        if !contents.has(chapter) {
            // A chapter that is missing between others is brought back from history, or stays out.
            return if chapter < contents.next() { Err(RunError::ChapterGone(chapter)) } else { Ok(None) };
        }
        let present = Self::at(book, view, chapter)?;
        if present.commit.is_some() { Ok(Some(present)) } else { Err(RunError::NoSuchChapter(chapter)) }
    }

    /// Reads a chapter that is in the book or was taken out of its middle.
    pub(crate) fn at(book: &Book, view: &BookView<'_>, chapter: ChapterNo) -> Result<Self, RunError> {
        let commit = book.chapter_commit(chapter)?;
        let editions = store::history::editions(book, chapter)?.len().max(1);
        let chronicle = timeline::chronicle(book)?;
        let before = chronicle.before(chapter);
        let memories = memories_before(book, chapter)?;
        let report = match view.contents()?.volume_of(chapter) {
            Some(volume) => files::evaluation(view, volume, chapter)?,
            None => None,
        };
        let next = chapter.next();
        let follows = match view.chapter(next) {
            Ok(text) => Some((next, opening_of(&text.body))),
            Err(RunError::NoSuchChapter(_)) => None,
            Err(error) => return Err(error),
        };
        let editions = u32::try_from(editions).unwrap_or(u32::MAX);
        Ok(Self { commit, report, follows, editions, chronicle, before, memories })
    }

    /// The material with everything as the chapter found it: what came later is not known yet.
    pub(crate) fn context_of(&self, context: ChapterContext) -> ChapterContext {
        ChapterContext {
            state: self.before.state.clone(),
            ledger: self.before.ledger.clone(),
            memories: self.memories.clone(),
            editions: self.editions,
            ..context
        }
    }

    /// The facts of the whole book once the chapter has that delta, and the later chapters that rest on what is different.
    pub(crate) fn with(&self, view: &BookView<'_>, delta: &Delta) -> Result<(Facts, Vec<AffectedChapter>), RunError> {
        let changed = self.chronicle.with(delta);
        let people = |chapter| people_of(view, chapter).unwrap_or_default();
        let affected = changed.affected(&self.chronicle, &BTreeSet::from([delta.chapter]), people);
        Ok((changed.now().clone(), affected))
    }

    /// Whether a chapter after it is on the same line: the line remembers that one.
    pub(crate) fn is_last_on(&self, line: &Slug, chapter: ChapterNo) -> bool {
        !self.chronicle.chapters().any(|delta| delta.chapter > chapter && delta.storyline == *line)
    }
}

/// Returns the memories of the storylines as they were before the chapter was in the book.
pub(crate) fn memories_before(book: &Book, chapter: ChapterNo) -> Result<BTreeMap<Slug, Memory>, RunError> {
    let first = store::history::first_with(book, chapter)?;
    let first = first.map(|first| book.transaction(first)).transpose()?;
    let Some(parent) = first.and_then(|first| first.parent) else { return Ok(BTreeMap::new()) };
    let then = BookView::new(book.snapshot_of(parent)?);
    chapter_context::memories(&then, &files::storylines(&then)?)
}

/// So much of the next chapter's beginning is shown, in characters.
const OPENING: usize = 120;

/// The first paragraph of a text, or as much of it as is shown.
fn opening_of(body: &str) -> String {
    let first = body.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    first.chars().take(OPENING).collect()
}

/// The characters of a chapter, by its contract.
pub(crate) fn people_of(view: &BookView<'_>, chapter: ChapterNo) -> Result<BTreeSet<Slug>, RunError> {
    let volume = view.volume_of(chapter)?;
    Ok(files::contract(view, volume, chapter)?
        .map(|contract| contract.characters.into_iter().collect())
        .unwrap_or_default())
}

pub(crate) struct Joined {
    /// The delta without the operations that do not fit: the deltas alone give the state.
    pub(crate) delta: Delta,
    /// The facts of the whole book with it.
    pub(crate) now: Facts,
    /// Later chapters that rest on what is different.
    pub(crate) affected: Vec<AffectedChapter>,
    /// The versions of the state before and after the chapter: `47 -> 48`.
    pub(crate) reached: String,
    /// The operations that do not fit, each with the reason.
    pub(crate) dropped: Vec<String>,
}

/// Joins `delta` with the book as the view has it; `present` is the chapter that it takes the place of.
pub(crate) fn join(
    view: &BookView<'_>,
    volume: VolumeNo,
    mut delta: Delta,
    present: Option<&ExistingChapter>,
) -> Result<Joined, RunError> {
    let number = delta.chapter;
    let Facts { state, ledger } = match present {
        Some(present) => present.before.clone(),
        None => Facts { state: view.state()?, ledger: view.ledger_for(volume, number)? },
    };
    delta.base_version = state.version;
    let missing = || RunError::Missing { path: layout::delta(volume, number) };
    let merged = delta.merge(&state, &ledger).map_err(|_| missing())?;
    let dropped = merged.dropped.iter().map(|dropped| format!("{}: {}", dropped.path, dropped.reason)).collect();
    let lost: Vec<usize> = merged.dropped.iter().map(|dropped| dropped.index).collect();
    let ops = delta.ops.into_iter().enumerate().filter(|(index, _)| !lost.contains(index));
    delta.ops = ops.map(|(_, op)| op).collect();
    let reached = format!("{} -> {}", state.version, merged.state.version);
    let (now, affected) = match present {
        Some(present) => present.with(view, &delta)?,
        None => (Facts { state: merged.state, ledger: merged.ledger }, Vec::new()),
    };
    Ok(Joined { delta, now, affected, reached, dropped })
}

/// A text of the author's own, which is the chapter of an open draft or may become that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnText {
    pub chapter: ChapterNo,
    pub path: String,
    /// The title in its heading; may be empty.
    pub title: String,
    /// Another chapter's number in its heading.
    pub headed: Option<u32>,
    /// Whether it is in the book. The draft is put aside by the next command that writes.
    pub committed: bool,
}

/// The author's own texts at the places of open drafts, while the folder has the book's branch. Reads only.
pub fn own_texts(book: &Book) -> Result<Vec<OwnText>, RunError> {
    let drafts = store::kept::draft_branches(book)?;
    if drafts.is_empty() || store::not_writable::obstacle(book)?.is_some() {
        return Ok(Vec::new());
    }
    let view = BookView::new(book.snapshot()?);
    let (overtaken, next) = (store::closing::overtaken_drafts(book)?, files::next_chapter(&view).ok().flatten());
    let mut own = Vec::new();
    for chapter in drafts.keys().filter_map(|work| work.chapter()) {
        let of_next = next.as_ref().filter(|next| next.number == chapter).map(|next| next.volume);
        let (path, bytes, committed) = if overtaken.contains(&chapter) {
            let path = ChapterPaths::of(view.volume_of(chapter)?, chapter).text;
            (path.clone(), view.bytes(&path)?, true)
        } else if let Some(volume) = of_next {
            let path = ChapterPaths::of(volume, chapter).text;
            (path.clone(), book.on_disk(&path)?, false)
        } else {
            continue;
        };
        let Some(bytes) = bytes else { continue };
        let text = lossy_text(bytes);
        let headed = heading_number(&text).filter(|number| *number != chapter.get());
        let title = Chapter::from_markdown(chapter, &text, "").title;
        own.push(OwnText { chapter, path, title, headed, committed });
    }
    if !own.is_empty() && !matches!(rearranged::by_hand(book, ChapterNo::FIRST), Ok(None)) {
        // A chapter that was moved by hand may stand at the draft's place.
        own.clear();
    }
    Ok(own)
}

/// A text of the author's own that a kept draft would take the place of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    pub chapter: ChapterNo,
    pub title: String,
    pub own: String,
    pub path: String,
}

/// The author's own text that the kept draft would take the place of once it is accepted; `None` for anything else.
pub fn replaced_by(book: &Book, kept: &Kept) -> Result<Option<Replaced>, RunError> {
    let KeptThing::Draft(Work::Chapter(was)) = kept.thing else { return Ok(None) };
    let Some(chapter) = store::provenance::number_of_draft(book, was, kept.commit)? else { return Ok(None) };
    let (tip, view) = (book.tip()?, BookView::new(book.snapshot()?));
    let is_own = view.contents()?.has(chapter)
        && store::closing::is_new_since(book, was, kept.commit)?
        && store::provenance::accepted_at(book, chapter, tip)?.is_none();
    if !is_own {
        return Ok(None);
    }
    let title = BookView::new(book.snapshot_of(kept.commit)?).chapter(was).map(|draft| draft.title).unwrap_or_default();
    let path = ChapterPaths::of(view.volume_of(chapter)?, chapter).text;
    Ok(Some(Replaced { chapter, title, own: view.chapter(chapter)?.title, path }))
}
