//! Trees of objects: what is in them, and what differs between two.

use std::collections::{BTreeMap, BTreeSet};

use git2::{FileMode, Oid, Repository, Signature, Tree, TreeEntry};

use crate::git::error::{GitContext, StoreError};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Blob {
    pub(crate) id: Oid,
    pub(crate) mode: FileMode,
}

impl Blob {
    pub(crate) fn file(id: Oid) -> Self {
        Self { id, mode: FileMode::Blob }
    }

    /// Whether this is an ordinary file, and not a symbolic link or another repository.
    pub(crate) fn is_file(self) -> bool {
        matches!(self.mode, FileMode::Blob | FileMode::BlobExecutable | FileMode::BlobGroupWritable)
    }
}

/// One path that two trees disagree about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) path: String,
    pub(crate) old: Option<Blob>,
    pub(crate) new: Option<Blob>,
}

pub(crate) fn of_commit(repo: &Repository, id: Oid) -> Result<Tree<'_>, StoreError> {
    repo.find_commit(id).and_then(|c| c.tree()).doing("reading a commit")
}

/// Writes a commit that no ref names.
pub(crate) fn commit(
    repo: &Repository,
    tree: Oid,
    parents: &[Oid],
    (author, committer): (&Signature<'_>, &Signature<'_>),
    message: &str,
) -> Result<Oid, StoreError> {
    let written = || {
        let parents = parents.iter().map(|id| repo.find_commit(*id)).collect::<Result<Vec<_>, _>>()?;
        let parents: Vec<_> = parents.iter().collect();
        repo.commit(None, author, committer, message, &repo.find_tree(tree)?, &parents)
    };
    written().doing("writing a commit")
}

pub(crate) fn blob_at(tree: &Tree<'_>, path: &str) -> Option<Blob> {
    let entry = tree.get_path(std::path::Path::new(path)).ok()?;
    let mode = mode_of(entry.filemode());
    (mode != FileMode::Tree).then(|| Blob { id: entry.id(), mode })
}

pub(crate) fn mode_of(mode: i32) -> FileMode {
    match mode {
        0o040_000 => FileMode::Tree,
        0o100_755 => FileMode::BlobExecutable,
        0o120_000 => FileMode::Link,
        0o160_000 => FileMode::Commit,
        _ => FileMode::Blob,
    }
}

/// The differences between `old` and `new`, in order of path. A difference of mode alone does not count.
///
/// Folders that are the same in both are not opened; libgit2's diff opens every folder beside one that differs.
pub(crate) fn differences(
    repo: &Repository,
    old: Option<&Tree<'_>>,
    new: Option<&Tree<'_>>,
) -> Result<Vec<Difference>, StoreError> {
    let mut comparison = Comparison::of(repo);
    comparison.compare(old.map(Tree::id), new.map(Tree::id), "")?;
    Ok(comparison.differing())
}

/// The differences between `old` and `new` in the folder `name` at the top, in order of path.
pub(crate) fn differences_in(
    repo: &Repository,
    name: &str,
    old: &Tree<'_>,
    new: &Tree<'_>,
) -> Result<Vec<Difference>, StoreError> {
    let folder = |tree: &Tree<'_>| {
        let entry = tree.get_name(name).filter(|entry| mode_of(entry.filemode()) == FileMode::Tree);
        entry.map(|entry| entry.id())
    };
    let mut comparison = Comparison::of(repo);
    comparison.compare(folder(old), folder(new), &format!("{name}/"))?;
    Ok(comparison.differing())
}

/// The folders and files of the tree `new` that the tree `old` has not at the same path.
pub(crate) fn new_objects(repo: &Repository, old: Option<Oid>, new: Oid) -> Result<BTreeSet<Oid>, StoreError> {
    let mut comparison = Comparison::of(repo);
    comparison.compare(old, Some(new), "")?;
    let Comparison { sides, mut folders, .. } = comparison;
    let files = sides.into_values().filter_map(|[old, new]| {
        new.filter(|new| new.mode != FileMode::Commit && old.is_none_or(|old| old.id != new.id)).map(|new| new.id)
    });
    folders.extend(files);
    Ok(folders)
}

/// The most folders one in another, which the stack of a thread has room for. Git refuses 2,048.
const DEEPEST: usize = 500;

/// So many folders are named of a path that is too deep: no folder of the book's own lies so deep.
const NAMED: usize = 4;

/// Refuses a folder that lies too deep, as git does.
pub(super) fn refuse_depth(prefix: &str) -> Result<(), StoreError> {
    if prefix.bytes().filter(|byte| *byte == b'/').count() <= DEEPEST {
        return Ok(());
    }
    let folder = prefix.split('/').take(NAMED).collect::<Vec<_>>().join("/");
    Err(StoreError::TooDeep { folder })
}

/// A comparison of two trees that opens only folders which differ.
struct Comparison<'r> {
    repo: &'r Repository,
    /// The blobs of the old and the new tree at each path where they differ.
    sides: BTreeMap<String, [Option<Blob>; 2]>,
    /// The folders of the new tree that have been opened.
    folders: BTreeSet<Oid>,
}

impl<'r> Comparison<'r> {
    fn of(repo: &'r Repository) -> Self {
        Self { repo, sides: BTreeMap::new(), folders: BTreeSet::new() }
    }

    fn differing(self) -> Vec<Difference> {
        let differ = |(path, [old, new]): (String, [Option<Blob>; 2])| {
            (old.map(|b| b.id) != new.map(|b| b.id)).then_some(Difference { path, old, new })
        };
        self.sides.into_iter().filter_map(differ).collect()
    }

    fn compare(&mut self, old: Option<Oid>, new: Option<Oid>, prefix: &str) -> Result<(), StoreError> {
        if old == new {
            return Ok(());
        }
        refuse_depth(prefix)?;
        self.folders.extend(new);
        let repo = self.repo;
        let trees = [old, new].map(|id| id.map(|id| repo.find_tree(id).doing("reading a tree")).transpose());
        let [old, new] = trees;
        let trees = [old?, new?];
        let [mut old, mut new] = trees.each_ref().map(|tree| tree.iter().flatten().collect::<Vec<_>>());
        // Of two hundred entries one differs, or one is new at the end.
        let is_same = |one: &TreeEntry<'_>, other: &TreeEntry<'_>| {
            one.id() == other.id() && one.name_bytes() == other.name_bytes()
        };
        let begin = old.iter().zip(&new).take_while(|(one, other)| is_same(one, other)).count();
        old.drain(..begin);
        new.drain(..begin);
        let mut pairs: BTreeMap<(&[u8], bool), [Option<&TreeEntry<'_>>; 2]> = BTreeMap::new();
        for (side, entries) in [&old, &new].into_iter().enumerate() {
            for entry in entries {
                let is_folder = mode_of(entry.filemode()) == FileMode::Tree;
                pairs.entry((entry.name_bytes(), is_folder)).or_default()[side] = Some(entry);
            }
        }
        for ((name, is_folder), sides) in pairs {
            let [was, is] = sides.map(|entry| entry.map(TreeEntry::id));
            let Some(path) = std::str::from_utf8(name).ok().filter(|_| was != is) else { continue };
            let path = format!("{prefix}{path}");
            if is_folder {
                self.compare(was, is, &format!("{path}/"))?;
                continue;
            }
            let [was, is] = sides.map(|entry| entry.map(|e| Blob { id: e.id(), mode: mode_of(e.filemode()) }));
            let [old, new] = self.sides.entry(path).or_default();
            (*old, *new) = (was.or(*old), is.or(*new));
        }
        Ok(())
    }
}

/// Calls `visit` with every blob under `tree`, in git's order.
pub(crate) fn walk(
    repo: &Repository,
    tree: &Tree<'_>,
    prefix: &str,
    visit: &mut impl FnMut(&str, Blob),
) -> Result<(), StoreError> {
    refuse_depth(prefix)?;
    for entry in tree {
        let Ok(name) = entry.name() else { continue };
        let path = format!("{prefix}{name}");
        match mode_of(entry.filemode()) {
            FileMode::Tree => {
                let below = repo.find_tree(entry.id()).doing("reading a tree")?;
                walk(repo, &below, &format!("{path}/"), visit)?;
            }
            mode => visit(&path, Blob { id: entry.id(), mode }),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::tree_edit::edited;
    use proptest::prelude::*;

    type Files = BTreeMap<String, u8>;

    /// Names that are a file in one tree and a folder in another; a folder wins within one.
    fn files() -> impl Strategy<Value = Files> {
        let path = prop_oneof!["[ab]", "[ab]/[ab]", "[ab]/[ab]/[ab]"];
        prop::collection::btree_map(path, 0u8..3, 0..9).prop_map(|all: Files| {
            let has_inside = |path: &str| all.keys().any(|other| other.starts_with(&format!("{path}/")));
            all.iter().filter(|(path, _)| !has_inside(path)).map(|(path, n)| (path.clone(), *n)).collect()
        })
    }

    #[test]
    fn folders_that_are_nested_too_deeply_are_refused() {
        let home = tempfile::tempdir().unwrap();
        let repo = Repository::init_bare(home.path()).unwrap();
        let nested = |depth: usize| {
            let file = Some(Blob::file(repo.blob(b"x").unwrap()));
            let mut tree = edited(&repo, None, &BTreeMap::from([("f".to_owned(), file)])).unwrap();
            for _ in 0..depth {
                let mut builder = repo.treebuilder(None).unwrap();
                builder.insert("d", tree, 0o040_000).unwrap();
                tree = builder.write().unwrap();
            }
            repo.find_tree(tree).unwrap()
        };
        let mut paths = 0;
        for (depth, is_read) in [(DEEPEST, true), (DEEPEST + 1, false), (4 * DEEPEST, false)] {
            let tree = nested(depth);
            assert_eq!(differences(&repo, None, Some(&tree)).is_ok(), is_read);
            assert_eq!(walk(&repo, &tree, "", &mut |_, _| paths += 1).is_ok(), is_read);
        }
        assert_eq!(paths, 1);
    }

    proptest! {
        // Each case writes a repository.
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn differences_lead_from_one_tree_to_the_other(one in files(), two in files()) {
            let home = tempfile::tempdir().unwrap();
            let repo = Repository::init_bare(home.path()).unwrap();
            let blobs: Vec<Blob> = (0..3).map(|n| Blob::file(repo.blob(&[n]).unwrap())).collect();
            let tree = |files: &Files| {
                let edits = files.iter().map(|(path, n)| (path.clone(), Some(blobs[usize::from(*n)]))).collect();
                edited(&repo, None, &edits).unwrap()
            };
            let (old, new) = (repo.find_tree(tree(&one)).unwrap(), repo.find_tree(tree(&two)).unwrap());
            let found = differences(&repo, Some(&old), Some(&new)).unwrap();
            for difference in &found {
                let blob = |files: &Files| files.get(&difference.path).map(|n| blobs[usize::from(*n)]);
                prop_assert_eq!((difference.old, difference.new), (blob(&one), blob(&two)));
                prop_assert_ne!(difference.old, difference.new);
            }
            let same = |path: &&String| one.get(*path) == two.get(*path);
            let all: std::collections::BTreeSet<&String> = one.keys().chain(two.keys()).collect();
            prop_assert_eq!(found.len(), all.iter().filter(|path| !same(path)).count());
            let edits = found.into_iter().map(|d| (d.path, d.new)).collect();
            prop_assert_eq!(edited(&repo, Some(old.id()), &edits).unwrap(), new.id());
        }
    }
}
