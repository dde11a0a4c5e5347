//! Moving refs: compare-and-swap, with the locks of the dead told from those of the living.

mod loose;

use crate::git::disk::{self, SyncAtOnce, Wait, create_dirs, sync_dir, system, with_note};
use crate::git::error::{IoContext, Missing, StoreError};
use crate::git::failpoint::abort_at;
use crate::git::refs::loose::PackedRefs;
use crate::git::verification::sync_file;
use git2::{Oid, Repository};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The intent: written before the commit point, deleted after everything that follows it.
pub(crate) const INTENT: &str = "refs/novel/txn";
pub(crate) const DRAFTS: &str = "refs/heads/draft/";
/// The prefix of refs to commits that a command would otherwise leave unreachable.
pub(crate) const KEPT: &str = "refs/novel/kept/";

/// Why a ref did not move.
#[derive(Debug)]
pub(crate) enum Unmoved {
    Moved(Option<Oid>),
    Locked(PathBuf),
    /// It has moved, and the system has failed to make that durable: after a power cut it may be where it was.
    Unsynced(StoreError),
    Failed(StoreError),
}

impl From<StoreError> for Unmoved {
    fn from(e: StoreError) -> Self {
        Self::Failed(e)
    }
}

impl From<Unmoved> for StoreError {
    fn from(e: Unmoved) -> Self {
        match e {
            Unmoved::Failed(e) | Unmoved::Unsynced(e) => e,
            Unmoved::Moved(at) => Self::Damaged { what: format!("a ref moved meanwhile (it is at {at:?})") },
            Unmoved::Locked(path) => Self::Damaged { what: format!("`{}` is held by another program", path.display()) },
        }
    }
}

/// Returns the object that the ref `name` points at.
pub(crate) fn target(repo: &Repository, name: &str) -> Result<Option<Oid>, StoreError> {
    Ok(repo.find_reference(name).or_missing("reading a ref")?.and_then(|r| r.target()))
}

/// Every ref that begins with `prefix`, with what it points at, in order of name.
///
/// libgit2's iterator copies all refs that git has packed to give a few of them.
pub(crate) fn listed(repo: &Repository, prefix: &str) -> Result<Vec<(String, Oid)>, StoreError> {
    let common = repo.commondir();
    let mut found: BTreeMap<String, Oid> = BTreeMap::new();
    // The loose ones first: git packs a ref before it removes the file, so it is found in one place or the other.
    let folder = &prefix[..prefix.rfind('/').map_or(0, |at| at + 1)];
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let path = common.join(&folder);
        let entries = match fs::read_dir(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
            entries => entries.at("reading", &path)?,
        };
        for entry in entries {
            let entry = match entry {
                // git packs refs beside us and removes a folder without any while it is being read.
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => break,
                entry => entry.at("reading", &path)?,
            };
            let Ok(name) = entry.file_name().into_string() else { continue };
            let name = format!("{folder}{name}");
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(format!("{name}/"));
            } else if name.starts_with(prefix)
                && git2::Reference::is_valid_name(&name)
                && let Some(id) = target(repo, &name)?
            {
                found.insert(name, id);
            }
        }
    }
    for (name, id) in PackedRefs::open(repo)?.below(prefix) {
        // A loose ref is newer than a packed one of its name.
        found.entry(name).or_insert(id);
    }
    Ok(found.into_iter().collect())
}

/// The lock file that git puts beside the ref `name`.
pub(crate) fn lock_path(repo: &Repository, name: &str) -> PathBuf {
    repo.commondir().join(format!("{name}.lock"))
}

/// Removes the lock of `name` when its holder must be dead. Called after each of several attempts to take it.
///
/// Only this program moves names under `refs/novel/`, so a lock on them is a dead process's. Tags of chapters and
/// drafts are ours too, but git may be looking after them (`git gc`, a commit in `staging/`): their locks must have
/// lain still for a while. The book's branch is the author's as much as ours; its lock is only waited for.
fn break_lock(repo: &Repository, wait: &Wait, name: &str, attempts: u32) {
    let lock = lock_path(repo, name);
    if name.starts_with("refs/novel/") {
        let _ = fs::remove_file(lock);
    } else if attempts >= 6 && (name.starts_with("refs/tags/ch-") || name.starts_with(DRAFTS)) {
        break_idle_lock(&lock, wait, Duration::from_millis(50));
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Swap<'a> {
    pub(crate) name: &'a str,
    /// The object that it is expected to name; `None`: it does not exist.
    pub(crate) old: Option<Oid>,
    pub(crate) new: Oid,
    /// The line of its log.
    pub(crate) why: &'a str,
}

/// Makes the ref `name`, which does not exist. Locks of others are waited for.
pub(crate) fn create(repo: &Repository, wait: &Wait, name: &str, new: Oid, why: &str) -> Result<(), Unmoved> {
    swap(repo, wait, Swap { name, old: None, new, why })
}

/// Makes the ref `name`, which does not exist. Its name gets to the disk with whatever is synced next for the whole file
/// system, where the system can do that.
pub(crate) fn create_soon(repo: &Repository, wait: &Wait, name: &str, new: Oid, why: &str) -> Result<(), Unmoved> {
    let naming = if system::SYNCS_FILE_SYSTEMS { Naming::Later } else { Naming::AtOnce };
    swap_named(repo, wait, Swap { name, old: None, new, why }, naming)
}

/// When the name of a ref that has moved gets to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Naming {
    AtOnce,
    Later,
}

/// Moves a ref. Locks of others are waited for.
pub(crate) fn swap(repo: &Repository, wait: &Wait, swap: Swap<'_>) -> Result<(), Unmoved> {
    swap_named(repo, wait, swap, Naming::AtOnce)
}

/// Moves a ref that exists, and leaves the new name of its file to whatever is synced next. Both contents of the ref and the
/// objects of both are on the disk, so that a power cut may take this move back, and nothing else.
pub(crate) fn step(repo: &Repository, wait: &Wait, swap: Swap<'_>) -> Result<(), Unmoved> {
    swap_named(repo, wait, swap, Naming::Later)
}

fn swap_named(repo: &Repository, wait: &Wait, swap: Swap<'_>, naming: Naming) -> Result<(), Unmoved> {
    let lock = lock_ref(repo, wait, swap.name, naming)?;
    loose::swap_under_lock(repo, swap, lock, naming)
}

/// Brings the ref `name` to the disk, when it has a file of its own.
pub(crate) fn sync(repo: &Repository, name: &str) -> Result<(), StoreError> {
    sync_file(&repo.commondir().join(name))
}

/// Points `name` at `new`, wherever it was. For refs that are derived or private.
pub(crate) fn set(repo: &Repository, wait: &Wait, name: &str, new: Oid, why: &str) -> Result<(), StoreError> {
    set_with(repo, wait, (name, new), why, &SyncAtOnce::default())
}

/// Points `name` at `new`, wherever it was. Its name gets to the disk with the others of `syncing`.
pub(crate) fn set_with(
    repo: &Repository,
    wait: &Wait,
    (name, new): (&str, Oid),
    why: &str,
    syncing: &SyncAtOnce,
) -> Result<(), StoreError> {
    let old = target(repo, name)?;
    if old == Some(new) {
        // The process that put it there may have died with the lock in hand.
        if lock_path(repo, name).exists() {
            break_lock(repo, wait, name, u32::MAX);
        }
        return Ok(());
    }
    let naming = if syncing.is_on() { Naming::Later } else { Naming::AtOnce };
    Ok(swap_named(repo, wait, Swap { name, old, new, why }, naming)?)
}

/// Deletes `name` if it is there, unless it moves meanwhile.
///
/// A ref that git has packed is deleted under `packed-refs.lock`, which others take too. The note in `novel/holding`
/// lets the next session know that a lock left behind by a death in here is ours.
pub(crate) fn delete(repo: &Repository, wait: &Wait, name: &str) -> Result<(), StoreError> {
    let Some(at) = target(repo, name)? else { return Ok(()) };
    drop(lock_ref(repo, wait, name, Naming::AtOnce)?);
    abort_at("refs.locked");
    let deleted = target(repo, name).and_then(|now| match now {
        Some(now) if now != at => Err(Unmoved::Moved(Some(now)).into()),
        _ => delete_under_lock(repo, wait, name),
    });
    let _ = system::remove_file(&lock_path(repo, name));
    loose::prune_folders(repo, name);
    match deleted {
        // It may be gone, and only the sync of its folder have failed; coming back it does no harm.
        Err(e) => target(repo, name).and_then(|at| at.map_or(Ok(()), |_| Err(e))),
        Ok(()) => Ok(()),
    }
}

/// The packed one first, so that it does not come to light again.
fn delete_under_lock(repo: &Repository, wait: &Wait, name: &str) -> Result<(), StoreError> {
    if PackedRefs::open(repo)?.has(name) {
        rewrite_packed(repo, wait, &Moves::from([(name, None)]))?;
    }
    let file = repo.commondir().join(name);
    match system::remove_file(&file) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
        removed => removed.at("removing", &file)?,
    }
    loose::forget(repo, name);
    Ok(())
}

pub(crate) fn point_head(repo: &Repository, wait: &Wait, branch: &str, why: &str) -> Result<(), StoreError> {
    let lock = repo.path().join("HEAD.lock");
    let file = take_lock(wait, &lock)?;
    let pointed = loose::point_head(repo, file, branch, why);
    if pointed.is_err() {
        let _ = system::remove_file(&lock);
    }
    pointed.and_then(|()| sync_dir(repo.path()))
}

/// So many refs are moved one by one; git writes its file of packed refs again for each of them.
const FEW: usize = 3;

/// The new target of each of several refs; `None` for one that is to be deleted.
pub(crate) type Moves<'a> = BTreeMap<&'a str, Option<Oid>>;

/// Points derived refs at their commits, wherever they were, and deletes others; many in one transaction of git's packed refs,
/// which costs one sync instead of two a ref.
pub(crate) fn set_all(repo: &Repository, wait: &Wait, moves: &Moves<'_>, why: &str) -> Result<(), StoreError> {
    if moves.len() > FEW && PackedRefs::open(repo)?.differs_with(moves) {
        rewrite_packed(repo, wait, moves)?;
        abort_at("refs.packed");
        // A file of its own counts for more than a packed ref.
        let mut folders = BTreeSet::new();
        for name in moves.iter().filter(|(_, new)| new.is_some()).map(|(name, _)| name) {
            if drop_loose(repo, wait, name)? {
                folders.extend(repo.commondir().join(name).parent().map(Path::to_owned));
            }
        }
        folders.iter().try_for_each(|folder| sync_dir(folder))?;
    }
    for (name, new) in moves {
        match new {
            Some(new) => set(repo, wait, name, *new, why)?,
            None => delete(repo, wait, name)?,
        }
    }
    Ok(())
}

/// Takes the lock of the ref `name`, waiting for its holder. A lock of the dead is removed.
fn lock_ref(repo: &Repository, wait: &Wait, name: &str, naming: Naming) -> Result<fs::File, Unmoved> {
    let lock = lock_path(repo, name);
    let mut attempts = 0;
    let take = || {
        // Git removes empty folders of refs at any time.
        let made = lock.parent().map_or(Ok(()), |folder| match naming {
            Naming::AtOnce => create_dirs(folder),
            Naming::Later => fs::create_dir_all(folder).at("creating", folder),
        });
        let taken = made.and_then(|()| new_lock(&lock)).transpose();
        if taken.is_none() {
            attempts += 1;
            break_lock(repo, wait, name, attempts);
        }
        taken.map(|taken| taken.map_err(Unmoved::Failed))
    };
    wait.until(take).unwrap_or_else(|| Err(Unmoved::Locked(lock.clone())))
}

/// Takes the lock file `lock`, waiting for its holder.
fn take_lock(wait: &Wait, lock: &Path) -> Result<fs::File, StoreError> {
    wait.until(|| new_lock(lock).transpose()).unwrap_or_else(|| Err(Unmoved::Locked(lock.to_owned()).into()))
}

/// Makes the file `lock`; `None` while it cannot be made because it is there, or its folder is not.
fn new_lock(lock: &Path) -> Result<Option<fs::File>, StoreError> {
    match fs::OpenOptions::new().write(true).create_new(true).open(lock) {
        Err(e) if matches!(e.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => Ok(None),
        made => made.at("writing", lock).map(Some),
    }
}

/// Removes the file of a ref, under its lock, and leaves the packed one. Returns whether there was a file.
fn drop_loose(repo: &Repository, wait: &Wait, name: &str) -> Result<bool, StoreError> {
    let (file, lock) = (repo.commondir().join(name), lock_path(repo, name));
    if fs::symlink_metadata(&file).is_err() {
        return Ok(false);
    }
    drop(lock_ref(repo, wait, name, Naming::AtOnce)?);
    let removed = match system::remove_file(&file) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.at("removing", &file),
    };
    let _ = fs::remove_file(&lock);
    removed.map(|()| true)
}

/// Writes git's packed refs again, as git does when it packs or deletes one: under `packed-refs.lock`, which becomes the file.
fn rewrite_packed(repo: &Repository, wait: &Wait, moves: &Moves<'_>) -> Result<(), StoreError> {
    let path = repo.commondir().join("packed-refs");
    let lock = repo.commondir().join("packed-refs.lock");
    with_note(repo, ("packed-refs.lock", &lock), || {
        let mut file = take_lock(wait, &lock)?;
        let written = PackedRefs::open(repo).and_then(|packed| {
            file.write_all(&packed.with(moves)).at("writing", &lock)?;
            file.sync_all().at("writing", &lock)?;
            system::rename(&lock, &path).at("writing", &path)
        });
        written.inspect_err(|_| _ = fs::remove_file(&lock))
    })
}

/// Removes `lock` if it is the same, untouched file for as long as `patience`, and no program that is at work here may hold
/// it: a process that was stopped holds its lock without writing.
pub(crate) fn break_idle_lock(lock: &std::path::Path, wait: &Wait, patience: Duration) -> bool {
    let look = || fs::metadata(lock).ok().map(|m| (m.len(), m.modified().ok()));
    let Some(before) = look() else { return false };
    wait.pause(patience);
    look() == Some(before) && disk::users_of_lock(lock, None).is_empty() && fs::remove_file(lock).is_ok()
}
