//! Hand edits of the author, before a run and while it is under way.

use crate::common::World;

const CHAPTER: &str = "book/chapters/vol-01/chapter-001.md";

#[test]
fn edits_are_committed_first_as_the_authors_own_and_the_next_chapter_is_written_from_them() {
    let world = World::new();
    let book = world.demo_with(1);
    let text = world.read(CHAPTER) + "\n我添的一句。\n";
    world.write(CHAPTER, &text);
    world.write("book/brief.md", &(world.read("book/brief.md") + "\n全书不下雨。\n"));
    let status = world.novel(book, &["status", "--json"]).json();
    assert_eq!(status["hand_edits"], serde_json::json!(["brief.md", "chapters/vol-01/chapter-001.md"]));

    let said = world.novel(book, &["continue"]);
    assert!(said.stderr.contains("your changes were committed first"), "{said:#?}");
    let _ = said.ok();
    let subjects = world.subjects(book);
    assert!(subjects[0].starts_with("ch-002: "), "{subjects:?}");
    assert_eq!(subjects[1], "hand edit: brief.md, chapters/vol-01/chapter-001.md");
    let mine = world.git(book, &["show", "--stat=100", "--format=", "HEAD~1"]).ok();
    assert!(mine.contains("brief.md") && mine.contains("chapter-001.md") && !mine.contains("chapter-002"), "{mine}");
    assert_eq!(world.git(book, &["show", "HEAD:chapters/vol-01/chapter-001.md"]).ok(), text);
    assert_eq!(world.read(CHAPTER), text);
    let sent = world.novel(book, &["context", "ch-002", "--prompt"]).ok();
    assert!(sent.contains("全书不下雨。"), "the chapter was written without the new brief");
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    world.check(book);
}

/// A copy has the same files with other inodes; as long as git's index does not know them, each command reads them all.
#[test]
fn a_copied_book_is_read_once_and_its_edits_are_still_found() {
    let world = World::new();
    let _ = world.demo();
    world.copy("book", "copied");
    let stale = |folder| world.git(folder, &["diff-files", "--name-only"]).ok().lines().count();
    assert!(stale("copied") > 32, "{}", stale("copied"));
    // The same length as before, so that only the content tells.
    let text = world.read("copied/brief.md");
    let edited = text.replacen('。', "，", 1);
    assert_ne!(text, edited);
    world.write("copied/brief.md", &edited);
    world.write("copied/research/笔记.md", "港口每月初三开闸。\n");
    let _ = world.git("copied", &["add", "research/笔记.md"]).ok();
    let _ = world.novel("copied", &["continue"]).ok();
    assert_eq!(world.subjects("copied")[1], "hand edit: brief.md, research/笔记.md");
    assert_eq!(stale("copied"), 0);
    assert_eq!(world.git("copied", &["status", "--porcelain"]).ok(), "");
    world.check("copied");
}

#[test]
fn edits_made_while_a_chapter_is_written_are_kept_and_reach_the_next_one() {
    let world = World::new();
    let book = world.demo_with(1);
    let mut run = world.start(book, &["-vv", "continue", "2"]);
    run.until("=== system prompt ===");
    // The run stands still now, until its output is read.
    let text = world.read(CHAPTER) + "\n写到一半时改的。\n";
    world.write(CHAPTER, &text);
    world.write("book/brief.md", &(world.read("book/brief.md") + "\n从此不许提雨。\n"));
    let _ = run.finish().ok();

    assert_eq!(world.read(CHAPTER), text);
    assert_eq!(world.git(book, &["show", "HEAD:chapters/vol-01/chapter-001.md"]).ok(), text);
    let subjects = world.subjects(book);
    let edits: Vec<usize> = (0..subjects.len()).filter(|at| subjects[*at].starts_with("hand edit: ")).collect();
    assert_eq!((subjects.len(), edits.len()), (5, 1), "{subjects:?}");
    let before = |chapter: &str| world.novel(book, &["context", chapter, "--prompt"]).ok().contains("从此不许提雨");
    assert!(before("ch-003"));
    world.check(book);
}

#[test]
fn a_change_that_breaks_a_file_is_named_and_not_committed() {
    let world = World::new();
    let book = world.demo_with(1);
    let good = world.read("book/novel.toml");
    world.write("book/novel.toml", &format!("{good}title = \n"));
    let said = world.novel(book, &["continue", "--lang", "zh"]).fails(4);
    assert!(said.stderr.contains("`novel.toml` 无法读取") && said.stderr.contains("第 20 行"), "{said:#?}");
    assert!(said.stderr.contains("novel doctor --repair"), "{said:#?}");
    let status = world.novel(book, &["status", "--lang", "zh"]).ok();
    assert!(status.contains("写到第 1 章") && status.contains("损坏  novel.toml 第 20 行"), "{status}");
    assert!(status.trim_end().ends_with("novel doctor --repair"), "{status}");
    let found = world.novel(book, &["doctor", "--json"]).fails(1).json();
    assert_eq!(found["findings"][0]["code"], "broken_edit");
    assert!(world.subjects(book)[0].starts_with("ch-001: "));
    world.write("book/novel.toml", &good);
    let _ = world.novel(book, &["continue"]).ok();
}

#[test]
fn settings_changed_and_not_committed_hold_for_the_run_that_commits_them() {
    let world = World::new();
    let book = world.demo();
    let offline = world.read("book/novel.toml");
    world.write("book/novel.toml", &offline.replace("offline = true", "offline = false"));
    world.commit(book, "online");
    let _ = world.novel(book, &["continue"]).fails(4);
    world.write("book/novel.toml", &offline);
    let _ = world.novel(book, &["continue"]).ok();
}

#[test]
fn a_plan_of_a_later_volume_may_be_half_written() {
    let world = World::new();
    let book = world.demo_with(1);
    world.write("book/volumes/vol-02/outline.md", "# 第二卷\n\n## 第9章 未定\n- 视角: 闻小满\n");
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
}

#[test]
fn undo_does_not_mix_with_uncommitted_changes() {
    let world = World::new();
    let book = world.demo_with(2);
    world.write(CHAPTER, "# 第1章 夜班\n\n我自己写的。\n");
    let said = world.novel(book, &["undo"]).fails(1);
    assert!(
        said.stderr.contains("chapters/vol-01/chapter-001.md") && said.stderr.contains("git add --all"),
        "{said:#?}"
    );
    assert!(
        said.stderr.contains("git stash") && !said.stderr.contains("git restore"),
        "nothing is given up: {said:#?}"
    );
    assert_eq!(world.read(CHAPTER), "# 第1章 夜班\n\n我自己写的。\n");
}

#[test]
fn a_next_chapter_of_the_author_s_own_is_offered_as_the_chapter() {
    let world = World::new();
    let book = world.demo_with(1);
    world.write("book/chapters/vol-01/chapter-002.md", "# 第2章 失手师\n\n我自己写的。\n");
    let told = world.novel(book, &["doctor"]).fails(1).stdout;
    let command = told.split('`').find(|words| words.starts_with("git -C")).unwrap().to_owned();
    assert!(command.contains("chapter-002.md") && command.ends_with("-m chapter-002"), "{told}");
    let _ = world.git(book, &["add", "chapters"]).ok();
    let _ =
        world.git(book, &["-c", "user.name=me", "-c", "user.email=me@localhost", "commit", "-qm", "chapter-002"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    assert!(world.read("book/chapters/vol-01/chapter-002.md").contains("我自己写的"));
}

#[test]
fn the_context_of_the_next_chapter_has_what_the_run_commits_first() {
    let world = World::new();
    let book = world.demo_with(1);
    world.write("book/brief.md", "# 纲领\n\n没提交。\n");
    let said = world.novel(book, &["context", "2", "--prompt"]);
    assert!(said.stdout.contains("没提交。") && said.stderr.is_empty(), "{said:#?}");
    let said = world.novel(book, &["context", "1", "--breakdown"]);
    assert_eq!(said.stderr, "");
}

/// Systems, editors and sync programs leave files beside an author's.
#[test]
fn leftovers_and_conflict_copies_are_not_the_books() {
    let world = World::new();
    let book = world.demo_with(1);
    let page = "守夜人不开灯。\n";
    for folder in ["world", "research", "prompts/writer"] {
        for name in ["#page.md#", "4913", "page.md.orig", "page - 副本.md", "page (conflicted copy 2026-01-02).md"] {
            world.write(&format!("book/{folder}/{name}"), page);
        }
        world.write(&format!("book/{folder}/.obsidian/page.md"), page);
        let mac = world.path(&format!("book/{folder}/._page.md"));
        std::fs::write(mac, [0, 5, 22, 7, 0, 2, 0, 0, 0xff, 0xfe]).unwrap();
    }
    world.write("book/world/watch.md", page);
    let status = world.novel(book, &["status", "--json"]).json();
    assert_eq!(status["hand_edits"], serde_json::json!(["world/watch.md"]), "{status}");
    let _ = world.novel(book, &["continue"]).ok();
    let tracked = |folder: &str| world.git(book, &["ls-files", folder]).ok();
    assert_eq!(tracked("research"), "research/.gitkeep\n");
    assert_eq!(tracked("prompts"), "prompts/.gitkeep\n");
    assert!(tracked("world").contains("world/watch.md"), "{}", tracked("world"));
    let untracked = world.git(book, &["status", "--porcelain", "-uall"]).ok();
    assert!(!untracked.contains("._") && untracked.contains("副本"), "{untracked}");

    // In a commit of the author's they stop nothing, and no agent reads them.
    let _ = world.git(book, &["add", "-A", "-f", "world", "research", "prompts"]).ok();
    world.commit(book, "everything");
    let found = world.novel(book, &["doctor", "--json"]).ok();
    assert!(!found.contains("bad_file"), "{found}");
    let _ = world.novel(book, &["continue"]).ok();
    let hits = world.novel(book, &["search", "守夜人不开灯", "--json"]).ok();
    assert!(hits.contains("world/watch.md") && !hits.contains("page"), "{hits}");
}
