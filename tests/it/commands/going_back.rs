//! Rollback, undo, redo: always forward, never a loss.

use crate::common::World;
use novel::git::failpoint;

#[test]
fn a_rollback_is_a_new_commit_and_the_next_chapter_is_written_again() {
    let world = World::new();
    let book = world.demo_with(3);
    let before = world.git(book, &["rev-parse", "HEAD"]).ok();
    let dry = world.novel(book, &["rollback", "ch-1", "--dry-run"]).ok();
    assert!(dry.contains("ch-003: ") && dry.contains("ch-002: "), "{dry}");
    assert_eq!(world.git(book, &["rev-parse", "HEAD"]).ok(), before);
    let asked = world.novel(book, &["rollback", "ch-1"]).fails(3);
    assert!(asked.stderr.contains("--yes"), "{asked:#?}");

    let _ = world.novel(book, &["rollback", "ch-1", "--yes"]).ok();
    assert!(world.git(book, &["merge-base", "--is-ancestor", before.trim(), "HEAD"]).code == 0);
    assert!(!world.path("book/chapters/vol-01/chapter-002.md").exists());
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    let _ = world.novel(book, &["continue"]).ok();
    let subjects = world.subjects(book);
    assert!(subjects[0].starts_with("ch-002: ") && subjects[1].starts_with("rollback: ch-001"), "{subjects:?}");
    assert_eq!(world.novel(book, &["status", "--json"]).json()["last_completed"], 2);
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn the_brief_stays_unless_it_is_to_be_exact() {
    let world = World::new();
    let book = world.demo_with(1);
    let old = world.read("book/brief.md");
    let new = format!("{old}\n后来加的。\n");
    world.write("book/brief.md", &new);
    let _ = world.novel(book, &["continue"]).ok();
    let exact = world.git(book, &["rev-parse", "ch-001^{tree}"]).ok();
    let _ = world.novel(book, &["rollback", "ch-1", "--yes"]).ok();
    assert_eq!(world.read("book/brief.md"), new);
    let _ = world.novel(book, &["undo"]).ok();
    let _ = world.novel(book, &["rollback", "ch-1", "--exact", "--yes"]).ok();
    assert_eq!((world.read("book/brief.md"), world.tree(book)), (old, exact));
}

#[test]
fn undo_and_redo_walk_back_and_forth() {
    let world = World::new();
    let book = world.demo_with(3);
    let trees: Vec<String> =
        (1..=3).map(|n| world.git(book, &["rev-parse", &format!("ch-00{n}^{{tree}}")]).ok()).collect();
    let _ = world.novel(book, &["undo", "2"]).ok();
    assert_eq!(world.tree(book), trees[0]);
    let _ = world.novel(book, &["redo"]).ok();
    assert_eq!(world.tree(book), trees[1]);
    let _ = world.novel(book, &["redo"]).ok();
    assert_eq!(world.tree(book), trees[2]);
    let nothing = world.novel(book, &["redo", "--lang", "zh"]).fails(1);
    assert!(nothing.stderr.contains("没有可重做的"), "{nothing:#?}");
    let _ = world.novel(book, &["undo"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(world.novel(book, &["status", "--json"]).json()["last_completed"], 3);
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

/// The demo book where the eighth chapter waits for the author.
fn waiting(world: &World) -> &'static str {
    let book = world.demo_with(7);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-008): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["continue", "1"]).fails(3);
    book
}

fn drafts(world: &World, book: &str) -> String {
    world.git(book, &["branch", "--list", "draft/*", "--format=%(refname:short)"]).ok()
}

/// Runs the program until it dies at `point`.
#[track_caller]
fn dies(world: &World, book: &str, point: &str, args: &[&str]) {
    let mut command = world.command(env!("CARGO_BIN_EXE_novel"), &world.path(book));
    let output = command.args(args).env(failpoint::ENV, point).output().unwrap();
    assert_eq!(output.status.code(), None, "{output:?}");
}

/// Adds a line to `path` as an editor would.
fn add(world: &World, path: &str, line: &str) {
    world.write(path, &format!("{}\n{line}\n", world.read(path)));
}

const EIGHTH: &str = "book/staging/chapters/vol-01/chapter-008.md";

#[test]
fn taking_a_step_back_and_forth_again_is_taking_that_step() {
    let world = World::new();
    let book = waiting(&world);
    let _ = world.novel(book, &["undo", "2"]).ok();
    let _ = world.novel(book, &["redo"]).ok();
    let _ = world.novel(book, &["redo"]).ok();
    assert_eq!(drafts(&world, book), "draft/ch-008\n");
    let _ = world.novel(book, &["rollback", "ch-6", "--yes"]).ok();
    let back = world.novel(book, &["undo", "3"]);
    assert!(back.stderr.contains("the draft of ch-008 was put aside"), "{back:#?}");
    assert_eq!(drafts(&world, book), "");
    let _ = world.novel(book, &["redo", "3"]).ok();
    assert_eq!(drafts(&world, book), "");
    world.check(book);
}

#[test]
fn a_merge_of_the_authors_does_not_close_what_was_begun_beside_it() {
    let world = World::new();
    let book = world.demo_with(7);
    let _ = world.novel(book, &["rollback", "ch-6", "--yes"]).ok();
    let _ = world.novel(book, &["undo"]).ok();
    world.write("book/brief.md", &format!("{}\n离线评分(ch-008): 2.4\n", world.read("book/brief.md")));
    world.commit(book, "by hand");
    let _ = world.novel(book, &["continue", "1"]).fails(3);
    let (draft, main) =
        (world.git(book, &["rev-parse", "draft/ch-008"]).ok(), world.git(book, &["branch", "--show-current"]).ok());
    let main = main.trim();
    let _ = world.git(book, &["checkout", "-qb", "side", "HEAD~1"]).ok();
    world.write("book/research/notes.md", "记一笔\n");
    let _ = world.git(book, &["add", "research"]).ok();
    world.commit(book, "notes");
    let _ = world.git(book, &["-c", "user.name=A", "-c", "user.email=a@b", "merge", "-q", "--no-edit", main]).ok();
    let _ = world.git(book, &["checkout", "-q", main]).ok();
    let _ = world.git(book, &["merge", "-q", "--ff-only", "side"]).ok();
    let said = world.novel(book, &["continue", "1"]).fails(3);
    assert!(
        !said.stderr.contains("ch-008 draft") && !said.stderr.contains("put aside"),
        "nothing is asked again: {said:#?}"
    );
    let kept = world.git(book, &["log", "--format=%s", &format!("{main}..draft/ch-008")]).ok();
    let was = world.git(book, &["log", "--format=%s", &format!("{main}..{}", draft.trim())]).ok();
    assert_eq!(kept, was);
}

#[test]
fn a_draft_of_a_history_that_was_written_anew_goes_with_the_book() {
    let world = World::new().with("FILTER_BRANCH_SQUELCH_WARNING", "1");
    let book = waiting(&world);
    let draft = world.git(book, &["rev-parse", "draft/ch-008"]).ok();
    let _ = world.git(book, &["filter-branch", "--env-filter", "GIT_AUTHOR_NAME=somebody"]).ok();
    assert_eq!(world.novel(book, &["status", "--json"]).json()["inflight"]["chapter"], 8);
    let _ = world.novel(book, &["cost"]).ok();
    let again = world.novel(book, &["undo"]);
    assert!(again.code == 0 && drafts(&world, book).contains("draft/ch-008"), "{again:#?}");
    assert!(world.git(book, &["for-each-ref", "--format=%(objectname)", "refs/novel/kept"]).ok().contains(&draft));
    let _ = world.novel(book, &["redo"]).ok();
    let _ = world.novel(book, &["continue", "1"]).fails(3);
    let _ = world.novel(book, &["doctor"]).ok();
}

#[test]
fn a_death_between_two_drafts_of_a_chapter_does_not_mix_them() {
    let world = World::new();
    let book = waiting(&world);
    add(&world, EIGHTH, "头一稿里的话。");
    add(&world, "book/chapters/vol-01/chapter-007.md", "又添一句。");
    world.commit(book, "by hand");
    let _ = world.novel(book, &["rollback", "ch-7", "--yes"]).ok();
    let _ = world.novel(book, &["continue", "1"]).fails(3);
    add(&world, EIGHTH, "第二稿里的话。");
    dies(&world, book, "close.deleted", &["undo"]);
    let _ = world.novel(book, &["continue", "1"]).fails(3);
    let text = world.git(book, &["log", "-p", "--format=%s", "HEAD..draft/ch-008"]).ok();
    assert!(text.contains("头一稿里的话。") && !text.contains("第二稿里的话。"), "{text}");
    assert!(!world.read(EIGHTH).contains("第二稿里的话。"));
    let kept = world.git(book, &["log", "-p", "--format=%s", "--glob=refs/novel/kept"]).ok();
    assert!(kept.contains("第二稿里的话。"), "{kept}");
    world.check(book);
}

#[test]
fn line_endings_of_another_editor_are_no_edit_when_a_draft_is_put_aside() {
    let world = World::new();
    let book = waiting(&world);
    world.write(EIGHTH, &world.read(EIGHTH).replace('\n', "\r\n"));
    let _ = world.novel(book, &["rollback", "ch-6", "--yes"]).ok();
    assert!(!world.path("book/staging").exists());
    let _ = world.novel(book, &["undo"]).ok();
    let again = world.novel(book, &["continue", "1"]).fails(3);
    assert!(!again.stderr.contains("ch-008 summarize"), "nothing is asked again: {again:#?}");
    world.check(book);
}

#[test]
fn what_the_author_did_to_a_draft_until_it_was_put_aside_comes_back_with_it() {
    let world = World::new();
    let book = waiting(&world);
    dies(&world, book, "txn.end", &["rollback", "ch-6", "--yes"]);
    add(&world, EIGHTH, "自己提交的话。");
    world.commit("book/staging", "my words");
    add(&world, EIGHTH, "还没提交的话。");
    let back = world.novel(book, &["undo"]);
    let [closed, reopened] = ["the draft of ch-008 was put aside: ", "the draft of ch-008 was reopened"];
    assert!(back.stderr.contains(closed) && back.stderr.contains(reopened), "{back:#?}");
    let text = world.read(EIGHTH);
    assert!(text.contains("自己提交的话。") && text.contains("还没提交的话。"), "{text}");
    world.check(book);
}

#[test]
fn what_recovery_does_to_drafts_is_said() {
    let world = World::new();
    let book = waiting(&world);
    let _ = world.novel(book, &["rollback", "ch-6", "--yes"]).ok();
    dies(&world, book, "reopen.closed", &["undo"]);
    let said = world.novel(book, &["continue", "1", "--lang", "zh"]).fails(3);
    assert!(said.stderr.contains("ch-008 的草稿已重新打开"), "{said:#?}");
}

#[test]
fn of_two_drafts_that_come_back_the_one_in_flight_is_shown() {
    let world = World::new();
    let book = waiting(&world);
    add(&world, "book/brief.md", "离线评分(ch-006): 2.4");
    let _ = world.novel(book, &["write", "6", "--force"]).fails(3);
    let _ = world.novel(book, &["rollback", "ch-5", "--yes"]).ok();
    let _ = world.novel(book, &["undo"]).ok();
    assert_eq!(drafts(&world, book), "draft/ch-006\ndraft/ch-008\n");
    assert_eq!(world.novel(book, &["status", "--json"]).json()["inflight"]["chapter"], 6);
    assert_eq!(world.git("book/staging", &["branch", "--show-current"]).ok(), "draft/ch-006\n");
    world.check(book);
}

#[test]
fn what_is_not_there_cannot_be_gone_back_to() {
    let world = World::new();
    let book = world.demo_with(1);
    assert!(world.novel(book, &["rollback", "ch-9", "--yes"]).fails(1).stderr.contains("ch-009"));
    assert!(world.novel(book, &["rollback", "vol-2", "--yes"]).fails(1).stderr.contains("vol-02"));
    let _ = world.novel(book, &["rollback", "no-such-branch", "--yes"]).fails(1);
    let _ = world.novel(book, &["rollback", "--yes", "ch-1", "ch-2"]).fails(2);
    let nothing = world.novel(book, &["rollback", "vol-1", "--yes"]).fails(0);
    assert!(nothing.stdout.contains("ch-001"), "{nothing:#?}");
    assert_eq!(world.subjects(book).len(), 2);
}

#[test]
fn undoing_what_a_chapter_in_flight_does_not_stand_on_leaves_it_alone() {
    let world = World::new();
    let book = world.demo_with(1);
    let brief = world.read("book/brief.md");
    world.write("book/brief.md", &format!("{brief}\n离线评分(ch-002): 2.4\n"));
    let _ = world.novel(book, &["storyline", "add", "--name", "夜渡"]).ok();
    let _ = world.novel(book, &["continue"]).fails(3);
    let _ = world.novel(book, &["undo"]).ok();
    assert_eq!(world.novel(book, &["status", "--json"]).json()["inflight"]["chapter"], 2);
    let _ = world.novel(book, &["decide", "accept"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    assert!(world.subjects(book)[0].starts_with("ch-002: "));
    world.check(book);
}
