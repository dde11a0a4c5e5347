//! Recovery, the first thing in every session: the leftovers of an interrupted command are finished or put aside.
//! Running it again, or dying in it, leads to the same end.

use crate::git::index;
use crate::git::refs::{INTENT, Swap, Unmoved};
use crate::git::work_tree::{self, PreparedChanges};
use crate::store::book::change;
use crate::store::book::commit_walk::{Transaction, tag_ref};
use crate::store::book::history;
use crate::store::book::index_bytes;
use crate::store::book::line_names::PendingSwitch;
use crate::store::book::session::{self, BeginError, Recovered};
use crate::store::drafts::closing::{self, DraftEnding};
use crate::store::drafts::draft;
use crate::store::drafts::staging;
use crate::store::message::key;
use crate::store::prelude::*;
use git2::Index;
use std::fs;
use std::time::Duration;

/// How long a lock that looks like ours must lie still before it is removed.
const STILLNESS: Duration = Duration::from_millis(50);

pub(crate) fn run(session: &Session<'_>) -> Result<Recovered, BeginError> {
    abort_at("recover.begun");
    let mut report = Recovered::default();
    session.book.temp.clear();
    session.book.inner.clear();
    break_locks(session, &mut report);
    report.index = restore_index(session)?;
    finish_transaction(session, &mut report)?;
    abort_at("recover.intent");
    check_last_tag(session, &mut report)?;
    closing::settle_drafts(session, &mut report)?;
    abort_at("recover.staging");
    Ok(report)
}

/// Clears up after an interrupted `init`: there are no tags or drafts yet.
pub(crate) fn run_on_new(session: &Session<'_>) -> Result<(), BeginError> {
    let mut report = Recovered::default();
    session.book.temp.clear();
    session.book.inner.clear();
    break_locks(session, &mut report);
    finish_transaction(session, &mut report)
}

/// Removes locks on names that only a holder of the writer's lock takes.
fn break_locks(session: &Session<'_>, report: &mut Recovered) {
    let book = session.book;
    report.locks.extend(index::break_own_lock(&book.index_path()));
    report.locks.extend(index::break_staging_lock(&staging::staging_index(book), &session.wait));
    let intent = refs::lock_path(&book.repo, INTENT);
    if fs::remove_file(&intent).is_ok() {
        report.locks.push(intent);
    }
    let idle = |path: &PathBuf| refs::break_idle_lock(path, &session.wait, STILLNESS);
    report.locks.extend(locks_in(&book.repo.commondir().join(&book.drafts)).into_iter().filter(idle));
    // Gathering deletes refs of many drafts. It leaves few folders, so that looking into all of them is quick.
    let kept = locks_below(&book.repo.commondir().join(refs::KEPT));
    report.locks.extend(kept.into_iter().filter(|path| fs::remove_file(path).is_ok()));
    report.locks.extend(break_noted_lock(session));
}

/// True for the full name of a branch.
fn is_branch(name: &str) -> bool {
    name.starts_with("refs/heads/") && git2::Reference::is_valid_name(name)
}

/// Removes the lock that a dead process of ours has noted: the note is written before a lock that others take too, and
/// removed after it.
pub(super) fn break_noted_lock(session: &Session<'_>) -> Option<PathBuf> {
    let book = session.book;
    let note = book.private().join("holding");
    let name = fs::read_to_string(&note).ok()?;
    let lock = match name.trim() {
        name @ ("packed-refs.lock" | "config.lock" | "config.worktree.lock") => Some(book.repo.commondir().join(name)),
        name @ "HEAD.lock" => Some(book.repo.path().join(name)),
        name if name.strip_suffix(".lock").is_some_and(is_branch) => Some(book.repo.commondir().join(name)),
        _ => None,
    };
    let broken = lock.filter(|lock| refs::break_idle_lock(lock, &session.wait, STILLNESS));
    let _ = fs::remove_file(note);
    broken
}

/// Finishes the tail of an earlier transaction of this session that failed: folder, tag, draft. Cheap when nothing is
/// left.
/// Fails when it fails again; the next session finishes it.
pub fn catch_up(session: &Session<'_>) -> Result<(), BeginError> {
    finish_earlier(session)?;
    closing::close_settled_drafts(session)?;
    Ok(())
}

/// Finishes what an earlier transaction of the same session could not, so that the next one does not bury it.
pub(crate) fn finish_earlier(session: &Session<'_>) -> Result<(), BeginError> {
    finish_transaction(session, &mut Recovered::default())
}

fn locks_in(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    paths.filter(|p| p.extension().is_some_and(|e| e == "lock")).collect()
}

/// The locks in a folder and in all folders below it.
fn locks_below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            } else if entry.path().extension().is_some_and(|ending| ending == "lock") {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

fn finish_transaction(session: &Session<'_>, report: &mut Recovered) -> Result<(), BeginError> {
    let book = session.book;
    let Some(id) = refs::target(&book.repo, INTENT)? else { return Ok(()) };
    let Some(commit) = book.repo.find_commit(id).or_missing("reading the intent")? else {
        // Announced and not there: a damage that `doctor` reports; there is nothing to finish.
        refs::delete(&book.repo, &session.wait, INTENT)?;
        return Ok(());
    };
    let parent = commit.parent_id(0).ok();
    let branch = book.branch_ref();
    let (intent, id) = (id, destination(&commit));
    break_transaction_locks(session, id, report);
    let mut tip = refs::target(&book.repo, &branch)?;
    if tip == parent {
        let swap = Swap { name: &branch, old: parent, new: id, why: "novel: finish" };
        match refs::swap(&book.repo, &session.wait, swap) {
            Ok(()) => tip = Some(id),
            Err(Unmoved::Moved(found)) => tip = found,
            Err(e) => return Err(StoreError::from(e).into()),
        }
    }
    let is_in = match tip {
        Some(tip) if tip == id => true,
        Some(tip) => book.repo.graph_descendant_of(tip, id).doing("comparing commits")?,
        None => false,
    };
    match tip {
        Some(tip) if is_in => {
            report.left = match taken_back(book, parent, id, tip)? {
                Some(tree) => session.put_back(id, tip, tree)?,
                None => bring_up(session, parent, id, tip)?,
            };
            report.finished = Some(Transaction::of(&commit));
        }
        // The commit that it was to move to is known from the remote.
        _ if intent != id => refs::delete(&book.repo, &session.wait, INTENT)?,
        _ => {
            let name = session.keep(&format!("salvaged/{}", CommitId::from(id).short()), id)?;
            report.salvaged.push((name, id.into()));
            refs::delete(&book.repo, &session.wait, INTENT)?;
        }
    }
    Ok(())
}

/// The commit to which an intent moves the branch: itself, or one that it names.
fn destination(intent: &git2::Commit<'_>) -> Oid {
    let named = Transaction::of(intent).trailers.read::<CommitId>(key::FORWARD).map(CommitId::oid);
    named.filter(|named| intent.parent_ids().any(|parent| parent == *named)).unwrap_or(intent.id())
}

/// The files that an unfinished transaction has changed in the book, and may not have brought up in the folder and the index
/// yet.
#[derive(Debug, Default)]
pub(crate) struct Behind {
    changes: Vec<TreeDifference>,
    /// The tree before the transaction, where the book has not gone on from there: the one that the index is of.
    before: Option<Oid>,
}

impl Behind {
    pub(crate) fn paths(&self) -> impl Iterator<Item = &String> {
        self.changes.iter().map(|change| &change.path)
    }

    /// The tree that the index agrees with but for changes of the author's.
    pub(crate) fn before(&self) -> Option<Oid> {
        self.before
    }

    /// The change of the file at `path`, where git has noted its earlier or its later content.
    fn noted(&self, index: &Index, path: &str) -> Option<&TreeDifference> {
        let change = self.changes.iter().find(|change| change.path == path)?;
        let noted = index::get(index, path).map(|entry| entry.id);
        let is_one = [change.old, change.new].into_iter().any(|blob| noted == blob.map(|blob| blob.id));
        Some(change).filter(|_| is_one)
    }

    /// Whether the index has the file as the transaction found or made it.
    pub(crate) fn is_noted(&self, index: &Index, path: &str) -> bool {
        self.noted(index, path).is_some()
    }

    /// Whether the file at `path`, and what git has noted of it, are as the transaction found or made them.
    pub(crate) fn explains(&self, root: &Path, index: &Index, path: &str) -> bool {
        let is_either = |change: &TreeDifference| {
            work_tree::look(root, path).is_ok_and(|found| found.is(change.old) || found.is(change.new))
        };
        self.noted(index, path).is_some_and(is_either)
    }
}

/// The changes that the folder may lack; empty unless a command was interrupted or is at work.
pub(crate) fn behind(book: &Book) -> Result<Behind, StoreError> {
    let tip = book.tip()?.oid();
    if let Some(PendingSwitch { from, .. }) = crate::store::book::line_names::read(&book.repo)? {
        let (old, new) = (book.commit_tree(from.oid())?, book.commit_tree(tip)?);
        let changes = tree::differences(&book.repo, Some(&old), Some(&new))?;
        return Ok(Behind { changes, before: None });
    }
    let Some(id) = refs::target(&book.repo, INTENT)? else { return Ok(Behind::default()) };
    let Some(commit) = book.repo.find_commit(id).or_missing("reading the intent")? else {
        return Ok(Behind::default());
    };
    let id = destination(&commit);
    if !draft::reaches(book, tip, id)? {
        return Ok(Behind::default());
    }
    let old = commit.parent_id(0).ok().map(|parent| book.commit_tree(parent)).transpose()?;
    let mut changes = tree::differences(&book.repo, old.as_ref(), Some(&book.commit_tree(id)?))?;
    let now = book.commit_tree(tip)?;
    changes.retain(|change| change.new == tree::blob_at(&now, &change.path));
    let before = old.map(|old| old.id()).filter(|_| tip == id);
    Ok(Behind { changes, before })
}

/// True while a transaction is past or about to pass its commit point and its tail is not done, by whichever process.
pub fn is_accepting(book: &Book) -> Result<bool, StoreError> {
    Ok(refs::target(&book.repo, INTENT)?.is_some())
}

/// The transaction that an interrupted command has left unfinished: past its commit point, or about to be. The next
/// session finishes it. Takes no lock; a transaction that is being made right now does not count.
pub fn unfinished(book: &Book) -> Result<Option<Transaction>, StoreError> {
    if session::holder(book).is_some() {
        return Ok(None);
    }
    if let Some(id) = refs::target(&book.repo, INTENT)?
        && let Some(commit) = book.repo.find_commit(id).or_missing("reading the intent")?
    {
        let tip = refs::target(&book.repo, &book.branch_ref())?;
        let is_next = tip == commit.parent_id(0).ok();
        let is_in = tip.map(|tip| draft::reaches(book, tip, destination(&commit))).transpose()?.unwrap_or(false);
        return Ok((is_next || is_in).then(|| Transaction::of(&commit)));
    }
    for (work, tip) in closing::every_draft(book)? {
        if let DraftEnding::Settled(transaction) = closing::ending(book, work, tip)? {
            return Ok(Some(*transaction));
        }
    }
    Ok(None)
}

/// Rebuilds git's index from the last commit when it is missing: without it, every file would seem to be deleted.
fn restore_index(session: &Session<'_>) -> Result<bool, BeginError> {
    let book = session.book;
    if !index_bytes::lacks_index(book)? || refs::target(&book.repo, &book.branch_ref())?.is_none() {
        return Ok(false);
    }
    let head = book.commit_tree(book.tip()?.oid())?;
    session.take_index()?.edit_of(index_bytes::index_of(book, &head)?)?.save()?;
    Ok(true)
}

/// Locks on the branch and on tags of chapters that the dead transaction `id` left. That of the branch is empty or names
/// the transaction; tags are ours altogether.
fn break_transaction_locks(session: &Session<'_>, id: Oid, report: &mut Recovered) {
    let repo = &session.book.repo;
    let mut locks = vec![refs::lock_path(repo, &session.book.branch_ref())];
    let tags = locks_in(&repo.commondir().join("refs/tags")).into_iter();
    locks.extend(tags.filter(|p| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("ch-"))));
    for lock in locks {
        let Ok(content) = fs::read_to_string(&lock) else { continue };
        let is_tag = lock.parent().is_some_and(|p| p.ends_with("refs/tags"));
        let ours = is_tag || content.is_empty() || content.trim() == id.to_string();
        if ours && refs::break_idle_lock(&lock, &session.wait, STILLNESS) {
            report.locks.push(lock);
        }
    }
}

/// The tree of `tip` with the changes of the unfinished transaction `id`, where commits of the author's have taken them
/// back: after a death, git's index is of the commit before, and its advice to remove the lock leads to a `git commit -a`
/// that deletes the chapter. `None` where the author's commits are sound.
fn taken_back(book: &Book, parent: Option<Oid>, id: Oid, tip: Oid) -> Result<Option<Oid>, StoreError> {
    if tip == id || Transaction::of(&book.repo.find_commit(tip).doing("reading a commit")?).is_ours {
        return Ok(None);
    }
    let old = parent.map(|parent| book.commit_tree(parent)).transpose()?;
    let now = book.commit_tree(tip)?;
    let changes = tree::differences(&book.repo, old.as_ref(), Some(&book.commit_tree(id)?))?;
    let at = |change: &TreeDifference| tree::blob_at(&now, &change.path).map(|blob| blob.id);
    let is = |change: &TreeDifference, blob: Option<Blob>| at(change) == blob.map(|blob| blob.id);
    let is_lost = changes.iter().any(|change| change.old.is_none() && is(change, None));
    if !is_lost || !changes.iter().all(|change| is(change, change.old) || is(change, change.new)) {
        return Ok(None);
    }
    let edits: TreeEdits = changes.into_iter().map(|change| (change.path, change.new)).collect();
    change::edited(book, Some(now.id()), &edits).map(Some)
}

/// Brings the folder and the index from `parent` to what the transaction `id` wrote. Files that the author has
/// committed differently since stay as the author has them.
fn bring_up(session: &Session<'_>, parent: Option<Oid>, id: Oid, tip: Oid) -> Result<Vec<String>, BeginError> {
    let book = session.book;
    let old = parent.map(|p| book.commit_tree(p)).transpose()?;
    let mut changes = tree::differences(&book.repo, old.as_ref(), Some(&book.commit_tree(id)?))?;
    if tip != id {
        let now = book.commit_tree(tip)?;
        for change in &mut changes {
            change.new = tree::blob_at(&now, &change.path);
        }
        changes.retain(|c| c.old.map(|b| b.id) != c.new.map(|b| b.id));
    }
    let index = session.take_index()?.edit()?;
    let prepared = PreparedChanges::new(&book.repo, &book.root, &book.temp, changes)?;
    // The process may have died, or the disk failed, between the branch's move and its way to the disk.
    refs::sync(&book.repo, &book.branch_ref())?;
    Ok(session.finish((parent, id), prepared, index, None)?)
}

/// A death leaves no tag wrong without an intent to tell of it; this heals what plain git did. The newest tag is looked at,
/// which is the one that people name, and the one after it, which a chapter that is gone has left behind.
fn check_last_tag(session: &Session<'_>, report: &mut Recovered) -> Result<(), StoreError> {
    let book = session.book;
    if !book.is_main_line() {
        return Ok(());
    }
    let tagged = |chapter| refs::target(&book.repo, &tag_ref(chapter));
    let last = history::last_chapter(book)?;
    let next = ChapterNo::after(last.as_ref().map_or(0, |(chapter, _)| chapter.get()));
    let is_right = match &last {
        Some((chapter, transaction)) => tagged(*chapter)? == Some(transaction.id.oid()),
        None => true,
    };
    if !is_right || tagged(next)?.is_some() {
        report.tag = history::retag(session)? > 0;
    }
    Ok(())
}
