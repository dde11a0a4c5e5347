//! The note of a lock that other programs take too. A lock that a death has left is broken only when it is known to be ours.

use std::fs;
use std::path::Path;

use git2::Repository;

use crate::git::disk::files::sync_dir;
use crate::git::disk::system;
use crate::git::error::{IoContext, StoreError};

/// Does `work`, which takes and releases `lock`, with a note in `novel/holding` that this lock is ours; `name` is the lock's name
/// there. The note is on the disk before there can be a lock, and until the lock is gone from it: after a power cut, nothing else
/// tells the next session whose it is.
/// Fails when the note cannot be written, and then nothing is done; or what `work` fails with.
pub(crate) fn with_note<T, E: From<StoreError>>(
    repo: &Repository,
    (name, lock): (&str, &Path),
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let private = repo.commondir().join("novel");
    let note = private.join("holding");
    fs::write(&note, name).and_then(|()| system::sync_file(&note)).at("writing", &note)?;
    sync_dir(&private)?;
    let done = work();
    let released = lock.parent().map_or(Ok(()), sync_dir);
    let _ = fs::remove_file(note);
    let done = done?;
    released?;
    Ok(done)
}
