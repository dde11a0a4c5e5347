//! Chapters in scenes as the offline writer writes them.

use crate::common::World;
use novel::text::Count;

const TEXT: &str = "book/chapters/vol-01/chapter-002.md";

fn written(args: &[&str]) -> (World, String) {
    let world = World::new();
    let book = world.demo_with(1);
    let _ = world.novel(book, &[&["continue"], args].concat()).ok();
    let head = world.git(book, &["rev-parse", "HEAD"]).ok();
    (world, head)
}

#[test]
fn a_chapter_in_scenes_tells_what_one_in_a_piece_tells() {
    let (scenes, head) = written(&["--scenes"]);
    let (whole, _) = written(&["--no-scenes"]);
    let text = scenes.read(TEXT);
    assert_eq!(text, whole.read(TEXT).replace("* * *\n\n", ""), "the same words, and a blank line between scenes");
    assert!((900..=1400).contains(&Count::of_prose(&text).words), "{text}");
    assert_eq!(written(&["--scenes"]).1, head, "the same to the last byte of its commit");
    let draft = scenes.git("book", &["log", "-1", "--format=%(trailers:key=Novel-Draft,valueonly)"]).ok();
    let stages = scenes
        .git("book", &["log", "--reverse", "--format=%(trailers:key=Novel-Scene,valueonly,separator=)", draft.trim()])
        .ok();
    let stages: Vec<&str> = stages.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(stages, ["3", "1", "2", "3"], "the plan and its three scenes, a commit each");
    let _ = scenes.novel("book", &["doctor"]).ok();
    scenes.check("book");
}

#[test]
fn a_scene_of_a_chapter_that_waits_is_written_again() {
    let (world, _) = written(&[]);
    let brief = world.read("book/brief.md");
    world.write("book/brief.md", &format!("{brief}\n离线评分(ch-003): 2.4\n"));
    let _ = world.novel("book", &["continue", "--scenes"]).fails(3);
    let before = world.read("book/staging/chapters/vol-01/chapter-003.md");
    let back = world.novel("book", &["rollback", "3/scene-2", "--yes", "--json"]).json();
    assert!(back["what"].as_str().unwrap().contains("ch-003 back to scene 2") && back["undo"].is_null(), "{back}");
    let status = world.novel("book", &["status", "--json"]).json();
    assert_eq!(status["inflight"]["scenes"], serde_json::json!({"written": 2, "planned": 3}));
    assert_eq!(status["pending"], serde_json::json!([]), "there is nothing to decide any more");
    assert!(!world.path("book/staging/memory/vol-01/chapter-003-memory.json").exists());
    let shorter = world.read("book/staging/chapters/vol-01/chapter-003.md");
    assert!(shorter.chars().count() < before.chars().count());
    world.write("book/brief.md", &brief);
    let run = world.novel("book", &["continue"]);
    assert!(run.stderr.contains("scene 3/3") && !run.stderr.contains("scene 2/3"), "{run:#?}");
    let _ = run.ok();
    let _ = world.novel("book", &["doctor"]).ok();
    world.check("book");
}

#[test]
fn a_scene_of_a_chapter_that_is_written_again_can_be_gone_back_to() {
    let world = World::new();
    let book = world.demo_with(3);
    let brief = world.read("book/brief.md");
    world.write("book/brief.md", &format!("{brief}\n离线评分(ch-002): 2.4\n"));
    let _ = world.novel(book, &["write", "2", "--force", "--scenes"]).fails(3);
    let _ = world.novel(book, &["rollback", "2/scene-1", "--yes"]).ok();
    assert_eq!(world.novel(book, &["status", "--json"]).json()["inflight"]["scenes"]["written"], 1);
    let there = world.novel(book, &["rollback", "2/scene-1", "--yes", "--json"]).json();
    assert_eq!((&there["status"], &there["at"]), (&"unchanged".into(), &"ch-002/scene-1".into()));
    world.check(book);
}
