//! Changing the author's index under git's own lock, so that `git add` and we never write it at the same time.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use git2::{Index, IndexEntry, IndexTime, Oid};

use super::error::{GitContext, IoContext, StoreError};
use super::fault::abort_at;
use super::files::TempArea;
use super::index_file::IndexFile;
use super::wait::Wait;

/// What our lock files contain: a lock that says this, while we hold the writer's lock, is a dead process's.
const OURS: &[u8] = b"held by novel\n";

/// Somebody else holds the lock of the index, for instance a `git commit` whose editor is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexBusy {
    /// The lock file.
    pub path: PathBuf,
    /// Seconds since the epoch when it was made, if the system tells.
    pub since: Option<u64>,
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
    (fs::read(&path).ok()? == OURS && fs::remove_file(&path).is_ok()).then_some(path)
}

impl IndexLock {
    /// Takes the lock of `index`, waiting for whoever has it.
    pub(crate) fn take(index: &Path, temp: &TempArea, wait: &Wait) -> Result<Self, LockError> {
        let path = lock_of(index);
        let taken = wait.until(|| match Self::create(&path, temp) {
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
                Err(LockError::Busy(IndexBusy { path, since }))
            }
        }
    }

    /// Makes the lock file with our mark in it, in one step where the file system has hard links.
    fn create(path: &Path, temp: &TempArea) -> Result<bool, StoreError> {
        let mark = temp.fresh()?;
        fs::write(&mark, OURS).at("writing", &mark)?;
        let linked = fs::hard_link(&mark, path);
        let _ = fs::remove_file(&mark);
        match linked {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
            Err(_) => match OpenOptions::new().write(true).create_new(true).open(path) {
                Ok(mut file) => file.write_all(OURS).at("writing", path).map(|()| true),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
                Err(e) => Err(e).at("creating", path),
            },
        }
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// The index, being changed.
pub(crate) struct IndexEdit {
    // Fields drop in order: the copy goes before the lock does.
    copy: Copy,
    index: Index,
    target: PathBuf,
    _lock: IndexLock,
}

/// A temporary file that goes when it was not renamed.
struct Copy(PathBuf);

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

impl IndexEdit {
    /// Takes the lock of the index `target` of the work tree at `root` and loads it.
    pub(crate) fn begin(target: &Path, root: &Path, temp: &TempArea, wait: &Wait) -> Result<Self, LockError> {
        let lock = IndexLock::take(target, temp, wait)?;
        abort_at("txn.index_locked");
        let copy = Copy(temp.fresh()?);
        let stale = match fs::read(target) {
            Ok(bytes) => {
                fs::write(&copy.0, &bytes).at("writing", &copy.0)?;
                racy(&bytes, target, root)
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => BTreeSet::new(),
            Err(e) => return Err(StoreError::io("reading", target, e).into()),
        };
        let mut index = Index::open(&copy.0).doing("reading the index").map_err(LockError::Store)?;
        for path in stale {
            if let Some(mut entry) = index.get_path(Path::new(&path), 0) {
                entry.file_size = 0;
                index.add(&entry).doing("changing the index")?;
            }
        }
        Ok(Self { copy, index, target: target.to_owned(), _lock: lock })
    }

    pub(crate) fn has_conflicts(&self) -> bool {
        self.index.has_conflicts()
    }

    /// The blob that the index has for `path`.
    pub(crate) fn get(&self, path: &str) -> Option<Oid> {
        self.index.get_path(Path::new(path), 0).map(|e| e.id)
    }

    /// Records that the file at `path`, whose metadata is `meta`, is the blob `id`. Without metadata git will look
    /// at the file itself.
    pub(crate) fn put(&mut self, path: &str, id: Oid, mode: u32, meta: Option<&Metadata>) -> Result<(), StoreError> {
        self.index.add(&entry(path, id, mode, meta)).doing("changing the index")
    }

    pub(crate) fn remove(&mut self, path: &str) -> Result<(), StoreError> {
        match self.index.remove(Path::new(path), 0) {
            Err(e) if e.code() != git2::ErrorCode::NotFound => Err(e).doing("changing the index"),
            _ => Ok(()),
        }
    }

    /// Writes the index, syncs it and puts it in place; the lock is free afterwards.
    pub(crate) fn save(mut self) -> Result<(), StoreError> {
        self.index.write().doing("writing the index")?;
        File::open(&self.copy.0).and_then(|f| f.sync_all()).at("writing", &self.copy.0)?;
        abort_at("index.written");
        fs::rename(&self.copy.0, &self.target).at("writing", &self.target)?;
        abort_at("index.renamed");
        Ok(())
    }
}

/// Paths that changed so soon after the index was written that their times do not show it. Git keeps looking at such
/// files until the index is written again, so before we do that, those that really differ are marked.
fn racy(bytes: &[u8], index: &Path, root: &Path) -> BTreeSet<String> {
    let Ok(written) = fs::metadata(index).map(|m| mtime(&m)) else { return BTreeSet::new() };
    let Some(parsed) = IndexFile::parse(bytes) else { return BTreeSet::new() };
    let suspect = parsed.lines.iter().filter(|l| l.stage == 0 && !l.ignored && l.mtime >= written);
    let differs = suspect.filter_map(|line| {
        let path = std::str::from_utf8(&line.path).ok()?;
        let content = fs::read(root.join(path)).ok()?;
        let id = Oid::hash_object(git2::ObjectType::Blob, &content).ok()?;
        (id != line.id).then(|| path.to_owned())
    });
    differs.collect()
}

/// Modification time as git keeps it.
pub(crate) fn mtime(meta: &Metadata) -> (u32, u32) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (meta.mtime() as u32, meta.mtime_nsec() as u32)
    }
    #[cfg(not(unix))]
    {
        let since = meta.modified().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok()).unwrap_or_default();
        (since.as_secs() as u32, since.subsec_nanos())
    }
}

/// Inode number as git keeps it; 0 where there is none.
pub(crate) fn inode(meta: &Metadata) -> u32 {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        meta.ino() as u32
    }
    #[cfg(not(unix))]
    {
        let _ = meta;
        0
    }
}

pub(crate) fn entry(path: &str, id: Oid, mode: u32, meta: Option<&Metadata>) -> IndexEntry {
    let zero = IndexTime::new(0, 0);
    let mut entry = IndexEntry {
        ctime: zero,
        mtime: zero,
        dev: 0,
        ino: 0,
        mode,
        uid: 0,
        gid: 0,
        file_size: 0,
        id,
        flags: 0,
        flags_extended: 0,
        path: path.as_bytes().to_vec(),
    };
    if let Some(meta) = meta {
        let (seconds, nanoseconds) = mtime(meta);
        entry.mtime = IndexTime::new(seconds as i32, nanoseconds);
        entry.ino = inode(meta);
        entry.file_size = meta.len() as u32;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            entry.ctime = IndexTime::new(meta.ctime() as i32, meta.ctime_nsec() as u32);
            entry.dev = meta.dev() as u32;
            entry.uid = meta.uid();
            entry.gid = meta.gid();
        }
    }
    entry
}
