//! Changing the author's index under git's own lock, so that `git add` and we never write it at the same time.

use crate::git::disk::Wait;
use crate::git::disk::files::{SyncAtOnce, TempArea, link_in, sync_dir};
use crate::git::disk::processes::{self, Process};
use crate::git::disk::system::{self, FileTime, mtime};
use crate::git::error::{GitContext, IoContext, StoreError};
use crate::git::failpoint::abort_at;
use crate::git::index_entries::{self, SKIP, is_ignored, stage, time_of};
use crate::git::refs::break_idle_lock;
use crate::git::tree::Blob;
use git2::{Index, IndexEntry, ObjectType, Oid};
use std::fs::{self, Metadata, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

const CHANGING: &str = "changing git's index";

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

    /// Takes the lock of `index`, waiting for its holder. A power cut may leave an empty lock where `syncing` is on.
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
}

pub(crate) struct HeldIndex {
    place: IndexPlace,
    lock: IndexLock,
}

impl HeldIndex {
    pub(crate) fn take(place: IndexPlace, wait: &Wait) -> Result<Self, LockError> {
        let lock = IndexLock::take(&place.path, &place.temp, wait)?;
        abort_at("txn.index_locked");
        Ok(Self { place, lock })
    }

    /// Begins to change the index.
    ///
    /// libgit2 takes the lock of the index that it writes, and ours has been taken: it works on a copy, whose name in the folder of
    /// temporary files is free until the copy is written.
    pub(crate) fn edit(self) -> Result<IndexEdit, StoreError> {
        let IndexPlace { path, temp, .. } = &self.place;
        let copy = temp.fresh()?;
        let index = match fs::copy(path, &copy) {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(e).at("copying", path),
            _ => index_entries::open(&copy),
        };
        let _ = fs::remove_file(&copy);
        self.edit_of(index?)
    }

    /// Begins to change `index`, which is to take the place of the one that is there, and was opened under a temporary name.
    pub(crate) fn edit_of(self, index: Index) -> Result<IndexEdit, StoreError> {
        let has_conflicts = index.has_conflicts();
        let mut edit = IndexEdit { held: self, index, has_conflicts };
        edit.distrust_fresh()?;
        Ok(edit)
    }
}

/// The index, being changed under its lock.
pub(crate) struct IndexEdit {
    held: HeldIndex,
    index: Index,
    /// Whether a merge was unfinished when the lock was taken.
    pub(crate) has_conflicts: bool,
}

impl IndexEdit {
    /// Git keeps looking at files that changed so soon after the index was written that their times do not show it, until
    /// the index is written again. This program is about to, so entries of files that really differ are made to show it.
    fn distrust_fresh(&mut self) -> Result<(), StoreError> {
        let IndexPlace { path, root, .. } = &self.held.place;
        let Ok(written) = fs::metadata(path).map(|m| mtime(&m)) else { return Ok(()) };
        let differs = |entry: &IndexEntry| {
            let path = std::str::from_utf8(&entry.path).ok().filter(|path| link_in(root, path).is_none());
            let content = path.and_then(|path| fs::read(root.join(path)).ok());
            let id = content.and_then(|content| Oid::hash_object(ObjectType::Blob, &content).ok());
            id.is_some_and(|id| id != entry.id)
        };
        let is_fresh = |entry: &IndexEntry| stage(entry) == 0 && !is_ignored(entry) && time_of(entry) >= written;
        let distrusted: Vec<_> = self.index.iter().filter(|entry| is_fresh(entry) && differs(entry)).collect();
        for entry in distrusted {
            self.index.add(&IndexEntry { file_size: 0, ..entry }).doing(CHANGING)?;
        }
        Ok(())
    }

    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    pub(crate) fn get(&self, path: &str) -> Option<Oid> {
        index_entries::get(&self.index, path).map(|entry| entry.id)
    }

    /// Whether a sparse checkout leaves out the file at `path`.
    pub(crate) fn leaves_out(&self, path: &str) -> bool {
        let is_skipped = index_entries::get(&self.index, path).is_some_and(|entry| entry.flags_extended & SKIP != 0);
        is_skipped && !self.held.place.root.join(path).exists()
    }

    /// Records that the file at `path`, whose metadata is `meta`, is `blob`. Without metadata git will look at the file
    /// itself.
    pub(crate) fn put(&mut self, path: &str, blob: Blob, meta: Option<&Metadata>) -> Result<(), StoreError> {
        if self.has_conflicts {
            self.remove(path)?;
        }
        self.index.add(&index_entries::entry(path, blob, meta)).doing(CHANGING)
    }

    pub(crate) fn remove(&mut self, path: &str) -> Result<(), StoreError> {
        self.index.remove_path(Path::new(path)).doing(CHANGING)
    }

    /// When the lock was taken, by the clock of the file system. A file that is as old could be written again without a
    /// trace in its times.
    pub(crate) fn locked_at(&self) -> FileTime {
        fs::metadata(&self.held.lock.path).map(|m| mtime(&m)).unwrap_or_default()
    }

    /// Notes `meta` for the file at `path`, whose content is what the index has.
    pub(crate) fn note_figures(&mut self, path: &str, meta: &Metadata) -> Result<(), StoreError> {
        let Some(entry) = index_entries::get(&self.index, path) else { return Ok(()) };
        self.index.add(&index_entries::with_figures(entry, meta)).doing(CHANGING)
    }

    /// Writes the index, syncs it, puts it in place and gives its lock back.
    pub(crate) fn save(mut self) -> Result<HeldIndex, StoreError> {
        const DOING: &str = "writing git's index";
        self.index.write().doing(DOING)?;
        let target = &self.held.place.path;
        let copy = self.index.path().unwrap_or(target);
        let synced = system::sync_file(copy).at("writing", copy);
        abort_at("index.written");
        synced.and_then(|()| system::rename(copy, target).at("writing", target)).inspect_err(|_| {
            let _ = fs::remove_file(copy);
        })?;
        abort_at("index.renamed");
        // The intent goes next: without it, only an index that is on the disk says that the folder is up to date.
        target.parent().map_or(Ok(()), sync_dir)?;
        Ok(self.held)
    }
}
