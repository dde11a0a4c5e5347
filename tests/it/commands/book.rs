//! A book of the offline writer, as its author sees it.

use crate::common::World;

#[test]
fn the_demo_is_a_book_whose_history_reads_like_its_contents() {
    let world = World::new();
    let book = world.demo_with(3);
    let log = world.git(book, &["log", "--first-parent", "--format=%s"]).ok();
    let subjects: Vec<&str> = log.lines().collect();
    assert_eq!(subjects.len(), 4, "{log}");
    for (subject, start) in subjects.iter().zip(["ch-003: ", "ch-002: ", "ch-001: ", "init: "]) {
        assert!(subject.starts_with(start), "{log}");
    }
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    world.check(book);
    let files = world.git(book, &["show", "ch-002", "--stat=200", "--format="]).ok();
    for file in [
        "chapters/vol-01/chapter-002.md",
        "summaries/vol-01/chapter-002-summary.md",
        "memory/vol-01/chapter-002-memory.json",
        "evaluations/vol-01/chapter-002-eval.json",
        "state/deltas/vol-01/chapter-002-delta.json",
        "state/current-state.json",
        "foreshadowing/global.json",
        "logs/vol-01/chapter-002-log.json",
        ".checkpoint.json",
    ] {
        assert!(files.contains(file), "{file} is not in the commit of the chapter:\n{files}");
    }
    assert!(!files.contains(".draft"), "{files}");
}

#[test]
fn the_same_demo_twice_is_the_same_to_the_last_byte_of_its_commits() {
    let worlds = [World::new(), World::new()];
    let heads = worlds.map(|world| {
        let book = world.demo_with(2);
        world.git(book, &["rev-parse", "HEAD"]).ok()
    });
    assert_eq!(heads[0], heads[1]);
}

#[test]
fn settings_count_as_soon_as_they_are_saved() {
    let world = World::new();
    let book = world.demo_with(1);
    let settings = world.read("book/novel.toml").replace("offline = true", "offline = false");
    world.write("book/novel.toml", &settings);
    // Without a key no model can be asked, which is said before anything is written.
    let refused = world.novel(book, &["--lang", "en", "continue"]).fails(4);
    assert!(refused.stderr.contains("no model provider is set up"), "{refused:#?}");
    assert_eq!(world.git(book, &["log", "--format=%s"]).ok().lines().count(), 2);
}

#[test]
fn the_files_of_two_chapters_are_those_of_their_commits() {
    let world = World::new();
    let book = world.demo_with(2);
    let files = world.novel(book, &["diff", "ch-001", "ch-002", "--files"]).ok();
    for file in ["chapters/vol-01/chapter-002.md", "state/current-state.json"] {
        assert!(files.contains(file), "{files}");
    }
}

#[test]
fn a_commit_is_shown_with_its_time_kind_author_and_files() {
    let world = World::new();
    let book = world.demo_with(1);
    let commit = world.git(book, &["rev-parse", "HEAD"]).ok();
    let of = |format: &str| world.git(book, &["show", "-s", &format!("--format={format}"), "HEAD"]).ok();
    let shown = world.novel(book, &["--lang", "zh", "show", "HEAD"]).ok();
    let minute = world.git(book, &["show", "-s", "--format=%ad", "--date=format:%Y-%m-%d %H:%M", "HEAD"]).ok();
    let summary = world.read("book/summaries/vol-01/chapter-001-summary.md");
    let first = of("%b").lines().next().unwrap().to_owned();
    assert!(summary.contains(&first), "{summary}");
    let body = format!("\n\n{first}\n\nNovel-Kind");
    for part in [commit.trim(), minute.trim(), of("%an").trim(), "类型  章", "Novel-Chapter: 1", &body] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let changed = world.git(book, &["show", "--numstat", "--format=", "HEAD"]).ok();
    for line in changed.lines() {
        let [added, deleted, path] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let row =
            shown.lines().find(|row| row.trim_start().starts_with(path)).unwrap_or_else(|| panic!("{path}: {shown}"));
        let plain = row.replace(',', "");
        assert!(plain.contains(&format!("+{added}")) && plain.contains(&format!("-{deleted}")), "{line}: {row}");
    }
    // The first commit has nothing to be compared with.
    let first = world.novel(book, &["show", "HEAD~1"]).ok();
    assert!(first.contains("  novel.toml\n"), "{first}");
}

#[test]
fn an_edit_that_is_not_committed_is_in_the_comparison_of_its_chapter() {
    let world = World::new();
    let book = world.demo_with(2);
    let path = "book/chapters/vol-01/chapter-001.md";
    let before = world.read(path);
    world.write(path, &format!("{before}\n门外又响了三声。\n"));
    let said = world.novel(book, &["--lang", "zh", "diff", "ch-001"]).ok();
    assert!(said.contains("未提交") && said.contains("{+门外又响了三声。+}"), "{said}");
    let files = world.novel(book, &["diff", "ch-001", "--files"]).ok();
    assert_eq!(files.matches("chapters/vol-01/chapter-001.md").count(), 1, "{files}");
    // Other line ends are no edit; the chapter is compared with what it was before again.
    world.write(path, &before.replace('\n', "\r\n"));
    let refused = world.novel(book, &["diff", "ch-001"]).fails(1);
    assert!(!refused.stdout.contains("uncommitted"), "{refused:#?}");
}

#[test]
fn a_branch_that_the_book_is_on_is_no_error() {
    let world = World::new();
    let book = world.demo_with(1);
    let line = world.git(book, &["branch", "--show-current"]).ok();
    let head = world.git(book, &["rev-parse", "HEAD"]).ok();
    for args in [vec!["branch", line.trim()], vec!["branch", "switch", line.trim()]] {
        let said = world.novel(book, &[&["--lang", "zh"], &args[..]].concat()).ok();
        assert!(said.starts_with(&format!("已在分支 {} 上，写到 ch-001", line.trim())), "{said}");
    }
    assert_eq!(world.git(book, &["rev-parse", "HEAD"]).ok(), head);
}

#[test]
fn a_budget_without_a_currency_is_one_in_dollars_and_says_so() {
    let world = World::new();
    let set = world.novel(".", &["--lang", "en", "config", "set", "budget", "20"]);
    assert!(set.stderr.contains("budget = 20usd"), "{set:#?}");
    assert_eq!(world.novel(".", &["config", "get", "budget"]).ok(), "20usd\n");
    let yuan = world.novel(".", &["--lang", "zh", "config", "set", "budget", "20元"]);
    assert!(yuan.stderr.contains("budget = 20元"), "{yuan:#?}");
}

#[test]
fn an_unknown_plot_thread_points_at_the_plot_threads() {
    let world = World::new();
    let book = world.demo_with(1);
    let refused = world.novel(book, &["--lang", "zh", "foreshadow", "没有这一条"]).fails(1);
    assert!(
        refused.stderr.contains("novel foreshadow --all") && !refused.stderr.contains("novel state"),
        "{refused:#?}"
    );
}
