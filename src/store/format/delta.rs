//! `state/deltas/vol-01/chapter-001-delta.json`: a chapter's changes, replayed without a model.

use super::json::{self, Disk};
use super::{At, FormatError, Mistake, Problem};
use crate::domain::state::{Delta, Op, RawOp};

impl Disk for Delta<RawOp> {}

/// The operations were checked when the delta was made, so an invalid one is a mistake in the file, named as `ops.3`.
pub fn read(bytes: &[u8]) -> Result<Delta, FormatError> {
    let Delta { chapter, base_version, storyline, ops, skipped, text } = json::read::<Delta<RawOp>>(bytes)?;
    let check = |(index, op): (usize, RawOp)| {
        op.check().map_err(|refusal| FormatError {
            at: At::Key(format!("ops.{index}")),
            problem: Problem::Value(Mistake::Operation(refusal)),
        })
    };
    let ops = ops.into_iter().enumerate().map(check).collect::<Result<_, _>>()?;
    Ok(Delta { chapter, base_version, storyline, ops, skipped, text })
}

pub fn write(delta: &Delta, previous: Option<&[u8]>) -> Vec<u8> {
    json::write(&raw(delta), previous)
}

/// The delta in one line without a line break, readable by [`read`].
pub fn write_line(delta: &Delta) -> String {
    json::line(&raw(delta))
}

fn raw(delta: &Delta) -> Delta<RawOp> {
    let Delta { chapter, base_version, storyline, ops, skipped, text } = delta.clone();
    Delta { chapter, base_version, storyline, ops: ops.iter().map(Op::raw).collect(), skipped, text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::state::OpRefusal;
    use crate::store::format::samples;
    use proptest::prelude::*;

    #[test]
    fn an_operation_that_breaks_a_rule_is_named() {
        let text = r#"{"chapter": 3, "base_state_version": 2, "storyline_id": "main-arc", "ops": [
            {"op": "set", "path": "characters.shen-du.location", "value": "渡口"},
            {"op": "set", "path": "weather.today", "value": "雨"}]}"#;
        let error = read(text.as_bytes()).unwrap_err();
        assert_eq!(error.at, At::Key("ops.1".into()));
        let refusal = OpRefusal::Category { path: "weather.today".into() };
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
