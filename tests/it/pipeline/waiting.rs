//! Overloads that are waited out, and Ctrl-C meanwhile.

use super::script::Reply;
#[cfg(unix)]
use super::script::draft;
use super::studio::Studio;
#[cfg(unix)]
use crate::common::{Output, Running};
use crate::llm::server::Answer;
use novel::llm::Wire;
#[cfg(unix)]
use std::process::Command;

/// Runs a test over both wires at once: most of its time it waits.
fn over_both_wires(test: impl Fn(Wire) + Sync) {
    std::thread::scope(|scope| {
        for wire in [Wire::OpenAi, Wire::Anthropic] {
            let test = &test;
            scope.spawn(move || test(wire));
        }
    });
}

fn busy(status: u16, ms: u32) -> Answer {
    Answer::error(status, "come back later").header("retry-after-ms", &ms.to_string())
}

/// The run once it has said that; Ctrl-C is pressed then.
#[cfg(unix)]
#[track_caller]
fn interrupted_at(mut run: Running, said: &str) -> Output {
    run.until(said);
    assert!(Command::new("kill").args(["-INT", &run.pid().to_string()]).status().unwrap().success());
    run.finish()
}

#[test]
fn an_overload_of_any_kind_is_waited_out() {
    over_both_wires(|wire| {
        // Two in a row at each stage: from the third on the waits grow.
        let statuses = [("draft", [429, 500]), ("summarize", [502, 503]), ("judge", [504, 529])];
        let all = statuses.iter().flat_map(|(stage, codes)| codes.map(|code| (stage, busy(code, 1))));
        let studio = all.fold(Studio::over(wire), |studio, (stage, answer)| studio.on(stage, answer));
        let run = studio.go();
        assert_eq!(run.stderr.matches("retrying in").count(), 6, "{run:#?}");
        assert!(run.stderr.contains("for at most 10m 00s"), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.asked().iter().filter(|stage| **stage == "draft").count(), 3);
        // The attempts are on record and have cost nothing.
        let calls = studio.novel(&["show", "ch-002", "--calls", "--json"]).json();
        let call = &calls["calls"][0];
        assert_eq!((&call["attempts"], call["earlier"].as_array().map(Vec::len)), (&3.into(), Some(2)));
        assert_eq!(call["usage"]["input_tokens"], 100);
        studio.done();
    });
}

#[test]
fn a_connection_that_is_dropped_before_any_text_is_waited_out() {
    over_both_wires(|wire| {
        let nothing = Reply::good("draft").over(wire).cut_after(0);
        let studio = (0..3).fold(Studio::over(wire), |studio, _| studio.on("draft", nothing.clone()));
        let _ = studio.go().ok();
        assert_eq!(studio.asked().iter().filter(|stage| **stage == "draft").count(), 4);
        studio.done();
    });
}

#[test]
fn the_user_says_how_long() {
    over_both_wires(|wire| {
        let studio = Studio::over(wire).on("draft", busy(503, 1));
        let run = studio.novel(&["continue", "--retry-for", "0"]).fails(5);
        assert!(run.stderr.contains("again to resume"), "{run:#?}");
        assert_eq!(studio.asked(), ["draft"]);
        // A longer wait than that is not begun, and is told.
        studio.then("draft", busy(429, 90_000));
        let run = studio.novel(&["continue", "--retry-for", "1m"]).fails(5);
        assert!(run.stderr.contains("the server asks for a wait of 1m 30s"), "{run:#?}");
        assert!(run.stderr.contains("--retry-for 2h"), "{run:#?}");
        studio.done();
    });
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_wait_at_once() {
    over_both_wires(|wire| {
        let studio = Studio::over(wire).on("draft", busy(529, 300_000));
        let run = interrupted_at(studio.world.start("book", &["continue"]), "retrying in");
        assert!(run.stderr.contains("the server asks for a wait of 5m 00s; retrying in 5m 00s"), "{run:#?}");
        let run = run.fails(130);
        assert!(!run.stderr.contains("panicked"), "{run:#?}");
        assert_eq!(studio.asked(), ["draft"], "no other request");
        studio.check();
        let calls = studio.novel(&["show", "ch-002", "--calls"]).ok();
        assert!(calls.contains("overloaded"), "{calls}");
        let _ = studio.go().ok();
        studio.done();
    });
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_wait_after_a_time_out_at_once() {
    let studio = Studio::new()
        .with("NOVEL_TIMEOUTS_IDLE", "150ms")
        .with("NOVEL_TIMEOUTS_RETRY_WAIT", "5m")
        .on("draft", Reply::Stalled(draft()));
    let _ = interrupted_at(studio.world.start("book", &["continue"]), "retrying in 5m 00s").fails(130);
    assert_eq!(studio.asked(), ["draft"]);
    studio.done();
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_stream_that_has_stalled_and_keeps_its_text() {
    over_both_wires(|wire| {
        let studio = Studio::over(wire).on("draft", Reply::Stalled(draft()));
        // With the text shown it is known that the stream has begun.
        let run = interrupted_at(studio.world.start("book", &["continue", "--stream"]), "送米的");
        let run = run.fails(130);
        assert!(run.stderr.contains("stopping after this step"), "{run:#?}");
        assert_eq!(studio.asked(), ["draft"]);
        studio.check();
        let calls = studio.novel(&["show", "ch-002", "--calls"]).ok();
        assert!(calls.contains("interrupted") && calls.contains("text so far"), "{calls}");
        let _ = studio.go().ok();
        studio.done();
    });
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_call_that_nobody_answers() {
    let studio = Studio::new().on("draft", Answer::mute());
    let _ = interrupted_at(studio.world.start("book", &["continue", "-v"]), "draft →").fails(130);
    studio.check();
    let told = studio.novel(&["--lang", "en", "decide"]);
    assert!(!told.stdout.contains("no usable answer"), "the author has ended the call: {told:#?}");
}

#[test]
fn a_wait_is_an_event_with_its_length() {
    let studio = Studio::new().on("draft", busy(429, 1));
    let lines = studio.novel(&["continue", "--json"]).json_lines();
    let wait = lines.iter().find(|line| line["event"] == "waiting").unwrap();
    assert_eq!((&wait["wait_ms"], &wait["asked_ms"]), (&1.into(), &1.into()));
    let left = wait["left_ms"].as_u64().unwrap();
    assert!((1..=600_000).contains(&left), "{wait}");
    studio.done();
}
