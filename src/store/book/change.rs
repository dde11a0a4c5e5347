//! Changes of files, and the book with a change on top.

use crate::git::commit_id::CommitId;
use crate::git::error::{GitContext, StoreError};
use crate::git::tree::Blob;
use crate::git::tree_edit::{self, Edits};
use crate::store::book::repository::Book;
use crate::store::book::snapshot::Snapshot;
use crate::store::path::check_path;
use git2::{Oid, Repository};
use std::collections::{BTreeMap, BTreeSet};

/// Files to put and to remove.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// Path to bytes.
    pub puts: BTreeMap<String, Vec<u8>>,
    /// Paths; removing a path that is not there changes nothing.
    pub removes: BTreeSet<String>,
}

impl Change {
    /// Puts `bytes` at `path`.
    pub fn put(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.puts.insert(path.to_owned(), bytes.into());
        self
    }

    /// Removes `path`.
    pub fn remove(mut self, path: &str) -> Self {
        self.removes.insert(path.to_owned());
        self
    }

    /// The part of it that is about paths that `is_wanted` names.
    pub fn only(mut self, is_wanted: impl Fn(&str) -> bool) -> Self {
        self.puts.retain(|path, _| is_wanted(path));
        self.removes.retain(|path| is_wanted(path));
        self
    }

    /// Writes the bytes as objects. A path that is both put and removed is put.
    pub(crate) fn write(&self, repo: &Repository) -> Result<Edits, StoreError> {
        let mut edits: Edits = BTreeMap::new();
        for path in &self.removes {
            check_path(path)?;
            edits.insert(path.clone(), None);
        }
        for (path, bytes) in &self.puts {
            check_path(path)?;
            edits.insert(path.clone(), Some(Blob::file(repo.blob(bytes).doing("writing an object")?)));
        }
        Ok(edits)
    }
}

impl Book {
    /// A blob, in memory.
    pub(crate) fn blob(&self, bytes: &[u8]) -> Result<Oid, StoreError> {
        self.repo.blob(bytes).doing("writing an object")
    }

    /// Puts the commit `id` on the disk, with all that it needs, and returns it: no ref may name it before.
    pub(crate) fn settled(&self, id: Oid) -> Result<Oid, StoreError> {
        self.objects.settle(&self.repo, &self.inner, id)?;
        Ok(id)
    }

    /// The tree `base`, or an empty one, with `edits`, in memory.
    pub(crate) fn edited(&self, base: Option<Oid>, edits: &Edits) -> Result<Oid, StoreError> {
        tree_edit::edited(&self.repo, base, edits)
    }

    /// The book as of the accepted line with `change` on top. Nothing of it is written to disk.
    pub fn snapshot_with(&self, change: &Change) -> Result<Snapshot<'_>, StoreError> {
        self.snapshot_over(self.tip()?, change)
    }

    /// The book as of `commit` with `change` on top. Nothing of it is written to disk.
    pub fn snapshot_over(&self, commit: CommitId, change: &Change) -> Result<Snapshot<'_>, StoreError> {
        if *change == Change::default() {
            return self.snapshot_of(commit);
        }
        self.objects.forget(&self.repo)?;
        let snapshot = self.snapshot_of(commit)?;
        let tree = self.edited(Some(snapshot.tree().id()), &change.write(&self.repo)?)?;
        snapshot.with_tree(tree)
    }
}
