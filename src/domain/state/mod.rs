//! What is true of the story after a chapter, and the operations that are the only way it changes.
//!
//! The rules are those of the agent protocol, §10.6: five operations, paths of two to four segments under a short list
//! of categories, and a bad operation is dropped alone with a warning instead of spoiling the chapter.

pub mod cleanup;
pub mod history;
mod refusal;

pub use refusal::Refusal;

use super::named::named;
use super::volume::foreshadowing::{Action, ForeshadowOp, Ledger, Planned};
use super::{ChapterNo, ContentId, Slug};
use serde_json::{Map, Number, Value};
use std::fmt;
use std::str::FromStr;

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

/// Where in the state an operation points: a category and one to three keys below it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatePath {
    category: Category,
    keys: Vec<Slug>,
}

impl StatePath {
    /// The category the path lies in.
    #[must_use]
    pub fn category(&self) -> Category {
        self.category
    }

    /// The keys below the category, one to three.
    #[must_use]
    pub fn keys(&self) -> &[Slug] {
        &self.keys
    }

    /// How many segments the path has, the category included: 2 to 4.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.keys.len() + 1
    }

    /// True for the path of a relationship between two people.
    #[must_use]
    pub fn is_relationship(&self) -> bool {
        self.category == Category::Characters && self.keys.len() == 3 && self.keys[1].as_str() == "relationships"
    }

    /// Whether one of the two paths lies on or below the other.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let shared = self.keys.len().min(other.keys.len());
        self.category == other.category && self.keys[..shared] == other.keys[..shared]
    }
}

impl fmt::Display for StatePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.category)?;
        self.keys.iter().try_for_each(|key| write!(f, ".{key}"))
    }
}

impl FromStr for StatePath {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let segments: Vec<&str> = text.trim().split('.').collect();
        if !(2..=4).contains(&segments.len()) {
            return Err(Refusal::Depth { path: text.to_owned(), depth: segments.len() });
        }
        let category = segments[0].parse().map_err(|_| Refusal::Category { path: text.to_owned() })?;
        let keys = segments[1..].iter().map(|key| Slug::new(key)).collect::<Result<_, _>>();
        let keys = keys.map_err(|_| Refusal::Key { path: text.to_owned() })?;
        Ok(Self { category, keys })
    }
}

/// One change of the state.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    /// Replaces the value at a path, making the maps above it where they are missing.
    Set {
        /// Where.
        path: StatePath,
        /// What stands there afterwards.
        value: Value,
    },
    /// Adds to a number; a missing number counts as 0.
    Inc {
        /// Where.
        path: StatePath,
        /// How much, possibly negative.
        by: Number,
    },
    /// Appends to a list; a missing list counts as empty.
    Add {
        /// Where.
        path: StatePath,
        /// What is appended.
        value: Value,
    },
    /// Takes one entry out of a list.
    Remove {
        /// Where.
        path: StatePath,
        /// What is taken out.
        value: Value,
    },
    /// Plants, advances or resolves a foreshadowing; its path is the foreshadowing's id.
    Foreshadow(ForeshadowOp),
}

/// An operation as a model or a file gives it, before any rule has been applied.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RawOp {
    /// `set`, `inc`, `add`, `remove` or `foreshadow`.
    pub op: String,
    /// A dotted path, or a foreshadowing's id.
    pub path: String,
    /// The value; for `foreshadow` the action.
    pub value: Value,
    /// Only for `foreshadow`: what happened.
    pub detail: Option<String>,
    /// Only for a `planted` foreshadowing: `short`, `medium` or `long`.
    pub scope: Option<String>,
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    }
}

/// Whether a value may stand `depth` segments deep: maps only down to the fourth level, lists only of plain values.
fn check_value(value: &Value, depth: usize) -> Result<(), &'static str> {
    match value {
        Value::Null => Err("there is no value"),
        Value::Bool(_) | Value::Number(_) => Ok(()),
        Value::String(text) if text.chars().count() > MAX_TEXT => Err("the text is longer than 200 characters"),
        Value::String(_) => Ok(()),
        Value::Array(list) if list.len() > MAX_LIST => Err("the list has more than 64 entries"),
        Value::Array(list) if list.iter().any(|v| matches!(v, Value::Array(_) | Value::Object(_) | Value::Null)) => {
            Err("a list holds plain values only")
        }
        Value::Array(list) => list.iter().try_for_each(|entry| check_value(entry, depth)),
        Value::Object(_) if depth >= 4 => Err("maps do not reach below the fourth level"),
        Value::Object(map) => map.iter().try_for_each(|(key, entry)| {
            Slug::new(key).map_err(|_| "a key of the map is not an id")?;
            check_value(entry, depth + 1)
        }),
    }
}

impl RawOp {
    /// Checks the operation's name, path and value. What the state holds does not matter yet.
    ///
    /// # Errors
    /// The [`Refusal`] to be shown beside the dropped operation.
    pub fn check(&self) -> Result<Op, Refusal> {
        let op = self.op.trim();
        if op == "foreshadow" {
            return Ok(Op::Foreshadow(self.foreshadow()?));
        }
        if !matches!(op, "set" | "inc" | "add" | "remove") {
            return Err(Refusal::UnknownOp(self.op.clone()));
        }
        let path: StatePath = self.path.parse()?;
        let unfit = |reason| Refusal::Value { path: path.to_string(), reason };
        if path.category == Category::ActiveForeshadowing {
            return Err(unfit("foreshadowing changes by `foreshadow` operations only"));
        }
        check_value(&self.value, path.depth()).map_err(unfit)?;
        let value = self.value.clone();
        match (op, value) {
            ("set", value) => Ok(Op::Set { path, value }),
            ("inc", Value::Number(by)) => Ok(Op::Inc { path, by }),
            ("inc", _) => Err(unfit("`inc` wants a number")),
            (_, Value::Array(_) | Value::Object(_)) => Err(unfit("a list entry is a plain value")),
            ("add", value) => Ok(Op::Add { path, value }),
            (_, value) => Ok(Op::Remove { path, value }),
        }
    }

    fn foreshadow(&self) -> Result<ForeshadowOp, Refusal> {
        let id = Slug::new(self.path.trim()).map_err(|_| Refusal::Key { path: self.path.clone() })?;
        let unfit = |reason| Refusal::Value { path: self.path.clone(), reason };
        let action = self.value.as_str().and_then(|text| text.parse::<Action>().ok());
        let action = action.ok_or_else(|| unfit("a foreshadowing is `planted`, `advanced` or `resolved`"))?;
        let scope = self.scope.as_deref().map(str::parse).transpose().map_err(|_| unfit("unknown scope"))?;
        let detail: String = self.detail.as_deref().unwrap_or_default().trim().chars().take(MAX_TEXT).collect();
        Ok(ForeshadowOp { id, action, detail, scope, target: None })
    }
}

/// The changes of one chapter.
#[derive(Debug, Clone, PartialEq)]
pub struct Delta {
    /// The chapter that made the changes.
    pub chapter: ChapterNo,
    /// The state version they were made for.
    pub base_version: u32,
    /// The storyline of the chapter.
    pub storyline: Slug,
    /// The changes, in order. Operations that were refused are not here.
    pub ops: Vec<Op>,
    /// Why the chapter changes nothing, when its operations could not be read (agent protocol §10.6, rule 1).
    pub skipped: Option<String>,
    /// The chapter's file that the changes were read from. `None` before the chapter is accepted, and in deltas of older versions.
    pub text: Option<ContentId>,
}

/// An operation that was left out, with the reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Dropped {
    /// Position in the list as given, from 0.
    pub index: usize,
    /// The path as given.
    pub path: String,
    /// Why.
    pub reason: Refusal,
}

/// The delta was made for another state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the delta of {chapter} was made for state {base}, but the book is at state {version}")]
pub struct WrongBase {
    /// The chapter of the delta.
    pub chapter: ChapterNo,
    /// What the delta was made for.
    pub base: u32,
    /// What the book is at.
    pub version: u32,
}

impl Delta {
    /// Keeps those of `raw` that pass every rule when applied in order to `state` and `ledger`, and tells the others.
    #[must_use]
    pub fn screen(
        chapter: ChapterNo,
        storyline: &Slug,
        raw: &[RawOp],
        state: &State,
        ledger: &Ledger,
    ) -> (Self, Vec<Dropped>) {
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
                Err(reason) => dropped.push(Dropped { index, path: raw_op.path.clone(), reason }),
            }
        }
        (delta, dropped)
    }

    /// The delta with what it plants as the volume has planned it: how far it reaches and when it is due.
    #[must_use]
    pub fn as_planned(mut self, planned: &[Planned]) -> Self {
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

    /// A delta that changes nothing but the version, because the chapter's operations could not be read.
    #[must_use]
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
    ///
    /// # Errors
    /// [`WrongBase`] when the delta was made for another state version.
    pub fn merge(&self, state: &State, ledger: &Ledger) -> Result<Merged, WrongBase> {
        if self.base_version != state.version {
            return Err(WrongBase { chapter: self.chapter, base: self.base_version, version: state.version });
        }
        let (mut state, mut ledger) = (state.clone(), ledger.clone());
        let dropped = self.merge_into(&mut state, &mut ledger);
        Ok(Merged { state, ledger, dropped })
    }

    /// Carries the operations out where they are, whatever version the delta was made for, and gives back what did not fit.
    pub fn merge_into(&self, state: &mut State, ledger: &mut Ledger) -> Vec<Dropped> {
        let mut dropped = Vec::new();
        for (index, op) in self.ops.iter().enumerate() {
            if let Err(reason) = apply_op(state, ledger, op, self.chapter, &self.storyline) {
                dropped.push(Dropped { index, path: op.path_text(), reason });
            }
        }
        state.version += 1;
        state.last_updated_chapter = self.chapter.get();
        dropped
    }
}

/// What a merge gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The state, one version on.
    pub state: State,
    /// The ledger after the chapter's foreshadowing.
    pub ledger: Ledger,
    /// What did not fit.
    pub dropped: Vec<Dropped>,
}

impl Op {
    /// The path or the foreshadowing id that the operation touches, as written in files.
    #[must_use]
    pub fn path_text(&self) -> String {
        match self {
            Self::Set { path, .. } | Self::Inc { path, .. } | Self::Add { path, .. } | Self::Remove { path, .. } => {
                path.to_string()
            }
            Self::Foreshadow(op) => op.id.to_string(),
        }
    }
}

/// Applies one operation, or leaves both untouched and says why.
///
/// # Errors
/// The [`Refusal`].
pub fn apply_op(
    state: &mut State,
    ledger: &mut Ledger,
    op: &Op,
    chapter: ChapterNo,
    storyline: &Slug,
) -> Result<(), Refusal> {
    match op {
        Op::Set { path, value } => state.with_slot(path, |slot| {
            *slot = value.clone();
            Ok(())
        }),
        Op::Inc { path, by } => state.with_slot(path, |slot| match slot {
            Value::Null => {
                *slot = Value::Number(by.clone());
                Ok(())
            }
            Value::Number(number) => {
                let sum = add_numbers(number, by);
                *slot = Value::Number(sum.ok_or(Refusal::Value { path: path.to_string(), reason: "out of range" })?);
                Ok(())
            }
            other => Err(mismatch(path, other, "a number")),
        }),
        Op::Add { path, value } => state.with_slot(path, |slot| {
            if slot.is_null() {
                *slot = Value::Array(Vec::new());
            }
            let found = kind_of(slot);
            let Value::Array(list) = slot else {
                return Err(Refusal::Mismatch { path: path.to_string(), found, wanted: "a list" });
            };
            if list.contains(value) {
                return Err(Refusal::AlreadyThere { path: path.to_string() });
            }
            if list.len() >= MAX_LIST {
                return Err(Refusal::Full { path: path.to_string() });
            }
            list.push(value.clone());
            Ok(())
        }),
        Op::Remove { path, value } => state.with_slot(path, |slot| {
            let not_there = || Refusal::NotThere { path: path.to_string() };
            match slot {
                Value::Null => Err(not_there()),
                Value::Array(list) => {
                    let at = list.iter().position(|entry| entry == value).ok_or_else(not_there)?;
                    list.remove(at);
                    Ok(())
                }
                other => Err(mismatch(path, other, "a list")),
            }
        }),
        Op::Foreshadow(op) => {
            ledger.apply(op, chapter, storyline)?;
            state.list_active(&op.id, op.action != Action::Resolved);
            Ok(())
        }
    }
}

fn mismatch(path: &StatePath, found: &Value, wanted: &'static str) -> Refusal {
    Refusal::Mismatch { path: path.to_string(), found: kind_of(found), wanted }
}

/// The operation with a relationship kept inside its range: a change that would leave it ends at the limit. Only new
/// operations are held to it; what an older book has accepted is replayed as it was.
fn within_range(op: Op, state: &State) -> Result<Op, Refusal> {
    let limit = MAX_RELATIONSHIP;
    let unfit = |path: &StatePath, reason| Err(Refusal::Value { path: path.to_string(), reason });
    match op {
        Op::Set { path, value: Value::Number(number) } if path.is_relationship() => {
            if number.as_f64().is_some_and(|value| value.abs() <= limit as f64) {
                return Ok(Op::Set { path, value: Value::Number(number) });
            }
            unfit(&path, "a relationship lies between -100 and 100")
        }
        Op::Inc { path, by } if path.is_relationship() => {
            let now = state.get(&path.to_string()).and_then(Value::as_number).cloned().unwrap_or_else(|| 0.into());
            let wanted = add_numbers(&now, &by).and_then(|sum| sum.as_f64()).unwrap_or_default();
            let reached = wanted.clamp(-limit as f64, limit as f64);
            if reached == wanted {
                return Ok(Op::Inc { path, by });
            }
            let end = if reached < 0.0 { -limit } else { limit };
            let room = match now.as_i64() {
                Some(now) => Some(Number::from(end - now)),
                None => now.as_f64().and_then(|now| Number::from_f64(reached - now)),
            };
            match room {
                // Never against the wanted direction: a value of an older book may lie beyond the limit already.
                Some(room) if room.as_f64().is_some_and(|room| room * by.as_f64().unwrap_or_default() > 0.0) => {
                    Ok(Op::Inc { path, by: room })
                }
                _ => unfit(&path, "the relationship is at its limit"),
            }
        }
        op => Ok(op),
    }
}

/// Whole numbers stay whole; anything that is not finite is refused.
fn add_numbers(a: &Number, b: &Number) -> Option<Number> {
    match (a.as_i64(), b.as_i64()) {
        (Some(a), Some(b)) => a.checked_add(b).map(Number::from),
        _ => Number::from_f64(a.as_f64()? + b.as_f64()?),
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

    /// Runs `change` on the value at `path` (`Null` where there is none). On refusal nothing has changed.
    fn with_slot(
        &mut self,
        path: &StatePath,
        change: impl FnOnce(&mut Value) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let Some((last, above)) = path.keys.split_last() else {
            return Err(Refusal::Depth { path: path.to_string(), depth: 1 });
        };
        // Look before building: the maps above are made only once the change is known to succeed.
        let mut current = self.tree.get(path.category.as_str());
        for key in above {
            match current {
                Some(Value::Object(map)) => current = map.get(key.as_str()),
                Some(other) => return Err(mismatch(path, other, "a map above it")),
                None => break,
            }
        }
        let mut slot = match current {
            Some(Value::Object(map)) => map.get(last.as_str()).cloned().unwrap_or(Value::Null),
            Some(other) => return Err(mismatch(path, other, "a map above it")),
            None => Value::Null,
        };
        change(&mut slot)?;
        let mut map = &mut self.tree;
        for key in std::iter::once(path.category.as_str()).chain(above.iter().map(Slug::as_str)) {
            let below = map.entry(key).or_insert_with(|| Value::Object(Map::new()));
            match below {
                Value::Object(next) => map = next,
                other => return Err(mismatch(path, other, "a map above it")),
            }
        }
        map.insert(last.as_str().to_owned(), slot);
        Ok(())
    }

    fn list_active(&mut self, id: &Slug, active: bool) {
        let list = self.tree.entry(Category::ActiveForeshadowing.as_str()).or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(ids) = list {
            ids.retain(|entry| entry.as_str() != Some(id.as_str()));
            if active {
                ids.push(Value::String(id.to_string()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn chapter(n: u32) -> ChapterNo {
        ChapterNo::new(n).unwrap()
    }

    fn line() -> Slug {
        Slug::new("main-arc").unwrap()
    }

    fn raw(op: &str, path: &str, value: Value) -> RawOp {
        RawOp { op: op.into(), path: path.into(), value, ..RawOp::default() }
    }

    fn apply_all(state: &State, ops: &[RawOp]) -> (State, Vec<Dropped>) {
        let (delta, dropped) = Delta::screen(chapter(state.version + 1), &line(), ops, state, &Ledger::default());
        (delta.merge(state, &Ledger::default()).unwrap().state, dropped)
    }

    #[test]
    fn a_relationship_stays_between_its_limits() {
        let path = "characters.a-qi.relationships.shen-du";
        let (state, dropped) = apply_all(
            &State::default(),
            &[
                raw("set", path, json!(95)),
                raw("inc", path, json!(10)),
                raw("inc", path, json!(1)),
                raw("set", path, json!(-101)),
                raw("inc", "characters.a-qi.relationships.old-zhang", json!(-400)),
                raw("inc", "characters.a-qi.coins", json!(4000)),
            ],
        );
        assert_eq!(state.get(path), Some(&json!(100)));
        assert_eq!(state.get("characters.a-qi.relationships.old-zhang"), Some(&json!(-100)));
        assert_eq!(state.get("characters.a-qi.coins"), Some(&json!(4000)), "other numbers have no range");
        assert_eq!(dropped.iter().map(|drop| drop.index).collect::<Vec<_>>(), [2, 3]);
        // A book from before the limit keeps its value and can come back from beyond it.
        let mut older = State::default();
        older.tree["characters"] = json!({"a-qi": {"relationships": {"shen-du": 140}}});
        let (state, dropped) = apply_all(&older, &[raw("inc", path, json!(5)), raw("inc", path, json!(-60))]);
        assert_eq!((state.get(path), dropped.len()), (Some(&json!(80)), 1));
    }

    #[test]
    fn the_example_of_the_formats_chapter_merges() {
        let before = apply_all(
            &State::default(),
            &[
                raw("set", "characters.lin-feng.location", json!("魔都")),
                raw("inc", "characters.lin-feng.relationships.chen-lao", json!(50)),
                raw("add", "characters.lin-feng.inventory", json!("破碎魔杖")),
            ],
        )
        .0;
        let (after, dropped) = apply_all(
            &before,
            &[
                raw("set", "characters.lin-feng.location", json!("幽暗森林")),
                raw("inc", "characters.lin-feng.relationships.chen-lao", json!(10)),
                raw("add", "characters.lin-feng.inventory", json!("密信")),
                raw("remove", "characters.lin-feng.inventory", json!("破碎魔杖")),
                raw("set", "world_state.time_marker", json!("第三年冬末")),
            ],
        );
        assert_eq!(dropped, []);
        assert_eq!(
            after.get("characters.lin-feng"),
            Some(&json!({"location": "幽暗森林", "relationships": {"chen-lao": 60}, "inventory": ["密信"]}))
        );
        assert_eq!((after.version, after.last_updated_chapter), (2, 2));
    }

    #[test]
    fn each_rule_drops_one_operation_and_says_why() {
        let (base, _) = apply_all(&State::default(), &[raw("set", "characters.lin-feng.location", json!("魔都"))]);
        let bad = [
            ("move", "characters.lin-feng.location", json!("x"), "is not an operation"),
            ("set", "characters", json!("x"), "1 segments"),
            ("set", "a.b.c.d.e", json!("x"), "5 segments"),
            ("set", "weather.today", json!("x"), "category"),
            ("set", "characters.林枫.location", json!("x"), "not an id"),
            ("set", "characters.lin-feng.mood", Value::Null, "no value"),
            ("inc", "characters.lin-feng.location", json!(1), "holds a text"),
            ("inc", "characters.lin-feng.age", json!("很多"), "wants a number"),
            ("add", "characters.lin-feng.location", json!("x"), "holds a text"),
            ("remove", "characters.lin-feng.inventory", json!("剑"), "no such entry"),
            ("set", "characters.lin-feng.location.room", json!("x"), "a map above it"),
            ("add", "active_foreshadowing.x", json!("x"), "foreshadow"),
            ("set", "world_state.note", json!("长".repeat(201)), "longer than 200"),
            ("foreshadow", "ancient_prophecy", json!("advanced"), "not planted"),
            ("foreshadow", "ancient_prophecy", json!("hinted"), "planted"),
        ];
        for (op, path, value, reason) in bad {
            let good = raw("set", "world_state.time_marker", json!("次日"));
            let (after, dropped) = apply_all(&base, &[raw(op, path, value), good]);
            assert_eq!(dropped.len(), 1, "{op} {path}");
            assert!(dropped[0].reason.to_string().contains(reason), "{op} {path}: {}", dropped[0].reason);
            assert_eq!(after.get("characters"), base.get("characters"), "{op} {path}");
            assert_eq!(after.get("world_state.time_marker"), Some(&json!("次日")), "{op} {path}");
        }
    }

    #[test]
    fn a_delta_for_another_version_is_not_merged() {
        let delta = Delta::skipping(chapter(1), &line(), &State::default(), "unreadable");
        let ahead = State { version: 3, ..State::default() };
        assert!(delta.merge(&ahead, &Ledger::default()).is_err());
    }

    #[test]
    fn the_active_list_follows_the_ledger() {
        let plant = raw("foreshadow", "old_map", json!("planted"));
        let resolve = raw("foreshadow", "old_map", json!("resolved"));
        let (delta, dropped) =
            Delta::screen(chapter(1), &line(), std::slice::from_ref(&plant), &State::default(), &Ledger::default());
        assert_eq!(dropped, []);
        let one = delta.merge(&State::default(), &Ledger::default()).unwrap();
        assert_eq!(one.state.get("active_foreshadowing"), Some(&json!(["old_map"])));
        let (delta, dropped) = Delta::screen(chapter(2), &line(), &[plant, resolve], &one.state, &one.ledger);
        assert_eq!(dropped.len(), 1, "planting twice is refused");
        let two = delta.merge(&one.state, &one.ledger).unwrap();
        assert_eq!(two.state.get("active_foreshadowing"), Some(&json!([])));
    }

    fn any_value() -> impl Strategy<Value = Value> {
        prop_oneof![
            any::<i32>().prop_map(|n| json!(n)),
            "[a-c一-三]{0,4}".prop_map(|s| json!(s)),
            Just(json!([])),
            Just(json!(["a"])),
            Just(json!({"name": "x"})),
            Just(Value::Null),
        ]
    }

    fn any_op() -> impl Strategy<Value = RawOp> {
        let name = prop::sample::select(vec!["set", "inc", "add", "remove", "foreshadow", "nonsense"]);
        let path = prop::sample::select(vec![
            "characters.a.x",
            "characters.a.y",
            "characters.a",
            "characters.b.x.k",
            "items.i.x",
            "world_state.t",
            "f1",
            "f2",
            "characters",
            "bad.path",
        ]);
        let action = prop::sample::select(vec!["planted", "advanced", "resolved"]);
        (name, path, any_value(), action).prop_map(|(op, path, value, action)| {
            let value = if op == "foreshadow" { json!(action) } else { value };
            raw(op, path, value)
        })
    }

    proptest! {
        #[test]
        fn a_refused_operation_changes_nothing(ops in prop::collection::vec(any_op(), 0..12)) {
            let (mut state, mut ledger) = (State::default(), Ledger::default());
            for op in ops.iter().filter_map(|op| op.check().ok()) {
                let before = (state.clone(), ledger.clone());
                if apply_op(&mut state, &mut ledger, &op, chapter(1), &line()).is_err() {
                    prop_assert_eq!((&state, &ledger), (&before.0, &before.1));
                }
            }
        }

        #[test]
        fn what_was_screened_merges_without_loss(ops in prop::collection::vec(any_op(), 0..12)) {
            let (delta, _) = Delta::screen(chapter(1), &line(), &ops, &State::default(), &Ledger::default());
            prop_assert_eq!(delta.merge(&State::default(), &Ledger::default()).unwrap().dropped, vec![]);
        }

        #[test]
        fn operations_on_disjoint_paths_commute(a in any_op(), b in any_op()) {
            let (Ok(a), Ok(b)) = (a.check(), b.check()) else { return Ok(()) };
            let disjoint = match (&a, &b) {
                (Op::Foreshadow(x), Op::Foreshadow(y)) => x.id != y.id,
                (Op::Foreshadow(_), _) | (_, Op::Foreshadow(_)) => true,
                _ => {
                    let (x, y): (StatePath, StatePath) = (a.path_text().parse().unwrap(), b.path_text().parse().unwrap());
                    !x.overlaps(&y)
                }
            };
            prop_assume!(disjoint);
            let run = |first: &Op, second: &Op| {
                let (mut state, mut ledger) = (State::default(), Ledger::default());
                let one = apply_op(&mut state, &mut ledger, first, chapter(1), &line());
                let two = apply_op(&mut state, &mut ledger, second, chapter(1), &line());
                let mut active = state.tree.remove("active_foreshadowing");
                if let Some(Value::Array(ids)) = &mut active {
                    ids.sort_by_key(Value::to_string);
                }
                (state, ledger, active, one.is_ok(), two.is_ok())
            };
            let (s1, l1, x1, a1, b1) = run(&a, &b);
            let (s2, l2, x2, b2, a2) = run(&b, &a);
            prop_assert_eq!((s1, l1.sorted(), x1, a1, b1), (s2, l2.sorted(), x2, a2, b2));
        }

        #[test]
        fn replaying_the_deltas_gives_the_state(chapters in prop::collection::vec(prop::collection::vec(any_op(), 0..6), 1..6)) {
            let (mut state, mut ledger) = (State::default(), Ledger::default());
            let mut deltas = Vec::new();
            for (n, ops) in chapters.iter().enumerate() {
                let (delta, _) = Delta::screen(chapter(n as u32 + 1), &line(), ops, &state, &ledger);
                let merged = delta.merge(&state, &ledger).unwrap();
                (state, ledger) = (merged.state, merged.ledger);
                deltas.push(delta);
            }
            let replayed = deltas.iter().fold((State::default(), Ledger::default()), |(s, l), delta| {
                let merged = delta.merge(&s, &l).unwrap();
                (merged.state, merged.ledger)
            });
            prop_assert_eq!(replayed, (state, ledger));
        }
    }
}
