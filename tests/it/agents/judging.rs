//! Reading the judge's report.

use super::story;
use novel::agents::judge::{self, Hearing, Judged, Remark};
use novel::agents::rulebook::{objectives, rules_for};
use novel::agents::{Material, Prompts, ReplyFault, Task, prompt};
use novel::domain::chapter::Chapter;
use novel::domain::contract::{Layer, Strength};
use novel::domain::evaluation::{Dimension, Finding, Unusable};
use novel::domain::summary::{CrossReference, LeakRisk};
use serde_json::{Value, json};

fn report(checks: Value) -> Value {
    let scores: serde_json::Map<String, Value> = Dimension::ALL
        .iter()
        .map(|d| (d.as_str().to_owned(), json!({"score": 4.0, "reason": "稳", "evidence": "泥是新的，缝却是旧的"})))
        .collect();
    json!({"checks": checks, "scores": scores, "overall": 5.0, "risk_flags": [], "required_fixes": [], "issues": [], "strengths": []})
}

fn read(material: &Material, text: &Chapter, cross: &[CrossReference], reply: &Value) -> Result<Judged, ReplyFault> {
    let found = |quote: &str| text.body.contains(quote);
    judge::read(&reply.to_string(), &Hearing { material, text, cross_references: cross, found: &found })
}

fn leak(entity: &str, risk: LeakRisk) -> CrossReference {
    CrossReference { entity: entity.into(), storyline: "sea-plan".into(), risk, evidence: "转述的话".into() }
}

#[test]
fn layer_and_strength_come_from_the_rule_and_quotations_are_checked() {
    let (material, text) = (story::material(), story::text(8, 500));
    let reply = report(json!([
        {"rule": "W-003", "finding": "violation", "confidence": "high", "detail": "", "evidence": "泥是新的", "layer": "L3", "strength": "hard"},
        {"rule": "w-001", "finding": "violation", "confidence": "high", "detail": "开门", "evidence": "从未写过的话"},
        {"rule": "W-001", "finding": "pass", "confidence": "high"},
        {"rule": "OBJ-008-1", "finding": "violation", "confidence": "high", "detail": "没有开门", "evidence": ""},
        {"rule": "W-999", "finding": "violation", "confidence": "high", "evidence": "泥是新的"},
        {"rule": "W-002", "finding": "好像违反了", "confidence": "high"}
    ]));
    let Judged { evaluation, remarks, unchecked, .. } = read(&material, &text, &[], &reply).unwrap();
    let seen: Vec<(&str, Layer, Strength, bool)> =
        evaluation.checks.iter().map(|c| (c.rule.as_str(), c.layer, c.strength, c.blocks())).collect();
    assert_eq!(
        seen,
        [
            ("W-001", Layer::World, Strength::Hard, false),
            ("W-003", Layer::World, Strength::Soft, false),
            ("OBJ-008-1", Layer::Chapter, Strength::Hard, true),
        ]
    );
    assert!(evaluation.scores.iter().all(|score| score.evidence_found));
    assert!((evaluation.overall() - 4.0).abs() < 1e-9, "the reply's own total is never read");
    assert!(remarks.contains(&Remark::UnknownRule("W-999".into())));
    assert!(remarks.contains(&Remark::UnknownFinding("W-002".into())));
    assert!(unchecked.contains(&"C-LINFENG-001".into()), "{unchecked:?}");
    assert!(!unchecked.contains(&"LS-002".into()), "soft rules may be left out");
}

#[test]
fn a_report_that_answers_for_few_rules_or_gives_no_reasons_is_told_from_one_that_was_filled_in() {
    let (material, text) = (story::material(), story::text(8, 300));
    let hard: Vec<String> = rules_for(&material, &text.body)
        .into_iter()
        .filter(|rule| rule.strength == Strength::Hard && rule.id != "LS-005")
        .map(|rule| rule.id)
        .collect();
    let answering = |ids: &[String]| {
        let checks: Vec<Value> =
            ids.iter().map(|id| json!({"rule": id, "finding": "pass", "confidence": "high"})).collect();
        read(&material, &text, &[], &report(json!(checks))).unwrap()
    };
    assert!(hard.len() > 3 && !answering(&hard).leaves_most_out());
    assert_eq!(answering(&hard[..1]).unchecked, hard[1..]);
    assert!(answering(&hard[..1]).leaves_most_out());
    let mut blank = report(json!([]));
    for dimension in Dimension::ALL {
        blank["scores"][dimension.as_str()]["reason"] = json!("……");
    }
    assert!(matches!(read(&material, &text, &[], &blank), Err(ReplyFault::Field { field: "reason", .. })));
}

#[test]
fn the_judge_is_asked_only_for_rules_that_it_sees() {
    let (material, text) = (story::oversized(), story::text(30, 300));
    let task = Task::Judge { material: &material, text: &text, cross_references: &[], measured: &[], second: false };
    let prompt = prompt(&task, &Prompts::default()).unwrap().full_text();
    let (_, list) = prompt.rsplit_once("需要逐条回答的编号：").unwrap();
    let ids: Vec<&str> = list.split('。').next().unwrap().split('、').collect();
    assert!(ids.len() > 20 && ids.len() < 200, "{}", ids.len());
    assert!(ids.iter().all(|id| prompt.contains(&format!("- {id}【"))));
}

#[test]
fn a_leak_of_high_risk_is_a_violation_of_our_own() {
    let (mut material, mut text) = (story::material(), story::text(8, 300));
    text.body.push_str("\n管十压低声音：“船务司那个许青，昨夜找到了货单。”\n");
    let leaks = |material: &Material, cross: &[CrossReference]| {
        let evaluation = read(material, &text, cross, &report(json!([]))).unwrap().evaluation;
        evaluation.checks.into_iter().filter(|check| check.rule == "LS-005").collect::<Vec<_>>()
    };
    let [check] = &leaks(&material, &[leak("许青", LeakRisk::High)])[..] else { panic!("one check") };
    assert!(check.blocks() && check.finding == Finding::Violation);
    assert!(text.body.contains(&check.evidence) && check.evidence.contains("许青"));
    assert_eq!(leaks(&material, &[leak("许青", LeakRisk::Medium)]), []);
    assert_eq!(leaks(&material, &[leak("长公主", LeakRisk::High)]), [], "the name does not stand in the text");
    for line in ["main-arc", "nowhere", ""] {
        let of_line = CrossReference { storyline: line.into(), ..leak("许青", LeakRisk::High) };
        assert_eq!(leaks(&material, &[of_line]), [], "no other line of the book: `{line}`");
    }
    material.schedule.convergences[0].chapters = (8, 8);
    assert_eq!(leaks(&material, &[leak("许青", LeakRisk::High)]), [], "lines meet in this chapter");
}

#[test]
fn scores_must_be_complete_but_may_be_written_in_words() {
    let (material, text) = (story::material(), story::text(8, 300));
    let mut reply = report(json!([]));
    reply["scores"]["pacing"]["score"] = json!("4.5/5");
    let judged = read(&material, &text, &[], &reply).unwrap();
    assert!(judged.evaluation.scores.iter().any(|s| s.dimension == Dimension::Pacing && s.score > 4.4));
    reply["scores"]["pacing"]["score"] = json!("很好");
    assert_eq!(read(&material, &text, &[], &reply), Err(ReplyFault::Scores(Unusable::OutOfRange(Dimension::Pacing))));
    reply["scores"].as_object_mut().unwrap().remove("pacing");
    assert_eq!(read(&material, &text, &[], &reply), Err(ReplyFault::Scores(Unusable::Missing(Dimension::Pacing))));
    assert!(matches!(read(&material, &text, &[], &json!({"checks": []})), Err(ReplyFault::Field { .. })));
}

#[test]
fn a_plan_without_a_contract_still_has_objectives() {
    let mut material = story::material();
    assert_eq!(objectives(&material).len(), 3);
    material.contract = None;
    let derived = objectives(&material).into_owned();
    assert_eq!(derived.iter().map(|o| o.id.as_str()).collect::<Vec<_>>(), ["OBJ-008-1", "OBJ-008-2"]);
    assert!(derived.iter().all(|objective| objective.required));
    assert!(derived[1].description.contains("mirror"));
    let rules = rules_for(&material, "");
    assert!(rules.iter().any(|rule| rule.id == "OBJ-008-1" && rule.strength == Strength::Hard));
}

#[test]
fn rules_hold_from_the_chapter_that_brings_them_in() {
    let mut material = story::material();
    material.rules[1].introduced_chapter = 9;
    material.characters[1].contracts[0].valid_until = Some(7);
    let ids: Vec<String> = rules_for(&material, "").into_iter().map(|rule| rule.id).collect();
    assert!(ids.contains(&"W-001".to_owned()) && !ids.contains(&"W-002".to_owned()));
    assert!(!ids.contains(&"C-LINFENG-001".to_owned()));
}
