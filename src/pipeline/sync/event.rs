//! Events of a sync and of a lease.

use crate::pipeline::prelude::*;
use crate::store::Transfer;

/// Something that happened between this copy and the remote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyncEvent {
    /// The remote is asked.
    Connecting { remote: String },
    /// Git moves objects.
    Transfer(Transfer),
    /// A draft of another device goes on here.
    DraftTaken { work: Work },
    /// Two devices had continued the same draft: the one that had got further stays, and the other is kept.
    DraftKept {
        work: Work,
        /// The ref of the other.
        kept: String,
    },
    /// The remote refuses a ref for a reason of its own.
    Refused { name: String, reason: String },
    /// This copy holds the lease.
    Leased {
        work: Work,
        /// Until when, in seconds since 1970.
        until: i64,
        /// The device whose lease was over, or was taken.
        instead_of: Option<String>,
    },
    /// The lease stays until this copy is synced: something is written that the remote does not have.
    LeaseWaits,
    /// The remote is out of reach, and the run goes on without it.
    Alone { remote: String, said: Vec<String> },
}
