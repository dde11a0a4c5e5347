//! Violations that the author intends: the draft in flight goes on, and the judge is not asked again.

use super::script::{QUOTE, score, violation};
use super::studio::Studio;
use novel::llm::Wire;
use serde_json::Value;

const FIRST: [&str; 4] = ["draft", "summarize", "refine", "judge"];
const WAIVE: [&str; 4] = ["waive", "ch-2/ls-001", "--reason", "这一夜的时辰本来就是错的"];

fn checks(studio: &Studio) -> Vec<Value> {
    let report: Value = serde_json::from_str(&studio.read("evaluations/vol-01/chapter-002-eval.json")).unwrap();
    report["contract_verification"]["ls_checks"].as_array().unwrap().clone()
}

fn finding(studio: &Studio, rule: &str) -> Value {
    checks(studio).into_iter().find(|check| check["id"] == rule).unwrap()["status"].clone()
}

#[test]
fn a_violation_that_is_waived_passes_without_another_call() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        // A low score makes the chapter wait; the violation alone would be revised.
        let studio = Studio::over(wire).on("judge", violation(2.6, QUOTE));
        let paused = studio.go().fails(3).stdout;
        assert!(paused.contains("novel waive ch-002/LS-001 --reason"), "{paused}");
        let done = studio.novel(&WAIVE).ok();
        assert!(done.contains("waive: ch-002/LS-001"), "{done}");
        let still = studio.go().fails(3).stdout;
        assert!(!still.contains("LS-001"), "the score is what is left of it: {still}");
        let _ = studio.novel(&["decide", "accept"]).ok();
        let _ = studio.go().ok();
        assert_eq!(studio.asked(), FIRST);
        assert_eq!(finding(&studio, "LS-001"), "waived");
        let shown = studio.novel(&["show", "2", "--evaluation", "--ids"]).ok();
        assert!(shown.contains("1 waived") && shown.contains("(LS-001)"), "{shown}");
        assert!(studio.git(&["log", "-1", "--format=%B", "--", "waivers.json"]).contains("时辰本来就是错的"));
        studio.done();
    }
}

#[test]
fn a_rule_waived_beforehand_is_shown_with_the_reason_and_not_asked_about() {
    let studio = Studio::new().on("judge", violation(4.6, QUOTE));
    let _ = studio.novel(&WAIVE).ok();
    let _ = studio.go().ok();
    assert_eq!(studio.asked(), FIRST, "what the judge says of it all the same revises nothing");
    assert_eq!(studio.trailer("Novel-Gate"), "pass");
    let request = &studio.requests("judge")[0];
    assert!(request.prompt().contains("（本章作者准许破例：这一夜的时辰本来就是错的）"), "{}", request.prompt());
    let prompt = request.prompt();
    let (_, ids) = prompt.rsplit_once("要有结果的编号：").unwrap();
    assert!(!ids.contains("LS-001") && ids.contains("LS-002"), "{ids}");
    assert_eq!(finding(&studio, "LS-001"), "waived");
    studio.done();
}

#[test]
fn without_its_waiver_a_violation_is_revised_again() {
    let studio = Studio::new().on("judge", violation(4.6, QUOTE)).on("judge", score(4.2));
    let _ = studio.novel(&WAIVE).ok();
    assert!(studio.novel(&WAIVE).ok().is_empty(), "the same once more changes nothing");
    let _ = studio.novel(&["waive", "ch-002/LS-001", "--remove"]).ok();
    assert!(!studio.path("waivers.json").exists());
    let _ = studio.go().ok();
    assert_eq!(studio.asked()[4], "revise");
    studio.done();
}

#[test]
fn only_rules_and_checks_of_the_book_can_be_waived() {
    let studio = Studio::new();
    let head = studio.git(&["rev-parse", "HEAD"]);
    let cases = [
        ("ch-002/W-999", "no such check or rule: W-999"),
        ("all/LS-001", "LS-001 cannot be waived for the whole book"),
        ("ch-002/LS-001/林枫", "use ch-002/LS-001"),
        ("ch-001/leak", "does not name its subject"),
        ("ch-001/leak/林枫", "no such finding: ch-001/leak/林枫"),
    ];
    for (finding, words) in cases {
        let refused = studio.novel(&["waive", finding, "--reason", "有意"]).fails(1);
        assert!(refused.stderr.contains(words), "{finding}: {refused:#?}");
    }
    let refused = studio.novel(&["waive", "ch-002/LS-001", "--remove"]).fails(1);
    assert!(refused.stderr.contains("ch-002/LS-001 is not waived"), "{refused:#?}");
    let _ = studio.novel(&["waive", "LS-001", "--reason", "有意"]).fails(2);
    assert_eq!(studio.git(&["rev-parse", "HEAD"]), head, "nothing was committed");
    // A person and a check of a chapter that is still to be written.
    let _ = studio.novel(&["waive", "ch-003/leak/林枫", "OBJ-003-1", "--reason", "有意"]).fails(2);
    let _ = studio.novel(&["waive", "ch-003/leak/林枫", "ch-003/OBJ-003-1", "--reason", "有意"]).ok();
    let list: Value = serde_json::from_str(&studio.novel(&["waive", "--json"]).ok()).unwrap();
    let ids: Vec<&str> =
        list["waivers"].as_array().unwrap().iter().map(|waiver| waiver["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["ch-003/leak/林枫", "ch-003/OBJ-003-1"]);
    studio.done();
}
