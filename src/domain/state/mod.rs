//! The facts that hold after a chapter, and the operations that are the only way to change them.
//!
//! The rules are those of the agent protocol, §10.6: five operations, paths of two to four segments under a short list
//! of categories, and a bad operation is dropped alone with a warning instead of spoiling the chapter.

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
pub use refusal::Refusal;

use super::named::named;
use serde_json::{Map, Value};

/// The longest text, in characters, that one state value may hold: the state goes into every prompt.
pub const MAX_TEXT: usize = 200;
/// The most entries that one list of the state may hold.
pub const MAX_LIST: usize = 64;
/// The limit of a relationship, `characters.<id>.relationships.<id>`, in both directions: from −100 (deadly enemies)
/// through 0 (strangers) to 100 (would die for each other). The examples of the formats chapter (50, −30) lie on it.
pub const MAX_RELATIONSHIP: i64 = 100;

named! {
    /// The top level of the state: everything an operation may touch lies below one of these.
    pub enum Category {
        /// Per character: place, mood, relationships, belongings.
        Characters = "characters",
        /// Things that matter.
        Items = "items",
        /// Places.
        Locations = "locations",
        /// Groups and powers.
        Factions = "factions",
        /// Time marker and ongoing events.
        WorldState = "world_state",
        /// Ids of what is planted and not yet resolved; changed by `foreshadow` operations only.
        ActiveForeshadowing = "active_foreshadowing",
    }
}

/// The story's state after a chapter.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Counts accepted chapters since the beginning: chapter N makes version N out of N−1.
    pub version: u32,
    /// The chapter that last changed it; 0 before the first.
    pub last_updated_chapter: u32,
    /// The categories that have content. Keys are those of [`Category`]; anything else an author adds is kept.
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
    /// The value at a dotted path, for display; `None` where there is nothing.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Value> {
        let mut segments = path.split('.');
        let mut value = self.tree.get(segments.next()?)?;
        for segment in segments {
            value = value.as_object()?.get(segment)?;
        }
        Some(value)
    }

    /// The entities of a category with their fields.
    pub fn entities(&self, category: Category) -> impl Iterator<Item = (&str, &Value)> {
        let map = self.tree.get(category.as_str()).and_then(Value::as_object);
        map.into_iter().flatten().map(|(id, fields)| (id.as_str(), fields))
    }

    /// An entity's display name, or its id where it has none.
    #[must_use]
    pub fn display_name<'a>(&'a self, category: Category, id: &'a str) -> &'a str {
        let entity = self.tree.get(category.as_str()).and_then(|entities| entities.get(id));
        entity.and_then(|fields| fields.get("display_name")).and_then(Value::as_str).unwrap_or(id)
    }
}

#[cfg(test)]
mod tests;
