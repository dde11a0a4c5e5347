//! Why operations are dropped.

use super::MAX_LIST;

/// Why an operation was dropped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The operation's name is not one of the five.
    #[error("`{0}` is not an operation (set, inc, add, remove, foreshadow)")]
    UnknownOp(String),
    /// The path has fewer than two or more than four segments.
    #[error("path `{path}` has {depth} segments instead of 2 to 4")]
    Depth {
        /// The path as given.
        path: String,
        /// Its segments.
        depth: usize,
    },
    /// The path starts outside the categories.
    #[error("path `{path}` does not start with a category of the state")]
    Category {
        /// The path as given.
        path: String,
    },
    /// A segment is not a slug; display names are not keys.
    #[error("path `{path}` has a segment that is not an id")]
    Key {
        /// The path as given.
        path: String,
    },
    /// The value does not suit the operation.
    #[error("the value at `{path}` does not fit: {reason}")]
    Value {
        /// The path as given.
        path: String,
        /// The mistake.
        reason: &'static str,
    },
    /// The value at the path is of another kind.
    #[error("`{path}` holds {found}, not {wanted}")]
    Mismatch {
        /// The path.
        path: String,
        /// The kind of what is there.
        found: &'static str,
        /// The kind the operation needs.
        wanted: &'static str,
    },
    /// `add` of something already in the list.
    #[error("`{path}` already has that entry")]
    AlreadyThere {
        /// The path.
        path: String,
    },
    /// `remove` of something not in the list.
    #[error("`{path}` has no such entry")]
    NotThere {
        /// The path.
        path: String,
    },
    /// A list would grow beyond [`MAX_LIST`].
    #[error("`{path}` already has {MAX_LIST} entries")]
    Full {
        /// The path.
        path: String,
    },
    /// The foreshadowing ledger says no.
    #[error(transparent)]
    Foreshadowing(#[from] crate::domain::volume::foreshadowing::Refusal),
}
