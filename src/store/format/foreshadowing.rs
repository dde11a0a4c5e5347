//! `foreshadowing/global.json`, the ledger, and `volumes/vol-01/foreshadowing.json`, a volume's plan.

use super::json::{self, Disk};
use super::{At, FormatError, Mistake, Problem};
use crate::domain::volume::foreshadowing::{Action, Foreshadowing, Ledger, Scope, ThreadPlan, ThreadStep};
use crate::domain::{ChapterNo, Slug};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct LedgerDisk {
    foreshadowing: Vec<EntryDisk>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct EntryDisk {
    id: Slug,
    #[serde(default)]
    description: String,
    scope: Scope,
    status: Action,
    planted_chapter: ChapterNo,
    planted_storyline: Slug,
    target_resolve_range: Option<(u32, u32)>,
    last_updated_chapter: ChapterNo,
    history: Vec<ThreadStep>,
}

impl Disk for LedgerDisk {}

/// The history counts; the status beside it must agree. An entry whose history is empty, does not begin with its
/// planting or does not end with its status is named as `foreshadowing.<id>`.
pub fn read(bytes: &[u8]) -> Result<Ledger, FormatError> {
    let disk: LedgerDisk = json::read(bytes)?;
    Ok(Ledger { entries: disk.foreshadowing.into_iter().map(EntryDisk::read).collect::<Result<_, _>>()? })
}

impl EntryDisk {
    pub(super) fn read(self) -> Result<Foreshadowing, FormatError> {
        let wrong = |mistake| FormatError {
            at: At::Key(format!("foreshadowing.{}", self.id)),
            problem: Problem::Value(mistake),
        };
        match (self.history.first(), self.history.last()) {
            (Some(first), Some(last)) => {
                if first.action != Action::Planted || first.chapter != self.planted_chapter {
                    return Err(wrong(Mistake::NoPlanting));
                }
                if last.action != self.status {
                    return Err(wrong(Mistake::OtherStatus));
                }
            }
            _ => return Err(wrong(Mistake::EmptyHistory)),
        }
        Ok(Foreshadowing {
            id: self.id,
            description: self.description,
            scope: self.scope,
            target: self.target_resolve_range,
            storyline: self.planted_storyline,
            history: self.history,
        })
    }
}

impl From<&Foreshadowing> for EntryDisk {
    fn from(entry: &Foreshadowing) -> Self {
        Self {
            id: entry.id.clone(),
            description: entry.description.clone(),
            scope: entry.scope,
            status: entry.status(),
            planted_chapter: entry.planted_chapter(),
            planted_storyline: entry.storyline.clone(),
            target_resolve_range: entry.target,
            last_updated_chapter: entry.last_updated_chapter(),
            history: entry.history.clone(),
        }
    }
}

pub fn write(ledger: &Ledger, previous: Option<&[u8]>) -> Vec<u8> {
    json::write(&LedgerDisk { foreshadowing: ledger.entries.iter().map(EntryDisk::from).collect() }, previous)
}

#[derive(Serialize, Deserialize)]
struct PlanDisk {
    foreshadowing: Vec<ThreadPlan>,
}

impl Disk for PlanDisk {}

pub fn read_plan(bytes: &[u8]) -> Result<Vec<ThreadPlan>, FormatError> {
    Ok(json::read::<PlanDisk>(bytes)?.foreshadowing)
}

pub fn write_plan(plan: &[ThreadPlan], previous: Option<&[u8]>) -> Vec<u8> {
    json::write(&PlanDisk { foreshadowing: plan.to_vec() }, previous)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples;
    use proptest::prelude::*;

    #[test]
    fn a_status_that_contradicts_its_history_is_named() {
        let text = r#"{"foreshadowing": [{"id": "mirror", "description": "镜中人眨眼", "scope": "short", "status": "resolved",
            "planted_chapter": 3, "planted_storyline": "main-arc", "target_resolve_range": [6, 13], "last_updated_chapter": 3,
            "history": [{"chapter": 3, "action": "planted", "detail": "镜中人慢了半拍"}]}]}"#;
        assert_eq!(read(text.as_bytes()).unwrap_err().at, At::Key("foreshadowing.mirror".into()));
        let ledger = read(text.replace("resolved\"", "planted\"").as_bytes()).unwrap();
        assert_eq!(ledger.entries[0].target, Some((6, 13)));
    }

    proptest! {
        #[test]
        fn any_ledger_survives(ledger in samples::ledger()) {
            samples::survives(&ledger, read, write, &[])?;
        }

        #[test]
        fn any_plan_survives(plan in samples::plan()) {
            samples::survives(&plan, read_plan, |plan, previous| write_plan(plan, previous), &[])?;
        }
    }
}
