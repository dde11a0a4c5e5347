//! The results on a draft, one commit each.

use crate::git::commit_id::{CommitId, Moment};
use crate::git::error::{GitContext, StoreError};
use crate::store::book::commit_walk::Transaction;
use crate::store::book::repository::Book;
use crate::store::message::{Kind, Trailers};
use git2::Oid;

/// One result on a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageCommit {
    pub id: CommitId,
    /// Its own account of itself; without a kind it is the author's.
    pub trailers: Trailers,
    /// The first line of its message.
    pub subject: String,
    /// When it was made.
    pub time: Moment,
}

impl StageCommit {
    /// Whether the author made it, with git in `staging/` or by editing files there.
    pub fn is_authors(&self) -> bool {
        self.trailers.kind() != Some(Kind::Stage)
    }
}

/// The commits of the draft that ends with `tip`, the oldest first.
pub(super) fn records(book: &Book, tip: Oid) -> Result<Vec<StageCommit>, StoreError> {
    let base = book.base_of(tip)?;
    let mut found = Vec::new();
    let mut at = tip;
    while at != base {
        let commit = book.repo.find_commit(at).doing("reading a draft")?;
        let Transaction { id, trailers, subject, time, parent, .. } = Transaction::of(&commit);
        found.push(StageCommit { id, trailers, subject, time });
        match parent {
            Some(parent) => at = parent.oid(),
            None => break,
        }
    }
    found.reverse();
    Ok(found)
}
