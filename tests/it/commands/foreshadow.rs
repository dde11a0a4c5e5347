//! `novel foreshadow`: the inventory, the chart, one foreshadowing, and what the writer is told of it.

use crate::common::World;
use serde_json::{Value, json};

const LEDGER: &str = "book/foreshadowing/global.json";

/// Changes the ledger's file, as an author would.
fn edit(world: &World, change: impl FnOnce(&mut Vec<Value>)) {
    let mut ledger: Value = serde_json::from_str(&world.read(LEDGER)).unwrap();
    change(ledger["foreshadowing"].as_array_mut().unwrap());
    world.write(LEDGER, &format!("{ledger:#}\n"));
}

fn of<'v>(list: &'v mut [Value], id: &str) -> &'v mut Value {
    list.iter_mut().find(|entry| entry["id"] == id).unwrap()
}

fn json_of(world: &World, args: &[&str]) -> Value {
    let run = world.novel("book", &[&["foreshadow", "--json"], args].concat());
    assert_eq!(run.code, 0, "{run:#?}");
    run.json()
}

fn entry<'v>(report: &'v Value, id: &str) -> &'v Value {
    report["foreshadowing"].as_array().unwrap().iter().find(|entry| entry["id"] == id).unwrap()
}

/// A demo book with an overdue one, one that is resolved before it is planted, and one that no plan knows.
fn troubled(world: &World) {
    let _ = world.demo_with(5);
    edit(world, |entries| {
        of(entries, "yellow_boot")["target_resolve_range"] = json!([3, 4]);
        let backwards = of(entries, "rule_seven");
        backwards["planted_chapter"] = json!(3);
        backwards["status"] = json!("resolved");
        backwards["history"] = json!([
            {"chapter": 3, "action": "planted", "detail": "守则第七条"},
            {"chapter": 2, "action": "resolved", "detail": "背面有字"},
        ]);
        let mut stray = of(entries, "last_train_voice").clone();
        stray["id"] = json!("night_voice");
        entries.push(stray);
    });
}

#[test]
fn the_inventory_lists_the_most_urgent_first_and_says_what_can_be_done() {
    let world = World::new().with("COLUMNS", "200");
    troubled(&world);
    let zh = world.novel("book", &["--lang", "zh", "foreshadow"]).ok();
    assert!(zh.starts_with("未收 7 条，其中核心 2 条；超期 1 条；该收 1 条；已回收 1 条（用 --all 列出）\n"), "{zh}");
    let first = zh.lines().nth(2).unwrap();
    assert!(first.starts_with("yellow_boot ") && first.ends_with("超期"), "{zh}");
    for part in [
        "  ch-006  yellow_boot ",
        "最迟应在第 4 章回收，已超期",
        "`rule_seven` 在 ch-002 已回收，到 ch-003 才埋设：`novel foreshadow rule_seven` 查看每一步",
        "`night_voice` 在 ch-001 埋设，大纲和计划里却都没有",
        "`last_train_voice` 和 `night_voice` 的说明相同",
    ] {
        assert!(zh.contains(part), "{part} in {zh}");
    }
    assert!(!zh.contains("\nrule_seven "), "{zh}");
    let en = world.novel("book", &["--lang", "en", "foreshadow", "--all"]).ok();
    for part in [
        "7 open, 2 of them core; 1 overdue; 1 due; 1 resolved\n",
        "its window ended with chapter 4",
        "`rule_seven` is resolved in ch-002 but planted only in ch-003",
        "`novel write ch-002 --force`",
        "\nrule_seven ",
    ] {
        assert!(en.contains(part), "{part} in {en}");
    }
    let narrow = World::new().with("COLUMNS", "80");
    let _ = narrow.demo_with(2);
    let table = narrow.novel("book", &["--lang", "zh", "foreshadow"]).ok();
    assert!(table.contains('…'), "{table}");
    // The details of what comes next go on below, in their own column.
    let (_, agenda) = table.split_once("接下来").unwrap();
    let tasks = agenda.lines().skip(1).take_while(|line| line.starts_with("  ch-") || line.starts_with("          "));
    assert!(tasks.clone().any(|line| line.starts_with("          ")), "{table}");
    assert!(tasks.map(novel::report::table::width).all(|columns| columns <= 80), "{table}");
}

#[test]
fn json_has_everything() {
    let world = World::new();
    troubled(&world);
    let report = json_of(&world, &[]);
    assert_eq!((&report["volume"], &report["last_completed"]), (&json!(1), &json!(5)));
    let boot = entry(&report, "yellow_boot");
    assert_eq!(
        (&boot["standing"], &boot["core"], &boot["window"], &boot["planted"], &boot["last_touched"]),
        (&json!("overdue"), &json!(false), &json!([3, 4]), &json!(2), &json!(4))
    );
    assert_eq!(boot["history"][0]["action"], "planted");
    assert_eq!(boot["ahead"][0]["chapter"], 6);
    assert_eq!(entry(&report, "rule_seven")["standing"], "resolved");
    let findings: Vec<(&Value, &Value)> =
        report["findings"].as_array().unwrap().iter().map(|found| (&found["finding"], &found["id"])).collect();
    let wanted = [
        ("before-planting", "rule_seven"),
        ("outside-window", "rule_seven"),
        ("never-planned", "night_voice"),
        ("same-description", "last_train_voice"),
    ];
    let wanted: Vec<(Value, Value)> = wanted.iter().map(|(kind, id)| (json!(kind), json!(id))).collect();
    assert_eq!(findings, wanted.iter().map(|(kind, id)| (kind, id)).collect::<Vec<_>>());
    let first = &report["tasks"][0];
    assert_eq!(
        (&first["chapter"], &first["id"], &first["action"], &first["reason"], &first["planned"]),
        (&json!(6), &json!("yellow_boot"), &json!("resolved"), &json!("late"), &json!(true))
    );
    // The chart has the same document.
    assert_eq!(json_of(&world, &["--timeline"]), report);
}

#[test]
fn the_chart_has_a_row_for_each_one() {
    let world = World::new().with("COLUMNS", "72");
    troubled(&world);
    insta::assert_snapshot!(
        "timeline",
        world.novel("book", &["--lang", "en", "foreshadow", "--timeline", "--all"]).ok()
    );
    insta::assert_snapshot!("timeline-zh", world.novel("book", &["--lang", "zh", "foreshadow", "--timeline"]).ok());
}

#[test]
fn one_foreshadowing_is_told_from_its_planting_to_its_planned_end() {
    let world = World::new();
    let book = world.demo_with(5);
    let zh = world.novel(book, &["--lang", "zh", "foreshadow", "yellow_boot"]).ok();
    assert!(zh.starts_with("yellow_boot  该收（普通）\n"), "{zh}");
    assert!(zh.contains("应在第 5–7 章回收") && zh.contains("\nch-006  回收（计划）"), "{zh}");
    let told = world.novel(book, &["foreshadow", "yellow_boot", "--json"]).ok();
    let told: Value = serde_json::from_str(&told).unwrap();
    for step in told["history"].as_array().unwrap() {
        let chapter = step["chapter"].as_u64().unwrap();
        let tag = world.git(book, &["rev-parse", &format!("ch-{chapter:03}")]).ok();
        assert_eq!(step["commit"], tag.trim());
        let text = world.read(&format!("book/chapters/vol-01/chapter-{chapter:03}.md"));
        // The offline writer tells a step in words of its own, so a sentence with the plan's words may not be there.
        assert!(step["sentence"].as_str().is_none_or(|sentence| text.contains(sentence)), "{step}");
    }
    let unknown = world.novel(book, &["--lang", "en", "foreshadow", "yellow_boat"]).fails(1);
    assert!(unknown.stderr.contains("`yellow_boot`"), "{unknown:#?}");
    let _ = world.novel(book, &["foreshadow", "yellow_boot", "--all"]).fails(2);
}

#[test]
fn a_book_without_foreshadowing_says_how_to_begin() {
    let world = World::new();
    let _ = world.novel("", &["init", world.path("book").to_str().unwrap(), "--offline"]).ok();
    let zh = world.novel("book", &["--lang", "zh", "foreshadow"]).ok();
    assert!(zh.contains("埋设 old_map") && zh.contains("novel plan make"), "{zh}");
    let en = world.novel("book", &["--lang", "en", "foreshadow", "--timeline"]).ok();
    assert!(en.starts_with("No plot threads to list."), "{en}");
    assert_eq!(json_of(&world, &[])["foreshadowing"], json!([]));
}

/// An entry of the ledger that no plan knows.
fn bell(scope: &str, window: &Value) -> Value {
    json!({
        "id": "buried_bell", "description": "井里有一口钟", "scope": scope, "status": "planted", "planted_chapter": 1,
        "planted_storyline": "main-arc", "target_resolve_range": window, "last_updated_chapter": 1,
        "history": [{"chapter": 1, "action": "planted", "detail": "井里有一口钟"}]
    })
}

/// A book in its second volume, whose outline does not know a core foreshadowing of the first.
fn second_volume(world: &World) -> u64 {
    let book = world.path("book");
    let _ = world.novel("", &["demo", book.to_str().unwrap(), "--volumes", "2", "--chapters", "8"]).ok();
    let volume = json_of(world, &[])["volume"].as_u64().unwrap();
    edit(world, |entries| entries.push(bell("long", &Value::Null)));
    volume
}

#[test]
fn a_core_one_that_the_volume_neither_touches_nor_plans_is_neglected() {
    let world = World::new();
    assert_eq!(second_volume(&world), 2);
    let report = json_of(&world, &["--all"]);
    let bell = entry(&report, "buried_bell");
    assert_eq!(
        (&bell["standing"], &bell["neglected"], &bell["core"]),
        (&json!("neglected"), &json!("volume"), &json!(true))
    );
    let task = report["tasks"].as_array().unwrap().iter().find(|task| task["id"] == "buried_bell").unwrap();
    assert_eq!(
        (&task["chapter"], &task["action"], &task["reason"], &task["planned"]),
        (&json!(9), &json!("advanced"), &json!("neglected"), &json!(false))
    );
}

#[test]
fn the_writer_is_told_what_its_chapter_should_do_and_by_when() {
    let world = World::new();
    troubled(&world);
    edit(&world, |entries| entries.push(bell("short", &json!([3, 5]))));
    let outline = world.read("book/volumes/vol-01/outline.md");
    let line = outline.lines().find(|line| line.contains("回收 yellow_boot")).unwrap();
    let kept: Vec<&str> = line.split('；').filter(|part| !part.contains("yellow_boot")).collect();
    let field = kept.join("；");
    let field = if field.starts_with("- ") { field } else { format!("- 伏笔: {field}") };
    world.write("book/volumes/vol-01/outline.md", &outline.replace(line, &field));
    let _ = world.git("book", &["add", "-A"]).ok();
    world.commit("book", "黄雨靴先不收");
    let prompt = world.novel("book", &["context", "6", "--agent", "writer", "--prompt"]).ok();
    let block = prompt.split("<伏笔>").nth(1).unwrap().split("</伏笔>").next().unwrap();
    assert!(block.contains("own_handwriting：第1章埋下，最迟第8章回收，这一章推进：背面的字"), "{block}");
    let proposed =
        "章纲之外，合得上情节才做：\n- buried_bell：第1章埋下，原定最迟第5章回收，已经过了，这一章回收：井里有一口钟\n";
    assert!(block.contains(proposed), "{block}");
    // One of a line that the chapter must not touch is told as before, and not proposed.
    let overdue = block.split("已超期：\n").nth(1).unwrap();
    assert!(overdue.contains("yellow_boot") && overdue.contains("原定最迟第4章回收，已经过了"), "{block}");
}

#[test]
fn one_foreshadowing_is_found_by_a_part_of_its_description() {
    let world = World::new();
    let _ = world.demo_with(3);
    let report = json_of(&world, &[]);
    let description = entry(&report, "rule_seven")["description"].as_str().unwrap().to_owned();
    let part: String = description.chars().take(4).collect();
    let by_id = world.novel("book", &["foreshadow", "rule_seven"]).ok();
    assert_eq!(world.novel("book", &["foreshadow", &part]).ok(), by_id);
    assert_eq!(world.novel("book", &["foreshadow", &description]).ok(), by_id);
    edit(&world, |entries| {
        let mut twin = of(entries, "rule_seven").clone();
        twin["id"] = json!("rule_eight");
        entries.push(twin);
    });
    let several = world.novel("book", &["--lang", "en", "foreshadow", &part]).fails(2);
    assert!(several.stderr.contains("`rule_seven`") && several.stderr.contains("`rule_eight`"), "{several:#?}");
    let unknown = world.novel("book", &["--lang", "en", "foreshadow", "没有这一条"]).fails(1);
    assert!(unknown.stderr.contains("没有这一条"), "{unknown:#?}");
}
