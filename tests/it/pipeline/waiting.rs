//! Overloads that are waited out, and Ctrl-C meanwhile.

use super::script::{Reply, draft};
use super::studio::Studio;
use crate::common::{Output, Running};
use crate::llm::server::Answer;
use novel::llm::Wire;
use std::process::Command;

const WIRES: [Wire; 2] = [Wire::OpenAi, Wire::Anthropic];

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
    for wire in WIRES {
        let statuses = [429, 500, 502, 503, 504, 529];
        let studio = statuses.iter().fold(Studio::over(wire), |studio, status| studio.on("draft", busy(*status, 1)));
        let run = studio.go();
        assert_eq!(run.stderr.matches("retrying in").count(), statuses.len(), "{run:#?}");
        assert!(run.stderr.contains("for at most 10m 00s"), "{run:#?}");
        let _ = run.ok();
        assert_eq!(studio.asked().iter().filter(|stage| **stage == "draft").count(), statuses.len() + 1);
        // The attempts are on record and have cost nothing.
        let calls = studio.novel(&["show", "ch-002", "--calls", "--json"]).json();
        let call = &calls["calls"][0];
        assert_eq!((&call["attempts"], call["earlier"].as_array().map(Vec::len)), (&7.into(), Some(6)));
        assert_eq!(call["usage"]["input_tokens"], 100);
        studio.done();
    }
}

#[test]
fn a_connection_that_is_dropped_before_any_text_is_waited_out() {
    for wire in WIRES {
        let nothing = Reply::good("draft").over(wire).cut_after(0);
        let studio = (0..4).fold(Studio::over(wire), |studio, _| studio.on("draft", nothing.clone()));
        let _ = studio.go().ok();
        assert_eq!(studio.asked().iter().filter(|stage| **stage == "draft").count(), 5);
        studio.done();
    }
}

#[test]
fn the_user_says_how_long() {
    for wire in WIRES {
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
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_wait_at_once() {
    for wire in WIRES {
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
    }
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
    for wire in WIRES {
        let studio = Studio::over(wire).on("draft", Reply::Stalled(draft()));
        // With the text shown it is known that the stream has begun.
        let run = interrupted_at(studio.world.start("book", &["continue", "--stream"]), "送米的");
        let run = run.fails(130);
        assert!(run.stderr.contains("stopping after this step"), "{run:#?}");
        assert_eq!(studio.asked(), ["draft"]);
        studio.check();
        let calls = studio.novel(&["show", "ch-002", "--calls"]).ok();
        assert!(calls.contains("stopped") && calls.contains("text so far"), "{calls}");
        let _ = studio.go().ok();
        studio.done();
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_call_that_nobody_answers() {
    let studio = Studio::new().on("draft", Answer::mute());
    let _ = interrupted_at(studio.world.start("book", &["continue", "-v"]), "draft →").fails(130);
    studio.check();
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
