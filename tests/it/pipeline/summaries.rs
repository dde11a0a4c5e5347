//! Summaries that cannot be read: what stands in for them, and when the author is told to rebuild the state.

use super::script::{moved_to, summary};
use super::studio::Studio;
use crate::llm::server::Answer;
use novel::llm::Wire;
use serde_json::{Value, json};

const WIRES: [Wire; 2] = [Wire::OpenAi, Wire::Anthropic];

fn page(studio: &Studio) -> String {
    studio.read("summaries/vol-01/chapter-002-summary.md")
}

#[test]
fn a_summary_that_is_no_json_twice_stops_nothing() {
    for wire in WIRES {
        let studio = Studio::over(wire).on("summarize", "我读完了，写得很好。").on("summarize", "{\"summary\": \"断在");
        let run = studio.go();
        assert!(run.stderr.contains("sentences of the chapter replace it"), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.requests("summarize").len(), 2, "asked for once more, and no more");
        let page = page(&studio);
        assert!(page.contains("> 代拟：") && page.contains("天还没有亮") && page.contains("裂开的火漆上"), "{page}");
        let delta: Value = serde_json::from_str(&studio.read("state/deltas/vol-01/chapter-002-delta.json")).unwrap();
        assert_eq!(delta["ops"], json!([]), "{delta}");
        assert!(delta.to_string().contains("JSON"), "the delta says why: {delta}");
        let log = studio.novel(&["show", "ch-002", "--log"]).ok();
        assert!(log.contains("sentences of the chapter stand in"), "{log}");
        // The chapters after it are written from the excerpt, and nothing waits.
        let _ = studio.go().ok();
        assert!(studio.requests("draft")[1].prompt().contains("照得人脸一边黄一边黑。林枫站在最末"), "{}", page);
        studio.done();
    }
}

#[test]
fn a_summary_that_never_ends_stops_nothing_either() {
    for wire in WIRES {
        let studio = Studio::over(wire);
        for _ in 0..3 {
            studio.then("summarize", super::script::Reply::CutShort("{\"summary\": \"林枫到了北门".into()));
        }
        let _ = studio.go().ok();
        assert!(page(&studio).contains("> 代拟："), "{}", page(&studio));
        studio.done();
    }
}

#[test]
fn a_summary_that_was_readable_stands_when_only_its_operations_never_are() {
    for wire in WIRES {
        let studio = Studio::over(wire).on("summarize", summary(json!("没有变化"))).on("summarize", "还是没有");
        let _ = studio.go().ok();
        assert!(page(&studio).contains("守门人认出裂开的火漆") && !page(&studio).contains("代拟"), "{}", page(&studio));
        studio.done();
    }
}

#[test]
fn a_server_that_is_down_is_no_unreadable_summary() {
    let down = || Answer::error(503, "busy").header("x-should-retry", "false");
    let studio = Studio::new().on("summarize", down());
    let _ = studio.go().fails(5);
    assert!(studio.git(&["branch", "--list", "draft/*"]).contains("draft/ch-002"));
    let _ = studio.go().ok();
    assert!(!page(&studio).contains("代拟"));
    studio.done();
}

#[test]
fn from_the_third_on_status_proposes_to_rebuild_and_names_the_chapters() {
    for wire in WIRES {
        let studio = Studio::unwritten(wire);
        for chapter in 1..=3 {
            studio.then("summarize", "不会。");
            studio.then("summarize", "不会。");
            let run = studio.go();
            assert_eq!(run.stderr.contains("novel rebuild 1,2,3"), chapter == 3, "{run:#?}");
            let _ = run.ok();
            let status = studio.novel(&["status", "--json"]).json();
            assert_eq!(status["rebuild"], if chapter == 3 { json!([1, 2, 3]) } else { Value::Null });
        }
        let status = studio.novel(&["status"]).ok();
        assert!(status.contains("ch-001, ch-002, ch-003") && status.contains("novel rebuild 1,2,3"), "{status}");
        let chinese = studio.novel(&["--lang", "zh", "status"]).ok();
        assert!(chinese.contains("建议重建：novel rebuild 1,2,3"), "{chinese}");
        // The command works as printed, and the proposal goes with the gap.
        for _ in 0..3 {
            studio.then("summarize", summary(json!([moved_to("北门外")])));
        }
        let _ = studio.novel(&["rebuild", "1,2,3"]).ok();
        assert_eq!(studio.novel(&["status", "--json"]).json()["rebuild"], Value::Null);
        studio.done();
    }
}
