//! Git's index of `staging/`: every file of the book, those that are not shown marked as not there on purpose.

use std::fs;
use std::path::{Path, PathBuf};

use git2::Tree;

use super::{Scope, Staging};
use crate::store::disk::backoff::Wait;
use crate::store::disk::files::WriteBehind;
use crate::store::disk::system;
use crate::store::error::{IoContext, Missing as _, StoreError, WriteError};
use crate::store::git::index::{IndexLock, IndexPlace, LockError};
use crate::store::git::index_diff;
use crate::store::git::index_file::{Checksum, Form, IndexFile, IndexPatch, Others};
use crate::store::git::tree::{self, Difference};

impl Staging<'_> {
    /// The index of the whole tree: files in `scope` as they are on disk, the others marked as not there on purpose.
    ///
    /// The author's index is the source of the entries, because walking the tree takes much longer; where the two differ the
    /// tree is right.
    pub(super) fn write_index(&self, tree: &Tree<'_>, scope: &Scope, theirs: &[String]) -> Result<(), StoreError> {
        let IndexPlace { path, outlines, .. } = &self.main_index;
        let main =
            IndexFile::open_by(outlines, path, |_| false, |_| ()).ok().flatten().unwrap_or_else(IndexFile::empty);
        let mut patch = IndexPatch::default();
        let known = main.trees.id.map(|id| self.repo.find_tree(id)).transpose().or_missing("reading a tree")?.flatten();
        match known {
            // The folders that the author's index notes to agree with a commit need not be compared entry by entry.
            Some(known) => {
                let differences = tree::differences(self.repo, Some(&known), Some(tree))?;
                differences.into_iter().for_each(|change| patch.hide(&change.path, change.new));
            }
            None => {
                let differences = index_diff::against_tree(self.repo, tree, &main)?;
                differences.into_iter().for_each(|(path, blob)| patch.hide(&path, blob));
            }
        }
        for (path, blob) in scope.files(self.repo, tree)? {
            patch.show(&path, blob, self.meta(&path, theirs).as_ref());
        }
        let written = self.write_aside(tree, (&main, &patch), Others::Hidden)?;
        self.put_index(&written)
    }

    /// The metadata that the index notes for the file at `path`; `None` for a file with the author's edits, so that
    /// git looks.
    fn meta(&self, path: &str, theirs: &[String]) -> Option<fs::Metadata> {
        if theirs.iter().any(|t| t == path) { None } else { fs::symlink_metadata(self.dir.join(path)).ok() }
    }

    /// Writes the index beside its place, and not synced: one that a power cut damages is built again from the branch.
    fn write_aside(
        &self,
        tree: &Tree<'_>,
        changed: (&IndexFile, &IndexPatch),
        others: Others,
    ) -> Result<PathBuf, StoreError> {
        // Short, since much of it is written for each chapter and little of it is read.
        let form = Form { others, is_short: true, checksum: Checksum::None };
        let path = self.inner.fresh()?;
        let written = fs::File::create(&path).map_err(WriteError::from);
        let written = written.and_then(|mut file| {
            let mut file = WriteBehind::new(&mut file);
            index_diff::write_patched(self.repo, tree, changed, form, &mut file)?;
            // Otherwise the next sync of everything would wait for it, with a model's answer in hand.
            file.begin_sync();
            Ok(())
        });
        written.map(|()| path.clone()).map_err(|error| {
            let _ = fs::remove_file(&path);
            error.at(&path)
        })
    }

    fn put_index(&self, written: &Path) -> Result<(), StoreError> {
        let path = self.admin.join("index");
        let placed = system::rename(written, &path);
        if placed.is_err() {
            let _ = fs::remove_file(written);
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
        let garbled = || StoreError::Damaged { what: "the index of staging/ cannot be read".to_owned() };
        let index = IndexFile::open(&path)?.ok_or_else(garbled)?;
        let mut patch = IndexPatch::default();
        for change in changes {
            match change.new {
                Some(blob) if scope.contains(&change.path) => {
                    patch.show(&change.path, blob, self.meta(&change.path, theirs).as_ref());
                }
                new => patch.hide(&change.path, new),
            }
        }
        let written = self.write_aside(tree, (&index, &patch), Others::Merged)?;
        // Windows keeps a file in its place that is open.
        drop(index);
        self.put_index(&written)?;
        Ok(true)
    }
}
