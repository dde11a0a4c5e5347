//! Writing one ref as git does: its new content goes into its lock, and the lock takes its place.
//!
//! libgit2 can do the same, and syncs nothing, or the logs and every folder on the way as well: eight calls for a branch. A move needs
//! two: the file before it has its name, and the folder of that name. Logs are for people; a power cut may take their last line.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use git2::{Oid, Repository, Signature};

use super::packed::PackedRefs;
use super::{DRAFTS, Naming, Swap, Unmoved, lock_path, target};
use crate::git::disk::files::sync_dir;
use crate::git::disk::system;
use crate::git::error::{IoContext, StoreError};

/// Makes the move with the lock of the ref, which is `file`.
pub(super) fn swap_under_lock(repo: &Repository, swap: Swap<'_>, file: File, naming: Naming) -> Result<(), Unmoved> {
    let lock = lock_path(repo, swap.name);
    let moved = under_lock(repo, swap, file, &lock);
    if moved.is_err() {
        let _ = system::remove_file(&lock);
    }
    let folder = lock.parent().filter(|_| naming == Naming::AtOnce);
    moved.and_then(|()| folder.map_or(Ok(()), sync_dir).map_err(Unmoved::Unsynced))
}

fn under_lock(repo: &Repository, swap: Swap<'_>, mut file: File, lock: &Path) -> Result<(), Unmoved> {
    let at = target(repo, swap.name)?;
    if at != swap.old {
        return Err(Unmoved::Moved(at));
    }
    if at.is_none() {
        refuse_overlap(repo, swap.name)?;
    }
    let written = file.write_all(format!("{}\n", swap.new).as_bytes()).and_then(|()| file.sync_all());
    drop(file);
    written.at("writing", lock)?;
    let place = repo.commondir().join(swap.name);
    if place.is_dir() {
        // An empty folder of refs that were there once makes way, as for git.
        let _ = fs::remove_dir(&place);
    }
    system::rename(lock, &place).at("writing", &place)?;
    log(repo, swap);
    Ok(())
}

/// A name is a ref's or a folder's of refs, and packed ones have no folder that would be in the way.
fn refuse_overlap(repo: &Repository, name: &str) -> Result<(), StoreError> {
    let packed = PackedRefs::open(repo)?;
    let mut other = packed.any_below(&format!("{name}/"));
    for (at, _) in name.rmatch_indices('/') {
        if other.is_none() && packed.has(&name[..at]) {
            other = Some(name[..at].to_owned());
        }
    }
    match other {
        Some(other) => Err(StoreError::Damaged { what: format!("`{other}` is in the way of `{name}`") }),
        None => Ok(()),
    }
}

/// Writes the name of a branch into the lock of `HEAD`, and gives the lock its place.
pub(super) fn point_head(repo: &Repository, mut file: File, branch: &str, why: &str) -> Result<(), StoreError> {
    let (head, lock) = (repo.path().join("HEAD"), repo.path().join("HEAD.lock"));
    let old = repo.head().ok().and_then(|at| at.target()).unwrap_or(Oid::ZERO_SHA1);
    let written = file.write_all(format!("ref: {branch}\n").as_bytes()).and_then(|()| file.sync_all());
    drop(file);
    written.at("writing", &lock)?;
    system::rename(&lock, &head).at("writing", &head)?;
    if let Some(new) = target(repo, branch)?
        && let Some(line) = line(repo, (old, new), why)
    {
        append(&repo.path().join("logs/HEAD"), &line, logs_moves(repo));
    }
    Ok(())
}

/// Removes the log of a ref that is gone.
pub(super) fn forget(repo: &Repository, name: &str) {
    let log = repo.commondir().join("logs").join(name);
    if system::remove_file(&log).is_ok() {
        remove_empty_folders(&repo.commondir().join("logs"), name);
    }
}

/// Removes the folders of a ref that is gone which hold nothing more, as git does: down to `refs/heads` and its like, which stay.
pub(super) fn prune_folders(repo: &Repository, name: &str) {
    remove_empty_folders(repo.commondir(), name);
}

fn remove_empty_folders(root: &Path, name: &str) {
    let depth = |folder: &Path| folder.components().count();
    let folders = Path::new(name).ancestors().skip(1).take_while(|folder| depth(folder) > 2);
    // The first that is not empty ends it.
    let _ = folders.map(|folder| fs::remove_dir(root.join(folder))).find(Result::is_err);
}

/// Notes the move where git would: in the log of a branch, and in that of `HEAD` when it is the branch. Drafts have none,
/// unless the author's git has begun one.
fn log(repo: &Repository, swap: Swap<'_>) {
    let Some(line) = line(repo, (swap.old.unwrap_or(Oid::ZERO_SHA1), swap.new), swap.why) else { return };
    let begins = logs_moves(repo) && swap.name.starts_with("refs/heads/") && !swap.name.starts_with(DRAFTS);
    append(&repo.commondir().join("logs").join(swap.name), &line, begins);
    let head = fs::read_to_string(repo.path().join("HEAD")).unwrap_or_default();
    if head.strip_prefix("ref:").is_some_and(|branch| branch.trim() == swap.name) {
        append(&repo.path().join("logs/HEAD"), &line, logs_moves(repo));
    }
}

/// Whether the author's git begins logs, as it does unless told otherwise.
fn logs_moves(repo: &Repository) -> bool {
    repo.config().is_ok_and(|config| config.get_bool("core.logAllRefUpdates").unwrap_or(true))
}

/// A line of a log.
fn line(repo: &Repository, (old, new): (Oid, Oid), why: &str) -> Option<String> {
    let who = repo.signature().or_else(|_| Signature::now("novel", "novel@localhost")).ok()?;
    let when = who.when();
    let (hours, minutes) = (when.offset_minutes().abs() / 60, when.offset_minutes().abs() % 60);
    Some(format!("{old} {new} {who} {} {}{hours:02}{minutes:02}\t{why}\n", when.seconds(), when.sign()))
}

/// Adds a line to a log. The ref has moved already, so a log that cannot be written stops nothing.
fn append(log: &Path, line: &str, begins: bool) {
    if begins && let Some(folder) = log.parent() {
        let _ = fs::create_dir_all(folder);
    }
    if let Ok(mut file) = OpenOptions::new().append(true).create(begins).open(log) {
        let _ = file.write_all(line.as_bytes());
    }
}
