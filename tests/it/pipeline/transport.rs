//! Servers that fail: what is tried again, what stops the run, and what is kept of it.

use super::script::{Reply, draft, score};
use super::studio::{KEY, STANDARD, STRONG, Studio};
use crate::llm::server::Answer;
use novel::llm::Wire;

const FIRST: [&str; 4] = ["draft", "summarize", "refine", "judge"];

fn busy(status: u16) -> Answer {
    Answer::error(status, "come back later").header("retry-after-ms", "1")
}

#[test]
fn what_passes_by_itself_is_tried_again_after_the_time_that_the_server_asks_for() {
    for (wire, first, second) in [(Wire::OpenAi, 429, 500), (Wire::Anthropic, 529, 429)] {
        let studio = Studio::over(wire).on("draft", busy(first)).on("draft", busy(second));
        let run = studio.go();
        assert_eq!(run.stderr.matches("retrying in").count(), 2, "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.asked(), [&["draft", "draft"], &FIRST[..]].concat());
        studio.done();
    }
}

#[test]
fn a_server_that_stays_busy_stops_the_run_and_nothing_that_came_is_asked_for_again() {
    let studio = Studio::new().with("NOVEL_RETRY_FOR", "0").on("judge", busy(529));
    let run = studio.go().fails(5);
    assert!(run.stderr.contains("overloaded") && run.stderr.contains("again to resume"), "{run:#?}");
    assert_eq!(studio.asked(), FIRST);
    assert_eq!(studio.draft_log().last().unwrap(), "fault");
    studio.check();
    let run = studio.go();
    assert!(run.stderr.contains("resuming"), "{run:#?}");
    let _ = run.ok();
    assert_eq!(studio.asked_since(4), ["judge"]);
    studio.done();
}

#[test]
fn the_beginning_of_an_answer_that_breaks_off_is_kept() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let studio = Studio::over(wire).on("draft", Reply::Broken(draft()));
        let run = studio.go();
        assert!(run.stderr.contains("cut off"), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.asked(), ["draft", "continue", "summarize", "refine", "judge"]);
        let calls = studio.novel(&["show", "ch-002", "--calls"]).ok();
        assert!(calls.contains("cut off after"), "{calls}");
        assert!(calls.find("text so far") < calls.find("── reply"), "{calls}");
        assert_eq!(calls.matches("“送米的。”").count(), 5, "the part, and the text in four prompts: {calls}");
        studio.done();
    }
}

#[test]
fn an_answer_that_always_breaks_off_stops_the_run_with_its_part_kept() {
    let rest = || Reply::Broken("老兵看了一眼，不说话，".into());
    let studio = Studio::new().on("draft", Reply::Broken(draft()));
    let studio = (0..2).fold(studio, |studio, _| studio.on("continue", rest()));
    let run = studio.go().fails(5);
    assert!(run.stderr.contains("cut off") && run.stderr.contains("unfinished"), "{run:#?}");
    let calls = studio.novel(&["show", "ch-002", "--calls"]).ok();
    assert!(calls.contains("text so far"), "{calls}");
    studio.done();
}

#[test]
fn silence_ends_at_the_time_that_the_user_has_set() {
    let quiet =
        [Reply::Stalled("# 第2章 城门\n\n天还没有亮。他站着不动，也不说话。".into()), Reply::Raw(Answer::mute())];
    for reply in quiet {
        let studio = Studio::new()
            .with("NOVEL_TIMEOUTS_IDLE", "150ms")
            .with("NOVEL_TIMEOUTS_FIRST_BYTE", "150ms")
            .on("draft", reply.clone())
            .on("draft", reply.clone())
            .on("draft", reply);
        let run = studio.go().fails(5);
        assert!(run.stderr.contains("no answer within the time limit") && run.stderr.contains("timeouts."), "{run:#?}");
        assert_eq!(studio.asked().len(), 3);
        studio.check();
        let _ = studio.go().ok();
        studio.done();
    }
}

#[test]
fn a_server_that_does_not_know_schemas_is_asked_in_words_from_then_on() {
    let refusal = || Answer::error(400, "response_format.type json_schema is unavailable now");
    let studio = Studio::new().on("summarize", refusal()).on("refine", refusal());
    let _ = studio.go().ok();
    // Summarizer and judge are asked of the standard model, the refiner of the strong one: each learns for itself.
    assert_eq!(studio.models("summarize"), [STANDARD, STANDARD]);
    assert_eq!(studio.models("refine"), [STRONG, STRONG]);
    assert_eq!(studio.requests("judge").len(), 1, "learned from the summarizer's call");
    let form = |stage: &str, at: usize| studio.requests(stage)[at].json()["response_format"]["type"].clone();
    assert_eq!((form("summarize", 0), form("summarize", 1)), ("json_schema".into(), "json_object".into()));
    assert_eq!(form("judge", 0), "json_object");
    assert!(studio.requests("judge")[0].prompt().contains("JSON Schema"));
    studio.done();
}

#[test]
fn a_key_that_is_not_accepted_is_said_at_once_and_appears_nowhere() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let refusal = Answer::error(401, &format!("Incorrect API key provided: {KEY}"));
        let studio = Studio::over(wire).on("draft", refusal);
        let run = studio.novel(&["continue", "-vv"]).fails(4);
        assert!(run.stderr.contains("rejects the key") && run.stderr.contains("novel setup"), "{run:#?}");
        assert_eq!(studio.asked(), ["draft"]);
        studio.then("draft", Answer::error(401, &format!("no such key: {KEY}")));
        let said = studio.novel(&["continue", "--json"]).fails(4);
        for text in [&run.stdout, &run.stderr, &said.stdout, &said.stderr] {
            assert!(!text.contains(KEY), "{text}");
        }
        assert_eq!(studio.places_of(KEY), Vec::<String>::new());
        assert!(studio.server.requests().iter().all(|request| !request.body.contains(KEY)));
        studio.done();
    }
}

#[test]
fn a_whole_chapter_leaves_no_trace_of_the_key() {
    let studio = Studio::new();
    let run = studio.novel(&["continue", "-vvv", "--stream"]);
    let (stdout, stderr) = (run.stdout.clone(), run.stderr.clone());
    let _ = run.ok();
    let calls = studio.novel(&["show", "ch-002", "--calls", "--json"]).ok();
    for text in [&stdout, &stderr, &calls] {
        assert!(!text.contains(KEY), "{text}");
    }
    assert_eq!(studio.places_of(KEY), Vec::<String>::new());
    assert!(studio.places_of("十二年前").len() > 3, "the search looks into objects");
    let sent = &studio.server.requests()[0];
    assert_eq!(sent.header("authorization"), format!("Bearer {KEY}"));
    studio.done();
}

#[test]
fn an_address_that_is_no_model_server_is_said() {
    let page = Answer::raw(200, "text/html", "<html>welcome</html>");
    let studio = Studio::new().on("draft", page);
    let run = studio.go().fails(5);
    assert!(run.stderr.contains("web page") && run.stderr.contains("base_url"), "{run:#?}");
    studio.done();
}

/// A server that puts its settings into its answers: the key that it was sent, and another's.
#[test]
fn a_key_in_an_answer_is_stored_and_shown_nowhere() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let other = ["ghp_", "0123456789abcdefghijklmnopqrstuv"].concat();
        let spoken = format!("“{KEY}，”他念道，“还有{other}。”\n\n");
        let (head, body) = draft().split_once("\n\n").map(|(head, body)| (head.to_owned(), body.to_owned())).unwrap();
        let mut report = score(4.2);
        report["comment"] = format!("{KEY} {other}").into();
        let studio = Studio::over(wire)
            .on("draft", Reply::Broken(format!("{head}\n\n{spoken}{body}")))
            .on("continue", Reply::CutShort(format!("{spoken}他走了几步")))
            .on("continue", format!("他停下来。\n\n{spoken}"))
            .on("judge", Reply::Raw(Answer::error(500, &format!("bad {KEY} {other}"))))
            .on("judge", report);
        let said = studio.novel(&["continue", "-vvv", "--stream"]);
        for secret in [KEY, &other] {
            assert!(!said.stdout.contains(secret) && !said.stderr.contains(secret), "{wire:?}: {said:#?}");
            assert_eq!(studio.places_of(secret), Vec::<String>::new(), "{wire:?}");
        }
        assert!(!studio.places_of("“[key]，”他念道，“还有[key]。”").is_empty(), "{wire:?}: {said:#?}");
    }
}
