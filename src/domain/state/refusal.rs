//! Why operations are dropped.

/// Why an operation was dropped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The operation's name is not one of the five.
    #[error("unknown operation `{0}`")]
    UnknownOp(String),
    /// The path has fewer than two or more than four segments.
    #[error("{depth} segments: `{path}`")]
    Depth {
        /// The path as given.
        path: String,
        depth: usize,
    },
    /// The path starts outside the categories.
    #[error("no category: `{path}`")]
    Category {
        /// The path as given.
        path: String,
    },
    /// A segment is not a slug; display names are not keys.
    #[error("not an id: `{path}`")]
    Key {
        /// The path as given.
        path: String,
    },
    /// The value does not suit the operation.
    #[error("{reason}: `{path}`")]
    Value {
        /// The path as given.
        path: String,
        reason: &'static str,
    },
    /// The value at the path is of another kind.
    #[error("{found} instead of {wanted}: `{path}`")]
    Mismatch {
        path: String,
        /// The kind of what is there.
        found: &'static str,
        /// The kind the operation needs.
        wanted: &'static str,
    },
    /// `add` of something already in the list.
    #[error("entry there already: `{path}`")]
    AlreadyThere { path: String },
    /// `remove` of something not in the list.
    #[error("entry not there: `{path}`")]
    NotThere { path: String },
    /// A list would grow beyond [`MAX_LIST`](super::MAX_LIST).
    #[error("list full: `{path}`")]
    Full { path: String },
    /// The foreshadowing ledger says no.
    #[error(transparent)]
    Foreshadowing(#[from] crate::domain::volume::foreshadowing::Refusal),
}
