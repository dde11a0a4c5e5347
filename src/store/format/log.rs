//! `logs/vol-01/chapter-001-log.json` and `logs/plans/vol-01-001.json`: duration and cost of each call (formats chapter
//! §9.2).

use super::json::{self, Disk};
use super::{FormatError, as_text};
use crate::domain::book::log::{ChapterLog, StageLog, WorkLog};
use crate::domain::chapter::gate::Gate;
use crate::domain::{ChapterNo, Slug, Work};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct LogDisk {
    #[serde(with = "as_text::chapter")]
    chapter: ChapterNo,
    #[serde(with = "as_text")]
    storyline_id: Slug,
    started_at: String,
    stages: Vec<StageDisk>,
    #[serde(default, with = "as_text::optional")]
    gate_decision: Option<Gate>,
    #[serde(default)]
    revisions: u32,
    #[serde(default)]
    warnings: Vec<String>,
    /// Sums for people who open the file; never read back.
    #[serde(default)]
    total_duration_ms: u64,
    #[serde(default)]
    total_cost_usd: Option<f64>,
}

#[derive(Serialize, Deserialize)]
struct StageDisk {
    name: String,
    model: String,
    duration_ms: u64,
    #[serde(default)]
    input_tokens: Option<u64>,
    #[serde(default)]
    cached_tokens: Option<u64>,
    #[serde(default)]
    output_tokens: Option<u64>,
    #[serde(default)]
    sent_chars: u64,
    #[serde(default)]
    cost_usd: Option<f64>,
    #[serde(default)]
    estimated: bool,
    #[serde(default = "yes")]
    used: bool,
}

fn yes() -> bool {
    true
}

impl Disk for LogDisk {}

#[derive(Serialize, Deserialize)]
struct WorkLogDisk {
    #[serde(with = "as_text")]
    work: Work,
    started_at: String,
    stages: Vec<StageDisk>,
    /// For people who open the file; never read back.
    #[serde(default)]
    total_cost_usd: Option<f64>,
}

impl Disk for WorkLogDisk {}

impl From<StageDisk> for StageLog {
    fn from(stage: StageDisk) -> Self {
        Self {
            name: stage.name,
            model: stage.model,
            duration_ms: stage.duration_ms,
            input_tokens: stage.input_tokens,
            cached_tokens: stage.cached_tokens,
            output_tokens: stage.output_tokens,
            sent_chars: stage.sent_chars,
            cost_micro_usd: stage.cost_usd.map(micro),
            estimated: stage.estimated,
            used: stage.used,
        }
    }
}

impl From<&StageLog> for StageDisk {
    fn from(stage: &StageLog) -> Self {
        Self {
            name: stage.name.clone(),
            model: stage.model.clone(),
            duration_ms: stage.duration_ms,
            input_tokens: stage.input_tokens,
            cached_tokens: stage.cached_tokens,
            output_tokens: stage.output_tokens,
            sent_chars: stage.sent_chars,
            cost_usd: stage.cost_micro_usd.map(dollars),
            estimated: stage.estimated,
            used: stage.used,
        }
    }
}

pub fn read_work(bytes: &[u8]) -> Result<WorkLog, FormatError> {
    let disk: WorkLogDisk = json::read(bytes)?;
    let stages = disk.stages.into_iter().map(StageLog::from).collect();
    Ok(WorkLog { work: disk.work, started_at: disk.started_at, stages })
}

/// Writes a log of planning, with its sum.
#[must_use]
pub fn write_work(log: &WorkLog) -> Vec<u8> {
    let disk = WorkLogDisk {
        work: log.work,
        started_at: log.started_at.clone(),
        stages: log.stages.iter().map(StageDisk::from).collect(),
        total_cost_usd: log.cost_micro_usd().map(dollars),
    };
    json::write(&disk, None)
}

const MILLION: f64 = 1e6;

fn dollars(micro: u64) -> f64 {
    micro as f64 / MILLION
}

fn micro(dollars: f64) -> u64 {
    (dollars * MILLION).round() as u64
}

pub fn read(bytes: &[u8]) -> Result<ChapterLog, FormatError> {
    let disk: LogDisk = json::read(bytes)?;
    Ok(ChapterLog {
        chapter: disk.chapter,
        storyline: disk.storyline_id,
        started_at: disk.started_at,
        stages: disk.stages.into_iter().map(StageLog::from).collect(),
        gate: disk.gate_decision,
        revisions: disk.revisions,
        warnings: disk.warnings,
    })
}

/// Writes a log, with its sums.
#[must_use]
pub fn write(log: &ChapterLog, previous: Option<&[u8]>) -> Vec<u8> {
    let disk = LogDisk {
        chapter: log.chapter,
        storyline_id: log.storyline.clone(),
        started_at: log.started_at.clone(),
        stages: log.stages.iter().map(StageDisk::from).collect(),
        gate_decision: log.gate,
        revisions: log.revisions,
        warnings: log.warnings.clone(),
        total_duration_ms: log.duration_ms(),
        total_cost_usd: log.cost_micro_usd().map(dollars),
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
