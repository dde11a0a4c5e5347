//! Tracked files that may differ from what git noted of them, found by their figures alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use git2::{Index, IndexEntry};

use crate::git::disk::system::{FileTime, inode, mtime};
use crate::git::index_entries::{is_ignored, is_submodule, stage, time_of};

#[derive(Clone, Copy)]
pub struct Wanted<'w> {
    quick: &'w dyn Fn(&[u8]) -> bool,
    pub(super) folders: &'w dyn Fn(&str) -> bool,
    wanted: &'w dyn Fn(&str) -> bool,
}

impl<'w> Wanted<'w> {
    /// Those that `wanted` names. It is asked only of files that seem to have changed.
    pub fn of(wanted: &'w dyn Fn(&str) -> bool) -> Self {
        Self { quick: &|_| true, folders: &|_| true, wanted }
    }

    /// Of those only what `quick` names. It is asked of the path of every file of the book, to spare a look at the file.
    pub fn among(self, quick: &'w dyn Fn(&[u8]) -> bool) -> Self {
        Self { quick, ..self }
    }

    /// Of those only what is in folders that `folders` names, each with a slash at its end, as are those above it. Other folders
    /// are not even looked through.
    pub fn within(self, folders: &'w dyn Fn(&str) -> bool) -> Self {
        Self { folders, ..self }
    }

    pub(super) fn includes(&self, path: &str) -> bool {
        (self.quick)(path.as_bytes()) && self.may_be_in(path.as_bytes()) && (self.wanted)(path)
    }

    /// Whether anything may be wanted in a folder, which has a slash at its end; the same for the one that a file is in.
    pub(super) fn may_be_in(&self, folder: &[u8]) -> bool {
        let Ok(folder) = std::str::from_utf8(folder) else { return true };
        folder.match_indices('/').all(|(slash, _)| (self.folders)(&folder[..=slash]))
    }
}

/// Tracked files that may differ from what git noted in the index, which was written at `written`.
pub(super) fn suspects(root: &Path, index: &Index, written: FileTime, wanted: Wanted<'_>) -> BTreeSet<String> {
    let is_same = |entry: &IndexEntry, path: &str| {
        fs::symlink_metadata(root.join(path)).is_ok_and(|meta| {
            // A file written in the same tick as the index could have been written again since.
            let is_settled = mtime(&meta) < written;
            let inode_fits = entry.ino == 0 || inode(&meta) == 0 || inode(&meta) == entry.ino;
            let fits = meta.len() as u32 == entry.file_size && mtime(&meta) == time_of(entry);
            stage(entry) == 0 && is_settled && fits && inode_fits
        })
    };
    let of_files = index.iter().filter(|entry| !is_ignored(entry) && !is_submodule(entry));
    let paths =
        of_files.filter(|entry| (wanted.quick)(&entry.path) && wanted.may_be_in(&entry.path)).filter_map(|entry| {
            let path = std::str::from_utf8(&entry.path).ok()?;
            (!is_same(&entry, path) && (wanted.wanted)(path)).then(|| path.to_owned())
        });
    paths.collect()
}
