//! Plans and chapters that the author changes midway, by hand or by `novel chapter`: nothing of the author's is lost, and each change is
//! told.

use super::rearranged::two_volumes;
use crate::common::World;
use serde_json::{Value, json};

fn book() -> World {
    let world = World::new();
    let _ = world.demo_with(5);
    world
}

fn at(n: u32) -> String {
    format!("chapters/vol-01/chapter-{n:03}.md")
}

fn text(world: &World, n: u32) -> String {
    world.read(&format!("book/{}", at(n)))
}

fn titles(world: &World) -> Vec<String> {
    let status = status(world);
    let chapters = status["chapters"].as_array().unwrap();
    chapters.iter().map(|chapter| chapter["title"].as_str().unwrap().to_owned()).collect()
}

fn status(world: &World) -> Value {
    world.novel("book", &["status", "--json"]).json()
}

fn contract(n: u32) -> String {
    format!("book/volumes/vol-01/chapter-contracts/chapter-{n:03}.json")
}

#[test]
fn a_volume_keeps_one_chapter() {
    let world = two_volumes();
    let _ = world.novel("book", &["chapter", "remove", "4"]).ok();
    let _ = world.novel("book", &["chapter", "remove", "4"]).ok();
    let head = world.subjects("book");
    for command in [&["remove", "4"][..], &["merge", "3"], &["move", "4", "1"]] {
        let refused = world.novel("book", &[&["--lang", "en", "chapter"], command].concat()).fails(1);
        assert!(
            refused.stderr.contains("vol-02") && refused.stderr.contains("novel chapter insert ch-004 --title"),
            "{refused:#?}"
        );
    }
    assert_eq!(world.subjects("book"), head);
    let _ = world.novel("book", &["doctor"]).ok();
    // The way that is named.
    world.write("night.md", "# 夜访\n\n门开着。屋里没有人。\n");
    let _ = world.novel("book", &["chapter", "insert", "ch-004", "--title", "夜访", "--file", "../night.md"]).ok();
    let _ = world.novel("book", &["chapter", "remove", "5"]).ok();
    assert_eq!(titles(&world), ["渡口第1夜", "渡口第2夜", "渡口第3夜", "夜访"]);
    world.check("book");
}

#[test]
fn an_inserted_section_says_what_it_has_from_its_neighbour() {
    let world = book();
    let outline = world.read("book/volumes/vol-01/outline.md");
    let sixth = outline.split("## 第").nth(6).unwrap();
    let field = |name: &str| {
        let line = sixth.lines().find(|line| line.contains(name)).unwrap();
        line.split_once([':', '：']).unwrap().1.trim().trim_start_matches('*').trim().to_owned()
    };
    let insert = ["chapter", "insert", "7", "--title", "夜访"];
    for dry_run in [true, false] {
        let insert = [&insert[..], if dry_run { &["--dry-run"] } else { &[] }].concat();
        let told = world.novel("book", &[&["--lang", "en"], &insert[..]].concat()).ok();
        assert!(told.contains(&field("视角")) && told.contains("volumes/vol-01/outline.md"), "{told}");
        if !dry_run {
            let _ = world.novel("book", &["undo"]).ok();
        }
        let told = world.novel("book", &[&insert[..], &["--json"]].concat());
        let told = told.json_lines().pop().unwrap();
        let taken = json!({
            "storyline": field("故事线"), "viewpoint": field("视角"), "place": field("地点"),
            "outline": "volumes/vol-01/outline.md",
        });
        assert_eq!(told["taken"], taken);
    }
    let told = world.novel("book", &["chapter", "move", "7", "8", "--json"]).json_lines().pop().unwrap();
    assert_eq!(told["taken"], Value::Null);
}

#[test]
fn a_split_that_is_merged_again_has_its_break_once() {
    let world = book();
    let whole_text = text(&world, 2);
    let breaks = whole_text.matches("* * *").count();
    assert!(breaks > 0, "{whole_text}");
    let (before, after) = whole_text.split_once("* * *").unwrap();
    let beginning: String = after.trim().chars().take(12).collect();
    let _ = world.novel("book", &["chapter", "split", "2", "--title", "后半", "--before", &beginning]).ok();
    assert_eq!(text(&world, 2).trim(), before.trim(), "no break at the end of a chapter");
    let _ = world.novel("book", &["chapter", "merge", "2"]).ok();
    assert_eq!(text(&world, 2).trim(), whole_text.trim());
}

#[test]
fn windows_of_plot_threads_have_the_chapters_that_resolve_them() {
    for (from, to) in [("8", "6"), ("6", "8"), ("7", "6")] {
        let world = book();
        let _ = world.novel("book", &["chapter", "move", from, to]).ok();
        let outline = world.read("book/volumes/vol-01/outline.md");
        let plan: Value = serde_json::from_str(&world.read("book/volumes/vol-01/foreshadowing.json")).unwrap();
        let mut resolved = 0;
        for (n, section) in outline.split("## 第").enumerate().skip(6) {
            for thread in plan["foreshadowing"].as_array().unwrap() {
                let task = format!("回收 {}：", thread["id"].as_str().unwrap());
                if section.contains(&task) {
                    let ends = thread["target_resolve_range"].as_array().unwrap();
                    let [first, last] = [0, 1].map(|end: usize| ends[end].as_u64().unwrap());
                    assert!((first..=last).contains(&(n as u64)), "{from} to {to}: ch {n}, {thread}");
                    resolved += 1;
                }
            }
        }
        assert!(resolved > 3, "{outline}");
        let _ = world.novel("book", &["doctor"]).ok();
    }
}

#[test]
fn merged_plans_keep_the_contracts_of_the_author_s_own() {
    let world = book();
    let mut demands = Vec::new();
    for n in [6, 7] {
        let mut own: Value = serde_json::from_str(&world.read(&contract(n))).unwrap();
        let objective = json!({
            "id": format!("OBJ-{n:03}-9"), "type": "plot", "required": true, "description": format!("第{n}夜的灯还亮着"),
        });
        own["objectives"].as_array_mut().unwrap().push(objective);
        let said =
            own["objectives"].as_array().unwrap().iter().map(|it| it["description"].as_str().unwrap().to_owned());
        demands.extend(said);
        world.write(&contract(n), &serde_json::to_string_pretty(&own).unwrap());
    }
    let _ = world.novel("book", &["chapter", "merge", "6"]).ok();
    let merged: Value = serde_json::from_str(&world.read(&contract(6))).unwrap();
    let objectives = merged["objectives"].as_array().unwrap();
    let said: Vec<&str> = objectives.iter().map(|objective| objective["description"].as_str().unwrap()).collect();
    assert_eq!(said, demands, "those of both contracts, as they were");
    for (n, objective) in (1..).zip(objectives) {
        assert_eq!(objective["id"], format!("OBJ-006-{n}"));
    }
    let _ = world.novel("book", &["continue"]).ok();
    world.check("book");
}

#[test]
fn two_files_of_one_chapter_are_found() {
    for committed in [false, true] {
        let world = two_volumes();
        world.write("book/chapters/vol-02/chapter-002.md", "# 第2章 另一稿\n\n门开着。\n");
        if committed {
            let _ = world.git("book", &["add", "chapters"]).ok();
            world.commit("book", "a second one");
        }
        let told = world.novel("book", &["--lang", "en", "doctor"]).ok();
        let said = "two files have one chapter number, and chapters/vol-01/chapter-002.md counts";
        assert!(told.contains(said) && told.contains("chapters/vol-02/chapter-002.md"), "{told}");
    }
}
