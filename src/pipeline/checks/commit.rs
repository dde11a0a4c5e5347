//! Looks at what the author's own commit or push would break: formats, keys, and halves of what belongs together. Only what is
//! staged or new is looked at, so that the time does not grow with the book.

use crate::pipeline::prelude::*;
use crate::pipeline::rebuild::outdated::{self, Outdated, OutdatedReason};
use crate::store::book::session;
use crate::store::format::check::fault;
use crate::store::{self, NotWritable, SentKey, Staged};

/// A reason why the author's commit or push should not be made.
#[derive(Debug, Clone, PartialEq)]
pub enum CommitProblem {
    /// A file could not be used any more.
    Format { path: String, error: FormatError },
    /// A file has a key in it.
    Key {
        path: String,
        /// The line, from 1.
        line: usize,
    },
    /// A commit that would be pushed has a key in it.
    Sent(SentKey),
    /// A chapter would lack a file that was made with it.
    Lacks { chapter: ChapterNo, path: String },
    /// The text of a chapter would be gone and another of its files not.
    LeftOver {
        chapter: ChapterNo,
        /// The file that would stay.
        path: String,
    },
    /// A transaction is between its commit point and the end of its tail.
    Accepting {
        /// The process that makes it; 0 where it was interrupted.
        pid: u32,
    },
    /// The state would be that of another chapter than the last.
    State {
        /// The chapter that the state is of.
        of: u32,
        last: u32,
    },
}

/// Content above this size, in bytes, is not looked at: no file of a book is as large.
const MOST: usize = 4 << 20;

/// Looks at what is staged. Halves are no matter while the author is in the middle of a merge, a
/// rebase or the like, which puts commits together piece by piece, and in `staging/`, where a chapter is not whole yet.
pub fn of_staged(book: &Book, staged: &Staged<'_>) -> Result<Vec<CommitProblem>, RunError> {
    let mut problems = Vec::new();
    let mut touched = BTreeSet::new();
    for file in &staged.files {
        let path = &file.path;
        let place = layout::classify(path);
        touched.extend(place.as_ref().and_then(|place| Some((place.volume()?, place.chapter()?))));
        let [old, new] = staged.read(file, MOST)?;
        let Some(new) = new else { continue };
        if let Some(error) = fault(path, &new, old.as_deref()) {
            problems.push(CommitProblem::Format { path: path.clone(), error });
        }
        let lines = store::change::lines_with_key(book, &new, old.as_deref().as_slice());
        problems.extend(lines.into_iter().map(|line| CommitProblem::Key { path: path.clone(), line }));
    }
    if staged.is_linked || matches!(store::not_writable::obstacle(book)?, Some(NotWritable::InProgress { .. })) {
        return Ok(problems);
    }
    let is_known = |path: &str| Ok(staged.head.has(path) || book.on_disk(path)?.is_some());
    problems.extend(halves(&staged.next, &touched, &is_known)?);
    let is_story = |path: &str| path.starts_with("chapters/") || path.starts_with("state/");
    let was_well = || BookView::new(staged.head.clone()).state_is_of_last();
    if staged.files.iter().any(|file| is_story(&file.path)) && was_well()? {
        problems.extend(state(&staged.next)?);
    }
    Ok(problems)
}

/// One line that git gives a push: a ref and the commits on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefUpdate {
    /// The full name of the ref here.
    pub local_ref: String,
    /// The commit that is pushed; `None` for a deletion.
    pub local: Option<CommitId>,
    /// The commit that the remote has; `None` where the ref is new there.
    pub remote: Option<CommitId>,
}

/// Looks at what a push to `remote` would publish: keys in every new commit, and the book's last commit as a whole.
pub fn of_push(book: &Book, remote: &str, updates: &[RefUpdate]) -> Result<Vec<CommitProblem>, RunError> {
    let mut problems = Vec::new();
    if store::recover::is_accepting(book)? {
        problems.push(CommitProblem::Accepting { pid: session::holder(book).map_or(0, |busy| busy.pid) });
    }
    let tips: Vec<CommitId> = updates.iter().filter_map(|update| update.local).collect();
    let known: Vec<CommitId> = updates.iter().filter_map(|update| update.remote).collect();
    problems.extend(store::change::keys_to_send(book, &tips, &known, remote)?.into_iter().map(CommitProblem::Sent));
    let branch = format!("refs/heads/{}", book.branch());
    if let Some(tip) = updates.iter().find(|update| update.local_ref == branch).and_then(|update| update.local) {
        let snapshot = book.snapshot_of(tip)?;
        let mut all = BTreeSet::new();
        for folder in [layout::CHAPTERS, layout::DELTAS] {
            for path in snapshot.files(folder)? {
                let place = layout::classify(&path);
                all.extend(place.and_then(|place| Some((place.volume()?, place.chapter()?))));
            }
        }
        let mut found = halves(&snapshot, &all, &|_| Ok(false))?;
        if !found.is_empty() {
            let meant = store::history::removed(book)?;
            found.retain(|half| !matches!(half, CommitProblem::LeftOver { chapter, .. } if meant.contains(chapter)));
        }
        problems.extend(found);
        problems.extend(state(&snapshot)?);
    }
    Ok(problems)
}

/// The chapters of which a part is there and another is not. A chapter of the author's own has a text and nothing else; that
/// is whole, unless its other files are known to `is_known`.
fn halves(
    next: &Snapshot<'_>,
    chapters: &BTreeSet<(VolumeNo, ChapterNo)>,
    is_known: &dyn Fn(&str) -> Result<bool, RunError>,
) -> Result<Vec<CommitProblem>, RunError> {
    let mut found = Vec::new();
    for (volume, chapter) in chapters.iter().copied() {
        let made = [BookPath::Summary(volume, chapter).path(), BookPath::Delta(volume, chapter).path()];
        let has_text = next.has(&layout::chapter(volume, chapter));
        let there = made.iter().filter(|path| next.has(path)).count();
        for path in made {
            match (has_text, next.has(&path)) {
                (true, false) if there > 0 || is_known(&path)? => found.push(CommitProblem::Lacks { chapter, path }),
                (false, true) => found.push(CommitProblem::LeftOver { chapter, path }),
                _ => {}
            }
        }
    }
    Ok(found)
}

fn state(next: &Snapshot<'_>) -> Result<Option<CommitProblem>, RunError> {
    let view = BookView::new(next.clone());
    if view.state_is_of_last()? {
        return Ok(None);
    }
    let of = next.read(layout::STATE)?.and_then(|bytes| format::state::read(&bytes).ok());
    let of = of.map_or(0, |state| state.last_updated_chapter);
    let mut chapters = view.contents()?.iter().rev();
    let last = chapters.find(|(chapter, volume)| next.has(&layout::delta(*volume, *chapter)));
    Ok(Some(CommitProblem::State { of, last: last.map_or(0, |(chapter, _)| chapter.get()) }))
}

/// The parts of the book that no longer fit each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StaleParts {
    /// Chapters whose text has changed while their summary and delta have not.
    pub edited: BTreeSet<ChapterNo>,
    /// Chapters that have come without a delta.
    pub bare: BTreeSet<ChapterNo>,
    pub gone: BTreeSet<ChapterNo>,
    /// True when the state is not that of the last chapter.
    pub state: bool,
    /// True when rules, people, storylines or plans have changed.
    pub plans: bool,
}

/// Compares the book as of two commits. Folders that are the same in both are not opened.
pub fn moved_between(book: &Book, from: CommitId, to: CommitId) -> Result<StaleParts, RunError> {
    let (before, after) = (book.snapshot_of(from)?, BookView::new(book.snapshot_of(to)?));
    let mut moved = StaleParts::default();
    let changed: BTreeSet<String> = after.changed_since(&before)?.into_iter().collect();
    for path in &changed {
        match layout::classify(path) {
            Some(BookPath::Chapter(_, chapter)) if !after.has(path) => drop(moved.gone.insert(chapter)),
            Some(BookPath::WorldRules | BookPath::Storylines | BookPath::Character { .. }) => moved.plans = true,
            Some(place) => moved.plans |= place.is_plan(),
            None => {}
        }
    }
    for Outdated { chapter, volume, reason } in outdated::outdated(book, &after)? {
        let is_new = changed.contains(&layout::chapter(volume, chapter));
        match reason {
            OutdatedReason::Unread if is_new => drop(moved.bare.insert(chapter)),
            OutdatedReason::Edited { .. } if is_new => drop(moved.edited.insert(chapter)),
            _ => {}
        }
    }
    let contents = after.contents()?;
    // A chapter that has moved to another volume is still there.
    moved.gone.retain(|chapter| !contents.has(*chapter));
    moved.state = !changed.is_empty() && !after.state_is_of_last()?;
    Ok(moved)
}
