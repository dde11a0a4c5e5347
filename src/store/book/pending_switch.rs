//! The note of a switch to another line. Writing it is the commit point of the switch: from then on the book's branch is the
//! one that it names, and everything else (files, index, HEAD, settings) is brought up by the next session.

use crate::git::disk::files::{TempArea, read_if_there, sync_dir};
use crate::store::prelude::*;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PendingSwitch {
    /// The commit whose files the folder had.
    pub(crate) from: CommitId,
    /// The branch that the book is on from now on.
    pub(crate) to: String,
    /// The branch of the main line, which the settings may not name yet.
    pub(crate) main: String,
}

fn path(repo: &Repository) -> PathBuf {
    repo.commondir().join("novel/switch")
}

/// The switch that was begun in the repository; `None` when the last one was finished.
pub(crate) fn read(repo: &Repository) -> Result<Option<PendingSwitch>, StoreError> {
    let note = String::from_utf8_lossy(&read_if_there(&path(repo))?.unwrap_or_default()).into_owned();
    // No name of a branch has a space in it.
    let mut parts = note.trim_end().split(' ').map(str::to_owned);
    let mut pending = || Some((parts.next()?.parse().ok()?, parts.next()?, parts.next()?));
    Ok(pending().map(|(from, to, main)| PendingSwitch { from, to, main }))
}

pub(crate) fn write(repo: &Repository, temp: &TempArea, pending: &PendingSwitch) -> Result<(), StoreError> {
    let path = path(repo);
    temp.replace(&path, format!("{} {} {}\n", pending.from, pending.to, pending.main).as_bytes())?;
    path.parent().map_or(Ok(()), sync_dir)
}

pub(crate) fn remove(repo: &Repository) -> Result<(), StoreError> {
    let path = path(repo);
    match system::remove_file(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.at("removing", &path),
    }
}
