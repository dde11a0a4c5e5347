//! The facts that hold after a chapter, and the operations that are the only way to change them.
//! The agent protocol, §10.6, has the rules: five operations, paths of two to four segments under a short list of
//! categories, and a bad operation is dropped alone with a warning.

use crate::domain::id::named;
use crate::domain::state::apply::within_range;
pub use crate::domain::state::apply::{Op, RawOp, StatePath, apply_op};
use crate::domain::volume::foreshadowing::{Action, Ledger, ThreadPlan};
use crate::domain::{ChapterNo, ContentId, Slug};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

mod apply;
pub mod cleanup;
pub mod history;

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
    /// A list would grow beyond [`MAX_LIST`](MAX_LIST).
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

/// In a file, the operations are raw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Delta<O = Op> {
    pub chapter: ChapterNo,
    /// The state version that the changes are based on.
    #[serde(rename = "base_state_version")]
    pub base_version: u32,
    #[serde(rename = "storyline_id")]
    pub storyline: Slug,
    /// The accepted operations, in order.
    pub ops: Vec<O>,
    /// Why the chapter changes nothing, when its operations were unreadable (agent protocol §10.6, rule 1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// Git's id of the chapter's file that the changes were read from; `None` before acceptance and in deltas of older
    /// versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<ContentId>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct DroppedOp {
    /// Index in the list as given.
    pub index: usize,
    pub path: String,
    pub reason: OpRefusal,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the delta of {chapter} was made for state {base}, but the book is at state {version}")]
pub struct WrongBase {
    pub chapter: ChapterNo,
    /// The state version that the delta is based on.
    pub base: u32,
    pub version: u32,
}

impl Delta {
    /// Applies `raw` in order to `state` and `ledger`, and splits it into valid and dropped operations.
    pub fn screen(
        chapter: ChapterNo,
        storyline: &Slug,
        raw: &[RawOp],
        state: &State,
        ledger: &Ledger,
    ) -> (Self, Vec<DroppedOp>) {
        let mut trial = (state.clone(), ledger.clone());
        let mut delta = Self {
            chapter,
            base_version: state.version,
            storyline: storyline.clone(),
            ops: Vec::new(),
            skipped: None,
            text: None,
        };
        let mut dropped = Vec::new();
        for (index, raw_op) in raw.iter().enumerate() {
            let applied = raw_op.check().and_then(|op| within_range(op, &trial.0)).and_then(|op| {
                apply_op(&mut trial.0, &mut trial.1, &op, chapter, storyline)?;
                Ok(op)
            });
            match applied {
                Ok(op) => delta.ops.push(op),
                Err(reason) => dropped.push(DroppedOp { index, path: raw_op.path.clone(), reason }),
            }
        }
        (delta, dropped)
    }

    /// Adds the planned scope and due range to the foreshadowings that the delta plants.
    #[must_use]
    pub fn as_planned(mut self, planned: &[ThreadPlan]) -> Self {
        for op in &mut self.ops {
            let Op::Foreshadow(op) = op else { continue };
            let plan = planned.iter().find(|planned| planned.id == op.id && op.action == Action::Planted);
            if let Some(plan) = plan {
                op.scope = Some(plan.scope);
                op.target = plan.target;
            }
        }
        self
    }

    /// A delta for unreadable operations, which changes only the version.
    pub fn skipping(chapter: ChapterNo, storyline: &Slug, state: &State, reason: &str) -> Self {
        Self {
            chapter,
            base_version: state.version,
            storyline: storyline.clone(),
            ops: Vec::new(),
            skipped: Some(reason.to_owned()),
            text: None,
        }
    }

    /// The state and the ledger after this chapter. An operation that no longer fits is dropped alone.
    pub fn merge(&self, state: &State, ledger: &Ledger) -> Result<Merged, WrongBase> {
        if self.base_version != state.version {
            return Err(WrongBase { chapter: self.chapter, base: self.base_version, version: state.version });
        }
        let (mut state, mut ledger) = (state.clone(), ledger.clone());
        let dropped = self.merge_into(&mut state, &mut ledger);
        Ok(Merged { state, ledger, dropped })
    }

    /// Applies the operations in place, whatever version the delta was made for, and returns those that did not fit.
    pub fn merge_into(&self, state: &mut State, ledger: &mut Ledger) -> Vec<DroppedOp> {
        let mut dropped = Vec::new();
        for (index, op) in self.ops.iter().enumerate() {
            if let Err(reason) = apply_op(state, ledger, op, self.chapter, &self.storyline) {
                dropped.push(DroppedOp { index, path: op.path_text(), reason });
            }
        }
        state.version += 1;
        state.last_updated_chapter = self.chapter.get();
        dropped
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    pub state: State,
    pub ledger: Ledger,
    pub dropped: Vec<DroppedOp>,
}
