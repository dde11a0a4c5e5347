//! Several drafts of one chapter side by side: written at once, judged alone, one taken through the gate, none lost.

use super::money::priced;
use super::script::{Reply, draft, score};
use super::studio::Studio;
use novel::llm::Wire;
use serde_json::Value;
use std::collections::BTreeSet;

const COMMAND: [&str; 3] = ["continue", "--candidates", "3"];

fn branches(studio: &Studio) -> Vec<String> {
    let listed = studio.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads/draft"]);
    listed.lines().map(str::to_owned).collect()
}

fn kept(studio: &Studio) -> Vec<Value> {
    let list = studio.novel(&["restore", "--json"]).json();
    list["kept"].as_array().unwrap().clone()
}

#[test]
fn candidates_are_written_at_once_and_the_best_goes_through_the_gate() {
    let studio = Studio::new().on("judge", score(3.1)).on("judge", score(4.6)).on("judge", score(3.6));
    // None of the texts comes before all three have been asked for.
    for _ in 0..3 {
        studio.then("draft", Reply::good("draft").over(Wire::OpenAi).held_until(|requests| requests.len() >= 3));
    }
    let done = studio.novel(&COMMAND);
    assert_eq!(done.code, 0, "{done:#?}");
    assert!(done.stderr.contains("was chosen"), "{done:#?}");
    for number in 1..=3 {
        let of_it = |line: &&str| line.contains(&format!("ch-002 candidate {number} draft"));
        let line = done.stderr.lines().find(of_it).unwrap_or_else(|| panic!("{number}: {done:#?}"));
        assert!(line.contains("characters") && !line.contains("  0 tokens"), "{line}");
    }
    assert_eq!(studio.requests("draft").len(), 3);
    assert_eq!(studio.requests("judge").len(), 3, "each is judged once, and the chosen one not again");
    assert_eq!((studio.trailer("Novel-Score").as_str(), studio.trailer("Novel-Gate").as_str()), ("4.60", "pass"));
    assert!(branches(&studio).is_empty(), "{:?}", branches(&studio));
    let others = kept(&studio);
    assert_eq!(others.iter().filter(|entry| entry["kind"] == "draft").count(), 2, "{others:#?}");
    studio.done();
}

#[test]
fn a_judge_of_a_candidate_knows_of_no_other() {
    let studio = Studio::new();
    let _ = studio.novel(&COMMAND).ok();
    for request in studio.requests("judge") {
        let prompt = request.prompt();
        assert!(!prompt.contains("candidate") && !prompt.contains("候选"), "{prompt}");
    }
}

#[test]
fn the_author_may_look_at_them_and_choose() {
    let texts: Vec<String> = (1..=3).map(|n| draft().replace("他没有回头。", &format!("他回了{n}次头。"))).collect();
    let studio = texts.iter().fold(Studio::new(), |studio, text| studio.on("draft", text.clone()));
    let asked = studio.novel(&["continue", "--candidates", "3", "--choose"]).fails(3);
    assert!(asked.stdout.contains("novel decide pick --candidate"), "{asked:#?}");
    assert_eq!(branches(&studio), ["draft/candidate-1/ch-002", "draft/candidate-2/ch-002", "draft/candidate-3/ch-002"]);
    let list = studio.novel(&["decide", "--json"]).json();
    assert_eq!(list["candidates"].as_array().unwrap().len(), 3, "{list}");
    let compared = studio.novel(&["compare", "draft/candidate-1/ch-002", "draft/candidate-2/ch-002", "--json"]).json();
    assert!(!compared["prose"]["hunks"].as_array().unwrap().is_empty(), "{compared}");
    let refused = studio.go().fails(3);
    assert!(refused.stderr.contains("novel decide"), "{refused:#?}");
    assert_eq!(studio.novel(&["start", "--json"]).fails(3).json(), list, "no other step comes first");
    assert!(list["candidates"][1]["text"].as_str().unwrap().contains("次头。"), "{list}");
    let _ = studio.novel(&["decide", "pick", "--candidate", "9"]).fails(1);
    let other = studio.novel(&["--lang", "en", "decide", "pick", "--candidate", "2", "--chapter", "9"]).fails(1);
    assert!(other.stderr.contains("ch-002"), "{other:#?}");
    let text = studio.git(&["show", "draft/candidate-2/ch-002:chapters/vol-01/chapter-002.md"]);
    let before = studio.server.requests().len();
    let _ = studio.novel(&["decide", "pick", "--candidate", "2"]).ok();
    let _ = studio.go().ok();
    assert_eq!(studio.server.requests().len(), before, "everything was there");
    assert_eq!(studio.read("chapters/vol-01/chapter-002.md"), text);
    let names: BTreeSet<String> =
        kept(&studio).iter().filter(|entry| entry["kind"] == "draft").map(|entry| entry["name"].to_string()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    studio.check();
}

#[test]
fn candidates_are_put_aside_for_a_wish_and_can_be_brought_back() {
    let other = draft().replace("他没有回头。", "他回了一次头。");
    let studio = Studio::new().on("draft", draft()).on("draft", other);
    let _ = studio.novel(&["continue", "--candidates", "2", "--choose"]).fails(3);
    let noted = studio.novel(&["--lang", "en", "wish", "多写雨"]).ok();
    assert!(noted.contains("ch-002 has a text already") && noted.contains("novel decide drop"), "{noted}");
    let _ = studio.novel(&["decide", "drop", "--chapter", "9"]).fails(1);
    let dropped = studio.novel(&["--lang", "en", "decide", "drop"]).ok();
    assert!(dropped.contains("novel restore") && branches(&studio).is_empty(), "{dropped}");
    assert_eq!(kept(&studio).iter().filter(|entry| entry["kind"] == "draft").count(), 2);
    assert!(studio.novel(&["--lang", "en", "wish", "多写雨"]).ok().contains("noted for ch-002"));
    let _ = studio.go().ok();
    studio.check();
}

#[test]
fn an_interrupted_run_goes_on_without_paying_twice() {
    let studio = Studio::new();
    let mut command = studio.world.command(env!("CARGO_BIN_EXE_novel"), &studio.path(""));
    let died = command.args(COMMAND).env(novel::git::failpoint::ENV, "candidate.picked").output().unwrap();
    assert_eq!(died.status.code(), None, "{died:?}");
    let asked = studio.asked().len();
    let _ = studio.novel(&COMMAND).ok();
    assert_eq!(studio.asked().len(), asked, "all was paid for before the choice");
    assert!(branches(&studio).is_empty());
    assert_eq!(studio.requests("draft").len(), 3);
    assert_eq!(studio.git(&["rev-list", "--count", "ch-001..HEAD"]), "1\n");
    studio.check();
}

#[test]
fn candidates_share_one_budget_and_each_call_is_counted() {
    let studio = priced();
    let stopped = studio.novel(&["continue", "--candidates", "2", "--budget", "0.01usd"]).fails(6);
    assert!(stopped.stderr.contains("0.01"), "{stopped:#?}");
    let other = draft().replace("他没有回头。", "他回了一次头，看见门已经关上。");
    let studio = priced().on("draft", draft()).on("draft", other);
    let _ = studio.novel(&["continue", "--candidates", "2"]).ok();
    let calls = studio.server.requests().len() as u64;
    let cost = studio.novel(&["cost", "--json"]).json();
    let row = cost["rows"].as_array().unwrap().iter().find(|row| row["name"] == "ch-002").cloned();
    assert_eq!(row.as_ref().map(|row| row["calls"].as_u64().unwrap()), Some(calls), "{cost}");
}

#[test]
fn a_chapter_that_has_one_draft_gets_no_candidates() {
    let studio = Studio::new().on("judge", score(2.4));
    let _ = studio.go().fails(3);
    let refused = studio.novel(&COMMAND).fails(1);
    assert!(refused.stderr.contains("as a single draft"), "{refused:#?}");
}
