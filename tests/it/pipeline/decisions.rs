//! A chapter that waits: the question, and what each answer leads to.

use super::script::{draft, score};
use super::studio::{STRONG, Studio};

const TEXT: &str = "staging/chapters/vol-01/chapter-002.md";
const FIRST: [&str; 4] = ["draft", "summarize", "refine", "judge"];

/// A book whose second chapter scored 2.4 and waits.
fn paused() -> Studio {
    let studio = Studio::new().on("judge", score(2.4));
    let _ = studio.go().fails(3);
    assert_eq!(studio.asked(), FIRST);
    studio
}

fn decide(studio: &Studio, decision: &str) {
    let said = studio.novel(&["decide", decision]).ok();
    assert!(said.contains("recorded") && said.contains("novel continue"), "{said}");
    studio.check();
}

#[test]
fn the_question_is_printed_and_asked_again_until_it_is_answered() {
    let studio = Studio::new().on("judge", score(2.4));
    let question = studio.go().fails(3).stdout;
    for words in ["ch-002 城门", "2.40", "中段的压力不够", "novel decide revise", "novel decide accept", "recommended"]
    {
        assert!(question.contains(words), "no `{words}` in {question}");
    }
    let shown = studio.novel(&["decide"]).fails(3).stdout;
    assert!(shown.starts_with(&question) && shown.contains(TEXT), "{shown}");
    let again = studio.go().fails(3).stdout;
    assert_eq!((again, studio.asked().len()), (question, 4), "nobody is asked before the author has answered");
    let status = studio.novel(&["status"]).ok();
    assert!(status.contains("novel decide"), "{status}");
    assert_eq!(studio.git(&["log", "--format=%s", "-1"]).trim(), "ch-001: 夜里的灯", "nothing joins the book");
    studio.done();
}

#[test]
fn programs_get_the_question_as_json() {
    let studio = Studio::new().on("judge", score(2.4));
    let run = studio.novel(&["continue", "--json"]).fails(3);
    let lines = run.json_lines();
    let question = lines.last().unwrap();
    assert_eq!(question["type"], "requires_user_decision", "{run:#?}");
    assert_eq!((&question["recommendation"], &question["options"][0]), (&"revise".into(), &"revise".into()));
    assert_eq!((&question["data"]["chapter"], &question["data"]["score"]), (&2.into(), &2.4.into()), "{question:#}");
    let shown = studio.novel(&["decide", "--json"]).fails(3).json();
    assert_eq!((&shown["options"], &shown["data"]), (&question["options"], &question["data"]));
    studio.done();
}

#[test]
fn accept_takes_it_as_it_is() {
    let studio = paused();
    decide(&studio, "accept");
    let line = studio.go().ok();
    assert!(line.contains("2.40"), "{line}");
    assert_eq!((studio.asked().len(), studio.trailer("Novel-Gate").as_str()), (4, "author_accepted"));
    studio.done();
}

#[test]
fn revise_asks_the_strong_model() {
    let studio = paused();
    decide(&studio, "revise");
    let _ = studio.go().ok();
    assert_eq!(studio.asked_since(4), ["revise", "summarize", "refine", "judge"]);
    assert_eq!((studio.models("revise"), studio.trailer("Novel-Gate").as_str()), (vec![STRONG.to_owned()], "pass"));
    studio.done();
}

#[test]
fn rewrite_begins_anew() {
    let studio = paused();
    decide(&studio, "rewrite");
    let _ = studio.go().ok();
    assert_eq!(studio.asked_since(4), ["rewrite", "summarize", "refine", "judge"]);
    studio.done();
}

#[test]
fn edit_is_judged_and_not_refined() {
    let studio = paused();
    let text = studio.read(TEXT).replace("他没有回头。", "他回头看了一眼，只看了一眼。");
    studio.write(TEXT, &text);
    let shown = studio.novel(&["decide"]).fails(3).stdout;
    assert!(shown.contains("contains your changes"), "{shown}");
    decide(&studio, "edit");
    let _ = studio.go().ok();
    assert_eq!(studio.asked_since(4), ["summarize", "judge"]);
    assert_eq!(studio.read("chapters/vol-01/chapter-002.md"), text, "to the last byte as the author left it");
    assert_eq!(studio.draft_log().iter().filter(|stage| *stage == "edit").count(), 1);
    studio.done();
}

#[test]
fn edit_without_an_edit_is_refused() {
    let studio = paused();
    let refused = studio.novel(&["decide", "edit"]).fails(1);
    assert!(refused.stderr.contains("has not been changed") && refused.stderr.contains(TEXT), "{refused:#?}");
    studio.done();
}

#[test]
fn accept_is_refused_below_2_0() {
    let studio = Studio::new().on("judge", score(1.6)).on("judge", score(1.6));
    let _ = studio.go().fails(3);
    let refused = studio.novel(&["decide", "accept"]).fails(1);
    assert!(refused.stderr.contains("1.60") && refused.stderr.contains("rewrite | edit"), "{refused:#?}");
    decide(&studio, "rewrite");
    let _ = studio.go().ok();
    assert_eq!(studio.asked().iter().filter(|stage| **stage == "rewrite").count(), 2);
    studio.done();
}

#[test]
fn an_edited_text_that_is_to_be_written_anew_is_not_paid_for_first() {
    let studio = paused();
    studio.write(TEXT, &studio.read(TEXT).replace("他没有回头。", "他回头了。"));
    decide(&studio, "rewrite");
    let _ = studio.go().ok();
    assert_eq!(studio.asked_since(4), ["rewrite", "summarize", "refine", "judge"]);
    assert!(studio.requests("rewrite")[0].prompt().contains("中段的压力不够"), "why it failed is still known");
    let log = studio.git(&["log", "--all", "--format=%s", "-S他回头了。", "--", "chapters"]);
    assert!(log.contains("edited by hand"), "the author's words stay in the draft's history: {log}");
    studio.done();
}

#[test]
fn an_edited_text_that_is_accepted_is_the_chapter_and_its_summary_is_of_it() {
    let studio = paused().on("judge", score(2.3));
    let text = studio.read(TEXT).replace("他没有回头。", "他回头了。");
    studio.write(TEXT, &text);
    decide(&studio, "accept");
    let _ = studio.go().ok();
    assert_eq!(studio.asked_since(4), ["summarize", "judge"]);
    assert_eq!(studio.trailer("Novel-Gate"), "author_accepted");
    assert_eq!(studio.read("chapters/vol-01/chapter-002.md"), text);
    studio.done();
}

#[test]
fn a_text_that_the_author_deletes_in_staging_is_still_on_the_draft() {
    let studio = paused();
    std::fs::remove_file(studio.path(TEXT)).unwrap();
    let refused = studio.novel(&["decide", "edit"]).fails(1);
    assert!(refused.stderr.contains("has not been changed"), "{refused:#?}");
    decide(&studio, "accept");
    let _ = studio.go().ok();
    assert_eq!(studio.asked().len(), 4);
    assert!(studio.read("chapters/vol-01/chapter-002.md").contains("他没有回头。"));
    studio.done();
}

#[test]
fn there_is_nothing_to_decide_where_nothing_waits() {
    let studio = Studio::new();
    let refused = studio.novel(&["decide", "accept"]).fails(1);
    assert!(refused.stderr.contains("there is nothing to decide"), "{refused:#?}");
    let _ = studio.on("draft", draft()).go().ok();
}
