//! Each branch of the quality gate, end to end.

use super::script::{QUOTE, draft, edits, score, violation};
use super::studio::{STANDARD, STRONG, Studio};
use novel::llm::Wire;

const FIRST: [&str; 4] = ["draft", "summarize", "refine", "judge"];
const REVISED: [&str; 4] = ["revise", "summarize", "refine", "judge"];

#[test]
fn a_chapter_that_passes_takes_four_calls_over_either_wire() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let studio = Studio::over(wire);
        let line = studio.go().ok();
        assert!(line.starts_with("ch-002 城门") && line.contains("4.20") && line.contains("pass"), "{line}");
        assert_eq!(studio.asked(), FIRST);
        assert_eq!((studio.models("draft")[0].as_str(), studio.models("judge")[0].as_str()), (STANDARD, STANDARD));
        assert_eq!((studio.trailer("Novel-Gate").as_str(), studio.trailer("Novel-Score").as_str()), ("pass", "4.20"));
        assert!(studio.read("chapters/vol-01/chapter-002.md").contains("火把让风压低了"), "the refiner's edit is made");
        studio.done();
    }
}

#[test]
fn from_3_5_a_chapter_is_polished_and_accepted_without_another_judge() {
    let studio = Studio::new().on("judge", score(3.6));
    let line = studio.go().ok();
    assert!(line.contains("3.60"), "{line}");
    assert_eq!(studio.asked(), [&FIRST[..], &["polish"]].concat());
    assert_eq!(studio.trailer("Novel-Gate"), "polish");
    let text = studio.read("chapters/vol-01/chapter-002.md");
    assert!(text.contains("灯笼动了动") && text.contains("火把让风压低了"), "{text}");
    studio.done();
}

#[test]
fn from_3_0_the_strong_model_revises_and_everything_is_done_again() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let studio = Studio::over(wire).on("judge", score(3.2)).on("judge", score(4.1));
        let line = studio.go().ok();
        assert!(line.contains("4.10") && line.contains("revised 1×"), "{line}");
        assert_eq!(studio.asked(), [FIRST, REVISED].concat());
        assert_eq!(studio.models("revise"), [STRONG]);
        let prompt = studio.requests("revise")[0].prompt();
        assert!(prompt.contains("让老兵的停顿更长"), "the judge's fixes reach the reviser: {prompt}");
        assert_eq!(studio.trailer("Novel-Revisions"), "1");
        assert!(studio.read("chapters/vol-01/chapter-002.md").contains("他一步也没有停。"));
        studio.done();
    }
}

#[test]
fn after_two_revisions_a_chapter_is_accepted_and_marked() {
    let studio = [3.1, 3.2, 3.3].iter().fold(Studio::new(), |studio, points| studio.on("judge", score(*points)));
    let line = studio.go().ok();
    assert!(line.contains("3.30") && line.contains("revised 2×"), "{line}");
    assert_eq!(studio.asked(), [FIRST, REVISED, REVISED].concat());
    assert_eq!(studio.trailer("Novel-Gate"), "force_passed");
    assert_eq!(studio.models("revise"), [STRONG, STRONG]);
    studio.done();
}

#[test]
fn a_sure_violation_in_words_of_the_text_is_revised_whatever_the_score() {
    let studio = Studio::new().on("judge", violation(4.8, QUOTE));
    let _ = studio.go().ok();
    assert_eq!(studio.asked(), [FIRST, REVISED].concat());
    let prompt = studio.requests("revise")[0].prompt();
    assert!(prompt.contains("LS-001：时辰对不上") && prompt.contains(QUOTE), "{prompt}");
    studio.done();
}

#[test]
fn below_2_0_a_chapter_is_written_anew_once_and_then_the_author_is_asked() {
    let studio = Studio::new().on("judge", score(1.6)).on("judge", score(1.8));
    let question = studio.go().fails(3).stdout;
    assert_eq!(studio.asked(), [FIRST, ["rewrite", "summarize", "refine", "judge"]].concat());
    assert_eq!(studio.models("rewrite"), [STRONG]);
    let prompt = studio.requests("rewrite")[0].prompt();
    assert!(
        prompt.contains("中段的压力不够") && !prompt.contains("门轴在身后"),
        "the issues and not the text: {prompt}"
    );
    assert!(question.contains("novel decide rewrite") && !question.contains("novel decide accept"), "{question}");
    studio.done();
}

#[test]
fn two_judges_read_a_key_chapter_and_the_lower_score_counts() {
    let studio = Studio::unwritten(Wire::OpenAi).on("judge", score(4.5)).on("judge-2", score(3.7));
    let line = studio.go().ok();
    assert!(line.starts_with("ch-001") && line.contains("3.70"), "{line}");
    assert_eq!(studio.asked(), ["draft", "summarize", "refine", "judge", "judge-2", "polish"]);
    assert_eq!((studio.models("judge")[0].as_str(), studio.models("judge-2")[0].as_str()), (STANDARD, STRONG));
    studio.done();
}

#[test]
fn a_violation_that_either_judge_is_sure_of_is_revised() {
    let studio = Studio::unwritten(Wire::OpenAi)
        .on("draft", draft())
        .on("judge", violation(4.5, QUOTE))
        .on("judge-2", score(4.3));
    let line = studio.go().ok();
    assert!(line.contains("revised 1×"), "{line}");
    assert!(studio.requests("revise")[0].prompt().contains("时辰对不上"));
    studio.done();
}

#[test]
fn a_polish_is_left_out_that_would_be_the_refinement_that_changed_nothing() {
    let report = |fixes: &str| {
        let mut report = score(3.6);
        for dimension in ["style_naturalness", "immersion", "pacing"] {
            report["scores"][dimension]["reason"] = "".into();
        }
        report["required_fixes"] = serde_json::from_str(fixes).unwrap();
        report
    };
    for refused in [edits(&[]), edits(&[("书里没有的一句话", "改过的话")])] {
        let studio = Studio::new().on("refine", refused).on("judge", report("[]"));
        let run = studio.go();
        assert!(run.stderr.contains("is not polished again: the refiner changed nothing"), "{run:#?}");
        let _ = run.ok();
        assert_eq!((studio.asked(), studio.trailer("Novel-Gate").as_str()), (FIRST.to_vec(), "polish"));
        let log = studio.novel(&["show", "ch-002", "--log"]).ok();
        assert!(log.contains("the second polish was left out"), "{log}");
        studio.done();
    }
    let fix = r#"[{"target": "老兵凑过来", "instruction": "让老兵的停顿更长"}]"#;
    let ordered = Studio::new().on("refine", edits(&[])).on("judge", report(fix));
    let changed = Studio::new().on("judge", report("[]"));
    for studio in [ordered, changed] {
        let _ = studio.go().ok();
        assert_eq!(studio.asked(), [&FIRST[..], &["polish"]].concat());
    }
}

#[test]
fn a_revision_that_changes_nothing_is_neither_summarised_nor_judged_again() {
    let studio = Studio::new().on("judge", score(3.2));
    // The refiner has changed a word, and the reviser is given that text.
    let judged = draft().replace("火把被风压得很低", "火把让风压低了");
    for _ in 0..2 {
        studio.then("revise", judged.clone());
    }
    let run = studio.go().fails(0).stderr;
    assert_eq!(studio.asked(), [&FIRST[..], &["revise"; 2]].concat(), "asked once more, and not in a second round");
    let again = studio.requests("revise")[1].prompt();
    assert!(again.contains("一字不差"), "{again}");
    assert!(run.contains("the revision changes nothing; another one is not asked for"), "{run}");
    assert_eq!((studio.trailer("Novel-Gate"), studio.trailer("Novel-Score")), ("force_passed".into(), "3.20".into()));
    studio.done();
}
