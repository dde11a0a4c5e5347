//! What can go wrong below every operation of this room.

use std::io;
use std::path::{Path, PathBuf};

use super::files::TempArea;

/// A failure of git or of the file system that no caller can do more about than report.
///
/// Failures that a caller can act on have their own enums beside the operation that has them.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// libgit2 refused.
    #[error("git failed while {doing}")]
    Git {
        /// What was being done, as a phrase that follows "while".
        doing: &'static str,
        /// What libgit2 said.
        source: git2::Error,
    },
    /// The file system refused.
    #[error("failed while {doing} `{}`", path.display())]
    Io {
        /// What was being done, as a phrase that precedes a path.
        doing: &'static str,
        /// The file or folder concerned.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No space is left where the book lives. Nothing half-written stays behind.
    #[error("no space is left on the disk while {doing}")]
    DiskFull {
        /// What was being done.
        doing: &'static str,
    },
    /// A path that may not be in a book: absolute, leaving the folder, inside `.git` or `staging`, or not canonical.
    #[error("`{0}` is not a path of a book")]
    BadPath(String),
    /// The repository holds something else than it should.
    #[error("{what}")]
    Damaged {
        /// What was found, as a sentence fragment.
        what: String,
    },
}

impl StoreError {
    pub(crate) fn git(doing: &'static str, source: git2::Error) -> Self {
        // libgit2 keeps no error number; the words are English in a program that never calls `setlocale`.
        if source.message().contains("No space left") || source.message().contains("quota exceeded") {
            Self::DiskFull { doing }
        } else {
            Self::Git { doing, source }
        }
    }

    /// The same failure, once more with the question whether the disk is full: libgit2 often fails without saying
    /// why, so a file is written where it was writing.
    pub(crate) fn explained(self, temp: &TempArea) -> Self {
        match self {
            Self::Git { doing, .. } if matches!(temp.probe(), Err(Self::DiskFull { .. })) => Self::DiskFull { doing },
            other => other,
        }
    }

    pub(crate) fn io(doing: &'static str, path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { doing },
            _ => Self::Io { doing, path: path.to_owned(), source },
        }
    }

    /// Whether another process held the lock of a ref or of the index.
    pub(crate) fn is_locked(&self) -> bool {
        matches!(self, Self::Git { source, .. } if source.code() == git2::ErrorCode::Locked)
    }
}

/// Names what was being done when libgit2 failed.
pub(crate) trait GitContext<T> {
    fn doing(self, doing: &'static str) -> Result<T, StoreError>;
}

impl<T> GitContext<T> for Result<T, git2::Error> {
    fn doing(self, doing: &'static str) -> Result<T, StoreError> {
        self.map_err(|source| StoreError::git(doing, source))
    }
}

/// Names what was being done, and to which file, when the system failed.
pub(crate) trait IoContext<T> {
    fn at(self, doing: &'static str, path: &Path) -> Result<T, StoreError>;
}

impl<T> IoContext<T> for io::Result<T> {
    fn at(self, doing: &'static str, path: &Path) -> Result<T, StoreError> {
        self.map_err(|source| StoreError::io(doing, path, source))
    }
}

/// `Ok(None)` for "there is none", which libgit2 reports as an error.
pub(crate) trait Missing<T> {
    fn or_missing(self, doing: &'static str) -> Result<Option<T>, StoreError>;
}

impl<T> Missing<T> for Result<T, git2::Error> {
    fn or_missing(self, doing: &'static str) -> Result<Option<T>, StoreError> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(e) if e.code() == git2::ErrorCode::NotFound => Ok(None),
            Err(e) => Err(e).doing(doing),
        }
    }
}

impl<T> Missing<T> for io::Result<T> {
    fn or_missing(self, doing: &'static str) -> Result<Option<T>, StoreError> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
            Err(e) => Err(e).at(doing, Path::new("")),
        }
    }
}
