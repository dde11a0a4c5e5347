//! Which rules of the world the judge has held against which chapter.

use super::script::score;
use super::studio::Studio;
use novel::llm::Wire;
use serde_json::{Value, json};

const RULES: &str = r#"{"schema_version": 2, "rules": [
    {"id": "W-001", "category": "城门", "rule": "戌时落锁", "constraint_type": "hard", "exceptions": [], "introduced_chapter": 0, "last_verified": null},
    {"id": "W-002", "category": "城门", "rule": "出城不能再回", "constraint_type": "soft", "exceptions": [], "introduced_chapter": 0, "last_verified": null}]}
"#;

/// A good report that finds W-001 kept, and notes the other rule in that list.
fn with(list: &str, rule: &str) -> Value {
    let mut report = score(4.2);
    report["passed"].as_array_mut().unwrap().push(json!("W-001"));
    report[list].as_array_mut().unwrap().push(json!(rule));
    report
}

fn verified(studio: &Studio) -> Vec<Value> {
    let rules: Value = serde_json::from_str(&studio.read("world/rules.json")).unwrap();
    rules["rules"].as_array().unwrap().iter().map(|rule| rule["last_verified"].clone()).collect()
}

#[test]
fn a_rule_notes_the_last_chapter_that_the_judge_found_to_keep_it() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let studio = Studio::over(wire);
        studio.write("world/rules.json", RULES);
        studio.then("judge", with("not_applicable", "W-002"));
        let _ = studio.go().ok();
        assert_eq!(verified(&studio), [json!(2), Value::Null]);
        assert!(studio.git(&["show", "--stat=120", "--format=", "ch-002"]).contains("world/rules.json"));
        studio.then("judge", with("passed", "W-002"));
        let _ = studio.go().ok();
        assert_eq!(verified(&studio), [json!(3), json!(3)]);
        // The offline writer reads nothing, and the note does not count as an edit.
        let _ = studio.novel(&["continue", "--offline"]).ok();
        assert_eq!(verified(&studio), [json!(3), json!(3)]);
        studio.check();
    }
}

#[test]
fn a_rollback_behind_a_squash_takes_the_notes_of_later_chapters_back() {
    let studio = Studio::new();
    studio.write("world/rules.json", RULES);
    studio.then("judge", with("not_applicable", "W-002"));
    let _ = studio.go().ok();
    studio.then("judge", with("passed", "W-002"));
    let _ = studio.go().ok();
    assert_eq!(verified(&studio), [json!(3), json!(3)]);
    let _ = studio.git(&["reset", "-q", "--soft", "ch-001"]);
    let _ = studio.git(&["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "squashed"]);
    let _ = studio.novel(&["rollback", "ch-002", "--yes"]).ok();
    assert_eq!(verified(&studio), [json!(2), Value::Null]);
    studio.check();
}

#[test]
fn an_edit_of_the_rules_while_a_chapter_is_written_stands() {
    let studio = Studio::new();
    studio.write("world/rules.json", RULES);
    studio.then("judge", with("passed", "W-002"));
    studio.then("judge", with("passed", "W-002"));
    let _ = studio.go().ok();
    let own = RULES.replace("戌时落锁", "亥时落锁");
    studio.write("world/rules.json", &own);
    let _ = studio.go().ok();
    assert!(studio.read("world/rules.json").contains("亥时落锁"));
    assert_eq!(verified(&studio), [json!(3), json!(3)]);
    studio.check();
}

#[test]
fn a_second_judge_s_report_says_what_it_recommends() {
    // The first chapter of a volume is a key chapter.
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let studio = Studio::unwritten(wire).on("judge", score(4.2)).on("judge-2", score(3.7));
        let _ = studio.go().ok();
        let recommends = |name: &str| {
            let report: Value = serde_json::from_str(&studio.read(&format!("evaluations/vol-01/{name}.json"))).unwrap();
            report["recommendation"].as_str().map(str::to_owned)
        };
        assert_eq!(recommends("chapter-001-eval-2").as_deref(), Some("polish"));
        assert!(recommends("chapter-001-eval").is_some());
        studio.done();
    }
}
