//! The quality brief after every fifth chapter, and what it does about a style that has moved away.

use crate::common::World;
use serde_json::{Value, json};

const FIRST: &str = "quality/vol-01/chapter-005-quality.json";

fn read(world: &World, path: &str) -> Value {
    serde_json::from_str(&world.read(&format!("book/{path}"))).unwrap()
}

fn kinds(world: &World, count: usize) -> Vec<String> {
    let format = "--format=%(trailers:key=Novel-Kind,valueonly,separator=)";
    let args = ["log", "--first-parent", &format!("-{count}"), format];
    world.git("book", &args).ok().lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

fn has(world: &World, path: &str) -> bool {
    world.path(&format!("book/{path}")).exists()
}

/// A book with 19 of 26 chapters.
pub fn long(world: &World) -> &'static str {
    let made = || {
        let args = ["init", "book", "--title", "雾港", "--genre", "悬疑", "--protagonist", "沈渡，不会水的摆渡人"];
        let rest = ["--offline", "--conflict", "一张对不上的舱单"];
        let _ = world.novel("", &[&args[..], &rest[..]].concat()).ok();
        let person = ["character", "first", "沈渡，不会水的摆渡人"];
        for step in [&["world", "update"][..], &["world", "theme"], &person] {
            let _ = world.novel("book", step).ok();
        }
        let _ = world.novel("book", &["plan", "make", "--chapters", "26"]).fails(3);
        let _ = world.novel("book", &["plan", "approve"]).ok();
        let _ = world.novel("book", &["continue", "19"]).ok();
    };
    world.made_once("long-19", "book", made);
    "book"
}

/// Text of another hand: short lines, dashes, hardly a particle.
fn foreign(chapter: u32) -> String {
    let line = |n: u32| format!("雨。灯——灭。手停在第{n}格。没有声音。\n\n“走。”\n\n他——没有动。\n\n");
    let body: String = (0..60).map(|n| line(n * 7 + chapter)).collect();
    format!("# 第{chapter}章 雨\n\n{body}")
}

/// Puts text of another hand in the place of chapters that are written.
fn overwrite(world: &World, chapters: std::ops::RangeInclusive<u32>) {
    for chapter in chapters {
        world.write(&format!("book/chapters/vol-01/chapter-{chapter:03}.md"), &foreign(chapter));
    }
    world.commit("book", "another hand");
}

#[test]
fn every_fifth_chapter_brings_one_brief_in_one_commit() {
    let world = World::new();
    let book = world.demo_with(4);
    assert!(!has(&world, "quality"));
    let refused = world.novel(book, &["review", "--quality", "--lang", "en"]).fails(1);
    assert!(refused.stderr.contains("no quality brief yet"), "{refused:#?}");
    let run = world.novel(book, &["--lang", "en", "continue", "2"]);
    assert!(run.stderr.contains("quality brief  ch 1–5"), "{run:#?}");
    let _ = run.ok();
    assert_eq!(kinds(&world, 3), ["chapter", "quality", "chapter"]);
    let shown = world.git(book, &["show", "--stat=120", "--format=%B", "HEAD~1"]).ok();
    assert!(shown.starts_with("quality: ch-001 to ch-005") && shown.contains("Novel-Chapters: 1..5"), "{shown}");
    assert!(shown.contains("1 file changed"), "{shown}");
    let brief = read(&world, FIRST);
    assert_eq!((&brief["first_chapter"], &brief["last_chapter"]), (&json!(1), &json!(5)));
    assert_eq!(brief["chapters"].as_array().unwrap().len(), 5);
    assert_eq!(brief["style"].as_array().unwrap().len(), 12);
    // The offline writer's verdict is no reading.
    assert_eq!((&brief["mean_score"], &brief["drift"]["file"]), (&Value::Null, &json!("absent")));
    let _ = world.novel(book, &["doctor"]).ok();
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    world.check(book);
}

#[test]
fn a_run_that_died_before_the_brief_leaves_it_to_the_next() {
    for point in ["txn.before_objects#2", "txn.after_cas#2", "txn.end"] {
        let world = World::new();
        let book = world.demo_with(4);
        world.dies(book, &["continue"], point);
        let _ = world.novel(book, &["continue"]).ok();
        assert_eq!(kinds(&world, 3), ["quality", "chapter", "chapter"], "{point}");
        let briefs = world.git(book, &["log", "--format=%H", "--", "quality"]).ok();
        assert_eq!(briefs.lines().count(), 1, "{point}");
        assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "", "{point}");
        world.check(book);
    }
}

#[test]
fn a_brief_goes_and_comes_with_its_chapters() {
    let world = World::new();
    let book = world.demo_with(5);
    let written = world.read(&format!("book/{FIRST}"));
    let _ = world.novel(book, &["undo"]).ok();
    assert!(!has(&world, FIRST) && !has(&world, "chapters/vol-01/chapter-005.md"), "the brief is taken back with it");
    let _ = world.novel(book, &["redo"]).ok();
    assert!(!has(&world, FIRST) && has(&world, "chapters/vol-01/chapter-005.md"));
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(world.read(&format!("book/{FIRST}")), written, "the same chapters have the same brief");
    for exact in [&["rollback", "3", "--yes"][..], &["rollback", "3", "--yes", "--exact"]] {
        let _ = world.novel(book, exact);
        assert!(!has(&world, FIRST), "{exact:?}");
        let _ = world.novel(book, &["continue", "2"]).ok();
        assert!(has(&world, FIRST), "{exact:?}");
    }
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn a_brief_tells_which_chapters_have_changed_since_and_a_lost_one_comes_back() {
    let world = World::new();
    let book = world.demo_with(5);
    let path = "book/chapters/vol-01/chapter-003.md";
    world.write(path, &world.read(path).replacen('。', "！", 2));
    world.commit(book, "mine");
    let report = world.novel(book, &["review", "--quality", "--json"]).json();
    assert_eq!((&report["changed"], &report["brief"]["last_chapter"]), (&json!([3]), &json!(5)));
    assert_eq!(report["briefs"][0]["last"], 5);
    let text = world.novel(book, &["review", "--quality", "2", "--lang", "zh"]).ok();
    assert!(text.contains("质量简报  第 1–5 章") && text.contains("简报之后又改过：第 3 章"), "{text}");
    let _ = world.novel(book, &["review", "--quality", "6"]).fails(1);
    let _ = world.git(book, &["rm", "-q", FIRST]).ok();
    world.commit(book, "without the brief");
    let _ = world.novel(book, &["continue"]).ok();
    assert!(has(&world, FIRST));
}

#[test]
fn a_style_that_moves_away_is_corrected_until_it_is_back() {
    let world = World::new();
    let book = long(&world);
    overwrite(&world, 16..=19);
    let run = world.novel(book, &["--lang", "zh", "continue"]);
    assert!(run.stderr.contains("文风与之前各章不同"), "{run:#?}");
    let drift = read(&world, "style-drift.json");
    assert_eq!(drift["detected_chapter"], 20);
    let corrections = drift["corrections"].as_array().unwrap();
    assert!(corrections.iter().any(|line| line.as_str().unwrap().starts_with("句子变短了")), "{drift:#}");
    let brief = read(&world, "quality/vol-01/chapter-020-quality.json");
    assert_eq!((&brief["drift"]["file"], &brief["drift"]["alarm"]), (&json!("written"), &json!(true)));
    let one = world.git(book, &["show", "--name-only", "--format=", "HEAD"]).ok();
    assert_eq!(one.lines().collect::<Vec<_>>(), ["quality/vol-01/chapter-020-quality.json", "style-drift.json"]);
    let status = world.novel(book, &["status", "--json"]).json();
    assert_eq!(status["style"]["corrected_since"], 20);
    // The next five are the demo's own again.
    let _ = world.novel(book, &["continue", "5"]).ok();
    assert!(!has(&world, "style-drift.json"));
    let brief = read(&world, "quality/vol-01/chapter-025-quality.json");
    assert_eq!((&brief["drift"]["file"], &brief["drift"]["against_last"]), (&json!("removed"), &json!(15)));
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
}

#[test]
fn the_authors_word_on_the_corrections_stands() {
    let world = World::new();
    let book = long(&world);
    overwrite(&world, 16..=19);
    let _ = world.novel(book, &["continue"]).ok();
    world.copy(book, "other");
    // Edited: they stay, also when the style is back.
    let mine = world.read("book/style-drift.json").replace("句子变短了", "我要的：句子变短了");
    world.write("book/style-drift.json", &mine);
    let _ = world.novel(book, &["continue", "5"]).ok();
    assert_eq!(world.read("book/style-drift.json"), mine);
    assert_eq!(read(&world, "quality/vol-01/chapter-025-quality.json")["drift"]["file"], "kept");
    // Taken away: they do not come back while the same drift goes on.
    std::fs::remove_file(world.path("other/style-drift.json")).unwrap();
    let _ = world.novel("other", &["continue", "4"]).ok();
    for chapter in 21..=24 {
        world.write(&format!("other/chapters/vol-01/chapter-{chapter:03}.md"), &foreign(chapter));
    }
    world.commit("other", "another hand again");
    let _ = world.novel("other", &["continue"]).ok();
    assert!(!world.path("other/style-drift.json").exists());
    let brief: Value = serde_json::from_str(&world.read("other/quality/vol-01/chapter-025-quality.json")).unwrap();
    assert_eq!((&brief["drift"]["file"], &brief["drift"]["alarm"]), (&json!("dismissed"), &json!(true)));
}

#[test]
fn a_style_drawn_from_the_first_chapters_is_measured_again_at_the_twentieth() {
    let world = World::new();
    let book = long(&world);
    let _ = world.novel(book, &["style", "extract", "1-2"]).ok();
    let before = read(&world, "style-profile.json");
    let _ = world.novel(book, &["continue"]).ok();
    let files = world.git(book, &["show", "--name-only", "--format=%s", "HEAD"]).ok();
    assert!(files.starts_with("quality: ") && files.contains("style-profile.json"), "{files}");
    let after = read(&world, "style-profile.json");
    assert_ne!(before["measured"], after["measured"]);
    assert_eq!(before["writing_directives"], after["writing_directives"], "its directives stay");

    // An author who has set a figure keeps it.
    let _ = world.novel(book, &["rollback", "ch-019", "--yes"]).ok();
    let mut own = before.clone();
    own["avg_sentence_length"] = serde_json::json!(31.5);
    world.write("book/style-profile.json", &format!("{own:#}\n"));
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(read(&world, "style-profile.json")["avg_sentence_length"], 31.5);
}

#[test]
fn every_tenth_chapter_brings_the_inventory_of_plot_threads() {
    let world = World::new();
    let book = long(&world);
    let file = |n: u32| read(&world, &format!("quality/vol-01/chapter-{n:03}-quality.json"));
    assert!(file(5).get("foreshadowing").is_none() && file(15).get("foreshadowing").is_none());
    let threads = file(10)["foreshadowing"].as_array().unwrap().clone();
    assert!(threads.iter().all(|thread| thread["id"].is_string() && thread["standing"].is_string()), "{threads:?}");
    let told = world.novel(book, &["continue", "--lang", "zh"]);
    let open = file(20)["foreshadowing"].as_array().unwrap().len();
    let line = format!("伏笔盘点  未收 {open} 条（查看：novel foreshadow）");
    let shown = world.novel(book, &["review", "--quality", "--lang", "zh"]).ok();
    assert!(open > 0 && (told.stdout.contains(&line) || told.stderr.contains(&line)), "{told:#?}");
    assert!(shown.contains(&line), "{shown}");
}

#[test]
fn a_phrase_that_the_author_bans_is_shown_to_the_writer() {
    let world = World::new();
    let book = world.demo_with(6);
    let prompt = || world.novel(book, &["context", "7", "--prompt"]).ok();
    assert!(!prompt().contains("不由得打了个寒噤"), "it is not on the list");
    let mut list: Value = serde_json::from_str(&world.read("book/ai-blacklist.json")).unwrap();
    list["caps"]["不由得打了个寒噤"] = json!(0);
    world.write("book/ai-blacklist.json", &format!("{list:#}\n"));
    world.commit(book, "a ban");
    assert!(prompt().contains("不由得打了个寒噤（不用）"), "{}", prompt());
}
