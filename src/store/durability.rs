//! Making sure that what a ref names is on the disk before the ref names it. libgit2's default syncs nothing, and a power
//! cut then leaves refs that name empty objects.
//!
//! libgit2 can sync each object as it writes it, file and folder, one after the other. A stage result is a dozen objects,
//! so instead they are written unsynced and synced together by a few threads, which the file system turns into few
//! commits of its journal. Refs and their logs are still synced by libgit2: it remembers the switch per repository when
//! it opens the refs.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

use git2::{ObjectType, Oid, Repository};

use super::error::{GitContext, IoContext, StoreError};
use super::files::sync_dir;

/// Threads that wait for the disk at once. More than a few gain nothing: the journal takes them all in one commit.
const SYNCERS: usize = 4;

/// Opens or makes a repository whose refs will be synced.
pub(crate) fn with_synced_refs(
    open: impl FnOnce() -> Result<Repository, git2::Error>,
) -> Result<Repository, git2::Error> {
    // The switch is one for the whole process; whoever turns it must not meet another.
    static TURNING: Mutex<()> = Mutex::new(());
    static INIT: Once = Once::new();
    INIT.call_once(|| {
        libgit2_sys::init();
        // libgit2 would look for every object that a new tree or commit names, a search of the whole store each time.
        // What ours name has just been written or read; and `sync_commit` opens each before a ref names it.
        git2::opts::strict_object_creation(false);
    });
    let _turning = TURNING.lock().unwrap_or_else(PoisonError::into_inner);
    sync_gitdir(true);
    let repo = open().inspect(|repo| {
        // The first look at a ref is what makes libgit2 read the switch.
        let _ = repo.find_reference("HEAD");
    });
    sync_gitdir(cfg!(not(unix)));
    repo
}

#[allow(unsafe_code)]
fn sync_gitdir(on: bool) {
    // SAFETY: this option takes exactly one `int` after its name and writes it to a global of libgit2, which has been set
    // up; the lock of the caller keeps other threads of ours from doing the same. git2 has no function for it.
    unsafe {
        libgit2_sys::git_libgit2_opts(libgit2_sys::GIT_OPT_ENABLE_FSYNC_GITDIR as libc::c_int, libc::c_int::from(on));
    }
}

/// Syncs `commit` and everything that it has and its first parent has not: also what an earlier attempt wrote and did not
/// live to sync.
pub(crate) fn sync_commit(repo: &Repository, commit: Oid) -> Result<(), StoreError> {
    let new = repo.find_commit(commit).doing("reading a commit")?;
    let old = new.parent(0).ok().map(|p| p.tree_id());
    let mut ids = BTreeSet::from([commit]);
    new_objects(repo, new.tree_id(), old, &mut ids)?;
    sync_objects(repo, &ids)
}

fn new_objects(repo: &Repository, new: Oid, old: Option<Oid>, found: &mut BTreeSet<Oid>) -> Result<(), StoreError> {
    if Some(new) == old || !found.insert(new) {
        return Ok(());
    }
    let new = repo.find_tree(new).doing("reading a tree")?;
    let old = old.map(|id| repo.find_tree(id)).transpose().doing("reading a tree")?;
    for entry in &new {
        let before = old.as_ref().and_then(|t| t.get_name_bytes(entry.name_bytes()));
        match entry.kind() {
            Some(ObjectType::Tree) => {
                let before = before.filter(|b| b.kind() == Some(ObjectType::Tree)).map(|b| b.id());
                new_objects(repo, entry.id(), before, found)?;
            }
            Some(ObjectType::Blob) if before.is_none_or(|b| b.id() != entry.id()) => {
                found.insert(entry.id());
            }
            _ => {}
        }
    }
    Ok(())
}

/// Syncs the files of `ids` and the folders that name them. Packed objects are on the disk already.
pub(crate) fn sync_objects(repo: &Repository, ids: &BTreeSet<Oid>) -> Result<(), StoreError> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    let objects = repo.commondir().join("objects");
    let files: Vec<PathBuf> = ids.iter().map(|id| loose_path(&objects, *id)).collect();
    let folders: BTreeSet<PathBuf> = files.iter().filter_map(|f| f.parent().map(Path::to_owned)).collect();
    in_parallel(&files, |path| match File::open(path) {
        Ok(file) => file.sync_all().at("writing", path),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(StoreError::io("opening", path, e)),
    })?;
    let folders: Vec<PathBuf> = folders.into_iter().collect();
    in_parallel(&folders, |path| {
        sync_dir(path);
        Ok(())
    })?;
    sync_dir(&objects);
    Ok(())
}

fn loose_path(objects: &Path, id: Oid) -> PathBuf {
    let name = id.to_string();
    let (folder, file) = name.split_at(2);
    objects.join(folder).join(file)
}

/// Does `work` for every path, several at a time.
fn in_parallel(paths: &[PathBuf], work: impl Fn(&Path) -> Result<(), StoreError> + Sync) -> Result<(), StoreError> {
    let all = |paths: &[PathBuf]| paths.iter().try_for_each(|p| work(p));
    if paths.len() < SYNCERS {
        return all(paths);
    }
    std::thread::scope(|scope| {
        let share = paths.len().div_ceil(SYNCERS);
        let workers: Vec<_> = paths.chunks(share).map(|chunk| scope.spawn(move || all(chunk))).collect();
        let died = || StoreError::Damaged { what: "a thread that synced files died".to_owned() };
        workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|_| Err(died())))
    })
}
