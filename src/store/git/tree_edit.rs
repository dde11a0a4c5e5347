//! A new tree from an old one, without looking at the work tree. Entries that stay are copied as git stores them, and only
//! folders with edits are opened.

use std::borrow::Cow;
use std::collections::BTreeMap;

use git2::{FileMode, ObjectType, Oid};

use super::object_store::ObjectStore;
use super::raw_tree::{Entry, in_git_order};
use super::tree::Blob;
use crate::store::error::StoreError;

/// The change at each path of a tree: the blob to put there, or `None` to remove it.
pub(crate) type Edits = BTreeMap<String, Option<Blob>>;

/// Writes the tree `base`, or an empty one, with `edits`. Removing an absent path changes nothing; a file keeps the mode that
/// it had; a folder without files is left out.
/// Fails when an object cannot be read or written, and when a file and a folder would have the same name.
pub(crate) fn edited(store: &impl ObjectStore, base: Option<Oid>, edits: &Edits) -> Result<Oid, StoreError> {
    let old = base.map(|id| store.read(id)).transpose()?;
    let new = folder(store, old.as_deref().unwrap_or_default(), &Node::of(edits), "")?;
    match base.zip(old) {
        Some((id, old)) if *old == *new => Ok(id),
        _ => store.write(ObjectType::Tree, new),
    }
}

/// The edits of one name in a folder.
#[derive(Default)]
struct Node<'e> {
    name: &'e [u8],
    /// That of the name as a file.
    file: Option<&'e Option<Blob>>,
    /// Those of the names in it as a folder.
    inside: BTreeMap<&'e [u8], Node<'e>>,
}

impl<'e> Node<'e> {
    fn of(edits: &'e Edits) -> Self {
        let mut root = Self::default();
        for (path, edit) in edits {
            let node = path.split('/').map(str::as_bytes).fold(&mut root, |node, name| {
                node.inside.entry(name).or_insert_with(|| Self { name, ..Self::default() })
            });
            node.file = Some(edit);
        }
        root
    }
}

/// An entry of the new folder.
struct Line<'d> {
    name: &'d [u8],
    is_folder: bool,
    bytes: Cow<'d, [u8]>,
}

impl<'d> Line<'d> {
    fn new(name: &'d [u8], mode: FileMode, id: Oid) -> Self {
        let mut bytes = format!("{:o} ", i32::from(mode)).into_bytes();
        bytes.extend_from_slice(name);
        bytes.push(0);
        bytes.extend_from_slice(id.as_bytes());
        Self { name, is_folder: mode == FileMode::Tree, bytes: bytes.into() }
    }
}

/// An entry of the old folder, and its bytes.
type Old<'d> = (Entry<'d>, &'d [u8]);

fn kept<'d>((entry, bytes): &Old<'d>) -> Line<'d> {
    Line { name: entry.name, is_folder: entry.is_folder(), bytes: Cow::Borrowed(bytes) }
}

/// The bytes of the folder `old` at `path`, which is empty or ends with a slash, with the edits of `node`.
fn folder<'d>(store: &impl ObjectStore, old: &'d [u8], node: &Node<'d>, path: &str) -> Result<Vec<u8>, StoreError> {
    let mut edits: BTreeMap<&[u8], &Node<'d>> = node.inside.iter().map(|(name, node)| (*name, node)).collect();
    let (mut lines, mut rest) = (Vec::new(), old);
    while let Some((entry, after)) = Entry::first_of(rest) {
        let old = (entry, &rest[..rest.len() - after.len()]);
        match edits.remove(old.0.name) {
            Some(node) => lines.extend(changed(store, Some(&old), node, path)?),
            None => lines.push(kept(&old)),
        }
        rest = after;
    }
    if !rest.is_empty() {
        return Err(StoreError::Damaged { what: format!("the folder `{path}` is garbled") });
    }
    for node in edits.into_values() {
        lines.extend(changed(store, None, node, path)?);
    }
    lines.sort_by(|one, other| in_git_order((one.name, one.is_folder), (other.name, other.is_folder)));
    Ok(lines.iter().flat_map(|line| line.bytes.iter().copied()).collect())
}

/// The entry that comes of the edits of one name in the folder at `path`.
fn changed<'d>(
    store: &impl ObjectStore,
    old: Option<&Old<'d>>,
    node: &Node<'d>,
    path: &str,
) -> Result<Option<Line<'d>>, StoreError> {
    let name = node.name;
    let (old_folder, old_file) = (old.filter(|(old, _)| old.is_folder()), old.filter(|(old, _)| !old.is_folder()));
    let below = if node.inside.is_empty() {
        old_folder.map(kept)
    } else {
        let id = old_folder.and_then(|(old, _)| old.oid());
        let old = id.map(|id| store.read(id)).transpose()?;
        let path = format!("{path}{}/", String::from_utf8_lossy(name));
        let new = folder(store, old.as_deref().unwrap_or_default(), node, &path)?;
        match (id, old) {
            _ if new.is_empty() => None,
            (Some(id), Some(old)) if *old == *new => Some(Line::new(name, FileMode::Tree, id)),
            _ => Some(Line::new(name, FileMode::Tree, store.write(ObjectType::Tree, new)?)),
        }
    };
    let file = match node.file {
        None => old_file.map(kept),
        Some(None) => None,
        Some(Some(blob)) => match old_file.map(|old| (old, Blob { id: blob.id, mode: old.0.mode })) {
            Some((old, _)) if old.0.oid() == Some(blob.id) => Some(kept(old)),
            Some((_, kept)) if kept.is_file() && blob.is_file() => Some(Line::new(name, kept.mode, kept.id)),
            _ => Some(Line::new(name, blob.mode, blob.id)),
        },
    };
    if below.is_some() && file.is_some() {
        let name = String::from_utf8_lossy(name);
        return Err(StoreError::Damaged { what: format!("`{path}{name}` would be both a file and a folder") });
    }
    Ok(below.or(file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use git2::Repository;
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
