//! A worker: writes what a book's settings allow, with a sync around every chapter. Everything that it knows is in the book
//! and on the remote, so that it can be killed at any point and another one goes on.

use crate::pipeline::chapter;
use crate::pipeline::chapter::run::{Goal, Outcome};
use crate::pipeline::prelude::*;
use crate::pipeline::sync::conflict::SyncError;
use crate::pipeline::sync::exchange::{self, SyncRequest};
use crate::store::Lease;

/// So often a chapter is tried again because another copy has pushed in between.
const ATTEMPTS: u32 = 5;

/// Why a worker leaves a book.
#[derive(Debug, Clone, PartialEq)]
pub enum LeaveReason {
    /// So many chapters were asked for.
    Limit,
    /// A chapter waits for the author.
    Question,
    /// Nothing is planned beyond the last chapter, a review comes first, or the book has ended.
    NothingPlanned,
    /// Another copy holds the lease.
    Taken(Box<Lease>),
    /// The author has to choose between two lines.
    Diverged,
    /// Others push to it all the time.
    Crowded,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Worked {
    pub written: u32,
    pub left: LeaveReason,
}

/// Writes up to `most` chapters of the book (`None`: as far as it is planned), each synced before the next.
pub async fn write_and_sync(run: &Run<'_>, most: Option<u32>) -> Result<Worked, RunError> {
    let (mut written, mut behind) = (0, 0);
    loop {
        if !exchange::sync_with_remote(run, &SyncRequest::default())?.conflicts.is_empty() {
            return Ok(Worked { written, left: LeaveReason::Diverged });
        }
        if most.is_some_and(|most| written >= most) {
            return Ok(Worked { written, left: LeaveReason::Limit });
        }
        let left = match chapter::run::write_chapters(run, Goal::Count(1)).await {
            Ok(outcomes) if matches!(outcomes.last(), Some(Outcome::Paused { .. })) => LeaveReason::Question,
            Ok(_) => {
                (written, behind) = (written + 1, 0);
                continue;
            }
            Err(RunError::Sync(SyncError::Behind { .. })) if behind < ATTEMPTS => {
                behind += 1;
                continue;
            }
            Err(RunError::Sync(SyncError::Behind { .. })) => LeaveReason::Crowded,
            Err(RunError::Sync(SyncError::Leased(lease))) => {
                return Ok(Worked { written, left: LeaveReason::Taken(lease) });
            }
            Err(
                RunError::NotPlanned { .. }
                | RunError::NotReviewed(_)
                | RunError::PlanWaits { .. }
                | RunError::ChangesWait
                | RunError::Ended(_),
            ) => LeaveReason::NothingPlanned,
            Err(error) => {
                // The draft was paid for, and another worker can go on with it.
                let _ = exchange::sync_with_remote(run, &SyncRequest::default());
                return Err(error);
            }
        };
        exchange::sync_with_remote(run, &SyncRequest::default())?;
        return Ok(Worked { written, left });
    }
}
