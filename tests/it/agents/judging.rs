//! Reading the judge's report.

use super::story;
use novel::agents::context::rules::{Given, objectives, rules_for};
use novel::agents::judge::{self, JudgeContext, JudgeRemark, Judged};
use novel::agents::{ChapterContext, Opinion, Prompts, ReplyFault, ReplyForm, Task, prompt};
use novel::domain::ChapterNo;
use novel::domain::chapter::Chapter;
use novel::domain::chapter::evaluation::{Check, Confidence, Dimension, Finding, Unusable};
use novel::domain::chapter::summary::{CrossReference, LeakRisk};
use novel::domain::world::contract::{Layer, Strength};
use novel::llm::request::portable;
use serde_json::{Value, json};

fn report(checks: Value) -> Value {
    let scores: serde_json::Map<String, Value> = Dimension::ALL
        .iter()
        .map(|d| (d.as_str().to_owned(), json!({"score": 4.0, "reason": "稳", "evidence": "泥是新的，缝却是旧的"})))
        .collect();
    json!({"checks": checks, "scores": scores, "overall": 5.0, "risk_flags": [], "required_fixes": [], "issues": [], "strengths": []})
}

fn read(
    context: &ChapterContext,
    text: &Chapter,
    cross: &[CrossReference],
    reply: &Value,
) -> Result<Judged, ReplyFault> {
    let asked = ids(&rules_for(context, &text.body));
    hear(context, text, cross, &asked, |hearing| judge::read(&reply.to_string(), hearing))
}

fn ids(rules: &[Given]) -> Vec<String> {
    rules.iter().map(|rule| rule.id.clone()).collect()
}

fn hear<T>(
    context: &ChapterContext,
    text: &Chapter,
    cross_references: &[CrossReference],
    asked: &[String],
    with: impl FnOnce(&JudgeContext) -> T,
) -> T {
    let found = |quote: &str| text.body.contains(quote);
    with(&JudgeContext { context, text, cross_references, asked, reading: true, found: &found })
}

/// A sure violation of a hard rule of the world, which quotes words that the text does not have.
pub fn violation(rule: &str, evidence: &str) -> Check {
    Check {
        rule: rule.into(),
        layer: Layer::World,
        strength: Strength::Hard,
        finding: Finding::Violation,
        confidence: Confidence::High,
        detail: "凭口令开了门".into(),
        evidence: evidence.into(),
        evidence_found: false,
    }
}

fn finding(judged: &Judged, rule: &str) -> Finding {
    judged.evaluation.checks.iter().find(|check| check.rule == rule).unwrap().finding
}

fn leak(entity: &str, risk: LeakRisk) -> CrossReference {
    CrossReference { entity: entity.into(), storyline: "sea-plan".into(), risk, evidence: "转述的话".into() }
}

#[test]
fn layer_and_strength_come_from_the_rule_and_quotations_are_checked() {
    let (context, text) = (story::context(), story::text(8, 500));
    let reply = report(json!([
        {"rule": "W-003", "finding": "violation", "confidence": "high", "detail": "", "evidence": "泥是新的", "layer": "L3", "strength": "hard"},
        {"rule": "w-001", "finding": "violation", "confidence": "high", "detail": "开门", "evidence": "从未写过的话"},
        {"rule": "W-001", "finding": "pass", "confidence": "high"},
        {"rule": "OBJ-008-1", "finding": "violation", "confidence": "high", "detail": "没有开门", "evidence": ""},
        {"rule": "W-999", "finding": "violation", "confidence": "high", "evidence": "泥是新的"},
        {"rule": "W-002", "finding": "好像违反了", "confidence": "high"}
    ]));
    let judged = read(&context, &text, &[], &reply).unwrap();
    let (unanswered, unproven) = (judged.unanswered(), judged.unproven());
    let Judged { evaluation, remarks } = judged;
    let checked = evaluation.checks.iter().filter(|check| check.finding.is_checked());
    let seen: Vec<(&str, Layer, Strength, bool)> =
        checked.map(|c| (c.rule.as_str(), c.layer, c.strength, c.blocks())).collect();
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
    assert!(remarks.contains(&JudgeRemark::UnknownRule("W-999".into())));
    assert!(remarks.contains(&JudgeRemark::UnknownFinding("W-002".into())));
    assert!(unanswered.contains(&"C-LINFENG-001".into()), "{unanswered:?}");
    assert!(unanswered.contains(&"LS-002".into()), "soft rules are asked for with the hard ones: {unanswered:?}");
    assert_eq!(unproven.iter().map(|check| check.rule.as_str()).collect::<Vec<_>>(), ["W-001"]);
}

#[test]
fn rules_that_pass_may_be_a_bare_list_and_what_is_left_out_is_known_as_unknown() {
    let (context, text) = (story::context(), story::text(8, 300));
    let rules = rules_for(&context, &text.body);
    let (hard, soft): (Vec<Given>, Vec<Given>) =
        rules.iter().cloned().partition(|rule| rule.strength == Strength::Hard);
    let answering = |passed: Value, apart: Value| {
        let mut reply = report(json!([]));
        (reply["passed"], reply["not_applicable"]) = (passed, apart);
        read(&context, &text, &[], &reply).unwrap()
    };
    let whole = answering(json!(ids(&rules)), json!([]));
    assert!(whole.evaluation.is_complete() && whole.unanswered().is_empty() && whole.remarks.is_empty());
    assert!(whole.evaluation.checks.iter().all(|check| check.finding == Finding::Pass));
    // In one string, in objects, in small letters, with an id of nothing.
    let odd = answering(json!("w-001、W-002"), json!([{"rule": "W-003"}, "W-777"]));
    assert_eq!(
        ["W-001", "W-002", "W-003"].map(|rule| finding(&odd, rule)),
        [Finding::Pass, Finding::Pass, Finding::NotApplicable]
    );
    assert_eq!(odd.remarks, [JudgeRemark::UnknownRule("W-777".into())]);
    // Every rule has a check; soft ones alone are no reason to ask again.
    let few = answering(json!(ids(&hard)), json!([]));
    assert_eq!(few.evaluation.checks.len(), rules.len());
    assert!(soft.iter().all(|rule| finding(&few, &rule.id) == Finding::NotChecked));
    assert_eq!((few.unanswered().len(), few.evaluation.is_complete()), (0, true));
    let empty = answering(json!([]), json!([]));
    assert!(!empty.evaluation.is_complete());
    assert_eq!(empty.unanswered().len(), rules.len());
    let mut blank = report(json!([]));
    for dimension in Dimension::ALL {
        blank["scores"][dimension.as_str()]["reason"] = json!("……");
    }
    assert!(matches!(read(&context, &text, &[], &blank), Err(ReplyFault::Field { field: "reason", .. })));
}

#[test]
fn a_model_cannot_say_of_itself_that_it_has_not_read() {
    let (context, text) = (story::context(), story::text(8, 300));
    let mut reply =
        report(json!([{"rule": "W-001", "finding": "not_checked"}, {"rule": "W-002", "finding": "not_asked"}]));
    reply["reading"] = json!(false);
    let judged = read(&context, &text, &[], &reply).unwrap();
    assert!(judged.evaluation.reading && !judged.evaluation.is_complete());
    assert!(["W-001", "W-002"].iter().all(|rule| judged.unanswered().contains(&(*rule).to_owned())));
}

#[test]
fn a_second_answer_fills_gaps_and_changes_nothing_else() {
    let (context, text) = (story::context(), story::text(8, 300));
    let asked = ids(&rules_for(&context, &text.body));
    let mut reply = report(json!([]));
    reply["passed"] = json!(asked.iter().filter(|id| *id != "W-001" && *id != "W-002").collect::<Vec<_>>());
    let first = read(&context, &text, &[], &reply).unwrap();
    assert_eq!(first.unanswered(), ["W-001", "W-002"]);
    let with = |reply: Value| {
        hear(&context, &text, &[], &asked, |hearing| judge::with_answers(first.clone(), &reply.to_string(), hearing))
    };
    let broken = json!({"rule": "W-001", "evidence": "泥是新的", "detail": "开门", "finding": "violation", "confidence": "high"});
    let filled = with(
        json!({"checks": [broken, {"rule": "OBJ-008-1", "finding": "violation", "confidence": "high"}], "passed": ["W-002"]}),
    );
    assert!(filled.unanswered().is_empty());
    assert_eq!(
        ["W-001", "W-002", "OBJ-008-1"].map(|rule| finding(&filled, rule)),
        [Finding::Violation, Finding::Pass, Finding::Pass]
    );
    assert_eq!(filled.evaluation.blocking().count(), 1);
    assert_eq!((with(json!("不知道")), with(json!({"passed": []}))), (first.clone(), first.clone()));
}

#[test]
fn a_quotation_that_is_given_later_proves_a_violation_and_none_does_not() {
    let (context, text) = (story::context(), story::text(8, 300));
    let asked = ids(&rules_for(&context, &text.body));
    let accused = |rule: &str, evidence: &str| json!({"rule": rule, "finding": "violation", "confidence": "high", "detail": "错", "evidence": evidence});
    let reply =
        report(json!([accused("W-001", "从未写过的话"), accused("W-002", ""), accused("OBJ-008-1", "也没有写过的话")]));
    let first = read(&context, &text, &[], &reply).unwrap();
    assert_eq!((first.evaluation.blocking().count(), first.unproven().len()), (0, 3));
    let with = |quotations: Value| {
        let reply = json!({"quotations": quotations}).to_string();
        hear(&context, &text, &[], &asked, |hearing| judge::with_quotations(first.clone(), &reply, hearing))
    };
    let shown = with(json!([{"rule": "w-001", "evidence": "泥是新的"}, {"rule": "W-002", "evidence": "又编一句"}]));
    assert_eq!(shown.evaluation.blocking().map(|check| check.rule.as_str()).collect::<Vec<_>>(), ["W-001"]);
    assert_eq!(shown.unproven().len(), 2);
    // An objective that is not met cannot be quoted.
    let missing = with(json!([{"rule": "OBJ-008-1", "evidence": ""}, {"rule": "W-002", "evidence": ""}]));
    assert_eq!(missing.evaluation.blocking().map(|check| check.rule.as_str()).collect::<Vec<_>>(), ["OBJ-008-1"]);
    assert_eq!(with(json!([])), first);
}

#[test]
fn a_rule_that_did_not_fit_into_the_prompt_is_not_asked_and_no_fault_of_the_judge() {
    let (context, text) = (story::oversized(), story::text(30, 300));
    let task =
        Task::Judge { context: &context, text: &text, cross_references: &[], measured: &[], opinion: Opinion::First };
    let asked = prompt(&task, &Prompts::default()).unwrap().asked;
    let rules = rules_for(&context, &text.body);
    assert!(!asked.is_empty() && asked.len() < rules.len(), "{} of {}", asked.len(), rules.len());
    let mut reply = report(json!([]));
    reply["passed"] = json!(asked);
    let judged = hear(&context, &text, &[], &asked, |hearing| judge::read(&reply.to_string(), hearing)).unwrap();
    assert!(judged.evaluation.is_complete());
    let left_out = judged.evaluation.unchecked().filter(|check| check.finding == Finding::NotAsked).count();
    assert_eq!(left_out, rules.len() - asked.len());
}

/// The properties of an object in a schema, in their order.
fn order(schema: &Value, at: &str) -> Vec<String> {
    schema.pointer(at).unwrap().as_object().unwrap().keys().cloned().collect()
}

#[test]
fn the_schema_asks_for_evidence_first() {
    let (context, text) = (story::context(), story::text(8, 300));
    let task =
        Task::Judge { context: &context, text: &text, cross_references: &[], measured: &[], opinion: Opinion::First };
    let made = prompt(&task, &Prompts::default()).unwrap();
    let ReplyForm::Json { schema, .. } = &made.answer else { panic!("a judge answers in JSON") };
    let sent = portable(schema);
    assert_eq!(
        order(&sent, "/properties/checks/items/properties"),
        ["rule", "evidence", "detail", "finding", "confidence"]
    );
    for dimension in Dimension::ALL {
        assert_eq!(
            order(&sent, &format!("/properties/scores/properties/{dimension}/properties")),
            ["evidence", "reason", "score"]
        );
    }
    // The whole of it is of the part of the language that every server takes.
    let allowed = ["type", "properties", "required", "additionalProperties", "items", "enum", "description"];
    fn words(schema: &Value, found: &mut Vec<String>) {
        for (word, value) in schema.as_object().into_iter().flatten() {
            found.push(word.clone());
            match word.as_str() {
                "properties" => value.as_object().unwrap().values().for_each(|inner| words(inner, found)),
                "items" => words(value, found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    words(&sent, &mut found);
    assert!(found.iter().all(|word| allowed.contains(&word.as_str())), "{found:?}");
}

#[test]
fn the_judge_sees_what_it_is_asked_about() {
    let text = story::text(8, 300);
    let asked = |context: &ChapterContext, text: &Chapter| {
        let task = Task::Judge { context, text, cross_references: &[], measured: &[], opinion: Opinion::First };
        prompt(&task, &Prompts::default()).unwrap().full_text()
    };
    let context = story::context();
    let shown = asked(&context, &text);
    for fact in [
        "characters.lin-feng.location = 城北客栈",
        "world_state.curfew = 北门戌时落锁",
        "mirror：第1章埋下，这一章推进",
        "nameless-stele：父亲刻过一块无名碑",
        context.brief.lines().find(|line| line.chars().count() > 8).unwrap(),
        context.previous_ending.trim(),
    ] {
        assert!(!fact.is_empty() && shown.contains(fact), "no `{fact}` in {shown}");
    }
    // The parts that all chapters share stand before those of this one.
    let at = |mark: &str| shown.find(mark).unwrap();
    assert!(at("<创作纲领>") < at("<人物档案与契约>") && at("<章前状态>") < at("<章节正文>"));
    let next = story::chapter_of_volume(9, 1);
    let other = asked(&next, &story::text(9, 300));
    let shared = shown.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    assert!(shared > shown[..at("<人物档案与契约>")].len(), "{shared}");
    // After a switch of lines it sees where this one stopped, and which chapter that was.
    let switched = story::chapter_of_volume(10, 1);
    assert_eq!(switched.line_before, ChapterNo::new(8));
    let shown = asked(&switched, &story::text(10, 300));
    assert!(shown.contains("本线停在第8章") && shown.contains(switched.previous_ending.trim()), "{shown}");
}

#[test]
fn each_dimension_has_anchors_from_2_to_5_and_a_border() {
    let prompts = Prompts::default();
    let of = |file: &str| prompts.files().find(|(path, _)| *path == file).unwrap().1;
    let (scale, short) = (of("prompts/judge/scale.md"), of("prompts/judge/short-scale.md"));
    for dimension in Dimension::ALL {
        assert_eq!(short.matches(&format!("- `{dimension}`")).count(), 1, "{dimension}");
        let part = scale.split(&format!("### `{dimension}`")).nth(1).unwrap();
        let part = part.split("\n#").next().unwrap();
        for anchor in ["- 5：", "- 4：", "- 3：", "- 2："] {
            assert_eq!(part.matches(anchor).count(), 1, "{dimension} {anchor}");
        }
        let border = part.lines().find(|line| line.starts_with("- 分界：")).unwrap();
        assert!(border.contains("是 3") && border.contains("是 4"), "{border}");
    }
}

#[test]
fn the_judge_is_asked_only_for_rules_that_it_sees() {
    let (context, text) = (story::oversized(), story::text(30, 300));
    let task =
        Task::Judge { context: &context, text: &text, cross_references: &[], measured: &[], opinion: Opinion::First };
    let prompt = prompt(&task, &Prompts::default()).unwrap().full_text();
    let (_, list) = prompt.rsplit_once("每个都要有结果的编号：").unwrap();
    let ids: Vec<&str> = list.split('。').next().unwrap().split('、').collect();
    assert!(ids.len() > 20 && ids.len() < 200, "{}", ids.len());
    assert!(ids.iter().all(|id| prompt.contains(&format!("- {id}【"))));
}

#[test]
fn a_leak_of_high_risk_is_a_violation_of_our_own() {
    let (mut context, mut text) = (story::context(), story::text(8, 300));
    text.body.push_str("\n管十压低声音：“船务司那个许青，昨夜找到了货单。”\n");
    let leaks = |context: &ChapterContext, cross: &[CrossReference]| {
        let evaluation = read(context, &text, cross, &report(json!([]))).unwrap().evaluation;
        evaluation.blocking().filter(|check| check.rule == "LS-005").cloned().collect::<Vec<_>>()
    };
    let [check] = &leaks(&context, &[leak("许青", LeakRisk::High)])[..] else { panic!("one check") };
    assert!(check.blocks() && check.finding == Finding::Violation);
    assert!(text.body.contains(&check.evidence) && check.evidence.contains("许青"));
    assert_eq!(leaks(&context, &[leak("许青", LeakRisk::Medium)]), []);
    assert_eq!(leaks(&context, &[leak("长公主", LeakRisk::High)]), [], "the name does not stand in the text");
    for line in ["main-arc", "nowhere", ""] {
        let of_line = CrossReference { storyline: line.into(), ..leak("许青", LeakRisk::High) };
        assert_eq!(leaks(&context, &[of_line]), [], "no other line of the book: `{line}`");
    }
    context.schedule.convergences[0].chapters = (8, 8);
    assert_eq!(leaks(&context, &[leak("许青", LeakRisk::High)]), [], "lines meet in this chapter");
}

#[test]
fn scores_must_be_complete_but_may_be_written_in_words() {
    let (context, text) = (story::context(), story::text(8, 300));
    let mut reply = report(json!([]));
    reply["scores"]["pacing"]["score"] = json!("4.5/5");
    let judged = read(&context, &text, &[], &reply).unwrap();
    assert!(judged.evaluation.scores.iter().any(|s| s.dimension == Dimension::Pacing && s.score > 4.4));
    reply["scores"]["pacing"]["score"] = json!("很好");
    assert_eq!(read(&context, &text, &[], &reply), Err(ReplyFault::Scores(Unusable::OutOfRange(Dimension::Pacing))));
    reply["scores"].as_object_mut().unwrap().remove("pacing");
    assert_eq!(read(&context, &text, &[], &reply), Err(ReplyFault::Scores(Unusable::Missing(Dimension::Pacing))));
    assert!(matches!(read(&context, &text, &[], &json!({"checks": []})), Err(ReplyFault::Field { .. })));
}

#[test]
fn a_plan_without_a_contract_still_has_objectives() {
    let mut context = story::context();
    assert_eq!(objectives(&context).len(), 3);
    context.contract = None;
    let derived = objectives(&context).into_owned();
    assert_eq!(derived.iter().map(|o| o.id.as_str()).collect::<Vec<_>>(), ["OBJ-008-1", "OBJ-008-2"]);
    assert!(derived.iter().all(|objective| objective.required));
    assert!(derived[1].description.contains("mirror"));
    let rules = rules_for(&context, "");
    assert!(rules.iter().any(|rule| rule.id == "OBJ-008-1" && rule.strength == Strength::Hard));
}

#[test]
fn rules_hold_from_the_chapter_that_brings_them_in() {
    let mut context = story::context();
    context.rules[1].introduced_chapter = 9;
    context.characters[1].contracts[0].valid_until = Some(7);
    let ids: Vec<String> = rules_for(&context, "").into_iter().map(|rule| rule.id).collect();
    assert!(ids.contains(&"W-001".to_owned()) && !ids.contains(&"W-002".to_owned()));
    assert!(!ids.contains(&"C-LINFENG-001".to_owned()));
}
