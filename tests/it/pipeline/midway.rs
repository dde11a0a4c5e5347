//! Answers that a server gives up after text has come: the text is paid for, so it is kept, continued or taken as whole.

use super::script::{Reply, draft, score, summary};
use super::studio::{BOOK, Studio};
use crate::llm::server::Answer;
use novel::llm::Wire;
use serde_json::{Value, json};
use std::process::Command;

const WIRES: [Wire; 2] = [Wire::OpenAi, Wire::Anthropic];
const FIRST: [&str; 4] = ["draft", "summarize", "refine", "judge"];
const TEXT: &str = "staging/chapters/vol-01/chapter-002.md";
const CHAPTER: &str = "chapters/vol-01/chapter-002.md";

fn complaint(kind: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": message, "retry_after": 0.001}})
}

fn slow_down() -> Value {
    complaint("rate_limit_error", "Too many requests")
}

/// The text over a wire, and the complaint in place of its end.
fn given_up(wire: Wire, text: &str, complaint: &Value) -> Answer {
    let whole = Reply::Text(text.trim_end().to_owned()).over(wire);
    let end: String = text.trim_end().chars().rev().take(6).collect();
    let end: String = end.chars().rev().collect();
    let mut body = whole.body();
    body.truncate(whole.through_event(&end));
    Answer::stream([String::from_utf8(body).unwrap(), format!("data: {complaint}\n\n")])
}

/// The draft up to the middle of a sentence.
fn half() -> String {
    let draft = draft();
    draft[..draft.find("再看他的脸").unwrap()].to_owned()
}

/// The draft as the refiner leaves it.
fn refined() -> String {
    draft().replace("火把被风压得很低", "火把让风压低了")
}

#[test]
fn a_text_given_up_after_its_beginning_is_continued_and_not_paid_for_again() {
    for wire in WIRES {
        let begun = given_up(wire, &half(), &slow_down());
        let text = begun.body().len() - slow_down().to_string().len() - 10;
        let studio = Studio::over(wire).on("draft", begun.portioned(&[text]));
        let run = studio.go();
        assert!(run.stderr.contains("asks to slow down: Too many requests"), "{run:#?}");
        assert!(run.stderr.contains("continuing from the last complete sentence"), "{run:#?}");
        assert!(!run.stderr.contains("rate_limit"), "no word of the program's own: {run:#?}");
        let first = run.stderr.split("ch-002 draft  ").nth(1).unwrap_or_default();
        assert!(first.starts_with(|c: char| c.is_ascii_digit()) && first.contains(" characters  "), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.asked(), ["draft", "continue", "summarize", "refine", "judge"]);
        assert_eq!(studio.read(CHAPTER), refined());
        studio.done();
    }
}

#[test]
fn a_text_is_kept_before_the_wait_for_its_rest() {
    let slow = json!({"error": {"type": "rate_limit_error", "message": "Too many", "retry_after": 300}});
    let studio =
        |text: &str| Studio::new().with("NOVEL_RETRY_FOR", "10m").on("draft", given_up(Wire::OpenAi, text, &slow));
    let whole = studio(&draft());
    let run = whole.go();
    assert!(!run.stderr.contains("retrying"), "nothing is left to ask for: {run:#?}");
    assert_eq!(whole.asked(), FIRST);

    // A run that waits five minutes for the rest, and dies.
    let half = studio(&half());
    let mut run = half.world.start(BOOK, &["continue"]);
    run.until("retrying in");
    assert!(Command::new("kill").args(["-KILL", &run.pid().to_string()]).status().unwrap().success());
    let _ = run.finish();
    let kept = half.git(&["show", "draft/ch-002:chapters/vol-01/chapter-002.md"]);
    assert!(kept.contains("谁都听见了。"), "{kept}");
    let _ = half.go().ok();
    assert_eq!(half.asked(), ["draft", "continue", "summarize", "refine", "judge"]);
    assert_eq!(half.read(CHAPTER), refined());
    half.done();
}

#[test]
fn a_whole_text_counts_whatever_ends_its_stream() {
    for wire in WIRES {
        for complaint in [slow_down(), complaint("billing_error", "in arrears"), complaint("x", "content_filter")] {
            let studio = Studio::over(wire).on("draft", given_up(wire, &draft(), &complaint));
            let _ = studio.go().ok();
            assert_eq!(studio.asked(), FIRST, "{complaint}");
            assert_eq!(studio.read(CHAPTER), refined());
            studio.done();
        }
        let reasons = match wire {
            Wire::OpenAi => ["content_filter: PROHIBITED_CONTENT", "insufficient_system_resource"],
            Wire::Anthropic => ["refusal", "pause_turn"],
        };
        for reason in reasons {
            let ending = |text: &str| match wire {
                Wire::OpenAi => Answer::openai_stream_ending(text, reason),
                Wire::Anthropic => Answer::anthropic_stream_ending(text, reason),
            };
            let told = summary(json!([])).to_string();
            let studio = Studio::over(wire).on("draft", ending(&draft())).on("summarize", ending(&told));
            let _ = studio.go().ok();
            assert_eq!(studio.asked(), FIRST, "{reason}");
            studio.done();
        }
    }
}

#[test]
fn a_whole_text_counts_in_a_body_with_a_complaint_as_well() {
    let body = json!({
        "model": "m", "usage": {"prompt_tokens": 9, "completion_tokens": 9},
        "choices": [{"index": 0, "message": {"content": draft()}, "finish_reason": "stop"}],
        "base_resp": {"status_code": 1027, "status_msg": "output new_sensitive"},
    });
    let studio = Studio::new().on("draft", Answer::raw(200, "application/json", body.to_string()));
    let _ = studio.go().ok();
    assert_eq!(studio.asked(), FIRST);
    studio.done();
}

#[test]
fn a_lasting_complaint_ends_the_run_at_once_and_leaves_the_text_to_the_author() {
    for wire in WIRES {
        let arrears = complaint("billing_error", "in arrears");
        let studio = Studio::over(wire).on("draft", given_up(wire, &half(), &arrears));
        let run = studio.go().fails(5);
        for words in ["ch-002 is unfinished", "no balance", "in arrears", "novel decide", TEXT] {
            assert!(run.stderr.contains(words), "no `{words}` in {run:#?}");
        }
        assert_eq!(studio.asked(), ["draft"]);
        assert!(studio.read(TEXT).contains("谁都听见了。") && !studio.read(TEXT).contains("守门人把信举到"));
        let asked = studio.novel(&["decide", "--json"]).fails(3).json();
        assert_eq!(asked["options"], json!(["continue", "rewrite", "accept", "edit"]), "{asked:#}");
        let _ = studio.novel(&["decide", "continue"]).ok();
        let _ = studio.go().ok();
        assert_eq!(studio.asked_since(1), ["continue", "summarize", "refine", "judge"]);
        studio.done();
    }
}

#[test]
fn a_text_declined_midway_is_continued_once_with_restraint_or_by_another_model() {
    for wire in WIRES {
        let inspected = complaint("x", "data_inspection_failed: output may be bad");
        let studio = Studio::over(wire).on("draft", given_up(wire, &half(), &inspected));
        let _ = studio.go().ok();
        assert_eq!(studio.asked()[..2], ["draft", "continue"]);
        assert!(studio.requests("continue")[0].prompt().contains("点到为止"));
        studio.done();

        let studio = Studio::over(wire).with("NOVEL_FALLBACK", "quill-other");
        let studio = studio.on("draft", given_up(wire, &half(), &inspected));
        let _ = studio.go().ok();
        assert_eq!(studio.models("continue"), ["quill-other"]);
        studio.done();
    }
}

#[test]
fn a_wait_longer_than_the_user_allows_ends_the_run_with_the_text_kept() {
    for wire in WIRES {
        let hour = json!({"type": "error", "error": {"type": "rate_limit_error", "message": "m", "retry_after": 3600}});
        let studio = Studio::over(wire).on("draft", given_up(wire, &half(), &hour));
        let run = studio.go().fails(5);
        assert!(run.stderr.contains("1h") && run.stderr.contains("--retry-for"), "{run:#?}");
        assert_eq!((studio.asked(), studio.draft_log()[0].as_str()), (vec!["draft"], "partial"));
        studio.done();
    }
}

#[test]
fn a_revision_given_up_that_changes_nothing_is_not_paid_for_again() {
    for (wire, complaint) in WIRES.into_iter().flat_map(|wire| {
        [slow_down(), complaint("overloaded_error", "busy"), complaint("billing_error", "in arrears")]
            .map(|complaint| (wire, complaint))
    }) {
        let studio = Studio::over(wire).on("judge", score(3.2)).on("revise", given_up(wire, &refined(), &complaint));
        let run = studio.go();
        assert!(run.stderr.contains("the revision changes nothing"), "{run:#?}");
        assert_eq!(studio.asked(), [&FIRST[..], &["revise"]].concat(), "{complaint}");
        studio.done();
    }
}

#[test]
fn a_revision_given_up_before_the_last_sentences_of_the_text_before_is_continued() {
    let before = refined();
    let (begun, _) = before.trim_end().rsplit_once("\n\n").unwrap();
    let studio = Studio::new().on("judge", score(3.2)).on("revise", given_up(Wire::OpenAi, begun, &slow_down()));
    let _ = studio.go();
    assert_eq!(studio.asked()[4..6], ["revise", "continue"]);
    assert!(studio.requests("continue")[0].prompt().contains(begun.rsplit_once("\n\n").unwrap().1));
    studio.done();
}

#[test]
fn a_report_given_up_midway_is_asked_for_again_after_the_wait() {
    for wire in WIRES {
        let begun = given_up(wire, "{\"checks\": 这是一份没有写完的审稿报告，它到这里就停了", &slow_down());
        let studio = Studio::over(wire).on("judge", begun);
        let _ = studio.go().ok();
        assert_eq!(studio.asked(), [&FIRST[..], &["judge"]].concat());
        studio.done();
    }
}

#[test]
fn the_words_of_a_server_are_quoted_and_decide_names_the_model_that_cannot_be_asked() {
    let studio = Studio::new().on("draft", Answer::error(402, "Insufficient Balance"));
    let run = studio.novel(&["--lang", "zh", "continue"]).fails(5);
    assert!(run.stderr.contains("账户余额不足：“Insufficient Balance”"), "{run:#?}");
    let asked = studio.novel(&["--lang", "zh", "decide"]).fails(3).stdout;
    assert!(asked.contains("quill-standard @ openai：账户余额不足：“Insufficient Balance”"), "{asked}");

    let boom = || Answer::raw(200, "application/json", r#"{"error":"boom"}"#);
    let studio = (0..3).fold(Studio::new(), |studio, _| studio.on("draft", boom()));
    let told = studio.novel(&["--lang", "zh", "continue"]).fails(5).stderr;
    assert!(told.contains("服务器报错：“boom”") && !told.contains("200"), "{told}");

    let studio =
        (0..3).fold(Studio::new(), |studio, _| studio.on("draft", Answer::openai_stream_ending("门。", "abort")));
    let told = studio.novel(&["--lang", "zh", "continue"]).fails(5).stderr;
    assert!(told.contains("回复在 1 字后中断，服务器给的原因是“abort”"), "{told}");
}

#[test]
fn a_text_has_one_count_whatever_was_received_before_it() {
    let count =
        |told: &str| told.split("ch-002 draft  ").nth(1).and_then(|rest| rest.split(' ').next()).map(str::to_owned);
    let whole = count(&Studio::new().go().stderr);
    let begun = format!("{}\n\n天黑了下来。", draft().lines().next().unwrap());
    let begun = Answer::openai_stream_ending(&begun, "abort");
    let text = begun.through_event("下来。");
    let studio = Studio::new().on("draft", begun.portioned(&[text]));
    let run = studio.go();
    assert!(run.stderr.contains("cut off after 5 characters; the server's reason: abort"), "{run:#?}");
    assert_eq!(count(&run.stderr), whole, "the attempt before does not count");
    assert!(whole.is_some());
}

#[test]
fn a_text_cut_at_the_end_of_the_context_is_told_as_that() {
    let choice = |delta: Value, reason: Value| json!([{"index": 0, "delta": delta, "finish_reason": reason}]);
    let text = json!({"choices": choice(json!({"content": half()}), Value::Null)});
    let end =
        json!({"choices": choice(json!({}), json!("length")), "usage": {"prompt_tokens": 9, "completion_tokens": 400}});
    let studio = Studio::new().on("draft", Answer::stream([text, end].map(|event| format!("data: {event}\n\n"))));
    let run = studio.go();
    assert!(run.stderr.contains("context") && !run.stderr.contains("output limit"), "{run:#?}");
    let _ = run.ok();
    studio.done();
}
