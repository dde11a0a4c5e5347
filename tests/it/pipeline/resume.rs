//! A run that ends in the middle: the next one goes on, and what had come is not asked for again.

use super::script::score;
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

#[test]
fn after_a_failure_at_any_stage_the_next_run_goes_on_from_there() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        for stage in ["draft", "summarize", "refine", "judge", "polish"] {
            let studio = Studio::over(wire).on(stage, down()).on("judge", score(3.7));
            // The first answer of the judge's is the failure when that is the stage that fails.
            let run = studio.go().fails(5);
            assert!(run.stderr.contains(stage) && run.stderr.contains("out of order"), "{run:#?}");
            studio.check();
            assert_eq!(studio.git(&["tag", "--list"]).trim(), "ch-001");
            let _ = studio.go().ok();
            let once = ["draft", "judge", "polish", "refine", "summarize"].map(|stage| (stage, 1));
            assert_eq!(answered(&studio, stage), once, "after a failure at {stage}");
            studio.done();
        }
    }
}

#[test]
fn after_a_failure_in_a_revision_the_revision_goes_on() {
    for stage in ["revise", "summarize", "refine", "judge"] {
        let studio = Studio::new();
        if stage != "revise" && stage != "judge" {
            // The first round's answer is a good one; the second's is the failure.
            studio.then(stage, super::script::Reply::good(stage));
        }
        let studio = studio.on("judge", score(3.2)).on(stage, down());
        let _ = studio.go().fails(5);
        studio.check();
        let before = studio.asked().len();
        let run = studio.go();
        assert!(run.stderr.contains("going on"), "{run:#?}");
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
    let studio = Studio::new().on("draft", super::script::draft()).on("draft", down());
    let run = studio.novel(&["continue", "2"]).fails(5);
    assert!(run.stdout.starts_with("ch-002"), "{run:#?}");
    studio.check();
    let line = studio.novel(&["continue", "--to", "3"]).ok();
    assert!(line.starts_with("ch-003"), "{line}");
    assert_eq!(studio.asked_since(5), ["draft", "summarize", "refine", "judge"]);
    studio.done();
}
