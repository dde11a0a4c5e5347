//! An edit of the facts, for caches. No file of a book has it: it follows from two commits.

use super::foreshadowing::EntryDisk;
use super::{FormatError, json, text};
use crate::domain::Slug;
use crate::domain::notation::or_default;
use crate::domain::state::history::FactsEdit;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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

pub fn read(line: &[u8]) -> Result<FactsEdit, FormatError> {
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
pub fn write_line(edit: &FactsEdit) -> String {
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
    use crate::domain::state::history::{Chronicle, Facts, HistoryStep};
    use crate::store::format::samples;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_edit_survives(states in prop::array::uniform2(samples::state()), ledgers in prop::array::uniform2(samples::ledger())) {
            let mut book = Chronicle::default();
            for (state, ledger) in states.into_iter().zip(ledgers) {
                book.set(Facts { state, ledger });
            }
            for step in book.steps() {
                let HistoryStep::Edit(edit) = step else { unreachable!() };
                let line = write_line(edit);
                prop_assert!(!line.contains('\n'), "{}", line);
                prop_assert_eq!(read(line.as_bytes()), Ok(edit.clone()));
            }
        }
    }
}
