//! `logs/vol-01/chapter-001-log.json` and `logs/plans/vol-01-001.json`: duration and cost of each call (formats chapter
//! §9.2).

use super::FormatError;
use super::json::{self, Disk};
use crate::domain::book::log::{ChapterLog, StageLog, WorkLog, dollars};
use crate::domain::chapter::gate::Gate;
use crate::domain::{ChapterNo, Slug, Work};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct LogDisk {
    chapter: ChapterNo,
    storyline_id: Slug,
    started_at: String,
    stages: Vec<StageLog>,
    gate_decision: Option<Gate>,
    #[serde(default)]
    revisions: u32,
    #[serde(default)]
    warnings: Vec<String>,
    /// Sums for people who open the file; never read back.
    #[serde(default)]
    total_duration_ms: u64,
    #[serde(default, with = "dollars")]
    total_cost_usd: Option<u64>,
}

impl Disk for LogDisk {}

#[derive(Serialize, Deserialize)]
struct WorkLogDisk {
    work: Work,
    started_at: String,
    stages: Vec<StageLog>,
    /// For people who open the file; never read back.
    #[serde(default, with = "dollars")]
    total_cost_usd: Option<u64>,
}

impl Disk for WorkLogDisk {}

pub fn read_work(bytes: &[u8]) -> Result<WorkLog, FormatError> {
    let disk: WorkLogDisk = json::read(bytes)?;
    Ok(WorkLog { work: disk.work, started_at: disk.started_at, stages: disk.stages })
}

/// Writes a log of planning, with its sum.
pub fn write_work(log: &WorkLog) -> Vec<u8> {
    let disk = WorkLogDisk {
        work: log.work,
        started_at: log.started_at.clone(),
        stages: log.stages.clone(),
        total_cost_usd: log.cost_micro_usd(),
    };
    json::write(&disk, None)
}

pub fn read(bytes: &[u8]) -> Result<ChapterLog, FormatError> {
    let disk: LogDisk = json::read(bytes)?;
    Ok(ChapterLog {
        chapter: disk.chapter,
        storyline: disk.storyline_id,
        started_at: disk.started_at,
        stages: disk.stages,
        gate: disk.gate_decision,
        revisions: disk.revisions,
        warnings: disk.warnings,
    })
}

/// Writes a log, with its sums.
pub fn write(log: &ChapterLog, previous: Option<&[u8]>) -> Vec<u8> {
    let disk = LogDisk {
        chapter: log.chapter,
        storyline_id: log.storyline.clone(),
        started_at: log.started_at.clone(),
        stages: log.stages.clone(),
        gate_decision: log.gate,
        revisions: log.revisions,
        warnings: log.warnings.clone(),
        total_duration_ms: log.duration_ms(),
        total_cost_usd: log.cost_micro_usd(),
    };
    json::write(&disk, previous)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples;
    use proptest::prelude::*;

    #[test]
    fn a_log_of_the_formats_chapter_is_read() {
        let text = r#"{"chapter": 47, "storyline_id": "main-arc", "started_at": "2026-03-15T14:30:00+08:00",
            "stages": [{"name": "draft", "model": "m", "duration_ms": 45000, "input_tokens": null, "output_tokens": null}],
            "gate_decision": "pass", "revisions": 0, "total_duration_ms": 45000, "total_cost_usd": null}"#;
        let log = read(text.as_bytes()).unwrap();
        assert!(log.stages[0].used && log.cost_micro_usd().is_none());
        assert_eq!(log.duration_ms(), 45_000);
    }

    proptest! {
        #[test]
        fn any_log_survives(log in samples::log()) {
            samples::survives(&log, read, write, &[])?;
        }
    }
}
