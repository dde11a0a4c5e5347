//! The facts that hold after a chapter, and the operations that are the only way to change them.
//! The agent protocol, §10.6, has the rules: five operations, paths of two to four segments under a short list of
//! categories, and a bad operation is dropped alone with a warning.

use crate::domain::id::named;
use serde_json::{Map, Value};

mod apply;
pub mod cleanup;
mod delta;
pub mod history;

pub use apply::{Op, RawOp, StatePath, apply_op};
pub use delta::{Delta, DroppedOp, Merged, WrongBase};

/// The longest text of a state value, in characters: the state goes into every prompt.
pub const MAX_TEXT: usize = 200;
/// The most entries of a list in the state.
pub const MAX_LIST: usize = 64;
/// The limit of a relationship, `characters.<id>.relationships.<id>`, in both directions: −100 (deadly enemies), 0
/// (strangers), 100 (would die for each other). The formats chapter's examples (50, −30) lie on this scale.
pub const MAX_RELATIONSHIP: i64 = 100;

named! {
    /// The top level of the state, above all operations.
    pub enum Category {
        /// Per character: place, mood, relationships, belongings.
        Characters = "characters",
        Items = "items",
        Locations = "locations",
        /// Groups and powers.
        Factions = "factions",
        /// Time marker and ongoing events.
        WorldState = "world_state",
        /// Ids of open foreshadowings; changed by `foreshadow` operations only.
        ActiveForeshadowing = "active_foreshadowing",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Counts accepted chapters: chapter N makes version N out of N−1.
    pub version: u32,
    /// The last chapter that changed the state; 0 before the first.
    pub last_updated_chapter: u32,
    /// Non-empty categories, by the names of [`Category`]; other keys of an author are kept.
    pub tree: Map<String, Value>,
}

impl Default for State {
    fn default() -> Self {
        let mut tree = Map::new();
        tree.insert(Category::Characters.as_str().into(), Value::Object(Map::new()));
        tree.insert(Category::WorldState.as_str().into(), Value::Object(Map::new()));
        tree.insert(Category::ActiveForeshadowing.as_str().into(), Value::Array(Vec::new()));
        Self { version: 0, last_updated_chapter: 0, tree }
    }
}

impl State {
    /// The value at a dotted path, for display.
    pub fn get(&self, path: &str) -> Option<&Value> {
        let mut segments = path.split('.');
        let mut value = self.tree.get(segments.next()?)?;
        for segment in segments {
            value = value.as_object()?.get(segment)?;
        }
        Some(value)
    }

    pub fn entities(&self, category: Category) -> impl Iterator<Item = (&str, &Value)> {
        let map = self.tree.get(category.as_str()).and_then(Value::as_object);
        map.into_iter().flatten().map(|(id, fields)| (id.as_str(), fields))
    }

    /// An entity's display name, or else its id.
    pub fn display_name<'a>(&'a self, category: Category, id: &'a str) -> &'a str {
        let entity = self.tree.get(category.as_str()).and_then(|entities| entities.get(id));
        entity.and_then(|fields| fields.get("display_name")).and_then(Value::as_str).unwrap_or(id)
    }
}

#[cfg(test)]
mod tests;

/// Why an operation was dropped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpRefusal {
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
    /// A list would grow beyond [`MAX_LIST`](crate::domain::state::MAX_LIST).
    #[error("list full: `{path}`")]
    Full { path: String },
    #[error(transparent)]
    Foreshadowing(#[from] crate::domain::volume::foreshadowing::ThreadRefusal),
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
