//! The book as of one commit, read from the object store: whatever the work tree looks like, a snapshot is whole.

use super::contents::{Contents, Shelves};
use crate::store::prelude::*;
use git2::{ObjectType, Tree};
use std::cell::OnceCell;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The last component of the path.
    pub name: String,
    pub is_dir: bool,
}

#[derive(Clone)]
pub struct Snapshot<'b> {
    repo: &'b Repository,
    shelves: &'b Shelves,
    commit: CommitId,
    tree: Tree<'b>,
    contents: OnceCell<Contents>,
}

impl<'b> Snapshot<'b> {
    pub(crate) fn new(repo: &'b Repository, shelves: &'b Shelves, commit: CommitId) -> Result<Self, StoreError> {
        let tree = tree::of_commit(repo, commit.oid())?;
        Ok(Self { repo, shelves, commit, tree, contents: OnceCell::new() })
    }

    /// A tree that no commit has, in place of the commit's own.
    pub(crate) fn with_tree(&self, tree: git2::Oid) -> Result<Self, StoreError> {
        let tree = self.repo.find_tree(tree).doing("reading a tree")?;
        Ok(Self { tree, contents: OnceCell::new(), ..*self })
    }

    pub fn commit_id(&self) -> CommitId {
        self.commit
    }

    /// The bytes of the file at `path`; `None` when there is no such file.
    pub fn read(&self, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        match tree::blob_at(&self.tree, path) {
            Some(blob) if blob.is_file() => {
                Ok(Some(self.repo.find_blob(blob.id).doing("reading a file of the book")?.content().to_vec()))
            }
            _ => Ok(None),
        }
    }

    /// True when there is a file at `path` whose content is in no pack and no object file.
    pub fn is_lost(&self, path: &str) -> bool {
        let is_there = |blob: tree::Blob| self.repo.odb().is_ok_and(|odb| odb.exists(blob.id));
        tree::blob_at(&self.tree, path).is_some_and(|blob| !is_there(blob))
    }

    pub fn has(&self, path: &str) -> bool {
        tree::blob_at(&self.tree, path).is_some()
    }

    pub fn is_link(&self, path: &str) -> bool {
        tree::blob_at(&self.tree, path).is_some_and(|blob| blob.mode == git2::FileMode::Link)
    }

    /// The names in the folder `dir` (`""` for the book itself), in order; empty when there is no such folder.
    pub fn list(&self, dir: &str) -> Result<Vec<Name>, StoreError> {
        let Some(tree) = self.folder(dir)? else { return Ok(Vec::new()) };
        let name = |e: git2::TreeEntry<'_>| {
            Some(Name { name: e.name().ok()?.to_owned(), is_dir: e.kind() == Some(ObjectType::Tree) })
        };
        let mut names: Vec<Name> = tree.iter().filter_map(name).collect();
        names.sort();
        Ok(names)
    }

    /// The paths of every file under the folder `dir`, in order.
    pub fn files(&self, dir: &str) -> Result<Vec<String>, StoreError> {
        let Some(folder) = self.folder(dir)? else { return Ok(Vec::new()) };
        let prefix = if dir.is_empty() { String::new() } else { format!("{}/", dir.trim_end_matches('/')) };
        let mut paths = Vec::new();
        tree::walk(self.repo, &folder, &prefix, &mut |path, _| paths.push(path.to_owned()))?;
        paths.sort();
        Ok(paths)
    }

    /// Shows `visit` each file whose path is wanted, in order of path, one after the other in memory. A link counts as an empty file.
    /// Fails when the object store cannot be read, and the first one of `visit`.
    pub fn read_all<E: From<StoreError>>(
        &self,
        wanted: impl Fn(&str) -> bool,
        mut visit: impl FnMut(&str, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut files = Vec::new();
        let mut keep = |path: &str, blob: tree::Blob| files.extend(wanted(path).then(|| (path.to_owned(), blob)));
        tree::walk(self.repo, &self.tree, "", &mut keep)?;
        files.sort_by(|(one, _), (other, _)| one.cmp(other));
        for (path, blob) in files {
            match blob.is_file() {
                true => visit(&path, self.repo.find_blob(blob.id).doing("reading a file of the book")?.content())?,
                false => visit(&path, &[])?,
            }
        }
        Ok(())
    }

    /// The paths whose content differs between `earlier` and this.
    pub fn changed_since(&self, earlier: &Snapshot<'_>) -> Result<Vec<String>, StoreError> {
        Ok(tree::differences(self.repo, Some(&earlier.tree), Some(&self.tree))?.into_iter().map(|d| d.path).collect())
    }

    /// The paths in the folders `names` at the top whose content differs between `earlier` and this; all of them where there
    /// is no earlier one.
    pub fn changed_in(&self, names: &[&str], earlier: Option<&Snapshot<'_>>) -> Result<Vec<String>, StoreError> {
        let mut paths = Vec::new();
        for name in names {
            match earlier {
                Some(earlier) => {
                    let differences = tree::differences_in(self.repo, name, &earlier.tree, &self.tree)?;
                    paths.extend(differences.into_iter().map(|difference| difference.path));
                }
                None => paths.extend(self.files(name)?),
            }
        }
        Ok(paths)
    }

    /// The chapters of this commit. Opens the folder of each volume that no snapshot of this book has read before, and no chapter.
    pub fn contents(&self) -> Result<&Contents, StoreError> {
        if let Some(known) = self.contents.get() {
            return Ok(known);
        }
        let read = self.shelves.contents(self.repo, &self.tree)?;
        Ok(self.contents.get_or_init(|| read))
    }

    pub(crate) fn repo(&self) -> &'b Repository {
        self.repo
    }

    pub(crate) fn tree(&self) -> &Tree<'b> {
        &self.tree
    }

    pub(super) fn folder(&self, dir: &str) -> Result<Option<Tree<'b>>, StoreError> {
        let dir = dir.trim_end_matches('/');
        if dir.is_empty() {
            return Ok(Some(self.tree.clone()));
        }
        let Some(entry) = self.tree.get_path(std::path::Path::new(dir)).or_missing("reading a folder of the book")?
        else {
            return Ok(None);
        };
        if entry.kind() != Some(ObjectType::Tree) {
            return Ok(None);
        }
        Ok(Some(self.repo.find_tree(entry.id()).doing("reading a folder of the book")?))
    }
}

impl std::fmt::Debug for Snapshot<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Snapshot({})", self.commit)
    }
}
