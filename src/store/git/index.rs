//! Changing the author's index under git's own lock, so that `git add` and we never write it at the same time.

use super::feature::GitFeature;
use crate::store::disk::system::{self, FileTime, mtime};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use git2::{Oid, Repository, Tree};

use super::index_diff;
use super::index_file::{Form, IndexFile, IndexLine, IndexPatch, OutlineCache, garbled};
use super::refs::break_idle_lock;
use super::tree::Blob;
use crate::store::disk::backoff::Wait;
use crate::store::disk::files::{SyncAtOnce, TempArea, WriteBehind, sync_dir};
use crate::store::disk::processes::{self, Process};
use crate::store::error::{IoContext, StoreError};
use crate::store::failpoint::abort_at;

/// The content of our lock files. While we hold the writer's lock, a lock with this content is a dead process's.
const OURS: &[u8] = b"held by novel\n";

/// Another program holds the lock of the index, for instance a `git commit` whose editor is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexBusy {
    pub path: PathBuf,
    /// Seconds since the epoch when it was made, if the system tells.
    pub since: Option<u64>,
    /// The programs that may hold it, as far as the system tells.
    pub users: Vec<Process>,
}

/// Git's lock on an index, taken; freed when dropped.
#[derive(Debug)]
pub(crate) struct IndexLock {
    path: PathBuf,
}

/// Why the lock was not had.
#[derive(Debug)]
pub(crate) enum LockError {
    Busy(IndexBusy),
    Store(StoreError),
}

impl From<StoreError> for LockError {
    fn from(e: StoreError) -> Self {
        Self::Store(e)
    }
}

fn lock_of(index: &Path) -> PathBuf {
    let mut name = index.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

/// Removes the lock of `index` if a dead process of ours left it.
pub(crate) fn break_own_lock(index: &Path) -> Option<PathBuf> {
    let path = lock_of(index);
    (is_ours(&path) && fs::remove_file(&path).is_ok()).then_some(path)
}

/// Removes the lock of the index of `staging/` if a dead process of ours left it, or if it is empty after a power cut.
pub(crate) fn break_staging_lock(index: &Path, wait: &Wait) -> Option<PathBuf> {
    break_own_lock(index).or_else(|| {
        let path = lock_of(index);
        let is_empty = fs::metadata(&path).is_ok_and(|meta| meta.len() == 0);
        (is_empty && break_idle_lock(&path, wait, Duration::from_millis(50))).then_some(path)
    })
}

/// True when a process of ours made the lock. For the holder of the writer's lock that process is dead.
pub(crate) fn is_ours(lock: &Path) -> bool {
    fs::read(lock).is_ok_and(|mark| mark == OURS)
}

impl IndexLock {
    /// Takes the lock of `index`, waiting for its holder.
    pub(crate) fn take(index: &Path, temp: &TempArea, wait: &Wait) -> Result<Self, LockError> {
        Self::take_with(index, temp, wait, &SyncAtOnce::default())
    }

    /// The same; a power cut may leave an empty lock where `syncing` is on.
    pub(crate) fn take_with(
        index: &Path,
        temp: &TempArea,
        wait: &Wait,
        syncing: &SyncAtOnce,
    ) -> Result<Self, LockError> {
        let path = lock_of(index);
        let taken = wait.until(|| match Self::create(&path, temp, syncing) {
            Ok(true) => Some(Ok(())),
            Ok(false) => None,
            Err(e) => Some(Err(e)),
        });
        match taken {
            Some(Ok(())) => Ok(Self { path }),
            Some(Err(e)) => Err(e.into()),
            None => {
                let made = fs::metadata(&path).and_then(|m| m.modified()).ok();
                let since = made.and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok()).map(|d| d.as_secs());
                let users = processes::using(&path, None);
                Err(LockError::Busy(IndexBusy { path, since, users }))
            }
        }
    }

    /// Makes the lock file with our mark in it, in one step where the file system has hard links. The mark is on the disk
    /// before the lock has its name: a power cut would otherwise leave an empty lock, which may be anybody's.
    fn create(path: &Path, temp: &TempArea, syncing: &SyncAtOnce) -> Result<bool, StoreError> {
        let mark = temp.write_with(OURS, syncing)?;
        let linked = fs::hard_link(&mark, path);
        let _ = fs::remove_file(&mark);
        match linked {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
            Err(_) => match OpenOptions::new().write(true).create_new(true).open(path) {
                Ok(mut file) => {
                    let marked = file.write_all(OURS).and_then(|()| file.sync_all());
                    if marked.is_err() {
                        let _ = fs::remove_file(path);
                    }
                    marked.at("writing", path).map(|()| true)
                }
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
                Err(e) => Err(e).at("creating", path),
            },
        }
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        let _ = system::remove_file(&self.path);
    }
}

/// The author's index, and the places that its changing needs.
#[derive(Debug)]
pub(crate) struct IndexPlace {
    pub(crate) path: PathBuf,
    pub(crate) root: PathBuf,
    pub(crate) temp: TempArea,
    pub(crate) outlines: OutlineCache,
}

/// The index under its lock.
#[derive(Debug)]
pub(crate) struct HeldIndex {
    /// Instead of the file.
    bytes: Option<Vec<u8>>,
    place: IndexPlace,
    lock: IndexLock,
}

impl HeldIndex {
    pub(crate) fn take(place: IndexPlace, wait: &Wait) -> Result<Self, LockError> {
        let lock = IndexLock::take(&place.path, &place.temp, wait)?;
        abort_at("txn.index_locked");
        Ok(Self { bytes: None, place, lock })
    }

    /// Takes the lock to write an index that begins with `bytes`.
    pub(crate) fn of(place: IndexPlace, wait: &Wait, bytes: Vec<u8>) -> Result<Self, LockError> {
        let lock = IndexLock::take(&place.path, &place.temp, wait)?;
        Ok(Self { bytes: Some(bytes), place, lock })
    }

    /// Begins to change it.
    pub(crate) fn edit(self) -> Result<IndexEdit, StoreError> {
        let mut patch = IndexPatch::default();
        // Git keeps looking at files that changed so soon after the index was written that their times do not show it,
        // until the index is written again. We are about to, so those that really differ are marked.
        let IndexPlace { path, root, outlines, .. } = &self.place;
        let written = fs::metadata(path).map(|m| mtime(&m)).unwrap_or(FileTime { seconds: u32::MAX, nanoseconds: 0 });
        let see = |line: &IndexLine<'_>| {
            let entry = &line.entry;
            let is_fresh = entry.stage() == 0 && !entry.is_ignored() && entry.mtime() >= written;
            if is_fresh && differs(root, line) {
                patch.distrust(line);
            }
        };
        let index = match self.bytes.clone() {
            Some(bytes) => IndexFile::of_and_see(bytes, see),
            None => IndexFile::open_by(outlines, path, |span| span.latest >= written, see)?,
        };
        Ok(IndexEdit { held: self, index: readable(index)?, patch })
    }
}

fn differs(root: &Path, line: &IndexLine<'_>) -> bool {
    let content = std::str::from_utf8(line.path).ok().and_then(|path| fs::read(root.join(path)).ok());
    let id = content.and_then(|content| Oid::hash_object(git2::ObjectType::Blob, &content).ok());
    id.is_some_and(|id| id != line.entry.id())
}

/// The index, being changed under its lock.
#[derive(Debug)]
pub(crate) struct IndexEdit {
    held: HeldIndex,
    index: IndexFile,
    patch: IndexPatch,
}

impl IndexEdit {
    pub(crate) fn has_conflicts(&self) -> bool {
        self.index.has_conflicts()
    }

    /// The blob that the index has for `path`.
    pub(crate) fn get(&self, path: &str) -> Result<Option<Oid>, StoreError> {
        match self.patch.get(path) {
            Some(changed) => Ok(changed),
            None => Ok(self.index.get(path)?.map(|entry| entry.id())),
        }
    }

    /// Records that the file at `path`, whose metadata is `meta`, is `blob`. Without metadata git will look at the file
    /// itself.
    pub(crate) fn put(&mut self, path: &str, blob: Blob, meta: Option<&Metadata>) {
        self.patch.show(path, blob, meta);
    }

    pub(crate) fn remove(&mut self, path: &str) {
        self.patch.remove(path);
    }

    /// The index as it was when the lock was taken.
    pub(crate) fn before(&self) -> &IndexFile {
        &self.index
    }

    /// When the lock was taken, by the clock of the file system. A file that is as old could be written again without a
    /// trace in its times.
    pub(crate) fn locked_at(&self) -> FileTime {
        fs::metadata(&self.held.lock.path).map(|m| mtime(&m)).unwrap_or_default()
    }

    /// Notes `meta` for the file at `path`, whose content is what the index has.
    pub(crate) fn note_figures(&mut self, path: &str, meta: &Metadata) -> Result<(), StoreError> {
        if let Some(entry) = self.index.get(path)? {
            self.patch.refresh(path, &entry, meta);
        }
        Ok(())
    }

    /// Writes the index, syncs it, puts it in place and gives its lock back. Folders that are as in the commit's `tree` are noted, which
    /// spares git and us the comparison.
    pub(crate) fn save(self, repo: &Repository, tree: &Tree<'_>) -> Result<HeldIndex, StoreError> {
        let Self { held, index: earlier, patch } = self;
        let IndexPlace { path: target, temp, outlines, .. } = &held.place;
        let (changed, mut index) = ((&earlier, &patch), None);
        let write = |file: &mut File| {
            let file = &mut WriteBehind::new(file);
            index = Some(index_diff::write_patched(repo, tree, changed, Form::AUTHORS, file)?);
            Ok(())
        };
        let written = temp.write_by(write, &SyncAtOnce::default())?;
        // Windows renames over no file that is open.
        drop(earlier);
        abort_at("index.written");
        system::rename(&written, target).at("writing", target).inspect_err(|_| {
            let _ = fs::remove_file(&written);
        })?;
        abort_at("index.renamed");
        index.iter().for_each(|index| index.keep_outline(outlines));
        // The intent goes next: without it, only an index that is on the disk says that the folder is up to date.
        target.parent().map_or(Ok(()), sync_dir)?;
        Ok(held)
    }
}

/// The index, if it is one that can be read here.
pub(crate) fn readable(index: Option<IndexFile>) -> Result<IndexFile, StoreError> {
    let damaged = |what: &str| StoreError::Damaged { what: what.to_owned() };
    let index = index.ok_or_else(garbled)?;
    match index.unsupported {
        None => Ok(index),
        Some(GitFeature::SplitIndex) => Err(damaged("git's index is split: type `git update-index --no-split-index`")),
        Some(_) => Err(damaged("git's index is sparse: type `git sparse-checkout reapply --no-sparse-index`")),
    }
}
