//! Chapters that plain git and hand edits bring in or take out, and the commands that come next.

use crate::common::World;

const LAST: &str = "book/chapters/vol-01/chapter-004.md";

fn author(world: &World, args: &[&str]) {
    let mut all = vec!["-c", "user.name=A", "-c", "user.email=a@b", "-c", "core.editor=true"];
    all.extend(args);
    let _ = world.git("book", &all).ok();
}

/// The codes of what `doctor` finds, and its exit code.
fn findings(world: &World) -> (Vec<String>, i32) {
    let found = world.novel("book", &["doctor", "--json"]);
    let list = found.json()["findings"].as_array().unwrap().clone();
    (list.iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect(), found.code)
}

/// After a repair nothing is found, the tags are those of the chapters, and the next chapter is `next`.
#[track_caller]
fn is_well_and_goes_on_with(world: &World, next: u32) {
    let repaired = world.novel("book", &["doctor", "--repair", "--yes"]);
    assert_eq!(findings(world), (Vec::new(), 0), "{repaired:#?}");
    let tags: Vec<String> = (1..next).map(|n| format!("ch-{n:03}")).collect();
    assert_eq!(world.git("book", &["tag"]).ok().lines().collect::<Vec<_>>(), tags);
    let _ = world.novel("book", &["continue"]).ok();
    let subjects = world.subjects("book");
    let chapter = subjects.iter().find(|subject| !subject.starts_with("quality: ")).unwrap();
    assert!(chapter.starts_with(&format!("ch-{next:03}: ")), "{subjects:?}");
    assert_eq!(findings(world), (Vec::new(), 0));
    assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
    world.check("book");
}

fn checkpoint(world: &World) -> serde_json::Value {
    serde_json::from_str(&world.read("book/.checkpoint.json")).unwrap()
}

/// Writes `count` chapters on a branch `side` and goes back to the book's own.
fn chapters_on_a_branch(world: &World, count: &str) {
    let own = world.git("book", &["branch", "--show-current"]).ok();
    author(world, &["switch", "-q", "-c", "side"]);
    author(world, &["config", "novel.branch", "side"]);
    let _ = world.novel("book", &["continue", count]).ok();
    author(world, &["config", "novel.branch", own.trim()]);
    author(world, &["switch", "-q", own.trim()]);
}

#[test]
fn an_amended_chapter_is_still_a_chapter() {
    let world = World::new();
    let _ = world.demo_with(3);
    author(&world, &["commit", "-q", "--amend", "-m", "x"]);
    let chapters = world.novel("book", &["status", "--json"]).json()["chapters"].clone();
    assert_eq!(chapters.as_array().unwrap().len(), 3);
    assert!(chapters[2]["words"].as_u64().unwrap() > 500, "{chapters}");
    is_well_and_goes_on_with(&world, 4);
    // It is written again, and gone back to, like any other.
    let _ = world.novel("book", &["write", "3", "--force"]).ok();
    let _ = world.novel("book", &["rollback", "ch-002", "--yes"]).ok();
    is_well_and_goes_on_with(&world, 3);
}

#[test]
fn chapters_come_in_with_a_merge() {
    let world = World::new();
    let _ = world.demo_with(2);
    chapters_on_a_branch(&world, "2");
    world.write("book/brief.md", &(world.read("book/brief.md") + "\n全书不下雨。\n"));
    author(&world, &["commit", "-qam", "brief"]);
    author(&world, &["merge", "-q", "side", "-m", "merge"]);
    is_well_and_goes_on_with(&world, 5);
    // Each of them can be gone back to.
    let _ = world.novel("book", &["rollback", "ch-003", "--yes"]).ok();
    assert!(world.read("book/brief.md").contains("全书不下雨"));
    is_well_and_goes_on_with(&world, 4);
}

#[test]
fn chapters_come_in_with_a_squash_and_each_can_be_gone_back_to() {
    let world = World::new();
    let _ = world.demo_with(2);
    chapters_on_a_branch(&world, "3");
    let at_third = |file: &str| world.git("book", &["show", &format!("side^{{/^ch-003}}:{file}")]).ok();
    let state = at_third("state/current-state.json");
    let lines = ["main-arc", "clean-hands"].map(|line| format!("storylines/{line}/memory.md"));
    // The first line of a memory names the storyline's last chapter.
    let ends = |memory: &str| memory.lines().next().unwrap().to_owned();
    let are_of_third = || {
        for line in &lines {
            let memory = world.read(&format!("book/{line}"));
            assert_eq!(ends(&memory), ends(&at_third(line)), "{line}");
            assert!(!memory.contains("第4章") && !memory.contains("第5章"), "{memory}");
        }
    };
    author(&world, &["merge", "-q", "--squash", "side"]);
    author(&world, &["commit", "-qm", "three at once"]);
    is_well_and_goes_on_with(&world, 6);
    let _ = world.novel("book", &["rollback", "ch-003", "--yes"]).ok();
    assert_eq!(world.read("book/state/current-state.json"), state);
    assert_eq!(checkpoint(&world)["last_completed_chapter"], 3);
    assert!(!world.path(LAST).exists());
    are_of_third();
    // Memories that an earlier program has left as they were are found and repaired.
    author(&world, &["checkout", "-q", "HEAD~", "--", "storylines"]);
    author(&world, &["commit", "-qm", "memories of five chapters"]);
    assert_eq!(findings(&world), (vec!["state_differs".to_owned(); 2], 1));
    let _ = world.novel("book", &["doctor", "--repair"]).ok();
    are_of_third();
    is_well_and_goes_on_with(&world, 4);
}

#[test]
fn a_chapter_restored_from_a_squash_brings_no_memory_of_later_ones() {
    let world = World::new();
    let book = world.demo_with(4);
    author(&world, &["reset", "-q", "--soft", "ch-001"]);
    author(&world, &["commit", "-qm", "three at once"]);
    let squash = world.git(book, &["rev-parse", "--short", "HEAD"]).ok();
    let _ = world.novel(book, &["rollback", "ch-001", "--yes"]).ok();
    let restored = world.novel(book, &["restore", "ch-002", "--from", squash.trim()]);
    let _ = restored.ok();
    assert_eq!(findings(&world), (Vec::new(), 0));
}

#[test]
fn a_draft_of_a_chapter_that_came_in_otherwise_is_put_aside() {
    let world = World::new();
    let _ = world.demo_with(2);
    chapters_on_a_branch(&world, "1");
    // A draft of the same chapter, half done.
    let mut run = world.start("book", &["-vv", "continue", "2"]);
    run.until("ch-003");
    run.until("=== system prompt ===");
    let _ = crate::common::Running::of(std::process::Command::new("kill").arg(run.pid().to_string())).finish();
    let _ = run.finish();
    author(&world, &["merge", "-q", "side", "-m", "merge"]);
    is_well_and_goes_on_with(&world, 4);
    assert_eq!(world.git("book", &["branch", "--list", "draft/*"]).ok(), "");
}

#[test]
fn reverts_of_a_rollback_a_rewrite_and_a_chapter_are_followed() {
    let world = World::new();
    let _ = world.demo_with(4);
    let _ = world.novel("book", &["rollback", "ch-002", "--yes"]).ok();
    author(&world, &["revert", "--no-edit", "HEAD"]);
    assert_eq!(findings(&world).0, ["wrong_tag", "wrong_tag"]);
    is_well_and_goes_on_with(&world, 5);
    let third = world.read("book/chapters/vol-01/chapter-003.md");
    let _ = world.novel("book", &["write", "3", "--force"]).ok();
    assert_ne!(world.read("book/chapters/vol-01/chapter-003.md"), third);
    author(&world, &["revert", "--no-edit", "HEAD"]);
    assert_eq!(world.read("book/chapters/vol-01/chapter-003.md"), third);
    is_well_and_goes_on_with(&world, 6);
    // The last chapter is taken out, and its number is the next one.
    author(&world, &["revert", "--no-edit", "HEAD"]);
    is_well_and_goes_on_with(&world, 6);
}

#[test]
fn a_chapter_reverted_in_the_middle_is_asked_about_once() {
    for meant in [false, true] {
        let world = World::new();
        let _ = world.demo_with(4);
        // The files that later chapters have changed too conflict; the author keeps them as they are.
        let _ = world.git("book", &["-c", "user.name=A", "-c", "user.email=a@b", "revert", "--no-edit", "HEAD~1"]);
        author(&world, &["checkout", "-q", "--ours", "."]);
        author(&world, &["add", "-A"]);
        author(&world, &["revert", "--continue"]);
        let tip = world.git("book", &["rev-parse", "HEAD"]).ok();
        let asked = world.novel("book", &["--lang", "zh", "continue"]).fails(3);
        assert!(
            asked.stderr.contains("书里缺少 ch-003") && asked.stderr.contains("novel doctor --repair"),
            "{asked:#?}"
        );
        assert!(asked.stderr.contains("novel doctor --remove ch-003"), "{asked:#?}");
        let asked = world.novel("book", &["--json", "continue"]).fails(3).json();
        assert_eq!(asked["error"]["kind"], "decide");
        assert_eq!(world.git("book", &["rev-parse", "HEAD"]).ok(), tip, "nothing was written");
        assert!(findings(&world).0.contains(&"gap".to_owned()));
        if !meant {
            is_well_and_goes_on_with(&world, 5);
            assert!(world.path("book/state/deltas/vol-01/chapter-003-delta.json").exists());
            continue;
        }
        let _ = world.novel("book", &["doctor", "--remove", "ch-003"]).ok();
        assert_eq!(findings(&world), (Vec::new(), 0));
        let state: serde_json::Value = serde_json::from_str(&world.read("book/state/current-state.json")).unwrap();
        assert_eq!((&state["state_version"], &state["last_updated_chapter"]), (&3.into(), &4.into()));
        let totals = &checkpoint(&world)["totals"]["chapters"];
        assert_eq!(totals, 3);
        assert_eq!(world.git("book", &["tag"]).ok(), "ch-001\nch-002\nch-004\n");
        let _ = world.novel("book", &["continue"]).ok();
        assert!(world.subjects("book")[0].starts_with("ch-005: "));
        let _ = world.novel("book", &["doctor", "--remove", "ch-002"]).fails(1);
    }
}

#[test]
fn a_reset_that_keeps_the_files_keeps_the_chapters() {
    for how in ["--mixed", "--soft"] {
        let world = World::new();
        let _ = world.demo_with(4);
        let tree = world.tree("book");
        author(&world, &["reset", "-q", how, "HEAD~2"]);
        let _ = world.novel("book", &["continue"]).ok();
        let subjects = world.subjects("book");
        assert!(subjects[1].starts_with("ch-005: ") && subjects[2].starts_with("hand edit: "), "{subjects:?}");
        assert_eq!(world.git("book", &["rev-parse", "HEAD~2^{tree}"]).ok(), tree, "{how}");
        is_well_and_goes_on_with(&world, 6);
    }
}

#[test]
fn a_reset_that_drops_chapters_keeps_their_commits_reachable() {
    let world = World::new();
    let _ = world.demo_with(4);
    let fourth = world.git("book", &["rev-parse", "ch-004"]).ok();
    author(&world, &["reset", "-q", "--hard", "HEAD~2"]);
    is_well_and_goes_on_with(&world, 3);
    let kept = world.git("book", &["for-each-ref", "--contains", fourth.trim(), "--format=%(refname)"]).ok();
    assert!(kept.starts_with("refs/novel/kept/"), "{kept}");
}

#[test]
fn a_deleted_chapter_is_asked_about_before_anything_is_written() {
    let world = World::new();
    let book = world.demo_with(4);
    let text = world.read(LAST);
    std::fs::remove_file(world.path(LAST)).unwrap();
    let asked = world.novel(book, &["--lang", "zh", "continue"]).fails(3);
    assert!(
        asked.stderr.contains("ch-004 的文件缺失") && asked.stderr.contains("novel doctor --remove ch-004"),
        "{asked:#?}"
    );
    let asked = world.novel(book, &["--lang", "en", "write", "2", "--force"]).fails(3);
    assert!(asked.stderr.contains("the files of ch-004 are gone"), "{asked:#?}");
    assert!(world.subjects(book)[0].starts_with("ch-004: "));
    // Brought back.
    let _ = world.novel(book, &["doctor", "--repair", "--yes"]).ok();
    assert_eq!(world.read(LAST), text);
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    // Taken out on purpose.
    std::fs::remove_file(world.path(LAST)).unwrap();
    let _ = world.novel(book, &["rollback", "ch-003", "--yes"]).ok();
    is_well_and_goes_on_with(&world, 4);
    // Or by name, from the middle.
    let _ = world.git(book, &["rm", "-q", "chapters/vol-01/chapter-002.md"]).ok();
    let _ = world.novel(book, &["continue"]).fails(3);
    let _ = world.novel(book, &["doctor", "--remove", "ch-002"]).ok();
    assert_eq!(findings(&world), (Vec::new(), 0));
    assert!(!world.path("book/state/deltas/vol-01/chapter-002-delta.json").exists());
}

#[test]
fn a_committed_deletion_is_seen_by_the_next_command() {
    for (path, chapter) in [("chapters/vol-01/chapter-002.md", "ch-002"), ("chapters/vol-01/chapter-004.md", "ch-004")]
    {
        let world = World::new();
        let book = world.demo_with(4);
        author(&world, &["rm", "-q", path]);
        author(&world, &["commit", "-qm", "rm"]);
        let asked = world.novel(book, &["continue"]).fails(3);
        assert!(asked.stderr.contains(chapter), "{asked:#?}");
        is_well_and_goes_on_with(&world, 5);
    }
}

#[test]
fn a_state_that_says_nothing_any_more_is_made_from_the_chapters() {
    for (path, text) in [
        ("state/current-state.json", "{}\n"),
        ("state/current-state.json", "{\"schema_version\": 1, \"state_version\": 3, \"last_updated_chapter\": 3}\n"),
        ("foreshadowing/global.json", "{\"foreshadowing\": []}\n"),
    ] {
        let world = World::new();
        let book = world.demo_with(3);
        let good = world.read(&format!("book/{path}"));
        world.write(&format!("book/{path}"), text);
        world.commit(book, "emptied");
        assert_eq!(findings(&world), (vec!["state_differs".to_owned()], 1), "{path} {text}");
        let _ = world.novel(book, &["doctor", "--repair"]).ok();
        assert_eq!(world.read(&format!("book/{path}")), good);
        is_well_and_goes_on_with(&world, 4);
    }
}

#[test]
fn a_state_changed_by_hand_stays_the_authors() {
    let world = World::new();
    let book = world.demo_with(3);
    let path = "book/state/current-state.json";
    let mut state: serde_json::Value = serde_json::from_str(&world.read(path)).unwrap();
    state["world_state"]["weather"] = "雪".into();
    world.write(path, &state.to_string());
    world.commit(book, "snow");
    assert_eq!(findings(&world), (Vec::new(), 0));
    is_well_and_goes_on_with(&world, 4);
    let now: serde_json::Value = serde_json::from_str(&world.read(path)).unwrap();
    assert_eq!(now["world_state"]["weather"], "雪");
}

#[test]
fn a_checkpoint_that_is_about_other_chapters_does_not_decide() {
    let world = World::new();
    let book = world.demo_with(3);
    let good = checkpoint(&world);
    let wrong =
        world.read("book/.checkpoint.json").replace("\"last_completed_chapter\": 3", "\"last_completed_chapter\": 1");
    world.write("book/.checkpoint.json", &wrong);
    world.commit(book, "mixed up");
    assert_eq!(world.novel(book, &["status", "--json"]).json()["last_completed"], 3);
    assert_eq!(findings(&world), (vec!["checkpoint_differs".to_owned()], 1));
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(checkpoint(&world)["last_completed_chapter"], 4);
    assert_eq!(checkpoint(&world)["totals"]["chapters"], 4);
    assert!(checkpoint(&world)["totals"]["words"].as_u64() > good["totals"]["words"].as_u64());
    is_well_and_goes_on_with(&world, 5);
}

#[test]
fn a_chapter_of_the_authors_own_counts_and_lacks_its_delta() {
    let world = World::new();
    let book = world.demo_with(3);
    world.write(LAST, "# 第4章 我的一章\n\n这一章是我自己写的。\n");
    let _ = world.git(book, &["add", "chapters"]).ok();
    world.commit(book, "mine");
    assert_eq!(findings(&world).0, ["wrong_tag", "no_delta", "checkpoint_differs"]);
    let _ = world.novel(book, &["doctor", "--repair"]).ok();
    assert_eq!(findings(&world), (vec!["no_delta".to_owned()], 0));
    let _ = world.novel(book, &["continue"]).ok();
    assert!(world.subjects(book)[1].starts_with("ch-005: "));
    // The next one on the same storyline goes on from it.
    let sent = world.novel(book, &["context", "ch-006", "--prompt"]).ok();
    assert!(sent.contains("这一章是我自己写的"), "the author's chapter was not read");
}

#[test]
fn while_an_older_commit_is_checked_out_no_file_counts_as_deleted_and_the_way_back_is_named() {
    let world = World::new();
    let _ = world.demo_with(3);
    let own = world.git("book", &["branch", "--show-current"]).ok();
    let back = format!("git switch {}", own.trim());
    let ways: [(&[&str], &str); 3] = [
        (&["checkout", "-q", "ch-001"], &back),
        (&["switch", "-q", "-c", "side", "ch-001"], &back),
        (&["bisect", "start", "HEAD", "ch-001"], "git bisect reset"),
    ];
    for (elsewhere, next) in ways {
        author(&world, elsewhere);
        let status = world.novel("book", &["status", "--json"]).json();
        assert_eq!(status["next"], next, "{status}");
        assert_eq!((&status["hand_edits"], &status["problems"]), (&serde_json::json!([]), &serde_json::json!([])));
        let (found, _) = findings(&world);
        assert!(!found.contains(&"deleted".to_owned()), "{found:?}");
        let _ = world.novel("book", &["continue"]).fails(4);
        let _ = world.git("book", &["bisect", "reset"]);
        author(&world, &["switch", "-q", own.trim()]);
    }
    is_well_and_goes_on_with(&world, 4);
}

#[test]
fn a_plain_clone_is_set_up_by_its_first_chapter() {
    let world = World::new();
    let _ = world.demo_with(2);
    let _ = world.git("", &["clone", "-q", "book", "clone"]).ok();
    let _ = world.novel("clone", &["continue"]).ok();
    let found = world.novel("clone", &["doctor", "--json"]);
    assert_eq!((found.code, found.json()["findings"].as_array().unwrap().len()), (0, 0), "{found:#?}");
}

#[test]
fn a_branch_that_is_begun_in_a_plain_clone_is_a_line_beside_the_main_one() {
    let world = World::new();
    let book = world.demo_with(3);
    let main = world.git(book, &["branch", "--show-current"]).ok();
    let _ = world.git("", &["clone", "-q", "book", "clone"]).ok();
    let _ = world.git("clone", &["switch", "-q", "-c", "try", "ch-002"]).ok();
    let _ = world.novel("clone", &["continue"]).ok();
    let list = world.novel("clone", &["branch", "list", "--json"]).json();
    let line = |name: &str| list["lines"].as_array().unwrap().iter().find(|line| line["name"] == name).unwrap();
    let (own, begun) = (line(main.trim()), line("try"));
    assert!(own["main"] == true && begun["main"] == false, "{list}");
    let _ = world.git("clone", &["switch", "-q", main.trim()]).ok();
    let status = world.novel("clone", &["status"]).ok();
    assert!(status.contains(&format!("novel branch switch {}", main.trim())), "{status}");
    let _ = world.novel("clone", &["branch", "switch", main.trim()]).ok();
    let _ = world.novel("clone", &["continue"]).ok();
    let third = |folder| world.git(folder, &["rev-parse", "ch-003"]).ok();
    assert_eq!(third("clone"), third(book), "tags are of the main line");
}

#[test]
fn another_encoding_in_the_folder_is_named_before_anything_is_paid_and_left_to_git_in_notes() {
    let world = World::new();
    let book = world.demo();
    let attributes = format!("{book}/.gitattributes");
    let usual = world.read(&attributes);
    world.write(&attributes, &format!("{usual}*.md working-tree-encoding=GB18030\n"));
    let refused = world.novel(book, &["continue", "--offline", "--lang", "zh"]).fails(4);
    assert!(refused.stderr.contains("working-tree-encoding=GB18030"), "{refused:#?}");

    world.write(&attributes, &format!("{usual}research/** working-tree-encoding=GB18030\n"));
    world.commit(book, "老笔记用老编码");
    let gb18030 = b"\xb6\xc9\xbf\xda\n";
    std::fs::create_dir_all(world.path(&format!("{book}/research"))).unwrap();
    std::fs::write(world.path(&format!("{book}/research/old.md")), gb18030).unwrap();
    let _ = world.git(book, &["add", "research"]).ok();
    world.commit(book, "渡口的笔记");
    assert_eq!(world.git(book, &["show", "HEAD:research/old.md"]).ok(), "渡口\n");
    let _ = world.novel(book, &["continue", "--offline"]).ok();
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    assert_eq!(std::fs::read(world.path(&format!("{book}/research/old.md"))).unwrap(), gb18030);
    world.check(book);
}

#[test]
fn a_clone_whose_branch_does_not_exist_names_the_book_s_branch() {
    let world = World::new();
    let _ = world.demo_with(1);
    let branch = world.git("book", &["branch", "--show-current"]).ok().trim().to_owned();
    let _ = world.git("book", &["clone", "-q", "--bare", ".", "../bare.git"]).ok();
    let _ = world.git("bare.git", &["symbolic-ref", "HEAD", "refs/heads/nowhere"]).ok();
    let _ = world.git("", &["clone", "-q", "bare.git", "clone"]).ok();
    let told = world.novel("clone", &["--lang", "en", "status"]).fails(4).stderr;
    let command = told.split('`').nth(1).unwrap().to_owned();
    assert!(command.starts_with("git -C ") && command.ends_with(&format!(" switch {branch}")), "{told}");
    assert!(!told.contains("novel init"), "{told}");
    let ran = world.command("sh", &world.path("home")).args(["-c", &command]).output().unwrap();
    assert!(ran.status.success(), "{command}: {ran:?}");
    let _ = world.novel("clone", &["status"]).ok();
}

#[test]
fn a_heading_alone_for_the_next_chapter_is_no_part_of_the_last_one() {
    let world = World::new();
    let _ = world.demo_with(4);
    world.write("book/chapters/vol-01/chapter-005.md", "# 第5章 自己写\n");
    let (codes, _) = findings(&world);
    assert!(codes.contains(&"in_the_way".to_owned()) && !codes.contains(&"rearranged".to_owned()), "{codes:?}");
}
