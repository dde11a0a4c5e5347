//! Drafts that have been closed.

use crate::domain::Work;
use crate::store::book::repository::Book;
use crate::store::error::StoreError;
use crate::store::git::commit_id::CommitId;
use crate::store::git::refs::{self, KEPT};

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

/// Returns the name of something kept by the ref that keeps it: `ch-003/1bb9dfc393` for
/// `refs/novel/kept/ch-003/1bb9dfc393`; `None` for any other ref.
#[must_use]
pub fn kept_name(name: &str) -> Option<&str> {
    name.strip_prefix(KEPT)
}

/// Returns the ref that keeps something of that name.
#[must_use]
pub fn kept_ref(name: &str) -> String {
    format!("{KEPT}{name}")
}

impl Book {
    /// Everything below `refs/novel/kept/`: the rest of each name, with its last commit.
    ///
    /// # Errors
    /// When the refs cannot be read.
    pub fn kept_refs(&self) -> Result<Vec<(String, CommitId)>, StoreError> {
        let kept = refs::listed(&self.repo, KEPT)?.into_iter();
        Ok(kept.filter_map(|(name, tip)| Some((kept_name(&name)?.to_owned(), tip.into()))).collect())
    }

    /// The kept drafts that are open no more, accepted or not, with the last commit of each.
    ///
    /// # Errors
    /// When the refs cannot be read.
    pub fn kept(&self) -> Result<Vec<(Work, CommitId)>, StoreError> {
        let work = |name: &str| name.split('/').next()?.parse().ok();
        Ok(self.kept_refs()?.into_iter().filter_map(|(name, tip)| Some((work(&name)?, tip))).collect())
    }
}
