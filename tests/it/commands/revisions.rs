//! Revisions of chapters that contradict the records: on request and by the book's policy.

use super::consistency::{LAST, planted};
use crate::common::World;
use serde_json::json;

const SLIP: &str = "秦远山低声说：“我还在。”";

/// A book whose eighth chapter lets a dead person speak, with four more chapters planned, under a policy.
fn contradicted(policy: &str) -> World {
    let world = planted();
    let chapter = world.read(LAST);
    world.write(LAST, &format!("{chapter}\n{SLIP}\n"));
    let outline = world.read("book/volumes/vol-01/outline.md");
    let (_, last) = outline.split_once("## 第8章").unwrap();
    let more: String = (9..=12).map(|n| format!("\n## 第{n}章{}", last.replace("回收", "推进"))).collect();
    world.write("book/volumes/vol-01/outline.md", &format!("{outline}{more}"));
    let settings = world.read("book/novel.toml");
    world.write("book/novel.toml", &format!("{settings}\n[checks]\nrevision_policy = \"{policy}\"\n"));
    world.commit("book", "the dead speak");
    world
}

fn acceptances(world: &World, chapter: &str) -> usize {
    world.subjects("book").iter().filter(|subject| subject.starts_with(&format!("{chapter}: "))).count()
}

#[test]
fn a_revision_on_request_waits_on_its_branch_until_the_author_takes_it_or_not() {
    let world = contradicted("none");
    let before = world.read(LAST);
    let make = ["revision", "make", "--offline", "--lang", "en"];
    let made = world.novel("book", &make).fails(3);
    assert!(made.stdout.contains("revisions awaiting your decision: ch 8"), "{made:#?}");
    assert!(made.stdout.contains("novel revision show"), "{made:#?}");
    assert_eq!((world.read(LAST), acceptances(&world, "ch-008")), (before.clone(), 1), "the book is as it was");
    // No later chapter before the answer, however often it is asked for.
    let refused = world.novel("book", &["continue", "--offline", "--lang", "en"]).fails(3);
    assert!(refused.stdout.contains("awaits your decision"), "{refused:#?}");
    assert!(world.git("book", &["tag", "--list", "ch-009"]).ok().is_empty());
    let shown = world.novel("book", &["revision", "show", "--lang", "zh"]).ok();
    for words in ["ch-008 → 修订稿", "秦远山已经死了", "[-", SLIP.trim_end_matches("。”"), "novel revision reject"]
    {
        assert!(shown.contains(words), "no {words} in {shown}");
    }
    let english = world.novel("book", &["revision", "show", "--lang", "en"]).ok();
    let wish = english.split("ch-008 →").next().unwrap();
    for words in ["秦远山 is dead", "; 秦远山 cannot be there", "nothing else in the chapter changes"] {
        assert!(wish.contains(words), "no {words} in {wish}");
    }
    assert!(!wish.contains("换给在场的人"), "what the program composed is in the reader's language: {wish}");

    let _ = world.novel("book", &["revision", "reject"]).ok();
    assert_eq!(world.read(LAST), before);
    assert!(!world.git("book", &["for-each-ref", "refs/novel/kept/ch-008"]).ok().is_empty(), "nothing is lost");
    let none = world.novel("book", &["revision", "show"]).fails(0);
    assert!(none.stdout.contains("no revision awaits") && none.stderr.is_empty(), "{none:#?}");
    assert!(world.novel("book", &["revision", "accept"]).fails(1).stderr.contains("there is nothing to decide"));

    let _ = world.novel("book", &make).fails(3);
    let taken: serde_json::Value =
        serde_json::from_str(&world.novel("book", &["revision", "accept", "--json"]).ok()).unwrap();
    assert_eq!((&taken["status"], &taken["chapter"]), (&json!("accepted"), &json!(8)));
    let _ = world.novel("book", &["continue", "--offline"]).ok();
    assert_eq!((acceptances(&world, "ch-008"), acceptances(&world, "ch-009")), (2, 1));
    assert!(!world.read(LAST).contains(SLIP));
    assert_eq!(world.novel("book", &["check", "8", "8"]).code, 0);
    world.check("book");
}

#[test]
fn every_revision_that_waits_is_shown_the_first_with_its_command() {
    let world = contradicted("none");
    const EARLIER: &str = "book/chapters/vol-01/chapter-003.md";
    let chapter = world.read(EARLIER);
    world.write(EARLIER, &format!("{chapter}\n闻晓满抬头看了看天。闻晓满说，别等了。\n"));
    world.commit("book", "a slip");
    let made = world.novel("book", &["revision", "make", "--doubts", "--offline", "--lang", "en"]).fails(3);
    assert!(made.stdout.contains("also awaiting your decision, one after the other: ch-008"), "{made:#?}");
    let status = world.novel("book", &["status", "--json"]).fails(0).json();
    let pending: Vec<&str> =
        status["pending"].as_array().unwrap().iter().map(|asked| asked.as_str().unwrap()).collect();
    assert!(pending.len() >= 2 && pending[0].contains("ch-003") && pending[1].contains("ch-008"), "{pending:?}");
    for command in [&["revision", "show", "--lang", "en"][..], &["decide", "--lang", "en"]] {
        let shown = world.novel("book", command).stdout;
        let (first, later) = shown.split_once("also awaiting your decision").unwrap();
        assert!(first.contains("ch-003") && !first.contains("ch-008") && later.contains("ch-008"), "{shown}");
    }
    let shown = world.novel("book", &["revision", "show", "--json"]).fails(0).json();
    assert_eq!((&shown["chapter"], &shown["later"][0]["chapter"]), (&json!(3), &json!(8)));
}

#[test]
fn the_policy_has_contradictions_revised_after_the_tenth_chapter_and_the_run_goes_on() {
    let world = contradicted("auto_apply");
    let run = world.novel("book", &["continue", "4", "--offline", "--lang", "en"]);
    assert_eq!(run.code, 0, "{run:#?}");
    assert!(run.stderr.contains("秦远山 is dead"), "what is wrong is told: {run:#?}");
    assert!(!world.read(LAST).contains(SLIP));
    assert_eq!((acceptances(&world, "ch-008"), acceptances(&world, "ch-012")), (2, 1));
    assert_eq!(world.novel("book", &["check", "8", "8"]).code, 0);
    world.check("book");
}

#[test]
fn a_policy_that_asks_stops_the_run_with_the_revision_waiting() {
    let world = contradicted("manual_confirm");
    let run = world.novel("book", &["continue", "4", "--offline", "--lang", "en"]).fails(3);
    assert!(run.stdout.contains("novel revision show"), "{run:#?}");
    assert!(world.git("book", &["tag", "--list", "ch-011"]).ok().is_empty());
    assert!(world.read(LAST).contains(SLIP));
    let status = world.novel("book", &["status", "--lang", "zh"]).ok();
    assert!(status.contains("ch-008") && status.contains("novel decide"), "{status}");
    let _ = world.novel("book", &["revision", "accept"]).ok();
    let _ = world.novel("book", &["continue", "2", "--offline"]).ok();
    assert_eq!((acceptances(&world, "ch-008"), acceptances(&world, "ch-012")), (2, 1));
    assert!(!world.read(LAST).contains(SLIP));
    world.check("book");
}

#[test]
fn a_book_without_contradictions_has_nothing_to_revise_and_a_policy_is_checked() {
    let world = planted();
    let made = world.novel("book", &["revision", "make", "--offline", "--json"]);
    assert_eq!((made.code, &made.json_lines().pop().unwrap()["status"]), (0, &json!("nothing")), "{made:#?}");
    let settings = world.read("book/novel.toml");
    world.write("book/novel.toml", &format!("{settings}\n[checks]\nrevision_policy = \"ask\"\n"));
    let refused = world.novel("book", &["continue", "--offline"]).fails(4);
    assert!(refused.stderr.contains("revision_policy") && refused.stderr.contains("manual_confirm"), "{refused:#?}");
}

#[test]
fn a_name_that_is_misspelt_is_put_right_and_nothing_else() {
    let world = World::new();
    let _ = world.novel("", &["demo", "book", "--chapters", "4"]).ok();
    let path = "book/chapters/vol-01/chapter-003.md";
    let before = world.read(path);
    world.write(path, &format!("{before}\n闻晓满抬头看了看天。闻晓满说，别等了。\n"));
    world.commit("book", "a slip");
    let made = world.novel("book", &["revision", "make", "3", "3", "--doubts"]).fails(3);
    assert!(made.stdout.contains("novel revision show"), "{made:#?}");
    // The refiner edits as it does every text.
    let log = world
        .git("book", &["log", "--format=%H %(trailers:key=Novel-Stage,valueonly,separator=)", "draft/ch-003"])
        .ok();
    let revised = log.lines().find_map(|line| line.strip_suffix(" revise")).unwrap();
    let text = world.git("book", &["show", &format!("{revised}:chapters/vol-01/chapter-003.md")]).ok();
    assert_eq!(text, format!("{before}\n闻小满抬头看了看天。闻小满说，别等了。\n"));
}
