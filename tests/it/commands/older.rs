//! Books of an older program: they are read as they are, and brought to the present formats once, in a commit of its own.

use crate::common::World;
use serde_json::{Map, Value, json};

fn read(world: &World, path: &str) -> Value {
    serde_json::from_str(&world.read(&format!("book/{path}"))).unwrap()
}

/// A list of facts, or a map where there are rules, as the first format has conditions.
fn first_conditions(now: &Value) -> Value {
    match now["required_world_rules"].as_array() {
        Some(rules) if !rules.is_empty() => json!({"facts": now["facts"], "required_world_rules": rules}),
        _ => now["facts"].clone(),
    }
}

fn without(map: &mut Value, names: &[&str]) {
    names.iter().for_each(|name| drop(map.as_object_mut().map(|map| map.shift_remove(*name))));
}

/// A book with four of six chapters written, its files in the first formats.
fn older(world: &World) -> &'static str {
    let args =
        ["init", "book", "--title", "渡口", "--genre", "悬疑", "--protagonist", "沈渡，不会水的摆渡人", "--offline"];
    let _ = world.novel("", &[&args[..], &["--conflict", "一张对不上的舱单"]].concat()).ok();
    for step in [&["world", "update"][..], &["world", "theme"], &["character", "first", "沈渡，不会水的摆渡人"]]
    {
        let _ = world.novel("book", step).ok();
    }
    let _ = world.novel("book", &["plan", "make", "--chapters", "6"]).fails(3);
    let _ = world.novel("book", &["plan", "approve"]).ok();
    let _ = world.novel("book", &["continue", "4"]).ok();
    for path in world.git("book", &["ls-files", "*.json"]).ok().lines() {
        let mut file = read(world, path);
        match path {
            _ if path.contains("chapter-contracts") => {
                file["preconditions"] = first_conditions(&file["preconditions"]);
                file["postconditions"] = first_conditions(&file["postconditions"]);
                for objective in file["objectives"].as_array_mut().unwrap() {
                    without(objective, &["action", "target"]);
                }
                without(&mut file["storyline_context"], &["last_chapter_summary", "concurrent_state"]);
                let criteria = file["acceptance_criteria"].as_array_mut().unwrap();
                criteria.retain(|line| !line.as_str().unwrap().starts_with("守住"));
            }
            "storylines/storylines.json" => {
                without(&mut file, &["storyline_types"]);
                let lines = file["storylines"].as_array_mut().unwrap();
                lines.iter_mut().for_each(|line| without(line, &["introduced_volume"]));
            }
            "world/rules.json" => {
                let rules = file["rules"].as_array_mut().unwrap();
                rules.iter_mut().for_each(|rule| without(rule, &["last_verified"]));
            }
            "storylines/storyline-spec.json" => {}
            _ if path.ends_with("storyline-schedule.json") => without(&mut file, &["newly_activated"]),
            _ => continue,
        }
        file["schema_version"] = json!(1);
        if path.ends_with("chapter-005.json") {
            file["作者批注"] = json!({"看": [1.5]});
        }
        world.write(&format!("book/{path}"), &format!("{file:#}\n"));
    }
    let _ = world
        .git(
            "book",
            &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-a", "-m", "as an older program left it"],
        )
        .ok();
    "book"
}

fn log(world: &World, format: &str, count: usize) -> Vec<String> {
    let args = ["log", "--first-parent", &format!("-{count}"), &format!("--format={format}")];
    world.git("book", &args).ok().lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

const KIND: &str = "%(trailers:key=Novel-Kind,valueonly,separator=)";

#[test]
fn an_older_book_is_read_and_brought_up_in_one_commit_of_its_own() {
    let world = World::new();
    let book = older(&world);
    let before = read(&world, "volumes/vol-01/chapter-contracts/chapter-002.json");
    for command in [&["status"][..], &["context", "5"], &["doctor"], &["show", "ch-002"], &["impact"]] {
        let run = world.novel(book, command);
        assert_eq!(run.code, 0, "{command:?}: {run:#?}");
    }
    let head = world.git(book, &["rev-parse", "HEAD"]).ok();
    let run = world.novel(book, &["--lang", "en", "continue"]);
    assert!(run.stderr.contains("converted to the current format"), "{run:#?}");
    let _ = run.ok();
    assert_eq!(log(&world, KIND, 3), ["quality", "chapter", "migrate"]);
    assert_eq!(world.git(book, &["rev-parse", "HEAD~3"]).ok(), head);
    let shown = world.git(book, &["show", "--stat=200", "--format=%B", "HEAD~2"]).ok();
    assert!(shown.contains("Novel-Formats: 2") && shown.contains("chapter-contracts/chapter-006.json"), "{shown}");
    let touched: Vec<&str> = shown.lines().filter(|line| line.contains(" | ")).collect();
    assert_eq!(touched.len(), 10, "six contracts, the schedule, the storylines and two lists of rules: {shown}");
    for path in world.git(book, &["ls-files", "*.json"]).ok().lines().filter(|path| !path.starts_with("examples")) {
        let version = read(&world, path)["schema_version"].clone();
        let changed = ["chapter-contracts/", "schedule", "storylines.json", "-spec.json", "rules.json"];
        assert_eq!(version, if changed.iter().any(|name| path.contains(name)) { 2 } else { 1 }, "{path}");
    }
    // Old fields stay, fields that follow from them are filled, and the author's own field keeps its spelling.
    let after = read(&world, "volumes/vol-01/chapter-contracts/chapter-002.json");
    let facts = before["preconditions"].get("facts").unwrap_or(&before["preconditions"]);
    assert_eq!(
        (&after["preconditions"]["facts"], &after["acceptance_criteria"]),
        (facts, &before["acceptance_criteria"])
    );
    assert!(world.read("book/volumes/vol-01/chapter-contracts/chapter-005.json").contains("作者批注"));
    let storylines = read(&world, "storylines/storylines.json");
    assert!(
        storylines["storylines"].as_array().unwrap().iter().all(|line| line["introduced_volume"] == 1),
        "{storylines}"
    );
    let _ = world.novel(book, &["doctor"]).ok();
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    // Once.
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(log(&world, KIND, 4), ["chapter", "quality", "chapter", "migrate"]);
    let impact = world.novel(book, &["impact", "--json"]).json();
    assert_eq!(impact["changes"], json!([]), "a notation is no change: {impact}");
    world.check(book);
}

#[test]
fn undo_passes_over_a_migration() {
    let world = World::new();
    let book = older(&world);
    let _ = world.novel(book, &["continue"]).ok();
    let _ = world.novel(book, &["undo"]).ok();
    assert!(!world.path("book/chapters/vol-01/chapter-005.md").exists());
    let undone = world.novel(book, &["undo"]);
    assert!(undone.stdout.contains("as an older program left it") || undone.stdout.contains("hand"), "{undone:#?}");
    let _ = undone.ok();
    let _ = world.novel(book, &["redo"]).ok();
    let _ = world.novel(book, &["redo"]).ok();
    assert!(world.path("book/chapters/vol-01/chapter-005.md").exists());
    let _ = world.novel(book, &["continue"]).ok();
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn what_the_author_is_changing_is_not_migrated_over() {
    let world = World::new();
    let book = older(&world);
    let path = "book/volumes/vol-01/chapter-contracts/chapter-001.json";
    let mut own = read(&world, "volumes/vol-01/chapter-contracts/chapter-001.json");
    own["acceptance_criteria"] = json!(["我要的"]);
    world.write(path, &format!("{own:#}\n"));
    let _ = world.novel(book, &["continue"]).ok();
    assert!(world.read(path).contains("我要的"));
    let _ = world.novel(book, &["doctor"]).ok();
}

#[test]
fn a_file_that_says_no_version_is_the_author_s_and_stays() {
    let world = World::new();
    let book = older(&world);
    let _ = world.novel(book, &["continue"]).ok();
    let mut own = read(&world, "storylines/storylines.json");
    let mut bare: Map<String, Value> = own.as_object_mut().unwrap().clone();
    bare.shift_remove("schema_version");
    let text = format!("{:#}\n", Value::Object(bare));
    world.write("book/storylines/storylines.json", &text);
    let _ = world.novel(book, &["continue"]).ok();
    assert_eq!(world.read("book/storylines/storylines.json"), text);
    assert_eq!(log(&world, KIND, 4)[..2], ["chapter", "hand-edit"]);
}
