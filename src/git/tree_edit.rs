//! A new tree from an old one, without looking at the work tree. Only folders with edits are opened.

use std::collections::BTreeMap;

use git2::{FileMode, Oid, Repository, Tree};

use super::tree::{Blob, mode_of, refuse_depth};
use crate::git::error::{GitContext, StoreError};

/// The change at each path of a tree: the blob to put there, or `None` to remove it.
pub(crate) type Edits = BTreeMap<String, Option<Blob>>;

/// Writes the tree `base`, or an empty one, with `edits`. Removing an absent path changes nothing; a file keeps the mode that
/// it had; a folder without files is left out.
///
/// Libgit2's `TreeUpdateBuilder` refuses to remove an absent path, and to put a folder where it removes a file.
/// Fails when an object cannot be read or written, and when a file and a folder would have the same name.
pub(crate) fn edited(repo: &Repository, base: Option<Oid>, edits: &Edits) -> Result<Oid, StoreError> {
    let base = base.map(|id| repo.find_tree(id).doing("reading a tree")).transpose()?;
    let edits = edits.iter().map(|(path, edit)| (path.as_str(), *edit)).collect();
    Ok(folder(repo, base.as_ref(), edits, "")?.0)
}

/// The edits of one name in a folder.
#[derive(Default)]
struct Named<'e> {
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
    let mut names: BTreeMap<&str, Named<'_>> = BTreeMap::new();
    for (path, edit) in edits {
        match path.split_once('/') {
            Some((name, rest)) => names.entry(name).or_default().inside.push((rest, edit)),
            None => names.entry(path).or_default().file = Some(edit),
        }
    }
    let mut builder = repo.treebuilder(old).doing("reading a tree")?;
    for (name, Named { file, inside }) in names {
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
mod tests {
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
            let edits = |files: &Files| -> Edits {
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
                let mut change: Edits = from.keys().map(|path| (path.clone(), None)).collect();
                change.extend(edits(to));
                let base = builds(from);
                let id = edited(&repo, Some(base), &change).unwrap();
                // A file keeps its mode, so that libgit2's is asked for the same.
                let is_new = |path: &String| !from.contains_key(path);
                let modes_differ = to.keys().any(|path| !is_new(path) && from[path] != to[path]);
                prop_assert!(modes_differ || id == builds(to));
            }
            let absent: Edits = [("b/b/b/b".to_owned(), None), ("c".to_owned(), None)].into();
            prop_assert_eq!(edited(&repo, Some(id), &absent).unwrap(), id);
        }
    }

    #[test]
    fn a_file_keeps_its_mode_and_no_name_is_both_file_and_folder() {
        let home = tempfile::tempdir().unwrap();
        let repo = Repository::init_bare(home.path()).unwrap();
        let [plain, program, link] = blobs(&repo)[..] else { panic!() };
        let put = |path: &str, blob: Blob| -> Edits { [(path.to_owned(), Some(blob))].into() };
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
