//! Chapters by number: used where they are there, written where they are not, and written again on demand.

use crate::common::World;

/// The files that a rewriting of another chapter must not touch.
fn results(world: &World, chapter: &str) -> Vec<String> {
    [
        "chapters/vol-01/chapter-00N.md",
        "summaries/vol-01/chapter-00N-summary.md",
        "state/deltas/vol-01/chapter-00N-delta.json",
    ]
    .map(|path| world.read(&format!("book/{}", path.replace('N', chapter))))
    .to_vec()
}

#[test]
fn what_is_there_is_used_and_what_is_missing_is_written() {
    let world = World::new();
    let book = world.demo_with(2);
    let before = results(&world, "2");
    let said = world.novel(book, &["write", "2-4", "--lang", "zh"]).ok();
    assert!(said.contains("ch-002 已经写过") && said.contains("ch-004 "), "{said}");
    assert_eq!(results(&world, "2"), before);
    assert_eq!(world.novel(book, &["status", "--json"]).json()["last_completed"], 4);
    let lines = world.novel(book, &["write", "1,5", "--json"]).json_lines();
    assert_eq!((&lines[0]["status"], &lines.last().unwrap()["status"]), (&"reused".into(), &"completed".into()));
    assert_eq!(lines.last().unwrap()["chapters"][1]["status"], "completed");
}

#[test]
fn a_chapter_that_lacks_others_is_refused_before_anything_is_written() {
    let world = World::new();
    let book = world.demo_with(1);
    let refused = world.novel(book, &["write", "1,2,4"]).fails(1);
    assert!(refused.stderr.contains("ch-003 comes first") && refused.stderr.contains("--to ch-004"), "{refused:#?}");
    assert_eq!(world.novel(book, &["status", "--json"]).json()["last_completed"], 1);
    let dry = world.novel(book, &["write", "1,2,4,40", "--dry-run", "--json"]).fails(1);
    let needs: Vec<String> =
        dry.json()["chapters"].as_array().unwrap().iter().map(|c| c["status"].as_str().unwrap().into()).collect();
    assert_eq!(needs, ["reuse", "write", "lacks", "unplanned"]);

    let going = world.novel(book, &["write", "1,2,4,40", "--keep-going"]).fails(1);
    assert!(going.stdout.contains("ch-004  ch-003 comes first") && going.stdout.contains("ch-040"), "{going:#?}");
    assert_eq!(world.novel(book, &["status", "--json"]).json()["last_completed"], 2);
    world.check(book);
}

#[test]
fn a_chapter_in_the_middle_is_written_again_and_says_what_rests_on_it() {
    let world = World::new();
    let book = world.demo_with(5);
    let status = || world.novel(book, &["status", "--json"]).json();
    let (old, later) = (results(&world, "2"), [results(&world, "3"), results(&world, "5")]);
    let was = (world.git(book, &["rev-parse", "ch-002"]).ok(), world.novel(book, &["cost", "--json"]).json());
    let said = world.novel(book, &["write", "2", "--force", "--wish", "让对手先开口", "-vv"]).fails(0);
    assert!(said.stderr.contains("作者要求：让对手先开口"), "the wish is in the prompt");
    let next = later[0][0].lines().nth(2).unwrap();
    assert!(said.stderr.contains(&format!("收尾要接得上它的开头：{next}")), "and so is what follows: {next}");
    assert!(said.stdout.contains("replaces") && said.stdout.contains("ch-005: mood of 程既白"), "{}", said.stdout);
    assert!(!said.stdout.contains("characters."), "paths are said in words: {}", said.stdout);
    assert_ne!(results(&world, "2"), old);
    assert_eq!([results(&world, "3"), results(&world, "5")], later);

    let message = world.git(book, &["show", "-s", "--format=%B", "ch-002"]).ok();
    assert!(message.contains(&format!("Novel-Replaces: {}", was.0.trim())), "{message}");
    assert!(message.contains("- ch-003 rests on what has changed: "), "{message}");
    assert_eq!(
        world.git(book, &["rev-parse", "ch-002", "HEAD"]).ok().lines().collect::<std::collections::BTreeSet<_>>().len(),
        1
    );
    let now = status();
    assert_eq!(now["last_completed"], 5);
    let words: u64 = now["chapters"].as_array().unwrap().iter().map(|c| c["words"].as_u64().unwrap()).sum();
    assert_eq!(now["totals"]["words"].as_u64(), Some(words), "{now}");
    let calls = |cost: &serde_json::Value| cost["total"]["calls"].as_u64().unwrap();
    let cost = world.novel(book, &["cost", "--json"]).json();
    assert!(calls(&cost) > calls(&was.1), "what the old text cost is still counted: {cost}");
    let _ = world.novel(book, &["doctor"]).ok();
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");

    let _ = world.novel(book, &["continue"]).ok();
    let _ = world.novel(book, &["doctor"]).ok();
    let _ = world.novel(book, &["undo", "2"]).ok();
    assert_eq!(results(&world, "2"), old);
    assert_eq!(world.git(book, &["rev-parse", "ch-002"]).ok(), was.0, "the tag follows back");
    world.check(book);
}

#[test]
fn going_back_to_a_chapter_is_going_back_to_when_the_book_had_reached_it() {
    let world = World::new();
    let book = world.demo_with(3);
    let tree = |commit: &str| world.git(book, &["rev-parse", &format!("{commit}^{{tree}}")]).ok();
    let _ = world.novel(book, &["write", "3", "--force"]).ok();
    let again = world.novel(book, &["rollback", "ch-3", "--yes"]).fails(0);
    assert!(again.stdout.contains("already at ch-003"), "{again:#?}");
    let rewritten = tree("ch-003");
    let _ = world.novel(book, &["continue"]).ok();
    let _ = world.novel(book, &["write", "1", "--force"]).ok();
    let leaving = world.novel(book, &["rollback", "ch-3", "--dry-run"]).ok();
    assert_eq!(leaving.matches("ch-00").count(), 3, "the new first chapter and the fourth leave: {leaving}");
    let _ = world.novel(book, &["rollback", "ch-3", "--yes"]).ok();
    assert_eq!(tree("HEAD"), rewritten);
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn a_new_text_that_does_not_pass_waits_and_can_be_dropped() {
    let world = World::new();
    let book = world.demo_with(3);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-002): 2.4\n", world.read("book/brief.md")));
    let old = results(&world, "2");
    let asked = world.novel(book, &["write", "2", "--force"]).fails(3);
    assert!(asked.stdout.contains("drop"), "{asked:#?}");
    let status = world.novel(book, &["status", "--json"]).json();
    assert_eq!((&status["inflight"]["chapter"], &status["next"]), (&2.into(), &"novel decide".into()), "{status}");
    let waits = world.novel(book, &["continue"]).fails(3);
    assert!(waits.stdout.contains("ch-002"), "the next chapter is not written before: {waits:#?}");
    let _ = world.novel(book, &["decide", "drop"]).ok();
    assert_eq!(results(&world, "2"), old);
    assert_eq!(world.git(book, &["for-each-ref", "refs/heads/draft"]).ok(), "");
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(world.novel(book, &["status", "--json"]).json()["last_completed"], 4);

    let _ = world.novel(book, &["write", "2", "--force"]).fails(3);
    let _ = world.novel(book, &["decide", "accept"]).ok();
    let said = world.novel(book, &["continue"]).ok();
    assert!(said.contains("ch-002") && said.contains("ch-005"), "what waited goes first and does not count: {said}");
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn an_order_that_was_interrupted_is_gone_on_with_and_one_that_was_carried_out_is_not() {
    let undisturbed = World::new();
    let book = undisturbed.demo_with(3);
    let _ = undisturbed.novel(book, &["write", "1-2", "--force"]).ok();
    let wanted = undisturbed.tree(book);
    for point in
        ["errand.begun", "objects.placed", "txn.kept", "txn.intent", "txn.after_cas", "txn.end", "txn.before_end#2"]
    {
        let world = World::new();
        let book = world.demo_with(3);
        let mut dying = world.command(env!("CARGO_BIN_EXE_novel"), &world.path(book));
        let dead = dying.args(["write", "1-2", "--force"]).env(novel::git::failpoint::ENV, point).output().unwrap();
        assert!(!dead.status.success(), "{point} is never reached");
        let _ = world.novel(book, &["write", "1-2", "--force"]).ok();
        assert_eq!(world.tree(book), wanted, "{point}");
        let _ = world.novel(book, &["doctor"]).ok();
        world.check(book);
    }
    let _ = undisturbed.novel(book, &["write", "1-2", "--force"]).ok();
    assert_ne!(undisturbed.tree(book), wanted, "the same order once more is a new one");
}

#[test]
fn another_wish_begins_anew() {
    let world = World::new();
    let book = world.demo_with(2);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-001): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["write", "1", "--force", "--wish", "快一点"]).fails(3);
    let kept =
        || world.git(book, &["for-each-ref", "--format=%(refname)", "refs/novel/kept/ch-001"]).ok().lines().count();
    let before = kept();
    let _ = world.novel(book, &["write", "1", "--force", "--wish", "慢一点"]).fails(3);
    assert_eq!(kept(), before + 1, "the draft for the other wish is put aside");
    let subjects = world.git(book, &["log", "--format=%s", "HEAD..draft/ch-001"]).ok();
    assert!(subjects.contains("慢一点") && !subjects.contains("快一点"), "{subjects}");
}

#[test]
fn a_chapter_is_written_again_scene_by_scene_where_the_book_is() {
    let world = World::new();
    let book = world.demo_with(3);
    let old = results(&world, "2");
    let said = world.novel(book, &["write", "2", "--force", "--scenes", "--wish", "先听见声音", "-vv"]).fails(0);
    assert!(said.stderr.contains("作者要求：先听见声音"), "the plan of its scenes knows the wish");
    let new = results(&world, "2");
    let first = old[0].lines().nth(2).unwrap();
    assert!(!new[0].contains(first), "no scene goes on from the old text: {first}");
    let draft = world.git(book, &["show", "-s", "--format=%(trailers:key=Novel-Draft,valueonly)", "ch-002"]).ok();
    let subjects = world.git(book, &["log", "--format=%s", "--first-parent", "-12", draft.trim()]).ok();
    assert!(subjects.contains("scene-plan: ") && subjects.contains(" scene: "), "{subjects}");
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn an_order_that_was_decided_about_is_over_and_the_same_again_is_new() {
    let world = World::new();
    let book = world.demo_with(3);
    let brief = world.read("book/brief.md");
    world.write("book/brief.md", &format!("{brief}\n离线评分(ch-002): 2.4\n"));
    let _ = world.novel(book, &["write", "2", "--force"]).fails(3);
    let _ = world.novel(book, &["decide", "accept"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    let head = world.subjects(book);
    let again = world.novel(book, &["write", "2", "--force"]);
    assert!(!again.stderr.contains("already exists"), "{again:#?}");
    let _ = again.fails(3);
    assert_eq!(world.subjects(book), head, "it waits again");
    let _ = world.novel(book, &["decide", "drop"]).ok();
    world.check(book);
}

#[test]
fn each_stage_of_several_chapters_says_how_far_the_run_is() {
    let world = World::new();
    let book = world.demo();
    let run = world.novel(book, &["continue", "2", "--lang", "en"]);
    for part in ["[1/2] ch-001 draft", "[2/2] ch-002 draft", "[2/2] ch-002 judge"] {
        assert!(run.stderr.contains(part), "{run:#?}");
    }
    let one = world.novel(book, &["continue", "--lang", "en"]);
    assert!(one.stderr.contains("ch-003 draft") && !one.stderr.contains('['), "{one:#?}");
    let to = world.novel(book, &["continue", "--to", "5", "--lang", "en"]);
    assert!(to.stderr.contains("[1/2] ch-004 draft") && to.stderr.contains("[2/2] ch-005 draft"), "{to:#?}");
}
