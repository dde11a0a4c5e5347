//! Drafts that have been closed.

use super::archive::{ARCHIVES, Archive};
use crate::domain::Work;
use crate::git::commit_id::CommitId;
use crate::git::error::StoreError;
use crate::git::refs::{self, KEPT};
use crate::store::book::repository::Book;
use git2::Oid;
use std::collections::BTreeMap;

/// A draft that was closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    pub work: Work,
    /// The ref that keeps it.
    pub kept: String,
    /// Files in `staging/` that were nowhere else, and are in that ref's last commit.
    pub salvaged: Vec<String>,
}

/// Returns the name of something kept by the ref that keeps it: `ch-003/1bb9dfc393` for
/// `refs/novel/kept/ch-003/1bb9dfc393`; `None` for any other ref.
pub fn kept_name(name: &str) -> Option<&str> {
    name.strip_prefix(KEPT)
}

/// Returns the ref that keeps something of that name.
pub fn kept_ref(name: &str) -> String {
    format!("{KEPT}{name}")
}

impl Book {
    /// Everything that is kept: the name of its ref below `refs/novel/kept/`, or the name that the ref of a draft had before it
    /// was gathered into the archive, with its last commit.
    pub fn kept_refs(&self) -> Result<Vec<(String, CommitId)>, StoreError> {
        let kept = self.kept_below("")?.into_iter();
        Ok(kept.map(|(name, tip)| (name, tip.into())).collect())
    }

    /// The same for the names that begin with `prefix`.
    pub(super) fn kept_below(&self, prefix: &str) -> Result<BTreeMap<String, Oid>, StoreError> {
        let mut kept = BTreeMap::new();
        // The refs first: a draft is in the archive before its ref goes.
        for (name, tip) in refs::listed(&self.repo, &format!("{KEPT}{prefix}"))? {
            if let Some(name) = kept_name(&name).filter(|_| !name.starts_with(ARCHIVES)) {
                kept.insert(name.to_owned(), tip);
            }
        }
        for (name, tip) in Archive::of_book(&self.repo)?.drafts {
            if name.starts_with(prefix) {
                kept.entry(name).or_insert(tip);
            }
        }
        Ok(kept)
    }

    /// The last commit of the kept thing of that name, which is that of its ref below `refs/novel/kept/`.
    pub fn kept_named(&self, name: &str) -> Result<Option<CommitId>, StoreError> {
        let whole = kept_ref(name);
        if !git2::Reference::is_valid_name(&whole) {
            return Ok(None);
        }
        let found = match refs::target(&self.repo, &whole)? {
            None => Archive::of_book(&self.repo)?.drafts.remove(name),
            found => found,
        };
        Ok(found.map(CommitId::from))
    }

    /// The kept drafts that are open no more, accepted or not, with the last commit of each.
    pub fn kept(&self) -> Result<Vec<(Work, CommitId)>, StoreError> {
        let work = |name: &str| name.split('/').next()?.parse().ok();
        Ok(self.kept_refs()?.into_iter().filter_map(|(name, tip)| Some((work(&name)?, tip))).collect())
    }
}
