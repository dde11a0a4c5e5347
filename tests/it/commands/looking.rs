//! Commands that only read: text for people in both languages, JSON for programs.

use crate::common::World;

/// Every command that reads, in a book of three chapters.
const READING: [&[&str]; 25] = [
    &["status"],
    &["log"],
    &["log", "1-2"],
    &["log", "--kind", "chapter", "-n", "1"],
    &["show", "ch-1"],
    &["show", "1", "--summary"],
    &["show", "1", "--evaluation"],
    &["show", "1", "--calls"],
    &["show", "1", "--delta"],
    &["show", "1", "--log"],
    &["show", "1", "--stage", "draft"],
    &["show", "HEAD"],
    &["diff", "ch-2"],
    &["diff", "ch-2", "--stage", "draft..refined"],
    &["diff", "ch-1", "ch-2", "--sentences"],
    &["diff", "HEAD~1", "HEAD", "--files"],
    &["context", "ch-1"],
    &["context", "ch-4", "--agent", "writer", "--breakdown"],
    &["search", "的", "--limit", "2"],
    &["cost"],
    &["cost", "--by", "stage"],
    &["cost", "--by", "model"],
    &["cost", "--by", "volume"],
    &["doctor"],
    &["rollback", "ch-1", "--dry-run"],
];

#[test]
fn reading_commands_answer_in_both_languages_and_in_json_and_change_nothing() {
    let world = World::new();
    let book = world.demo_with(3);
    let refs = |world: &World| world.git(book, &["for-each-ref"]).ok();
    let before = refs(&world);
    for args in READING {
        for lang in ["zh", "en"] {
            let text = world.novel(book, &[args, &["--lang", lang]].concat()).ok();
            assert!(!text.trim().is_empty() && !text.contains('\u{1b}'), "{args:?} {lang}: {text}");
        }
        let json = world.novel(book, &[args, &["--json"]].concat());
        assert_eq!((json.code, &json.json()["version"]), (0, &serde_json::json!(1)), "{args:?}");
        assert_eq!(json.stderr, "", "{args:?}");
    }
    assert_eq!(refs(&world), before);
    assert_eq!(world.git(book, &["status", "--porcelain", "--ignored"]).ok(), "");
}

#[test]
fn every_part_of_a_prompt_has_a_name_in_words() {
    let world = World::new();
    let book = world.demo_with(2);
    for agent in ["writer", "summarizer", "refiner", "judge"] {
        let table = world.novel(book, &["context", "2", "--agent", agent, "--breakdown", "--lang", "zh"]).ok();
        for row in table.lines().filter(|line| line.starts_with("  ")) {
            assert!(!row.trim_start().starts_with(|c: char| c.is_ascii_lowercase()), "{agent}: {row}");
        }
    }
}

#[test]
fn the_tokens_of_a_prompt_are_the_same_wherever_they_are_shown() {
    let world = World::new();
    let book = world.demo_with(2);
    let next = world.novel(book, &["continue", "--dry-run", "--json"]).fails(0).json();
    let shown = world.novel(book, &["context", "3", "--breakdown", "--json"]).fails(0).json();
    let parts = shown["parts"].as_array().unwrap().iter();
    let tokens: u64 = parts.map(|part| part["tokens"].as_u64().unwrap()).sum();
    assert_eq!(next["writer_tokens"], tokens);
}

#[test]
fn a_chapter_without_a_section_is_told_from_one_that_waits_its_turn() {
    let world = World::new();
    let book = world.demo_with(1);
    assert!(world.novel(book, &["context", "99"]).fails(3).stderr.contains("not planned"));
    assert!(world.novel(book, &["context", "5"]).fails(1).stderr.contains("not written yet"));
    assert!(world.novel(book, &["show", "5"]).fails(1).stderr.contains("ch-005"));
}

#[test]
fn a_stage_is_compared_with_another_and_unknown_ones_are_listed() {
    let world = World::new();
    let book = world.demo_with(2);
    let diff = world.novel(book, &["diff", "ch-2", "--stage", "draft..refined"]).ok();
    assert!(diff.contains("[-") && diff.contains("{+"), "{diff}");
    let unknown = world.novel(book, &["diff", "ch-2", "--stage", "draft..nope"]).fails(2);
    assert!(unknown.stderr.contains("refine"), "{unknown:#?}");
    let missing = world.novel(book, &["diff", "ch-2", "--stage", "draft..rewrite"]).fails(1);
    assert!(missing.stderr.contains("rewrite"), "{missing:#?}");
}

#[test]
fn in_chinese_stages_and_gates_are_chinese() {
    let world = World::new();
    let book = world.demo_with(2);
    let log = world.novel(book, &["log", "--lang", "zh"]).ok();
    assert!(log.contains("通过") && !log.contains("pass"), "{log}");
    let cost = world.novel(book, &["cost", "--by", "stage", "--lang", "zh"]).ok();
    assert!(cost.contains("起草") && !cost.contains("draft"), "{cost}");
    let plan = world.novel(book, &["continue", "--dry-run", "--lang", "zh"]).ok();
    assert!(plan.contains("起草") && plan.contains("写手") && !plan.contains("writer"), "{plan}");
}

#[test]
fn earlier_texts_of_a_chapter_are_found_behind_later_chapters_and_edits() {
    let world = World::new();
    let book = world.demo_with(3);
    let path = "book/chapters/vol-01/chapter-002.md";
    let first = world.read(path);
    let commit = world.git(book, &["rev-parse", "--short=10", "ch-002"]).ok();
    assert!(!world.novel(book, &["diff", "ch-2"]).ok().contains("ch-002 @"), "there is no earlier text");
    world.write(path, &format!("{first}\n又添了一句。\n"));
    world.commit(book, "by hand");
    let diff = world.novel(book, &["diff", "ch-2"]).ok();
    assert!(diff.contains("又添了一句") && diff.contains("ch-002 @"), "{diff}");
    // Other line endings are no other text.
    world.write(path, &first.replace('\n', "\r\n"));
    world.commit(book, "line endings");
    assert!(world.novel(book, &["diff", "ch-2"]).ok().contains("又添了一句"));
    let log = world.novel(book, &["log", "2"]).ok();
    assert!(log.contains(commit.trim()) && !log.contains("ch-003"), "{log}");
}

/// The columns that a text takes, by the width of Han characters.
fn widest(text: &str) -> usize {
    text.lines().map(novel::report::table::width).max().unwrap_or(0)
}

#[test]
fn no_row_of_a_table_is_wider_than_the_terminal() {
    let world = World::new().with("COLUMNS", "60");
    let book = world.demo_with(3);
    let tables: [&[&str]; 6] =
        [&["log"], &["foreshadow", "--all"], &["storyline", "list"], &["character", "list"], &["cost"], &["branch"]];
    for args in tables {
        for lang in ["zh", "en"] {
            let text = world.novel(book, &[args, &["--lang", lang]].concat()).ok();
            let table: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
            assert!(widest(&table.join("\n")) <= 60, "{args:?} {lang}:\n{text}");
        }
    }
    let log = world.novel(book, &["log", "--lang", "zh", "--kind", "chapter"]).ok();
    assert!(log.contains("ch-002: ") && log.contains("评分") && !log.contains("费用"), "{log}");
}

#[test]
fn a_volume_is_called_by_its_theme() {
    let world = World::new();
    let book = world.demo_with(3);
    let schedule: serde_json::Value =
        serde_json::from_str(&world.read("book/volumes/vol-01/storyline-schedule.json")).unwrap();
    let theme = schedule["theme"].as_str().or(schedule["volume_theme"].as_str()).unwrap();
    let by_number = world.novel(book, &["metrics", "--volume", "vol-1"]).ok();
    assert_eq!(world.novel(book, &["metrics", "--volume", theme]).ok(), by_number);
    let unknown = world.novel(book, &["--lang", "en", "metrics", "--volume", "ch-2"]).fails(2);
    assert!(unknown.stderr.contains("no such volume: `ch-2`") && unknown.stderr.contains("vol-2"), "{unknown:#?}");
}

#[test]
fn the_log_of_a_chinese_reader_is_chinese() {
    let world = World::new();
    let book = world.demo_with(3);
    let _ = world.novel(book, &["character", "retire", "葛望潮"]).ok();
    let _ = world.novel(book, &["rollback", "ch-002", "--yes"]).ok();
    let undone = world.novel(book, &["--lang", "zh", "undo"]).ok();
    assert!(undone.contains("已撤销「退回：ch-002」"), "{undone}");
    let log = world.novel(book, &["--lang", "zh", "log"]).ok();
    for part in ["撤销：退回：ch-002", "退场：葛望潮", "建书：", "ch-003: 黄雨靴"] {
        assert!(log.contains(part), "{part}: {log}");
    }
    for raw in ["retire", "rollback", "undo", "init"] {
        assert!(!log.contains(raw), "{raw}: {log}");
    }
    let document = world.novel(book, &["--lang", "zh", "log", "--json"]).json();
    assert_eq!(document["entries"][0]["subject"], "undo: rollback: ch-002", "programs read what the commit says");
}

#[test]
fn what_an_author_reads_in_chinese_is_chinese() {
    let world = World::new();
    let book = world.demo_with(3);
    let zh = |args: &[&str]| world.novel(book, &[args, &["--lang", "zh"]].concat()).ok();
    let diff = zh(&["diff", "ch-2", "--stage", "draft..refined"]);
    assert!(diff.starts_with("ch-002 起草 → ch-002 润色  "), "{diff}");
    let plan = zh(&["continue", "--dry-run"]);
    assert!(plan.contains("  写手：offline\n") && !plan.contains(": "), "{plan}");
    let why = zh(&["doctor", "--explain", "gap"]);
    assert!(why.starts_with("gap：章号"), "{why}");
    let back = zh(&["rollback", "1", "--yes"]);
    assert!(back.contains("（撤销：novel undo）") && !back.contains(" （"), "{back}");
    let wrong = world.novel(book, &["check", "3", "2", "--lang", "zh"]).fails(2).stderr;
    assert!(wrong.contains("ch-002 在 ch-003 之前"), "{wrong}");
}

#[test]
fn status_and_decide_ask_for_the_choice_between_candidates() {
    let world = World::new();
    let book = world.demo_with(1);
    let _ = world.novel(book, &["continue", "--candidates", "2", "--choose"]).fails(3);
    let status = world.novel(book, &["status", "--json"]).json();
    assert_eq!(status["next"], "novel decide", "{status:#}");
    assert_eq!(status["pending"], serde_json::json!(["which of the 2 candidates of ch-002 is taken"]));
    let _ = world.novel(book, &["decide"]).fails(3);
    let _ = world.novel(book, &["decide", "pick", "--candidate", "1"]).ok();
    assert_eq!(world.novel(book, &["status", "--json"]).json()["next"], "novel continue");
}

#[test]
fn what_two_chapters_do_to_the_state_is_said_in_words() {
    let world = World::new();
    let book = world.demo_with(2);
    let shown = world.novel(book, &["compare", "ch-001", "ch-002", "--lang", "zh"]).ok();
    assert!(shown.contains("闻小满的名称  闻小满 → 不变") && shown.contains("埋设：架上一把黑伞"), "{shown}");
    assert!(shown.contains("程既白对罗守拙的亲疏") && !shown.contains("characters."), "{shown}");
    assert!(!shown.contains("\n  ch-002"), "the headings name the chapters: {shown}");
    assert!(!shown.contains("set ") && !shown.contains("planted"), "{shown}");
    let json = world.novel(book, &["compare", "ch-001", "ch-002", "--json"]).json();
    let of = |path: &str| {
        let values = json["state"].as_array().unwrap();
        values.iter().find(|value| value["path"] == path).cloned().unwrap_or_default()
    };
    assert_eq!(of("characters.wen-xiaoman.display_name")["a"], "set 闻小满");
}

#[test]
fn names_stand_in_place_of_ids_unless_ids_are_asked_for() {
    let world = World::new();
    let book = world.demo_with(3);
    let has_id = |text: &str| ["main-arc", "W-00", "C-WEN", "OBJ-", "LS-00"].iter().any(|id| text.contains(id));
    for args in [&["plan", "show"][..], &["show", "2", "--evaluation"]] {
        for lang in ["zh", "en"] {
            let text = world.novel(book, &[args, &["--lang", lang]].concat()).ok();
            assert!(!has_id(&text), "{args:?}: {text}");
        }
        assert!(has_id(&world.novel(book, &[args, &["--ids"]].concat()).ok()), "{args:?}");
        let document = world.novel(book, &[args, &["--json"]].concat()).ok();
        assert!(has_id(&document), "{args:?}: {document}");
    }
    let rules = world.read("book/world/rules.json");
    world.write("book/world/rules.json", &rules.replacen("东西丢了", "东西一丢", 1));
    world.commit(book, "a rule");
    let changed = world.novel(book, &["impact", "--since", "ch-003", "--lang", "zh"]).stdout;
    assert!(changed.contains('“') && !has_id(&changed), "{changed}");
}
