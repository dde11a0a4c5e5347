//! Why a sync stops, or why a run does not begin.

use super::conflict::Conflicts;
use crate::store::{Lease, RemoteError};

/// A reason that has to do with the book's remote.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// The remote could not be used.
    #[error(transparent)]
    Remote(#[from] RemoteError),
    /// Another device holds the lease.
    #[error("another device is writing: {}", .0.device)]
    Leased(Box<Lease>),
    /// The remote has commits that this copy lacks, so that no chapter is written on top of the old ones.
    #[error("the remote {remote} has commits that this copy lacks")]
    Behind { remote: String },
    /// Both lines have something that only the author can choose between.
    #[error("two devices have gone on in different ways")]
    Diverged(Box<Conflicts>),
    /// The other line changes a link or another repository, which only git can merge.
    #[error("`{path}` is no ordinary file")]
    Special {
        path: String,
        /// The remote's branch, as git knows it.
        branch: String,
    },
}
