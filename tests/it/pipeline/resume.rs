//! A run that ends in the middle: the next one goes on, and what had come is not asked for again.

use super::script::{Reply, draft, score};
use super::studio::Studio;
use crate::llm::server::Answer;
use novel::llm::Wire;

fn down() -> Answer {
    Answer::error(500, "out of order").header("x-should-retry", "false")
}

/// How often each stage was asked for and answered.
fn answered(studio: &Studio, failed: &str) -> Vec<(&'static str, usize)> {
    let asked = studio.asked();
    let mut stages = asked.clone();
    stages.sort_unstable();
    stages.dedup();
    let count = |stage: &str| asked.iter().filter(|other| **other == stage).count() - usize::from(stage == failed);
    stages.into_iter().map(|stage| (stage, count(stage))).collect()
}

#[track_caller]
fn goes_on_after_a_failure_at(stage: &str, wire: Wire) {
    let studio = Studio::over(wire).on(stage, down()).on("judge", score(3.7));
    let run = studio.go().fails(5);
    assert!(run.stderr.contains(stage) && run.stderr.contains("out of order"), "{run:#?}");
    studio.check();
    assert_eq!(studio.git(&["tag", "--list"]).trim(), "ch-001");
    let _ = studio.go().ok();
    let once = ["draft", "judge", "polish", "refine", "summarize"].map(|stage| (stage, 1));
    assert_eq!(answered(&studio, stage), once, "after a failure at {stage}");
    studio.done();
}

#[test]
fn after_a_failure_of_the_draft_the_next_run_begins_it_again() {
    goes_on_after_a_failure_at("draft", Wire::OpenAi);
    goes_on_after_a_failure_at("draft", Wire::Anthropic);
}

#[test]
fn after_a_failure_of_one_of_two_calls_only_that_one_is_made_again() {
    goes_on_after_a_failure_at("summarize", Wire::OpenAi);
    goes_on_after_a_failure_at("refine", Wire::Anthropic);
}

#[test]
fn after_a_failure_at_the_end_nothing_before_it_is_done_again() {
    goes_on_after_a_failure_at("judge", Wire::Anthropic);
    goes_on_after_a_failure_at("polish", Wire::OpenAi);
}

#[cfg(unix)]
#[test]
fn a_run_that_is_interrupted_finishes_its_step_and_starts_no_other() {
    use std::process::{Command, Stdio};
    let studio = Studio::new();
    let said = studio.world.path("said");
    let (heard, pid) = (said.clone(), std::sync::Arc::new(std::sync::OnceLock::<u32>::new()));
    let child = std::sync::Arc::clone(&pid);
    let pressed = std::sync::Once::new();
    // Ctrl-C is pressed while the draft is being written, and the draft ends after the program has said that it heard.
    let interrupted = move |_: &[_]| {
        let Some(pid) = child.get() else { return false };
        pressed
            .call_once(|| assert!(Command::new("kill").args(["-INT", &pid.to_string()]).status().unwrap().success()));
        std::fs::read_to_string(&heard).unwrap().contains("stopping after this step")
    };
    studio.then("draft", Reply::good("draft").over(Wire::OpenAi).held_until(interrupted));
    let mut run = studio.world.command(env!("CARGO_BIN_EXE_novel"), &studio.path(""));
    run.arg("continue").stdout(Stdio::null()).stderr(std::fs::File::create(&said).unwrap());
    let mut run = run.spawn().unwrap();
    pid.set(run.id()).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(130), "{}", studio.world.read("said"));
    assert_eq!(studio.asked(), ["draft"]);
    studio.check();
    let _ = studio.go().ok();
    assert_eq!(studio.asked_since(1), ["summarize", "refine", "judge"]);
    studio.done();
}

#[test]
fn after_a_failure_in_a_revision_the_revision_goes_on() {
    for stage in ["revise", "summarize", "refine", "judge"] {
        let studio = Studio::new();
        if stage != "revise" && stage != "judge" {
            // The first round's answer is a good one; the second's is the failure.
            studio.then(stage, Reply::good(stage));
        }
        let studio = studio.on("judge", score(3.2)).on(stage, down());
        let _ = studio.go().fails(5);
        studio.check();
        let before = studio.asked().len();
        let run = studio.go();
        assert!(run.stderr.contains("resuming"), "{run:#?}");
        let _ = run.ok();
        let after = studio.asked_since(before);
        let expected: &[&str] = match stage {
            "revise" => &["revise", "summarize", "refine", "judge"],
            "judge" => &["judge"],
            other => &[other, "judge"],
        };
        assert_eq!(after, expected, "after a failure at {stage}");
        assert_eq!(studio.trailer("Novel-Revisions"), "1");
        studio.done();
    }
}

#[test]
fn when_one_of_two_judges_fails_only_that_one_is_asked_again() {
    for stage in ["judge", "judge-2"] {
        let studio = Studio::unwritten(Wire::OpenAi).on(stage, down());
        let _ = studio.go().fails(5);
        let before = studio.asked().len();
        let _ = studio.go().ok();
        assert_eq!(studio.asked_since(before), [stage]);
        studio.done();
    }
}

#[test]
fn a_chapter_after_a_finished_one_fails_and_the_finished_one_stays() {
    let studio = Studio::new().on("draft", draft()).on("draft", down());
    let run = studio.novel(&["continue", "2", "--ahead", "off"]).fails(5);
    assert!(run.stdout.starts_with("ch-002"), "{run:#?}");
    studio.check();
    let line = studio.novel(&["continue", "--to", "3"]).ok();
    assert!(line.starts_with("ch-003"), "{line}");
    assert_eq!(studio.asked_since(5), ["draft", "summarize", "refine", "judge"]);
    studio.done();
}
