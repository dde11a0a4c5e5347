//! The hash of objects that are read. libgit2 can compute it for every object, a tenth of the work for a chapter. Git does so
//! where it looks for damage, and so does this program: everywhere else zlib's checksum has to do, and a pack that agrees with
//! its checksum and holds other objects than its index says is found by `novel doctor` and `git fsck`.
//!
//! Checks of git's pack files beside libgit2: whether their checksums fit, and which objects they have. The format is in
//! git's `Documentation/gitformat-pack.txt`; packs of version 2, indexes of version 2.
//!
//! Making sure that what a ref names is on the disk before the ref names it. libgit2's default syncs nothing, and a
//! power cut then leaves refs that name empty objects.
//!
//! Refs are brought to the disk by [`super::refs`] and objects by [`super::objects`]; here are only those objects that another
//! program wrote.

use crate::git::disk::{sync_dir, system};
use crate::git::error::{GitContext, IoContext, Missing, ObjectFault, StoreError};
use crate::git::tree;
use flate2::bufread::ZlibDecoder;
use git2::{ObjectType, OdbLookupFlags, Oid, Repository};
use sha1::{Digest, Sha1};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Has libgit2 compare every object that this process reads with its hash, as long as it lives. For readers of files that
/// may be damaged.
#[derive(Debug)]
#[must_use = "objects are verified as long as this value lives"]
pub(crate) struct VerifiedObjects(());

/// How many there are: the switch is one for the process.
static ALIVE: AtomicUsize = AtomicUsize::new(0);

impl VerifiedObjects {
    pub(crate) fn begin() -> Self {
        if ALIVE.fetch_add(1, Ordering::SeqCst) == 0 {
            git2::opts::strict_hash_verification(true);
        }
        Self(())
    }
}

impl Drop for VerifiedObjects {
    fn drop(&mut self) {
        if ALIVE.fetch_sub(1, Ordering::SeqCst) == 1 {
            git2::opts::strict_hash_verification(false);
        }
    }
}

/// Objects above this size are taken at their word: a book has none.
const LARGEST: u64 = 256 << 20;

/// Returns the fault of the loose object `bytes` that is filed under `id`; `None` when it is whole.
pub(crate) fn loose_object_fault(bytes: &[u8], id: Oid) -> Option<ObjectFault> {
    if bytes.is_empty() {
        return Some(ObjectFault::Empty);
    }
    let Some(data) = zlib(bytes) else { return Some(ObjectFault::Garbled) };
    let Some(end) = data.iter().position(|b| *b == 0) else { return Some(ObjectFault::NoHeader) };
    let header = String::from_utf8_lossy(&data[..end]);
    let Some((kind, size)) = header.split_once(' ') else { return Some(ObjectFault::NoHeader) };
    let (Some(kind), Ok(size)) = (ObjectType::from_str(kind), size.parse::<usize>()) else {
        return Some(ObjectFault::NoHeader);
    };
    let body = &data[end + 1..];
    if body.len() != size {
        return Some(ObjectFault::OtherSize);
    }
    (Oid::hash_object(kind, body).ok() != Some(id)).then_some(ObjectFault::OtherContent)
}

/// The data in a zlib stream, when the stream is whole, its checksum fits and nothing follows it.
fn zlib(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut data = Vec::new();
    let mut decoder = ZlibDecoder::new(bytes);
    decoder.by_ref().take(LARGEST).read_to_end(&mut data).ok()?;
    // A stream that was cut short ends in an error; one that is whole has been read to its checksum.
    (decoder.total_in() == bytes.len() as u64).then_some(data)
}

/// True when every object is there that the commit `tip` needs. False also where one cannot be read, and in a shallow clone.
///
/// Each commit is compared with its first parent, whose objects are looked up as well, so that only what differs is looked up.
pub(crate) fn has_all_objects(repo: &Repository, tip: Oid) -> bool {
    let found = needed(repo, tip).and_then(|needed| {
        let odb = repo.odb().doing("opening the object store")?;
        // In the order of their ids the index of a pack is read once.
        Ok(needed.iter().all(|id| odb.exists_ext(*id, OdbLookupFlags::NO_REFRESH)))
    });
    found.unwrap_or(false)
}

/// An object that is missing and that `id`, a commit or a tag, needs beside the history of `whole`; the commit at which the looking ended
/// where the history is cut short.
pub(crate) fn missing_beside(repo: &Repository, id: Oid, whole: Oid) -> Result<Option<Oid>, StoreError> {
    let doing = "following a ref";
    let Some(object) = repo.find_object(id, None).or_missing(doing)? else { return Ok(Some(id)) };
    let Ok(commit) = object.peel_to_commit() else { return Ok(None) };
    let mut walk = repo.revwalk().doing(doing)?;
    walk.hide(whole).doing(doing)?;
    walk.push(commit.id()).doing(doing)?;
    let odb = repo.odb().doing(doing)?;
    let mut last = commit.id();
    for next in walk {
        let Ok(id) = next else { return Ok(Some(last).filter(|_| !repo.is_shallow())) };
        last = id;
        let commit = repo.find_commit(id).doing(doing)?;
        let before = commit.parent_id(0).ok().and_then(|parent| tree::of_commit(repo, parent).ok());
        let Ok(new) = tree::new_objects(repo, before.map(|tree| tree.id()), commit.tree_id()) else {
            return Ok(Some(id));
        };
        if let Some(lost) = new.into_iter().find(|id| !odb.exists(*id)) {
            return Ok(Some(lost));
        }
    }
    Ok(None)
}

/// The folders and files that the history of `tip` needs.
fn needed(repo: &Repository, tip: Oid) -> Result<BTreeSet<Oid>, StoreError> {
    let (mut seen, mut left, mut needed) = (BTreeSet::from([tip]), vec![tip], BTreeSet::new());
    while let Some(id) = left.pop() {
        let commit = repo.find_commit(id).doing("reading a commit")?;
        let before = commit.parent_id(0).ok().map(|parent| tree::of_commit(repo, parent)).transpose()?;
        needed.extend(tree::new_objects(repo, before.map(|tree| tree.id()), commit.tree_id())?);
        left.extend(commit.parent_ids().filter(|parent| seen.insert(*parent)));
    }
    Ok(needed)
}

/// So much of a file is read at a time.
const PIECE: usize = 1 << 18;

/// The bytes of the checksum at the end.
const CHECKSUM: usize = 20;

/// [`fault`] of a file that is read in pieces: a pack is as large as the book.
pub(crate) fn fault_of(mut file: impl Read) -> std::io::Result<Option<ObjectFault>> {
    let (mut hash, mut held) = (Sha1::new(), Vec::with_capacity(PIECE + CHECKSUM));
    let mut is_empty = true;
    while file.by_ref().take(PIECE as u64).read_to_end(&mut held)? > 0 {
        let hashed = held.len().saturating_sub(CHECKSUM);
        is_empty &= hashed == 0;
        hash.update(&held[..hashed]);
        held.drain(..hashed);
    }
    Ok(match is_empty {
        true => Some(ObjectFault::Empty),
        false => (hash.finalize()[..] != held[..]).then_some(ObjectFault::Garbled),
    })
}

/// Returns the fault of the pack file or the index `bytes`, whose checksum is at its end; `None` when it is whole.
pub(crate) fn fault(bytes: &[u8]) -> Option<ObjectFault> {
    fault_of(bytes).ok().flatten()
}

pub(crate) fn ids(index: &[u8]) -> Vec<Oid> {
    let listed = index.get(8 + 256 * 4..).unwrap_or_default();
    let count = index.get(8 + 255 * 4..).and_then(|at| at.first_chunk()).map_or(0, |n| u32::from_be_bytes(*n) as usize);
    listed.chunks_exact(20).take(count).filter_map(|id| Oid::from_bytes(id).ok()).collect()
}

#[cfg(test)]
mod pack_file_tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn a_pack_of_libgit2_is_whole_and_any_part_of_it_is_not(
            texts in prop::collection::btree_set("[a-c]{0,40}", 1..20),
            cut in 0.0f64..1.0,
        ) {
            let home = tempfile::tempdir().unwrap();
            let repo = git2::Repository::init_bare(home.path()).unwrap();
            let objects: std::collections::BTreeSet<Oid> =
                texts.iter().map(|text| repo.blob(text.as_bytes()).unwrap()).collect();
            let mut builder = repo.packbuilder().unwrap();
            objects.iter().for_each(|id| builder.insert_object(*id, None).unwrap());
            builder.write(home.path(), 0o644).unwrap();
            let name = builder.name().unwrap().unwrap().to_owned();
            let read = |ending| std::fs::read(home.path().join(format!("pack-{name}.{ending}"))).unwrap();
            let (pack, index) = (read("pack"), read("idx"));
            // Longer than one piece.
            let long = [&pack[..pack.len() - 20], &vec![7; 2 * PIECE]].concat();
            let long = [&long[..], &Sha1::digest(&long)].concat();
            prop_assert_eq!(fault(&long), None);
            prop_assert_eq!(fault(&long[..long.len() - 1]), Some(ObjectFault::Garbled));
            let mut damaged = pack.clone();
            damaged[12 + ((pack.len() - 33) as f64 * cut) as usize] ^= 0x55;
            prop_assert!(fault(&damaged).is_some() && fault(&pack).is_none() && fault(&index).is_none());
            prop_assert_eq!(ids(&index), objects.into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            ids(&bytes);
            fault(&bytes);
        }
    }
}

/// Sets libgit2 up for this process. Call it before a repository is opened or made.
pub(crate) fn set_up() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        libgit2_sys::init();
        // libgit2 would look up every object that a new tree or commit names, a search of the whole store each time.
        // The objects that ours name have just been written or read, and each is opened when it is brought to disk.
        git2::opts::strict_object_creation(false);
        // See `crate::git::verification`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::tree;
    use crate::git::tree::Blob;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::path::Path;

    /// The file that libgit2 writes for `content`, and its id.
    fn written(content: &[u8]) -> (Vec<u8>, Oid) {
        let home = tempfile::tempdir().unwrap();
        let repo = git2::Repository::init_bare(home.path()).unwrap();
        let id = repo.blob(content).unwrap();
        let name = id.to_string();
        (std::fs::read(home.path().join("objects").join(&name[..2]).join(&name[2..])).unwrap(), id)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn what_libgit2_writes_is_whole_and_any_part_of_it_is_not(
            text in prop_oneof![
                "[a-c\n]{0,3000}",
                "(第三年冬末，信到了。){0,300}",
                prop::collection::vec(any::<u8>(), 0..70_000).prop_map(|b| b.iter().map(|b| *b as char).collect::<String>()),
            ],
            cut in 0.0f64..1.0,
        ) {
            let (bytes, id) = written(text.as_bytes());
            prop_assert_eq!(loose_object_fault(&bytes, id), None);
            let cut = (bytes.len() as f64 * cut) as usize;
            prop_assert!(loose_object_fault(&bytes[..cut], id).is_some());
            let mut garbled = bytes.clone();
            garbled[cut] ^= 0x10;
            // A flipped bit may be one that does not count; it must not pass for other content.
            let _ = loose_object_fault(&garbled, id);
            prop_assert!(loose_object_fault(&bytes, Oid::ZERO_SHA1).is_some());
        }

        #[test]
        fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            loose_object_fault(&bytes, Oid::ZERO_SHA1);
            let mut zlib_like = vec![0x78, 0x9c];
            zlib_like.extend(bytes);
            loose_object_fault(&zlib_like, Oid::ZERO_SHA1);
        }
    }

    fn loose(objects: &Path) -> Vec<std::path::PathBuf> {
        let folders = std::fs::read_dir(objects).unwrap().flatten().filter(|entry| entry.file_name().len() == 2);
        folders.flat_map(|folder| std::fs::read_dir(folder.path()).unwrap().flatten()).map(|e| e.path()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        /// Contents come back and commits have two parents, as after an undo and a merge: an object that only they have is
        /// missed as well. No commit is empty, because libgit2 knows the empty folder without a file.
        #[test]
        fn the_lack_of_any_object_shows(
            commits in prop::collection::vec(
                (prop::collection::btree_map("[ab]|[ab]/[ab]c?/[ab]", 0u8..4, 1..6), any::<prop::sample::Index>()),
                1..6,
            )
        ) {
            let home = tempfile::tempdir().unwrap();
            let repo = Repository::init_bare(home.path()).unwrap();
            let me = git2::Signature::new("a", "a@b", &git2::Time::new(0, 0)).unwrap();
            let mut line: Vec<Oid> = Vec::new();
            for (files, other) in &commits {
                let is_inside = |path: &str| files.keys().any(|of| of.starts_with(&format!("{path}/")));
                let files = files.iter().filter(|(path, _)| !is_inside(path));
                let edits: BTreeMap<String, Option<Blob>> =
                    files.map(|(path, n)| (path.clone(), Some(Blob::file(repo.blob(&[*n]).unwrap())))).collect();
                let tree = repo.find_tree(tree::edited(&repo, None, &edits).unwrap()).unwrap();
                let mut parents: Vec<Oid> = line.last().copied().into_iter().collect();
                parents.extend((!line.is_empty()).then(|| *other.get(&line)).filter(|other| !parents.contains(other)));
                let parents: Vec<git2::Commit<'_>> = parents.iter().map(|id| repo.find_commit(*id).unwrap()).collect();
                let words = line.len().to_string();
                line.push(repo.commit(None, &me, &me, &words, &tree, &parents.iter().collect::<Vec<_>>()).unwrap());
            }
            let tip = *line.last().unwrap();
            prop_assert!(has_all_objects(&repo, tip));
            let mut needed = BTreeSet::from([tip]);
            for id in &line {
                needed.insert(*id);
                let tree = repo.find_commit(*id).unwrap().tree().unwrap();
                needed.insert(tree.id());
                tree.walk(git2::TreeWalkMode::PreOrder, |_, entry| {
                    needed.insert(entry.id());
                    git2::TreeWalkResult::Ok
                }).unwrap();
            }
            for path in loose(&home.path().join("objects")) {
                let aside = home.path().join("aside");
                std::fs::rename(&path, &aside).unwrap();
                let name = [path.parent().unwrap(), &path].map(|part| part.file_name().unwrap().to_str().unwrap().to_owned());
                let id = Oid::from_str(&name.concat()).unwrap();
                let is_whole = has_all_objects(&Repository::open(home.path()).unwrap(), tip);
                prop_assert_eq!(is_whole, !needed.contains(&id), "{}", id);
                std::fs::rename(&aside, &path).unwrap();
            }
        }
    }
}
