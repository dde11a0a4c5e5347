//! The setting `keep_calls`, from outside: calls of older chapters go, and every command that would show them says why.

use crate::common::World;
use serde_json::Value;

/// The demo book with chapters, in a world whose git knows the author.
fn world(chapters: u32) -> (World, &'static str) {
    let world = World::new();
    world.write("home/.gitconfig", "[user]\nname = A\nemail = a@b\n[init]\ndefaultBranch = main\n");
    let book = world.demo_with(chapters);
    (world, book)
}

/// Sets the number of chapters, and writes one chapter.
fn keep(world: &World, book: &str, chapters: u32) {
    let settings = world.read("book/novel.toml").replace("[book]\n", &format!("[book]\nkeep_calls = {chapters}\n"));
    world.write("book/novel.toml", &settings);
    let _ = world.novel(book, &["continue"]).ok();
}

/// The names of the refs below `refs/novel/kept/`.
fn kept(world: &World, book: &str) -> Vec<String> {
    let listed = world.git(book, &["for-each-ref", "--format=%(refname:lstrip=3)", "refs/novel/kept"]).ok();
    listed.lines().map(str::to_owned).collect()
}

/// The works that have kept drafts.
fn works(world: &World, book: &str) -> Vec<String> {
    let mut works: Vec<String> = kept(world, book).iter().map(|name| name.split('/').next().unwrap().into()).collect();
    works.dedup();
    works
}

/// The draft that a chapter was accepted from.
fn draft_of(world: &World, book: &str, chapter: &str) -> String {
    world.git(book, &["log", "-1", "--format=%(trailers:key=Novel-Draft,valueonly)", chapter]).ok().trim().into()
}

fn total(world: &World, book: &str) -> Value {
    world.novel(book, &["cost", "--json"]).json()["total"].clone()
}

/// Asserts that a command says why it has no calls to show.
#[track_caller]
fn says_why(world: &World, book: &str, args: &[&str]) {
    let failure = world.novel(book, args).fails(1);
    let said = failure.stdout + &failure.stderr;
    assert!(said.contains("no longer kept") && said.contains("keep_calls = 2"), "{args:?}: {said}");
}

#[test]
fn calls_of_older_chapters_go_and_every_command_says_so() {
    let (world, book) = world(4);
    let first = draft_of(&world, book, "ch-001");
    let by_name = format!("ch-001/{:.10}", first);
    assert!(kept(&world, book).contains(&by_name));
    keep(&world, book, 2);
    assert_eq!(works(&world, book), ["ch-004", "ch-005"]);
    for is_pruned in [false, true] {
        if is_pruned {
            let _ = world.git(book, &["reflog", "expire", "--expire=now", "--all"]).ok();
            let _ = world.git(book, &["gc", "-q", "--prune=now"]).ok();
            assert_ne!(world.git(book, &["cat-file", "-e", &first]).code, 0);
        }
        for args in [
            &["show", "1", "--calls"][..],
            &["show", "ch-001", "--calls", "--json"],
            &["show", "3", "--stage", "draft"],
            &["diff", "1", "--stage", "draft..refine"],
            &["restore", &by_name],
        ] {
            says_why(&world, book, args);
        }
        let commit = world.git(book, &["rev-parse", "ch-001"]).ok();
        says_why(&world, book, &["show", commit.trim(), "--calls"]);
        assert!(world.novel(book, &["show", "4", "--calls"]).ok().contains("draft"));
        assert!(world.novel(book, &["show", "1"]).ok().contains("第"));
        let _ = world.novel(book, &["metrics"]).ok();
        assert_eq!(world.novel(book, &["doctor", "--json"]).json()["findings"].as_array().unwrap().len(), 0);
        world.check(book);
    }
    // Chapters that leave the book have been paid for, and may come back.
    let (paid, tree) = (total(&world, book), world.tree(book));
    let _ = world.novel(book, &["rollback", "ch-2", "--yes"]).ok();
    assert_eq!(total(&world, book), paid);
    says_why(&world, book, &["show", "2", "--calls"]);
    let _ = world.novel(book, &["undo"]).ok();
    assert_eq!((world.tree(book), total(&world, book)), (tree, paid));
    let _ = world.novel(book, &["rollback", "ch-2", "--yes"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    assert!(world.novel(book, &["show", "3", "--calls"]).ok().contains("draft"));
    // The drafts of the chapters that left are not those of chapters that the book has.
    assert_eq!(works(&world, book), ["ch-003", "ch-004", "ch-005"]);
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn the_archive_goes_and_what_was_put_aside_stays() {
    let (world, book) = world(3);
    let last = draft_of(&world, book, "ch-002");
    let stages = world.git(book, &["log", "--format=%H", "-3", &format!("{last}~1")]).ok();
    for (stage, n) in stages.lines().cycle().zip(1..=70) {
        let _ = world.git(book, &["update-ref", &format!("refs/novel/kept/ch-002/{n:010}"), stage]).ok();
    }
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(kept(&world, book), ["archive/chain"]);
    let (aside, paid) = (world.novel(book, &["restore", "--json"]).ok(), total(&world, book));
    let settings = world.read("book/novel.toml").replace("[book]\n", "[book]\nkeep_calls = 1\n");
    world.write("book/novel.toml", &settings);
    world.commit(book, "settings");
    // A death on the way leaves what the next command finishes.
    world.dies(book, &["sync", "--auto"], "archive.named");
    assert_eq!(kept(&world, book).len(), 1 + 70 + 1);
    let _ = world.novel(book, &["continue"]).ok();
    let refs = kept(&world, book);
    assert!(refs.len() == 71 && refs.iter().filter(|name| name.starts_with("ch-002/")).count() == 70, "{refs:?}");
    assert!(refs[70].starts_with("ch-005/"));
    assert_eq!(world.novel(book, &["restore", "--json"]).ok(), aside);
    assert!(total(&world, book)["calls"].as_u64() > paid["calls"].as_u64());
    let _ = world.git(book, &["gc", "-q", "--prune=now"]).ok();
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn a_number_of_chapters_is_at_least_one() {
    let (world, book) = world(1);
    for (wrong, why) in [("0", "at least 1"), ("-1", "whole number"), ("\"all\"", "whole number")] {
        let settings = world.read("book/novel.toml").replace("[book]\n", &format!("[book]\nkeep_calls = {wrong}\n"));
        world.write("book/novel.toml", &settings);
        let said = world.novel(book, &["continue"]).stderr;
        assert!(said.contains("keep_calls") && said.contains(why), "{said}");
        let _ = world.git(book, &["checkout", "-q", "novel.toml"]).ok();
    }
}

#[test]
fn calls_are_found_by_the_name_that_keeps_them_or_said_to_be_elsewhere() {
    let (world, book) = world(3);
    let old = draft_of(&world, book, "ch-003");
    // As a rewriting of the history leaves it: another commit under the old name.
    let gone = "1".repeat(40);
    let message = world.git(book, &["log", "-1", "--format=%B"]).ok().replace(&old, &gone);
    let _ = world.git(book, &["commit", "-q", "--amend", "-m", &message]).ok();
    let _ = world.git(book, &["tag", "-f", "ch-003"]).ok();
    let _ = world.git(book, &["update-ref", "refs/novel/kept/ch-003/1111111111", &old]).ok();
    let _ = world.git(book, &["update-ref", "-d", &format!("refs/novel/kept/ch-003/{old:.10}")]).ok();
    for args in [&["show", "3", "--calls"][..], &["show", "HEAD", "--calls"], &["show", "3", "--stage", "draft"]] {
        let _ = world.novel(book, args).ok();
    }
    let _ = world.git(book, &["update-ref", "-d", "refs/novel/kept/ch-003/1111111111"]).ok();
    for args in [&["show", "3", "--calls"][..], &["show", "HEAD", "--calls"], &["show", "3", "--stage", "draft"]] {
        let refused = world.novel(book, args).fails(1);
        assert!(refused.stderr.contains("does not have the draft of ch-003"), "{refused:#?}");
    }
    let from = format!("file://{}", world.path(book).display());
    let _ = world.git("", &["clone", "-q", "--depth", "1", &from, "shallow"]).ok();
    for args in [&["show", "1", "--calls"][..], &["diff", "1", "--stage", "draft..refine"]] {
        let refused = world.novel("shallow", args).fails(1);
        assert!(refused.stderr.contains("does not have the draft of ch-001"), "{refused:#?}");
    }
    assert!(world.novel("shallow", &["show", "1"]).ok().contains("第"));
}
