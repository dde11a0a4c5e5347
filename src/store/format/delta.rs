//! `state/deltas/vol-01/chapter-001-delta.json`: a chapter's changes, replayed without a model.

use super::json::{self, Disk};
use super::{At, FormatError, Mistake, Problem};
use crate::domain::state::{Delta, Op, RawOp};
use crate::domain::volume::foreshadowing::ForeshadowOp;
use crate::domain::{ChapterNo, ContentId, Slug};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Serialize, Deserialize)]
struct DeltaDisk {
    chapter: ChapterNo,
    base_state_version: u32,
    storyline_id: Slug,
    ops: Vec<OpDisk>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skipped: Option<String>,
    /// Git's id of the chapter's file that the operations were read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<ContentId>,
}

#[derive(Serialize, Deserialize)]
struct OpDisk {
    op: String,
    path: String,
    value: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
    /// The chapters of the resolution of a planting as planned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target_resolve_range: Option<(u32, u32)>,
}

impl Disk for DeltaDisk {}

/// The operations were checked when the delta was made, so an invalid one is a mistake in the file, named as `ops.3`.
pub fn read(bytes: &[u8]) -> Result<Delta, FormatError> {
    let disk: DeltaDisk = json::read(bytes)?;
    let check = |(index, op): (usize, OpDisk)| {
        let target = op.target_resolve_range;
        let raw = RawOp { op: op.op, path: op.path, value: op.value, detail: op.detail, scope: op.scope };
        let op = raw.check().map_err(|refusal| FormatError {
            at: At::Key(format!("ops.{index}")),
            problem: Problem::Value(Mistake::Operation(refusal)),
        })?;
        Ok(match op {
            Op::Foreshadow(op) => Op::Foreshadow(ForeshadowOp { target, ..op }),
            other => other,
        })
    };
    Ok(Delta {
        chapter: disk.chapter,
        base_version: disk.base_state_version,
        storyline: disk.storyline_id,
        ops: disk.ops.into_iter().enumerate().map(check).collect::<Result<_, _>>()?,
        skipped: disk.skipped,
        text: disk.text,
    })
}

pub fn write(delta: &Delta, previous: Option<&[u8]>) -> Vec<u8> {
    json::write(&DeltaDisk::from(delta), previous)
}

/// The delta in one line without a line break, readable by [`read`].
pub fn write_line(delta: &Delta) -> String {
    json::line(&DeltaDisk::from(delta))
}

impl From<&Delta> for DeltaDisk {
    fn from(delta: &Delta) -> Self {
        Self {
            chapter: delta.chapter,
            base_state_version: delta.base_version,
            storyline_id: delta.storyline.clone(),
            ops: delta.ops.iter().map(OpDisk::from).collect(),
            skipped: delta.skipped.clone(),
            text: delta.text.clone(),
        }
    }
}

impl From<&Op> for OpDisk {
    fn from(op: &Op) -> Self {
        let plain = |name: &str, value: &Value| Self {
            op: name.into(),
            path: op.path_text(),
            value: value.clone(),
            detail: None,
            scope: None,
            target_resolve_range: None,
        };
        match op {
            Op::Set { value, .. } => plain("set", value),
            Op::Inc { by, .. } => plain("inc", &Value::Number(by.clone())),
            Op::Add { value, .. } => plain("add", value),
            Op::Remove { value, .. } => plain("remove", value),
            Op::Foreshadow(ForeshadowOp { action, detail, scope, target, .. }) => Self {
                target_resolve_range: *target,
                detail: (!detail.is_empty()).then(|| detail.clone()),
                scope: scope.map(|scope| scope.as_str().to_owned()),
                ..plain("foreshadow", &action.as_str().into())
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::state::Refusal;
    use crate::store::format::samples;
    use proptest::prelude::*;

    #[test]
    fn an_operation_that_breaks_a_rule_is_named() {
        let text = r#"{"chapter": 3, "base_state_version": 2, "storyline_id": "main-arc", "ops": [
            {"op": "set", "path": "characters.shen-du.location", "value": "渡口"},
            {"op": "set", "path": "weather.today", "value": "雨"}]}"#;
        let error = read(text.as_bytes()).unwrap_err();
        assert_eq!(error.at, At::Key("ops.1".into()));
        let refusal = Refusal::Category { path: "weather.today".into() };
        assert_eq!(error.problem, Problem::Value(Mistake::Operation(refusal)));
    }

    proptest! {
        #[test]
        fn any_delta_survives(delta in samples::delta()) {
            samples::survives(&delta, read, write, &[])?;
            let line = write_line(&delta);
            prop_assert!(!line.contains('\n'), "{}", line);
            prop_assert_eq!(read(line.as_bytes()), Ok(delta));
        }
    }
}
