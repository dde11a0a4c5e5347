//! Several operations that the author has carried out by hand at once: each is taken over by itself, and no text gets the records of another.

use super::rearranged::{at, book, scores, status, text};
use crate::common::World;
use serde_json::{Value, json};

const OUTLINE: &str = "book/volumes/vol-01/outline.md";

/// The headings of sections without their numbers, which are those of their places.
#[track_caller]
fn titles(world: &World) -> Vec<String> {
    let outline = world.read(OUTLINE);
    let headings = outline.lines().filter_map(|line| line.strip_prefix("## "));
    let titled = |(n, heading): (usize, &str)| heading.strip_prefix(&format!("第{n}章 ")).unwrap().to_owned();
    (1..).zip(headings).map(titled).collect()
}

/// The first objective of the contract of each planned chapter, by the title of its section.
fn objectives(world: &World) -> Vec<(String, Value)> {
    let contract = |n: usize| -> Value {
        let path = format!("book/volumes/vol-01/chapter-contracts/chapter-{n:03}.json");
        serde_json::from_str(&world.read(&path)).unwrap()
    };
    let all = (1..).zip(titles(world)).skip(scores(world).len());
    all.map(|(n, title)| (title, contract(n)["objectives"][0]["description"].clone())).collect()
}

/// Words that no chapter has, under the heading.
fn night(heading: &str) -> String {
    format!("# {heading}\n\n{heading}，门开着。\n\n屋里没有人，{heading}。\n")
}

/// Writes the files of the chapters: each the text of an old number, or a new one.
fn put(world: &World, order: &[Result<u32, String>]) {
    let texts: Vec<String> = (1..=5).map(|n| text(world, n)).collect();
    for n in 1..=5 {
        std::fs::remove_file(world.path(&format!("book/{}", at(n)))).unwrap();
    }
    for (n, new) in (1..).zip(order) {
        let text = new.as_ref().map_or_else(String::clone, |was| texts[*was as usize - 1].clone());
        world.write(&format!("book/{}", at(n)), &text);
    }
}

#[test]
fn chapters_that_come_leave_join_and_part_at_once_keep_their_records() {
    let world = book();
    let (before, plans) = (scores(&world), objectives(&world));
    let joined = text(&world, 1) + text(&world, 2).split_once('\n').unwrap().1;
    let whole = text(&world, 5);
    let cut = whole.match_indices("\n\n").nth(3).unwrap().0;
    let parts = [format!("{}\n", &whole[..cut]), format!("# 第5章 下半夜{}", &whole[cut..])];
    let (one, two) = (Err(night("夜访")), Err(night("又访")));
    // The texts, what is told, and the titles afterwards by the numbers that they had.
    type Case = (Vec<Result<u32, String>>, &'static str, [Result<usize, &'static str>; 5]);
    let all = |order: &[Result<usize, &str>]| -> Vec<String> {
        order.iter().map(|was| was.map_or_else(str::to_owned, |was| before[was - 1].0.clone())).collect()
    };
    let cases: [Case; 3] = [
        (
            vec![Ok(1), one.clone(), Ok(2), two, Ok(3), Ok(4), Ok(5)],
            "a chapter inserted as ch-002; a chapter inserted as ch-004",
            [Ok(1), Err("夜访"), Ok(2), Err("又访"), Ok(3)],
        ),
        (
            vec![Ok(1), Ok(3), one, Ok(4), Ok(5)],
            "ch-002 removed; a chapter inserted as ch-003",
            [Ok(1), Ok(3), Err("夜访"), Ok(4), Ok(5)],
        ),
        (
            [vec![Err(joined), Ok(3), Ok(4)], parts.map(Err).to_vec()].concat(),
            "ch-001 and ch-002 made one; ch-004 split in two",
            [Ok(1), Ok(3), Ok(4), Ok(5), Err("下半夜")],
        ),
    ];
    for (texts, told, order) in cases {
        for committed in [false, true] {
            let world = book();
            put(&world, &texts);
            if committed {
                let _ = world.git("book", &["add", "--all"]).ok();
                world.commit("book", "another order");
            }
            let refused = world.novel("book", &["--lang", "en", "continue"]).fails(3).stderr;
            assert!(refused.contains(told), "{refused}");
            let (first, then) = told.split_once("; ").unwrap();
            let preview = world.novel("book", &["--lang", "en", "chapter", "accept", "--dry-run"]).ok();
            assert!(preview.starts_with(first) && preview.contains(&format!("of its own: {then}")), "{preview}");
            let _ = world.novel("book", &["chapter", "accept"]).ok();
            let now = scores(&world);
            let headings: Vec<String> = now.iter().map(|(title, _)| title.clone()).collect();
            assert_eq!(headings[..5], all(&order), "{told} {committed}");
            assert_eq!(titles(&world)[..now.len()], headings, "{told} {committed}");
            for (title, score) in &now {
                let was = before.iter().find(|(was, _)| was == title).map_or(&Value::Null, |(_, score)| score);
                assert_eq!(score, was, "{told} {committed}: {title}");
            }
            assert_eq!(objectives(&world), plans, "{told} {committed}");
            for n in 1..=now.len() {
                assert!(text(&world, n as u32).starts_with(&format!("# 第{n}章 ")), "{told} {committed}: {n}");
            }
            assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "", "{told} {committed}");
            let _ = world.novel("book", &["chapter", "accept"]).fails(1);
            let _ = world.novel("book", &["rebuild"]).ok();
            assert_eq!((&status(&world)["outdated"], &status(&world)["problems"]), (&json!([]), &json!([])), "{told}");
            world.check("book");
        }
    }
}

#[test]
fn sections_that_come_and_leave_at_once_keep_contracts_and_windows() {
    let new = "章 夜访\n\n- 故事线: main-arc\n- 视角: 闻小满\n- 地点: 失物招领处\n- 冲突: 门开着\n- 人物弧光: 无\n- 伏笔: 无\n- 状态变化: 无\n\n";
    // The places of new sections, one that leaves, and the same typed one by one.
    let cases: [(&[usize], Option<usize>, &[&str]); 2] =
        [(&[6, 8], None, &["insert 6", "insert 8"]), (&[6], Some(8), &["remove 7", "insert 6"])];
    for (places, gone, typed) in cases {
        let (world, other) = (book(), book());
        for command in typed {
            let new = ["--title", "夜访", "--conflict", "门开着"].into_iter().filter(|_| command.starts_with("insert"));
            let command: Vec<&str> = ["chapter"].into_iter().chain(command.split(' ')).chain(new).collect();
            let _ = other.novel("book", &command).ok();
        }
        let outline = world.read(OUTLINE);
        let mut parts: Vec<String> = outline.split("## 第").map(str::to_owned).collect();
        for at in places {
            parts.insert(*at, format!("{at}{new}"));
        }
        gone.map(|at| parts.remove(at));
        for (n, part) in parts.iter_mut().enumerate().skip(1) {
            *part = format!("{n}{}", part.trim_start_matches(|c: char| c.is_ascii_digit()));
        }
        world.write(OUTLINE, &parts.join("## 第"));
        let told = world.novel("book", &["--lang", "en", "chapter", "accept"]).ok();
        assert!(told.contains("novel undo 2"), "{told}");
        assert_eq!(objectives(&world), objectives(&other), "{places:?}");
        for path in ["foreshadowing/global.json", "volumes/vol-01/foreshadowing.json"] {
            assert_eq!(world.read(&format!("book/{path}")), other.read(&format!("book/{path}")), "{places:?}");
        }
        assert_eq!(status(&world)["next"], "novel continue");
        assert_eq!(world.novel("book", &["doctor", "--json"]).json()["findings"], json!([]));
        assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
        world.check("book");
    }
}

#[test]
fn a_planned_section_that_leaves_beside_moved_texts_takes_its_contract_along() {
    let world = book();
    let plans = objectives(&world);
    put(&world, &[Ok(1), Err(night("夜访")), Ok(2), Ok(3), Ok(4), Ok(5)]);
    let outline = world.read(OUTLINE);
    let [sixth, seventh] = ["## 第6章", "## 第7章"].map(|heading| outline.find(heading).unwrap());
    let later = outline[seventh..].replace("## 第7章", "## 第6章").replace("## 第8章", "## 第7章");
    world.write(OUTLINE, &(outline[..sixth].to_owned() + &later));
    let preview = world.novel("book", &["--lang", "en", "chapter", "accept", "--dry-run"]).ok();
    assert!(preview.contains("in a commit of its own: ch-006 removed"), "{preview}");
    let _ = world.novel("book", &["chapter", "accept"]).ok();
    assert_eq!(objectives(&world), plans[1..]);
    assert_eq!(status(&world)["next"], "novel continue");
    world.check("book");
}

#[test]
fn undo_of_a_take_over_leaves_the_author_s_files() {
    let world = book();
    put(&world, &[Ok(1), Err(night("夜访")), Ok(2), Ok(3), Ok(4), Ok(5)]);
    std::fs::remove_file(world.path(&format!("book/{}", at(4)))).unwrap();
    let _ = world.novel("book", &["chapter", "accept"]).ok();
    let (texts, now) = (world.git("book", &["rev-parse", "HEAD:chapters"]).ok(), world.tree("book"));
    let _ = world.novel("book", &["undo"]).ok();
    let _ = world.novel("book", &["undo"]).ok();
    assert!(text(&world, 2).contains("屋里没有人"), "as the author has it");
    assert_eq!(world.git("book", &["rev-parse", "HEAD:chapters"]).ok(), texts);
    assert_eq!(status(&world)["next"], "novel chapter accept");
    let _ = world.novel("book", &["chapter", "accept"]).ok();
    assert_eq!(world.tree("book"), now);
    world.check("book");
}

#[test]
fn chapters_that_leave_at_once_leave_no_hole_and_the_steps_that_are_told_lead_back() {
    for gone in [[2, 5], [2, 3]] {
        let world = book();
        let before = scores(&world);
        for n in gone {
            std::fs::remove_file(world.path(&format!("book/{}", at(n)))).unwrap();
        }
        let done = world.novel("book", &["--lang", "en", "chapter", "accept"]).ok();
        let left: Vec<_> = (1..).zip(&before).filter(|(n, _)| !gone.contains(n)).map(|(_, of)| of.clone()).collect();
        assert_eq!(scores(&world), left, "{gone:?}");
        let _ = world.novel("book", &["doctor"]).ok();
        world.check("book");
        let (_, steps) = done.rsplit_once("novel undo").unwrap();
        let steps = steps.trim_start().split(['`', '\n']).next().unwrap();
        let _ = world.novel("book", &["undo", steps]).ok();
        assert_eq!(status(&world)["next"], "novel chapter accept", "{gone:?}: the files are the author's again");
        let _ = world.novel("book", &["undo"]).ok();
        assert_eq!(scores(&world), before, "{gone:?}");
        // Between the two, a repair has the chapter that is still to leave alone.
        let _ = world.novel("book", &["redo", "2"]).ok();
        let _ = world.novel("book", &["doctor", "--repair", "--yes"]).ok();
        let left: Vec<_> = (1..).zip(&before).filter(|(n, _)| *n != gone[0]).map(|(_, of)| of.clone()).collect();
        assert_eq!((scores(&world), &status(&world)["outdated"]), (left, &json!([])), "{gone:?}");
    }
}

#[test]
fn a_text_under_a_name_that_is_not_its_own_is_told_with_the_way_back() {
    let world = book();
    let path = |name: &str| world.path(&format!("book/chapters/vol-01/{name}"));
    for name in ["chapter-3.md", "第三章.md"] {
        std::fs::rename(path("chapter-003.md"), path(name)).unwrap();
        let command = format!("mv {} {}", path(name).display(), path("chapter-003.md").display());
        assert!(status(&world)["next"].as_str().is_some_and(|next| next.replace('\'', "") == command), "{command}");
        let told = world.novel("book", &["continue"]).fails(3).stderr.replace('\'', "");
        assert!(told.contains(&command), "{told}");
        std::fs::rename(path(name), path("chapter-003.md")).unwrap();
    }
    // The last chapter once more, as `git stash` leaves a file that git does not know.
    std::fs::copy(path("chapter-005.md"), path("chapter-006.md")).unwrap();
    for told in [status(&world)["next"].to_string(), world.novel("book", &["continue"]).fails(3).stderr] {
        assert!(
            told.contains("chapter-006.md ") && told.contains("/chapter-005.md") && !told.contains("git"),
            "{told}"
        );
    }
}

/// Gives all files of the chapters but their texts the numbers that the texts have in `order`.
fn put_records(world: &World, order: &[Result<u32, String>]) {
    let files = world.git("book", &["ls-files"]).ok();
    let number = |path: &str| -> Option<u32> { path.rsplit_once("/chapter-")?.1.get(..3)?.parse().ok() };
    let records = files.lines().filter(|path| !path.starts_with("chapters/"));
    let records = records.filter_map(|path| Some((path, number(path)?, world.read(&format!("book/{path}")))));
    let records: Vec<(&str, u32, String)> = records.collect();
    for (path, ..) in &records {
        std::fs::remove_file(world.path(&format!("book/{path}"))).unwrap();
    }
    for (path, was, bytes) in records {
        let now = (1..).zip(order).find(|(_, of)| **of == Ok(was)).map(|(now, _)| now);
        let planned = (was > 5).then(|| was + order.len() as u32 - 5);
        if let Some(now) = now.or(planned) {
            world.write(&format!("book/{}", path.replace(&format!("-{was:03}"), &format!("-{now:03}"))), &bytes);
        }
    }
}

#[test]
fn records_that_were_moved_with_the_texts_are_moved_once() {
    let new = || Err(night("夜访"));
    for order in [
        vec![Ok(1), Ok(3), Ok(2), Ok(4), Ok(5)],
        vec![Ok(1), new(), Ok(2), Ok(3), Ok(4), Ok(5)],
        vec![Ok(1), Ok(3), Ok(4), Ok(5)],
    ] {
        let world = book();
        world.copy("book", "before");
        put(&world, &order);
        let _ = world.novel("book", &["chapter", "accept"]).ok();
        let tree = |world: &World| world.git("book", &["ls-tree", "-r", "HEAD"]).ok();
        let expected = tree(&world);
        for committed in [None, Some("-m"), Some("-am")] {
            std::fs::remove_dir_all(world.path("book")).unwrap();
            world.copy("before", "book");
            put(&world, &order);
            put_records(&world, &order);
            if let Some(how) = committed {
                // With all files, or with those that git knows.
                let _ = world.git("book", if how == "-m" { &["add", "-A"] } else { &["status"] }).ok();
                let _ =
                    world.git("book", &["-c", "user.name=A", "-c", "user.email=a@b", "commit", how, "in order"]).ok();
            }
            assert_eq!(status(&world)["next"], "novel chapter accept", "{order:?} {committed:?}");
            let refused = world.novel("book", &["continue"]).fails(3).stderr;
            assert!(
                !refused.contains("hand edit") && refused.contains("novel chapter accept"),
                "{committed:?}: {refused}"
            );
            let told = refused + &world.novel("book", &["chapter", "accept"]).fails(0).stderr;
            assert!(told.contains("chapter-contracts/chapter-003.json"), "{order:?} {committed:?}: {told}");
            assert_eq!(tree(&world), expected, "{order:?} {committed:?}");
            assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
            world.check("book");
        }
    }
}
