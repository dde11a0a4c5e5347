//! The id of a commit: full for programs, short for people.

use crate::store::CommitId;
use serde::Serialize;
use std::fmt;

/// Digits for people, enough to be unique in a book.
const SHORT: usize = 10;

/// JSON has the id in full, `Display` shortened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Commit(String);

impl Commit {
    pub fn short(&self) -> &str {
        self.0.get(..SHORT).unwrap_or(&self.0)
    }
}

impl From<CommitId> for Commit {
    fn from(id: CommitId) -> Self {
        Self(id.to_string())
    }
}

impl From<String> for Commit {
    fn from(id: String) -> Self {
        Self(id)
    }
}

impl fmt::Display for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.short())
    }
}
