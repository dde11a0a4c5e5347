//! Sections and texts that the author has put elsewhere alone: into another volume, into another order, or away.

use super::rearranged::{at, book, status, text, two_volumes};
use crate::common::World;
use serde_json::{Value, json};

fn outline(volume: u32) -> String {
    format!("book/volumes/vol-{volume:02}/outline.md")
}

/// The headings of all sections.
fn sections(world: &World, volumes: std::ops::RangeInclusive<u32>) -> Vec<String> {
    let text: String = volumes.map(|volume| world.read(&outline(volume))).collect();
    text.lines().filter(|line| line.starts_with("## ")).map(str::to_owned).collect()
}

/// The outline cut into its preface and its sections.
fn cut(world: &World, volume: u32) -> Vec<String> {
    let text = world.read(&outline(volume));
    let mut parts = text.split("\n## ");
    let preface = format!("{}\n", parts.next().unwrap().trim_end());
    [preface].into_iter().chain(parts.map(|part| format!("\n## {}\n", part.trim_end()))).collect()
}

/// Moves the `nth` section of a volume's outline into another one, with the number that it has.
fn move_section(world: &World, (from, nth): (u32, usize), (to, place): (u32, usize)) {
    let (mut source, mut target) = (cut(world, from), cut(world, to));
    target.insert(place, source.remove(nth));
    world.write(&outline(from), &source.concat());
    world.write(&outline(to), &target.concat());
}

/// Refused alike by whatever would write or repair, with nothing changed.
#[track_caller]
fn refused(world: &World, part: &str) {
    let (head, files) = (world.subjects("book"), world.git("book", &["status", "--porcelain"]).ok());
    for command in [&["continue"][..], &["chapter", "accept"], &["doctor", "--repair", "--yes"]] {
        let told = world.novel("book", &[&["--lang", "en"], command].concat()).fails(3);
        assert!(told.stderr.contains(part), "{command:?}: {told:#?}");
    }
    let doctor = world.novel("book", &["--lang", "en", "doctor", "--json"]).json();
    assert!(doctor.to_string().contains(part), "{doctor}");
    assert_eq!((world.subjects("book"), world.git("book", &["status", "--porcelain"]).ok()), (head, files));
}

#[track_caller]
fn is_sound(world: &World) {
    assert_eq!(world.novel("book", &["doctor", "--json"]).json()["findings"], json!([]));
    assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
    world.check("book");
}

#[test]
fn a_section_in_another_volume_s_outline_takes_its_text_along() {
    // The section, its new place, and the chapters of the first volume afterwards, by the numbers that they had.
    type Case<'a> = ((u32, usize), (u32, usize), &'a [u32]);
    let cases: [Case<'_>; 3] = [((1, 3), (2, 1), &[1, 2]), ((2, 1), (1, 4), &[1, 2, 3, 4]), ((1, 2), (2, 4), &[1, 3])];
    for (from, to, first) in cases {
        for committed in [false, true] {
            let world = two_volumes();
            move_section(&world, from, to);
            if committed {
                world.commit("book", "another volume");
            }
            assert_eq!(status(&world)["next"], "novel chapter accept", "{from:?} {committed}");
            assert_eq!(status(&world)["problems"], json!([]), "{from:?} {committed}");
            let _ = world.novel("book", &["chapter", "accept"]).ok();
            let headings: Vec<String> = (1..)
                .zip(first.iter().copied().chain((1..=6).filter(|n| !first.contains(n) && *n != 2)).chain([2]))
                .take(6)
                .map(|(n, was)| format!("第{n}章 渡口第{was}夜"))
                .collect();
            let headings = match first.contains(&2) {
                true => (1..=6).map(|n| format!("第{n}章 渡口第{n}夜")).collect(),
                false => headings,
            };
            for (n, heading) in (1..).zip(&headings) {
                let volume = if n <= first.len() { 1 } else { 2 };
                let chapter = world.read(&format!("book/chapters/vol-{volume:02}/chapter-{n:03}.md"));
                assert_eq!(chapter.lines().next(), Some(format!("# {heading}").as_str()), "{from:?} {committed}");
                assert!(world.path(&format!("book/summaries/vol-{volume:02}/chapter-{n:03}-summary.md")).exists());
            }
            let wanted: Vec<String> = headings.iter().map(|heading| format!("## {heading}")).collect();
            assert_eq!(sections(&world, 1..=2), wanted);
            assert_eq!(status(&world)["outdated"], json!([]));
            is_sound(&world);
        }
    }
}

/// Puts the sections of the demo's outline into the order of their numbers; `renumbered` gives them those of their new places.
fn put_in_order(world: &World, order: [usize; 8], renumbered: bool) {
    let parts = cut(world, 1);
    let section = |(n, was): (usize, &usize)| match renumbered {
        true => parts[*was].replacen(&format!("第{was}章"), &format!("第{n}章"), 1),
        false => parts[*was].clone(),
    };
    let sections: String = (1..).zip(&order).map(section).collect();
    world.write(&outline(1), &format!("{}{sections}", parts[0]));
}

/// The first objective of each chapter's contract.
fn objectives(world: &World) -> Vec<Value> {
    let contract = |n| world.read(&format!("book/volumes/vol-01/chapter-contracts/chapter-{n:03}.json"));
    let contract = |n| serde_json::from_str::<Value>(&contract(n)).unwrap();
    (1..=8).map(|n| contract(n)["objectives"][0]["description"].clone()).collect()
}

#[test]
fn sections_in_any_order_take_texts_and_contracts_along_with_or_without_numbers() {
    for order in [[1, 2, 3, 5, 4, 6, 7, 8], [1, 4, 3, 2, 5, 8, 7, 6]] {
        for (renumbered, committed) in [(false, false), (false, true), (true, false), (true, true)] {
            let world = book();
            let (before, titles) = (objectives(&world), sections(&world, 1..=1));
            put_in_order(&world, order, renumbered);
            if committed {
                world.commit("book", "other nights first");
            }
            assert_eq!(status(&world)["next"], "novel chapter accept", "{order:?} {renumbered} {committed}");
            assert_eq!(status(&world)["problems"], json!([]), "{order:?} {renumbered} {committed}");
            let told = world.novel("book", &["continue"]).fails(3);
            assert!(told.stderr.contains("novel chapter accept"), "{told:#?}");
            let _ = world.novel("book", &["chapter", "accept"]).ok();
            let title = |n: usize| titles[n - 1].split_once(' ').unwrap().1.split_once(' ').unwrap().1.to_owned();
            let wanted: Vec<String> =
                (1..).zip(order).map(|(n, was): (usize, usize)| format!("## 第{n}章 {}", title(was))).collect();
            assert_eq!(sections(&world, 1..=1), wanted, "{order:?} {renumbered} {committed}");
            assert_eq!(objectives(&world), order.map(|was| before[was - 1].clone()), "{order:?} {renumbered}");
            for (n, heading) in (1..).zip(&wanted[..5]) {
                assert_eq!(format!("#{}", text(&world, n).lines().next().unwrap()), *heading, "{order:?}");
            }
            assert_eq!(status(&world)["next"], "novel continue");
            is_sound(&world);
        }
    }
}

#[test]
fn a_death_between_two_moves_of_sections_leaves_the_order_to_be_taken_over() {
    let world = book();
    put_in_order(&world, [1, 4, 3, 2, 5, 8, 7, 6], false);
    world.copy("book", "whole");
    let _ = world.novel("whole", &["chapter", "accept"]).ok();
    let whole = world.tree("whole");
    let places = world.places("book", &["chapter", "accept"]);
    let is_wanted = |place: &&String| place.starts_with("txn.") || place.starts_with("index.");
    for place in places.iter().filter(is_wanted).step_by(7) {
        world.copy("book", "dead");
        world.dies("dead", &["chapter", "accept"], place);
        let _ = world.novel("dead", &["status"]).ok();
        let _ = world.novel("dead", &["chapter", "accept"]);
        assert_eq!(world.tree("dead"), whole, "{place}");
        assert_eq!(world.git("dead", &["status", "--porcelain"]).ok(), "", "{place}");
        std::fs::remove_dir_all(world.path("dead")).unwrap();
    }
}

#[test]
fn sections_whose_contract_files_the_author_moves_too_keep_those() {
    let at = |n: u32| format!("book/volumes/vol-01/chapter-contracts/chapter-{n:03}.json");
    for (committed, edited) in [(false, false), (true, false), (false, true), (true, true)] {
        let world = book();
        let before = objectives(&world);
        put_in_order(&world, [1, 2, 3, 4, 5, 7, 6, 8], true);
        let [sixth, seventh] = [6, 7].map(|n| world.read(&at(n)));
        let sixth = if edited { sixth.replace(before[5].as_str().unwrap(), "灯还亮着") } else { sixth };
        world.write(&at(6), &seventh);
        world.write(&at(7), &sixth);
        if committed {
            world.commit("book", "another night first");
        }
        let now = if edited { json!("灯还亮着") } else { before[5].clone() };
        // The contracts are not exchanged once more, and none is used or lost without a word.
        assert_eq!(status(&world)["next"], "novel decide", "{committed} {edited}");
        let _ = world.novel("book", &["continue"]).fails(3);
        let told = world.novel("book", &["context", "6"]).ok();
        assert!(told.contains(before[6].as_str().unwrap()), "{committed} {edited}: {told}");
        let _ = world.novel("book", &["continue", "--yes"]).ok();
        let _ = world.novel("book", &["doctor"]).ok();
        assert_eq!(objectives(&world)[5..7], [before[6].clone(), now], "{committed} {edited}");
        world.check("book");
    }
}

#[test]
fn a_section_without_its_text_is_told_and_nothing_is_written() {
    for (order, moved) in [([1, 2, 4, 5, 6, 3, 7, 8], "ch-003 moved to ch-006"), ([1, 2, 6, 3, 4, 5, 7, 8], "ch-006")] {
        for committed in [false, true] {
            let world = book();
            put_in_order(&world, order, true);
            if committed {
                world.commit("book", "another order");
            }
            refused(&world, moved);
            let now = status(&world);
            assert!(now["next"].as_str().unwrap().contains("volumes/vol-01/outline.md"), "{now}");
            let back: Vec<usize> = (1..=8).map(|n| order.iter().position(|was| *was == n).unwrap() + 1).collect();
            put_in_order(&world, back.try_into().unwrap(), true);
            assert_eq!(status(&world)["next"], "novel continue");
            let _ = world.novel("book", &["continue"]).ok();
        }
    }
    let world = book();
    let mut parts = cut(&world, 1);
    parts.remove(4);
    world.write(&outline(1), &parts.concat());
    std::fs::remove_file(world.path(&format!("book/{}", at(2)))).unwrap();
    refused(&world, "ch-004 removed");
}

#[test]
fn a_text_in_the_wrong_volume_is_named_and_comes_back_with_the_author_s_words() {
    for (n, from, to) in [(2, 1, 2), (5, 2, 1)] {
        for committed in [false, true] {
            let world = two_volumes();
            let [old, new] = [from, to].map(|volume| format!("chapters/vol-{volume:02}/chapter-{n:03}.md"));
            let _ = world.git("book", &["mv", &old, &new]).ok();
            let words = world.read(&format!("book/{new}")) + "\n他又看了一眼。\n";
            world.write(&format!("book/{new}"), &words);
            if committed {
                world.commit("book", "moved");
            }
            refused(&world, &new);
            let next = status(&world)["next"].as_str().unwrap().to_owned();
            // As typed in any folder.
            assert!(next.starts_with("mv /"), "{next}");
            let ran = world.command("sh", &world.path("home")).args(["-c", &next]).output().unwrap();
            assert!(ran.status.success(), "{next}: {ran:?}");
            if committed {
                let _ = world.novel("book", &["chapter", "accept"]).ok();
            }
            assert_eq!(world.read(&format!("book/{old}")), words);
            assert!(!world.path(&format!("book/{new}")).exists());
            assert_eq!(status(&world)["next"], "novel start", "{next}");
            assert_eq!(status(&world)["problems"], json!([]), "{next}");
        }
    }
}

#[test]
fn several_deleted_chapters_are_taken_out_together() {
    for (gone, left) in [(&[2, 3][..], &[1, 4, 5][..]), (&[2, 4], &[1, 3, 5]), (&[1, 2, 3], &[4, 5])] {
        for committed in [false, true] {
            let world = book();
            let headings: Vec<String> = (1..=5).map(|n| text(&world, n).lines().next().unwrap().to_owned()).collect();
            for n in gone {
                let _ = world.git("book", &["rm", "-q", &at(*n)]).ok();
            }
            if gone.len() == 3 {
                let parts = cut(&world, 1);
                world.write(&outline(1), &[&parts[..1], &parts[4..]].concat().concat());
            }
            if committed {
                world.commit("book", "without some nights");
            }
            let told = world.novel("book", &["--lang", "en", "continue"]).fails(3).stderr;
            assert!(told.contains("`novel chapter accept`") && told.contains("`novel doctor --repair`"), "{told}");
            assert_eq!(told.contains(&format!("`git restore --staged --worktree -- :/{}", at(gone[0]))), !committed);
            let _ = world.novel("book", &["chapter", "accept"]).ok();
            for (n, was) in (1..).zip(left) {
                let title = headings[*was as usize - 1].split_once('章').unwrap().1;
                assert_eq!(text(&world, n).lines().next().unwrap(), format!("# 第{n}章{title}"), "{gone:?}");
            }
            assert_eq!(status(&world)["next"], "novel continue", "{gone:?} {committed}");
            is_sound(&world);
        }
    }
}

#[test]
fn a_deleted_chapter_has_one_next_step_and_the_other_way_beside_it() {
    let world = book();
    std::fs::remove_file(world.path(&format!("book/{}", at(2)))).unwrap();
    let told = world.novel("book", &["--lang", "en", "status"]).ok();
    assert!(told.contains("next: novel doctor --repair"), "{told}");
    assert!(told.contains("whether you meant it: ch-002 removed; if so: novel chapter accept"), "{told}");
    assert!(!told.contains("you have rearranged chapters"), "{told}");
}

#[test]
fn the_last_chapters_when_deleted_are_offered_to_be_written_again() {
    for committed in [false, true] {
        let world = book();
        for n in [4, 5] {
            let _ = world.git("book", &["rm", "-q", &at(n)]).ok();
        }
        if committed {
            world.commit("book", "without the last nights");
        }
        let told = world.novel("book", &["--lang", "en", "continue"]).fails(3).stderr;
        assert!(told.contains("written again: `novel doctor --remove ch-004 ch-005`"), "{told}");
        assert!(!told.contains("chapter accept"), "{told}");
        let _ = world.novel("book", &["doctor", "--remove", "ch-004", "ch-005"]).ok();
        let _ = world.novel("book", &["continue", "2"]).ok();
        assert_eq!(status(&world)["chapters"].as_array().unwrap().len(), 5);
        is_sound(&world);
        // The last one with a later number has the way back beside it.
        let _ = world.git("book", &["mv", &at(5), &at(8)]).ok();
        if committed {
            world.commit("book", "moved");
        }
        refused(&world, &at(8));
        let next = status(&world)["next"].as_str().unwrap().to_owned();
        let identity = ["AUTHOR", "COMMITTER"].map(|who| [format!("GIT_{who}_NAME"), format!("GIT_{who}_EMAIL")]);
        let mut shell = world.command("sh", &world.path("home"));
        let ran = shell.args(["-c", &next]).envs(identity.into_iter().flatten().map(|name| (name, "a@b"))).output();
        assert!(ran.as_ref().unwrap().status.success(), "{next}: {ran:?}");
        assert_eq!(status(&world)["next"], "novel continue", "{next}");
        let _ = world.git("book", &["reset", "-q"]).ok();
        let _ = world.novel("book", &["doctor", "--repair", "--yes"]).ok();
        is_sound(&world);
    }
}

/// The window of a plot thread in a file.
fn window(world: &World, path: &str, thread: &str) -> Value {
    let file: Value = serde_json::from_str(&world.read(&format!("book/{path}"))).unwrap();
    let all = file["foreshadowing"].as_array().unwrap();
    all.iter().find(|entry| entry["id"] == thread).map_or(Value::Null, |entry| entry["target_resolve_range"].clone())
}

#[test]
fn plot_threads_follow_planned_chapters_into_another_volume() {
    let world = book();
    let section = |n: u32, threads: &str| {
        format!(
            "\n## 第{n}章 渡口第{n}夜\n\n- 故事线: main-arc\n- 视角: 闻小满\n- 地点: 北渡口\n- 冲突: 船票对不上\n- 人物弧光: 无\n\
             - 伏笔: {threads}\n- 状态变化: 无\n"
        )
    };
    world.write(&outline(2), &format!("# 二卷\n{}{}", section(9, "埋设 ferry_bell：钟自己响"), section(10, "无")));
    let thread = json!({"id": "ferry_bell", "description": "渡口的钟", "scope": "short", "storyline_id": "main-arc",
        "planned_chapter": 9, "advance_chapters": [], "target_resolve_range": [11, 14]});
    let (first, second) = ("volumes/vol-01/foreshadowing.json", "volumes/vol-02/foreshadowing.json");
    world.write(&format!("book/{second}"), &json!({"schema_version": 1, "foreshadowing": [thread]}).to_string());
    let _ = world.git("book", &["add", "volumes"]).ok();
    world.commit("book", "a second volume");
    let _ = world.novel("book", &["chapter", "move", "9", "7"]).ok();
    assert_eq!(window(&world, first, "ferry_bell"), json!([11, 14]));
    assert_eq!(window(&world, second, "ferry_bell"), Value::Null);
    for path in ["foreshadowing/global.json", first] {
        assert_eq!(window(&world, path, "client_signature"), json!([9, 12]), "{path}");
    }
    is_sound(&world);
}

#[test]
fn exchanged_sections_are_asked_about_before_a_contract_that_was_edited_with_them() {
    let world = book();
    let contract = |n: u32| format!("book/volumes/vol-01/chapter-contracts/chapter-{n:03}.json");
    let own = world.read(&contract(6)).replacen("\"description\": \"", "\"description\": \"灯还亮着，", 1);
    world.write(&contract(6), &own);
    put_in_order(&world, [1, 2, 3, 4, 5, 7, 6, 8], true);
    world.commit("book", "the seventh first");
    assert_eq!(status(&world)["next"], "novel chapter accept");
    let seventh = objectives(&world)[6].clone();
    for command in [&["continue"][..], &["continue", "--yes"], &["continue", "--dry-run"], &["decide", "derive"]] {
        let told = world.novel("book", command).fails(3).stderr;
        assert!(told.contains("novel chapter accept"), "{told}");
    }
    let _ = world.novel("book", &["chapter", "accept"]).ok();
    assert!(world.read(&contract(7)).contains("灯还亮着，"), "the contract goes with its section");
    assert_eq!(objectives(&world)[5], seventh);
    assert_eq!(status(&world)["next"], "novel continue");
    let _ = world.novel("book", &["continue", "2"]).ok();
    is_sound(&world);
}
