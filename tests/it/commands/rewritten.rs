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
fn a_draft_behind_another_text_is_put_aside_and_comes_back() {
    let world = World::new();
    waiting_draft(&world);
    let third = "book/chapters/vol-01/chapter-003.md";
    world.write(third, &(world.read(third) + "\n补一句。\n"));
    author(&world, &["commit", "-qa", "--amend", "--no-edit"]);
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
    let _ = world.novel(book, &["doctor", "--repair"]).ok();
    let status = world.novel(book, &["status", "--json"]).json();
    assert_eq!((&status["last_completed"], &status["problems"]), (&3.into(), &serde_json::json!([])), "{status}");
    assert!(findings(&world).iter().all(|code| code == "no_delta"));
}
