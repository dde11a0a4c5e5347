//! Things of the author's at places where the book is about to write: found before a model is asked, not after.

use super::repository::Book;
use crate::git::disk::system::is_writable;
use crate::store::prelude::*;
use std::fs;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Block {
    /// A file that git does not track.
    Untracked,
    /// A file of the last commit that the book does not count as a chapter, at the place of the next chapter's text.
    Committed,
    /// A symbolic link, at the place of a file.
    Link,
    /// A symbolic link, at the place of a folder.
    LinkedFolder,
    /// A file, at the place of a folder.
    File,
    /// A folder, at the place of a file.
    Folder,
    /// A folder in which nothing may be written.
    ReadOnly,
}

/// Something in the way of a file of the book.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Obstruction {
    /// Its path in the book: the file's own, or that of a folder above it. Empty for the book's folder itself.
    pub path: String,
    pub full: PathBuf,
    pub block: Block,
}

impl Book {
    /// Returns the obstructions to writing the files `paths`, each thing once, in order. Tracked files do not count: an
    /// edit of theirs is committed first.
    pub fn obstructions<'p>(&self, paths: impl IntoIterator<Item = &'p str>) -> Result<Vec<Obstruction>, StoreError> {
        let head = self.commit_tree(self.tip()?.oid())?;
        let mut found = Vec::new();
        for path in paths {
            let block = self.block_above(path).or_else(|| {
                let meta = fs::symlink_metadata(self.root.join(path)).ok()?;
                let block = if meta.is_symlink() {
                    Block::Link
                } else if meta.is_dir() {
                    Block::Folder
                } else if tree::blob_at(&head, path).is_none() {
                    Block::Untracked
                } else {
                    return None;
                };
                Some((path.to_owned(), block))
            });
            found.extend(block.map(|(path, block)| Obstruction { full: self.root.join(&path), path, block }));
        }
        found.sort();
        found.dedup();
        Ok(found)
    }

    /// The file that the last commit has at the place `path` of a text that is still to be written.
    pub fn committed_at(&self, path: &str) -> Result<Option<Obstruction>, StoreError> {
        let head = self.commit_tree(self.tip()?.oid())?;
        let found = Obstruction { path: path.to_owned(), full: self.root.join(path), block: Block::Committed };
        Ok(tree::blob_at(&head, path).map(|_| found))
    }

    /// The thing in place of a folder above `path`, or the folder there in which nothing may be written.
    fn block_above(&self, path: &str) -> Option<(String, Block)> {
        let mut last = String::new();
        for (at, _) in path.match_indices('/') {
            let folder = &path[..at];
            let Ok(meta) = fs::symlink_metadata(self.root.join(folder)) else { break };
            if meta.is_symlink() {
                return Some((folder.to_owned(), Block::LinkedFolder));
            } else if !meta.is_dir() {
                return Some((folder.to_owned(), Block::File));
            }
            last = folder.to_owned();
        }
        (!is_writable(&self.root.join(&last))).then_some((last, Block::ReadOnly))
    }
}
