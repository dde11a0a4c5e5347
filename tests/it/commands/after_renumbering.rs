//! Going back, and bringing back, after chapters have got other numbers.

use crate::common::World;
use serde_json::{Value, json};

fn at(n: u32) -> String {
    format!("book/chapters/vol-01/chapter-{n:03}.md")
}

fn kept(world: &World) -> Vec<Value> {
    world.novel("book", &["restore", "--json"]).json()["kept"].as_array().unwrap().clone()
}

/// A book with five chapters, after a step that gives chapters other numbers.
fn book(step: &[&str]) -> World {
    let world = World::new();
    let _ = world.demo_with(5);
    world.write("night.md", "# 夜访\n\n门开着。屋里没有人。\n\n灯还亮着。\n");
    let _ = world.novel("book", &[&["chapter"], step].concat()).ok();
    world
}

const INSERT: [&str; 6] = ["insert", "2", "--title", "夜访", "--file", "../night.md"];

#[test]
fn chapters_that_leave_behind_a_renumbering_are_listed_and_come_back() {
    /// The step, a chapter edited before, the target, and the chapters that leave.
    type Case = (&'static [&'static str], Option<u32>, &'static str, &'static [u32]);
    let cases: [Case; 3] = [
        (&INSERT, None, "ch-003", &[4, 5, 6]),
        (&["move", "3", "5"], Some(3), "ch-004", &[5]),
        (&["split", "2", "--title", "后半", "--before", ""], None, "ch-003", &[4, 5, 6]),
    ];
    for (step, edited, to, leaving) in cases {
        let mut step: Vec<String> = step.iter().map(|word| (*word).to_owned()).collect();
        let world = World::new();
        let _ = world.demo_with(5);
        world.write("night.md", "# 夜访\n\n门开着。屋里没有人。\n\n灯还亮着。\n");
        if step.last().is_some_and(String::is_empty) {
            let text = world.read(&at(2));
            let paragraph = text.lines().filter(|line| !line.trim().is_empty()).nth(3).unwrap();
            *step.last_mut().unwrap() = paragraph.to_owned();
        }
        if let Some(edited) = edited {
            world.write(&at(edited), &(world.read(&at(edited)) + "\n他又看了一眼。\n"));
        }
        let step: Vec<&str> = ["chapter"].into_iter().chain(step.iter().map(String::as_str)).collect();
        let _ = world.novel("book", &step).ok();
        let (before, tree, text) = (world.tree("book"), kept(&world), world.read(&at(leaving[0])));
        let effect = world.novel("book", &["rollback", to, "--dry-run", "--json"]).json();
        assert_eq!(effect["chapters_leaving"], json!(leaving), "{step:?}");
        assert_eq!(effect["leaving"].as_array().unwrap().len(), leaving.len(), "{step:?}: {effect}");
        let told = world.novel("book", &["--lang", "zh", "rollback", to, "--dry-run"]).ok();
        assert!(told.contains("以上都保留在"), "{told}");
        let _ = world.novel("book", &["rollback", to, "--yes"]).ok();
        let list = kept(&world);
        assert_eq!(list.len(), tree.len() + 1, "{step:?}: {list:?}");
        assert_eq!((&list[0]["chapters"], &list[0]["why"]), (&json!(leaving), &json!("rolled-back")), "{step:?}");
        let _ = world.novel("book", &["doctor"]).ok();
        let first = format!("ch-{:03}", leaving[0]);
        let _ = world.novel("book", &["restore", &first]).ok();
        assert_eq!(world.read(&at(leaving[0])), text, "{step:?}");
        let _ = world.novel("book", &["undo"]).ok();
        let _ = world.novel("book", &["continue"]).ok();
        let left = list[0]["name"].as_str().unwrap();
        assert_eq!(kept(&world).iter().filter(|kept| kept["name"] == left).count(), 1, "{step:?}");
        let _ = world.novel("book", &["restore", left]).ok();
        assert_eq!(world.tree("book"), before, "{step:?}");
        assert!(kept(&world).iter().all(|kept| kept["name"] != left), "{step:?}: it is back");
        let _ = world.novel("book", &["undo"]).ok();
        assert!(kept(&world).iter().any(|kept| kept["name"] == left), "{step:?}: it has left again");
        world.check("book");
    }
}

#[test]
fn a_memory_ends_with_a_chapter_that_is_left() {
    let world = book(&INSERT);
    let memory = "storylines/main-arc/memory.md";
    let third = world.git("book", &["show", &format!("ch-004:{memory}")]).ok();
    let _ = world.novel("book", &["rollback", "ch-004", "--yes"]).ok();
    assert!(third.contains("第3章"), "{third}");
    assert_eq!(world.read(&format!("book/{memory}")), third.replace("第3章", "第4章"), "nothing of chapter 5");
    let _ = world.novel("book", &["doctor"]).ok();
}

#[test]
fn files_that_come_back_have_the_numbers_of_the_plans_that_stay() {
    for (step, to) in [(&["merge", "3"][..], "ch-002"), (&["remove", "4"], "ch-003")] {
        let world = book(step);
        let files = ["characters/active/qin-yuanshan.json", "characters/active/cheng-jibai.json"];
        let now = files.map(|file| world.read(&format!("book/{file}")));
        let ranges = |world: &World| {
            let ledger: Value = serde_json::from_str(&world.read("book/foreshadowing/global.json")).unwrap();
            let plan: Value = serde_json::from_str(&world.read("book/volumes/vol-01/foreshadowing.json")).unwrap();
            let of = |list: &Value| -> std::collections::BTreeMap<String, Value> {
                let list = list["foreshadowing"].as_array().unwrap();
                list.iter()
                    .map(|thread| (thread["id"].as_str().unwrap().to_owned(), thread["target_resolve_range"].clone()))
                    .collect()
            };
            (of(&ledger), of(&plan))
        };
        let _ = world.novel("book", &["rollback", to, "--yes"]).ok();
        assert_eq!(files.map(|file| world.read(&format!("book/{file}"))), now, "{step:?}");
        let (ledger, plan) = ranges(&world);
        assert!(
            !ledger.is_empty() && ledger.iter().all(|(id, range)| plan.get(id) == Some(range)),
            "{step:?}: {ledger:?} {plan:?}"
        );
        let _ = world.novel("book", &["doctor"]).ok();
        world.check("book");
        let _ = world.novel("book", &["undo"]).ok();
        // With its plans the book is as it was.
        let _ = world.novel("book", &["rollback", to, "--exact", "--yes"]).ok();
        let commit = world.git("book", &["log", "-1", "--format=%(trailers:key=Novel-To,valueonly)"]).ok();
        assert_eq!(world.git("book", &["diff", "--name-only", commit.trim(), "HEAD"]).ok(), "", "{step:?}");
    }
}

#[test]
fn a_text_that_is_replaced_is_kept_as_it_stood() {
    for insert in [true, false] {
        let world = if insert { book(&INSERT) } else { book(&["move", "2", "2"]) };
        let mut before = world.read(&at(5));
        before.push_str("\n我亲手写的结尾。\n");
        world.write(&at(5), &before);
        world.commit("book", "my ending");
        let _ = world.novel("book", &["write", "5", "--force"]).ok();
        assert!(!world.read(&at(5)).contains("我亲手写的结尾"));
        let list = kept(&world);
        assert_eq!(list.len(), 1, "{insert}: {list:?}");
        assert_eq!((&list[0]["chapters"], &list[0]["why"]), (&json!([5]), &json!("replaced")), "{list:?}");
        let name = list[0]["name"].as_str().unwrap();
        for name in [name, "ch-005"] {
            assert_eq!(world.novel("book", &["restore", name, "--print"]).ok(), before, "{insert} {name}");
        }
        let _ = world.novel("book", &["restore", "ch-005"]).ok();
        assert_eq!(world.read(&at(5)), before, "{insert}");
        let _ = world.novel("book", &["doctor"]).ok();
        world.check("book");
    }
}

#[test]
fn drafts_and_origins_of_facts_are_found_under_other_numbers() {
    let world = book(&INSERT);
    let then = world.novel("book", &["show", "5", "--calls"]).ok();
    assert!(then.contains("draft"), "{then}");
    let text = world.novel("book", &["show", "5", "--stage", "draft"]).ok();
    let title = world.read(&at(5)).lines().next().unwrap().to_owned();
    assert!(title.starts_with("# 第5章") && text.starts_with(&format!("{title}\n")), "{text}");
    let diff = world.novel("book", &["diff", "5", "--stage", "draft..summarize", "--json"]).json();
    assert_eq!(diff["old"]["words"], diff["new"]["words"]);
    let alone = world.novel("book", &["--lang", "en", "diff", "5"]).ok();
    assert!(alone.starts_with("ch-004 → ch-005"), "the former ch-005 is no earlier text of this one: {alone}");
    for fact in ["characters.wen-xiaoman.location", "yellow_boot"] {
        let blamed = world.novel("book", &["--lang", "en", "blame", fact]).ok();
        assert!(blamed.contains("recorded by the summarizer (offline), text by the writer (offline)"), "{blamed}");
    }
    let _ = world.novel("book", &["undo"]).ok();
    let text = world.novel("book", &["show", "4", "--stage", "draft"]).ok();
    assert!(text.starts_with("# 第4章"), "{text}");
}

#[test]
fn a_review_names_the_chapters_by_their_numbers_of_now() {
    let world = World::new();
    let _ = world.demo_with(8);
    let path = "book/volumes/vol-01/review.md";
    let _ = world.novel("book", &["review", "1"]);
    let before = world.read(path);
    assert!(before.contains("ch-001–ch-008"), "{before}");
    world.write("night.md", "# 夜访\n\n门开着。屋里没有人。\n\n灯还亮着。\n");
    let _ = world.novel("book", &[&["chapter"], &INSERT[..]].concat()).ok();
    let now = world.read(path);
    assert!(now.contains("ch-001–ch-009") && !now.contains("ch-008`"), "{now}");
}
