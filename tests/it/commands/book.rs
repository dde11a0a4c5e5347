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
