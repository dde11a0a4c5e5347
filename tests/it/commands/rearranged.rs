//! Chapters that the author has rearranged by hand: recognised whatever lies in between, taken over, and no record given to another's text.

use crate::common::World;
use serde_json::{Value, json};

const OUTLINE: &str = "volumes/vol-01/outline.md";

pub(super) fn book() -> World {
    let world = World::new();
    let _ = world.demo_with(5);
    world
}

pub(super) fn at(n: u32) -> String {
    format!("chapters/vol-01/chapter-{n:03}.md")
}

pub(super) fn text(world: &World, n: u32) -> String {
    world.read(&format!("book/{}", at(n)))
}

/// Moves files as `git mv` does, by pairs of numbers.
pub(super) fn git_mv(world: &World, moves: &[(u32, u32)]) {
    for (from, to) in moves {
        let _ = world.git("book", &["mv", &at(*from), &at(*to)]).ok();
    }
}

/// Renames of chapters: the number, and the number after it.
type Moves = &'static [(u32, u32)];

pub(super) const SWAP: [(u32, u32); 3] = [(2, 9), (3, 2), (9, 3)];

pub(super) fn status(world: &World) -> Value {
    world.novel("book", &["status", "--json"]).json()
}

/// The title and the score of each chapter.
pub(super) fn scores(world: &World) -> Vec<(String, Value)> {
    let status = status(world);
    let of = |chapter: &Value| (chapter["title"].as_str().unwrap().to_owned(), chapter["score"].clone());
    status["chapters"].as_array().unwrap().iter().map(of).collect()
}

/// Takes the chapters over, after which they have the scores that they had in the `order` of the numbers before.
#[track_caller]
pub(super) fn taken_over(world: &World, before: &[(String, Value)], order: [usize; 5]) {
    let _ = world.novel("book", &["chapter", "accept"]).ok();
    let (now, wanted) = (scores(world), order.map(|n| before[n - 1].clone()).to_vec());
    assert_eq!(now, wanted);
    assert_eq!(status(world)["outdated"], json!([]));
    let doctor = world.novel("book", &["--lang", "en", "doctor"]).ok();
    assert!(!doctor.contains("wrong_tag") && !doctor.contains("outdated"), "{doctor}");
    for (n, chapter) in (1..).zip(&now) {
        let accepted = world.git("book", &["log", "-1", "--format=%s", &format!("ch-{n:03}")]).ok();
        assert!(accepted.contains(&chapter.0), "ch-{n:03}: {accepted}");
    }
    assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
    world.check("book");
}

/// The chapters stand as the author has put them after an undo, and are taken over as before.
#[track_caller]
fn accepted_again(world: &World) {
    let tree = world.tree("book");
    let _ = world.novel("book", &["undo"]).ok();
    assert_eq!(status(world)["next"], "novel chapter accept");
    let _ = world.novel("book", &["chapter", "accept"]).ok();
    assert_eq!(world.tree("book"), tree);
}

#[test]
fn no_command_gives_the_records_of_moved_chapters_to_others() {
    let world = book();
    let before = scores(&world);
    git_mv(&world, &SWAP);
    world.commit("book", "the third night comes first");
    let head = world.subjects("book");
    let commands: [&[&str]; 6] = [
        &["character", "rename", "wen-xiaoman", "闻小月"],
        &["chapter", "insert", "7", "--title", "夜访"],
        &["rebuild"],
        &["continue"],
        &["write", "6"],
        &["doctor", "--repair", "--yes"],
    ];
    for command in commands {
        let told = world.novel("book", &[&["--lang", "en"], command].concat()).fails(3);
        assert!(told.stderr.contains("novel chapter accept") && told.stderr.contains("novel rebuild 2-3"), "{told:#?}");
        if command[0] != "doctor" {
            let dry = world.novel("book", &[&["--lang", "en"], command, &["--dry-run"]].concat()).fails(3);
            assert!(told.stderr.ends_with(&dry.stderr), "{dry:#?}");
        }
    }
    assert_eq!(world.subjects("book"), head);
    // A commit of the program's on top, as an older version of it made one.
    let ours =
        ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x\n\nNovel-Kind: config"];
    let _ = world.git("book", &ours).ok();
    assert_eq!(status(&world)["next"], "novel chapter accept");
    let _ = world.novel("book", &["continue"]).fails(3);
    taken_over(&world, &before, [1, 3, 2, 4, 5]);
    let _ = world.novel("book", &["undo"]).ok();
    assert_eq!(status(&world)["next"], "novel chapter accept", "as before it");
    taken_over(&world, &before, [1, 3, 2, 4, 5]);
}

#[test]
fn a_repair_fills_no_gap_with_a_text_that_has_another_number() {
    let world = book();
    let _ = world.git("book", &["rm", "-q", &at(3)]).ok();
    git_mv(&world, &[(4, 3)]);
    for is_committed in [false, true] {
        if is_committed {
            world.commit("book", "without the third night");
        }
        for command in [&["doctor", "--repair", "--yes"][..], &["continue"], &["continue", "--dry-run"]] {
            let told = world.novel("book", command).fails(3);
            assert!(told.stderr.contains("novel chapter accept"), "{told:#?}");
        }
        assert!(!world.path("book").join(at(4)).exists());
        assert_eq!(
            (&status(&world)["next"], &status(&world)["outdated"]),
            (&json!("novel chapter accept"), &json!([]))
        );
    }
    let _ = world.novel("book", &["chapter", "accept"]).ok();
    assert!(text(&world, 4).starts_with("# 第4章"), "the fifth");
    world.check("book");
}

#[test]
fn a_repair_after_a_merge_takes_no_text_that_had_the_number_on_another_line() {
    let world = book();
    let fifth = text(&world, 5);
    let git = |args: &[&str]| drop(world.git("book", args).ok());
    git(&["branch", "side"]);
    let _ = world.novel("book", &["chapter", "remove", "2"]).ok();
    git(&["checkout", "-q", "side"]);
    world.write("book/brief.md", "雨。\n");
    world.commit("book", "a brief");
    git(&["rm", "-q", &at(4)]);
    world.commit("book", "without the fourth night");
    git(&["config", "user.name", "A"]);
    git(&["config", "user.email", "a@b"]);
    let _ = world.git("book", &["merge", "-q", "--no-commit", "@{-1}"]);
    git(&["rm", "-q", &at(4)]);
    world.commit("book", "merged");
    git(&["checkout", "-q", "-"]);
    git(&["merge", "-q", "side"]);
    assert_eq!(status(&world)["next"], "novel doctor --repair");
    let _ = world.novel("book", &["doctor", "--repair"]).ok();
    assert_eq!(text(&world, 4), fifth.replace("# 第5章", "# 第4章"));
    world.check("book");
}

#[test]
fn a_rebuild_of_named_chapters_keeps_the_texts_as_edits() {
    let world = book();
    let before = scores(&world);
    git_mv(&world, &SWAP);
    let texts = [text(&world, 2), text(&world, 3)];
    let _ = world.novel("book", &["rebuild", "2-3"]).ok();
    assert_eq!([text(&world, 2), text(&world, 3)], texts);
    let now = status(&world);
    assert_eq!((&now["outdated"], &now["next"]), (&json!([]), &json!("novel continue")));
    assert_eq!(scores(&world)[3], before[3]);
    let _ = world.novel("book", &["chapter", "accept"]).fails(1);
}

#[test]
fn what_was_kept_under_another_number_takes_no_other_chapters_place() {
    let world = book();
    let _ = world.novel("book", &["write", "4", "--force"]).ok();
    let earlier = world.novel("book", &["restore", "--json"]).json()["kept"][0]["name"].as_str().unwrap().to_owned();
    world.write("book/brief.md", &format!("{}\n离线评分(ch-006): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel("book", &["continue"]).fails(3);
    let told = world.novel("book", &["decide", "drop"]).ok();
    let draft = told.split('`').find_map(|words| words.strip_prefix("novel restore ")).unwrap().to_owned();
    world.write("night.md", "# 夜访\n\n门开着。屋里没有人。\n\n灯还亮着。\n");
    let insert = ["chapter", "insert", "2", "--title", "夜访", "--file", "../night.md"];
    let _ = world.novel("book", &insert).ok();
    let _ = world.novel("book", &["rebuild", "2"]).ok();
    let (head, texts) = (world.subjects("book"), [text(&world, 4), text(&world, 6)]);
    let told = world.novel("book", &["--lang", "en", "restore", &earlier]).fails(1);
    let said = "this was ch-004 before chapters got other numbers, and is ch-005 now";
    assert!(told.stderr.contains(said) && told.stderr.contains(&format!("restore {earlier} --print")), "{told:#?}");
    let printed = world.novel("book", &["restore", &earlier, "--print"]).ok();
    assert!(printed.contains("# 第4章"), "{printed}");
    let _ = world.novel("book", &["restore", "ch-004"]).fails(1);
    assert_eq!((world.subjects("book"), [text(&world, 4), text(&world, 6)]), (head, texts));
    let _ = world.novel("book", &["restore", &draft]).ok();
    assert_eq!(status(&world)["inflight"]["chapter"], 7, "a draft is put on the book as it is");
    assert!(world.read("book/staging/chapters/vol-01/chapter-007.md").starts_with("# 第7章"));
    let _ = world.novel("book", &["chapter", "remove", "2"]).ok();
    let _ = world.novel("book", &["restore", &earlier]).ok();
    assert_eq!(status(&world)["inflight"]["chapter"], 6);
}

#[test]
fn every_open_draft_can_be_put_aside() {
    let world = book();
    let _ = world.novel("book", &["decide", "drop"]).fails(1);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-006): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel("book", &["continue"]).fails(3);
    world.write("book/staging/chapters/vol-01/chapter-006.md", "# 第6章 暗记\n\n改在草稿里。\n");
    let told = world.novel("book", &["character", "rename", "wen-xiaoman", "闻小月"]).fails(1);
    assert!(told.stderr.contains("novel decide drop"), "{told:#?}");
    let _ = world.novel("book", &["decide", "drop", "--chapter", "2"]).fails(1);
    let told = world.novel("book", &["decide", "drop", "--chapter", "6"]).ok();
    let kept = told.split('`').find_map(|words| words.strip_prefix("novel restore ")).unwrap();
    let kept = world.git("book", &["show", &format!("refs/novel/kept/{kept}:{}", at(6))]).ok();
    assert!(kept.contains("改在草稿里"), "{kept}");
    let _ = world.novel("book", &["character", "rename", "wen-xiaoman", "闻小月"]).ok();
}

#[test]
fn moves_are_recognised_with_edits_gaps_and_several_at_once() {
    let cases: [(Moves, [usize; 5]); 3] =
        [(&SWAP, [1, 3, 2, 4, 5]), (&[(2, 6)], [1, 3, 4, 5, 2]), (&[(2, 9), (4, 2), (9, 4)], [1, 4, 3, 2, 5])];
    for (moves, order) in cases {
        for is_committed in [false, true] {
            let world = book();
            let before = scores(&world);
            git_mv(&world, moves);
            let (moved, outline) = (moves.last().unwrap().1, format!("book/{OUTLINE}"));
            world.write(&format!("book/{}", at(moved)), &(text(&world, moved) + "\n他又看了一眼。\n"));
            world.write(&outline, &world.read(&outline).replace("## 第8章", "## 第8章 又"));
            if is_committed {
                world.commit("book", "another order");
            }
            assert_eq!(status(&world)["next"], "novel chapter accept", "{moves:?}");
            let _ = world.novel("book", &["continue"]).fails(3);
            let _ = world.novel("book", &["chapter", "accept"]).ok();
            let wanted = order.map(|n| before[n - 1].clone());
            assert_eq!(scores(&world), wanted, "{moves:?}");
            let last = order.iter().position(|n| *n == 2).unwrap() + 1;
            let outdated = if moves == SWAP { 3 } else { u32::try_from(last).unwrap() };
            assert_eq!(status(&world)["outdated"], json!([outdated]), "the edit: {moves:?}");
            assert!(text(&world, outdated).ends_with("他又看了一眼。\n"));
            let outline = world.read(&outline);
            let sections: Vec<&str> = outline.lines().filter(|line| line.starts_with("## ")).collect();
            for (n, (title, _)) in (1..).zip(&wanted) {
                assert_eq!(sections[n - 1], format!("## 第{n}章 {title}"));
            }
            assert!(sections[7].contains("又"), "{sections:?}");
            accepted_again(&world);
            assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
            world.check("book");
        }
    }
}

/// Swaps the sections of chapters 2 and 3, each with the number of its new place.
fn swap_sections(world: &World) {
    let path = format!("book/{OUTLINE}");
    let outline = world.read(&path);
    let mut parts: Vec<String> = outline.split("## 第").map(str::to_owned).collect();
    parts.swap(2, 3);
    for n in [2, 3] {
        parts[n] = format!("{n}{}", parts[n].trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    world.write(&path, &parts.join("## 第"));
}

#[test]
fn sections_moved_by_hand_take_their_chapters_along_once() {
    for with_texts in [false, true] {
        let world = book();
        let before = scores(&world);
        swap_sections(&world);
        let mut outline = world.read(&format!("book/{OUTLINE}"));
        if with_texts {
            // Another title beside is no other order.
            outline = outline.replacen("## 第2章 ", "## 第2章 夜里的", 1);
            world.write(&format!("book/{OUTLINE}"), &outline);
            git_mv(&world, &SWAP);
            // The numbers in the headings follow.
            for n in [2, 3] {
                let text = text(&world, n).replace(&format!("第{}章", 5 - n), &format!("第{n}章"));
                world.write(&format!("book/{}", at(n)), &text);
            }
        }
        assert_eq!(status(&world)["next"], "novel chapter accept");
        taken_over(&world, &before, [1, 3, 2, 4, 5]);
        assert_eq!(world.read(&format!("book/{OUTLINE}")), outline, "as the author has it");
    }
}

#[test]
fn two_changes_of_numbers_leave_each_record_with_its_chapter() {
    let world = book();
    world.write("night.md", "# 夜访\n\n门开着。屋里没有人。\n\n灯还亮着。\n");
    let _ = world.novel("book", &["chapter", "insert", "3", "--title", "夜访", "--file", "../night.md"]).ok();
    let _ = world.novel("book", &["chapter", "move", "5", "2"]).ok();
    let tree = world.tree("book");
    for command in [&["doctor"][..], &["doctor", "--repair", "--yes"]] {
        let told = world.novel("book", command).ok();
        assert!(!told.contains("missing_file"), "{told}");
        assert_eq!(world.tree("book"), tree);
    }
    assert_eq!(status(&world)["outdated"], json!([4]));
    // Damage before a chapter had its number is another chapter's.
    let summary = "book/summaries/vol-01/chapter-002-summary.md";
    let whole = world.read(summary);
    world.write(summary, "\u{0}\u{0}");
    let _ = world.novel("book", &["doctor", "--repair", "--yes"]);
    assert_eq!(world.read(summary), whole);
}

#[test]
fn a_move_there_and_back_changes_nothing() {
    let world = book();
    let head = world.git("book", &["rev-parse", "HEAD"]).ok();
    let told = world.novel("book", &["--lang", "en", "chapter", "move", "2", "2"]).ok();
    assert!(told.contains("nothing to do"), "{told}");
    assert_eq!(world.git("book", &["rev-parse", "HEAD"]).ok(), head);
    let _ = world.novel("book", &["chapter", "move", "40", "40"]).fails(1);
    for (from, to) in [("2", "4"), ("4", "2"), ("1", "3"), ("3", "1")] {
        let _ = world.novel("book", &["chapter", "move", from, to]).ok();
        let brief: Value = serde_json::from_str(&world.read("book/quality/vol-01/chapter-005-quality.json")).unwrap();
        assert_eq!((&brief["first_chapter"], &brief["last_chapter"]), (&json!(1), &json!(5)));
        let _ = world.novel("book", &["review", "--quality"]).ok();
    }
    assert_eq!(world.git("book", &["diff", "--name-only", head.trim(), "HEAD"]).ok(), "");
    let told = world.novel("book", &["--lang", "en", "chapter", "split", "2", "--title", "后半"]).fails(1);
    assert!(told.stderr.contains("needs a beginning") && told.stderr.contains("--before"), "{told:#?}");
}

#[test]
fn other_edits_are_committed_first_and_move_with_their_chapter() {
    let world = book();
    let contract = |n: u32| format!("book/volumes/vol-01/chapter-contracts/chapter-{n:03}.json");
    world.write("book/brief.md", "# 渡口\n\n灯亮着。\n");
    world.commit("book", "another brief");
    world.write("book/brief.md", "# 渡口\n\n灯灭了。\n");
    for n in (3..=5).rev() {
        let text = text(&world, n);
        world.write(&format!("book/{}", at(n + 1)), &text);
    }
    world.write(&format!("book/{}", at(3)), "# 第3章 夜访\n\n门开着。屋里没有人。\n");
    let mut edited: Value = serde_json::from_str(&world.read(&contract(7))).unwrap();
    edited["objectives"][0]["description"] = "灯还亮着".into();
    world.write(&contract(7), &serde_json::to_string_pretty(&edited).unwrap());
    let _ = world.novel("book", &["chapter", "accept"]).ok();
    let of = |n| serde_json::from_str::<Value>(&world.read(&contract(n))).unwrap();
    assert_eq!((&of(8)["chapter"], &of(8)["objectives"][0]["description"]), (&json!(8), &json!("灯还亮着")));
    assert_ne!(of(7)["objectives"][0]["description"], json!("灯还亮着"));
    let subjects = world.subjects("book");
    assert!(subjects[2].contains("chapter-007.json"), "{subjects:?}");
    assert!(world.read("book/brief.md").contains("灯灭了"), "the last word");
    assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
}

/// A book with chapters 1 to 3 in the first volume and 4 to 6 in the second.
pub(super) fn two_volumes() -> World {
    let section = |n: u32| {
        format!(
            "\n## 第{n}章 渡口第{n}夜\n\n- 故事线: main-arc\n- 视角: 沈渡\n- 地点: 北渡口\n- 冲突: 船票对不上舱单\n- 人物弧光: 无\n\
             - 伏笔: 无\n- 状态变化: 无\n"
        )
    };
    let outline =
        |chapters: std::ops::RangeInclusive<u32>| format!("# 一卷\n{}", chapters.map(section).collect::<String>());
    let world = World::new();
    world.made_once("two-volumes", "book", || {
        world.write("outline.md", &outline(1..=3));
        let made =
            ["init", "book", "--protagonist", "沈渡", "--outline", "outline.md", "--words", "300-500", "--offline"];
        let _ = world.novel("", &made).ok();
        world.write("book/volumes/vol-02/outline.md", &outline(4..=6));
        for command in [&["continue", "3"], &["review", "vol-01"], &["continue", "3"]] {
            let _ = world.novel("book", command).ok();
        }
    });
    world
}

#[test]
fn a_text_inserted_after_the_last_chapter_is_in_the_volume_of_that() {
    let world = two_volumes();
    world.write("night.md", "# 夜访\n\n门开着。屋里没有人。\n");
    let _ = world.novel("book", &["chapter", "insert", "7", "--title", "夜访", "--file", "../night.md"]).ok();
    assert!(world.read("book/chapters/vol-02/chapter-007.md").starts_with("# 第7章 夜访"));
    world.check("book");
}

/// The volume, the number and the heading of each chapter in the folder.
fn standing(world: &World) -> Vec<String> {
    let mut found = Vec::new();
    for volume in 1..=2 {
        for n in 1..=9 {
            let path = format!("chapters/vol-{volume:02}/chapter-{n:03}.md");
            if world.path(&format!("book/{path}")).exists() {
                let heading = world.read(&format!("book/{path}")).lines().next().unwrap().to_owned();
                found.push(format!("{volume} {n} {heading}"));
            }
        }
    }
    found
}

#[test]
fn chapters_moved_across_the_border_of_a_volume_are_taken_over() {
    // Renames, a new text at the number, and the places afterwards: volume, number, number that the text had.
    type Case = (&'static [[(u32, u32); 2]], Option<(u32, u32)>, &'static [(u32, u32, u32)]);
    let cases: [Case; 7] = [
        // 4 keeps its number and ends the first volume.
        (&[[(2, 4), (1, 4)]], None, &[(1, 1, 1), (1, 2, 2), (1, 3, 3), (1, 4, 4), (2, 5, 5), (2, 6, 6)]),
        // 3 keeps its number and begins the second volume; two chapters do.
        (&[[(1, 3), (2, 3)]], None, &[(1, 1, 1), (1, 2, 2), (2, 3, 3), (2, 4, 4), (2, 5, 5), (2, 6, 6)]),
        (
            &[[(1, 2), (2, 2)], [(1, 3), (2, 3)]],
            None,
            &[(1, 1, 1), (2, 2, 2), (2, 3, 3), (2, 4, 4), (2, 5, 5), (2, 6, 6)],
        ),
        // 2 goes to the end, the border goes along.
        (
            &[
                [(1, 2), (2, 9)],
                [(1, 3), (1, 2)],
                [(2, 4), (2, 3)],
                [(2, 5), (2, 4)],
                [(2, 6), (2, 5)],
                [(2, 9), (2, 6)],
            ],
            None,
            &[(1, 1, 1), (1, 2, 3), (2, 3, 4), (2, 4, 5), (2, 5, 6), (2, 6, 2)],
        ),
        // 2 goes to the end, and each volume keeps its numbers.
        (
            &[
                [(1, 2), (2, 9)],
                [(1, 3), (1, 2)],
                [(2, 4), (1, 3)],
                [(2, 5), (2, 4)],
                [(2, 6), (2, 5)],
                [(2, 9), (2, 6)],
            ],
            None,
            &[(1, 1, 1), (1, 2, 3), (1, 3, 4), (2, 4, 5), (2, 5, 6), (2, 6, 2)],
        ),
        // 2 leaves a gap.
        (&[[(1, 2), (2, 7)]], None, &[(1, 1, 1), (1, 2, 3), (2, 3, 4), (2, 4, 5), (2, 5, 6), (2, 6, 2)]),
        // A new chapter 2.
        (
            &[[(2, 6), (2, 7)], [(2, 5), (2, 6)], [(2, 4), (2, 5)], [(1, 3), (1, 4)], [(1, 2), (1, 3)]],
            Some((1, 2)),
            &[(1, 1, 1), (1, 2, 0), (1, 3, 2), (1, 4, 3), (2, 5, 4), (2, 6, 5), (2, 7, 6)],
        ),
    ];
    let at = |(volume, n): (u32, u32)| format!("chapters/vol-{volume:02}/chapter-{n:03}.md");
    for (number, (moves, new, after)) in cases.into_iter().enumerate() {
        for committed in [false, true] {
            let world = two_volumes();
            for [from, to] in moves {
                let _ = world.git("book", &["mv", &at(*from), &at(*to)]).ok();
            }
            if number == 1 && !committed {
                // As by a file manager, of which git knows nothing.
                let _ = world.git("book", &["reset", "-q"]).ok();
            }
            if let Some(new) = new {
                world.write(&format!("book/{}", at(new)), "# 第2章 夜访\n\n沈渡推开门。屋里没有人。\n");
            }
            if committed {
                world.commit("book", "moved");
            }
            let doctor = world.novel("book", &["doctor", "--json"]).json();
            assert_eq!(doctor["next"], "novel chapter accept", "{number}: {doctor}");
            let codes: Vec<&str> =
                doctor["findings"].as_array().unwrap().iter().filter_map(|found| found["code"].as_str()).collect();
            assert!(codes.contains(&"rearranged") && !codes.contains(&"deleted"), "{number}: {doctor}");
            assert_eq!(status(&world)["problems"], json!([]), "{number}");
            let _ = world.novel("book", &["chapter", "accept"]).ok();
            let wanted: Vec<String> = after
                .iter()
                .map(|(volume, n, was)| match was {
                    0 => format!("{volume} {n} # 第{n}章 夜访"),
                    was => format!("{volume} {n} # 第{n}章 渡口第{was}夜"),
                })
                .collect();
            assert_eq!(standing(&world), wanted, "{number} {committed}");
            let outdated = status(&world)["outdated"].as_array().unwrap().len();
            assert_eq!(outdated, usize::from(new.is_some()), "{number} {committed}: {}", status(&world));
            for (volume, n, was) in after.iter().filter(|(.., was)| *was > 0) {
                let outline = world.read(&format!("book/volumes/vol-{volume:02}/outline.md"));
                assert!(outline.contains(&format!("## 第{n}章 渡口第{was}夜")), "{number}: {outline}");
                let summary = format!("book/summaries/vol-{volume:02}/chapter-{n:03}-summary.md");
                assert!(world.path(&summary).exists(), "{number}: {summary}");
            }
            assert_eq!(world.novel("book", &["doctor", "--json"]).json()["next"], "novel status", "{number}");
            assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "", "{number} {committed}");
            world.check("book");
        }
    }
}

/// The outline with its sections 6 to 8 in the given order of their numbers, or a new one, and with the numbers that follow from that.
fn with_sections(world: &World, order: &[u32]) -> String {
    let outline = world.read(&format!("book/{OUTLINE}"));
    let parts: Vec<&str> = outline.split("## 第").collect();
    let mut now = parts[..6].join("## 第");
    for (n, was) in (6..).zip(order) {
        let new = "0章 夜访\n\n- 故事线: main-arc\n- 视角: 闻小满\n- 地点: 失物招领处\n- 冲突: 门开着\n- 人物弧光: 无\n- 伏笔: 无\n- 状态变化: 无\n\n";
        let part = parts.get(*was as usize).filter(|_| *was > 0).unwrap_or(&new);
        now.push_str(&format!("## 第{n}{}\n", part.trim_start_matches(|c: char| c.is_ascii_digit()).trim_end()));
        now.push('\n');
    }
    now
}

fn contract(world: &World, n: u32) -> Value {
    let path = format!("book/volumes/vol-01/chapter-contracts/chapter-{n:03}.json");
    serde_json::from_str(&world.read(&path)).unwrap()
}

#[test]
fn planned_sections_moved_in_the_outline_take_their_contracts_along() {
    // Sections afterwards; 0 is a new one.
    let cases: [&[u32]; 3] = [&[7, 6, 8], &[0, 6, 7, 8], &[7, 8]];
    for order in cases {
        for committed in [false, true] {
            let world = book();
            let before: Vec<Value> =
                (6..=8).map(|n| contract(&world, n)["objectives"][0]["description"].clone()).collect();
            let now = with_sections(&world, order);
            world.write(&format!("book/{OUTLINE}"), &now);
            if committed {
                world.commit("book", "other nights first");
            }
            let head = world.subjects("book");
            let told = world.novel("book", &["continue"]).fails(3);
            assert!(told.stderr.contains("`novel chapter accept`"), "{told:#?}");
            assert_eq!(world.subjects("book"), head, "{order:?}");
            assert_eq!(status(&world)["next"], "novel chapter accept", "{order:?}");
            let _ = world.novel("book", &["chapter", "accept"]).ok();
            assert_eq!(world.read(&format!("book/{OUTLINE}")), now, "as the author has it");
            for (n, was) in (6..).zip(order) {
                let said = contract(&world, n)["objectives"][0]["description"].clone();
                assert_eq!(contract(&world, n)["chapter"], n, "{order:?}");
                if let Some(before) = was.checked_sub(6).map(|at| &before[at as usize]) {
                    assert_eq!(&said, before, "{order:?}: {n}");
                }
            }
            assert_eq!(status(&world)["next"], "novel continue", "{order:?}");
            let _ = world.novel("book", &["continue", "2"]).ok();
            let _ = world.novel("book", &["chapter", "accept"]).fails(1);
            world.check("book");
        }
    }
}

#[test]
fn contracts_of_sections_that_the_author_has_changed_are_asked_about_one_by_one() {
    let world = book();
    let outline = world.read(&format!("book/{OUTLINE}"));
    world.write(&format!("book/{OUTLINE}"), &outline.replace("- 冲突: ", "- 冲突: 灯灭了，"));
    world.commit("book", "darker nights");
    let own = contract(&world, 7);
    let _ = world.novel("book", &["decide", "derive"]).ok();
    assert_eq!(contract(&world, 7)["objectives"], own["objectives"], "nobody has asked about chapter 7");
    let _ = world.novel("book", &["continue"]).ok();
    assert_eq!(status(&world)["next"], "novel decide");
    let _ = world.novel("book", &["decide", "derive"]).ok();
    assert_ne!(contract(&world, 7)["objectives"], own["objectives"], "its section is another one");
}

#[test]
fn nothing_is_renumbered_or_renamed_below_candidates_that_wait() {
    let world = book();
    let _ = world.novel("book", &["continue", "--candidates", "2", "--choose"]).fails(3);
    let commands: [&[&str]; 2] = [&["chapter", "remove", "6"], &["character", "rename", "wen-xiaoman", "闻小月"]];
    for command in commands {
        let told = world.novel("book", command).fails(3);
        assert!(told.stderr.contains("novel decide"), "{told:#?}");
    }
}

#[test]
fn the_last_chapter_joined_to_the_one_before_takes_its_section_out_of_the_outline() {
    let world = book();
    let titles = |world: &World| -> Vec<String> {
        let outline = world.read(&format!("book/{OUTLINE}"));
        let heading = |line: &str| Some(line.strip_prefix("## ")?.split_once(' ')?.1.to_owned());
        outline.lines().filter_map(heading).collect()
    };
    let mut wanted = titles(&world);
    wanted.remove(4);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-006): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel("book", &["continue"]).fails(3);
    let joined = text(&world, 4) + text(&world, 5).split_once('\n').unwrap().1;
    world.write(&format!("book/{}", at(4)), &joined);
    std::fs::remove_file(world.path(&format!("book/{}", at(5)))).unwrap();
    let told = world.novel("book", &["--lang", "en", "chapter", "accept"]).ok();
    assert!(told.contains("ch-006"), "{told}");
    assert_eq!(titles(&world), wanted);
    accepted_again(&world);
    assert_eq!(status(&world)["inflight"]["chapter"], 5, "the draft goes on");
    let _ = world.novel("book", &["decide", "drop"]).ok();
    let _ = world.novel("book", &["rebuild", "4"]).ok();
    assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
    world.check("book");
}

#[test]
fn several_chapters_moved_at_once_have_their_new_numbers_in_their_headings() {
    let world = book();
    let before = scores(&world);
    git_mv(&world, &[(2, 9), (5, 2), (9, 5), (3, 9), (4, 3), (9, 4)]);
    taken_over(&world, &before, [1, 5, 4, 3, 2]);
    for n in 1..=5 {
        assert!(text(&world, n).starts_with(&format!("# 第{n}章 ")), "{}", text(&world, n));
    }
}

#[test]
fn a_section_inserted_by_hand_gets_the_fields_that_it_lacks() {
    for renumbered in [true, false] {
        let world = book();
        let outline = world.read(&format!("book/{OUTLINE}"));
        let (before, after) = outline.split_once("## 第7章").unwrap();
        let after = if renumbered { after.replace("## 第8章", "## 第9章") } else { after.to_owned() };
        let next = if renumbered { 8 } else { 7 };
        let new = "## 第7章 夜访\n\n- 地点: 灯塔\n- 冲突: 有人敲门\n\n";
        world.write(&format!("book/{OUTLINE}"), &format!("{before}{new}## 第{next}章{after}"));
        assert_eq!(status(&world)["next"], "novel chapter accept", "{renumbered}");
        let told = world.novel("book", &["--lang", "en", "chapter", "accept"]).ok();
        assert!(told.contains("viewpoint ") && !told.contains("灯塔"), "{told}");
        let outline = world.read(&format!("book/{OUTLINE}"));
        let section = outline.split("\n## ").find(|section| section.starts_with("第7章 夜访")).unwrap();
        for part in ["- 地点: 灯塔", "- 冲突: 有人敲门", "- 视角: ", "- 故事线: ", "- 伏笔: 无"] {
            assert_eq!(section.matches(part).count(), 1, "{part}: {section}");
        }
        assert_eq!(status(&world)["problems"], json!([]));
        assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
        let _ = world.novel("book", &["continue", "2"]).ok();
        assert!(text(&world, 7).starts_with("# 第7章 夜访"));
        world.check("book");
    }
}

#[test]
fn a_text_that_an_editor_saves_under_its_old_number_takes_no_other_chapters_place() {
    for (step, old, now) in [
        (&["chapter", "insert", "2", "--title", "夜访", "--file", "../night.md"][..], 4, 5),
        (&["chapter", "remove", "2"], 4, 3),
        (&["chapter", "remove", "2"], 5, 4),
    ] {
        let world = book();
        world.write("night.md", "# 夜访\n\n门开着。屋里没有人。\n\n灯还亮着。\n");
        let saved = text(&world, old) + "\n我又添了一句。\n";
        let _ = world.novel("book", step).ok();
        world.write(&format!("book/{}", at(old)), &saved);
        let told = status(&world);
        assert_eq!((&told["problems"][0]["path"], told["problems"].as_array().unwrap().len()), (&json!(at(old)), 1));
        assert!(!told["next"].as_str().unwrap().contains("git add"), "{told}");
        let head = world.subjects("book");
        let refused = world.novel("book", &["--lang", "en", "continue"]).fails(3).stderr;
        assert!(refused.contains(&format!("text of ch-{now:03}")), "{refused}");
        assert_eq!(world.subjects("book"), head);
        let command = refused.lines().find_map(|line| line.split_once(": `")?.1.strip_suffix('`')).unwrap().to_owned();
        world.copy("book", "meant");
        let run = std::process::Command::new("sh").args(["-c", &command]).current_dir(world.path("book")).status();
        assert!(run.unwrap().success(), "{command}");
        let _ = world.novel("book", &["rebuild", &now.to_string()]).ok();
        assert!(text(&world, now).contains("我又添了一句。"));
        assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
        let _ = world.git("meant", &["add", "--all"]).ok();
        world.commit("meant", "as I want it");
        assert!(!world.novel("meant", &["--lang", "en", "continue", "1"]).stderr.contains("text of ch-"));
    }
}

#[test]
fn a_text_without_a_heading_is_inserted_by_hand() {
    for (heading, title) in [("", "无题"), ("# 夜访\n\n", "夜访")] {
        let world = book();
        git_mv(&world, &[(5, 6), (4, 5), (3, 4)]);
        world.write(&format!("book/{}", at(3)), &format!("{heading}门开着。屋里没有人。\n\n灯还亮着。\n"));
        let _ = world.novel("book", &["chapter", "accept"]).ok();
        assert_eq!(text(&world, 3), format!("# 第3章 {title}\n\n门开着。屋里没有人。\n\n灯还亮着。\n"));
        assert!(world.read(&format!("book/{OUTLINE}")).contains(&format!("## 第3章 {title}\n")));
        assert_eq!(status(&world)["problems"], json!([]));
        assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
        world.check("book");
    }
}

#[test]
fn chapters_removed_by_hand_are_listed_as_they_were() {
    for is_committed in [false, true] {
        let world = book();
        let whole = world.git("book", &["rev-parse", "HEAD"]).ok().trim().to_owned();
        let removed = [text(&world, 1), text(&world, 3)];
        for n in [1, 3] {
            let _ = world.git("book", &["rm", "-q", &format!("*chapter-{n:03}*")]).ok();
        }
        if is_committed {
            world.commit("book", "without two nights");
        }
        let told = world.novel("book", &["--lang", "en", "status"]).ok();
        assert!(
            told.contains("ch-001, ch-003 removed; if so: novel chapter accept; if not: novel doctor --repair"),
            "{told}"
        );
        let _ = world.novel("book", &["chapter", "accept"]).ok();
        let kept = world.novel("book", &["restore", "--json"]).json()["kept"].as_array().unwrap().clone();
        let names = kept.iter().filter(|kept| kept["why"] == "removed").map(|kept| kept["name"].as_str().unwrap());
        let texts = names.clone().map(|name| world.novel("book", &["restore", name, "--print"]).ok());
        let texts: Vec<String> = texts.collect();
        assert_eq!(texts.len(), 2, "{is_committed}: {kept:?}");
        assert!(removed.iter().all(|text| texts.contains(text)), "{is_committed}: {texts:?}");
        // Each comes back with its records, of which the author has deleted all.
        names.for_each(|name| _ = world.novel("book", &["restore", name]).ok());
        let records = ["chapters", "summaries", "evaluations", "memory", "logs"];
        assert_eq!(world.git("book", &[&["diff", "--name-only", &whole, "--"], &records[..]].concat()).ok(), "");
    }
}
