//! One writer at a time. The lock is the operating system's, so it is free the moment its holder dies; a file beside
//! it names the holder.
//! Locks of git's that a dead program may have left behind.

use crate::git::disk::{self, Process};
use crate::git::index;
use crate::store::book::finding::RepoFinding;
use crate::store::book::repack;
use crate::store::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};

/// On file systems that have no locks, seconds after which a lock file counts as abandoned.
const ABANDONED_AFTER: i64 = 30 * 60;

/// A process that wants to write, and its purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The command, for the message that others see: `continue`, `rollback ch-045`.
    pub what: String,
    pub host: String,
    pub since: Moment,
}

/// Another process is writing. Unknown fields are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("somebody else is writing in this book: {what} (process {pid} on {host})")]
#[serde(default)]
pub struct Busy {
    /// Process id of the holder.
    pub pid: u32,
    pub host: String,
    pub what: String,
    /// Since when, in seconds since 1970.
    pub since: i64,
}

/// The reason why the lock could not be taken.
#[derive(Debug)]
pub(crate) enum Refused {
    Busy(Busy),
    Store(StoreError),
}

impl From<StoreError> for Refused {
    fn from(e: StoreError) -> Self {
        Self::Store(e)
    }
}

/// The lock, held until dropped.
#[derive(Debug)]
pub(crate) struct WriterLock {
    info: PathBuf,
    /// The lock file that stands for the lock where the system has none.
    stand_in: Option<PathBuf>,
    file: File,
}

impl Drop for WriterLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.info);
        if let Some(path) = &self.stand_in {
            let _ = fs::remove_file(path);
        }
        // Closing the file would not do: a child that is just being started has it open until it runs its own program.
        let _ = self.file.unlock();
    }
}

impl WriterLock {
    /// Takes the lock in the folder `private`. A holder who is only being looked at is waited for, a writer is not.
    pub(crate) fn take(private: &Path, holder: &Holder, wait: &Wait) -> Result<Self, Refused> {
        fs::create_dir_all(private).at("creating", private)?;
        let path = private.join("lock");
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).at("opening", &path)?;
        let info = private.join("holder.json");
        let attempt = || match file.try_lock() {
            Ok(()) => Some(Ok(None)),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Error(_)) => Some(stand_in(private, &info, holder).map(Some)),
        };
        let taken = wait.at_most(std::time::Duration::from_millis(60), attempt);
        let stand_in = taken.unwrap_or_else(|| Err(Refused::Busy(read_info(&info))))?;
        let us = Busy {
            pid: std::process::id(),
            host: holder.host.clone(),
            what: holder.what.clone(),
            since: holder.since.seconds,
        };
        let text = serde_json::to_vec(&us).unwrap_or_default();
        let lock = Self { info, stand_in, file };
        fs::write(&lock.info, text).at("writing", &lock.info)?;
        Ok(lock)
    }
}

/// Returns the present holder of the lock in `private`, if any.
pub(crate) fn holder(private: &Path) -> Option<Busy> {
    let file = File::open(private.join("lock")).ok()?;
    let info = private.join("holder.json");
    match file.try_lock_shared() {
        Ok(()) => None,
        Err(TryLockError::WouldBlock) => Some(read_info(&info)),
        Err(TryLockError::Error(_)) => private.join("lock.held").exists().then(|| read_info(&info)),
    }
}

fn read_info(info: &Path) -> Busy {
    fs::read(info).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// A lock by the mere existence of a file, for file systems without locks. It outlives its holder, so it counts as
/// abandoned after half an hour.
fn stand_in(private: &Path, info: &Path, holder: &Holder) -> Result<PathBuf, Refused> {
    let path = private.join("lock.held");
    let create = || OpenOptions::new().write(true).create_new(true).open(&path);
    match create() {
        Ok(_) => return Ok(path),
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(e) => return Err(StoreError::io("creating", &path, e).into()),
    }
    let other = read_info(info);
    if holder.since.seconds - other.since < ABANDONED_AFTER {
        return Err(Refused::Busy(other));
    }
    let _ = fs::remove_file(&path);
    create().map(|_| path.clone()).map_err(|_| Refused::Busy(read_info(info)))
}

/// Looks for locks of git's, those that are being held left out as far as that is known.
pub(super) fn found(repo: &Repository, now: Moment) -> Vec<RepoFinding> {
    let common = repo.commondir();
    let mut locks: Vec<PathBuf> = ["config.lock", "config.worktree.lock", "packed-refs.lock", "shallow.lock"]
        .into_iter()
        .map(|name| common.join(name))
        .collect();
    locks.extend(["index.lock", "HEAD.lock"].into_iter().map(|name| repo.path().join(name)));
    locks.extend(
        fs::read_dir(common.join("worktrees")).into_iter().flatten().flatten().map(|e| e.path().join("index.lock")),
    );
    let mut folders = vec![common.join("refs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "lock") {
                locks.push(path);
            }
        }
    }
    let private = common.join("novel");
    let is_writing = holder(&private).is_some();
    let is_packing = repack::is_packing(&private);
    let mut stray = Vec::new();
    for path in locks {
        // Packing holds locks of refs for moments.
        let is_of_packing = |users: &[Process]| is_packing && !users.is_empty() && !path.ends_with("index.lock");
        let look = look(repo, &path, now).filter(|found| match found {
            RepoFinding::StrayLock { users, ours, .. } => !(*ours && is_writing || is_of_packing(users)),
            _ => true,
        });
        stray.extend(look);
    }
    stray
}

/// Seconds after which a lock whose holder is not found counts as left behind. Git holds its locks for moments, apart from
/// a commit whose editor is open.
pub const OLD_LOCK: i64 = 60;

/// Looks at a lock; `None` when it is gone.
pub(super) fn look(repo: &Repository, path: &Path, now: Moment) -> Option<RepoFinding> {
    let meta = fs::metadata(path).ok()?;
    let made = meta.modified().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
    let age = made.map(|t| (now.seconds - t.as_secs() as i64).max(0));
    let (users, ours) = (disk::users_of_lock(path, repo.workdir()), index::is_ours(path) || is_noted(repo, path));
    Some(RepoFinding::StrayLock { path: path.to_owned(), age, users, ours })
}

/// True for a lock that one of our processes had noted before it took it, and not released when it died.
fn is_noted(repo: &Repository, path: &Path) -> bool {
    let noted = fs::read_to_string(repo.commondir().join("novel/holding")).unwrap_or_default();
    !noted.is_empty() && path == repo.commondir().join(noted.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder_at(seconds: i64) -> Holder {
        Holder { what: "continue".to_owned(), host: "desk".to_owned(), since: Moment { seconds, offset_minutes: 0 } }
    }

    #[test]
    fn a_second_writer_sees_the_first_until_it_is_gone() {
        let home = tempfile::tempdir().unwrap();
        let wait = Wait::new(|_| ());
        let first = WriterLock::take(home.path(), &holder_at(100), &wait).unwrap();
        let Err(Refused::Busy(busy)) = WriterLock::take(home.path(), &holder_at(200), &wait) else {
            panic!("two writers")
        };
        assert_eq!((busy.pid, busy.what.as_str(), busy.since), (std::process::id(), "continue", 100));
        assert_eq!(super::holder(home.path()), Some(busy));
        drop(first);
        assert_eq!(super::holder(home.path()), None);
        WriterLock::take(home.path(), &holder_at(300), &wait).unwrap();
    }

    #[test]
    fn a_released_lock_is_free_although_a_child_has_the_file_open() {
        let home = tempfile::tempdir().unwrap();
        let lock = WriterLock::take(home.path(), &holder_at(0), &Wait::sleeping()).unwrap();
        let inherited = lock.file.try_clone().unwrap();
        drop(lock);
        assert!(WriterLock::take(home.path(), &holder_at(0), &Wait::sleeping()).is_ok());
        drop(inherited);
    }

    #[test]
    fn without_locks_a_file_stands_in_for_half_an_hour() {
        let home = tempfile::tempdir().unwrap();
        let info = home.path().join("holder.json");
        fs::write(&info, br#"{"since":1000,"what":"x"}"#).unwrap();
        assert!(stand_in(home.path(), &info, &holder_at(1000)).is_ok());
        assert!(matches!(stand_in(home.path(), &info, &holder_at(2799)), Err(Refused::Busy(b)) if b.what == "x"));
        assert!(stand_in(home.path(), &info, &holder_at(2800)).is_ok());
    }
}
