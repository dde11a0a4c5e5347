//! Requests: the form of the answers, the size of the prompts, what they hold and what not.

use super::script::{draft_of, score, stage_of};
use super::studio::{STANDARD, STRONG, Studio};
use crate::llm::server::{Answer, Received};
use novel::llm::Wire;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The schema that a request asks for.
fn schema(request: &Received, wire: Wire) -> Value {
    let body = request.json();
    match wire {
        Wire::OpenAi => body["response_format"]["json_schema"]["schema"].clone(),
        Wire::Anthropic => body["output_config"]["format"]["schema"].clone(),
    }
}

#[test]
fn json_is_asked_for_by_schema_and_prose_without_one() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let studio = Studio::over(wire);
        let _ = studio.go().ok();
        assert_eq!(schema(&studio.requests("draft")[0], wire), Value::Null);
        for (stage, field) in [("summarize", "ops"), ("refine", "edits"), ("judge", "scores")] {
            let schema = schema(&studio.requests(stage)[0], wire);
            assert!(schema["properties"][field].is_object(), "{stage}: {schema:#}");
        }
        assert_eq!(studio.models("refine"), [STRONG], "the book's roles decide who is asked");
        studio.done();
    }
}

#[test]
fn requests_are_recorded_word_for_word_and_their_long_texts_stored_once() {
    let studio = Studio::new();
    let _ = studio.go().ok();
    let shown = studio.novel(&["show", "ch-002", "--calls", "--json"]).json();
    let calls = shown["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 4, "{shown:#}");
    for stage in ["draft", "summarize", "refine", "judge"] {
        let sent = &studio.requests(stage)[0];
        let has = |call: &&Value| {
            let parts = call["request"]["prompt"].as_array().unwrap().iter();
            let parts: String = parts.map(|part| part["text"].as_str().unwrap()).collect();
            let rest = sent.prompt().strip_prefix(call["request"]["system"].as_str().unwrap()).map(str::to_owned);
            rest.is_some_and(|rest| rest == parts)
        };
        let call = calls.iter().find(has);
        let call = call.unwrap_or_else(|| panic!("{stage} is not recorded as it was sent: {shown:#}"));
        // Wires word a schema in their own ways; the record has it before that.
        let required = &call["request"]["answer"]["schema"]["required"];
        assert_eq!(*required, schema(sent, Wire::OpenAi)["required"], "{stage}");
    }
    // The draft's history has the text that the judge read as the chapter's own file.
    let draft = studio.git(&["log", "-1", "--format=%(trailers:key=Novel-Draft,valueonly)", "ch-002"]);
    let files = studio.git(&["ls-tree", "-r", draft.trim()]);
    let blob = |line: &str| line.split_whitespace().nth(2).unwrap().to_owned();
    let (recorded, own): (Vec<&str>, Vec<&str>) = files.lines().partition(|line| line.contains("\t.draft/"));
    let text = own.iter().find(|line| line.ends_with("chapter-002.md")).map(|line| blob(line));
    assert!(recorded.iter().any(|line| Some(blob(line)) == text), "{files}");
    // Each text is one object, however many agents were shown it.
    let texts: BTreeSet<String> = recorded.iter().map(|line| blob(line)).collect();
    let quoted = texts.iter().map(|id| studio.git(&["cat-file", "blob", id]));
    assert_eq!(quoted.filter(|text| text.contains("那只手一直在抖")).count(), 2, "the draft and the refined text");
    studio.done();
}

#[test]
fn a_model_that_is_set_for_an_agent_counts_in_every_role_but_that_of_revision() {
    let studio = Studio::new().on("judge", score(3.2)).on("judge", score(4.1));
    let names = ["WRITER", "JUDGE", "REFINER"];
    let studio = names.iter().fold(studio, |studio, name| {
        studio.with(&format!("NOVEL_AGENTS_{name}"), &format!("quill-{}", name.to_lowercase()))
    });
    let _ = studio.go().ok();
    assert_eq!(studio.models("draft"), ["quill-writer"]);
    assert_eq!(studio.models("revise"), [STRONG]);
    assert_eq!(studio.models("judge"), ["quill-judge"; 2]);
    assert_eq!(studio.models("refine"), ["quill-refiner"; 2]);
    assert_eq!(studio.models("summarize"), [STANDARD; 2]);
    studio.done();

    // The book may want the strong model for drafts as well; the user's word for the writer is the more exact one.
    let config = studio.read("novel.toml").replace("[models]", "[models]\nwriter = \"strong\"");
    studio.write("novel.toml", &config);
    studio.then("judge", score(4.4));
    let _ = studio.go().ok();
    assert_eq!(studio.models("draft"), ["quill-writer"; 2], "{config}");
}

#[test]
fn every_prompt_stays_within_the_books_limit_and_shows_no_figure_that_nobody_measured() {
    let studio = Studio::new();
    let _ = studio.go().ok();
    for request in studio.server.requests() {
        let prompt = request.prompt();
        assert!(novel::llm::estimate(&prompt) < 25_000, "{}", prompt.chars().count());
        assert!(!prompt.contains("平均句长 0"), "{prompt}");
        assert!(!prompt.contains('{') || !prompt.contains("{chapter}"), "a placeholder is left: {prompt}");
    }
    studio.done();
}

#[test]
fn the_same_book_asks_for_the_same_things_to_the_last_byte() {
    let bodies = [Studio::new(), Studio::new()].map(|studio| {
        let _ = studio.go().ok();
        let mut bodies: Vec<String> = studio.server.requests().into_iter().map(|request| request.body).collect();
        bodies.sort();
        bodies
    });
    assert_eq!(bodies[0], bodies[1]);
}

#[test]
fn a_prompt_that_does_not_fit_is_not_sent_and_the_author_sees_what_takes_the_room() {
    let studio = Studio::new().with("NOVEL_CONTEXT_WINDOW", "2000");
    let run = studio.go().fails(4);
    for words in ["2,000", "nothing was sent", "context_window"] {
        assert!(run.stderr.contains(words), "no `{words}` in {run:#?}");
    }
    let sizes = run.stderr.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit())).count();
    assert!(sizes >= 3, "the largest parts are listed: {run:#?}");
    assert!(studio.asked().is_empty());
    studio.done();
}

#[test]
fn the_context_that_is_said_to_suffice_suffices_for_the_whole_chapter() {
    for (of, manner) in [(Studio::new as fn() -> Studio, "--scenes"), (Studio::long, "--no-scenes")] {
        let studio = of().with("NOVEL_CONTEXT_WINDOW", "2000");
        let refused = studio.novel(&["continue", manner]).fails(4).stderr;
        assert!(studio.asked().is_empty(), "a later stage without room is told before the first call");
        let needed = refused.split("needs about ").nth(1).unwrap().split(' ').next().unwrap().replace(',', "");
        let studio = studio.with("NOVEL_CONTEXT_WINDOW", &needed);
        let run = studio.novel(&["continue", manner]);
        assert!(!run.stderr.contains("nothing was sent") && studio.asked().contains(&"judge"), "{run:#?}");
        if manner == "--no-scenes" {
            let usual = of();
            let _ = usual.novel(&["continue", manner]);
            let length = |studio: &Studio| studio.requests("judge")[0].prompt().chars().count();
            assert!(length(&studio) < length(&usual), "what matters least is left out");
            usual.done();
        }
        studio.done();
    }
}

#[test]
fn a_judge_without_room_is_told_of_before_the_draft_is_paid_for_and_the_author_judges() {
    let studio = Studio::new().with("NOVEL_CONTEXT_WINDOW", "4000");
    let plan = studio.novel(&["continue", "--dry-run"]).ok();
    assert!(plan.contains("no room in the model's context for: summarize, judge"), "{plan}");
    let run = studio.go().fails(4);
    assert!(run.stderr.contains("has no room for judge") && run.stderr.contains("novel decide"), "{run:#?}");
    assert!(studio.asked().contains(&"draft") && !studio.asked().contains(&"judge"), "{:?}", studio.asked());
    let before = studio.asked().len();
    let _ = studio.go().fails(4);
    assert_eq!(studio.asked().len(), before, "nothing is paid for twice");
    assert!(studio.novel(&["status"]).ok().contains("next: novel decide"));
    let asked = studio.novel(&["decide", "--json"]).fails(3).json();
    assert_eq!(asked["recommendation"], "accept-unjudged", "{asked:#}");
    assert_eq!(asked["data"]["reason"], "no_room", "{asked:#}");
    let _ = studio.novel(&["decide", "accept-unjudged"]).ok();
    let _ = studio.go().ok();
    studio.done();
}

#[test]
fn a_small_model_of_8_192_tokens_judges_a_short_chapter_by_the_short_scale() {
    let judged = |window: &str| {
        let studio = Studio::long().with("NOVEL_MODEL", "qwen3-8b").with("NOVEL_REVISE_MODEL", "qwen3-8b");
        let studio = studio.with("NOVEL_CONTEXT_WINDOW", window);
        let _ = studio.novel(&["continue", "--no-scenes"]);
        let prompt = studio.requests("judge")[0].prompt();
        studio.done();
        prompt
    };
    let [short, usual] = [judged("8192"), judged("32768")];
    assert!(!short.contains("- 分界：") && short.contains("是 3；"), "{short}");
    assert!(!short.lines().any(|line| line == "…"), "what is left out leaves no mark: {short}");
    assert!(usual.contains("- 分界："), "with room the judge is told all steps");
}

#[test]
fn a_little_more_than_the_context_that_suffices_suffices_for_a_model_with_fewer_tokens_than_the_estimate() {
    let of = |window: u32| {
        let studio = Studio::long().with("NOVEL_MODEL", "qwen3-8b").with("NOVEL_REVISE_MODEL", "qwen3-8b");
        studio.with("NOVEL_CONTEXT_WINDOW", &window.to_string())
    };
    let refused = of(2000).novel(&["continue", "--no-scenes"]).fails(4).stderr;
    let needed = refused.split("needs about ").nth(1).unwrap().split(' ').next().unwrap().replace(',', "");
    let needed: u32 = needed.parse().unwrap();
    for window in (needed..needed + 800).step_by(200) {
        let plan = of(window).novel(&["continue", "--no-scenes", "--dry-run"]).ok();
        assert!(!plan.contains("no room"), "{window}: {plan}");
    }
}

#[test]
fn a_prompt_is_cut_to_the_context_that_the_server_names_in_refusing_it() {
    let refusal = json!({"error": {"code": 400, "type": "exceed_context_size_error",
        "message": "the request exceeds the available context size", "n_prompt_tokens": 9100, "n_ctx": 8500}});
    let refusal = Answer::raw(400, "application/json", refusal.to_string());
    let studio = Studio::long().on("judge", refusal);
    let run = studio.novel(&["continue", "--no-scenes"]);
    let asked: Vec<String> = studio.requests("judge").iter().map(|request| request.prompt()).collect();
    assert!(asked[1].chars().count() < asked[0].chars().count(), "what matters least is left out");
    assert!(run.stderr.contains("limit is 8500") && run.stderr.contains("judge  "), "{run:#?}");
    studio.done();
}

#[test]
fn an_answer_gets_no_more_room_than_the_context_leaves() {
    let studio = Studio::new().with("NOVEL_CONTEXT_WINDOW", "9000");
    let _ = studio.go().ok();
    for request in studio.server.requests() {
        let body = request.json();
        let room = ["max_tokens", "max_completion_tokens"].iter().find_map(|field| body[field].as_u64()).unwrap();
        assert!(room + novel::llm::estimate(&request.prompt()) <= 9000, "{room}");
    }
    studio.done();
}

#[test]
fn a_dry_run_connects_to_nothing_and_writes_nothing() {
    let studio = Studio::new();
    let before = studio.git(&["for-each-ref"]);
    let plan = studio.novel(&["continue", "--dry-run"]).ok();
    assert!(plan.contains("nothing was sent"), "{plan}");
    assert_eq!((studio.git(&["for-each-ref"]), studio.asked().len()), (before, 0));
    studio.done();
}

/// The bytes that a text shares with one of the earlier ones, from the first byte on: those that a provider's cache serves.
fn cached(text: &str, earlier: &[String]) -> usize {
    let shared = |other: &String| text.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    earlier.iter().map(shared).max().unwrap_or(0)
}

#[test]
fn most_of_what_the_writer_reads_over_ten_chapters_stood_in_a_prompt_before() {
    let studio = Studio::long();
    let _ = studio.novel(&["rollback", "16", "--yes"]).ok();
    for chapter in 17..=26 {
        studio.then("draft", draft_of(chapter));
        // The scripted judge does not know this book's rules, so the chapter waits for its author.
        let _ = studio.go().fails(3);
        if chapter % 3 == 0 {
            studio.then("revise", draft_of(chapter).replace("皜", "的"));
            let _ = studio.novel(&["decide", "revise"]).ok();
            let _ = studio.go().fails(3);
        }
        let _ = studio.novel(&["decide", "accept"]).ok();
        let _ = studio.go().ok();
    }
    let is_writers = |request: &Received| ["draft", "revise"].contains(&stage_of(request));
    let requests = studio.server.requests();
    let prompts: Vec<String> = requests.iter().filter(|request| is_writers(request)).map(Received::prompt).collect();
    assert!(prompts.len() >= 12, "{:?}", studio.asked());
    let share = |prompts: &[String]| {
        let read: usize = prompts[1..].iter().map(String::len).sum();
        let served: usize = (1..prompts.len()).map(|at| cached(&prompts[at], &prompts[..at])).sum();
        served as f64 / read as f64
    };
    assert!(share(&prompts) >= 0.65, "{:.3}", share(&prompts));
}
