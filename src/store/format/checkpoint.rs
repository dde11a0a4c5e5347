//! `.checkpoint.json`: the book's position (formats chapter §9.2), with the sums for `status`.

use super::json::{self, Disk};
use super::{FormatError, text, version};
use crate::domain::book::checkpoint::Checkpoint;

impl Disk for Checkpoint {
    const NEWEST: u32 = version::BOOK;
}

pub fn read(bytes: &[u8]) -> Result<Checkpoint, FormatError> {
    json::read(bytes)
}

/// The refusal of a checkpoint of a newer program's book; `None` for any other. The rest of the file is not read.
pub fn newer(bytes: &[u8]) -> Option<FormatError> {
    json::newer(&text(bytes).ok()?, Checkpoint::NEWEST)
}

pub fn write(checkpoint: &Checkpoint, previous: Option<&[u8]>) -> Vec<u8> {
    json::write(checkpoint, previous)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::book::checkpoint::Phase;
    use crate::domain::chapter::stage::PipelineStage;
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
