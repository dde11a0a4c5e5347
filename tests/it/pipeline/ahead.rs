//! The next chapter's draft, asked for while a chapter is refined and judged.

use super::money::priced;
use super::script::{Reply, Script, draft, draft_of, score, stage_of, summary};
use super::studio::Studio;
use crate::llm::server::{Answer, Received, Server};
use novel::llm::Wire;
use serde_json::json;
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};

fn of_stage(requests: &[Received], stage: &str) -> usize {
    requests.iter().filter(|request| stage_of(request) == stage).count()
}

/// A reply that comes once so many drafts have been asked for.
fn after_drafts(reply: Reply, drafts: usize) -> Reply {
    reply.over(Wire::OpenAi).held_until(move |requests| of_stage(requests, "draft") >= drafts).into()
}

/// The drafts that were asked for, by chapter.
fn drafts(studio: &Studio) -> Vec<u32> {
    let title = |request: &Received| {
        let prompt = request.prompt();
        let (_, task) = prompt.rsplit_once("现在写第 ").unwrap();
        task.split_once(' ').unwrap().0.parse().unwrap()
    };
    studio.requests("draft").iter().map(title).collect()
}

/// A revision that ends otherwise than the draft before.
fn another_end() -> String {
    let body = draft_of(31).split_once("\n\n").unwrap().1.to_owned();
    format!("{}\n\n{body}", draft().trim_end().split_once("轮到他的时候").unwrap().0.trim_end())
}

#[test]
fn the_next_draft_is_written_while_a_chapter_is_refined_and_judged() {
    let studio = Studio::new();
    for stage in ["refine", "judge"] {
        studio.then(stage, after_drafts(Reply::good(stage), 2));
    }
    let _ = studio.novel(&["continue", "2"]).ok();
    assert_eq!(drafts(&studio), [2, 3]);
    assert_eq!(studio.asked().len(), 8, "nothing is asked for twice");
    // The writer is told of the chapter before as it will be.
    let prompt = studio.requests("draft")[1].prompt();
    for told in ["守门人认出裂开的火漆，把信还给他", "北门外", "正按在裂开的火漆上"] {
        assert!(prompt.contains(told), "{told}: {prompt}");
    }
    let log = studio.git(&["show", "HEAD:logs/vol-01/chapter-003-log.json"]);
    assert!(log.contains("\"ahead\": true"), "{log}");
    assert_eq!(studio.novel(&["restore"]).ok().matches("ch-003").count(), 0, "nothing was put aside");
    studio.done();
}

#[test]
fn chapters_come_one_after_the_other_where_work_ahead_is_off() {
    for (name, value) in [("NOVEL_AHEAD", "off"), ("NOVEL_AHEAD", "safe")] {
        let studio = Studio::new().with(name, value);
        let args = if value == "off" { vec!["continue", "2"] } else { vec!["continue", "2", "--ahead", "off"] };
        let _ = studio.novel(&args).ok();
        assert_eq!(studio.asked(), ["draft", "summarize", "refine", "judge"].repeat(2));
    }
    let run = Studio::new().with("NOVEL_AHEAD", "often").novel(&["continue", "2"]).fails(4);
    assert!(run.stderr.contains("off") && run.stderr.contains("eager"), "{run:#?}");
}

#[test]
fn a_key_chapter_is_finished_first_unless_the_author_is_in_a_hurry() {
    // The first chapter of a volume is a key chapter.
    let safe = Studio::unwritten(Wire::OpenAi);
    let _ = safe.novel(&["continue", "2"]).ok();
    assert_eq!(safe.asked()[..6], ["draft", "summarize", "refine", "judge", "judge-2", "draft"]);
    let eager = Studio::unwritten(Wire::OpenAi);
    eager.then("judge", after_drafts(Reply::good("judge"), 2));
    let _ = eager.novel(&["continue", "2", "--ahead", "eager"]).ok();
    eager.done();
}

#[test]
fn a_summary_without_operations_is_nothing_to_go_on_from() {
    let studio = Studio::new().on("summarize", "?").on("summarize", "?");
    let _ = studio.novel(&["continue", "2"]).ok();
    let asked = studio.asked();
    assert_eq!(asked.iter().rposition(|stage| *stage == "draft"), Some(5), "{asked:?}");
    studio.done();
}

#[test]
fn a_draft_that_was_told_of_another_end_is_kept_and_written_anew() {
    let studio = Studio::new();
    studio.then("judge", after_drafts(score(3.2).into(), 2));
    studio.then("revise", another_end());
    let run = studio.novel(&["continue", "2"]);
    assert!(run.stderr.contains("the draft written ahead was told"), "{run:#?}");
    assert!(run.stderr.contains("of the drafts written ahead 0 went on and 1 were put aside"), "{run:#?}");
    let _ = run.ok();
    assert_eq!(drafts(&studio), [2, 3, 3]);
    assert!(studio.novel(&["restore"]).ok().contains("ch-003/"), "the draft is kept");
    let cost = studio.novel(&["cost"]).ok();
    assert!(cost.contains("written ahead: 0 calls went on, 1 put aside"), "{cost}");
    let cost = studio.novel(&["cost", "--json"]).ok();
    let cost: serde_json::Value = serde_json::from_str(&cost).unwrap();
    // Chapter 1 has taken five calls of the offline writer.
    assert_eq!(cost["total"]["calls"], studio.asked().len() + 5, "{cost}");
    studio.done();
}

#[test]
fn a_draft_goes_on_where_a_revision_differs_in_wording_only() {
    let studio = Studio::new();
    studio.then("judge", after_drafts(score(3.2).into(), 2));
    let _ = studio.novel(&["continue", "2"]).ok();
    assert_eq!(drafts(&studio), [2, 3]);
    studio.done();
    let moved = Studio::new();
    moved.then("judge", after_drafts(score(3.2).into(), 2));
    moved.then("summarize", Reply::good("summarize"));
    moved.then("summarize", summary(json!([super::script::moved_to("江边")])));
    let _ = moved.novel(&["continue", "2"]).ok();
    assert_eq!(drafts(&moved), [2, 3, 3], "people are somewhere else now");
    moved.done();
}

#[test]
fn a_question_about_a_chapter_holds_the_draft_after_it() {
    let studio = Studio::new();
    studio.then("judge", after_drafts(score(2.4).into(), 2));
    let run = studio.novel(&["continue", "2"]).fails(3);
    assert!(run.stdout.contains("ch-002"), "{run:#?}");
    studio.check();
    let status = studio.novel(&["status"]).ok();
    assert!(status.contains("; ch-003 is drafted already"), "{status}");
    let _ = studio.novel(&["decide", "accept"]).ok();
    let _ = studio.novel(&["continue", "2"]).ok();
    assert_eq!(drafts(&studio), [2, 3]);
    studio.done();
}

#[test]
fn two_revised_chapters_of_the_last_five_are_a_reason_to_wait() {
    let studio = Studio::unwritten(Wire::OpenAi);
    for points in [3.2, 4.2, 3.2, 4.2] {
        studio.then("judge", score(points));
    }
    studio.then("revise", format!("{}\n\n他走了。\n", draft_of(1).trim_end()));
    let _ = studio.novel(&["continue", "4"]).ok();
    assert_eq!(drafts(&studio), [1, 2, 3, 4]);
    let asked = studio.asked();
    let last = asked.iter().rposition(|stage| *stage == "draft").unwrap();
    assert_eq!(asked[last - 1], "judge", "chapter 3 was finished first: {asked:?}");
    studio.done();
}

#[test]
fn a_budget_that_does_not_pay_for_both_is_for_the_chapter_in_hand() {
    let studio = priced();
    // The most that the refiner may cost is counted until it has answered, after the summary is there.
    let book = studio.path("");
    let summarized = move |_: &[Received]| {
        let log = Command::new("git").args(["log", "--format=%b", "draft/ch-002"]).current_dir(&book).output();
        log.is_ok_and(|log| String::from_utf8_lossy(&log.stdout).contains("Novel-Stage: summarize"))
    };
    studio.then("refine", Reply::good("refine").over(Wire::OpenAi).held_until(summarized));
    let _ = studio.novel(&["continue", "2", "--budget", "40usd"]).ok();
    assert_eq!(studio.asked(), ["draft", "summarize", "refine", "judge"].repeat(2));
    studio.done();
}

/// Kills the program at one of the calls of `continue 2`, and has the rest written by another run. Returns how
/// often a model was asked, and what the book has become.
fn killed_at(call: usize, judged: f64) -> (usize, String) {
    let (mut script, mut calls, pid) = (Script::default(), 0, Arc::new(OnceLock::<u32>::new()));
    let victim = Arc::clone(&pid);
    let server = Server::answering(move |request| {
        calls += 1;
        if calls != call {
            let is_first = stage_of(request) == "judge" && request.prompt().contains("他没有回头。");
            return if is_first { score(judged).into() } else { script.take(request) }.over(Wire::OpenAi);
        }
        let victim = Arc::clone(&victim);
        let kill = move |pid: &u32| Command::new("kill").args(["-KILL", &pid.to_string()]).status().is_ok();
        Answer::mute().held_until(move |_| victim.get().is_some_and(kill))
    });
    let studio = Studio::new().with("NOVEL_BASE_URL", &server.openai_url()).with("SOURCE_DATE_EPOCH", "1767225600");
    let run = || {
        let mut run = studio.world.command(env!("CARGO_BIN_EXE_novel"), &studio.path(""));
        run.args(["continue", "2", "--ahead", "eager"]).stdout(Stdio::null()).stderr(Stdio::null());
        run.spawn().unwrap()
    };
    let mut first = run();
    pid.set(first.id()).unwrap();
    let is_killed = first.wait().unwrap().code().is_none();
    assert_eq!(is_killed, call > 0);
    if is_killed {
        assert!(run().wait().unwrap().success(), "after a death at call {call}");
    }
    studio.check();
    let book = studio.git(&["rev-parse", "HEAD:chapters", "HEAD:state", "HEAD:summaries"]);
    (server.requests().len(), book)
}

#[cfg(unix)]
fn dies_at_every_call(judged: f64) {
    let (calls, book) = killed_at(0, judged);
    for call in 1..=calls {
        let (asked, again) = killed_at(call, judged);
        assert!((calls..=calls + 2).contains(&asked), "{call}: only what was under way is asked for again: {asked}");
        assert_eq!(again, book, "{call}");
    }
}

#[cfg(unix)]
#[test]
fn a_death_at_any_call_pays_for_nothing_twice() {
    dies_at_every_call(4.2);
}

#[cfg(unix)]
#[test]
fn a_death_at_any_call_beside_a_revision_pays_for_nothing_twice() {
    dies_at_every_call(3.2);
}
