use crate::domain::named::named;

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
    Value { path: String, reason: Misfit },
    /// The present value has another kind than the operation needs.
    #[error("{found} instead of {wanted}: `{path}`")]
    Mismatch { path: String, found: ValueKind, wanted: ValueKind },
    /// `add` of an entry already in the list.
    #[error("entry there already: `{path}`")]
    AlreadyThere { path: String },
    /// `remove` of an entry not in the list.
    #[error("entry not there: `{path}`")]
    NotThere { path: String },
    /// A list would grow beyond [`MAX_LIST`](super::MAX_LIST).
    #[error("list full: `{path}`")]
    Full { path: String },
    #[error(transparent)]
    Foreshadowing(#[from] crate::domain::volume::foreshadowing::Refusal),
}

named! {
    /// Why a value does not fit its operation.
    pub enum Misfit {
        OfForeshadowing = "foreshadowing changes by `foreshadow` operations only",
        NoNumber = "`inc` wants a number",
        NotPlain = "a list holds plain values only",
        UnknownAction = "a foreshadowing is `planted`, `advanced` or `resolved`",
        UnknownScope = "unknown scope",
        Missing = "there is no value",
        LongText = "the text is longer than 200 characters",
        LongList = "the list has more than 64 entries",
        DeepMap = "maps do not reach below the fourth level",
        KeyOfMap = "a key of the map is not an id",
        OutOfRange = "out of range",
        FarRelationship = "a relationship lies between -100 and 100",
        RelationshipAtLimit = "the relationship is at its limit",
    }
}

named! {
    pub enum ValueKind {
        Nothing = "nothing",
        Truth = "a truth value",
        Number = "a number",
        Text = "a text",
        List = "a list",
        Map = "a map",
        MapAbove = "a map above it",
    }
}
