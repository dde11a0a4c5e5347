//! The ways on that are named where a model gives nothing that can be used.

use super::replies::runs_on;
use super::script::{Reply, draft, score};
use super::studio::{STANDARD, Studio};
use crate::llm::server::Answer;
use serde_json::json;

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
fn a_model_that_declines_in_words_is_passed_over_and_quoted() {
    let words = "抱歉，我无法协助创作这类内容。";
    let studio = Studio::new().with("NOVEL_FALLBACK", OTHER).on("draft", words);
    let run = studio.go();
    let _ = run.ok();
    assert_eq!(studio.models("draft"), [STANDARD, OTHER]);
    studio.done();

    let studio = Studio::new().on("draft", words).on("draft", words);
    let run = studio.go().fails(5);
    assert!(run.stderr.contains(words) && run.stderr.contains("novel decide"), "{run:#?}");
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

#[test]
fn without_a_plan_of_scenes_the_question_is_there_and_the_chapter_can_be_written_as_a_whole() {
    let studio = (0..3).fold(Studio::new(), |studio, _| studio.on("scene-plan", "好的"));
    let run = studio.novel(&["continue", "--scenes"]).fails(5);
    assert!(run.stderr.contains("--no-scenes"), "{run:#?}");
    let question = studio.novel(&["decide"]).fails(3).stdout;
    assert!(question.contains("scene plan") && question.contains("--no-scenes"), "{question}");
    assert!(question.contains("fault: scene-plan: the reply is not JSON"), "{question}");
    let _ = studio.novel(&["continue", "--no-scenes"]).ok();
    assert_eq!(studio.asked()[3..], ["draft", "summarize", "refine", "judge"]);
    studio.done();
}

#[test]
fn a_planner_or_a_rebuild_that_is_declined_has_words_of_its_own_and_names_another_model() {
    let declined = || Reply::Refusal("不行".into());
    let studio = Studio::new();
    studio.write("chapters/vol-01/chapter-001.md", &draft().replace("第2章", "第1章"));
    studio.then("summarize", declined());
    studio.then("world", declined());
    for (args, words) in [(&["rebuild"][..], "the summary that it has"), (&["world", "update", "城门"], "brief.md")] {
        let run = studio.novel(args).fails(5);
        for words in [words, "--model", "config set fallback"] {
            assert!(run.stderr.contains(words), "no `{words}` in {run:#?}");
        }
        assert!(!run.stderr.contains("section of the outline"), "{run:#?}");
    }
    for _ in 0..3 {
        studio.then("world", "好的");
    }
    let run = studio.novel(&["world", "update", "江边"]).fails(5);
    assert!(run.stderr.contains("unusable") && run.stderr.contains("--model"), "{run:#?}");
    studio.done();
}

#[test]
fn candidates_that_cannot_be_judged_are_left_to_the_author() {
    let studio = (0..4).fold(Studio::new(), |studio, _| studio.on("draft", runs_on(4)));
    let run = studio.novel(&["continue", "--candidates", "2"]).fails(3);
    assert!(run.stdout.contains("novel decide pick") && !run.stderr.contains("nothing to decide"), "{run:#?}");
    studio.done();
}

#[test]
fn the_judged_text_before_a_revision_that_runs_on_can_be_taken() {
    let studio = Studio::new().on("judge", score(3.2)).on("revise", runs_on(4)).on("revise", runs_on(4));
    let _ = studio.go().fails(3);
    let asked = studio.novel(&["decide", "--json"]).fails(3).json();
    assert!(asked["options"].as_array().unwrap().contains(&json!("before")), "{asked:#}");
    let _ = studio.novel(&["decide", "before"]).ok();
    let asked = studio.asked().len();
    let _ = studio.go().ok();
    assert_eq!(studio.asked_since(asked), Vec::<&str>::new(), "nothing more is paid for");
    let refined = draft().replace("火把被风压得很低", "火把让风压低了");
    assert_eq!(studio.read("chapters/vol-01/chapter-002.md"), refined);
    assert_eq!(
        (studio.trailer("Novel-Score"), studio.trailer("Novel-Gate")),
        ("3.20".into(), "author_accepted".into())
    );
    studio.done();
}

#[test]
fn a_summary_declined_once_was_not_unreadable_twice() {
    let studio = Studio::new().on("summarize", Reply::Refusal("不行".into()));
    let run = studio.go();
    assert!(run.stderr.contains("no usable summary") && !run.stderr.contains("twice"), "{run:#?}");
    let _ = run.ok();
    studio.done();
}

#[test]
fn an_answer_that_is_always_cut_has_more_ways_on_than_the_same_command() {
    for stage in ["draft", "judge"] {
        let studio = (0..3).fold(Studio::new(), |studio, _| studio.on(stage, Reply::CutShort("好".into())));
        let run = studio.go().fails(5);
        assert!(run.stderr.contains("--model") && run.stderr.contains("novel decide"), "{run:#?}");
        studio.done();
    }
}
