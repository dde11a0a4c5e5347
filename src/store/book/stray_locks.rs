//! Locks of git's that a dead program may have left behind.

use super::finding::Finding;
use super::lock;
use crate::git::disk::processes::{self, Process};
use crate::git::index;
use crate::store::book::repack;
use crate::store::prelude::*;
use std::fs;

/// Looks for locks of git's, those that are being held left out as far as that is known.
pub(super) fn found(repo: &Repository, now: Moment) -> Vec<Finding> {
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
    let is_writing = lock::holder(&private).is_some();
    let is_packing = repack::is_packing(&private);
    let mut stray = Vec::new();
    for path in locks {
        // Packing holds locks of refs for moments.
        let is_of_packing = |users: &[Process]| is_packing && !users.is_empty() && !path.ends_with("index.lock");
        let look = look(repo, &path, now).filter(|found| match found {
            Finding::StrayLock { users, ours, .. } => !(*ours && is_writing || is_of_packing(users)),
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
pub(super) fn look(repo: &Repository, path: &Path, now: Moment) -> Option<Finding> {
    let meta = fs::metadata(path).ok()?;
    let made = meta.modified().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
    let age = made.map(|t| (now.seconds - t.as_secs() as i64).max(0));
    let (users, ours) = (processes::using(path, repo.workdir()), index::is_ours(path) || is_noted(repo, path));
    Some(Finding::StrayLock { path: path.to_owned(), age, users, ours })
}

/// True for a lock that one of our processes had noted before it took it, and not released when it died.
fn is_noted(repo: &Repository, path: &Path) -> bool {
    let noted = fs::read_to_string(repo.commondir().join("novel/holding")).unwrap_or_default();
    !noted.is_empty() && path == repo.commondir().join(noted.trim())
}
