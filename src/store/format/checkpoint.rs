//! `.checkpoint.json`: the book's position (formats chapter §9.2), with the sums for `status`.

use super::json::{self, Disk};
use super::{FormatError, as_text, text, version};
use crate::domain::book::checkpoint::{Checkpoint, Phase, Totals};
use crate::domain::chapter::stage::PipelineStage;
use crate::domain::{ChapterNo, VolumeNo};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct CheckpointDisk {
    last_completed_chapter: u32,
    #[serde(with = "as_text::volume")]
    current_volume: VolumeNo,
    #[serde(with = "as_text")]
    orchestrator_state: Phase,
    #[serde(default, with = "as_text::optional")]
    pipeline_stage: Option<PipelineStage>,
    #[serde(default, with = "as_text::optional_chapter")]
    inflight_chapter: Option<ChapterNo>,
    #[serde(default)]
    revision_count: u32,
    #[serde(default)]
    pending_actions: Vec<String>,
    last_checkpoint_time: String,
    #[serde(default, with = "TotalsDisk")]
    totals: Totals,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(remote = "Totals", default)]
struct TotalsDisk {
    chapters: u32,
    words: u64,
    score_hundredths: u64,
    scored: u32,
    force_passed: u32,
    skipped_ops: u32,
    cost_micro_usd: u64,
    unknown_cost: u32,
    input_tokens: u64,
    cached_tokens: u64,
    output_tokens: u64,
}

impl Disk for CheckpointDisk {
    const NEWEST: u32 = version::BOOK;
}

/// Missing `totals` are zero; they can be derived from the book.
pub fn read(bytes: &[u8]) -> Result<Checkpoint, FormatError> {
    let disk: CheckpointDisk = json::read(bytes)?;
    Ok(Checkpoint {
        last_completed: disk.last_completed_chapter,
        volume: disk.current_volume,
        phase: disk.orchestrator_state,
        stage: disk.pipeline_stage,
        inflight: disk.inflight_chapter,
        revisions: disk.revision_count,
        pending: disk.pending_actions,
        time: disk.last_checkpoint_time,
        totals: disk.totals,
    })
}

/// The refusal of a checkpoint of a newer program's book; `None` for any other. The rest of the file is not read.
#[must_use]
pub fn newer(bytes: &[u8]) -> Option<FormatError> {
    json::newer(&text(bytes).ok()?, CheckpointDisk::NEWEST)
}

#[must_use]
pub fn write(checkpoint: &Checkpoint, previous: Option<&[u8]>) -> Vec<u8> {
    let disk = CheckpointDisk {
        last_completed_chapter: checkpoint.last_completed,
        current_volume: checkpoint.volume,
        orchestrator_state: checkpoint.phase,
        pipeline_stage: checkpoint.stage,
        inflight_chapter: checkpoint.inflight,
        revision_count: checkpoint.revisions,
        pending_actions: checkpoint.pending.clone(),
        last_checkpoint_time: checkpoint.time.clone(),
        totals: checkpoint.totals,
    };
    json::write(&disk, previous)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples;
    use proptest::prelude::*;

    #[test]
    fn the_example_of_the_formats_chapter_is_read() {
        let text = r#"{
          "last_completed_chapter": 47, "current_volume": 2, "orchestrator_state": "WRITING",
          "pipeline_stage": "committed", "inflight_chapter": null, "revision_count": 0,
          "pending_actions": [], "last_checkpoint_time": "2026-02-21T15:30:00"
        }"#;
        let checkpoint = read(text.as_bytes()).unwrap();
        assert_eq!((checkpoint.last_completed, checkpoint.phase), (47, Phase::Writing));
        assert_eq!((checkpoint.stage, checkpoint.inflight), (Some(PipelineStage::Committed), None));
        let wrong = text.replace("WRITING", "SLEEPING");
        assert!(read(wrong.as_bytes()).unwrap_err().to_string().starts_with("line 2"));
    }

    proptest! {
        #[test]
        fn any_checkpoint_survives(checkpoint in samples::checkpoint()) {
            samples::survives(&checkpoint, read, write, &[])?;
        }
    }
}
