//! A chapter in the making while chapters get other numbers: its draft follows, or is put aside where its chapter is another text.

use super::rearranged::{SWAP, at, book, git_mv, scores, status, taken_over, text};
use crate::common::World;
use serde_json::json;

const NIGHT: &str = "# 第9章 夜访\n\n门开着。屋里没有人。\n\n灯还亮着。\n";

/// A book with five chapters and a draft of the sixth that waits for the author.
fn with_draft() -> World {
    let world = book();
    world.write("book/brief.md", &format!("{}\n离线评分(ch-006): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel("book", &["continue"]).fails(3);
    world
}

/// Puts a text in as chapter 3, and moves those after it up, in the folder.
fn insert_by_hand(world: &World) {
    git_mv(world, &[(5, 6), (4, 5), (3, 4)]);
    world.write(&format!("book/{}", at(3)), NIGHT);
}

/// The draft under its number: its branch, its text in `staging/` and the messages of its commits.
#[track_caller]
fn is_in_flight(world: &World, n: u32) {
    let (draft, number) = (format!("draft/ch-{n:03}"), format!("Novel-Chapter: {n}"));
    assert_eq!(status(world)["inflight"]["chapter"], n);
    assert!(world.read(&format!("book/staging/{}", at(n))).starts_with(&format!("# 第{n}章")));
    let branches = world.git("book", &["branch", "--list", "draft/*", "--format=%(refname:short)"]).ok();
    assert_eq!(branches.trim(), draft);
    let log = world.git("book", &["log", "--format=%s%n%b", "HEAD..", &draft]).ok();
    let commits = log.matches("Novel-Kind: stage").count();
    assert!(commits > 2 && log.matches(&number).count() == commits, "{log}");
    assert_eq!(log.matches(&format!("ch-{n:03} ")).count(), commits, "{log}");
}

#[test]
fn a_draft_follows_its_chapter_that_was_moved_by_hand() {
    let world = with_draft();
    let before = text(&world, 5);
    world.write(&format!("book/staging/{}", at(6)), "# 第6章 暗记\n\n改在草稿里。\n");
    insert_by_hand(&world);
    assert_eq!(status(&world)["next"], "novel chapter accept");
    let told = world.novel("book", &["--lang", "en", "status"]).ok();
    assert!(!told.contains("broken"), "the draft's number is the moved chapter's: {told}");
    for command in [&["continue"][..], &["decide"], &["decide", "accept"]] {
        let told = world.novel("book", &[&["--lang", "en"], command].concat()).fails(3).stderr;
        assert!(told.contains("novel chapter accept") && !told.contains("decide drop"), "{command:?}: {told}");
    }
    let dry = world.novel("book", &["--lang", "en", "chapter", "accept", "--dry-run"]).ok();
    assert!(dry.contains("the draft of ch-006 goes on as that of ch-007"), "{dry}");
    let told = world.novel("book", &["chapter", "accept", "--json"]).json();
    assert_eq!(told["drafts"], json!([{"from": 6, "to": 7}]));
    is_in_flight(&world, 7);
    assert!(text(&world, 3).starts_with("# 第3章 夜访"), "the heading has the number of the place");
    assert_eq!(text(&world, 6), before.replace("# 第5章", "# 第6章"));
    assert!(world.read(&format!("book/staging/{}", at(7))).contains("改在草稿里"));
    let old = world.path(&format!("book/staging/{}", at(6)));
    assert!(!old.exists(), "no file of the old number stays to be edited in vain");
    let kept = world.novel("book", &["restore", "--json"]).json();
    assert!(kept["kept"].as_array().unwrap().iter().all(|kept| kept["kind"] != "draft"), "no draft was left: {kept}");
    let _ = world.novel("book", &["undo"]).ok();
    is_in_flight(&world, 6);
    let _ = world.novel("book", &["redo"]).ok();
    is_in_flight(&world, 7);
    let _ = world.novel("book", &["undo"]).ok();
    insert_by_hand(&world);
    let told = world.novel("book", &["--lang", "en", "chapter", "accept"]).ok();
    assert!(told.contains("novel undo; your own changes go with it"), "{told}");
    // The author's edit is judged, and enters the book at the author's word.
    let _ = world.novel("book", &["continue"]).fails(3);
    let _ = world.novel("book", &["decide", "accept"]).ok();
    let _ = world.novel("book", &["continue"]).ok();
    assert_eq!(scores(&world).len(), 7);
    world.check("book");
}

#[test]
fn a_draft_follows_after_a_death() {
    let world = with_draft();
    insert_by_hand(&world);
    for place in ["txn.after_cas", "txn.end", "carry.created"] {
        world.copy("book", "dead");
        world.dies("dead", &["chapter", "accept"], place);
        let _ = world.novel("dead", &["chapter", "accept"]).ok();
        let branches = world.git("dead", &["branch", "--list", "draft/*", "--format=%(refname:short)"]).ok();
        assert_eq!(branches.trim(), "draft/ch-007", "{place}");
        let _ = world.novel("dead", &["decide", "accept"]).ok();
        let _ = world.novel("dead", &["continue"]).ok();
        world.check("dead");
        std::fs::remove_dir_all(world.path("dead")).unwrap();
    }
}

#[test]
fn a_draft_follows_the_commands_that_give_other_numbers() {
    let world = with_draft();
    world.write("night.md", NIGHT);
    let _ = world.novel("book", &["chapter", "insert", "2", "--title", "夜访", "--file", "../night.md"]).ok();
    is_in_flight(&world, 7);
    let _ = world.novel("book", &["chapter", "remove", "2"]).ok();
    is_in_flight(&world, 6);
    let told = world.novel("book", &["chapter", "merge", "6", "--json"]).json();
    assert_eq!(told["drafts"], json!([{"from": 6, "to": null}]), "the chapter is another one");
    assert_eq!(status(&world)["inflight"], json!(null));
    let kept = world.novel("book", &["restore", "--json"]).json()["kept"].as_array().unwrap().clone();
    let draft = kept.iter().find(|kept| kept["kind"] == "draft").unwrap();
    let kept = draft["name"].as_str().unwrap().to_owned();
    assert!(kept.starts_with("ch-006/"), "{kept}");
    let _ = world.novel("book", &["restore", &kept]).ok();
    is_in_flight(&world, 6);
    world.check("book");
}

#[test]
fn a_draft_beside_moves_in_commits_of_the_authors_goes_on() {
    let world = with_draft();
    let before = scores(&world);
    git_mv(&world, &SWAP);
    world.commit("book", "the third night comes first");
    assert_eq!(status(&world)["next"], "novel chapter accept");
    taken_over(&world, &before, [1, 3, 2, 4, 5]);
    is_in_flight(&world, 6);

    let world = with_draft();
    insert_by_hand(&world);
    world.commit("book", "another night");
    for command in [["continue"].as_slice(), &["chapter", "accept", "--dry-run"]] {
        let told = world.novel("book", command);
        assert!(told.code == if command.len() == 1 { 3 } else { 0 } && !told.stderr.contains("restore"), "{told:#?}");
    }
    let _ = world.novel("book", &["chapter", "accept"]).ok();
    is_in_flight(&world, 7);
    world.check("book");

    // The last chapter and its section are gone.
    let world = with_draft();
    let outline = world.read("book/volumes/vol-01/outline.md");
    let (before, fifth) = outline.split_once("## 第5章").unwrap();
    let later = (6..=8).fold(fifth.split_once("## 第6章").unwrap().1.to_owned(), |rest, n| {
        rest.replace(&format!("## 第{n}章"), &format!("## 第{}章", n - 1))
    });
    world.write("book/volumes/vol-01/outline.md", &format!("{before}## 第5章{later}"));
    std::fs::remove_file(world.path(&format!("book/{}", at(5)))).unwrap();
    world.commit("book", "without the fifth night");
    assert_eq!(status(&world)["next"], "novel chapter accept");
    let told = world.novel("book", &["--lang", "en", "chapter", "accept"]).ok();
    assert!(told.contains("novel undo\n"), "the author's changes are in a commit: {told}");
    is_in_flight(&world, 5);
    assert_eq!(status(&world)["inflight"]["title"], "暗记");
    world.check("book");
}

#[test]
fn a_draft_of_a_later_chapter_is_shown_when_its_turn_comes() {
    let world = with_draft();
    let brief = world.read("book/brief.md");
    world.write("book/brief.md", brief.split("离线评分").next().unwrap());
    let _ = world.novel("book", &["chapter", "move", "6", "7"]).ok();
    for command in ["status", "decide"] {
        let told = world.novel("book", &["--lang", "en", command]).ok();
        let waits = told.lines().find(|line| line.contains("ch-007")).unwrap_or_else(|| panic!("{told}"));
        assert!(waits.contains("waits until the chapters before it are written"), "{waits}");
    }
    let _ = world.novel("book", &["continue"]).ok();
    is_in_flight(&world, 7);
}

#[test]
fn a_draft_whose_file_was_moved_along_keeps_its_question_and_its_edits() {
    let headings = [("", ""), ("# 第6章", "# 第7章")];
    for (was, is) in headings {
        let world = with_draft();
        let staged = world.read(&format!("book/staging/{}", at(6)));
        std::fs::remove_file(world.path(&format!("book/staging/{}", at(6)))).unwrap();
        world.write(&format!("book/staging/{}", at(7)), &staged.replace(was, is));
        let told = world.novel("book", &["--lang", "en", "chapter", "move", "6", "7"]);
        assert!(told.stderr.contains(&format!("has its name again: staging/{}", at(6))), "{told:#?}");
        let log = world.git("book", &["log", "--format=%s%n%b", "HEAD..", "draft/ch-007"]).ok();
        assert!(log.starts_with("ch-007 ") && !log.contains("hand-edit"), "no edit answers the question: {log}");
        let brief = world.read("book/brief.md");
        world.write("book/brief.md", brief.split("离线评分").next().unwrap());
        let _ = world.novel("book", &["continue"]).ok();
        is_in_flight(&world, 7);
    }
    // Without another number of the chapter, edits to the moved file are the draft's.
    let world = with_draft();
    std::fs::remove_file(world.path(&format!("book/staging/{}", at(6)))).unwrap();
    world.write(&format!("book/staging/{}", at(9)), "# 第6章 暗记\n\n改在草稿里。\n");
    let _ = world.novel("book", &["decide", "accept"]).ok();
    let _ = world.novel("book", &["continue"]).ok();
    assert!(text(&world, 6).contains("改在草稿里"), "{}", text(&world, 6));
    world.check("book");
}

#[test]
fn a_text_of_the_authors_own_as_the_chapter_of_an_open_draft_is_told_with_its_draft() {
    let world = with_draft();
    // Neither the draft's own file nor a chapter that was moved there is one.
    let is_silent = || assert!(!world.novel("book", &["--lang", "en", "status"]).ok().contains("of your own"));
    let _ = world.git("book", &["checkout", "-q", "--ignore-other-worktrees", "draft/ch-006"]).ok();
    is_silent();
    let _ = world.git("book", &["checkout", "-q", "-"]).ok();
    let fifth = text(&world, 5);
    world.write(&format!("book/{}", at(6)), &fifth);
    world.write(&format!("book/{}", at(5)), NIGHT);
    is_silent();
    world.write(&format!("book/{}", at(5)), &fifth);

    world.write(&format!("book/{}", at(6)), NIGHT);
    let _ = world.novel("book", &["continue", "--dry-run"]).fails(3);
    let told = world.novel("book", &["--lang", "en", "status"]).ok();
    assert!(told.contains("a text of your own in the place of ch-006") && told.contains("says chapter 9"), "{told}");
    let told = world.novel("book", &["--lang", "en", "continue"]).fails(3).stderr;
    assert!(told.contains("novel chapter insert 6 --title TITLE --file"), "{told}");
    let _ = world.git("book", &["add", "chapters"]).ok();
    world.commit("book", "a night of mine");
    let told = world.novel("book", &["--lang", "en", "check", "6"]);
    assert!(told.stderr.contains("not read into the state yet: ch 6; to read: novel rebuild"), "{told:#?}");
    world.copy("book", "other");
    let told = world.novel("book", &["--lang", "en", "status"]).ok();
    for words in ["is ch-006 now (its heading says chapter 9)", "puts the draft aside", "--title 夜访 --file"] {
        assert!(told.contains(words), "no `{words}` in {told}");
    }

    // The text as the chapter: the draft is kept, and comes back over the text at the author's word alone.
    let told = world.novel("book", &["--lang", "en", "continue"]).stderr;
    let kept = told.split("novel restore ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap().to_owned();
    assert!(told.contains(&format!("then `novel restore {kept}` for the draft")), "{told}");
    let refused = world.novel("book", &["--lang", "en", "restore", &kept]).fails(3).stderr;
    assert!(refused.contains("“夜访”") && refused.contains("--yes"), "{refused}");
    assert_eq!(text(&world, 6), NIGHT);
    let _ = world.novel("book", &["restore", &kept, "--yes"]).ok();
    assert_eq!(status(&world)["inflight"]["chapter"], 6);

    // The text as a chapter before it, by the way that is told.
    let book = world.path("other").display().to_string();
    let (from, aside) = (format!("{book}/{}", at(6)), format!("{book}/{}.aside", at(6)));
    std::fs::rename(from, &aside).unwrap();
    world.commit("other", "aside");
    let told = world.novel("other", &["chapter", "insert", "6", "--title", "夜访", "--file", &aside, "--json"]).json();
    assert_eq!(told["drafts"], json!([{"from": 6, "to": 7}]));
    assert!(world.read(&format!("other/{}", at(6))).starts_with("# 第6章 夜访\n\n门开着。"));
    assert!(world.read(&format!("other/staging/{}", at(7))).starts_with("# 第7章"));
    world.check("other");
}

#[test]
fn a_draft_that_an_undo_puts_aside_comes_back_to_its_own_chapter_only() {
    let world = with_draft();
    let _ = world.novel("book", &["chapter", "move", "6", "7"]).ok();
    let _ = world.novel("book", &["continue"]).fails(3);
    let other = status(&world)["inflight"]["title"].clone();
    let _ = world.novel("book", &["undo"]).ok();
    let kept = world.novel("book", &["restore", "--json"]).json()["kept"].as_array().unwrap().clone();
    let draft = kept.iter().find(|kept| kept["kind"] == "draft").unwrap();
    let told = world.novel("book", &["--lang", "en", "restore", draft["name"].as_str().unwrap()]);
    assert_ne!(told.code, 0, "its chapter comes later: {told:#?}");
    let _ = world.novel("book", &["continue"]).fails(3);
    assert_ne!(status(&world)["inflight"]["title"], other);
    world.check("book");
}

#[test]
fn the_draft_of_a_chapter_that_was_removed_split_or_joined_comes_back_with_undo() {
    let world = with_draft();
    let text = world.read(&format!("book/staging/{}", at(6)));
    for action in [&["remove", "6"][..], &["split", "6", "--title", "下半夜"], &["merge", "6"]] {
        let told = world.novel("book", &[&["chapter", "--json"], action].concat()).json();
        assert_eq!(told["drafts"], json!([{"from": 6, "to": null}]), "{action:?}");
        let _ = world.novel("book", &["undo"]).ok();
        is_in_flight(&world, 6);
        assert_eq!(world.read(&format!("book/staging/{}", at(6))), text);
    }
    // Put aside by hand after that, the draft has its place still.
    let _ = world.novel("book", &["decide", "drop"]).ok();
    let kept = world.novel("book", &["restore", "--json"]).json();
    let draft = kept["kept"].as_array().unwrap().iter().find_map(|kept| kept["name"].as_str()?.strip_prefix("ch-006/"));
    let _ = world.novel("book", &["restore", &format!("ch-006/{}", draft.unwrap())]).ok();
    is_in_flight(&world, 6);
    world.check("book");
}
