//! The facts that hold after a chapter, and the operations that are the only way to change them.
//!
//! The agent protocol, §10.6, has the rules: five operations, paths of two to four segments under a short list of
//! categories, and a bad operation is dropped alone with a warning.

mod apply;
pub mod cleanup;
mod delta;
pub mod history;
mod op;
mod path;
mod refusal;

pub use apply::apply_op;
pub use delta::{Delta, Dropped, Merged, WrongBase};
pub use op::{Op, RawOp};
pub use path::StatePath;
pub use refusal::{Misfit, Refusal, ValueKind};

use super::named::named;
use serde_json::{Map, Value};

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
