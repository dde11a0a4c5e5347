//! The author's own changes: found in the work tree, and committed before anything is written over them.

use crate::domain::chapter::heading_number;
use crate::pipeline::book::chapter_context::LEDGER_STEP;
use crate::pipeline::engine::error::RenumberError;
use crate::pipeline::prelude::*;
use crate::store::{self, Edit, EntryFilter, HandEdit, HandEdits};

/// How many chapters back a chapter's agents look at the least: their summaries and the last one's ending.
const NEAR: u32 = 7;

/// Folders in which a file that git does not know yet is the author's addition to the book.
const INPUT_FOLDERS: [&str; 7] =
    ["characters", "prompts", "research", layout::SAMPLES, "storylines", "volumes", "world"];

/// The author's uncommitted changes to those files of the book that are wanted.
pub fn uncommitted(book: &Book, wanted: EntryFilter<'_>) -> Result<Vec<Edit>, StoreError> {
    Ok(changes(book, wanted)?.0.edits)
}

pub(crate) fn change_of(book: &Book, edits: &[Edit]) -> Result<Change, StoreError> {
    let mut change = Change::default();
    for Edit { path, .. } in edits {
        change = match book.on_disk(path)? {
            Some(bytes) => change.put(path, bytes),
            None => change.remove(path),
        };
    }
    Ok(change)
}

/// The book as the next run reads it: with the author's edits, which it commits first.
pub(crate) fn with_edits<'b>(book: &'b Book, edits: &[Edit]) -> Result<BookView<'b>, StoreError> {
    Ok(BookView::new(store::change::snapshot_with(book, &change_of(book, edits)?)?))
}

/// The author's uncommitted changes, with the files that are left to git, and the chapters that a reset has left in the work tree.
pub(crate) fn changes(book: &Book, wanted: EntryFilter<'_>) -> Result<(HandEdits, BTreeSet<ChapterNo>), StoreError> {
    let (folders, strays) = folders(book)?;
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    let mut changes = store::hand_edits::of_author(book, &folders, wanted)?;
    if !strays.is_empty() {
        let contents = book.contents_of(book.tip()?)?;
        // A text beside them that has no delta may be anything.
        changes.edits.retain(|edit| {
            let of = layout::classify(&edit.path).filter(|_| layout::is_result(&edit.path));
            let of = of.and_then(|place| place.chapter());
            edit.staged || of.is_none_or(|of| contents.has(of) || strays.contains(&of))
        });
    }
    Ok((changes, strays))
}

/// The folders in which a new file is the author's addition, and the chapters that a reset has left in the work tree.
fn folders(book: &Book) -> Result<(Vec<String>, BTreeSet<ChapterNo>), StoreError> {
    let strays = store::hand_edits::stray_chapters(book)?;
    let volumes: BTreeSet<VolumeNo> = strays.values().copied().collect();
    let inputs = INPUT_FOLDERS.iter().map(|folder| (*folder).to_owned());
    let folders = inputs.chain(volumes.into_iter().flat_map(layout::result_folders)).collect();
    Ok((folders, strays.into_keys().collect()))
}

/// The reason to stop that missing files are: with chapters among them, the way to take those out on purpose is known.
pub(crate) fn missing(book: &Book, paths: Vec<String>) -> Result<RunError, RunError> {
    let text = |path: &String| match layout::classify(path) {
        Some(BookPath::Chapter(_, chapter)) => Some(chapter),
        _ => None,
    };
    let chapters: Vec<ChapterNo> = paths.iter().filter_map(text).collect();
    if chapters.is_empty() {
        return Ok(RunError::Deleted { paths });
    }
    lost(book, chapters, paths)
}

/// The text of a missing chapter under a name that chapters do not have, with its place.
pub(crate) fn stray_text(book: &Book, chapters: &[ChapterNo]) -> Result<Option<RunError>, RunError> {
    if chapters.is_empty() {
        return Ok(None);
    }
    for path in store::hand_edits::stray_copies(book)?
        .into_iter()
        .map(|copy| copy.path)
        .filter(|path| layout::classify(path).is_none())
    {
        let Some((folder, name)) = path.rsplit_once('/') else { continue };
        let number = heading_number(name).or_else(|| number(name.strip_prefix("chapter-")?.as_bytes()));
        let chapter = number.and_then(ChapterNo::new).filter(|chapter| chapters.contains(chapter));
        let volume = layout::volume_named(folder.strip_prefix("chapters/").unwrap_or_default());
        let Some((volume, chapter)) = volume.zip(chapter) else { continue };
        let (belongs, root) = (layout::chapter(volume, chapter), book.root().to_owned());
        let is_committed = book.snapshot()?.has(&path);
        return Ok(Some(RenumberError::Misplaced { path, belongs, is_committed, root }.into()));
    }
    Ok(None)
}

fn lost(book: &Book, chapters: Vec<ChapterNo>, paths: Vec<String>) -> Result<RunError, RunError> {
    if let Some(stray) = stray_text(book, &chapters)? {
        return Ok(stray);
    }
    let contents = book.contents_of(book.tip()?)?;
    let last = contents.iter().map(|(chapter, _)| chapter).rfind(|chapter| !chapters.contains(chapter));
    let later = last.filter(|last| chapters.first() < Some(last));
    Ok(RunError::Lost { chapters, paths, later })
}

/// Chapters that are missing from the last commit although nothing says that this was meant: numbers between others that
/// no chapter has, and chapters whose delta is there and whose text is not.
pub fn lost_chapters(book: &Book) -> Result<Vec<ChapterNo>, RunError> {
    lost_in(book, &book.snapshot()?)
}

pub(crate) fn refuse_lost(book: &Book, snapshot: &Snapshot<'_>) -> Result<(), RunError> {
    let chapters = lost_in(book, snapshot)?;
    if chapters.is_empty() { Ok(()) } else { Err(lost(book, chapters, Vec::new())?) }
}

fn lost_in(book: &Book, snapshot: &Snapshot<'_>) -> Result<Vec<ChapterNo>, RunError> {
    let contents = snapshot.contents()?;
    let mut lost: BTreeSet<ChapterNo> = contents.gaps().collect();
    // Earlier ones are gaps.
    let from = contents.last().and_then(|last| contents.volume_of(last)).unwrap_or(VolumeNo::FIRST);
    let is_late = |name: &str| name.parse::<VolumeNo>().is_ok_and(|volume| volume >= from);
    for volume in snapshot.list(layout::DELTAS)?.into_iter().filter(|name| name.is_dir && is_late(&name.name)) {
        for name in snapshot.list(&format!("{}/{}", layout::DELTAS, volume.name))? {
            let path = format!("{}/{}/{}", layout::DELTAS, volume.name, name.name);
            let chapter = layout::classify(&path).and_then(|place| place.chapter());
            lost.extend(chapter.filter(|chapter| !contents.has(*chapter)));
        }
    }
    if !lost.is_empty() {
        let meant = store::history::removed(book)?;
        lost.retain(|chapter| !meant.contains(chapter));
    }
    Ok(lost.into_iter().collect())
}

/// Whether the author has changed deltas since the program's last own work, and the state not.
fn has_edited_deltas(book: &Book, view: &BookView<'_>) -> Result<bool, RunError> {
    let is_own = |transaction: &Transaction| transaction.is_ours && transaction.kind != Kind::HandEdit;
    let Some(before) = store::history::in_effect(book, is_own)?.pop().filter(|last| last.id != view.commit_id()) else {
        return Ok(false);
    };
    let changed = view.changed_in(&[layout::STATE_FOLDER], Some(&book.snapshot_of(before.id)?))?;
    let is_delta = |path: &String| matches!(layout::classify(path), Some(BookPath::Delta(..)));
    Ok(changed.iter().any(is_delta) && !changed.iter().any(|path| path == layout::STATE))
}

const NAMED: usize = 3;

fn subject<'p>(paths: impl ExactSizeIterator<Item = &'p String>) -> Subject {
    let more = (paths.len() > NAMED).then(|| "…".to_owned());
    Subject::HandEdit(paths.take(NAMED).cloned().chain(more).collect())
}

/// Chapters that the work tree lacks, in a search for the author's edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MissingChapters {
    Stop,
    /// They are passed over.
    Pass,
}

fn number(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(None, |number: Option<u32>, digit| {
        Some(number.unwrap_or(0).saturating_mul(10).saturating_add(u32::from(digit - b'0')))
    })
}

/// Acts on the files that `chapter` is written from, or that its commit touches. Looking only at these keeps the time flat: the files
/// of chapters further back, and of volumes that are over, are as many as the book is long.
pub(crate) fn near<T>(
    book: &Book,
    chapter: ChapterNo,
    act: impl FnOnce(EntryFilter<'_>) -> Result<T, RunError>,
) -> Result<T, RunError> {
    let reach = NEAR.max(config_now(book)?.memory_chapters + LEDGER_STEP);
    let contents = book.contents_of(book.tip()?)?;
    let volume = contents.last().and_then(|last| contents.volume_of(last)).map_or(0, VolumeNo::get);
    // The plans of volumes that are over; the review of the last one counts for the next.
    let is_over = |path: &[u8]| {
        let rest = path.strip_prefix(b"volumes/vol-");
        rest.and_then(number).is_some_and(|number| number + 1 < volume) || path.starts_with(b"logs/plans/")
    };
    // Asked of each file of the book.
    let is_near = |path: &[u8]| {
        let name = path.iter().rposition(|byte| *byte == b'/').map_or(path, |slash| &path[slash + 1..]);
        match name.strip_prefix(b"chapter-") {
            Some(rest) => number(rest).is_none_or(|number| number.saturating_add(reach) >= chapter.get()),
            None => !is_over(path),
        }
    };
    let first = (chapter.get().saturating_sub(reach)..=chapter.get()).filter_map(ChapterNo::new);
    let first = first.filter_map(|near| contents.volume_of(near)).min();
    let is_near_folder = |folder: &str| {
        let is_far = |of: VolumeNo| first.is_some_and(|first| of < first);
        !is_over(folder.as_bytes()) && !layout::volume_of_results(folder).is_some_and(is_far)
    };
    act(EntryFilter::of(&layout::is_book_path).among(&is_near).within(&is_near_folder))
}

/// The author's uncommitted changes to the book become a commit of their own, so that nothing overwrites them.
/// Fails with [`RunError::BrokenEdit`] and [`RunError::Outline`] for a damaged file of the author's, [`RunError::Deleted`]
/// for a missing one that the book needs, [`RunError::InTheWay`]; nothing is committed then. The program's own files are
/// restored. Plans of volumes to come are the exception: one may be half written while an earlier volume goes on.
pub fn commit_local_changes(run: &Run<'_>) -> Result<Option<HandEdit>, RunError> {
    commit_changes_of(run, EntryFilter::of(&layout::is_book_path))
}

/// [`commit_local_changes`] for the files that `chapter` is written from, or that its commit touches.
pub(crate) fn commit_local_changes_for(run: &Run<'_>, chapter: ChapterNo) -> Result<Option<HandEdit>, RunError> {
    near(run.session.book(), chapter, |wanted| commit_changes_of(run, wanted))
}

fn commit_changes_of(run: &Run<'_>, wanted: EntryFilter<'_>) -> Result<Option<HandEdit>, RunError> {
    let edits = run.sound_edits(wanted, MissingChapters::Stop)?;
    commit_these(run, &edits)
}

/// Commits the author's edits, but for deletions of chapters: those stay uncommitted.
pub fn commit_all_but_losses(run: &Run<'_>) -> Result<Option<HandEdit>, RunError> {
    let edits = run.sound_edits(EntryFilter::of(&layout::is_book_path), MissingChapters::Pass)?;
    commit_these(run, &edits)
}

pub(crate) fn commit_these(run: &Run<'_>, edits: &[Edit]) -> Result<Option<HandEdit>, RunError> {
    if edits.is_empty() {
        return Ok(None);
    }
    let message = Message::new(Kind::HandEdit, subject(edits.iter().map(|edit| &edit.path)));
    let paths: BTreeSet<&str> = edits.iter().map(|edit| edit.path.as_str()).collect();
    let is_one = |path: &str| paths.contains(path);
    let (folders, _) = folders(run.session.book())?;
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    let is_one_of_bytes = |path: &[u8]| std::str::from_utf8(path).is_ok_and(is_one);
    let wanted = EntryFilter::of(&is_one).among(&is_one_of_bytes);
    let before = run.session.tip()?;
    let edit = run.session.adopt(&folders, wanted, &message, &run.author, run.calls.clock.moment())?;
    // Something that was staged and taken back on disk makes no commit.
    if let Some(edit) = edit.as_ref().filter(|edit| edit.commit != before) {
        run.tell(Event::HandEdit { commit: edit.commit.to_string(), paths: edit.paths.clone() });
    }
    Ok(edit)
}

/// The author's files in the folder become a commit of their own, those included that git does not know yet.
pub(crate) fn commit_files(run: &Run<'_>, paths: BTreeSet<String>) -> Result<(), RunError> {
    let book = run.session.book();
    let (view, mut change, mut changed) = (BookView::new(book.snapshot()?), Change::default(), Vec::new());
    for path in paths {
        let bytes = book.on_disk(&path)?;
        if bytes != view.bytes(&path)? {
            change = change.put_or_remove(&path, bytes);
            changed.push(path);
        }
    }
    if changed.is_empty() {
        return Ok(());
    }
    let message = Message::new(Kind::HandEdit, subject(changed.iter()));
    let commit = BookCommit::new(run, Work::Step(Step::Regenerate), message, change, &view).make()?.id;
    run.tell(Event::HandEdit { commit: commit.to_string(), paths: changed });
    Ok(())
}

/// Brings state and checkpoint in line with the chapters, where plain git has changed which there are.
/// Fails with [`RunError::Lost`] when chapters are gone and nothing says that this was meant; nothing is written then.
pub(crate) fn reconcile(run: &Run<'_>) -> Result<(), RunError> {
    let book = run.session.book();
    let view = BookView::new(book.snapshot()?);
    refuse_lost(book, &view)?;
    if view.state_is_of_last()? && !has_edited_deltas(book, &view)? {
        return Ok(());
    }
    if run.replay_state()?.is_some() {
        let next = view.contents()?.next();
        run.tell(Event::Warning { work: next.into(), warning: Warning::Rebuilt });
    }
    Ok(())
}
