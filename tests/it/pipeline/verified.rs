//! Which rules of the world the judge has held against which chapter.

use super::script::score;
use super::studio::Studio;
use novel::llm::Wire;
use serde_json::{Value, json};

const RULES: &str = r#"{"schema_version": 2, "rules": [
    {"id": "W-001", "category": "城门", "rule": "戌时落锁", "constraint_type": "hard", "exceptions": [], "introduced_chapter": 0, "last_verified": null},
    {"id": "W-002", "category": "城门", "rule": "出城不能再回", "constraint_type": "soft", "exceptions": [], "introduced_chapter": 0, "last_verified": null}]}
"#;

fn verified(studio: &Studio) -> Vec<Value> {
    let rules: Value = serde_json::from_str(&studio.read("world/rules.json")).unwrap();
    rules["rules"].as_array().unwrap().iter().map(|rule| rule["last_verified"].clone()).collect()
}

#[test]
fn a_rule_notes_the_last_chapter_that_the_judge_found_to_keep_it() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let studio = Studio::over(wire);
        studio.write("world/rules.json", RULES);
        let with = |finding: &str| {
            let mut report = score(4.2);
            let check = |rule: &str, finding: &str| json!({"rule": rule, "finding": finding, "confidence": "high", "detail": "", "evidence": ""});
            let checks = report["checks"].as_array_mut().unwrap();
            checks.push(check("W-001", "pass"));
            checks.push(check("W-002", finding));
            checks.push(check("OBJ-003-1", "pass"));
            report
        };
        studio.then("judge", with("not_applicable"));
        let _ = studio.go().ok();
        assert_eq!(verified(&studio), [json!(2), Value::Null]);
        assert!(studio.git(&["show", "--stat=120", "--format=", "ch-002"]).contains("world/rules.json"));
        studio.then("judge", with("pass"));
        let _ = studio.go().ok();
        assert_eq!(verified(&studio), [json!(3), json!(3)]);
        // The offline writer reads nothing, and noting is no change of the author's.
        let _ = studio.novel(&["continue", "--offline"]).ok();
        assert_eq!(verified(&studio), [json!(3), json!(3)]);
        studio.check();
    }
}

#[test]
fn an_edit_of_the_rules_while_a_chapter_is_written_stands() {
    let studio = Studio::new();
    studio.write("world/rules.json", RULES);
    let _ = studio.go().ok();
    let own = RULES.replace("戌时落锁", "亥时落锁");
    studio.write("world/rules.json", &own);
    let _ = studio.go().ok();
    assert!(studio.read("world/rules.json").contains("亥时落锁"));
    studio.check();
}
