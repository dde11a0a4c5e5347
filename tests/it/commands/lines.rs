//! Something tried on a line of its own: begun, gone to, written on, compared, adopted, deleted and brought back.

use crate::common::World;
use novel::git::failpoint;

fn main_of(world: &World, book: &str) -> String {
    world.git(book, &["branch", "--show-current"]).ok().trim().to_owned()
}

fn last(world: &World, book: &str) -> i64 {
    world.novel(book, &["status", "--json"]).json()["last_completed"].as_i64().unwrap()
}

fn refs(world: &World, book: &str, pattern: &str) -> Vec<String> {
    let listed = world.git(book, &["for-each-ref", "--format=%(refname)", pattern]).ok();
    listed.lines().map(str::to_owned).collect()
}

#[test]
fn a_line_is_a_branch_that_plain_git_sees_and_the_main_line_is_untouched() {
    let world = World::new();
    let book = world.demo_with(3);
    let main = main_of(&world, book);
    let (tip, tags) = (world.git(book, &["rev-parse", "HEAD"]).ok(), world.git(book, &["show-ref", "--tags"]).ok());
    let _ = world.novel(book, &["branch", "alt-ending", "--from", "ch-1"]).ok();
    assert_eq!(world.git(book, &["rev-parse", "alt-ending"]).ok(), world.git(book, &["rev-parse", "ch-001"]).ok());
    assert_eq!(main_of(&world, book), main, "begun, and not gone to");
    let _ = world.novel(book, &["branch", "alt-ending", "--from", "ch-1"]).ok();
    let there = world.novel(book, &["branch", "alt-ending", "--from", "ch-2"]).fails(1);
    assert!(there.stderr.contains("alt-ending"), "{there:#?}");

    let on = world.novel(book, &["branch", "switch", "alt-ending", "--lang", "zh"]).ok();
    assert!(on.contains("已切换到 alt-ending，写到 ch-001"), "{on}");
    assert_eq!((main_of(&world, book).as_str(), last(&world, book)), ("alt-ending", 1));
    assert!(world.novel(book, &["status"]).ok().contains("alt-ending, not the main line"));
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    assert!(!world.path("book/chapters/vol-01/chapter-002.md").exists());
    world.write("book/brief.md", &format!("{}\n另一种写法。\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["continue", "2"]).ok();
    assert_eq!(last(&world, book), 3);
    assert_eq!(world.git(book, &["rev-parse", &main]).ok(), tip, "the main line has not moved");
    assert_eq!(world.git(book, &["show-ref", "--tags"]).ok(), tags, "tags of chapters are the main line's");
    let _ = world.novel(book, &["doctor"]).ok();
    // A chapter of the line is found although the tag is the other one's.
    let text = world.novel(book, &["show", "ch-2"]).ok();
    assert_eq!(text.trim(), world.read("book/chapters/vol-01/chapter-002.md").trim());

    let list = world.novel(book, &["branch", "list", "--json"]).json();
    let lines = list["lines"].as_array().unwrap();
    assert_eq!((lines[0]["name"].as_str(), lines[0]["main"].as_bool()), (Some(main.as_str()), Some(true)), "{list}");
    assert_eq!((lines[1]["from"].as_i64(), lines[1]["last"].as_i64()), (Some(1), Some(3)), "{list}");
    let _ = world.novel(book, &["branch", "switch", &main]).ok();
    assert_eq!((main_of(&world, book), last(&world, book)), (main, 3));
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    assert_eq!(world.git(book, &["show-ref", "--tags"]).ok(), tags);
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn drafts_in_flight_of_two_lines_stay_apart_and_come_back() {
    let world = World::new();
    let book = world.demo_with(2);
    let main = main_of(&world, book);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-003): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["continue"]).fails(3);
    let path = "book/staging/chapters/vol-01/chapter-003.md";
    world.write(path, &format!("{}\n主线上改的。\n", world.read(path)));
    let _ = world.novel(book, &["branch", "alt", "--switch"]).ok();
    assert!(!world.path("book/staging").exists(), "the other line's draft is not shown here");
    assert!(world.novel(book, &["status", "--json"]).json()["inflight"].is_null());
    let _ = world.novel(book, &["continue"]).fails(3);
    assert_eq!(refs(&world, book, "refs/heads/draft"), ["refs/heads/draft/alt/ch-003", "refs/heads/draft/ch-003"]);
    assert!(!world.read(path).contains("主线上改的。"));
    world.write(path, &format!("{}\n支线上改的。\n", world.read(path)));
    let _ = world.novel(book, &["branch", "switch", &main]).ok();
    assert!(world.read(path).contains("主线上改的。"), "it comes back with what the author had typed");
    assert_eq!(world.novel(book, &["status", "--json"]).json()["inflight"]["chapter"], 3);
    let _ = world.novel(book, &["branch", "switch", "alt"]).ok();
    assert!(world.read(path).contains("支线上改的。"));
    world.check(book);
}

#[test]
fn plain_git_switch_is_followed_and_nothing_is_written_to_the_wrong_line() {
    let world = World::new();
    let book = world.demo_with(2);
    let main = main_of(&world, book);
    let _ = world.novel(book, &["branch", "alt"]).ok();
    let _ = world.git(book, &["switch", "-q", "alt"]).ok();
    let refused = world.novel(book, &["continue"]).fails(4);
    assert!(refused.stderr.contains("novel branch switch alt"), "{refused:#?}");
    let _ = world.novel(book, &["branch", "switch", "alt"]).ok();
    world.write("book/brief.md", &format!("{}\n另一种写法。\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(world.git(book, &["rev-list", "--count", &format!("{main}..alt")]).ok(), "2\n");
    let _ = world.git(book, &["switch", "-q", &main]).ok();
    let _ = world.novel(book, &["branch", "switch", &main]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(world.git(book, &["rev-list", "--count", &format!("alt..{main}")]).ok(), "1\n");
    world.check(book);
}

#[test]
fn an_adopted_line_is_one_commit_on_the_main_line_and_a_fast_forward() {
    let world = World::new();
    let book = world.demo_with(3);
    let main = main_of(&world, book);
    let _ = world.git("", &["init", "-q", "--bare", "remote.git"]).ok();
    let _ = world.git(book, &["push", "-q", "../remote.git", &main]).ok();
    let (old, old_tree) = (world.git(book, &["rev-parse", "HEAD"]).ok(), world.tree(book));
    let _ = world.novel(book, &["branch", "alt", "--from", "ch-1", "--switch"]).ok();
    world.write("book/brief.md", &format!("{}\n另一种写法。\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["continue"]).ok();
    world.write("book/brief.md", &format!("{}\n离线评分(ch-003): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["continue"]).fails(3);
    let (tree, text) = (world.tree(book), world.read("book/chapters/vol-01/chapter-002.md"));

    let said = world.novel(book, &["adopt", "alt"]);
    assert_eq!(said.code, 0, "{said:#?}");
    assert_eq!((main_of(&world, book), world.tree(book)), (main.clone(), tree));
    assert_eq!(world.git(book, &["rev-parse", "HEAD~1"]).ok(), old, "one commit on top of the old line");
    assert_eq!(world.git(book, &["rev-parse", "HEAD^2"]).ok(), world.git(book, &["rev-parse", "alt"]).ok());
    let _ = world.git(book, &["push", "-q", "../remote.git", &main]).ok();
    assert_eq!(world.read("book/chapters/vol-01/chapter-002.md"), text);
    assert_eq!(last(&world, book), 2);
    assert_eq!(world.novel(book, &["status", "--json"]).json()["inflight"]["chapter"], 3, "its draft goes on");
    assert_eq!(refs(&world, book, "refs/heads/draft"), ["refs/heads/draft/ch-003"]);
    assert_eq!(refs(&world, book, "refs/tags"), ["refs/tags/ch-001", "refs/tags/ch-002"], "tags follow");
    let _ = world.novel(book, &["doctor"]).ok();
    let log = world.novel(book, &["log", "--json"]).json();
    assert_eq!(log["entries"][0]["kind"], "adopt", "{log}");
    let again = world.novel(book, &["adopt", "alt"]).ok();
    assert!(again.contains("nothing changed"), "{again}");

    let kept = world.novel(book, &["restore", "--json"]).json();
    let left = kept["kept"].as_array().unwrap().iter().find(|entry| entry["why"] == "line-left").unwrap().clone();
    assert_eq!(left["chapters"], serde_json::json!([2, 3]), "{left}");
    let _ = world.novel(book, &["undo"]).ok();
    assert_eq!(world.tree(book), old_tree);
    let _ = world.novel(book, &["redo"]).ok();
    let _ = world.novel(book, &["restore", left["name"].as_str().unwrap(), "--exact"]).ok();
    assert_eq!(world.tree(book), old_tree);
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn a_deleted_line_is_kept_and_comes_back_as_a_branch() {
    let world = World::new();
    let book = world.demo_with(2);
    let main = main_of(&world, book);
    let _ = world.novel(book, &["branch", "alt", "--switch"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    let tip = world.git(book, &["rev-parse", "alt"]).ok();
    let _ = world.novel(book, &["branch", "delete", "alt"]).fails(1);
    let _ = world.novel(book, &["branch", "switch", &main]).ok();
    let _ = world.novel(book, &["branch", "delete", &main]).fails(1);
    let _ = world.novel(book, &["branch", "delete", "alt"]).ok();
    assert!(refs(&world, book, "refs/heads").iter().all(|name| !name.contains("alt")));
    let _ = world.git(book, &["reflog", "expire", "--expire=now", "--all"]).ok();
    let _ = world.git(book, &["gc", "-q", "--prune=now"]).ok();
    let kept = world.novel(book, &["restore", "--json"]).json();
    assert!(kept["kept"].as_array().unwrap().iter().any(|entry| entry["name"] == "alt"), "{kept}");
    let _ = world.novel(book, &["restore", "alt"]).ok();
    assert_eq!(world.git(book, &["rev-parse", "alt"]).ok(), tip);
    let _ = world.novel(book, &["branch", "delete", "no-such"]).fails(1);
    world.check(book);
}

#[test]
fn names_that_mean_something_else_are_no_lines() {
    let world = World::new();
    let book = world.demo_with(1);
    for name in ["ch-001", "draft/x", "a b", "45", "HEAD", "x..y"] {
        let _ = world.novel(book, &["branch", name]).fails(2);
    }
    let _ = world.novel(book, &["branch", "换个结局"]).ok();
    let _ = world.novel(book, &["branch", "switch", "换个结局"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    let _ = world.novel(book, &["branch", "switch", "no-such"]).fails(1);
    let _ = world.novel(book, &["branch", "x", "--from", "ch-9"]).fails(1);
    world.check(book);
}

#[test]
fn hand_edits_are_committed_to_the_line_that_is_left() {
    let world = World::new();
    let book = world.demo_with(2);
    let main = main_of(&world, book);
    let _ = world.novel(book, &["branch", "alt", "--from", "ch-1"]).ok();
    let edited = format!("{}\n没提交的话。\n", world.read("book/chapters/vol-01/chapter-002.md"));
    world.write("book/chapters/vol-01/chapter-002.md", &edited);
    let _ = world.novel(book, &["branch", "switch", "alt"]).ok();
    assert!(
        world.git(book, &["show", &format!("{main}:chapters/vol-01/chapter-002.md")]).ok().contains("没提交的话。")
    );
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    let _ = world.novel(book, &["branch", "switch", &main]).ok();
    assert_eq!(world.read("book/chapters/vol-01/chapter-002.md"), edited);
}

#[test]
fn a_death_anywhere_in_a_switch_is_finished_by_the_same_command() {
    for point in [
        "switch.looked",
        "switch.begun",
        "tree.file",
        "index.renamed",
        "switch.folder",
        "switch.head",
        "switch.settled",
    ] {
        let world = World::new();
        let book = world.demo_with(2);
        let _ = world.novel(book, &["branch", "alt", "--from", "ch-1"]).ok();
        let mut command = world.command(env!("CARGO_BIN_EXE_novel"), &world.path(book));
        let died = command.args(["branch", "switch", "alt"]).env(failpoint::ENV, point).output().unwrap();
        assert_eq!(died.status.code(), None, "{point}: {died:?}");
        let seen = world.novel(book, &["status", "--json"]).json();
        assert_eq!(seen["hand_edits"], serde_json::json!([]), "{point}: no hand edit is blamed");
        let _ = world.novel(book, &["branch", "switch", "alt"]).ok();
        assert_eq!((main_of(&world, book).as_str(), last(&world, book)), ("alt", 1), "{point}");
        assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "", "{point}");
        assert!(!world.path("book/.git/novel/switch").exists(), "{point}");
        let _ = world.novel(book, &["continue"]).ok();
        world.check(book);
    }
}
