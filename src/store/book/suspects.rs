//! Tracked files that may differ from what git noted of them, found by their figures alone.

use std::collections::BTreeSet;
use std::path::Path;

use crate::store::disk::system::{FileFigures, FileTime};
use crate::store::error::{IoContext as _, StoreError};
use crate::store::git::index_file::{Cursor, Entry, IndexFile, IndexLine};

/// Above so many entries two threads ask the system about files instead of one.
const MANY: u32 = 1024;

/// Which files are looked at.
#[derive(Clone, Copy)]
pub struct Wanted<'w> {
    quick: &'w (dyn Fn(&[u8]) -> bool + Sync),
    pub(super) folders: &'w (dyn Fn(&str) -> bool + Sync),
    wanted: &'w (dyn Fn(&str) -> bool + Sync),
}

impl<'w> Wanted<'w> {
    /// Those that `wanted` names. It is asked only of files that seem to have changed.
    #[must_use]
    pub fn of(wanted: &'w (dyn Fn(&str) -> bool + Sync)) -> Self {
        Self { quick: &|_| true, folders: &|_| true, wanted }
    }

    /// Of those only what `quick` names. It is asked of the path of every file of the book, to spare a look at the file.
    #[must_use]
    pub fn among(self, quick: &'w (dyn Fn(&[u8]) -> bool + Sync)) -> Self {
        Self { quick, ..self }
    }

    /// Of those only what is in folders that `folders` names, each with a slash at its end, as are those above it. Other folders
    /// are not even looked through.
    #[must_use]
    pub fn within(self, folders: &'w (dyn Fn(&str) -> bool + Sync)) -> Self {
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

impl std::fmt::Debug for Wanted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wanted")
    }
}

/// Tracked files that may differ from what git noted.
pub(super) fn suspects(
    root: &Path,
    index: &IndexFile,
    written: FileTime,
    wanted: Wanted<'_>,
) -> Result<BTreeSet<String>, StoreError> {
    Suspicion { root, written, wanted }.of_index(index)
}

/// A look at the files of a book for those that may differ from what git noted.
struct Suspicion<'w> {
    root: &'w Path,
    /// The time when the index was written.
    written: FileTime,
    wanted: Wanted<'w>,
}

impl<'w> Suspicion<'w> {
    fn figures(&self) -> Result<FileFigures, StoreError> {
        FileFigures::open(self.root).at("reading", self.root)
    }

    /// The path of a file that has to be looked at.
    fn path_of<'l>(&self, line: &IndexLine<'l>) -> Option<&'l str> {
        let is_file = !line.entry.is_ignored() && line.entry.mode() != 0o160_000;
        if is_file && (self.wanted.quick)(line.path) { std::str::from_utf8(line.path).ok() } else { None }
    }

    fn is_suspect(&self, figures: &mut FileFigures, path: &str, entry: &Entry) -> bool {
        let is_same = figures.of(path).is_some_and(|(size, mtime, inode)| {
            // A file written in the same tick as the index could have been written again since.
            let is_settled = mtime < self.written;
            let inode_fits = entry.ino() == 0 || inode == 0 || inode == entry.ino();
            entry.stage() == 0 && is_settled && size as u32 == entry.size() && mtime == entry.mtime() && inode_fits
        });
        !is_same && (self.wanted.wanted)(path)
    }

    fn of_index(&self, index: &IndexFile) -> Result<BTreeSet<String>, StoreError> {
        if index.count() < MANY {
            return Ok(self.among(index.lines())?.into_iter().collect());
        }
        let [first, second] = index.halves();
        std::thread::scope(|scope| {
            let other = scope.spawn(|| self.among(second));
            let mut all: BTreeSet<String> = self.among(first)?.into_iter().collect();
            let other = other.join();
            all.extend(other.map_err(|_| StoreError::Damaged { what: "looking at the files failed".to_owned() })??);
            Ok(all)
        })
    }

    fn among(&self, mut lines: Cursor<'_>) -> Result<Vec<String>, StoreError> {
        let (mut figures, mut found) = (self.figures()?, Vec::new());
        while let Some(line) = lines.line()? {
            let path = self.path_of(&line);
            let suspect = path.filter(|path| self.is_suspect(&mut figures, path, &line.entry.owned()));
            found.extend(suspect.map(str::to_owned));
            lines.advance();
        }
        Ok(found)
    }
}

/// The files that have to be looked at, gathered while the index is read for the first time; as long as they are few, which they are
/// before a chapter, it need not be read again.
pub(super) struct FewSuspects<'w> {
    suspicion: Suspicion<'w>,
    few: Vec<(String, Entry)>,
    /// How many have to be looked at.
    count: usize,
}

impl<'w> FewSuspects<'w> {
    pub(super) fn new(root: &'w Path, written: FileTime, wanted: Wanted<'w>) -> Self {
        Self { suspicion: Suspicion { root, written, wanted }, few: Vec::new(), count: 0 }
    }

    /// Takes in an entry of the index.
    pub(super) fn see(&mut self, line: &IndexLine<'_>) {
        let Some(path) = self.suspicion.path_of(line) else { return };
        self.count += 1;
        if self.count <= MANY as usize {
            self.few.push((path.to_owned(), line.entry.owned()));
        }
    }

    /// The suspects among them; of an index with many, among all of its entries.
    pub(super) fn or_all(self, index: &IndexFile) -> Result<BTreeSet<String>, StoreError> {
        if self.count > self.few.len() {
            return self.suspicion.of_index(index);
        }
        let mut figures = self.suspicion.figures()?;
        let suspects =
            self.few.into_iter().filter(|(path, entry)| self.suspicion.is_suspect(&mut figures, path, entry));
        Ok(suspects.map(|(path, _)| path).collect())
    }
}
