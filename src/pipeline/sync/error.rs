//! Why a sync stops, or why a run does not begin.

use super::conflict::Conflicts;
use crate::store::{Lease, RemoteError};

/// A reason that has to do with the book's remote.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum SyncError {
    /// The remote could not be used.
    #[error(transparent)]
    Remote(#[from] RemoteError),
    /// Another device holds the lease.
    Leased(Box<Lease>),
    /// The remote has commits that this copy lacks, so that no chapter is written on top of the old ones.
    Behind { remote: String },
    /// Both lines have something that only the author can choose between.
    Diverged(Box<Conflicts>),
    /// The other line changes a link or another repository, which only git can merge.
    Special {
        path: String,
        /// The remote's branch, as git knows it.
        branch: String,
    },
}
