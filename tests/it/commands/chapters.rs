//! Chapters that are inserted, moved, split, merged and removed, with everything that belongs to them.

use crate::common::World;
use serde_json::Value;

/// A demo of eight planned chapters, five of them written.
fn book(world: &World) -> &'static str {
    world.demo_with(5)
}

fn json(world: &World, path: &str) -> Value {
    serde_json::from_str(&world.read(path)).unwrap()
}

fn text(world: &World, book: &str, n: u32) -> String {
    world.read(&format!("{book}/chapters/vol-01/chapter-{n:03}.md"))
}

/// Titles by the texts, then by the outline.
fn titles(world: &World, book: &str) -> (Vec<String>, Vec<String>) {
    let heads = |text: &str, marks: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.strip_prefix(marks)).map(str::to_owned).collect()
    };
    let mut written = Vec::new();
    for n in 1.. {
        let path = world.path(&format!("{book}/chapters/vol-01/chapter-{n:03}.md"));
        let Ok(text) = std::fs::read_to_string(path) else { break };
        written.extend(heads(&text, "# "));
    }
    (written, heads(&world.read(&format!("{book}/volumes/vol-01/outline.md")), "## "))
}

fn status(world: &World, book: &str) -> Value {
    world.novel(book, &["status", "--json"]).json()
}

/// The book is whole, and the replay of its deltas gives its state.
fn whole(world: &World, book: &str) {
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
}

#[test]
fn a_planned_chapter_is_inserted_and_all_later_plans_follow() {
    let world = World::new();
    let book = book(&world);
    let contract = "book/volumes/vol-01/chapter-contracts/chapter-007.json";
    let (before, threads) = (json(&world, contract), json(&world, "book/volumes/vol-01/foreshadowing.json"));
    let preview = world.novel(book, &["chapter", "insert", "7", "--title", "夜访", "--dry-run", "--json"]).ok();
    assert!(preview.contains("\"commit\":null") || preview.contains("\"commit\": null"), "{preview}");
    let commits = world.subjects(book).len();
    let scheduled = || -> u64 {
        let schedule = json(&world, "book/volumes/vol-01/storyline-schedule.json");
        let lines = schedule["active_storylines"].as_array().unwrap();
        lines.iter().map(|line| line["target_chapters"].as_u64().unwrap()).sum()
    };
    let chapters = scheduled();
    let args = ["--lang", "en", "chapter", "insert", "7", "--title", "夜访", "--conflict", "门开着，屋里没有人"];
    let told = world.novel(book, &args).ok();
    assert!(told.contains("ch-007–ch-008 → ch-008–ch-009") && told.contains("novel undo"), "{told}");
    assert_eq!(world.subjects(book).len(), commits + 1, "one transaction");
    assert_eq!(scheduled(), chapters + 1, "the schedule counts the new chapter");
    let (_, sections) = titles(&world, book);
    assert_eq!(sections.len(), 9);
    assert!(sections[6].starts_with("第7章 夜访") && sections[8].starts_with("第9章"), "{sections:?}");
    let new = json(&world, contract);
    assert!(new["objectives"][0]["description"].as_str().unwrap().contains("屋里没有人"), "{new}");
    let moved = json(&world, &contract.replace("007", "008"));
    assert_eq!(moved["objectives"][0]["description"], before["objectives"][0]["description"], "the author's own words");
    assert_eq!(moved["objectives"][0]["id"], "OBJ-008-1");
    assert_eq!(moved["chapter"], 8);
    let ranges = |threads: &Value| -> Vec<(u64, u64)> {
        let range = |thread: &Value| {
            let ends = thread["target_resolve_range"].as_array()?;
            Some((ends[0].as_u64()?, ends[1].as_u64()?))
        };
        threads["foreshadowing"].as_array().unwrap().iter().filter_map(range).collect()
    };
    let shift = |n: u64| if n >= 7 { n + 1 } else { n };
    let shifted: Vec<(u64, u64)> = ranges(&threads).into_iter().map(|(a, b)| (shift(a), shift(b))).collect();
    assert_eq!(ranges(&json(&world, "book/volumes/vol-01/foreshadowing.json")), shifted);
    whole(&world, book);
    let _ = world.novel(book, &["impact"]).ok();
    let _ = world.novel(book, &["continue", "2"]).ok();
    assert!(text(&world, book, 7).starts_with("# 第7章 夜访"), "{}", text(&world, book, 7));
    whole(&world, book);
}

#[test]
fn a_text_of_the_author_s_is_inserted_and_has_no_other_chapter_s_score() {
    let world = World::new();
    let book = book(&world);
    let (old, before) = (status(&world, book), text(&world, book, 3));
    world.write("night.md", "# 夜访\n\n门开着。屋里没有人。\n\n灯还亮着。\n");
    let refused = world.novel(book, &["--lang", "en", "chapter", "insert", "3", "--title", "夜访"]).fails(1);
    assert!(refused.stderr.contains("--file"), "{refused:?}");
    let told =
        world.novel(book, &["chapter", "insert", "3", "--title", "夜访", "--file", "../night.md", "--json"]).ok();
    let told: Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    assert_eq!(told["rebuild"], serde_json::json!([3]));
    let (written, sections) = titles(&world, book);
    assert_eq!((written.len(), sections.len()), (6, 9));
    assert_eq!(written[2], "第3章 夜访");
    let old_title = before.lines().next().unwrap().replace("第3章", "第4章");
    assert_eq!(text(&world, book, 4), before.replacen(before.lines().next().unwrap(), &old_title, 1));
    let now = status(&world, book);
    assert_eq!(now["last_completed"], 6);
    let score = |status: &Value, n: usize| status["chapters"][n - 1]["score"].clone();
    assert_eq!(score(&now, 3), Value::Null, "{now:#}");
    for n in 3..=5 {
        assert_eq!(score(&now, n + 1), score(&old, n), "carried along");
    }
    assert_eq!(now["outdated"], serde_json::json!([3]), "only the new text is unread");
    assert_eq!(
        world.git(book, &["log", "-1", "--format=%s", "ch-004"]).ok().trim(),
        "ch-003: 黄雨靴",
        "accepted as the third"
    );
    let _ = world.novel(book, &["rebuild", "3"]).ok();
    whole(&world, book);
    let _ = world.novel(book, &["continue", "1"]).ok();
    assert_eq!(titles(&world, book).0.len(), 7);
    let _ = world.novel(book, &["show", "4", "--calls"]).ok();
    whole(&world, book);
    // Going back to a chapter leaves those before it as they are now.
    let _ = world.novel(book, &["rollback", "ch-004", "--yes"]).ok();
    let (written, _) = titles(&world, book);
    assert_eq!((written.len(), written[2].as_str()), (4, "第3章 夜访"));
    whole(&world, book);
}

#[test]
fn each_operation_is_one_transaction_that_undo_takes_back() {
    let world = World::new();
    let book = book(&world);
    let paragraph = text(&world, book, 2).lines().filter(|line| !line.is_empty()).nth(3).unwrap().to_owned();
    let words: String = paragraph.chars().take(12).collect();
    let tree = || world.git(book, &["rev-parse", "HEAD^{tree}"]).ok();
    let before = tree();
    let cases: [(&[&str], usize, usize); 7] = [
        (&["move", "4", "2"], 5, 8),
        (&["move", "2", "5"], 5, 8),
        (&["move", "8", "6"], 5, 8),
        (&["split", "2", "--title", "后半", "--before", &words], 6, 9),
        (&["merge", "2"], 4, 7),
        (&["remove", "2"], 4, 7),
        (&["remove", "8"], 5, 7),
    ];
    for (args, written, planned) in cases {
        let args = [&["chapter"], args].concat();
        let _ = world.novel(book, &args).ok();
        let (texts, sections) = titles(&world, book);
        assert_eq!((texts.len(), sections.len()), (written, planned), "{args:?}");
        for (n, title) in (1..).zip(&texts) {
            assert!(title.starts_with(&format!("第{n}章 ")), "{args:?}: {texts:?}");
        }
        for (n, title) in (1..).zip(&sections) {
            assert!(title.starts_with(&format!("第{n}章 ")), "{args:?}: {sections:?}");
        }
        whole(&world, book);
        let _ = world.novel(book, &["undo"]).ok();
        let left = world.git(book, &["diff", "--name-only", before.trim(), "HEAD"]).ok();
        assert!(matches!(left.trim(), "" | ".checkpoint.json"), "{args:?}: {left}");
        whole(&world, book);
    }
    // An operation that takes another one back brings back what that one has dropped or moved to a neighbour.
    let there_and_back: [(&[&str], &[&str]); 4] = [
        (&["move", "5", "1"], &["move", "1", "5"]),
        (&["split", "2", "--title", "后半", "--before", &words], &["merge", "2"]),
        (&["remove", "2"], &[]),
        (&["remove", "7"], &[]),
    ];
    for (there, back) in there_and_back {
        let _ = world.novel(book, &[&["chapter"], there].concat()).ok();
        let kept = world.novel(book, &["restore", "--json"]).json()["kept"].as_array().unwrap().clone();
        let removed = kept.iter().find(|kept| kept["why"] == "removed").map(|kept| kept["name"].as_str().unwrap());
        let back = removed.map_or_else(|| [&["chapter"], back].concat(), |name| vec!["restore", name]);
        let _ = world.novel(book, &back).ok();
        let left = world.git(book, &["diff", "--name-only", before.trim(), "HEAD"]).ok();
        assert!(matches!(left.trim(), "" | ".checkpoint.json"), "{there:?}: {left}");
        whole(&world, book);
    }
}

#[test]
fn merged_chapters_keep_all_that_they_say_and_cost() {
    let world = World::new();
    let book = book(&world);
    let (one, two) = (text(&world, book, 2), text(&world, book, 3));
    let state = json(&world, "book/state/current-state.json");
    let calls = |path: &str| json(&world, path)["stages"].as_array().unwrap().len();
    let paid = calls("book/logs/vol-01/chapter-002-log.json") + calls("book/logs/vol-01/chapter-003-log.json");
    let _ = world.novel(book, &["chapter", "merge", "2"]).ok();
    let merged = text(&world, book, 2);
    let body = |text: &str| text.split_once("\n\n").unwrap().1.trim().to_owned();
    assert!(merged.contains(&body(&one)) && merged.contains(&body(&two)));
    assert_eq!(calls("book/logs/vol-01/chapter-002-log.json"), paid);
    let now = json(&world, "book/state/current-state.json");
    for part in ["characters", "world_state", "active_foreshadowing"] {
        assert_eq!(now[part], state[part], "{part}");
    }
    assert_eq!(status(&world, book)["outdated"], serde_json::json!([2]));
    let _ = world.novel(book, &["rebuild", "2"]).ok();
    whole(&world, book);
}

#[test]
fn what_cannot_be_renumbered_is_refused_with_a_way_on() {
    let world = World::new();
    let book = book(&world);
    let mixed = world.novel(book, &["--lang", "en", "chapter", "move", "2", "7"]).fails(1);
    assert!(mixed.stderr.contains("only planned"), "{mixed:?}");
    for args in [&["remove", "40"][..], &["insert", "40", "--title", "夜访"], &["move", "2", "40"]] {
        let beyond = world.novel(book, &[&["--lang", "en", "chapter"], args].concat()).fails(1).stderr;
        assert!(beyond.contains("there is no ch-040: written and planned chapters end with chapter"), "{beyond}");
    }
    world.write("night.md", "门开着。屋里没有人。\n");
    let insert =
        |n| world.novel(book, &["--lang", "en", "chapter", "insert", n, "--title", "夜", "--file", "../night.md"]);
    let _ = insert("2").ok();
    for again in ["2", "3"] {
        let told = insert(again).fails(1).stderr;
        assert!(told.contains("ch-002 has this very text already"), "{told}");
    }
    let _ = world.novel(book, &["undo"]).ok();
    let nowhere = world.novel(book, &["chapter", "split", "2", "--title", "后半", "--before", "没有这一段"]).fails(1);
    assert!(nowhere.stderr.contains("--before"), "{nowhere:?}");
}

/// Renames files of chapters in the folder, and gives the last one its number by an editor alone.
fn shift_by_hand(world: &World, book: &str) {
    for n in (3..=5).rev() {
        let text = text(world, book, n);
        world.write(&format!("{book}/chapters/vol-01/chapter-{:03}.md", n + 1), &text);
    }
    world.write(&format!("{book}/chapters/vol-01/chapter-003.md"), "# 第3章 夜访\n\n门开着。屋里没有人。\n");
}

/// The text with the number in its heading, and the author's own bytes after that.
fn headed(n: u32, text: &str) -> String {
    let (_, rest) = text.split_once('章').unwrap();
    format!("# 第{n}章{rest}")
}

#[test]
fn a_chapter_put_in_by_hand_is_recognised_and_taken_over() {
    let world = World::new();
    let book = book(&world);
    let old = status(&world, book);
    shift_by_hand(&world, book);
    let commits = world.subjects(book).len();
    for command in [&["continue"][..], &["rebuild"], &["check"]] {
        let said = world.novel(book, &[&["--lang", "en"], command].concat());
        if command != ["check"] {
            assert_eq!(said.code, 3, "{said:?}");
            assert!(
                said.stderr.contains("novel chapter accept") && said.stderr.contains("inserted as ch-003"),
                "{said:?}"
            );
        }
        for word in ["git restore", "git checkout", "rollback"] {
            assert!(!said.stderr.contains(word) && !said.stdout.contains(word), "{said:?}");
        }
    }
    assert_eq!(world.subjects(book).len(), commits);
    let written: Vec<String> = (3..=6).map(|n| text(&world, book, n)).collect();
    let _ = world.novel(book, &["chapter", "accept"]).ok();
    for (n, written) in (3..=6).zip(&written) {
        assert_eq!(text(&world, book, n), headed(n, written));
    }
    let now = status(&world, book);
    assert_eq!(now["chapters"][2]["score"], Value::Null);
    assert_eq!(now["chapters"][3]["score"], old["chapters"][2]["score"]);
    assert_eq!(now["outdated"], serde_json::json!([3]));
    assert_eq!(titles(&world, book).1[2], "第3章 夜访");
    let _ = world.novel(book, &["rebuild", "3"]).ok();
    whole(&world, book);
    let _ = world.novel(book, &["chapter", "accept"]).fails(1);
}

#[test]
fn chapters_moved_by_git_are_recognised_and_taken_over() {
    let world = World::new();
    let book = book(&world);
    let at = |n: u32| format!("chapters/vol-01/chapter-{n:03}.md");
    for (from, to) in [(2, 9), (3, 2), (4, 3), (9, 4)] {
        let _ = world.git(book, &["mv", &at(from), &at(to)]).ok();
    }
    let said = world.novel(book, &["--lang", "en", "continue"]).fails(3);
    assert!(said.stderr.contains("ch-002 moved to ch-004"), "{said:?}");
    let moved = text(&world, book, 4);
    let _ = world.novel(book, &["chapter", "accept"]).ok();
    assert_eq!(text(&world, book, 4), headed(4, &moved));
    whole(&world, book);
    let _ = world.git(book, &["rm", "-q", &at(1)]).ok();
    for n in 2..=5 {
        let _ = world.git(book, &["mv", &at(n), &at(n - 1)]).ok();
    }
    let said = world.novel(book, &["--lang", "en", "continue"]).fails(3);
    assert!(said.stderr.contains("ch-001 removed"), "{said:?}");
    let _ = world.novel(book, &["chapter", "accept"]).ok();
    assert_eq!(status(&world, book)["last_completed"], 4);
    whole(&world, book);
}

#[test]
fn chapters_moved_by_commits_of_plain_git_are_offered_and_taken_over() {
    let world = World::new();
    let book = book(&world);
    let at = |n: u32| format!("chapters/vol-01/chapter-{n:03}.md");
    let old = status(&world, book);
    let offered = || world.novel(book, &["--lang", "en", "status"]).ok().contains("novel chapter accept");
    assert!(!offered());
    for (from, to) in [(2, 9), (3, 2), (4, 3), (9, 4)] {
        let _ = world.git(book, &["mv", &at(from), &at(to)]).ok();
    }
    world.commit(book, "the second night comes later");
    assert!(offered());
    let said = world.novel(book, &["--lang", "en", "continue"]).fails(3);
    assert!(said.stderr.contains("ch-002 moved to ch-004") && said.stderr.contains("novel rebuild"), "{said:?}");
    let moved = text(&world, book, 4);
    let _ = world.novel(book, &["chapter", "accept"]).ok();
    let now = status(&world, book);
    assert_eq!((text(&world, book, 4), &now["outdated"]), (headed(4, &moved), &serde_json::json!([])));
    assert_eq!(now["chapters"][3]["score"], old["chapters"][1]["score"], "carried along");
    assert!(!offered());
    whole(&world, book);
    shift_by_hand(&world, book);
    world.commit(book, "a night more");
    let _ = world.novel(book, &["chapter", "accept", "--dry-run"]).ok();
    let _ = world.novel(book, &["chapter", "accept"]).ok();
    let now = status(&world, book);
    assert_eq!((&now["last_completed"], &now["outdated"]), (&serde_json::json!(6), &serde_json::json!([3])));
    assert_eq!(titles(&world, book).1[2], "第3章 夜访");
    let _ = world.git(book, &["rm", "-q", &at(3)]).ok();
    for n in 4..=6 {
        let _ = world.git(book, &["mv", &at(n), &at(n - 1)]).ok();
    }
    world.commit(book, "and without it");
    let _ = world.novel(book, &["chapter", "accept"]).ok();
    let now = status(&world, book);
    assert_eq!((&now["last_completed"], &now["outdated"]), (&serde_json::json!(5), &serde_json::json!([])));
    whole(&world, book);
}

#[test]
fn no_repair_takes_chapters_that_were_moved_by_hand_for_damage() {
    for rearranges in [["5>6", "4>5", "3>4"], ["3>", "4>3", "5>4"]] {
        let world = World::new();
        let book = book(&world);
        let path = |n: &str| format!("chapters/vol-01/chapter-00{n}.md");
        for step in rearranges {
            match step.split_once('>').unwrap() {
                (from, "") => drop(world.git(book, &["rm", "-q", &path(from)]).ok()),
                (from, to) => drop(world.git(book, &["mv", &path(from), &path(to)]).ok()),
            }
        }
        if !world.path("book/chapters/vol-01/chapter-003.md").exists() {
            world.write("book/chapters/vol-01/chapter-003.md", "# 第3章 夜访\n\n门开着，屋里没有人。\n");
        }
        assert_eq!(status(&world, book)["next"], "novel chapter accept", "{rearranges:?}");
        let before: Vec<Option<String>> = (1..=6)
            .map(|n| std::fs::read_to_string(world.path(&format!("book/{}", path(&n.to_string())))).ok())
            .collect();
        let told = world.novel(book, &["--lang", "en", "doctor", "--repair", "--yes"]).fails(3);
        assert!(told.stderr.contains("novel chapter accept"), "{told:#?}");
        for (n, text) in (1..=6).zip(before) {
            let now = std::fs::read_to_string(world.path(&format!("book/{}", path(&n.to_string())))).ok();
            assert_eq!(now, text, "chapter {n} of {rearranges:?}");
        }
        let _ = world.novel(book, &["chapter", "accept"]).ok();
        assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    }
}

#[test]
fn a_written_chapter_is_not_inserted_without_a_text() {
    let world = World::new();
    let book = book(&world);
    world.write("empty.md", "# 第3章 夜访\n\n");
    let told = world.novel(book, &["chapter", "insert", "3", "--title", "夜访", "--file", "../empty.md"]).fails(1);
    assert!(told.stderr.contains("--file"), "{told:#?}");
    whole(&world, book);
}

#[test]
fn nothing_is_left_of_a_storyline_and_of_plans_for_a_chapter_that_is_gone() {
    let world = World::new();
    let book = world.demo_with(3);
    world.copy(book, "merged");
    let _ = world.novel("merged", &["chapter", "merge", "1"]).ok();
    let doctor = world.novel("merged", &["doctor", "--json"]).ok();
    assert!(!doctor.contains("state_differs"), "the other line's memory has gone with its chapter: {doctor}");

    let threads = |book: &str| -> Vec<serde_json::Value> {
        let plan = world.read(&format!("{book}/volumes/vol-01/foreshadowing.json"));
        let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
        plan["foreshadowing"].as_array().unwrap().clone()
    };
    let planted = |thread: &&serde_json::Value| thread["planned_chapter"] == 2;
    let gone: Vec<serde_json::Value> =
        threads(book).iter().filter(planted).map(|thread| thread["id"].clone()).collect();
    assert!(!gone.is_empty());
    let _ = world.novel(book, &["chapter", "remove", "8"]).ok();
    let advances = |thread: &serde_json::Value| thread["advance_chapters"].to_string().contains('8');
    assert!(!threads(book).iter().any(advances), "{:?}", threads(book));
    let _ = world.novel(book, &["chapter", "remove", "2"]).ok();
    let left = threads(book).into_iter().filter(|thread| gone.contains(&thread["id"]));
    assert!(left.clone().all(|thread| thread["planned_chapter"].is_null()), "{:?}", left.collect::<Vec<_>>());
    let told = world.novel(book, &["--lang", "en", "foreshadow"]).ok();
    assert!(!told.contains("novel write ch-002 --force"), "no other chapter is to be written anew for them: {told}");
}

#[test]
fn a_removed_chapter_is_listed_and_comes_back_to_its_place_with_its_section() {
    let world = World::new();
    let book = world.demo_with(4);
    let (chapters, section) = (titles(&world, book), |n: u32| -> String {
        let outline = world.read(&format!("{book}/volumes/vol-01/outline.md"));
        let section = outline.split("\n## ").find(|section| section.starts_with(&format!("第{n}章"))).unwrap();
        section.trim_end().to_owned()
    });
    let (before, was) = (text(&world, book, 2), section(2));
    let plan = world.novel(book, &["chapter", "remove", "2", "--dry-run", "--json"]).json();
    let done = world.novel(book, &["--lang", "en", "chapter", "remove", "2"]).ok();
    let unplanted = plan["unplanted"].as_array().unwrap();
    assert!(!unplanted.is_empty() && unplanted.iter().all(|thread| done.contains(thread["words"].as_str().unwrap())));
    assert!(done.contains("no chapter plants any more"), "{done}");
    let _ = world.novel(book, &["continue", "1"]).ok();
    let _ = world.novel(book, &["chapter", "move", "3", "1"]).ok();
    let kept = world.novel(book, &["restore", "--json"]).json()["kept"].as_array().unwrap().clone();
    let removed: Vec<&Value> = kept.iter().filter(|kept| kept["why"] == "removed").collect();
    assert_eq!(removed.len(), 1, "{kept:?}");
    let name = removed[0]["name"].as_str().unwrap();
    assert_eq!(world.novel(book, &["restore", name, "--print"]).ok(), before);
    let told = world.novel(book, &["--lang", "en", "restore", name]);
    assert!(told.stdout.contains("ch-003") && told.stderr.is_empty(), "its records are back: {told:#?}");
    let body = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    assert_eq!(body(&text(&world, book, 3)), body(&before));
    assert_eq!(section(3), was.replacen("第2章", "第3章", 1));
    assert_eq!(titles(&world, book).1.len(), chapters.1.len());
    let _ = world.novel(book, &["rebuild", "3"]).ok();
    whole(&world, book);
    let kept = world.novel(book, &["restore", "--json"]).ok();
    assert!(!kept.contains("\"removed\""), "the text is in the book again: {kept}");
    let again = world.novel(book, &["restore", name]);
    assert!(again.code == 1, "{again:#?}");
}
