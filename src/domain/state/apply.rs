//! Applying operations: each changes the state as a whole, or leaves it unchanged with a reason.
//! Operations on the state, and the rules that do not depend on the state's content.

use crate::domain::prelude::*;
use crate::domain::state::{Category, MAX_LIST, MAX_RELATIONSHIP, MAX_TEXT, Misfit, OpRefusal, State, ValueKind};
use crate::domain::volume::foreshadowing::{Action, ForeshadowOp, Ledger};
use serde_json::{Map, Number};

pub fn apply_op(
    state: &mut State,
    ledger: &mut Ledger,
    op: &Op,
    chapter: ChapterNo,
    storyline: &Slug,
) -> Result<(), OpRefusal> {
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
                *slot =
                    Value::Number(sum.ok_or(OpRefusal::Value { path: path.to_string(), reason: Misfit::OutOfRange })?);
                Ok(())
            }
            other => Err(mismatch(path, other, ValueKind::Number)),
        }),
        Op::Add { path, value } => state.with_slot(path, |slot| {
            if slot.is_null() {
                *slot = Value::Array(Vec::new());
            }
            let found = kind_of(slot);
            let Value::Array(list) = slot else {
                return Err(OpRefusal::Mismatch { path: path.to_string(), found, wanted: ValueKind::List });
            };
            if list.contains(value) {
                return Err(OpRefusal::AlreadyThere { path: path.to_string() });
            }
            if list.len() >= MAX_LIST {
                return Err(OpRefusal::Full { path: path.to_string() });
            }
            list.push(value.clone());
            Ok(())
        }),
        Op::Remove { path, value } => state.with_slot(path, |slot| {
            let not_there = || OpRefusal::NotThere { path: path.to_string() };
            match slot {
                Value::Null => Err(not_there()),
                Value::Array(list) => {
                    let at = list.iter().position(|entry| entry == value).ok_or_else(not_there)?;
                    list.remove(at);
                    Ok(())
                }
                other => Err(mismatch(path, other, ValueKind::List)),
            }
        }),
        Op::Foreshadow(op) => {
            ledger.apply(op, chapter, storyline)?;
            state.list_active(&op.id, op.action != Action::Resolved);
            Ok(())
        }
    }
}

fn kind_of(value: &Value) -> ValueKind {
    match value {
        Value::Null => ValueKind::Nothing,
        Value::Bool(_) => ValueKind::Truth,
        Value::Number(_) => ValueKind::Number,
        Value::String(_) => ValueKind::Text,
        Value::Array(_) => ValueKind::List,
        Value::Object(_) => ValueKind::Map,
    }
}

fn mismatch(path: &StatePath, found: &Value, wanted: ValueKind) -> OpRefusal {
    OpRefusal::Mismatch { path: path.to_string(), found: kind_of(found), wanted }
}

/// Clamps a change of a relationship to its range. Only new operations are clamped; those of older books are replayed
/// unchanged.
pub(super) fn within_range(op: Op, state: &State) -> Result<Op, OpRefusal> {
    let limit = MAX_RELATIONSHIP;
    let unfit = |path: &StatePath, reason| Err(OpRefusal::Value { path: path.to_string(), reason });
    match op {
        Op::Set { path, value: Value::Number(number) } if path.is_relationship() => {
            if number.as_f64().is_some_and(|value| value.abs() <= limit as f64) {
                return Ok(Op::Set { path, value: Value::Number(number) });
            }
            unfit(&path, Misfit::FarRelationship)
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
                // Never against the wanted direction: a value of an older book may already exceed the limit.
                Some(room) if room.as_f64().is_some_and(|room| room * by.as_f64().unwrap_or_default() > 0.0) => {
                    Ok(Op::Inc { path, by: room })
                }
                _ => unfit(&path, Misfit::RelationshipAtLimit),
            }
        }
        op => Ok(op),
    }
}

/// Whole numbers stay whole; results that are not finite are refused.
fn add_numbers(a: &Number, b: &Number) -> Option<Number> {
    match (a.as_i64(), b.as_i64()) {
        (Some(a), Some(b)) => a.checked_add(b).map(Number::from),
        _ => Number::from_f64(a.as_f64()? + b.as_f64()?),
    }
}

impl State {
    /// Runs `change` on the value at `path` (`Null` without one). A refusal changes nothing.
    fn with_slot(
        &mut self,
        path: &StatePath,
        change: impl FnOnce(&mut Value) -> Result<(), OpRefusal>,
    ) -> Result<(), OpRefusal> {
        let Some((last, above)) = path.keys().split_last() else {
            return Err(OpRefusal::Depth { path: path.to_string(), depth: 1 });
        };
        // The maps above are only created once the change is known to succeed.
        let mut current = self.tree.get(path.category().as_str());
        for key in above {
            match current {
                Some(Value::Object(map)) => current = map.get(key.as_str()),
                Some(other) => return Err(mismatch(path, other, ValueKind::MapAbove)),
                None => break,
            }
        }
        let mut slot = match current {
            Some(Value::Object(map)) => map.get(last.as_str()).cloned().unwrap_or(Value::Null),
            Some(other) => return Err(mismatch(path, other, ValueKind::MapAbove)),
            None => Value::Null,
        };
        change(&mut slot)?;
        let mut map = &mut self.tree;
        for key in std::iter::once(path.category().as_str()).chain(above.iter().map(Slug::as_str)) {
            let below = map.entry(key).or_insert_with(|| Value::Object(Map::new()));
            match below {
                Value::Object(next) => map = next,
                other => return Err(mismatch(path, other, ValueKind::MapAbove)),
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

#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    /// Replaces the value at a path, creating the maps above.
    Set { path: StatePath, value: Value },
    /// Adds to a number; a missing number counts as 0.
    Inc {
        path: StatePath,
        /// May be negative.
        by: Number,
    },
    /// Appends to a list; a missing list counts as empty.
    Add { path: StatePath, value: Value },
    /// Takes one entry out of a list.
    Remove { path: StatePath, value: Value },
    /// Plants, advances or resolves a foreshadowing; the path is its id.
    Foreshadow(ForeshadowOp),
}

impl Op {
    /// The path or the foreshadowing id, as written in files.
    pub fn path_text(&self) -> String {
        match self {
            Self::Set { path, .. } | Self::Inc { path, .. } | Self::Add { path, .. } | Self::Remove { path, .. } => {
                path.to_string()
            }
            Self::Foreshadow(op) => op.id.to_string(),
        }
    }

    /// The operation as it stands in a file.
    pub fn raw(&self) -> RawOp {
        let plain = |op: &str, value: Value| RawOp { op: op.into(), path: self.path_text(), value, ..RawOp::default() };
        match self {
            Self::Set { value, .. } => plain("set", value.clone()),
            Self::Inc { by, .. } => plain("inc", Value::Number(by.clone())),
            Self::Add { value, .. } => plain("add", value.clone()),
            Self::Remove { value, .. } => plain("remove", value.clone()),
            Self::Foreshadow(ForeshadowOp { action, detail, scope, target, .. }) => RawOp {
                detail: (!detail.is_empty()).then(|| detail.clone()),
                scope: scope.map(|scope| scope.as_str().to_owned()),
                target: *target,
                ..plain("foreshadow", action.as_str().into())
            },
        }
    }
}

/// An unchecked operation of a model or a file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RawOp {
    /// `set`, `inc`, `add`, `remove` or `foreshadow`.
    pub op: String,
    /// A dotted path, or a foreshadowing's id.
    pub path: String,
    /// The value; for `foreshadow` the action.
    pub value: Value,
    /// For `foreshadow`: what happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// For `planted`: `short`, `medium` or `long`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// For `planted` as planned: the first and last chapter of the resolution. No model says it.
    #[serde(rename = "target_resolve_range", default, skip_serializing_if = "Option::is_none")]
    pub target: Option<(u32, u32)>,
}

impl RawOp {
    /// Checks the operation's name, path and value, without the content of the state.
    pub fn check(&self) -> Result<Op, OpRefusal> {
        let op = self.op.trim();
        if op == "foreshadow" {
            return Ok(Op::Foreshadow(self.foreshadow()?));
        }
        if !matches!(op, "set" | "inc" | "add" | "remove") {
            return Err(OpRefusal::UnknownOp(self.op.clone()));
        }
        let path: StatePath = self.path.parse()?;
        let unfit = |reason| OpRefusal::Value { path: path.to_string(), reason };
        if path.category() == Category::ActiveForeshadowing {
            return Err(unfit(Misfit::OfForeshadowing));
        }
        check_value(&self.value, path.depth()).map_err(unfit)?;
        let value = self.value.clone();
        match (op, value) {
            ("set", value) => Ok(Op::Set { path, value }),
            ("inc", Value::Number(by)) => Ok(Op::Inc { path, by }),
            ("inc", _) => Err(unfit(Misfit::NoNumber)),
            (_, Value::Array(_) | Value::Object(_)) => Err(unfit(Misfit::NotPlain)),
            ("add", value) => Ok(Op::Add { path, value }),
            (_, value) => Ok(Op::Remove { path, value }),
        }
    }

    fn foreshadow(&self) -> Result<ForeshadowOp, OpRefusal> {
        let id = Slug::new(self.path.trim()).map_err(|_| OpRefusal::Key { path: self.path.clone() })?;
        let unfit = |reason| OpRefusal::Value { path: self.path.clone(), reason };
        let action = self.value.as_str().and_then(|text| text.parse::<Action>().ok());
        let action = action.ok_or_else(|| unfit(Misfit::UnknownAction))?;
        let scope = self.scope.as_deref().map(str::parse).transpose().map_err(|_| unfit(Misfit::UnknownScope))?;
        let detail: String = self.detail.as_deref().unwrap_or_default().trim().chars().take(MAX_TEXT).collect();
        Ok(ForeshadowOp { id, action, detail, scope, target: self.target })
    }
}

/// True when a value may stand `depth` segments deep: maps only down to the fourth level, lists only of plain values.
fn check_value(value: &Value, depth: usize) -> Result<(), Misfit> {
    match value {
        Value::Null => Err(Misfit::Missing),
        Value::Bool(_) | Value::Number(_) => Ok(()),
        Value::String(text) if text.chars().count() > MAX_TEXT => Err(Misfit::LongText),
        Value::String(_) => Ok(()),
        Value::Array(list) if list.len() > MAX_LIST => Err(Misfit::LongList),
        Value::Array(list) if list.iter().any(|v| matches!(v, Value::Array(_) | Value::Object(_) | Value::Null)) => {
            Err(Misfit::NotPlain)
        }
        Value::Array(list) => list.iter().try_for_each(|entry| check_value(entry, depth)),
        Value::Object(_) if depth >= 4 => Err(Misfit::DeepMap),
        Value::Object(map) => map.iter().try_for_each(|(key, entry)| {
            Slug::new(key).map_err(|_| Misfit::KeyOfMap)?;
            check_value(entry, depth + 1)
        }),
    }
}

/// The place of an operation in the state: a category and one to three keys below.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatePath {
    category: Category,
    keys: Vec<Slug>,
}

impl StatePath {
    pub fn category(&self) -> Category {
        self.category
    }

    /// One to three keys below the category.
    pub fn keys(&self) -> &[Slug] {
        &self.keys
    }

    /// The number of segments with the category: 2 to 4.
    pub fn depth(&self) -> usize {
        self.keys.len() + 1
    }

    /// True for the path of a relationship between two people.
    pub fn is_relationship(&self) -> bool {
        self.category == Category::Characters && self.keys.len() == 3 && self.keys[1].as_str() == "relationships"
    }
}

impl fmt::Display for StatePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.category)?;
        self.keys.iter().try_for_each(|key| write!(f, ".{key}"))
    }
}

impl FromStr for StatePath {
    type Err = OpRefusal;

    fn from_str(text: &str) -> Result<Self, OpRefusal> {
        let segments: Vec<&str> = text.trim().split('.').collect();
        if !(2..=4).contains(&segments.len()) {
            return Err(OpRefusal::Depth { path: text.to_owned(), depth: segments.len() });
        }
        let category = segments[0].parse().map_err(|_| OpRefusal::Category { path: text.to_owned() })?;
        let keys = segments[1..].iter().map(|key| Slug::new(key)).collect::<Result<_, _>>();
        let keys = keys.map_err(|_| OpRefusal::Key { path: text.to_owned() })?;
        Ok(Self { category, keys })
    }
}
