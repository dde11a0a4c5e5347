//! The border between one volume and the next, and questions that wait for the author while chapters are written.

use crate::common::World;
use serde_json::Value;

fn section(chapter: u32) -> String {
    format!(
        "\n## 第{chapter}章 渡口第{chapter}夜\n\n- 故事线: main-arc\n- 视角: 沈渡\n- 地点: 北渡口\n- 冲突: 船票对不上舱单\n\
         - 人物弧光: 从只认票到开始认人\n- 伏笔: 无\n- 状态变化: 沈渡到了北渡口\n"
    )
}

fn outline(first: u32, last: u32) -> String {
    format!("# 一卷\n{}", (first..=last).map(section).collect::<String>())
}

/// A book with an outline of the author's own, chapters 1 to `last`.
fn planned(world: &World, last: u32) -> &'static str {
    world.write("outline.md", &outline(1, last));
    let args = ["init", "book", "--protagonist", "沈渡", "--outline", "outline.md", "--words", "300-500", "--offline"];
    let _ = world.novel("", &args).ok();
    "book"
}

fn json(world: &World, path: &str) -> Value {
    serde_json::from_str(&world.read(path)).unwrap()
}

#[test]
fn no_volume_begins_before_the_one_before_it_is_reviewed() {
    let world = World::new();
    let book = planned(&world, 2);
    world.write("book/volumes/vol-02/outline.md", &outline(3, 4));
    let stopped = world.novel(book, &["--lang", "en", "continue", "4"]).fails(3);
    assert!(stopped.stderr.contains("vol-01 is written but not reviewed yet"), "{stopped:#?}");
    assert!(
        stopped.stderr.contains("`novel review vol-01`") && stopped.stderr.contains("`novel start`"),
        "{stopped:#?}"
    );
    assert!(world.subjects(book)[0].starts_with("ch-002: "), "both chapters of the volume are written");
    // No way round: by number, to a chapter, to the volume's end, by a plan.
    for line in [&["write", "3"][..], &["continue", "--to", "ch-4"], &["continue", "--volume"]] {
        let refused = world.novel(book, line).fails(3);
        assert!(refused.stderr.contains("novel review vol-01"), "{line:?}: {refused:#?}");
    }
    assert!(world.git(book, &["for-each-ref", "refs/heads/draft"]).ok().is_empty(), "nothing was begun");
    let _ = world.novel(book, &["review", "vol-01"]).ok();
    assert_eq!(json(&world, "book/volumes/vol-01/progress.json")["last_chapter"], 2);
    let _ = world.novel(book, &["continue"]).ok();
    // Back into the first volume: its review is gone with the chapter, and asked for again.
    let _ = world.novel(book, &["rollback", "ch-001", "--yes"]).ok();
    let again = world.novel(book, &["continue", "3"]).fails(3);
    assert!(again.stderr.contains("novel review vol-01"), "{again:#?}");
    assert!(world.subjects(book)[0].starts_with("ch-002: "));
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn a_volume_that_grew_after_its_review_is_reviewed_again() {
    let world = World::new();
    let book = planned(&world, 2);
    let _ = world.novel(book, &["continue", "2"]).ok();
    let _ = world.novel(book, &["review"]).ok();
    world.write("book/volumes/vol-01/outline.md", &outline(1, 3));
    let _ = world.novel(book, &["continue"]).ok();
    let refused = world.novel(book, &["plan", "make", "--chapters", "4"]).fails(3);
    assert!(refused.stderr.contains("novel review vol-01"), "{refused:#?}");
    let _ = world.novel(book, &["review"]).ok();
    assert_eq!(json(&world, "book/volumes/vol-01/progress.json")["last_chapter"], 3);
    assert!(world.read("book/volumes/vol-01/review.md").contains("写成 3 章"));
    let _ = world.novel(book, &["plan", "make", "--chapters", "4"]).fails(3);
    // A review that the author has written by hand counts.
    let _ = world.novel(book, &["plan", "reject"]).ok();
    std::fs::remove_file(world.path("book/volumes/vol-01/progress.json")).unwrap();
    world.write("book/volumes/vol-01/review.md", "# 我的回顾\n");
    let _ = world.novel(book, &["plan", "make", "--chapters", "4"]).fails(3);
}

#[test]
fn writing_on_while_a_plan_waits_points_to_its_approval() {
    let world = World::new();
    let book = planned(&world, 2);
    let _ = world.novel(book, &["continue", "2"]).ok();
    let _ = world.novel(book, &["review"]).ok();
    let _ = world.novel(book, &["plan", "make", "--chapters", "4"]).fails(3);
    for (lang, said) in [("zh", "vol-02 的计划等你批准"), ("en", "the plan of vol-02 awaits your approval")] {
        let stopped = world.novel(book, &["--lang", lang, "continue"]).fails(3);
        assert!(stopped.stderr.contains(said) && stopped.stderr.contains("`novel plan approve`"), "{stopped:#?}");
    }
    let stopped = world.novel(book, &["write", "3"]).fails(3);
    assert!(stopped.stderr.contains("novel plan approve"), "{stopped:#?}");
    let _ = world.novel(book, &["plan", "approve"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
}

#[test]
fn undoing_the_word_to_plan_the_next_volume_takes_its_draft_along() {
    let world = World::new();
    let book = planned(&world, 4);
    let _ = world.novel(book, &["continue", "4"]).ok();
    let _ = world.novel(book, &["review"]).ok();
    let _ = world.novel(book, &["start", "--answer", "next-volume", "--chapters", "4"]).fails(3);
    let path = "book/staging/volumes/vol-02/outline.md";
    let mine = world.read(path).replacen("- 冲突: ", "- 冲突: 先说清楚，", 1);
    world.write(path, &mine);
    let undone = world.novel(book, &["undo"]);
    assert!(undone.stderr.contains("the draft of vol-02 was put aside"), "{undone:#?}");
    assert!(!world.path(path).exists());
    assert!(world.git(book, &["for-each-ref", "refs/novel/kept/vol-02"]).ok().contains("vol-02/"));
    let status = world.novel(book, &["status", "--json"]).json();
    assert!(status["pending"][0].as_str().unwrap().contains("how to continue after vol-01"), "{status}");
    let redone = world.novel(book, &["redo"]);
    assert!(redone.stderr.contains("the draft of vol-02 was reopened"), "{redone:#?}");
    assert_eq!(world.read(path), mine, "with what the author was about to change");
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn another_number_of_chapters_is_another_schedule() {
    let world = World::new();
    let book = planned(&world, 4);
    let _ = world.novel(book, &["continue", "4"]).ok();
    let _ = world.novel(book, &["review"]).ok();
    let _ = world.novel(book, &["plan", "make", "--chapters", "12"]).fails(3);
    let path = "book/staging/volumes/vol-02/storyline-schedule.json";
    let targets = || -> Vec<u64> {
        let schedule = json(&world, path);
        let lines = schedule["active_storylines"].as_array().unwrap().clone();
        lines.iter().map(|line| line["target_chapters"].as_u64().unwrap()).collect()
    };
    let before = targets();
    let sum: u64 = before.iter().sum();
    assert!(sum > 0, "{before:?}");
    for chapters in ["20", "6"] {
        let _ = world.novel(book, &["plan", "resize", chapters]).fails(3);
        let now = targets();
        assert_eq!(now.iter().sum::<u64>(), chapters.parse::<u64>().unwrap(), "{before:?} {now:?}");
        assert!(now.iter().all(|share| *share > 0), "{now:?}");
    }
    for meeting in json(&world, path)["convergence_events"].as_array().unwrap() {
        assert!(meeting["chapter_range"][1].as_u64().unwrap() <= 10, "{meeting}");
    }
    let shown = world.novel(book, &["plan", "--json"]).fails(3).json();
    assert_eq!(shown["data"]["flaws"], serde_json::json!([]), "{shown}");
    let _ = world.novel(book, &["plan", "approve"]).ok();
}

#[test]
fn an_edit_in_staging_answers_the_question_of_a_paused_chapter() {
    let world = World::new();
    let book = planned(&world, 2);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-001): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["continue"]).fails(3);
    let path = "book/staging/chapters/vol-01/chapter-001.md";
    let before = world.read("book/brief.md");
    world.write("book/brief.md", &before.replace("离线评分(ch-001): 2.4\n", ""));
    let mine = format!("{}\n沈渡把灯挂上船头，没有再问。\n", world.read(path).trim_end());
    world.write(path, &mine);
    let done = world.novel(book, &["--lang", "en", "continue"]);
    assert!(done.stderr.contains("contains your edits: they become the text of ch-001"), "{done:#?}");
    let _ = done.ok();
    assert!(world.read("book/chapters/vol-01/chapter-001.md").contains("没有再问。"));
    assert!(world.subjects(book)[0].starts_with("ch-001: "));
    world.check(book);
}
