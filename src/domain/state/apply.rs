//! Applying operations: each changes the state as a whole, or leaves it unchanged with a reason.

use super::op::Op;
use super::path::StatePath;
use super::{Category, MAX_LIST, MAX_RELATIONSHIP, Misfit, Refusal, State, ValueKind};
use crate::domain::volume::foreshadowing::{Action, Ledger};
use crate::domain::{ChapterNo, Slug};
use serde_json::{Map, Number, Value};

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
                *slot =
                    Value::Number(sum.ok_or(Refusal::Value { path: path.to_string(), reason: Misfit::OutOfRange })?);
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
                return Err(Refusal::Mismatch { path: path.to_string(), found, wanted: ValueKind::List });
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

fn mismatch(path: &StatePath, found: &Value, wanted: ValueKind) -> Refusal {
    Refusal::Mismatch { path: path.to_string(), found: kind_of(found), wanted }
}

/// Clamps a change of a relationship to its range. Only new operations are clamped; those of older books are replayed
/// unchanged.
pub(super) fn within_range(op: Op, state: &State) -> Result<Op, Refusal> {
    let limit = MAX_RELATIONSHIP;
    let unfit = |path: &StatePath, reason| Err(Refusal::Value { path: path.to_string(), reason });
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
        change: impl FnOnce(&mut Value) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let Some((last, above)) = path.keys().split_last() else {
            return Err(Refusal::Depth { path: path.to_string(), depth: 1 });
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
