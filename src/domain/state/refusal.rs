/// Why an operation was dropped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The operation's name is not one of the five.
    #[error("unknown operation `{0}`")]
    UnknownOp(String),
    /// The path has fewer than two or more than four segments.
    #[error("{depth} segments: `{path}`")]
    Depth { path: String, depth: usize },
    /// The path starts outside the categories.
    #[error("no category: `{path}`")]
    Category { path: String },
    /// A segment is not a slug; display names are not keys.
    #[error("not an id: `{path}`")]
    Key { path: String },
    /// The value does not fit the operation.
    #[error("{reason}: `{path}`")]
    Value { path: String, reason: &'static str },
    /// The present value has another kind than the operation needs.
    #[error("{found} instead of {wanted}: `{path}`")]
    Mismatch { path: String, found: &'static str, wanted: &'static str },
    /// `add` of an entry already in the list.
    #[error("entry there already: `{path}`")]
    AlreadyThere { path: String },
    /// `remove` of an entry not in the list.
    #[error("entry not there: `{path}`")]
    NotThere { path: String },
    /// A list would grow beyond [`MAX_LIST`](super::MAX_LIST).
    #[error("list full: `{path}`")]
    Full { path: String },
    /// The foreshadowing ledger refuses.
    #[error(transparent)]
    Foreshadowing(#[from] crate::domain::volume::foreshadowing::Refusal),
}
