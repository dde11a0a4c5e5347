//! The hash of objects that are read. libgit2 can compute it for every object, a tenth of the work for a chapter. Git does so
//! where it looks for damage, and so does this program: everywhere else zlib's checksum has to do, and a pack that agrees with
//! its checksum and holds other objects than its index says is found by `novel doctor` and `git fsck`.

use super::tree;
use crate::git::error::ObjectFault;
use crate::git::error::{GitContext, Missing, StoreError};
use flate2::bufread::ZlibDecoder;
use git2::{ObjectType, OdbLookupFlags, Oid, Repository};
use std::collections::BTreeSet;
use std::io::Read as _;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::tree::Blob;
    use crate::git::tree_edit;
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
                let tree = repo.find_tree(tree_edit::edited(&repo, None, &edits).unwrap()).unwrap();
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
