//! The files that are searched, and those that answer.

use crate::domain::ContentId;
use crate::git::error::StoreError;

/// A file that has something of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchMatch {
    pub path: String,
    /// The name of its document.
    pub document: String,
    /// BM25, the higher the better.
    pub score: f64,
    /// True when every word of the query stands in it as typed.
    pub is_literal: bool,
}

/// The answer of an index.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchMatches {
    /// The files that are wanted and have something of the query: first those that are known to have every word as typed, each in
    /// the order of their score, and of their paths where that is the same.
    pub files: Vec<SearchMatch>,
    /// True when more files may have every word as typed than are known to: so many have the terms that only the best were read.
    pub is_cut: bool,
}

/// The files that are searched, and how they are read.
pub trait SearchedFiles {
    /// The folders in which they are.
    fn folders(&self) -> &[&'static str];

    /// Returns the name of the document that a file is: its content and how it is read. `None` for a file that is not searched.
    fn document(&self, path: &str, content: ContentId) -> Option<String>;

    /// Returns the text of a document that is searched; `None` when the repository no longer has it. An index asks for those that
    /// it does not have yet, and for those in which words of a query may stand as typed.
    fn text(&self, path: &str, document: &str) -> Result<Option<String>, StoreError>;

    /// Returns whether the answer may have this file.
    fn is_wanted(&self, path: &str, document: &str) -> bool;

    /// Returns how many files are read at most in order to know whether words stand in them as typed.
    fn most_read(&self) -> usize;
}

/// Why an index cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum IndexError {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The repository no longer has a folder that the index was made from.
    #[error("the folder of the search index is gone")]
    Stale,
}

impl From<IndexError> for StoreError {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Store(error) => error,
            error => Self::Damaged { what: format!("the search index cannot be made: {error}") },
        }
    }
}
