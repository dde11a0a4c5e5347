//! Things at the same time: two calls, and the author's own work on the text.

use super::script::{Reply, draft, edits, score};
use super::studio::Studio;
use novel::llm::Wire;
use std::path::Path;
use std::process::Command;

const TEXT: &str = "chapters/vol-01/chapter-002.md";

/// Saves the author's version of the text that `staging` shows. False while it shows none, which takes some milliseconds after the
/// question.
fn reworks(staging: &Path, path: &str) -> bool {
    let text = std::fs::read_to_string(staging.join(path)).unwrap_or_default();
    let is_shown = staging.join(".git").exists() && !text.is_empty();
    if is_shown {
        std::fs::write(staging.join(path), text.replace("他没有回头。", "他回了一次头，门已经关上了。")).unwrap();
    }
    is_shown
}

/// Whether the chapter's draft has a commit whose subject says that.
fn draft_says(book: &Path, draft: &str, words: &str) -> bool {
    let log = Command::new("git").args(["log", "--format=%s", draft]).current_dir(book).output();
    log.is_ok_and(|log| String::from_utf8_lossy(&log.stdout).contains(words))
}

#[test]
fn summary_and_refinement_are_asked_for_at_once() {
    let studio = Studio::new();
    // Neither is answered before the other has been asked for.
    for stage in ["summarize", "refine"] {
        let both = Reply::good(stage).over(Wire::OpenAi).held_until(|requests| requests.len() >= 3);
        studio.then(stage, both);
    }
    let _ = studio.go().ok();
    studio.done();
}

#[test]
fn both_judges_are_asked_at_once() {
    let studio = Studio::unwritten(Wire::Anthropic);
    for stage in ["judge", "judge-2"] {
        let both = Reply::good(stage).over(Wire::Anthropic).held_until(|requests| requests.len() >= 5);
        studio.then(stage, both);
    }
    let _ = studio.go().ok();
    studio.done();
}

#[test]
fn whichever_judge_answers_first_the_chapter_is_the_same() {
    let written = |last: &str, first: &'static str| {
        let studio = Studio::unwritten(Wire::OpenAi).on("draft", draft()).on(first, score(4.4));
        let book = studio.path("");
        let recorded = move |_: &[_]| draft_says(&book, "draft/ch-001", &format!("{first}:"));
        studio.then(last, Reply::from(score(4.4)).over(Wire::OpenAi).held_until(recorded));
        let _ = studio.go().ok();
        let files = ["eval", "eval-2"].map(|name| studio.read(&format!("evaluations/vol-01/chapter-001-{name}.json")));
        let score = studio.git(&["log", "-1", "--format=%s %(trailers:key=Novel-Score)%(trailers:key=Novel-Gate)"]);
        studio.done();
        (files, score)
    };
    assert_eq!(written("judge", "judge-2"), written("judge-2", "judge"));
}

/// A book in which the author saves a new text while that stage is being answered.
fn with_an_edit_during(stage: &str, reply: Reply) -> Studio {
    let studio = Studio::new();
    let staging = studio.path("staging");
    let saves = move |_: &[_]| reworks(&staging, TEXT);
    studio.then(stage, reply.over(Wire::OpenAi).held_until(saves));
    studio
}

#[test]
fn the_authors_text_stands_when_it_is_saved_while_the_refiner_works() {
    let studio = with_an_edit_during("refine", edits(&[("火把被风压得很低", "火把让风压低了")]).into());
    let run = studio.go();
    assert!(run.stderr.contains("your changes were committed first"), "{run:#?}");
    let _ = run.ok();
    let text = studio.read("chapters/vol-01/chapter-002.md");
    assert!(text.contains("他回了一次头") && text.contains("火把被风压得很低"), "{text}");
    assert_eq!(studio.requests("refine").len(), 1, "the author's words are not refined");
    let of_it = studio.requests("summarize").iter().filter(|request| request.prompt().contains("他回了一次头")).count();
    assert_eq!(of_it, 1, "the summary is of the author's text");
    assert!(studio.novel(&["show", "ch-002", "--calls"]).ok().contains("火把让风压低了"), "the call is kept");
    studio.done();
}

#[test]
fn the_authors_text_is_judged_when_it_is_saved_while_the_judge_reads() {
    let studio = with_an_edit_during("judge", score(3.1).into());
    let _ = studio.go().ok();
    assert_eq!(studio.asked(), ["draft", "summarize", "refine", "judge", "summarize", "judge"]);
    assert_eq!(studio.trailer("Novel-Score"), "4.20", "the report on the old text does not count");
    assert!(studio.read("chapters/vol-01/chapter-002.md").contains("他回了一次头"));
    studio.done();
}

#[test]
fn a_summary_of_the_old_text_that_comes_after_the_authors_edit_does_not_count() {
    let studio = with_an_edit_during("refine", edits(&[]).into());
    let book = studio.path("");
    // The summary is held until the refiner's answer, and with it the author's edit, is on the draft.
    let settled = move |_: &[_]| draft_says(&book, "draft/ch-002", "fault: refine");
    studio.then("summarize", Reply::good("summarize").over(Wire::OpenAi).held_until(settled));
    let _ = studio.go().ok();
    let of_it = studio.requests("summarize").iter().filter(|request| request.prompt().contains("他回了一次头")).count();
    assert_eq!((studio.requests("summarize").len(), of_it), (2, 1));
    let log = studio.draft_log();
    let edit = log.iter().position(|stage| stage == "edit").unwrap();
    assert!(log[edit..].iter().filter(|stage| *stage == "summarize").count() == 1, "{log:?}");
    studio.done();
}

#[test]
fn the_authors_own_commit_in_staging_stands_too() {
    let studio = Studio::new();
    let staging = studio.path("staging");
    let commits = move |_: &[_]| {
        if !reworks(&staging, TEXT) {
            return false;
        }
        let name = ["-c", "user.name=林", "-c", "user.email=lin@example.org"];
        let mut commit = Command::new("git");
        commit.args(name).args(["commit", "-qam", "my own words"]).current_dir(&staging);
        commit.status().unwrap().success()
    };
    studio.then("refine", Reply::good("refine").over(Wire::OpenAi).held_until(commits));
    // Otherwise the summary, coming in between, takes the saved text up before the author commits it.
    let book = studio.path("");
    let committed = move |_: &[_]| draft_says(&book, "draft/ch-002", "my own words");
    studio.then("summarize", Reply::good("summarize").over(Wire::OpenAi).held_until(committed));
    let _ = studio.go().ok();
    let text = studio.read("chapters/vol-01/chapter-002.md");
    assert!(text.contains("他回了一次头") && text.contains("火把被风压得很低"), "{text}");
    let of_it = studio.requests("summarize").iter().filter(|request| request.prompt().contains("他回了一次头")).count();
    assert_eq!(of_it, 1, "{:?}", studio.draft_log());
    studio.done();
}

#[test]
fn a_report_on_the_old_text_does_not_count_when_the_author_saves_between_two_judges() {
    let studio = Studio::unwritten(Wire::OpenAi).on("draft", draft());
    let staging = studio.path("staging");
    let saves = move |_: &[_]| reworks(&staging, "chapters/vol-01/chapter-001.md");
    let reply = Reply::from(score(4.5)).over(Wire::OpenAi).held_until(saves);
    studio.then("judge", reply);
    let book = studio.path("");
    let settled = move |_: &[_]| draft_says(&book, "draft/ch-001", "fault: judge");
    studio.then("judge-2", Reply::from(score(4.6)).over(Wire::OpenAi).held_until(settled));
    let _ = studio.go().ok();
    assert_eq!((studio.requests("judge").len(), studio.requests("judge-2").len()), (2, 2));
    assert_eq!(studio.git(&["log", "-1", "--format=%(trailers:key=Novel-Score,valueonly,separator=)"]).trim(), "4.20");
    studio.done();
}

#[test]
fn notes_that_the_author_saves_meanwhile_stay_as_they_are() {
    let studio = Studio::new();
    let path = studio.path("brief.md");
    let saves = move |_: &[_]| {
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{}\n\n结尾要回到那盏灯。\n", text.trim_end())).unwrap();
        true
    };
    studio.then("judge", Reply::good("judge").over(Wire::OpenAi).held_until(saves));
    let _ = studio.go().ok();
    assert!(studio.read("brief.md").contains("结尾要回到那盏灯"));
    // The chapter's commit does not touch the brief: it stays as the author left it, until the next chapter begins.
    assert_eq!(studio.git(&["status", "--porcelain"]).trim(), "M brief.md");
    assert!(studio.git(&["log", "-1", "--format=%s"]).starts_with("ch-00"));
    let _ = studio.git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "my notes"]);
    studio.done();
}
