//! Drafts that have been closed.

use crate::domain::Work;

/// A draft that was closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    /// Its work.
    pub work: Work,
    /// The ref that keeps it.
    pub kept: String,
    /// Files in `staging/` that were nowhere else, and are in that ref's last commit.
    pub salvaged: Vec<String>,
}
