//! `foreshadowing/global.json`, the ledger, and `volumes/vol-01/foreshadowing.json`, a volume's plan.

use super::json::{self, Disk};
use super::{At, FormatError, Mistake, Problem, as_text};
use crate::domain::volume::foreshadowing::{Action, Foreshadowing, Ledger, Planned, Scope, Step};
use crate::domain::{ChapterNo, Slug};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct LedgerDisk {
    foreshadowing: Vec<EntryDisk>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct EntryDisk {
    #[serde(with = "as_text")]
    id: Slug,
    #[serde(default)]
    description: String,
    #[serde(with = "as_text")]
    scope: Scope,
    #[serde(with = "as_text")]
    status: Action,
    #[serde(with = "as_text::chapter")]
    planted_chapter: ChapterNo,
    #[serde(with = "as_text")]
    planted_storyline: Slug,
    #[serde(default)]
    target_resolve_range: Option<(u32, u32)>,
    #[serde(with = "as_text::chapter")]
    last_updated_chapter: ChapterNo,
    history: Vec<StepDisk>,
}

#[derive(Serialize, Deserialize)]
struct StepDisk {
    #[serde(with = "as_text::chapter")]
    chapter: ChapterNo,
    #[serde(with = "as_text")]
    action: Action,
    #[serde(default)]
    detail: String,
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
        let step = |step: StepDisk| Step { chapter: step.chapter, action: step.action, detail: step.detail };
        Ok(Foreshadowing {
            id: self.id,
            description: self.description,
            scope: self.scope,
            target: self.target_resolve_range,
            storyline: self.planted_storyline,
            history: self.history.into_iter().map(step).collect(),
        })
    }
}

impl From<&Foreshadowing> for EntryDisk {
    fn from(entry: &Foreshadowing) -> Self {
        let step = |step: &Step| StepDisk { chapter: step.chapter, action: step.action, detail: step.detail.clone() };
        Self {
            id: entry.id.clone(),
            description: entry.description.clone(),
            scope: entry.scope,
            status: entry.status(),
            planted_chapter: entry.planted_chapter(),
            planted_storyline: entry.storyline.clone(),
            target_resolve_range: entry.target,
            last_updated_chapter: entry.last_updated_chapter(),
            history: entry.history.iter().map(step).collect(),
        }
    }
}

#[must_use]
pub fn write(ledger: &Ledger, previous: Option<&[u8]>) -> Vec<u8> {
    json::write(&LedgerDisk { foreshadowing: ledger.entries.iter().map(EntryDisk::from).collect() }, previous)
}

#[derive(Serialize, Deserialize)]
struct PlanDisk {
    foreshadowing: Vec<PlannedDisk>,
}

#[derive(Serialize, Deserialize)]
struct PlannedDisk {
    #[serde(with = "as_text")]
    id: Slug,
    #[serde(default)]
    description: String,
    #[serde(with = "as_text")]
    scope: Scope,
    #[serde(with = "as_text")]
    storyline_id: Slug,
    #[serde(default, with = "as_text::optional_chapter")]
    planned_chapter: Option<ChapterNo>,
    #[serde(default)]
    advance_chapters: Vec<u32>,
    #[serde(default)]
    target_resolve_range: Option<(u32, u32)>,
}

impl Disk for PlanDisk {}

pub fn read_plan(bytes: &[u8]) -> Result<Vec<Planned>, FormatError> {
    let disk: PlanDisk = json::read(bytes)?;
    let planned = disk.foreshadowing.into_iter().map(|entry| Planned {
        id: entry.id,
        description: entry.description,
        scope: entry.scope,
        storyline: entry.storyline_id,
        plant: entry.planned_chapter,
        advance: entry.advance_chapters,
        target: entry.target_resolve_range,
    });
    Ok(planned.collect())
}

#[must_use]
pub fn write_plan(plan: &[Planned], previous: Option<&[u8]>) -> Vec<u8> {
    let entry = |entry: &Planned| PlannedDisk {
        id: entry.id.clone(),
        description: entry.description.clone(),
        scope: entry.scope,
        storyline_id: entry.storyline.clone(),
        planned_chapter: entry.plant,
        advance_chapters: entry.advance.clone(),
        target_resolve_range: entry.target,
    };
    json::write(&PlanDisk { foreshadowing: plan.iter().map(entry).collect() }, previous)
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
