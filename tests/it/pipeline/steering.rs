//! Control and bidirectional characters: what a model, a server or a file of the author's says reaches neither the
//! chapter's files nor the terminal with them.

use super::script::{QUOTE, draft, moved_to, score, summary};
use super::studio::Studio;
use crate::common::Output;
use crate::llm::server::Answer;
use novel::llm::Wire;
use novel::text::is_steering;
use serde_json::json;

/// Escape sequences, C1, NUL, a bidirectional override and a zero-width space.
const ODD: &str = "\u{1b}[31m\u{1b}]0;owned\u{7}\u{9b}2J\u{0}\u{202e}\u{200b}";

#[track_caller]
fn harmless(output: &Output, what: &str) {
    for text in [&output.stdout, &output.stderr] {
        let found = text.chars().find(|c| is_steering(*c));
        assert_eq!(found, None, "{what}: {text:?}");
    }
}

/// A text with the odd characters in the middle and at both ends.
fn odd(text: &str) -> String {
    let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    format!("{}{ODD}{}{ODD}", &text[..middle], &text[middle..])
}

#[test]
fn nothing_that_steers_reaches_the_book_or_the_terminal_from_a_reply() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let mut page = summary(json!([moved_to(&odd("北门外"))]));
        for field in ["summary", "memory", "line_status"] {
            page[field] = odd(page[field].as_str().unwrap()).into();
        }
        let mut report = score(4.2);
        report["issues"] = json!([odd("中段的压力不够")]);
        report["strengths"] = json!([odd("结尾的湿印")]);
        report["scores"]["pacing"]["reason"] = odd("收尾有余味").into();
        report["scores"]["pacing"]["evidence"] = odd(QUOTE).into();
        let studio = Studio::over(wire).on("draft", odd(&draft())).on("summarize", page).on("judge", report);
        let run = studio.novel(&["continue", "--stream", "-vv"]);
        harmless(&run, "continue --stream");
        assert!(run.stderr.contains("␛[31m"), "the stream shows what came: {run:#?}");
        let _ = run.ok();

        for path in studio.git(&["ls-tree", "-r", "--name-only", "HEAD"]).lines() {
            let text = studio.git(&["show", &format!("HEAD:{path}")]);
            assert_eq!(text.chars().find(|c| is_steering(*c) || *c == '\u{200b}'), None, "{path}");
        }
        let text = studio.read("chapters/vol-01/chapter-002.md");
        assert!(text.contains("守门人笑了一声") && !text.contains("[31m") && !text.contains("owned"), "{text}");
        let page = studio.novel(&["show", "ch-002", "--summary"]).ok();
        assert!(page.contains("北门") && !page.contains("2J"), "{page}");
        // On the draft, where the replies are kept as they came, `git show` shows them escaped.
        let draft = studio.git(&["log", "-1", "--format=%(trailers:key=Novel-Draft,valueonly)", "ch-002"]);
        let calls = studio.git(&["ls-tree", "-r", "--name-only", draft.trim(), ".draft/"]);
        for path in calls.lines() {
            let call = studio.git(&["show", &format!("{}:{path}", draft.trim())]);
            assert_eq!(call.chars().find(|c| is_steering(*c)), None, "{path}");
        }

        for args in [
            &["show", "ch-002"][..],
            &["show", "ch-002", "--evaluation"],
            &["show", "ch-002", "--calls"],
            &["show", "ch-002", "--calls", "--json"],
            &["context", "3"],
            &["context", "3", "--json"],
            &["log"],
            &["status", "--color", "never"],
        ] {
            let output = studio.novel(args);
            harmless(&output, &args.join(" "));
            let _ = output.ok();
        }
        let calls = studio.novel(&["show", "ch-002", "--calls"]).ok();
        assert!(calls.contains("␛[31m") && calls.contains("\\u{202e}"), "the record shows what came: {calls}");
        let calls = studio.novel(&["show", "ch-002", "--calls", "--json"]).json();
        let replies = calls["calls"].as_array().unwrap().iter().map(|call| call["outcome"]["text"].as_str().unwrap());
        assert!(replies.into_iter().any(|text| text.contains(ODD)), "JSON has the reply as it came");
        studio.done();
    }
}

#[test]
fn the_words_of_a_server_that_fails_are_shown_harmless() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let busy = Answer::error(400, &format!("no{ODD}such field"));
        let studio = Studio::over(wire).on("draft", busy.clone()).on("draft", busy);
        for args in [&["continue"][..], &["continue", "--json"]] {
            let run = studio.novel(args).fails(5);
            harmless(&run, &args.join(" "));
            assert!(format!("{run:?}").contains("such field"), "{run:#?}");
        }
        let log = studio.git(&["log", "-3", "--format=%B", "draft/ch-002"]);
        assert_eq!(log.chars().find(|c| is_steering(*c)), None, "{log:?}");
        harmless(&studio.novel(&["show", "ch-002", "--calls"]), "show --calls");
        studio.done();
    }
}

#[test]
fn the_beginning_of_an_answer_that_breaks_off_is_harmless_too() {
    let refused = || super::script::Reply::Refusal(odd("灯灭了。他没有回头。"));
    let studio = Studio::new().on("draft", refused()).on("draft", refused());
    let run = studio.go().fails(5);
    harmless(&run, "continue");
    harmless(&studio.novel(&["show", "ch-002", "--calls"]), "show --calls");
    studio.done();
}

#[test]
fn files_of_the_authors_are_shown_harmless_and_stay_as_they_are() {
    let studio = Studio::new();
    // With a NUL it would be no text.
    let odd = ODD.replace('\0', "");
    let brief = format!("{}\n作者的话{odd}在这里\n", studio.read("brief.md"));
    studio.write("brief.md", &brief);
    studio.write("novel.toml", &studio.read("novel.toml").replace("夜信", "夜\\u001b[2J信\\u202e"));
    studio.write("research/a\u{1b}[2J\u{202e}.md", "一段考据\n");
    for args in [&["status"][..], &["status", "--json"], &["context", "2"], &["doctor"], &["continue", "--offline"]] {
        let output = studio.novel(args);
        harmless(&output, &args.join(" "));
        assert!(matches!(output.code, 0 | 1), "{output:#?}");
    }
    assert_eq!(studio.read("brief.md"), brief);
    assert_eq!(studio.git(&["show", "HEAD:brief.md"]), brief);
}

#[test]
fn what_is_typed_is_repeated_harmless() {
    let studio = Studio::new();
    for args in [
        &["\u{1b}[2J\u{202e}"][..],
        &["continue", "--\u{1b}[2J"],
        &["continue", "\u{9b}2J"],
        &["show", "ch-\u{202e}9"],
        &["show", "x\u{85}y", "--json"],
    ] {
        let output = studio.novel(args);
        harmless(&output, "what was typed");
        assert_ne!(output.code, 0, "{output:#?}");
    }
    let coloured = studio.novel(&["status", "--color", "always"]).ok();
    assert!(coloured.contains("\u{1b}["), "paint still works: {coloured:?}");
    let help = studio.novel(&["continue", "--help", "--color", "always"]).ok();
    assert!(help.contains("\u{1b}[1m\u{1b}[4m") && !help.contains('␛'), "{help:?}");
}
