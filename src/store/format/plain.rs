//! Formats that are the domain's types as they are: `.checkpoint.json` (formats chapter §9.2),
//! `volumes/vol-01/progress.json`, `.draft/scenes.json`, `logs/vol-01/chapter-001-log.json`,
//! `logs/plans/vol-01-001.json`, `memory/vol-01/chapter-001-memory.json`, a chapter's entry in the ledger,
//! `quality/vol-01/chapter-005-quality.json`, the brief on five chapters, `wishes.json`, and `waivers.json`, the deviations that
//! the author intends. [`read`] and [`write`](super::write) serve them all.

use crate::domain::book::checkpoint::{ChapterLog, Checkpoint, WorkLog, dollars};
use crate::domain::chapter::author_notes::{Wish, Wishes};
use crate::domain::chapter::summary::{ChapterMemory, ChapterNotes, ReaderLedger};
use crate::domain::chapter::{ScenePlan, Waivers};
use crate::domain::quality::QualityBrief;
use crate::domain::volume::Judgement;
use crate::store::format::json::{self, Disk};
use crate::store::format::{BOOK, FormatError, Mistake, Problem, text};
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

impl Disk for QualityBrief {
    fn read_parts(text: &str) -> serde_json::Result<()> {
        serde_json::from_str::<ReaderLedger>(text).map(drop)
    }

    fn add_sums(&self, fields: &mut Map<String, Value>) {
        fields.insert("mean_score".into(), self.mean().map(|mean| (mean * 100.0).round() / 100.0).into());
    }
}

impl Disk for Wishes {}

pub fn read_wishes(bytes: &[u8]) -> Result<Wishes, FormatError> {
    let wishes: Wishes = json::read(bytes)?;
    match (1..).zip(&wishes.wishes).find_map(|(number, wish)| mistake(number, wish)) {
        Some(mistake) => Err(FormatError::of_file(Problem::Value(mistake))),
        None => Ok(wishes),
    }
}

/// The first of a wish's mistakes, which `novel wish` does not make.
fn mistake(number: usize, wish: &Wish) -> Option<Mistake> {
    let Wish { text, first_chapter: first, last_chapter: last } = wish;
    let length = text.chars().count();
    if text.trim().is_empty() || text.contains(['\n', '\r']) {
        return Some(Mistake::WishText { number });
    }
    if length > Wish::MOST {
        return Some(Mistake::WishLength { number, length });
    }
    (last < first).then_some(Mistake::WishChapters { number, first: *first, last: *last })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ChapterNo;
    use crate::domain::book::checkpoint::Phase;
    use crate::domain::chapter::stage::PipelineStage;
    use crate::domain::chapter::summary::{ChapterKind, Hook, OpenQuestion, PacingFlag};
    use crate::domain::chapter::{FindingId, Gate, Waiver};
    use crate::domain::quality::{
        Beat, ChapterFigures, DriftCheck, DriftFile, EdgeShape, OpenThread, Pattern, SharedPassage, StyleFigure,
        StyleMeasure, Worn, WornKind,
    };
    use crate::domain::volume::Recommendation;
    use crate::domain::volume::inventory::Standing;
    use crate::store::format::json::{read, write};
    use crate::store::format::samples::{self, chapter_number, line, words};
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;
    use proptest::sample::select;

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

    fn chapter() -> impl Strategy<Value = ChapterNo> {
        (1u32..9_999).prop_map(|number| ChapterNo::new(number).unwrap())
    }

    fn figure() -> impl Strategy<Value = f64> {
        (-99_999i32..99_999).prop_map(|n| f64::from(n) / 1000.0)
    }

    fn of_chapter() -> impl Strategy<Value = ChapterFigures> {
        let judged = (option::of(figure()), option::of(select(Gate::ALL.to_vec())), any::<u32>());
        (chapter(), "[0-9a-f]{40}", judged, vec("[A-Z0-9-]{1,6}", 0..3), (figure(), figure())).prop_map(
            |(chapter, text, (score, gate, revisions), violations, (ai_phrases, recycled))| ChapterFigures {
                chapter,
                text: text.parse().unwrap(),
                score,
                gate,
                revisions,
                violations,
                ai_phrases,
                recycled,
            },
        )
    }

    fn worn() -> impl Strategy<Value = Worn> {
        let words = "[他没说话]{1,5}".prop_map(Pattern::Words);
        let pattern = prop_oneof![words, select(EdgeShape::ALL.to_vec()).prop_map(Pattern::Shape)];
        (select(WornKind::ALL.to_vec()), pattern, 0usize..99, vec(chapter(), 0..4))
            .prop_map(|(kind, pattern, times, chapters)| Worn { kind, pattern, times, chapters })
    }

    fn drift() -> impl Strategy<Value = DriftCheck> {
        let figures = (figure(), figure(), any::<bool>());
        let told = (vec(select(StyleMeasure::ALL.to_vec()), 0..3), vec("[句子短了。]{1,6}", 0..3));
        (option::of((chapter(), chapter())), figures, told, select(DriftFile::ALL.to_vec())).prop_map(
            |(against, (delta, level, alarm), (moved, corrections), file)| DriftCheck {
                against_first: against.unzip().0,
                against_last: against.unzip().1,
                delta,
                level,
                alarm,
                moved,
                corrections,
                file,
            },
        )
    }

    fn brief() -> impl Strategy<Value = QualityBrief> {
        let figures = (select(StyleMeasure::ALL.to_vec()), figure(), option::of(figure()), option::of(figure()));
        let style =
            (figures, option::of((figure(), figure()))).prop_map(|((measure, now, baseline, spread), human)| {
                StyleFigure { measure, now, baseline, spread, human }
            });
        let shared = (chapter(), chapter(), 0usize..999, "[雨停了]{1,4}")
            .prop_map(|(chapter, earlier, letters, words)| SharedPassage { chapter, earlier, letters, words });
        let beat = ("[盯着]{1,3}", 0usize..99).prop_map(|(phrase, times)| Beat { phrase, times });
        let head = (chapter(), chapter(), vec(of_chapter(), 0..3), option::of(figure()));
        let told = (vec(style, 0..3), vec(beat, 0..3), vec(worn(), 0..3), vec(shared, 0..3));
        let reader = (vec(question(), 0..3), vec(flag(), 0..3));
        let thread = (samples::slug(), "[谁来了]{1,5}", select(Standing::ALL.to_vec()))
            .prop_map(|(id, description, standing)| OpenThread { id, description, standing });
        let lists = (vec("[一丝]{1,4}", 0..3), vec(thread, 0..3));
        (head, told, reader, drift(), lists).prop_map(
            |(head, (style, beats, worn, shared), (questions, pacing), drift, (listed, threads))| {
                let (first, last, chapters, mean_before) = head;
                QualityBrief {
                    first,
                    last,
                    chapters,
                    mean_before,
                    style,
                    beats,
                    worn,
                    shared,
                    reader: ReaderLedger { questions, pacing },
                    drift,
                    listed,
                    threads,
                }
            },
        )
    }

    fn question() -> impl Strategy<Value = OpenQuestion> {
        (chapter(), samples::slug(), "[谁来了]{1,5}", 0usize..9)
            .prop_map(|(chapter, storyline, question, later)| OpenQuestion { chapter, storyline, question, later })
    }

    fn flag() -> impl Strategy<Value = PacingFlag> {
        let row = || vec(chapter(), 0..4);
        prop_oneof![
            (select(Hook::ALL.to_vec()), row()).prop_map(|(hook, row)| PacingFlag::SameHook { hook, chapters: row }),
            (select(ChapterKind::ALL.to_vec()), row())
                .prop_map(|(kind, row)| PacingFlag::SameKind { kind, chapters: row }),
            row().prop_map(|chapters| PacingFlag::NoPayoff { chapters }),
            question().prop_map(PacingFlag::Unanswered),
        ]
    }

    #[test]
    fn a_brief_without_its_lists_is_read() {
        let text = r#"{"first_chapter": 1, "last_chapter": 5, "chapters": [], "drift":
            {"delta": 0, "level": 0, "alarm": false, "file": "absent"}}"#;
        let brief: QualityBrief = read(text.as_bytes()).unwrap();
        assert_eq!((brief.last.get(), brief.drift.against(), brief.mean()), (5, None, None));
        assert!(read::<QualityBrief>(text.replace("absent", "gone").as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn any_brief_survives(brief in brief()) {
            samples::survives(&brief, read, write, &[])?;
        }
    }

    fn wishes() -> impl Strategy<Value = Wishes> {
        let wish = (line(), chapter_number(), chapter_number());
        let wish = wish.prop_map(|(text, one, other)| Wish {
            text,
            first_chapter: one.min(other),
            last_chapter: one.max(other),
        });
        vec(wish, 0..4).prop_map(|wishes| Wishes { wishes })
    }

    proptest! {
        #[test]
        fn any_wishes_survive(wishes in wishes()) {
            samples::survives(&wishes, read, json::write, &[])?;
        }
    }
}
