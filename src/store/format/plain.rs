//! Formats that are the domain's types as they are: `.checkpoint.json` (formats chapter §9.2),
//! `volumes/vol-01/progress.json`, `.draft/scenes.json`, `logs/vol-01/chapter-001-log.json`,
//! `logs/plans/vol-01-001.json`, `memory/vol-01/chapter-001-memory.json`, a chapter's entry in the ledger, and
//! `waivers.json`, the deviations that the author intends. [`read`] and [`write`](super::write) serve them all.

use crate::domain::book::checkpoint::{ChapterLog, Checkpoint, WorkLog, dollars};
use crate::domain::chapter::summary::{ChapterMemory, ChapterNotes};
use crate::domain::chapter::{ScenePlan, Waivers};
use crate::domain::volume::Judgement;
use crate::store::format::json::{self, Disk};
use crate::store::format::{BOOK, FormatError, text};
use serde_json::{Map, Value};

impl Disk for Judgement {}
impl Disk for ScenePlan {}
impl Disk for Waivers {}

impl Disk for ChapterMemory {
    fn read_parts(text: &str) -> serde_json::Result<()> {
        serde_json::from_str::<ChapterNotes>(text).map(drop)
    }
}

impl Disk for Checkpoint {
    const NEWEST: u32 = BOOK;
}

/// The refusal of a checkpoint of a newer program's book; `None` for any other. The rest of the file is not read.
pub fn newer_book(bytes: &[u8]) -> Option<FormatError> {
    json::newer(&text(bytes).ok()?, Checkpoint::NEWEST)
}

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

#[cfg(test)]
mod tests {
    use super::json::{read, write};
    use super::*;
    use crate::domain::book::checkpoint::Phase;
    use crate::domain::chapter::stage::PipelineStage;
    use crate::domain::chapter::{FindingId, Waiver};
    use crate::domain::volume::Recommendation;
    use crate::store::format::samples::{self, chapter_number, line, words};
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;

    fn waivers() -> impl Strategy<Value = Waivers> {
        let id = (option::of(chapter_number()), line(), words());
        let id = id.prop_map(|(chapter, check, subject)| FindingId { chapter, check, subject });
        let waiver = (id, words()).prop_map(|(finding, reason)| Waiver { finding, reason });
        vec(waiver, 0..4).prop_map(|list| Waivers { list })
    }

    #[test]
    fn a_rule_of_one_chapter_and_a_name_of_all_are_read() {
        let text = r#"{"waivers": [{"chapter": 12, "check": "W-003", "reason": "破例一次"},
            {"check": "variant", "subject": "林峰", "reason": "另一个人", "note": "第三卷出场"}]}"#;
        let waivers = read::<Waivers>(text.as_bytes()).unwrap();
        let ids: Vec<String> = waivers.list.iter().map(|waiver| waiver.finding.to_string()).collect();
        assert_eq!(ids, ["ch-012/W-003", "all/variant/林峰"]);
        assert!(String::from_utf8(write(&waivers, Some(text.as_bytes()))).unwrap().contains("第三卷出场"));
    }

    #[test]
    fn an_entry_may_be_as_short_as_the_author_likes() {
        let memory: ChapterMemory =
            read(r#"{"chapter": 3, "storyline_id": "main-arc", "events": ["门开了"]}"#.as_bytes()).unwrap();
        assert_eq!((memory.chapter.get(), &memory.entry.events[..]), (3, &["门开了".to_owned()][..]));
        assert!(memory.entry.people.is_empty() && memory.entry.time.is_empty());
        assert!(read::<ChapterMemory>(r#"{"storyline_id": "main-arc"}"#.as_bytes()).is_err());
    }

    #[test]
    fn a_judgement_names_entries_of_the_state() {
        let text = r#"{"volume": 2, "evaluation_result": "wrap_up", "note": "作者看过",
            "cleanup": [{"path": "items.船票.旧", "reason": "forgotten"}]}"#;
        let judged = read::<Judgement>(text.as_bytes()).unwrap();
        assert_eq!(
            (judged.course, judged.leftovers[0].to_string().as_str()),
            (Recommendation::WrapUp, "items.船票.旧")
        );
        let written = String::from_utf8(write(&Judgement { closing: true, ..judged }, Some(text.as_bytes()))).unwrap();
        assert!(written.contains("作者看过"), "{written}");
        for wrong in [("wrap_up", "later"), ("items.船票", "船票"), ("items.船票.旧", "items"), ("forgotten", "old")]
        {
            assert!(read::<Judgement>(text.replace(wrong.0, wrong.1).as_bytes()).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_scene_may_say_little() {
        let plan = read::<ScenePlan>(r#"{"scenes": [{"goal": "进城"}, {"share": 40}]}"#.as_bytes()).unwrap();
        assert_eq!((plan.scenes[0].goal.as_str(), plan.scenes[1].share), ("进城", 40));
        assert!(read::<ScenePlan>(br#"{"scenes": [1]}"#).is_err());
    }

    #[test]
    fn the_example_of_the_formats_chapter_is_read() {
        let text = r#"{
          "last_completed_chapter": 47, "current_volume": 2, "orchestrator_state": "WRITING",
          "pipeline_stage": "committed", "inflight_chapter": null, "revision_count": 0,
          "pending_actions": [], "last_checkpoint_time": "2026-02-21T15:30:00"
        }"#;
        let checkpoint = read::<Checkpoint>(text.as_bytes()).unwrap();
        assert_eq!((checkpoint.last_completed, checkpoint.phase), (47, Phase::Writing));
        assert_eq!((checkpoint.stage, checkpoint.inflight), (Some(PipelineStage::Committed), None));
        let wrong = text.replace("WRITING", "SLEEPING");
        assert!(read::<Checkpoint>(wrong.as_bytes()).unwrap_err().to_string().starts_with("line 2"));
    }

    #[test]
    fn a_log_of_the_formats_chapter_is_read() {
        let text = r#"{"chapter": 47, "storyline_id": "main-arc", "started_at": "2026-03-15T14:30:00+08:00",
            "stages": [{"name": "draft", "model": "m", "duration_ms": 45000, "input_tokens": null, "output_tokens": null}],
            "gate_decision": "pass", "revisions": 0, "total_duration_ms": 45000, "total_cost_usd": null}"#;
        let log = read::<ChapterLog>(text.as_bytes()).unwrap();
        assert!(log.stages[0].used && log.cost_micro_usd().is_none());
        assert_eq!(log.duration_ms(), 45_000);
    }

    proptest! {
        #[test]
        fn any_judgement_survives(judgement in samples::judgement()) {
            samples::survives(&judgement, read, write, &[])?;
        }

        #[test]
        fn any_waivers_survive(waivers in waivers()) {
            samples::survives(&waivers, read, write, &[])?;
        }

        #[test]
        fn any_entry_survives(memory in samples::chapter_memory()) {
            samples::survives(&memory, read, write, &[])?;
        }

        #[test]
        fn any_plan_survives(plan in samples::scene_plan()) {
            samples::survives(&plan, read, write, &[])?;
        }

        #[test]
        fn any_checkpoint_survives(checkpoint in samples::checkpoint()) {
            samples::survives(&checkpoint, read, write, &[])?;
        }

        #[test]
        fn any_log_survives(log in samples::log()) {
            samples::survives(&log, read, write, &[])?;
        }
    }
}
