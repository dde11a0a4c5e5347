//! The choice that a sync has left to the author, by what this copy knows of the remote.

use super::conflict::Conflicts;
use super::merge;
use crate::pipeline::book::settings::config_now;
use crate::pipeline::engine::error::RunError;
use crate::store::{Book, Relation};

/// A choice between this copy and a remote.
#[derive(Debug, Clone, PartialEq)]
pub struct Undecided {
    pub remote: String,
    pub conflicts: Conflicts,
}

/// The choice that the last sync has left to the author; `None` where it left none, or the book is no longer as it was then.
/// Asks no remote, and reads only.
pub fn undecided(book: &Book) -> Result<Option<Undecided>, RunError> {
    // Most books have none, and `novel status` asks each time.
    if book.remotes()?.is_empty() {
        return Ok(None);
    }
    let Ok(remote) = book.remote(Some(&config_now(book)?.sync.remote)) else { return Ok(None) };
    let Some(theirs) = book.known_tip(&remote)? else { return Ok(None) };
    let ours = book.tip()?;
    let Relation::Diverged(base) = book.relation(ours, theirs)? else { return Ok(None) };
    let conflicts = merge::merge(book, [base, ours, theirs], None)?.conflicts;
    Ok((!conflicts.is_empty()).then(|| Undecided { remote: remote.to_string(), conflicts }))
}
