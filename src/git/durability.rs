//! Making sure that what a ref names is on the disk before the ref names it. libgit2's default syncs nothing, and a
//! power cut then leaves refs that name empty objects.
//!
//! Refs are brought to the disk by [`super::refs`] and objects by [`super::objects`]; here are only those objects that another
//! program wrote.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Once;

use git2::{Oid, Repository};

use crate::git::disk::files::sync_dir;
use crate::git::disk::system;
use crate::git::error::{IoContext, StoreError};

/// Sets libgit2 up for this process. Call it before a repository is opened or made.
pub(crate) fn set_up() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        libgit2_sys::init();
        // libgit2 would look up every object that a new tree or commit names, a search of the whole store each time.
        // The objects that ours name have just been written or read, and each is opened when it is brought to disk.
        git2::opts::strict_object_creation(false);
        // See `super::verification`.
        git2::opts::strict_hash_verification(false);
        remember_folders(REMEMBERED);
        map_packs(MAPPED);
        share_files();
    });
}

/// So much of the packs is mapped at a time …
const MAPPED: usize = 8 << 20;
/// … and so many bytes of folders and commits are remembered, by most commands.
const REMEMBERED: libc::ssize_t = 64 << 20;

/// Prepares libgit2 for a look at the whole book, for the rest of the process. The windows hold the folders of some hundred
/// commits, which lie beside each other: with eight megabytes a book of 10,000 chapters took 1.4 s of CPU more, for mapping the same
/// pages again. A full cache costs more than it spares, because libgit2 looks through all of it for objects to drop.
pub(crate) fn expect_whole_book() {
    map_packs(32 << 20);
    remember_folders(4 << 20);
}

/// Has libgit2 map packs in small windows, `all` bytes at most. It would map each pack whole, and since the system keeps the
/// surroundings of each page that is read, a command would take about as much memory as the book has packs.
#[allow(unsafe_code)]
fn map_packs(all: usize) {
    const WINDOW: usize = 1 << 20;
    // SAFETY: both write one aligned number to a global of libgit2, which has been set up; a thread that reads packs
    // meanwhile finds the old one or the new one, and both are right.
    let _ = unsafe { git2::opts::set_mwindow_size(WINDOW) };
    let _ = unsafe { git2::opts::set_mwindow_mapped_limit(all) };
}

/// Lets libgit2 remember folders of every length, `all` bytes at most. Beyond 4 KiB, some hundred volumes, it would read a folder
/// again for each path that is looked up in it.
#[allow(unsafe_code)]
fn remember_folders(all: libc::ssize_t) {
    const LONGEST: usize = 1 << 20;
    // SAFETY: as for `map_packs`.
    let _ = unsafe { git2::opts::set_cache_object_limit(git2::ObjectType::Tree, LONGEST) };
    let _ = unsafe { git2::opts::set_cache_max_size(all) };
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

fn loose_path(objects: &Path, id: Oid) -> PathBuf {
    let name = id.to_string();
    let (folder, file) = name.split_at(2);
    objects.join(folder).join(file)
}
