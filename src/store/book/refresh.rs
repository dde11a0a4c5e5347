//! Bringing the figures of unchanged files in git's index up to date after the book was copied or moved.

use std::fs;

use super::session::Session;
use super::suspects::{Wanted, suspects};
use crate::git::disk::backoff::Wait;
use crate::git::disk::system::mtime;
use crate::git::error::StoreError;

use crate::git::index::{HeldIndex, LockError};
use crate::git::work_tree;

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
