//! The ways on that are named where a model gives nothing that can be used.

use super::studio::{STANDARD, Studio};
use crate::llm::server::Answer;

const OTHER: &str = "quill-other";

fn no_money() -> Answer {
    Answer::error(402, "Insufficient Balance")
}

#[test]
fn a_model_that_is_left_is_left_in_every_role() {
    let studio = Studio::new().with("NOVEL_REVISE_MODEL", STANDARD).with("NOVEL_FALLBACK", OTHER);
    let studio = studio.on("draft", no_money());
    let _ = studio.go().ok();
    assert_eq!(studio.models("draft"), [STANDARD, OTHER]);
    for stage in ["summarize", "refine", "judge"] {
        assert_eq!(studio.models(stage), [OTHER], "{stage}");
    }
    studio.done();
}

#[test]
fn a_fallback_is_advised_only_where_there_is_none_and_never_the_same_model() {
    let advice = "config set fallback";
    let studio = Studio::new().with("NOVEL_FALLBACK", OTHER).on("draft", no_money()).on("draft", no_money());
    let run = studio.go().fails(5);
    assert!(!run.stderr.contains(advice), "{run:#?}");
    assert_eq!(studio.models("draft"), [STANDARD, OTHER]);
    studio.done();

    let studio = Studio::new().with("NOVEL_FALLBACK", STANDARD).on("draft", no_money());
    let run = studio.go().fails(5);
    assert!(run.stderr.contains(advice) && !run.stderr.contains("in place of"), "{run:#?}");
    assert_eq!(studio.models("draft"), [STANDARD]);
    studio.done();
}
