//! Trees of objects: what is in them, and what differs between two.
//! A new tree from an old one, without looking at the work tree. Only folders with edits are opened.
//! Merging texts by lines.

use crate::git::error::{GitContext, StoreError};
use git2::{FileMode, Oid, Repository, Signature, Tree, TreeEntry};
use std::collections::{BTreeMap, BTreeSet};

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
pub(crate) struct TreeDifference {
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
) -> Result<Vec<TreeDifference>, StoreError> {
    let mut comparison = TreeComparison::of(repo);
    comparison.compare(old.map(Tree::id), new.map(Tree::id), "")?;
    Ok(comparison.differing())
}

/// The differences between `old` and `new` in the folder `name` at the top, in order of path.
pub(crate) fn differences_in(
    repo: &Repository,
    name: &str,
    old: &Tree<'_>,
    new: &Tree<'_>,
) -> Result<Vec<TreeDifference>, StoreError> {
    let folder = |tree: &Tree<'_>| {
        let entry = tree.get_name(name).filter(|entry| mode_of(entry.filemode()) == FileMode::Tree);
        entry.map(|entry| entry.id())
    };
    let mut comparison = TreeComparison::of(repo);
    comparison.compare(folder(old), folder(new), &format!("{name}/"))?;
    Ok(comparison.differing())
}

/// The folders and files of the tree `new` that the tree `old` has not at the same path.
pub(crate) fn new_objects(repo: &Repository, old: Option<Oid>, new: Oid) -> Result<BTreeSet<Oid>, StoreError> {
    let mut comparison = TreeComparison::of(repo);
    comparison.compare(old, Some(new), "")?;
    let TreeComparison { sides, mut folders, .. } = comparison;
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
struct TreeComparison<'r> {
    repo: &'r Repository,
    /// The blobs of the old and the new tree at each path where they differ.
    sides: BTreeMap<String, [Option<Blob>; 2]>,
    /// The folders of the new tree that have been opened.
    folders: BTreeSet<Oid>,
}

impl<'r> TreeComparison<'r> {
    fn of(repo: &'r Repository) -> Self {
        Self { repo, sides: BTreeMap::new(), folders: BTreeSet::new() }
    }

    fn differing(self) -> Vec<TreeDifference> {
        let differ = |(path, [old, new]): (String, [Option<Blob>; 2])| {
            (old.map(|b| b.id) != new.map(|b| b.id)).then_some(TreeDifference { path, old, new })
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

/// The change at each path of a tree: the blob to put there, or `None` to remove it.
pub(crate) type TreeEdits = BTreeMap<String, Option<Blob>>;

/// Writes the tree `base`, or an empty one, with `edits`. Removing an absent path changes nothing; a file keeps the mode that
/// it had; a folder without files is left out.
///
/// Libgit2's `TreeUpdateBuilder` refuses to remove an absent path, and to put a folder where it removes a file.
/// Fails when an object cannot be read or written, and when a file and a folder would have the same name.
pub(crate) fn edited(repo: &Repository, base: Option<Oid>, edits: &TreeEdits) -> Result<Oid, StoreError> {
    let base = base.map(|id| repo.find_tree(id).doing("reading a tree")).transpose()?;
    let edits = edits.iter().map(|(path, edit)| (path.as_str(), *edit)).collect();
    Ok(folder(repo, base.as_ref(), edits, "")?.0)
}

/// The edits of one name in a folder.
#[derive(Default)]
struct EntryEdits<'e> {
    /// The edit of the name as a file.
    file: Option<Option<Blob>>,
    /// The edits of paths in the folder of that name.
    inside: Vec<(&'e str, Option<Blob>)>,
}

/// Writes the folder `old` at `path`, which is empty or ends with a slash, with `edits`. Returns the folder's id, and whether
/// it has no entries.
fn folder(
    repo: &Repository,
    old: Option<&Tree<'_>>,
    edits: Vec<(&str, Option<Blob>)>,
    path: &str,
) -> Result<(Oid, bool), StoreError> {
    refuse_depth(path)?;
    let mut names: BTreeMap<&str, EntryEdits<'_>> = BTreeMap::new();
    for (path, edit) in edits {
        match path.split_once('/') {
            Some((name, rest)) => names.entry(name).or_default().inside.push((rest, edit)),
            None => names.entry(path).or_default().file = Some(edit),
        }
    }
    let mut builder = repo.treebuilder(old).doing("reading a tree")?;
    for (name, EntryEdits { file, inside }) in names {
        let there = old.and_then(|old| old.get_name(name));
        let there = there.map(|entry| Blob { id: entry.id(), mode: mode_of(entry.filemode()) });
        let (old_folder, old_file) =
            (there.filter(|t| t.mode == FileMode::Tree), there.filter(|t| t.mode != FileMode::Tree));
        let mut below = old_folder;
        if !inside.is_empty() {
            let old = old_folder.map(|old| repo.find_tree(old.id).doing("reading a tree")).transpose()?;
            let (id, is_empty) = folder(repo, old.as_ref(), inside, &format!("{path}{name}/"))?;
            below = (!is_empty).then_some(Blob { id, mode: FileMode::Tree });
        }
        let keeps_mode = |new: Blob| old_file.filter(|old| old.id == new.id || old.is_file() && new.is_file());
        let new_file = match file {
            // A link makes way for a folder.
            None => old_file.filter(|old| below.is_none() || old.mode != FileMode::Link),
            Some(file) => file.map(|new| Blob { mode: keeps_mode(new).unwrap_or(new).mode, ..new }),
        };
        if below.is_some() && new_file.is_some() {
            return Err(StoreError::Damaged { what: format!("`{path}{name}` would be both a file and a folder") });
        }
        match below.or(new_file) {
            new if new == there => {}
            Some(new) => drop(builder.insert(name, new.id, new.mode.into()).doing("writing a tree")?),
            None => builder.remove(name).doing("writing a tree")?,
        }
    }
    Ok((builder.write().doing("writing a tree")?, builder.is_empty()))
}

#[cfg(test)]
mod tree_edit_tests {
    use super::*;
    use git2::build::TreeUpdateBuilder;
    use proptest::prelude::*;

    type Files = BTreeMap<String, u8>;

    /// Names that are a file in one tree and a folder in another; a folder wins within one.
    fn files() -> impl Strategy<Value = Files> {
        let path = prop_oneof!["[ab]", "[ab]/[ab.]c?", "[ab]/[ab]/[ab]", "a[.0]"];
        prop::collection::btree_map(path, 0u8..3, 0..9).prop_map(|all: Files| {
            let has_inside = |path: &str| all.keys().any(|other| other.starts_with(&format!("{path}/")));
            all.iter()
                .filter(|(path, _)| !has_inside(path) && !path.ends_with('.'))
                .map(|(path, n)| (path.clone(), *n))
                .collect()
        })
    }

    fn blobs(repo: &Repository) -> Vec<Blob> {
        let mode = [FileMode::Blob, FileMode::BlobExecutable, FileMode::Link];
        (0..3).map(|n| Blob { id: repo.blob(&[n]).unwrap(), mode: mode[usize::from(n)] }).collect()
    }

    proptest! {
        // Each case writes a repository.
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn trees_are_those_that_libgit2_writes(one in files(), two in files()) {
            let home = tempfile::tempdir().unwrap();
            let repo = Repository::init_bare(home.path()).unwrap();
            let blobs = blobs(&repo);
            let edits = |files: &Files| -> TreeEdits {
                files.iter().map(|(path, n)| (path.clone(), Some(blobs[usize::from(*n)]))).collect()
            };
            let nothing = repo.find_tree(repo.treebuilder(None).unwrap().write().unwrap()).unwrap();
            let builds = |files: &Files| {
                let mut builder = TreeUpdateBuilder::new();
                for (path, n) in files {
                    builder.upsert(path.as_str(), blobs[usize::from(*n)].id, blobs[usize::from(*n)].mode);
                }
                builder.create_updated(&repo, &nothing).unwrap()
            };
            let id = edited(&repo, None, &edits(&one)).unwrap();
            prop_assert_eq!(id, builds(&one));
            // From one to the other, and back; then a path that is not there.
            for (from, to) in [(&one, &two), (&two, &one)] {
                let mut change: TreeEdits = from.keys().map(|path| (path.clone(), None)).collect();
                change.extend(edits(to));
                let base = builds(from);
                let id = edited(&repo, Some(base), &change).unwrap();
                // A file keeps its mode, so that libgit2's is asked for the same.
                let is_new = |path: &String| !from.contains_key(path);
                let modes_differ = to.keys().any(|path| !is_new(path) && from[path] != to[path]);
                prop_assert!(modes_differ || id == builds(to));
            }
            let absent: TreeEdits = [("b/b/b/b".to_owned(), None), ("c".to_owned(), None)].into();
            prop_assert_eq!(edited(&repo, Some(id), &absent).unwrap(), id);
        }
    }

    #[test]
    fn a_file_keeps_its_mode_and_no_name_is_both_file_and_folder() {
        let home = tempfile::tempdir().unwrap();
        let repo = Repository::init_bare(home.path()).unwrap();
        let [plain, program, link] = blobs(&repo)[..] else { panic!() };
        let put = |path: &str, blob: Blob| -> TreeEdits { [(path.to_owned(), Some(blob))].into() };
        let base = edited(&repo, None, &put("a/b", program)).unwrap();
        let mode = |tree: Oid| {
            let tree = repo.find_tree(tree).unwrap();
            super::super::tree::blob_at(&tree, "a/b").unwrap().mode
        };
        assert_eq!(mode(edited(&repo, Some(base), &put("a/b", plain)).unwrap()), FileMode::BlobExecutable);
        assert_eq!(mode(edited(&repo, Some(base), &put("a/b", link)).unwrap()), FileMode::Link);
        for (clash, place) in [("a", "`a`"), ("a/b/c", "`a/b`")] {
            let refused = edited(&repo, Some(base), &put(clash, plain)).unwrap_err().to_string();
            assert!(refused.contains(place), "{refused}");
        }
    }
}

/// The text with the changes that `ours` and `theirs` have made to `old`; `None` where they are of the same lines, or where
/// one of the texts is binary.
/// Fails when libgit2 fails.
pub fn merge_lines(old: &[u8], ours: &[u8], theirs: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
    if [old, ours, theirs].iter().any(|text| text.contains(&0)) {
        return Ok(None);
    }
    let [old, ours, theirs] = [old, ours, theirs].map(|text| {
        let mut input = git2::MergeFileInput::new();
        input.content(text);
        input
    });
    let result = git2::merge_file(&old, &ours, &theirs, None).doing("merging a file")?;
    Ok(result.is_automergeable().then(|| result.content().to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::tree::edited;
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
