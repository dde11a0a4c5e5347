//! `novel start` asks before it spends: position, choices with prices, the style of a new book, and ways to stop.

use crate::common::World;
use serde_json::{Value, json};

const IDEA: [&str; 6] =
    ["--genre", "都市悬疑", "--protagonist", "沈渡，不会水的摆渡人", "--conflict", "一张对不上的舱单"];

/// An empty folder.
fn empty(world: &World) -> &'static str {
    std::fs::create_dir(world.path("书")).unwrap();
    "书"
}

/// A new book without a style.
fn idea(world: &World) -> &'static str {
    let _ = world.novel("", &[&["init", "书", "--words", "300-500", "--offline"][..], &IDEA].concat()).ok();
    "书"
}

#[track_caller]
fn asks(world: &World, args: &[&str]) -> Value {
    let output = world.novel("书", &[&["--json", "start"], args].concat()).fails(3);
    let question = output.json_lines().pop().unwrap();
    assert_eq!(question["type"], "requires_user_decision", "{question:#}");
    let options = question["options"].as_array().unwrap();
    assert!((2..=4).contains(&options.len()), "{question:#}");
    assert_eq!(question["recommendation"], options[0], "{question:#}");
    assert_eq!(question["data"]["commands"].as_array().unwrap().len(), options.len());
    question
}

fn calls(world: &World) -> Value {
    world.novel("书", &["cost", "--json"]).ok().parse::<Value>().unwrap()["total"]["calls"].clone()
}

fn profile(world: &World) -> Value {
    serde_json::from_str(&world.read("书/style-profile.json")).unwrap()
}

/// The style as `status` names it, and its directives, which are as many as those of the file.
#[track_caller]
fn style(world: &World) -> (Value, Value) {
    let status = world.novel("书", &["status", "--json"]).json();
    let (style, file) = (status["style"].clone(), profile(world));
    let directives = file["writing_directives"].as_array().unwrap();
    assert_eq!(style["directives"].as_u64().unwrap() as usize, directives.len(), "{status:#}");
    assert!(!directives.is_empty(), "{file:#}");
    assert_eq!((&style["source_type"], &style["source_name"]), (&file["source_type"], &file["source_name"]));
    (style["source_type"].clone(), style["source_name"].clone())
}

#[test]
fn an_empty_folder_is_asked_about_and_left_empty() {
    let world = World::new();
    let book = empty(&world);
    let asked = asks(&world, &[]);
    assert_eq!((&asked["data"]["about"], &asked["options"][0]), (&"new-book".into(), &"new-book".into()));
    assert_eq!(std::fs::read_dir(world.path(book)).unwrap().count(), 0);
    let said = world.novel(book, &["--lang", "en", "start"]).fails(3);
    assert!(said.stdout.contains("novel start --genre") && said.stdout.contains("novel demo"), "{said:#?}");
    // A folder with files of another kind is left alone.
    world.write("mine/draft.txt", "x\n");
    let _ = world.novel("mine", &["start"]).fails(4);
    assert!(!world.path("mine/.git").exists());
}

#[test]
fn nothing_is_asked_of_a_model_before_the_author_has_chosen() {
    let world = World::new();
    let _ = empty(&world);
    let style = asks(&world, &[&IDEA[..], &["--offline"]].concat());
    assert_eq!(style["data"]["about"], "style");
    assert_eq!(style["options"], json!(["preset", "samples", "reference", "extract-later"]));
    assert_eq!(style["data"]["preset"], "悬疑冷峻", "the one that fits the genre");
    assert_eq!(style["data"]["position"]["last_completed"], 0);
    assert_eq!(calls(&world), 0);
    assert_eq!(world.subjects("书").len(), 1, "the book is made and nothing else");
    let found = asks(&world, &["--answer", "preset"]);
    assert_eq!((&found["data"]["about"], &found["options"][0]), (&"found".into(), &"found".into()));
    assert_eq!(found["data"]["estimates"][0]["price"], "free", "{found:#}");
    assert_eq!(found["data"]["estimates"].as_array().unwrap().len(), found["options"].as_array().unwrap().len());
    assert_eq!(calls(&world), 0);
    // Asked again it is the same question, and no command line but an answer spends.
    assert_eq!(asks(&world, &[]), found);
    assert_eq!(calls(&world), 0);
}

#[test]
fn the_world_alone_can_be_looked_at_before_anything_is_written() {
    let world = World::new();
    let book = idea(&world);
    let tried = asks(&world, &["--style", "light", "--answer", "found-only"]);
    assert_eq!((&tried["data"]["about"], &tried["options"][0]), (&"found".into(), &"found".into()));
    let log = world.subjects(book);
    assert!(log[0].starts_with("characters: ") && log.len() == 5, "{log:?}");
    let trial = asks(&world, &["--answer", "found"]);
    assert_eq!((&trial["data"]["about"], &trial["data"]["position"]["last_completed"]), (&"trial".into(), &3.into()));
    world.check(book);
}

#[test]
fn a_planned_volume_is_written_by_as_many_chapters_as_are_chosen() {
    let world = World::new();
    let book = idea(&world);
    let _ = asks(&world, &["--style", "light", "--answer", "found"]);
    let _ = asks(&world, &["--answer", "go-on", "--chapters", "12"]);
    let write = asks(&world, &["--answer", "approve"]);
    assert_eq!(write["options"], json!(["write-1", "write-5", "write-volume", "more"]));
    assert_eq!(write["data"]["position"]["planned"], 12);
    assert_eq!(world.subjects(book)[0].split(':').next(), Some("plan vol-01"), "nothing is written yet");
    let more = asks(&world, &["--answer", "more"]);
    assert_eq!(more["options"], json!(["look-back", "research", "stop"]));
    let _ = asks(&world, &["--answer", "write-1"]);
    assert!(world.subjects(book)[0].starts_with("ch-004: "));
    let left = asks(&world, &["--answer", "write-5"]);
    assert!(world.subjects(book)[0].starts_with("ch-009: "));
    assert_eq!(left["options"], json!(["write-1", "write-volume", "look-back", "more"]));
    let five = world.novel(book, &["--lang", "en", "start", "--answer", "write-5"]).fails(1);
    assert!(five.stderr.contains("write-1, write-volume"), "{five:#?}");
    let figures = world.novel(book, &["start", "--answer", "look-back"]).ok();
    assert!(figures.contains("渡") || figures.contains('%'), "{figures}");
    let head = world.subjects(book);
    let _ = world.novel(book, &["start", "--answer", "stop"]).ok();
    assert_eq!(world.subjects(book), head);
    let review = asks(&world, &["--answer", "write-volume"]);
    assert_eq!(review["data"]["about"], "review");
    assert!(world.subjects(book)[0].starts_with("ch-012: "));
    let volume = asks(&world, &["--answer", "review"]);
    assert_eq!(volume["data"]["estimates"].as_array().unwrap().len(), 3);
    world.check(book);
}

#[test]
fn every_route_to_a_style_ends_with_directives_and_status_names_its_source() {
    let prose =
        "他把灯挂上船头，没有再问。“你数过了？”“数过了，七个。”风从江上来，灯火晃了两晃，舱里没人接话。\n".repeat(20);
    let routes: [(&[&str], Value, Value); 4] = [
        (&["--answer", "preset"], json!("preset"), json!("悬疑冷峻")),
        (&["--style", "classical"], json!("preset"), json!("古风白描")),
        (&["--answer", "samples", "--samples", "样 稿.txt"], json!("original"), Value::Null),
        (
            &["--answer", "reference", "--samples", "样 稿.txt", "--reference-author", "江上 客"],
            json!("reference"),
            json!("江上 客"),
        ),
    ];
    for (args, source, name) in routes {
        let world = World::new();
        let book = idea(&world);
        assert_eq!(style(&world), (json!("preset"), json!("中性")), "neutral until the author has chosen");
        let said = world.novel(book, &["--lang", "zh", "status"]).ok();
        assert!(said.contains("文风") && said.contains("中性（还没有选定文风）"), "{said}");
        world.write("书/样 稿.txt", &prose);
        let found = asks(&world, args);
        assert_eq!(found["data"]["about"], "found", "{args:?}");
        assert_eq!(style(&world), (source, name), "{args:?}");
        assert!(world.subjects(book)[0].starts_with("style: "), "{args:?}");
    }
}

#[test]
fn a_style_that_is_put_off_is_drawn_from_the_first_chapter_once() {
    let world = World::new();
    let book = idea(&world);
    let _ = asks(&world, &["--answer", "extract-later"]);
    assert_eq!(style(&world), (json!("deferred"), Value::Null));
    let trial = asks(&world, &["--answer", "found"]);
    assert_eq!(trial["data"]["about"], "trial");
    assert_eq!(style(&world), (json!("extracted"), json!("ch-001")));
    assert!(profile(&world)["avg_sentence_length"].as_f64().unwrap() > 0.0, "it is measured as well");
    let log = world.subjects(book);
    let drawn: Vec<usize> = (0..log.len()).filter(|at| log[*at] == "style: extracted from ch-001").collect();
    let first = log.iter().position(|subject| subject.starts_with("ch-001: ")).unwrap();
    assert_eq!(drawn, [first - 1], "right after the first chapter, and once: {log:?}");
    assert!(world.novel(book, &["cost", "--json"]).ok().contains("style"), "the call is on record");
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn a_death_between_the_chapter_and_its_style_leaves_the_style_to_the_next_run() {
    let world = World::new();
    let book = idea(&world);
    let _ = asks(&world, &["--answer", "extract-later"]);
    // The fifth commit of the run is the first chapter.
    let mut dying = world.command(env!("CARGO_BIN_EXE_novel"), &world.path(book));
    dying.args(["start", "--answer", "found"]).env("__NOVEL_CRASH_TEST_ABORT_AT", "txn.end#5");
    let died = dying.output().unwrap();
    assert!(!died.status.success() && world.subjects(book)[0].starts_with("ch-001: "), "{died:?}");
    assert_eq!(style(&world).0, json!("deferred"));
    let trial = asks(&world, &["--answer", "found"]);
    assert_eq!(trial["data"]["about"], "trial", "the same command goes on");
    assert_eq!(style(&world).0, json!("extracted"));
    world.check(book);
}

#[test]
fn notes_are_taken_into_the_book_and_the_question_stays() {
    let world = World::new();
    let book = idea(&world);
    world.write("书/../宋代 夜市.txt", "子时收摊，丑时净街。\n");
    let _ = asks(&world, &["--answer", "preset"]);
    let asked = asks(&world, &["--answer", "research", "--research", "../宋代 夜市.txt"]);
    assert_eq!(asked["data"]["about"], "found");
    assert_eq!(world.read("书/research/宋代 夜市.md"), "子时收摊，丑时净街。\n");
    assert_eq!(world.subjects(book)[0], "research: 宋代 夜市.md");
    let _ = world.novel(book, &["start", "--answer", "research"]).fails(3);
}

#[test]
fn chapters_that_were_chosen_before_a_death_are_not_written_twice() {
    let world = World::new();
    let book = idea(&world);
    let _ = asks(&world, &["--style", "light", "--answer", "found"]);
    let _ = asks(&world, &["--answer", "go-on", "--chapters", "12"]);
    let _ = asks(&world, &["--answer", "approve"]);
    let mut dying = world.command(env!("CARGO_BIN_EXE_novel"), &world.path(book));
    dying.args(["start", "--answer", "write-1"]).env("__NOVEL_CRASH_TEST_ABORT_AT", "txn.end");
    assert!(!dying.output().unwrap().status.success());
    let _ = asks(&world, &["--answer", "write-1"]);
    assert!(world.subjects(book)[0].starts_with("ch-004: "), "{:?}", world.subjects(book));
    let _ = asks(&world, &["--answer", "write-1"]);
    let subjects = world.subjects(book);
    assert!(subjects[0].starts_with("quality: ") && subjects[1].starts_with("ch-005: "), "{subjects:?}");
}
