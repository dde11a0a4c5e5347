//! Drafts whose history is written again by plain git, or whose folder git forgets.

use crate::common::World;

const LAST: &str = "book/chapters/vol-01/chapter-004.md";
const STAGED: &str = "book/staging/chapters/vol-01/chapter-004.md";

fn author(world: &World, args: &[&str]) {
    let mut all = vec!["-c", "user.name=A", "-c", "user.email=a@b", "-c", "core.editor=true"];
    all.extend(args);
    let _ = world.git("book", &all).ok();
}

/// The codes of what `doctor` finds.
fn findings(world: &World) -> Vec<String> {
    let found = world.novel("book", &["doctor", "--json"]);
    let list = found.json()["findings"].as_array().unwrap().clone();
    list.iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
}

/// The id of the commit at the end of the line that says `part`.
fn kept_in<'a>(said: &'a str, part: &str) -> &'a str {
    let line = said.lines().find(|line| line.contains(part)).unwrap_or_else(|| panic!("{said}"));
    &line[line.len() - 10..]
}

/// A draft of chapter 4 that waits, with a line that the author has saved in it.
fn waiting_draft(world: &World) {
    let book = world.demo_with(3);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-004): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["continue"]).fails(3);
    world.write(STAGED, &(world.read(STAGED) + "\n我在草稿里添的一句。\n"));
}

#[test]
fn a_draft_is_carried_over_when_the_history_below_it_is_written_again() {
    let world = World::new();
    waiting_draft(&world);
    author(&world, &["rebase", "-q", "--root", "--exec", "git commit -q --amend --no-edit --reset-author"]);
    let status = world.novel("book", &["status", "--json"]).json();
    assert_eq!(status["inflight"]["chapter"], 4, "{status}");
    let _ = world.novel("book", &["continue"]).fails(3);
    let kept = world.novel("book", &["restore", "--json"]).ok();
    assert!(!kept.contains("ch-004"), "the draft goes on: {kept}");
    assert!(world.read(STAGED).contains("我在草稿里添的一句。"));

    let second = "book/chapters/vol-01/chapter-002.md";
    world.write(second, &(world.read(second) + "\n补一句。\n"));
    author(&world, &["commit", "-qa", "--fixup", "ch-002"]);
    author(&world, &["rebase", "-q", "-i", "--autosquash", "--root"]);
    let _ = world.novel("book", &["decide", "accept"]).ok();
    let _ = world.novel("book", &["continue"]).ok();
    assert!(world.read(LAST).contains("我在草稿里添的一句。"));
    assert_eq!(findings(&world), ["outdated"]);
}

#[test]
fn a_draft_behind_a_reworded_chapter_is_carried_over() {
    let world = World::new();
    waiting_draft(&world);
    let third = "book/chapters/vol-01/chapter-003.md";
    world.write(third, &(world.read(third) + "\n补一句。\n"));
    author(&world, &["commit", "-qa", "--amend", "--no-edit"]);
    author(&world, &["rebase", "-q", "--root", "--exec", "git commit -q --amend --no-edit --reset-author"]);
    assert_eq!(world.novel("book", &["status", "--json"]).json()["inflight"]["chapter"], 4);
    let said = world.novel("book", &["continue"]).fails(3).stderr;
    assert!(!said.contains("was put aside"), "{said}");
    let _ = world.novel("book", &["decide", "accept"]).ok();
    let _ = world.novel("book", &["continue"]).ok();
    assert!(world.read(LAST).contains("我在草稿里添的一句。") && world.read(third).contains("补一句。"));
    assert_eq!(findings(&world), ["outdated"]);
}

#[test]
fn a_draft_behind_another_chapter_is_put_aside_and_comes_back() {
    let world = World::new();
    waiting_draft(&world);
    let third = "book/chapters/vol-01/chapter-003.md";
    world.write(third, &(world.read(third) + "\n补一句。\n"));
    author(&world, &["reset", "-q", "--soft", "ch-002"]);
    author(&world, &["commit", "-qam", "我自己的第三章"]);
    author(&world, &["rebase", "-q", "--root", "--exec", "git commit -q --amend --no-edit --reset-author"]);
    let said = world.novel("book", &["continue"]).fails(3).stderr;
    let back = world.novel("book", &["restore", kept_in(&said, "was put aside: ")]);
    assert!(back.stderr.contains("was put aside: "), "{back:#?}");
    let _ = back.ok();
    assert!(world.read(STAGED).contains("我在草稿里添的一句。"));
    let _ = world.novel("book", &["continue"]).fails(3);
    let _ = world.novel("book", &["decide", "accept"]).ok();
    let _ = world.novel("book", &["continue"]).ok();
    assert!(world.read(LAST).contains("我在草稿里添的一句。"));
}

#[test]
fn a_draft_whose_records_another_tool_took_out_goes_on_and_keeps_its_costs() {
    let world = World::new();
    waiting_draft(&world);
    let calls = || {
        let told = world.novel("book", &["cost", "--json"]).json();
        let rows = told["rows"].as_array().unwrap().clone();
        rows.into_iter().find(|row| row["name"] == "ch-004").map(|row| row["calls"].as_u64().unwrap())
    };
    let before = calls();
    let _ = world.git("book/staging", &["rm", "-rqf", "--cached", "--sparse", ".draft"]).ok();
    let as_author = ["-c", "user.name=A", "-c", "user.email=a@b"];
    let _ = world.git("book/staging", &[&as_author[..], &["commit", "-qm", "tidy"]].concat()).ok();
    assert_eq!(calls(), before);
    let _ = world.novel("book", &["decide", "accept"]).ok();
    let _ = world.novel("book", &["continue"]).ok();
    // The author's line is summarized and judged.
    assert_eq!(calls(), before.map(|calls| calls + 2));
    let _ = world.novel("book", &["show", "4", "--calls"]).ok();
    assert_eq!(findings(&world), Vec::<String>::new());
}

#[test]
fn files_of_a_draft_that_a_checkout_left_in_the_folder_are_no_chapter_of_the_authors() {
    let world = World::new();
    waiting_draft(&world);
    world.write("book/research/note.md", "想想。\n");
    let _ = world.git("book", &["checkout", "-q", "draft/ch-004", "--", "."]).ok();
    let status = world.novel("book", &["status", "--json"]).json();
    assert_eq!(status["hand_edits"].as_array().unwrap()[0], "research/note.md", "{status}");
    let said = world.novel("book", &["continue", "--lang", "en"]).fails(3).stderr;
    assert!(said.contains("as a checkout of its branch leaves them"), "{said}");
    assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
    assert!(!world.path(LAST).exists() && world.path("book/research/note.md").exists());
    let _ = world.novel("book", &["decide", "accept"]).ok();
    let _ = world.novel("book", &["continue"]).ok();
    assert!(world.git("book", &["log", "-1", "--format=%B"]).ok().contains("Novel-Draft: "));
    assert!(world.read(LAST).contains("我在草稿里添的一句。"));
    assert_eq!(findings(&world), Vec::<String>::new());
}

#[test]
fn the_calls_of_a_plan_are_found_after_the_history_has_been_written_again() {
    let world = World::new().with("FILTER_BRANCH_SQUELCH_WARNING", "1");
    let _ = world.novel("", &["init", "book", "--title", "夜信", "--protagonist", "林枫，信差", "--offline"]).ok();
    let _ = world.novel("book", &["world", "update"]).ok();
    let shown = world.novel("book", &["show", "HEAD", "--calls"]).ok();
    let _ = world.git("book", &["filter-branch", "--env-filter", "GIT_AUTHOR_NAME=somebody", "--", "--all"]).ok();
    let _ = world.git("book", &["for-each-ref", "--format=delete %(refname)", "refs/original"]).ok();
    let _ = world.git("book", &["reflog", "expire", "--expire=now", "--all"]).ok();
    std::fs::remove_dir_all(world.path("book/.git/refs/original")).unwrap();
    let _ = world.git("book", &["gc", "-q", "--prune=now"]).ok();
    assert_eq!(world.novel("book", &["show", "HEAD", "--calls"]).ok(), shown);
}

#[test]
fn what_the_author_saved_in_a_draft_outlives_gits_records_of_its_folder() {
    for has_draft in [true, false] {
        let world = World::new();
        waiting_draft(&world);
        let _ = world.git("book", &["worktree", "unlock", "staging"]).ok();
        std::fs::rename(world.path("book/staging"), world.path("elsewhere")).unwrap();
        let _ = world.git("book", &["worktree", "prune"]).ok();
        std::fs::rename(world.path("elsewhere"), world.path("book/staging")).unwrap();
        assert_eq!(findings(&world), ["unfinished"]);
        if has_draft {
            let _ = world.novel("book", &["continue"]).fails(3);
            assert!(world.read(STAGED).contains("我在草稿里添的一句。"));
            let _ = world.novel("book", &["decide", "accept"]).ok();
            let _ = world.novel("book", &["continue"]).ok();
            assert!(world.read(LAST).contains("我在草稿里添的一句。"));
        } else {
            let _ = world.git("book", &["branch", "-D", "draft/ch-004"]).ok();
            let said = world.novel("book", &["continue"]).fails(3).stderr;
            let text = world.novel("book", &["restore", kept_in(&said, "is kept as "), "--print"]).ok();
            assert!(text.contains("我在草稿里添的一句。"), "{text}");
        }
        assert_eq!(findings(&world), Vec::<String>::new());
    }
}

#[test]
fn a_history_of_chapters_alone_becomes_a_book_again() {
    let world = World::new().with("FILTER_BRANCH_SQUELCH_WARNING", "1");
    let book = world.demo_with(3);
    let only = "git rm -q --cached -r --ignore-unmatch . && git reset -q $GIT_COMMIT -- chapters";
    let _ = world.git(book, &["filter-branch", "--index-filter", only]).ok();
    let refused = world.novel(book, &["status"]);
    assert!(refused.code != 0 && refused.stderr.contains("novel init "), "{refused:#?}");
    let _ = world.novel(book, &["init", "."]).ok();
    let status = world.novel(book, &["status", "--json"]).json();
    assert_eq!((&status["last_completed"], &status["problems"]), (&3.into(), &serde_json::json!([])), "{status}");
    assert!(findings(&world).iter().all(|code| code == "no_delta"));
}
