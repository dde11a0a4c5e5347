//! `state/deltas/vol-01/chapter-001-delta.json`: a chapter's changes, replayed without a model. An edit of the facts has a line
//! in caches and no file of a book: it follows from two commits.

use crate::domain::Slug;
use crate::domain::notation::or_default;
use crate::domain::state::history::FactsEdit;
use crate::domain::state::{Delta, Op, RawOp};
use crate::store::format::foreshadowing::EntryDisk;
use crate::store::format::json::{self, Disk};
use crate::store::format::{At, FormatError, Mistake, Problem, text};
use serde::{Deserialize, Serialize};
use serde_json::Value;

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

#[derive(Serialize, Deserialize)]
struct EditDisk {
    version: i64,
    last_updated_chapter: Option<u32>,
    /// Keys, and no value or one: a `null` typed by an author is a value.
    values: Vec<(Vec<String>, Vec<Value>)>,
    entries: Vec<(Option<EntryDisk>, EntryDisk)>,
    #[serde(deserialize_with = "or_default")]
    gone: Vec<Slug>,
}

pub fn read_edit(line: &[u8]) -> Result<FactsEdit, FormatError> {
    let disk: EditDisk = json::parse(&text(line)?)?;
    let entry = |(was, is): (Option<EntryDisk>, EntryDisk)| Ok((was.map(EntryDisk::read).transpose()?, is.read()?));
    Ok(FactsEdit {
        version: disk.version,
        last_updated_chapter: disk.last_updated_chapter,
        values: disk.values.into_iter().map(|(keys, mut value)| (keys, value.pop())).collect(),
        entries: disk.entries.into_iter().map(entry).collect::<Result<_, FormatError>>()?,
        gone: disk.gone.into_iter().collect(),
    })
}

/// The edit in one line, without a line break.
pub fn write_edit(edit: &FactsEdit) -> String {
    json::line(&EditDisk {
        version: edit.version,
        last_updated_chapter: edit.last_updated_chapter,
        values: edit.values.iter().map(|(keys, value)| (keys.clone(), value.iter().cloned().collect())).collect(),
        entries: edit.entries.iter().map(|(was, is)| (was.as_ref().map(EntryDisk::from), is.into())).collect(),
        gone: edit.gone.iter().cloned().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::state::OpRefusal;
    use crate::domain::state::history::{Chronicle, Facts, HistoryStep};
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

    proptest! {
        #[test]
        fn any_edit_survives(states in prop::array::uniform2(samples::state()), ledgers in prop::array::uniform2(samples::ledger())) {
            let mut book = Chronicle::default();
            for (state, ledger) in states.into_iter().zip(ledgers) {
                book.set(Facts { state, ledger });
            }
            for step in book.steps() {
                let HistoryStep::Edit(edit) = step else { unreachable!() };
                let line = write_edit(edit);
                prop_assert!(!line.contains('\n'), "{}", line);
                prop_assert_eq!(read_edit(line.as_bytes()), Ok(edit.clone()));
            }
        }
    }
}
