//! Plans and chapters that the author changes midway, by hand or by `novel chapter`: nothing of the author's is lost, and each change is
//! told.

use super::rearranged::{at, book, status, text, two_volumes};
use crate::common::World;
use serde_json::{Value, json};

fn body(text: &str) -> &str {
    text.split_once("\n\n").unwrap().1.trim()
}

fn titles(world: &World) -> Vec<String> {
    let status = status(world);
    let chapters = status["chapters"].as_array().unwrap();
    chapters.iter().map(|chapter| chapter["title"].as_str().unwrap().to_owned()).collect()
}

fn remove(world: &World, n: u32) {
    std::fs::remove_file(world.path(&format!("book/{}", at(n)))).unwrap();
}

/// The book is whole, and nothing waits in the folder.
#[track_caller]
fn whole(world: &World) {
    let doctor = world.novel("book", &["doctor", "--json"]).ok();
    assert_eq!(serde_json::from_str::<Value>(&doctor).unwrap()["next"], "novel status", "{doctor}");
    assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
    world.check("book");
}

#[test]
fn a_chapter_whose_file_is_gone_comes_back_or_leaves_with_its_records() {
    for committed in [false, true] {
        let world = book();
        let (before, third) = (titles(&world), text(&world, 3));
        remove(&world, 3);
        if committed {
            world.commit("book", "without the third night");
        }
        let told = status(&world);
        assert!(told["pending"].to_string().contains("novel chapter accept"), "{told}");
        assert_ne!(told["next"], "novel chapter accept", "the file may be gone by accident");
        let asked = world.novel("book", &["--lang", "en", "continue"]).fails(3);
        for way in ["novel doctor --repair", "novel chapter accept", "novel doctor --remove ch-003"] {
            assert!(asked.stderr.contains(way), "{committed}: {asked:#?}");
        }
        world.copy("book", "other");
        let _ = world.novel("other", &["doctor", "--repair"]).ok();
        assert_eq!(world.read("other/chapters/vol-01/chapter-003.md"), third);
        let preview = world.novel("book", &["chapter", "accept", "--dry-run", "--json"]).json();
        assert_eq!(preview["operation"], "remove 3");
        let _ = world.novel("book", &["chapter", "accept"]).ok();
        let left: Vec<String> = [0, 1, 3, 4].map(|n: usize| before[n].clone()).to_vec();
        assert_eq!(titles(&world), left, "{committed}");
        assert!(text(&world, 4).starts_with(&format!("# 第4章 {}", before[4])));
        assert_eq!(status(&world)["outdated"], json!([]));
        whole(&world);
        let _ = world.novel("book", &["continue"]).ok();
        assert_eq!(titles(&world).len(), 5);
    }
}

#[test]
fn the_last_chapter_is_left_out_without_going_behind_other_edits() {
    let world = book();
    world.write(&format!("book/{}", at(4)), &(text(&world, 4) + "\n他又看了一眼。\n"));
    remove(&world, 5);
    let asked = world.novel("book", &["--lang", "en", "continue"]).fails(3);
    assert!(asked.stderr.contains("novel doctor --remove ch-005") && !asked.stderr.contains("rollback"), "{asked:#?}");
    let _ = world.novel("book", &["doctor", "--remove", "5"]).ok();
    assert!(text(&world, 4).ends_with("他又看了一眼。\n"));
    let _ = world.novel("book", &["rebuild"]).ok();
    let _ = world.novel("book", &["continue"]).ok();
    assert_eq!(titles(&world).len(), 5);
    // A chapter that was written again is missed again.
    remove(&world, 5);
    world.commit("book", "by accident");
    assert_eq!(status(&world)["next"], "novel doctor --repair");
}

#[test]
fn chapters_joined_by_hand_are_taken_over_as_one() {
    // Whether the chapters after it are shifted, whether it is committed, and words of the author's between the two.
    for (first, shifted, committed, between) in [
        (4, false, false, ""),
        (2, false, false, "天亮以前，他没有睡。\n\n"),
        (2, false, true, ""),
        (2, true, true, "天亮以前，他没有睡。\n\n"),
    ] {
        let world = book();
        let before = titles(&world);
        let (one, other) = (text(&world, first), text(&world, first + 1));
        let joined = format!("{}\n\n{between}{}\n", one.trim(), body(&other));
        world.write(&format!("book/{}", at(first)), &joined);
        remove(&world, first + 1);
        for n in first + 2..=5 {
            if shifted {
                std::fs::rename(world.path(&format!("book/{}", at(n))), world.path(&format!("book/{}", at(n - 1))))
                    .unwrap();
            }
        }
        if committed {
            world.commit("book", "two nights in one");
        }
        let asked = world.novel("book", &["--lang", "en", "continue"]).fails(3);
        assert!(asked.stderr.contains("made one") && asked.stderr.contains("novel chapter accept"), "{asked:#?}");
        assert!(!asked.stderr.contains("--repair") && !asked.stderr.contains("git restore"), "{asked:#?}");
        assert_eq!(status(&world)["next"], "novel chapter accept");
        let _ = world.novel("book", &["doctor", "--repair", "--yes"]).fails(3);
        let _ = world.novel("book", &["chapter", "accept"]).ok();
        assert_eq!(text(&world, first), joined, "the author's own");
        let mut left = before.clone();
        let _ = left.remove(first as usize);
        assert_eq!(titles(&world), left);
        assert_eq!(status(&world)["outdated"], json!([first]));
        let calls = world.read(&format!("book/logs/vol-01/chapter-{first:03}-log.json"));
        assert!(serde_json::from_str::<Value>(&calls).unwrap()["stages"].as_array().unwrap().len() > 6, "{calls}");
        let _ = world.novel("book", &["rebuild"]).ok();
        whole(&world);
    }
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

fn contract(n: u32) -> String {
    format!("book/volumes/vol-01/chapter-contracts/chapter-{n:03}.json")
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
fn chapters_that_have_changed_places_and_words_are_told_by_their_headings() {
    let world = book();
    let before = titles(&world);
    let heads: Vec<String> = [2, 3].map(|n| text(&world, n).lines().next().unwrap().to_owned()).to_vec();
    world.write(&format!("book/{}", at(2)), &format!("{}\n\n门开着。\n\n屋里没有人。\n", heads[1]));
    world.write(&format!("book/{}", at(3)), &format!("{}\n\n灯灭了。\n\n他没有回头。\n", heads[0]));
    assert_eq!(status(&world)["next"], "novel chapter accept");
    let _ = world.novel("book", &["continue"]).fails(3);
    let _ = world.novel("book", &["chapter", "accept"]).ok();
    let now = titles(&world);
    assert_eq!((&now[1], &now[2]), (&before[2], &before[1]));
    assert!(text(&world, 2).starts_with("# 第2章") && text(&world, 2).contains("屋里没有人"));
    assert_eq!(status(&world)["outdated"], json!([2, 3]), "each has new words");
}

fn waived(world: &World) -> Vec<String> {
    let list = world.novel("book", &["waive", "--json"]).json();
    list["waivers"].as_array().unwrap().iter().map(|waiver| waiver["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn waivers_go_with_the_numbers_of_the_plans() {
    let world = book();
    let _ = world.novel("book", &["waive", "ch-004/W-001", "--reason", "有意"]).ok();
    let before = world.git("book", &["rev-parse", "HEAD"]).ok();
    world.write("night.md", "# 夜访\n\n门开着。屋里没有人。\n");
    let _ = world.novel("book", &["chapter", "insert", "2", "--title", "夜访", "--file", "../night.md"]).ok();
    let _ = world.novel("book", &["waive", "ch-006/W-001", "ch-002/W-001", "--reason", "也有意"]).ok();
    assert_eq!(waived(&world), ["ch-005/W-001", "ch-006/W-001", "ch-002/W-001"]);
    let line = world.git("book", &["rev-parse", "HEAD"]).ok();
    let _ = world.novel("book", &["rollback", before.trim(), "--yes"]).ok();
    assert_eq!(waived(&world), ["ch-004/W-001", "ch-005/W-001"], "without the chapter that is not there");
    let _ = world.novel("book", &["restore", &line[..10]]).ok();
    assert_eq!(waived(&world), ["ch-005/W-001", "ch-006/W-001", "ch-002/W-001"]);
    // To a chapter the plans stay as they are.
    let _ = world.novel("book", &["rollback", "ch-003", "--yes"]).ok();
    assert_eq!(waived(&world), ["ch-005/W-001", "ch-006/W-001", "ch-002/W-001"]);
    let _ = world.novel("book", &["doctor"]).ok();
}

#[test]
fn a_chapter_that_was_edited_and_rolled_back_comes_back_as_it_stood() {
    let world = book();
    let edited = text(&world, 5) + "\n我亲手写的结尾。\n";
    world.write(&format!("book/{}", at(5)), &edited);
    world.commit("book", "my ending");
    let _ = world.novel("book", &["rollback", "ch-003", "--yes"]).ok();
    assert_eq!(world.novel("book", &["restore", "ch-005", "--print"]).ok(), edited);
    let _ = world.novel("book", &["restore", "ch-004"]).ok();
    let _ = world.novel("book", &["restore", "ch-005"]).ok();
    assert_eq!(text(&world, 5), edited);
    let _ = world.novel("book", &["doctor"]).ok();
    world.check("book");
}
