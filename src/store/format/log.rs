//! `logs/vol-01/chapter-001-log.json` and `logs/plans/vol-01-001.json`: duration and cost of each call (formats chapter
//! §9.2).

use super::FormatError;
use super::json::{self, Disk};
use crate::domain::book::log::{ChapterLog, WorkLog, dollars};
use serde_json::{Map, Value};

impl Disk for ChapterLog {
    fn add_sums(&self, fields: &mut Map<String, Value>) {
        fields.insert("total_duration_ms".into(), self.duration_ms().into());
        fields.insert("total_cost_usd".into(), cost(self.cost_micro_usd()));
    }
}

impl Disk for WorkLog {
    fn add_sums(&self, fields: &mut Map<String, Value>) {
        fields.insert("total_cost_usd".into(), cost(self.cost_micro_usd()));
    }
}

fn cost(micro: Option<u64>) -> Value {
    dollars::serialize(&micro, serde_json::value::Serializer).unwrap_or_default()
}

pub fn read_work(bytes: &[u8]) -> Result<WorkLog, FormatError> {
    json::read(bytes)
}

/// Writes a log of planning, with its sum.
pub fn write_work(log: &WorkLog) -> Vec<u8> {
    json::write(log, None)
}

pub fn read(bytes: &[u8]) -> Result<ChapterLog, FormatError> {
    json::read(bytes)
}

pub fn write(log: &ChapterLog, previous: Option<&[u8]>) -> Vec<u8> {
    json::write(log, previous)
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
