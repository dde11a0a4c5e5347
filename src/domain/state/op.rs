//! Operations on the state, and the rules that do not depend on the state's content.

use super::path::StatePath;
use super::{Category, MAX_LIST, MAX_TEXT, Misfit, Refusal};
use crate::domain::Slug;
use crate::domain::volume::foreshadowing::{Action, ForeshadowOp};
use serde_json::{Number, Value};

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
}

/// An unchecked operation of a model or a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RawOp {
    /// `set`, `inc`, `add`, `remove` or `foreshadow`.
    pub op: String,
    /// A dotted path, or a foreshadowing's id.
    pub path: String,
    /// The value; for `foreshadow` the action.
    pub value: Value,
    /// For `foreshadow`: what happened.
    pub detail: Option<String>,
    /// For `planted`: `short`, `medium` or `long`.
    pub scope: Option<String>,
}

impl RawOp {
    /// Checks the operation's name, path and value, without the content of the state.
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

    fn foreshadow(&self) -> Result<ForeshadowOp, Refusal> {
        let id = Slug::new(self.path.trim()).map_err(|_| Refusal::Key { path: self.path.clone() })?;
        let unfit = |reason| Refusal::Value { path: self.path.clone(), reason };
        let action = self.value.as_str().and_then(|text| text.parse::<Action>().ok());
        let action = action.ok_or_else(|| unfit(Misfit::UnknownAction))?;
        let scope = self.scope.as_deref().map(str::parse).transpose().map_err(|_| unfit(Misfit::UnknownScope))?;
        let detail: String = self.detail.as_deref().unwrap_or_default().trim().chars().take(MAX_TEXT).collect();
        Ok(ForeshadowOp { id, action, detail, scope, target: None })
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
