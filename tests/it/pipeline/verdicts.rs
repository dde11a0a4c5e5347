//! Verdicts that leave something open: rules without an answer, violations without words of the text. The model cases run over
//! both wires.

use super::script::{QUOTE, score, violation};
use super::studio::Studio;
use crate::llm::server::{Answer, Received};
use novel::llm::Wire;
use serde_json::{Value, json};
use std::process::Command;

const WIRES: [Wire; 2] = [Wire::OpenAi, Wire::Anthropic];
const FIRST: [&str; 4] = ["draft", "summarize", "refine", "judge"];
const EVALUATION: &str = "evaluations/vol-01/chapter-002-eval.json";

/// The schema of the answer that a request asks for.
fn schema(request: &Received, wire: Wire) -> Value {
    let body = request.json();
    match wire {
        Wire::OpenAi => body["response_format"]["json_schema"]["schema"].clone(),
        Wire::Anthropic => body["output_config"]["format"]["schema"].clone(),
    }
}

/// A report that scores well and answers for these rules only, each by its id.
fn passing(ids: &[&str]) -> Value {
    let mut report = score(4.6);
    (report["checks"], report["passed"]) = (json!([]), json!(ids));
    report
}

fn silent() -> Value {
    json!({"checks": [], "passed": [], "not_applicable": []})
}

/// The report of chapter 2, in the book or in `staging/`.
fn evaluation(studio: &Studio, folder: &str) -> Value {
    serde_json::from_str(&studio.read(&format!("{folder}{EVALUATION}"))).unwrap()
}

#[test]
fn an_empty_verdict_is_asked_for_again_and_then_the_chapter_waits() {
    for wire in WIRES {
        for again in [silent(), passing(&[])] {
            let studio = Studio::over(wire).on("judge", passing(&[])).on("judge", again);
            let run = studio.go().fails(3);
            assert_eq!(studio.asked(), [&FIRST[..], &["judge"]].concat());
            assert!(run.stderr.contains("the report leaves out OBJ-002-1, OBJ-002-2"), "{run:#?}");
            for words in ["objective 2", "“两条线", "novel decide judge", "novel decide accept", "recommended"] {
                assert!(run.stdout.contains(words), "no `{words}` in {run:#?}");
            }
            let requests = studio.requests("judge");
            assert!(
                requests[1].prompt().contains("这些编号没有回答：OBJ-002-1、OBJ-002-2、LS-001"),
                "{}",
                requests[1].prompt()
            );
            assert!(requests[1].prompt().starts_with(&requests[0].prompt()), "what went before stays as it was");
            assert_eq!(studio.git(&["log", "--format=%s", "-1"]).trim(), "ch-001: 夜里的灯", "nothing joins the book");
            let open = evaluation(&studio, "staging/");
            let ids = &open["contract_verification"]["not_checked"];
            assert!(ids.as_array().unwrap().contains(&json!("OBJ-002-1")), "{open:#}");
            let question = studio.novel(&["decide", "--json"]).fails(3).json();
            assert_eq!(question["options"], json!(["judge", "revise", "edit", "rewrite", "accept"]));
            assert_eq!(question["data"]["not_checked"], json!(["OBJ-002-1", "OBJ-002-2", "LS-001"]));
            assert_eq!(studio.go().fails(3).stdout, run.stdout, "nobody is asked before the author has answered");
            assert_eq!(studio.asked().len(), 5);
            studio.done();
        }
    }
}

#[test]
fn the_author_may_let_the_judge_read_again_or_take_the_chapter_unchecked() {
    for wire in WIRES {
        let paused = || {
            let studio = Studio::over(wire).on("judge", passing(&[])).on("judge", silent());
            let _ = studio.go().fails(3);
            studio
        };
        let studio = paused();
        let _ = studio.novel(&["decide", "judge"]).ok();
        let line = studio.go().ok();
        assert_eq!((studio.asked_since(5), studio.trailer("Novel-Gate").as_str()), (vec!["judge"], "pass"), "{line}");
        assert_eq!(evaluation(&studio, "")["contract_verification"].get("not_checked"), None);
        studio.done();

        let studio = paused();
        let _ = studio.novel(&["decide", "accept"]).ok();
        let _ = studio.go().ok();
        assert_eq!((studio.asked().len(), studio.trailer("Novel-Gate").as_str()), (5, "author_accepted"));
        let shown = studio.novel(&["--ids", "show", "ch-002", "--evaluation"]).ok();
        let left_out = "not checked (no answer from the judge): objective 1 (OBJ-002-1), objective 2 (OBJ-002-2), ";
        assert!(shown.contains(left_out) && shown.contains("(LS-001)"), "{shown}");
        let metrics = studio.novel(&["metrics", "--json"]).ok();
        let metrics: Value = serde_json::from_str(&metrics).unwrap();
        let errors =
            metrics["figures"].as_array().unwrap().iter().find(|figure| figure["name"] == "consistency_errors");
        let errors = errors.unwrap();
        assert_eq!((&errors["value"], &errors["met"], &errors["not_checked"]), (&Value::Null, &Value::Null, &json!(2)));
        studio.done();
    }
}

#[test]
fn a_hard_rule_that_is_left_out_is_asked_for_alone() {
    for wire in WIRES {
        let known = ["LS-001", "OBJ-002-1", "LS-002", "LS-003", "LS-004"];
        let answer = json!({"checks": [], "passed": ["OBJ-002-2"], "not_applicable": []});
        let studio = Studio::over(wire).on("judge", passing(&known)).on("judge", answer);
        let run = studio.go();
        assert!(run.stderr.contains("the report leaves out OBJ-002-2"), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.asked(), [&FIRST[..], &["judge"]].concat());
        let asked = schema(&studio.requests("judge")[1], wire);
        assert_eq!(asked["properties"]["passed"]["items"]["enum"], json!(["OBJ-002-2"]), "{asked:#}");
        assert_eq!(asked["properties"].get("scores"), None, "what was answered is not asked for again");
        assert_eq!((studio.trailer("Novel-Gate").as_str(), studio.trailer("Novel-Score").as_str()), ("pass", "4.60"));
        let report = evaluation(&studio, "");
        assert_eq!(report["contract_verification"].get("not_checked"), None, "{report:#}");
        studio.done();
    }
}

#[test]
fn a_run_that_ends_before_the_rest_is_asked_for_has_the_report_all_the_same() {
    let known = ["LS-001", "OBJ-002-1", "LS-002", "LS-003", "LS-004"];
    let answer = json!({"checks": [], "passed": ["OBJ-002-2"], "not_applicable": []});
    let slow = json!({"error": {"type": "rate_limit_error", "message": "Too many", "retry_after": 300}});
    let busy = Answer::raw(429, "application/json", slow.to_string());
    let studio =
        Studio::new().with("NOVEL_RETRY_FOR", "10m").on("judge", passing(&known)).on("judge", busy).on("judge", answer);
    let mut run = studio.world.start("book", &["continue"]);
    run.until("retrying in");
    assert!(Command::new("kill").args(["-KILL", &run.pid().to_string()]).status().unwrap().success());
    let _ = run.finish();
    let _ = studio.go().ok();
    assert_eq!(studio.asked(), [&FIRST[..], &["judge", "judge"]].concat());
    let bodies: Vec<String> = studio.requests("judge").into_iter().map(|request| request.body).collect();
    assert_eq!(bodies[1], bodies[2], "what was answered before the run ended is not asked for again");
    studio.done();
}

#[test]
fn what_the_second_answer_finds_broken_is_revised() {
    for wire in WIRES {
        let found = json!({"rule": "LS-001", "evidence": QUOTE, "detail": "时辰对不上", "finding": "violation", "confidence": "high"});
        let studio = Studio::over(wire)
            .on("judge", passing(&["OBJ-002-1", "OBJ-002-2"]))
            .on("judge", json!({"checks": [found], "passed": ["LS-002", "LS-003", "LS-004"]}));
        let _ = studio.go().ok();
        assert_eq!(studio.asked()[4..6], ["judge", "revise"]);
        assert!(studio.requests("revise")[0].prompt().contains("LS-001：时辰对不上"));
        studio.done();
    }
}

#[test]
fn a_soft_rule_that_is_left_out_is_listed_as_not_checked() {
    for wire in WIRES {
        let studio = Studio::over(wire).on("judge", passing(&["LS-001", "OBJ-002-1", "OBJ-002-2", "LS-003"]));
        let run = studio.go();
        assert!(run.stderr.contains("not checked because the judge did not answer: LS-002, LS-004"), "{run:#?}");
        let _ = run.ok();
        assert_eq!((studio.asked(), studio.trailer("Novel-Gate").as_str()), (FIRST.to_vec(), "pass"));
        assert_eq!(evaluation(&studio, "")["contract_verification"]["not_checked"], json!(["LS-002", "LS-004"]));
        let shown = studio.novel(&["show", "ch-002", "--evaluation", "--json"]).ok();
        let shown: Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(shown["not_checked"], json!(["LS-002", "LS-004"]));
        studio.done();
    }
}

#[test]
fn rules_that_pass_may_be_a_bare_list_of_ids() {
    for wire in WIRES {
        let all = ["LS-001", "OBJ-002-1", "OBJ-002-2", "LS-002", "LS-003", "LS-004", "LS-005"];
        let studio = Studio::over(wire).on("judge", passing(&all));
        let run = studio.go();
        assert!(!run.stderr.contains("not checked"), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.asked(), FIRST);
        let sent = schema(&studio.requests("judge")[0], wire);
        let order: Vec<&String> =
            sent["properties"]["scores"]["properties"]["pacing"]["properties"].as_object().unwrap().keys().collect();
        assert_eq!(order, ["evidence", "reason", "score"]);
        studio.done();
    }
}

#[test]
fn a_rule_that_there_is_not_answers_for_none() {
    for wire in WIRES {
        let mut odd = passing(&["LS-001", "OBJ-002-1", "OBJ-2-2", "W-999", "LS-002", "LS-003", "LS-004"]);
        odd["checks"] = json!([{"rule": "OBJ-002-9", "evidence": QUOTE, "detail": "错", "finding": "violation", "confidence": "high"}]);
        let studio = Studio::over(wire).on("judge", odd).on("judge", json!({"passed": ["OBJ-002-2", "W-999"]}));
        let run = studio.go();
        assert!(run.stderr.contains("the report leaves out OBJ-002-2"), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.trailer("Novel-Gate"), "pass");
        let log = studio.novel(&["show", "ch-002", "--log"]).ok();
        assert!(log.contains("`W-999`, which was not asked") && log.contains("`OBJ-002-9`"), "{log}");
        studio.done();
    }
}

#[test]
fn a_quotation_that_is_not_in_the_text_is_asked_for_and_one_that_is_found_forces_a_revision() {
    for wire in WIRES {
        let studio = Studio::over(wire)
            .on("judge", violation(4.8, "他拔剑飞上了城楼"))
            .on("judge", json!({"quotations": [{"rule": "LS-001", "evidence": QUOTE}]}));
        let run = studio.go();
        assert!(run.stderr.contains("quotations not found in the text: LS-001"), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.asked(), [&FIRST[..], &["judge", "revise", "summarize", "refine", "judge"]].concat());
        let second = &studio.requests("judge")[1];
        assert!(second.prompt().contains("- LS-001：时辰对不上；引的是“他拔剑飞上了城楼”"), "{}", second.prompt());
        let asked = schema(second, wire);
        let rule = &asked["properties"]["quotations"]["items"]["properties"]["rule"];
        assert_eq!(rule["enum"], json!(["LS-001"]), "{asked:#}");
        assert!(studio.requests("revise")[0].prompt().contains(QUOTE));
        studio.done();
    }
}

#[test]
fn a_violation_that_is_never_quoted_is_kept_and_shown_as_unproven() {
    for wire in WIRES {
        let answers = [
            json!({"quotations": [{"rule": "LS-001", "evidence": "他又拔了一次剑"}]}),
            json!({"quotations": []}),
            json!("没有"),
        ];
        for answer in answers {
            let studio =
                Studio::over(wire).on("judge", violation(4.4, "他拔剑飞上了城楼")).on("judge", answer.to_string());
            let run = studio.go();
            assert!(run.stderr.contains("unproven: LS-001"), "{run:#?}");
            let _ = run.ok();
            assert_eq!(studio.asked(), [&FIRST[..], &["judge"]].concat());
            assert_eq!(studio.trailer("Novel-Gate"), "pass");
            let report = evaluation(&studio, "");
            assert_eq!(report["contract_verification"]["unproven"], json!(["LS-001"]), "{report:#}");
            let shown = studio.novel(&["--ids", "show", "ch-002", "--evaluation"]).ok();
            assert!(
                shown.contains("LS-001") && shown.contains("unproven") && shown.contains("not found in the text"),
                "{shown}"
            );
            let zh = studio.novel(&["--lang", "zh", "show", "ch-002", "--evaluation"]).ok();
            assert!(zh.contains("未证实") && zh.contains("正文中没有这句话"), "{zh}");
            studio.done();
        }
    }
}

#[test]
fn each_of_two_judges_has_to_be_complete() {
    for wire in WIRES {
        for (empty, other) in [("judge", "judge-2"), ("judge-2", "judge")] {
            let studio = Studio::unwritten(wire).on(empty, passing(&[])).on(empty, silent());
            let run = studio.go().fails(3);
            assert!(run.stdout.contains("novel decide judge") && run.stdout.contains("objective 1"), "{run:#?}");
            assert_eq!((studio.requests(empty).len(), studio.requests(other).len()), (2, 1));
            let _ = studio.novel(&["decide", "judge"]).ok();
            let line = studio.go().ok();
            assert!(line.starts_with("ch-001") && line.contains("pass"), "{line}");
            assert_eq!((studio.requests(empty).len(), studio.requests(other).len()), (3, 1), "only that one is asked");
            studio.done();
        }
    }
}

#[test]
fn a_server_that_is_told_the_form_in_words_keeps_the_whole_first_question_in_its_cache() {
    let refusal = Answer::error(400, "response_format of type json_schema is not supported");
    let studio = Studio::new().on("judge", refusal).on("judge", passing(&["LS-001"])).on("judge", silent());
    let _ = studio.go().fails(3);
    let prompts: Vec<String> = studio.requests("judge").iter().map(Received::prompt).collect();
    assert!(prompts[1].contains("编号：OBJ-002-1、OBJ-002-2、LS-001"), "{}", prompts[1]);
    let rest =
        prompts[2].strip_prefix(&prompts[1]).expect("the first question stands unchanged before what is asked now");
    assert!(rest.contains("OBJ-002-1、OBJ-002-2、LS-002") && rest.contains("\"not_applicable\": []"), "{rest}");
    assert!(rest.chars().count() < 400 && !rest.contains("plot_logic"), "{rest}");
    let shown = studio.novel(&["show", "ch-002", "--calls"]).ok();
    assert!(shown.contains("OBJ-002-1、OBJ-002-2、LS-002"), "{shown}");
    studio.done();
}

#[test]
fn each_measurement_comes_with_the_human_range() {
    let studio = Studio::new();
    let _ = studio.go().ok();
    let prompt = studio.requests("judge")[0].prompt();
    let (_, measured) = prompt.rsplit_once("<测得的数据>").unwrap();
    let measured = measured.split("</测得的数据>").next().unwrap();
    for name in ["套路动作", "沉默与停顿", "句子骨架重复", "八个字以内的短句", "平均句长", "每句的逗号"]
    {
        let line = measured.lines().find(|line| line.contains(name)).unwrap();
        assert!(line.contains("（人写的书 ") && line.contains('–'), "{line}");
    }
    assert!(measured.contains("全章不足一千字"), "{measured}");
}

#[test]
fn the_offline_judge_claims_to_have_read_nothing() {
    let studio = Studio::unwritten(Wire::OpenAi);
    let run = studio.novel(&["continue", "4", "--offline"]);
    assert!(run.stdout.contains("(placeholder)") && !run.stderr.contains("not checked"), "{run:#?}");
    let _ = run.ok();
    let report = evaluation(&studio, "");
    assert_eq!(
        (&report["reading"], report["contract_verification"]["not_checked"].as_array().unwrap().len()),
        (&json!(false), 7)
    );
    let shown = studio.novel(&["show", "ch-002", "--evaluation"]).ok();
    assert!(shown.contains("does not read the text") && shown.contains("7 not checked"), "{shown}");
    assert!(!shown.contains("kept"), "{shown}");
    let zh = studio.novel(&["--lang", "zh", "metrics"]).ok();
    let line = zh.lines().find(|line| line.contains("一致性错误")).unwrap();
    assert!(line.contains("没有核对") && !line.contains("达到"), "{zh}");
    let figures = studio.novel(&["metrics", "--json"]).ok();
    let figures: Value = serde_json::from_str(&figures).unwrap();
    for name in ["score", "style_naturalness", "compliance", "character_conduct", "consistency_errors"] {
        let figure = figures["figures"].as_array().unwrap().iter().find(|figure| figure["name"] == name).unwrap();
        assert_eq!((&figure["value"], &figure["met"]), (&Value::Null, &Value::Null), "{figure}");
    }
    let review = studio.novel(&["review", "--offline"]).ok();
    assert!(
        review.contains("没有读过、只有离线占位分的章：ch-001–ch-004")
            && review.contains("章节契约：没有核对，7 条：ch-001 本章目标 1、本章目标 2；ch-002"),
        "{review}"
    );
    assert!(!review.contains("没有违反"), "{review}");
}
