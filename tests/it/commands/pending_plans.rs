//! Changes of plans that are still to be followed: no other command makes them forgotten, and an answer is for its own chapter.

use super::impact::{CONTRACT, OUTLINE, THREADS, planned, replace_third, retell, reword};
use crate::common::World;
use serde_json::{Value, json};

fn contract(world: &World, book: &str, chapter: u32) -> String {
    world.read(&format!("{book}/volumes/vol-01/chapter-contracts/chapter-{chapter:03}.json"))
}

fn own_contract(world: &World, chapter: u32) {
    let own =
        contract(world, "book", chapter).replacen("\"description\": \"", "\"description\": \"作者自己的目标：", 1);
    world.write(&format!("book/volumes/vol-01/chapter-contracts/chapter-{chapter:03}.json"), &own);
}

#[test]
fn chapters_get_other_numbers_once_changed_plans_are_followed() {
    let world = World::new();
    let book = planned(&world);
    replace_third(&world);
    let _ = world.novel(book, &["chapter", "insert", "5", "--title", "夜访"]).ok();
    assert!(world.read(CONTRACT).contains("锚链被人锯断"), "{}", world.read(CONTRACT));

    reword(&world, "W-002", "凡经手的东西都要留下两个人的名字");
    for args in [&["chapter", "move", "6", "7"][..], &["chapter", "remove", "7", "--dry-run"]] {
        let refused = world.novel(book, &[&["--lang", "en"], args].concat()).fails(3);
        assert!(refused.stderr.contains("novel impact --regenerate"), "{refused:#?}");
        assert!(refused.stderr.contains("novel impact --keep"), "{refused:#?}");
    }
    let _ = world.novel(book, &["impact"]).fails(3);
    let outline = world.read(OUTLINE);
    let kept = world.novel(book, &["impact", "--keep", "--json"]).fails(0).json();
    assert_eq!((&kept["changes"], &kept["open"], world.read(OUTLINE)), (&json!([]), &json!(0), outline));
    assert_eq!(world.subjects(book)[0], "plans kept: W-002");
    let _ = world.novel(book, &["impact", "--keep"]).ok();
    assert_eq!(world.subjects(book)[0], "plans kept: W-002", "nothing is left to be kept");
    let _ = world.novel(book, &["chapter", "move", "6", "7"]).ok();
    world.check(book);
}

#[test]
fn chapters_moved_by_hand_are_taken_over_beside_changes_of_plans() {
    for is_committed in [false, true] {
        let world = World::new();
        let book = planned(&world);
        let text = |n: u32| world.read(&format!("{book}/chapters/vol-01/chapter-{n:03}.md"));
        reword(&world, "W-002", "凡经手的东西都要留下两个人的名字");
        let titles = [1, 2].map(|n| text(n).lines().next().unwrap().split_once('章').unwrap().1.to_owned());
        for (from, to) in [("001", "009"), ("002", "001"), ("009", "002")] {
            let at = |n: &str| format!("chapters/vol-01/chapter-{n}.md");
            let _ = world.git(book, &["mv", &at(from), &at(to)]).ok();
        }
        let accept = || world.novel(book, &["--lang", "en", "chapter", "accept"]);
        if is_committed {
            world.commit(book, "a new rule, and the second night first");
        }
        let refused = world.novel(book, &["impact", "--keep"]).fails(3).stderr;
        assert!(refused.contains("novel chapter accept"), "{refused}");
        let told = accept();
        assert!(told.code == 0 && told.stderr.contains("novel impact --since"), "{told:#?}");
        let now = [1, 2].map(|n| text(n).lines().next().unwrap().to_owned());
        assert_eq!(now, [format!("# 第1章{}", titles[1]), format!("# 第2章{}", titles[0])]);
        world.check(book);
    }
}

/// Puts the section of a chapter before the one of the chapter before, each with the number that it had.
fn swap_with_next(world: &World, chapter: u32) {
    let outline = world.read(OUTLINE);
    let at = |chapter: u32| outline.find(&format!("## 第{chapter}章")).unwrap();
    let [first, second, end] = [at(chapter), at(chapter + 1), at(chapter + 2)];
    let moved = [&outline[..first], &outline[second..end], &outline[first..second], &outline[end..]].concat();
    world.write(OUTLINE, &moved);
}

#[test]
fn the_question_about_a_contract_outlives_chapters_that_are_moved_by_hand() {
    let world = World::new();
    let book = planned(&world);
    own_contract(&world, 4);
    let _ = world.novel(book, &["continue", "1"]).ok();
    retell(&world, 4, "冲突", "三号船的锚链被人锯断，船上的人都说没听见");
    world.commit(book, "another fourth section");
    swap_with_next(&world, 7);
    world.commit(book, "the eighth first");
    let told = world.novel(book, &["--lang", "en", "chapter", "accept"]);
    assert!(told.code == 0 && !told.stderr.contains("count as followed"), "{told:#?}");
    for (answer, copy) in [("keep", "kept"), ("derive", "derived")] {
        world.copy(book, copy);
        let asked = world.novel(copy, &["--lang", "en", "continue", "1"]).fails(3);
        assert!(asked.stderr.contains("ch-004: you wrote its contract"), "{asked:#?}");
        assert!(world.novel(copy, &["impact", "--json"]).json()["touched"].to_string().contains("ch-004"));
        let _ = world.novel(copy, &["decide", answer]).ok();
        assert_eq!(contract(&world, copy, 4).contains("作者自己的目标"), answer == "keep");
        let _ = world.novel(copy, &["continue", "1"]).ok();
        world.check(copy);
    }
    // Moved once more, the chapter is asked about under its new number.
    swap_with_next(&world, 4);
    world.commit(book, "the fifth first");
    let _ = world.novel(book, &["chapter", "accept"]).ok();
    let _ = world.novel(book, &["continue", "1"]).ok();
    let asked = world.novel(book, &["--lang", "en", "continue", "1"]).fails(3);
    assert!(asked.stderr.contains("ch-005: you wrote its contract"), "{asked:#?}");
}

#[test]
fn a_section_on_another_line_is_no_section_of_the_contract() {
    let world = World::new();
    let book = planned(&world);
    own_contract(&world, 3);
    assert!(contract(&world, book, 3).contains("\"storyline_id\": \"lost-tape\""));
    retell(&world, 3, "故事线", "main-arc");
    let asked = world.novel(book, &["--lang", "en", "continue", "1"]).fails(3);
    assert!(asked.stderr.contains("ch-003: you wrote its contract"), "{asked:#?}");
}

#[test]
fn a_chapter_of_the_book_is_written_again_under_the_contract_of_its_section() {
    let world = World::new();
    let book = planned(&world);
    let _ = world.novel(book, &["write", "1", "--force"]).ok();
    assert!(
        !world.subjects(book)[0].starts_with("regenerate: ") && !world.subjects(book)[1].starts_with("regenerate: ")
    );
    retell(&world, 2, "冲突", "三号船的锚链被人锯断，船上的人都说没听见");
    world.copy(book, "own");
    let told = world.novel(book, &["--lang", "en", "write", "2", "--force"]);
    assert!(told.code == 0 && told.stderr.contains("contracts derived again: 1"), "{told:#?}");
    assert!(contract(&world, book, 2).contains("锚链被人锯断"));
    assert!(world.subjects(book)[0].starts_with("ch-002"), "{:?}", world.subjects(book));
    let _ = world.novel(book, &["write", "2", "--force", "--wish", "再短些"]).ok();
    world.check(book);

    // The author's own contract, from before the section was changed.
    let outline = world.read("own/volumes/vol-01/outline.md");
    let _ = world.git("own", &["checkout", "-q", "--", "."]).ok();
    let path = "own/volumes/vol-01/chapter-contracts/chapter-002.json";
    world.write(path, &world.read(path).replacen("\"description\": \"", "\"description\": \"作者自己的目标：", 1));
    world.commit("own", "a contract of my own");
    world.write("own/volumes/vol-01/outline.md", &outline);
    let before = world.subjects("own");
    let asked = world.novel("own", &["--lang", "en", "write", "2", "--force"]).fails(3);
    assert!(asked.stderr.contains("chapter-contracts/chapter-002.json"), "{asked:#?}");
    assert!(!world.subjects("own").iter().any(|subject| subject.starts_with("regenerate")), "{before:?}");
    world.copy("own", "gone");
    std::fs::remove_file(world.path("gone/volumes/vol-01/chapter-contracts/chapter-002.json")).unwrap();
    let _ = world.novel("gone", &["write", "2", "--force"]).ok();
    assert!(contract(&world, "gone", 2).contains("锚链被人锯断"));
    world.write(path, &world.read(path).replacen("作者自己的目标：", "锚链断了：", 1));
    let _ = world.novel("own", &["write", "2", "--force"]).ok();
    assert!(contract(&world, "own", 2).contains("锚链断了："));
}

#[test]
fn an_answer_about_one_contract_leaves_the_others_to_be_asked_about() {
    let world = World::new();
    let book = planned(&world);
    own_contract(&world, 3);
    own_contract(&world, 5);
    replace_third(&world);
    retell(&world, 5, "冲突", "一封信到了，沈渡不敢拆");
    let fifth = contract(&world, book, 5);
    for (answer, copy) in [("keep", "kept"), ("derive", "derived")] {
        world.copy(book, copy);
        let _ = world.novel(copy, &["decide", answer]).ok();
        assert_eq!(contract(&world, copy, 5), fifth, "nobody has asked about chapter 5");
        let third = contract(&world, copy, 3);
        assert_eq!(third.contains("作者自己的目标"), answer == "keep", "{third}");
        let _ = world.novel(copy, &["continue", "1"]).ok();
        let _ = world.novel(copy, &["continue", "1"]).ok();
        let asked = world.novel(copy, &["--lang", "en", "continue", "1"]).fails(3);
        assert!(asked.stderr.contains("ch-005"), "{asked:#?}");
        world.check(copy);
    }
}

#[test]
fn a_regeneration_leaves_contracts_of_the_authors_to_the_author() {
    let world = World::new();
    let book = planned(&world);
    own_contract(&world, 8);
    let own = contract(&world, book, 8);
    reword(&world, "W-002", "凡经手的东西都要留下两个人的名字");
    let _ = world.novel(book, &["impact", "--regenerate", "--yes"]);
    assert!(world.subjects(book)[0].starts_with("regenerate: "), "{:?}", world.subjects(book));
    assert_eq!(contract(&world, book, 8), own);
}

#[test]
fn a_regeneration_takes_no_contract_of_the_authors_beside_a_changed_section() {
    let world = World::new();
    let book = planned(&world);
    own_contract(&world, 3);
    replace_third(&world);
    let own = contract(&world, book, 3);
    let _ = world.novel(book, &["impact", "--regenerate", "--yes"]);
    assert_eq!(contract(&world, book, 3), own);
    let asked = world.novel(book, &["--lang", "en", "continue", "1"]).fails(3);
    assert!(asked.stderr.contains("ch-003: you wrote its contract"), "{asked:#?}");
    let _ = world.novel(book, &["decide", "derive"]).ok();
    assert!(contract(&world, book, 3).contains("锚链被人锯断"));
}

#[test]
fn plot_threads_that_the_author_has_changed_stay_and_are_offered() {
    let world = World::new();
    let book = planned(&world);
    let mut threads: Value = serde_json::from_str(&world.read(THREADS)).unwrap();
    let list = threads["foreshadowing"].as_array_mut().unwrap();
    let line = list[0]["storyline_id"].clone();
    let new = json!({"id": "red_box", "description": "红皮箱", "scope": "short", "storyline_id": line,
        "planned_chapter": 5, "advance_chapters": [7], "target_resolve_range": [8, 9]});
    list.push(new);
    let changed = list.iter_mut().find(|thread| thread["planned_chapter"].as_u64().is_some_and(|at| at > 3)).unwrap();
    changed["target_resolve_range"] = json!([9, 10]);
    let changed = changed.clone();
    world.write(THREADS, &format!("{threads:#}\n"));
    let _ = world.novel(book, &["continue", "1"]).ok();
    let now: Value = serde_json::from_str(&world.read(THREADS)).unwrap();
    let now = now["foreshadowing"].as_array().unwrap();
    assert!(now.contains(&changed) && now.iter().any(|thread| thread["id"] == "red_box"), "{now:#?}");
    let offered = world.novel(book, &["impact", "--json"]).fails(3).json();
    assert!(offered["changes"].to_string().contains("red_box"), "{offered}");
}

#[test]
fn a_draft_is_not_finished_under_a_contract_that_has_just_become_another() {
    let world = World::new();
    let book = planned(&world);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-003): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["continue"]).fails(3);
    let _ = world.novel(book, &["decide", "accept"]).ok();
    replace_third(&world);
    let asked = world.novel(book, &["--lang", "en", "continue"]).fails(3);
    assert!(asked.stderr.contains("novel decide drop") && asked.stderr.contains("novel continue"), "{asked:#?}");
    assert!(!world.subjects(book)[0].starts_with("ch-003"), "{:?}", world.subjects(book));
    world.copy(book, "anew");
    let _ = world.novel("anew", &["decide", "drop"]).ok();
    let _ = world.novel("anew", &["continue"]);
    assert!(contract(&world, "anew", 3).contains("锚链被人锯断"));
    let _ = world.novel(book, &["continue"]).ok();
    assert!(world.subjects(book)[0].starts_with("ch-003"), "the author has gone on");
}
