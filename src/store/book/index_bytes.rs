//! Git's index of the author's work tree: read, made again where it is missing, and brought up to date after the book was copied
//! or moved.

use super::session::Session;
use super::suspects::{Wanted, suspects};
use crate::git::disk::backoff::Wait;
use crate::git::disk::system::mtime;
use crate::git::error::{GitContext, IoContext, StoreError};
use crate::git::index::{HeldIndex, IndexPlace, LockError};
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

/// So many files that had to be read in vain say that the folder was copied or moved. Fewer cost less to read than the
/// index to write.
const COPIED: usize = 32;

impl Session<'_> {
    /// Notes in git's index the size, times and inode of every unchanged file, as `git status` does, when as many as
    /// `read_in_vain` files had other ones than the index says. Otherwise, and while another program holds the index,
    /// nothing is done: each look at the book is only slower.
    pub fn refresh_index(&self, read_in_vain: usize) -> Result<(), StoreError> {
        let book = self.book;
        if read_in_vain < COPIED || book.shows_another()? {
            return Ok(());
        }
        let at_once = Wait::new(|_| {});
        let held = match HeldIndex::take(book.index_place(), &at_once) {
            Ok(held) => held,
            Err(LockError::Busy(_)) => return Ok(()),
            Err(LockError::Store(e)) => return Err(e),
        };
        let mut index = held.edit()?;
        let written = fs::metadata(book.index_path()).map(|m| mtime(&m)).unwrap_or_default();
        let locked = index.locked_at();
        for path in suspects(&book.root, index.index(), written, Wanted::of(&|_| true)) {
            let Some(id) = index.get(&path) else { continue };
            let Ok(meta) = fs::symlink_metadata(book.root.join(&path)) else { continue };
            if mtime(&meta) < locked && work_tree::look(&book.root, &path)?.has(id, &meta) {
                index.note_figures(&path, &meta)?;
            }
        }
        index.save().map(drop)
    }
}
