//! Git's index of `staging/`: every file of the book, those that are not shown marked as not there on purpose.

use std::fs;

use git2::Tree;

use super::{Scope, Staging};
use crate::store::disk::backoff::Wait;
use crate::store::disk::system;
use crate::store::error::{IoContext, StoreError};
use crate::store::git::index::{IndexLock, LockError};
use crate::store::git::index_diff;
use crate::store::git::index_file::{Checksum, IndexFile, IndexLine, IndexPatch, NewIndex, RawIndex};
use crate::store::git::tree::Difference;

impl Staging<'_> {
    /// The index of the whole tree: files in `scope` as they are on disk, the others marked as not there on purpose.
    ///
    /// The author's index is the source of the twenty-five thousand entries, because reading it takes a millisecond
    /// and walking the tree thirty; where the two differ the tree is right.
    pub(super) fn write_index(&self, tree: &Tree<'_>, scope: &Scope, theirs: &[String]) -> Result<(), StoreError> {
        let raw = RawIndex::new(fs::read(&self.main_index).unwrap_or_default());
        let mut main = IndexFile::parse(&raw).unwrap_or_default();
        let mut patch = IndexPatch::default();
        for (path, blob) in index_diff::against_tree(self.repo, tree, &main)? {
            patch.hide(&path, blob);
        }
        for (path, blob) in scope.files(self.repo, tree)? {
            patch.show(&path, blob, self.meta(&path, theirs).as_ref());
        }
        main.lines = main.lines.iter().filter(|l| l.stage() == 0).map(IndexLine::hidden).collect();
        self.put_index(&index_diff::patched(self.repo, tree, &main, &patch, Checksum::None)?)
    }

    /// The metadata that the index notes for the file at `path`; `None` for a file with the author's edits, so that
    /// git looks.
    fn meta(&self, path: &str, theirs: &[String]) -> Option<fs::Metadata> {
        if theirs.iter().any(|t| t == path) { None } else { fs::symlink_metadata(self.dir.join(path)).ok() }
    }

    fn put_index(&self, index: &NewIndex<'_>) -> Result<(), StoreError> {
        // Not synced: an index that a power cut damages is built again from the branch.
        let path = self.admin.join("index");
        let temp = self.inner.fresh()?;
        let written = fs::File::create(&temp).and_then(|mut file| index.write(&mut file));
        let placed = written.and_then(|()| system::rename(&temp, &path));
        if placed.is_err() {
            let _ = fs::remove_file(&temp);
        }
        placed.at("writing", &path)
    }

    /// Changes the entries of `changes`, which lead to `tree`. `false` when another git program has the index; it is
    /// brought up later then.
    pub(super) fn update_index(
        &self,
        tree: &Tree<'_>,
        changes: &[Difference],
        scope: &Scope,
        theirs: &[String],
    ) -> Result<bool, StoreError> {
        let path = self.admin.join("index");
        let quick = Wait::new(|_| ());
        let _lock = match IndexLock::take_with(&path, self.inner, &quick, &self.syncing()) {
            Ok(lock) => lock,
            Err(LockError::Busy(_)) => return Ok(false),
            Err(LockError::Store(e)) => return Err(e),
        };
        let raw = RawIndex::new(fs::read(&path).at("reading", &path)?);
        let garbled = || StoreError::Damaged { what: "the index of staging/ cannot be read".to_owned() };
        let mut index = IndexFile::parse(&raw).ok_or_else(garbled)?;
        index.lines.retain(|l| l.stage() == 0);
        let mut patch = IndexPatch::default();
        for change in changes {
            match change.new {
                Some(blob) if scope.contains(&change.path) => {
                    patch.show(&change.path, blob, self.meta(&change.path, theirs).as_ref());
                }
                new => patch.hide(&change.path, new),
            }
        }
        self.put_index(&index_diff::patched(self.repo, tree, &index, &patch, Checksum::None)?)?;
        Ok(true)
    }
}
