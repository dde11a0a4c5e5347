//! The chapters whose summary and delta were made of another text than the chapter has now.
//!
//! A delta names the text that it was made of, so that any way of changing a chapter is found by comparing two ids: an
//! edit, an amended commit, a rebase, a merge. Deltas of older versions name none; there the commit that accepted the
//! chapter tells.

use crate::domain::{ChapterNo, ContentId, VolumeNo};
use crate::pipeline::engine::error::RunError;
use crate::store::layout::{self, BookPath};
use crate::store::{Book, Snapshot, Transaction, format};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The cache of the last look, in `.git/novel/` …
const NAME: &str = "outdated";
/// … and the version of the rules by which it was made.
const RULES: &str = "1";

/// Why a chapter's summary and delta are not of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// They were made of this text, and the chapter has another one now.
    Edited { from: ContentId },
    /// The chapter has no delta: the author wrote it, and no summarizer has read it.
    Unread,
    /// The delta says nothing, because the summarizer's operations could not be read.
    Skipped,
}

/// A chapter whose summary and delta are not of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outdated {
    pub chapter: ChapterNo,
    pub volume: VolumeNo,
    /// Why they are not of its text.
    pub reason: Reason,
}

/// The outdated chapters of a commit, the earliest first. Chapters whose operations could not be read are not among
/// them; [`with_skipped`] adds those. Reads the chapters that have changed since the last look.
pub fn outdated(book: &Book, snapshot: &Snapshot<'_>) -> Result<Vec<Outdated>, RunError> {
    let known = Look::kept(book);
    let look = Look::at(book, snapshot, known.as_ref())?;
    if known.as_ref() != Some(&look) {
        book.keep_cached(NAME, RULES, look.write().as_bytes());
    }
    Ok(look.found.into_values().collect())
}

/// The same with the chapters whose operations could not be read. `snapshot` may have changes that are in no commit.
pub fn with_skipped(book: &Book, snapshot: &Snapshot<'_>) -> Result<Vec<Outdated>, RunError> {
    let mut found = Look::at(book, snapshot, Look::kept(book).as_ref())?.found;
    for (chapter, volume) in snapshot.contents()?.iter() {
        let Some(bytes) = snapshot.read(&layout::delta(volume, chapter))? else { continue };
        if format::delta::read(&bytes).is_ok_and(|delta| delta.skipped.is_some()) {
            found.entry(chapter).or_insert(Outdated { chapter, volume, reason: Reason::Skipped });
        }
    }
    Ok(found.into_values().collect())
}

/// The outdated chapters among all texts and deltas of a book, each folder named by its content.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Look {
    /// The folder of chapters.
    texts: String,
    /// The folder of deltas.
    deltas: String,
    found: Answers,
}

type Answers = BTreeMap<ChapterNo, Outdated>;

impl Look {
    /// A look at `snapshot`. The answer of the `known` look holds for a chapter with the same text and the same delta.
    fn at(book: &Book, snapshot: &Snapshot<'_>, known: Option<&Self>) -> Result<Self, RunError> {
        let texts = snapshot.print_of(layout::CHAPTERS)?;
        let deltas = snapshot.print_of(layout::DELTAS)?;
        let contents = snapshot.contents()?;
        let (mut found, chapters) = match known.map(|known| known.left(snapshot)).transpose()?.flatten() {
            Some(left) => left,
            None => (BTreeMap::new(), contents.iter().map(|(chapter, _)| chapter).collect()),
        };
        let sources = Sources { book, snapshot, commits: OnceCell::new() };
        for chapter in chapters {
            let Some(volume) = contents.volume_of(chapter) else { continue };
            let reason = sources.reason(volume, chapter)?;
            found.extend(reason.map(|reason| (chapter, Outdated { chapter, volume, reason })));
        }
        Ok(Self { texts, deltas, found })
    }

    /// The answers that hold in `snapshot` too, and the chapters whose text or delta is another one there; `None` when this
    /// look's folders are gone.
    fn left(&self, snapshot: &Snapshot<'_>) -> Result<Option<(Answers, BTreeSet<ChapterNo>)>, RunError> {
        let texts = snapshot.changed_below(layout::CHAPTERS, &self.texts)?;
        let deltas = snapshot.changed_below(layout::DELTAS, &self.deltas)?;
        let (Some(texts), Some(deltas)) = (texts, deltas) else { return Ok(None) };
        let chapter = |path: &String| match layout::classify(path) {
            Some(BookPath::Chapter(_, chapter) | BookPath::Delta(_, chapter)) => Some(chapter),
            _ => None,
        };
        let changed: BTreeSet<ChapterNo> = texts.iter().chain(&deltas).filter_map(chapter).collect();
        let mut found = self.found.clone();
        found.retain(|chapter, _| !changed.contains(chapter));
        Ok(Some((found, changed)))
    }

    /// The last look that was kept.
    fn kept(book: &Book) -> Option<Self> {
        let bytes = book.cached(NAME, RULES).ok().flatten()?;
        let text = String::from_utf8(bytes).ok()?;
        let mut lines = text.lines();
        let (texts, deltas) = lines.next()?.split_once(' ')?;
        let found = lines.map(|line| {
            let mut words = line.split(' ');
            let chapter = words.next()?.parse().ok()?;
            let volume = words.next()?.parse().ok()?;
            let reason = match words.next() {
                Some(from) => Reason::Edited { from: from.parse().ok()? },
                None => Reason::Unread,
            };
            Some((chapter, Outdated { chapter, volume, reason }))
        });
        Some(Self { texts: texts.to_owned(), deltas: deltas.to_owned(), found: found.collect::<Option<_>>()? })
    }

    /// The folders, then a line for each chapter: its number, its volume, and the text that its delta was made of.
    fn write(&self) -> String {
        let mut out = format!("{} {}\n", self.texts, self.deltas);
        for Outdated { chapter, volume, reason } in self.found.values() {
            let _ = match reason {
                Reason::Edited { from } => writeln!(out, "{chapter} {volume} {from}"),
                Reason::Unread | Reason::Skipped => writeln!(out, "{chapter} {volume}"),
            };
        }
        out
    }
}

/// The texts that deltas were made of.
struct Sources<'b, 's> {
    book: &'b Book,
    snapshot: &'s Snapshot<'b>,
    /// The commits that accepted the chapters.
    commits: OnceCell<BTreeMap<ChapterNo, Transaction>>,
}

impl Sources<'_, '_> {
    /// Why the chapter's delta is not of its text; `None` when it is.
    fn reason(&self, volume: VolumeNo, chapter: ChapterNo) -> Result<Option<Reason>, RunError> {
        let Some(bytes) = self.snapshot.read(&layout::delta(volume, chapter))? else {
            return Ok(Some(Reason::Unread));
        };
        let text = self.snapshot.content_id(&layout::chapter(volume, chapter));
        let from = match format::delta::read(&bytes).map(|delta| delta.text) {
            Ok(Some(from)) => Some(from),
            Ok(None) => self.accepted(volume, chapter)?,
            // The look at formats tells of it.
            Err(_) => None,
        };
        Ok(from.filter(|from| Some(from) != text.as_ref()).map(|from| Reason::Edited { from }))
    }

    /// The text with which the chapter was accepted.
    fn accepted(&self, volume: VolumeNo, chapter: ChapterNo) -> Result<Option<ContentId>, RunError> {
        let commits = match self.commits.get() {
            Some(commits) => commits,
            None => {
                let read = self.book.chapters()?;
                self.commits.get_or_init(|| read)
            }
        };
        let Some(commit) = commits.get(&chapter) else { return Ok(None) };
        Ok(self.book.snapshot_of(commit.id)?.content_id(&layout::chapter(volume, chapter)))
    }
}
