//! Git's index of the author's work tree: read, or made again where it is missing.

use crate::git::error::{GitContext, IoContext, StoreError};
use crate::git::index::IndexPlace;
use crate::git::{index_entries, tree, work_tree};
use crate::store::book::repository::Book;
use git2::{Index, Tree};
use std::fs;
use std::io::ErrorKind;

impl Book {
    /// True when git's index is missing, or empty after a power cut.
    pub(crate) fn lacks_index(&self) -> Result<bool, StoreError> {
        let path = self.index_path();
        match fs::metadata(&path) {
            Ok(meta) => Ok(meta.len() == 0),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
            Err(error) => Err(error).at("reading", &path),
        }
    }

    /// The author's index, and the places that its changing needs.
    pub(crate) fn index_place(&self) -> IndexPlace {
        IndexPlace { path: self.index_path(), root: self.root.clone(), temp: self.inner.clone() }
    }

    /// Git's index; when it is missing, an index of `head`.
    pub(crate) fn index_or_of(&self, head: &Tree<'_>) -> Result<Index, StoreError> {
        if self.lacks_index()? { self.index_of(head) } else { index_entries::open(&self.index_path()) }
    }

    /// An index of `head` under a temporary name, with the times of the files that are unchanged. It is written nowhere yet.
    pub(crate) fn index_of(&self, head: &Tree<'_>) -> Result<Index, StoreError> {
        const DOING: &str = "making git's index again";
        let mut index = index_entries::open(&self.inner.fresh()?)?;
        index.read_tree(head).doing(DOING)?;
        let mut blobs = Vec::new();
        tree::walk(&self.repo, head, "", &mut |path, blob| blobs.push((path.to_owned(), blob)))?;
        for (path, blob) in blobs {
            let Ok(meta) = fs::symlink_metadata(self.root.join(&path)) else { continue };
            if work_tree::look(&self.root, &path)?.is(Some(blob)) {
                index.add(&index_entries::entry(&path, blob, Some(&meta))).doing(DOING)?;
            }
        }
        Ok(index)
    }
}
