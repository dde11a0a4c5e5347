//! Making sure that what a ref names is on the disk before the ref names it. libgit2's default syncs nothing, and a
//! power cut then leaves refs that name empty objects.
//!
//! Refs and their logs are synced by libgit2: it remembers the switch per repository when it opens the refs. Objects
//! are not, because [`super::objects`] brings them to the disk; here are only those that another program wrote.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

use git2::{Oid, Repository};

use crate::store::disk::files::sync_dir;
use crate::store::disk::system;
use crate::store::error::{IoContext, StoreError};

/// Opens or makes a repository whose refs will be synced.
pub(crate) fn with_synced_refs(
    open: impl FnOnce() -> Result<Repository, git2::Error>,
) -> Result<Repository, git2::Error> {
    // The switch is one for the whole process; two threads must not turn it at the same time.
    static TURNING: Mutex<()> = Mutex::new(());
    static INIT: Once = Once::new();
    INIT.call_once(|| {
        libgit2_sys::init();
        // libgit2 would look up every object that a new tree or commit names, a search of the whole store each time.
        // The objects that ours name have just been written or read, and each is opened when it is brought to disk.
        git2::opts::strict_object_creation(false);
        keep_long_folders();
        share_files();
    });
    let _turning = TURNING.lock().unwrap_or_else(PoisonError::into_inner);
    sync_gitdir(true);
    let repo = open().inspect(|repo| {
        // The first look at a ref is what makes libgit2 read the switch.
        let _ = repo.find_reference("HEAD");
    });
    sync_gitdir(false);
    repo
}

/// Lets libgit2 remember folders of every length. Beyond 4 KiB, some hundred volumes, it would read a folder again for
/// each path that is looked up in it.
#[allow(unsafe_code)]
fn keep_long_folders() {
    const LONGEST: usize = 1 << 20;
    const ALL: libc::ssize_t = 64 << 20;
    // SAFETY: both write one number to a global of libgit2, which has been set up; `Once` keeps other threads from it.
    let _ = unsafe { git2::opts::set_cache_object_limit(git2::ObjectType::Tree, LONGEST) };
    let _ = unsafe { git2::opts::set_cache_max_size(ALL) };
}

/// Has libgit2 open files in the mode that the system's other programs need.
#[allow(unsafe_code)]
fn share_files() {
    if let Some(mode) = system::LIBGIT2_SHARE_MODE {
        // SAFETY: this option takes exactly one number of 32 bits, an `unsigned long` there, after its name and writes
        // it to a global of libgit2, which has been set up; `Once` keeps other threads from it. git2 has no function
        // for it.
        unsafe { libgit2_sys::git_libgit2_opts(libgit2_sys::GIT_OPT_SET_WINDOWS_SHAREMODE as libc::c_int, mode) };
    }
}

#[allow(unsafe_code)]
fn sync_gitdir(on: bool) {
    // SAFETY: this option takes exactly one `int` after its name and writes it to a global of libgit2, which has been
    // set up; the lock of the caller keeps other threads of ours from doing the same. git2 has no function for it.
    unsafe {
        libgit2_sys::git_libgit2_opts(libgit2_sys::GIT_OPT_ENABLE_FSYNC_GITDIR as libc::c_int, libc::c_int::from(on));
    }
}

/// Syncs the files of `ids` and the folders that name them. Packed objects are on the disk already, their folder as
/// well.
pub(crate) fn sync_objects(repo: &Repository, ids: &BTreeSet<Oid>) -> Result<(), StoreError> {
    let objects = repo.commondir().join("objects");
    let mut folders: BTreeSet<PathBuf> = BTreeSet::new();
    for path in ids.iter().map(|id| loose_path(&objects, *id)) {
        match system::sync_file(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
            synced => synced.at("writing", &path)?,
        }
        folders.extend(path.parent().map(Path::to_owned));
    }
    if folders.is_empty() {
        return Ok(());
    }
    folders.iter().try_for_each(|folder| sync_dir(folder))?;
    sync_dir(&objects)
}

/// Syncs a file that another library has written, and the folder that names it. A missing file is passed over.
pub(crate) fn sync_file(path: &Path) -> Result<(), StoreError> {
    match system::sync_file(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        synced => synced.at("syncing", path)?,
    }
    path.parent().map_or(Ok(()), sync_dir)
}

/// Whether the repository's file system can sync folders, as far as libgit2 wants it to. Libgit2 takes the refusal for
/// a failure, and then no ref moves.
pub(crate) fn syncs_folders(repo: &Repository) -> bool {
    static KNOWN: Mutex<BTreeMap<PathBuf, bool>> = Mutex::new(BTreeMap::new());
    if !system::LIBGIT2_SYNCS_FOLDERS {
        return true;
    }
    let refs = repo.commondir().join("refs");
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = known.get(&refs) {
        return *known;
    }
    let answer = match system::sync_folder(&refs) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return true,
        Err(e) => !system::is_unsyncable(&e),
        Ok(()) => true,
    };
    known.insert(refs, answer);
    answer
}

fn loose_path(objects: &Path, id: Oid) -> PathBuf {
    let name = id.to_string();
    let (folder, file) = name.split_at(2);
    objects.join(folder).join(file)
}
