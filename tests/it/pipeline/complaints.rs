//! Servers that complain, think, or do not keep to the form that they were asked for.

use super::script::{Reply, draft, summary};
use super::studio::{STANDARD, Studio};
use crate::llm::server::Answer;
use novel::llm::Wire;
use serde_json::{Value, json};

const FIRST: [&str; 4] = ["draft", "summarize", "refine", "judge"];

fn json_error(status: u16, code: &str, message: &str) -> Answer {
    let body = json!({"type": "error", "error": {"type": "error", "code": code, "message": message}});
    Answer::raw(status, "application/json", body.to_string())
}

/// An answer over OpenAI's wire that has only thought when it comes to its limit.
fn all_thinking() -> Answer {
    thinking_of(100_000)
}

fn thinking_of(tokens: u32) -> Answer {
    let choice =
        |delta: Value, reason: Value| json!({"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]});
    let thought = choice(json!({"reasoning_content": "先想一想"}), Value::Null);
    let mut last = choice(json!({}), json!("length"));
    last["usage"] = json!({"prompt_tokens": 100, "completion_tokens": tokens});
    Answer::stream([thought, last].map(|event| format!("data: {event}\n\n")))
}

fn room(request: &crate::llm::server::Received) -> u64 {
    let body = request.json();
    ["max_tokens", "max_completion_tokens"].iter().find_map(|field| body[field].as_u64()).unwrap()
}

#[test]
fn sensitive_content_and_an_empty_account_are_said_as_that_and_not_waited_for() {
    let cases = [
        (json_error(400, "1301", "系统检测到可能包含不安全或敏感内容"), "declined", "不安全"),
        (json_error(400, "x", "Your credit balance is too low"), "no balance", "credit balance"),
        (json_error(429, "1308", "已达到使用上限，20:00 重置"), "spending limit", "20:00"),
        (json_error(200, "data_inspection_failed", "Input may be bad"), "declined", "Input may be bad"),
        (json_error(400, "1261", "Prompt 超长"), "does not fit", "超长"),
    ];
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        for (answer, kind, words) in &cases {
            let asked = if *kind == "declined" { 2 } else { 1 };
            let studio = (0..asked).fold(Studio::over(wire), |studio, _| studio.on("draft", answer.clone()));
            let run = studio.go().fails(5);
            assert!(run.stderr.contains(kind) && run.stderr.contains(words), "{run:#?}");
            assert!(!run.stderr.contains("base_url") && !run.stderr.contains("retrying"), "{run:#?}");
            assert_eq!(run.stderr.contains("told with restraint"), *kind == "declined", "{run:#?}");
            assert_eq!(studio.asked(), vec!["draft"; asked]);
            studio.done();
        }
    }
}

#[test]
fn a_prompt_that_is_too_long_for_the_server_is_no_dead_end() {
    let too_long = || json_error(400, "x", "Input token length too long");
    for (stage, told) in [("refine", "is not refined"), ("summarize", "sentences of the chapter")] {
        let studio = Studio::new().on(stage, too_long());
        let run = studio.go();
        assert!(run.stderr.contains(told) && run.stderr.contains("Input token length"), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.asked(), FIRST);
        studio.done();
    }

    let studio = Studio::new().with("NOVEL_FALLBACK", OTHER).on("draft", too_long());
    let _ = studio.go().ok();
    assert_eq!(studio.models("draft"), [STANDARD, OTHER], "another model may hold it");
    studio.done();

    let studio = Studio::new().on("draft", too_long());
    assert!(studio.go().fails(5).stderr.contains("`novel context ch-002`"));
    let question = studio.novel(&["decide"]).fails(3).stdout;
    assert!(question.contains("--model") && !question.contains("decide rewrite"), "{question}");
    let status = studio.novel(&["status"]).ok();
    assert!(status.contains("to decide") && status.contains("next: novel decide"), "{status}");
    studio.write("staging/chapters/vol-01/chapter-002.md", &draft());
    let _ = studio.novel(&["decide", "edit"]).ok();
    let _ = studio.go().ok();
    assert_eq!(studio.asked(), ["draft", "summarize", "judge"]);
    assert_eq!(studio.read("chapters/vol-01/chapter-002.md"), draft(), "the author's own");
    studio.done();
}

#[test]
fn a_judge_who_gives_no_report_is_asked_about_in_status_as_well() {
    let studio = Studio::new().on("judge", "好").on("judge", "好").on("judge", "好");
    let _ = studio.go().fails(5);
    let status = studio.novel(&["status"]).ok();
    assert!(status.contains("to decide") && status.contains("next: novel decide"), "{status}");
    let asked = studio.novel(&["decide", "--json"]).fails(3).json();
    assert_eq!(asked["recommendation"], "accept-unjudged", "{asked:#}");
    let _ = studio.novel(&["decide", "accept-unjudged"]).ok();
    let _ = studio.go().ok();
    studio.done();

    let studio = Studio::new().with("NOVEL_RETRY_FOR", "0").on("judge", json_error(529, "x", "busy"));
    let _ = studio.go().fails(5);
    let status = studio.novel(&["status"]).ok();
    assert!(status.contains("next: novel continue"), "a server that is busy is asked again: {status}");
    assert_eq!(studio.novel(&["decide", "--json"]).fails(3).json()["recommendation"], "judge");
    let _ = studio.go().ok();
    studio.done();
}

#[test]
fn text_that_was_paid_for_before_a_complaint_can_be_read() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let whole = Reply::Text(draft()).over(wire);
        let cut = whole.body().len() / 2;
        let mut body = String::from_utf8_lossy(&whole.body()[..cut]).into_owned();
        body.truncate(body.rfind("\n\n").unwrap() + 2);
        let error = json!({"error": {"code": "Arrearage", "message": "in arrears"}});
        let studio = Studio::over(wire).on("draft", Answer::stream([body, format!("data: {error}\n\n")]));
        let run = studio.go().fails(5);
        assert!(run.stderr.contains("in arrears"), "{run:#?}");
        assert_eq!(studio.asked(), ["draft"]);
        let calls = studio.novel(&["show", "ch-002", "--calls"]).ok();
        assert!(calls.contains("text so far"), "{calls}");
        studio.done();
    }
}

#[test]
fn a_whole_text_counts_whatever_the_reason_for_its_end_and_a_part_is_kept() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let ending = |text: &str| match wire {
            Wire::OpenAi => Answer::openai_stream_ending(text, "completed"),
            Wire::Anthropic => Answer::anthropic_stream_ending(text, "pause_turn"),
        };
        let studio =
            Studio::over(wire).on("draft", ending(&draft())).on("summarize", ending(&summary(json!([])).to_string()));
        let _ = studio.go().ok();
        assert_eq!(studio.asked(), FIRST);
        studio.done();

        let half: String = draft().chars().take(60).collect();
        let studio = Studio::over(wire).on("draft", ending(&half));
        let run = studio.go().fails(5);
        assert!(run.stderr.contains("for a reason that this program does not know"), "{run:#?}");
        let calls = studio.novel(&["show", "ch-002", "--calls"]).ok();
        assert!(calls.contains("text so far") && calls.contains(half.trim_end()), "{calls}");
        studio.done();
    }
}

#[test]
fn a_model_that_only_thinks_gets_more_room_once_and_then_the_author_is_told_what_to_set() {
    let studio = Studio::new().on("draft", all_thinking()).on("draft", all_thinking());
    let run = studio.go().fails(5);
    assert!(run.stderr.contains("used up its room for thinking"), "{run:#?}");
    assert!(run.stderr.contains("effort low") && run.stderr.contains("thinking_tokens"), "{run:#?}");
    let requests = studio.requests("draft");
    assert_eq!((requests.len(), room(&requests[1])), (2, room(&requests[0]) * 2));
    studio.done();

    let full = Studio::new().with("NOVEL_CONTEXT_WINDOW", "12000").on("draft", all_thinking());
    let _ = full.go().fails(5);
    assert_eq!(full.asked(), ["draft"], "there is no more room");
    full.done();
}

#[test]
fn no_hint_about_thinking_names_what_is_set_already_or_cannot_be_had() {
    let own = |window: &str| {
        let studio = Studio::new().with("NOVEL_PROVIDER", "vllm").with("NOVEL_EFFORT", "low");
        studio.with("NOVEL_THINKING_TOKENS", "32000").with("NOVEL_CONTEXT_WINDOW", window)
    };
    let studio = own("200000").on("draft", all_thinking()).on("draft", all_thinking());
    let run = studio.go().fails(5);
    assert!(room(&studio.requests("draft")[0]) > 32_000, "the author's word about a server of his own counts");
    assert!(!run.stderr.contains("effort low") && run.stderr.contains("thinking_tokens 128000"), "{run:#?}");
    studio.done();

    let studio = own("32768").on("draft", all_thinking());
    let run = studio.go().fails(5);
    assert!(!run.stderr.contains("thinking_tokens") && run.stderr.contains("context_window"), "{run:#?}");
    studio.done();

    let studio = Studio::new().on("draft", thinking_of(50)).on("draft", thinking_of(50));
    let run = studio.go().fails(5);
    assert!(run.stderr.contains("used up its room for thinking"), "ended by the server's own limit: {run:#?}");
    studio.done();
}

#[test]
fn effort_is_sent_over_anthropics_wire_to_other_servers_and_left_out_where_they_complain() {
    let relay = || {
        let studio = Studio::over(Wire::Anthropic).with("NOVEL_PROVIDER", "vllm").with("NOVEL_WIRE", "anthropic");
        studio.with("NOVEL_EFFORT", "low")
    };
    let studio = relay();
    let _ = studio.go().ok();
    assert_eq!(studio.requests("draft")[0].json()["output_config"]["effort"], "low");
    studio.done();

    let studio = relay().on("draft", json_error(400, "x", "output_config: Extra inputs are not permitted"));
    let _ = studio.go().ok();
    assert!(studio.requests("draft")[1].json().get("output_config").is_none());
    studio.done();
}

#[test]
fn thinking_is_given_room_and_effort_for_all_agents_or_for_one() {
    let plain = Studio::new();
    let _ = plain.go().ok();
    let set = Studio::new()
        .with("NOVEL_EFFORT", "low")
        .with("NOVEL_AGENT_EFFORT_JUDGE", "high")
        .with("NOVEL_THINKING_TOKENS", "20000")
        .with("NOVEL_AGENT_THINKING_TOKENS_JUDGE", "0");
    let _ = set.go().ok();
    let of = |studio: &Studio, stage: &str| studio.requests(stage)[0].clone();
    assert_eq!(room(&of(&set, "draft")), room(&of(&plain, "draft")) + 8000);
    assert_eq!(room(&of(&set, "judge")), room(&of(&plain, "judge")) - 12_000);
    assert_eq!(of(&set, "draft").json()["reasoning_effort"], "low");
    assert_eq!(of(&set, "judge").json()["reasoning_effort"], "high");
    assert!(of(&plain, "draft").json().get("reasoning_effort").is_none());
    plain.done();
    set.done();
    let local = Studio::new().with("NOVEL_PROVIDER", "llama.cpp").with("NOVEL_EFFORT", "off");
    let _ = local.go().ok();
    let body = of(&local, "draft").json();
    assert_eq!(body["chat_template_kwargs"]["enable_thinking"], false);
    local.done();
    let wrong = Studio::new().with("NOVEL_EFFORT", "hard").go().fails(4);
    assert!(wrong.stderr.contains("off, low, medium, high"), "{wrong:#?}");
}

#[test]
fn a_server_that_ignores_the_schema_has_it_in_words_and_is_asked_less_strictly_after_a_reply_without_json() {
    let form = |studio: &Studio, stage: &str, at: usize| {
        studio.requests(stage)[at].json()["response_format"]["type"].as_str().unwrap_or("none").to_owned()
    };
    let prose = "好的，这一章写林枫到了北门。";
    let studio = Studio::new().with("NOVEL_JSON_MODE", "").on("summarize", prose).on("summarize", prose);
    let _ = studio.go().ok();
    let forms: Vec<String> = (0..2).map(|at| form(&studio, "summarize", at)).collect();
    assert_eq!(forms, ["json_schema", "json_object"]);
    // In the system prompt, which is the same for every chapter.
    let system = studio.requests("summarize")[0].json()["messages"][0]["content"].take();
    assert!(system.as_str().unwrap().contains("JSON Schema"), "{system}");
    assert_eq!(studio.models("judge"), [STANDARD]);
    assert_eq!(form(&studio, "judge", 0), "none", "learned from the summarizer");
    studio.done();

    let studio = Studio::new().with("NOVEL_JSON_MODE", "object");
    let _ = studio.go().ok();
    assert_eq!(form(&studio, "summarize", 0), "json_object");
    studio.done();
}

const OTHER: &str = "quill-other";

#[test]
fn another_model_is_asked_in_place_of_one_that_declines_and_only_for_that_question() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let studio = Studio::over(wire).with("NOVEL_FALLBACK", OTHER).on("draft", Reply::Refusal("不行".into()));
        let run = studio.go();
        assert!(run.stderr.contains(&format!("{OTHER} in place of {STANDARD}")), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.models("draft"), [STANDARD, OTHER]);
        assert_eq!(studio.models("summarize"), [STANDARD]);
        assert!(studio.trailer("Novel-Models").contains(&format!("writer={OTHER}, summarizer={STANDARD}")));
        assert!(studio.read("logs/vol-01/chapter-002-log.json").contains("in place of"));
        studio.done();
    }
}

#[test]
fn a_model_without_money_or_overloaded_is_left_for_the_rest_of_the_run() {
    let failures = [json_error(402, "x", "Insufficient Balance"), json_error(529, "x", "busy")];
    for failure in failures {
        let studio = Studio::new().with("NOVEL_RETRY_FOR", "0").with("NOVEL_FALLBACK", OTHER).on("draft", failure);
        let _ = studio.go().ok();
        assert_eq!(studio.models("draft"), [STANDARD, OTHER]);
        assert_eq!((studio.models("summarize"), studio.models("judge")), (vec![OTHER.into()], vec![OTHER.into()]));
        assert_ne!(studio.models("refine"), [OTHER], "the strong model is another one");
        studio.done();
    }
}

#[test]
fn fallbacks_of_an_agent_go_before_those_of_all_and_end() {
    let declined = || Reply::Refusal("不行".into());
    let studio = Studio::new()
        .with("NOVEL_FALLBACK", "quill-none")
        .with("NOVEL_AGENT_FALLBACK_WRITER", &format!("{OTHER}，quill-last"))
        .on("draft", declined())
        .on("draft", declined())
        .on("draft", declined())
        .on("draft", declined());
    let run = studio.go().fails(5);
    assert!(run.stderr.contains("declined"), "{run:#?}");
    assert_eq!(
        studio.models("draft"),
        [STANDARD, OTHER, "quill-last", "quill-last"],
        "the last one once more, with restraint"
    );
    studio.done();
}

#[test]
fn a_fallback_needs_its_own_key_and_its_price_counts_for_the_budget() {
    let studio = Studio::new().with("NOVEL_FALLBACK", "kimi:kimi-k3");
    let run = studio.go().fails(4);
    assert!(run.stderr.contains("MOONSHOT_API_KEY") && studio.asked().is_empty(), "{run:#?}");
    studio.done();

    let studio = Studio::new()
        .with("NOVEL_FALLBACK", "kimi:kimi-k3")
        .with("MOONSHOT_API_KEY", "sk-moon-0123456789abcdef")
        .with("NOVEL_BUDGET", "0.01usd")
        .on("draft", json_error(402, "x", "Insufficient Balance"));
    let run = studio.go().fails(6);
    assert!(run.stderr.contains("kimi-k3 in place of") && run.stderr.contains("budget"), "{run:#?}");
    assert_eq!(studio.asked(), ["draft"]);
    studio.done();
}
