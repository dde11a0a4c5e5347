//! Plans that the author changes by hand: every command says the same of them.

use super::impact::{CONTRACT, planned, replace_third, retell};
use crate::common::World;

const OUTLINE: &str = "book/volumes/vol-01/outline.md";

/// Gives chapter 6, whose contract is the author's own, another conflict.
fn change_section(world: &World) {
    let outline = world.read(OUTLINE);
    let (before, after) = outline.split_once("## 第6章").unwrap();
    let changed: Vec<&str> = after.split('\n').collect();
    let at = changed.iter().position(|line| line.starts_with("- 冲突")).unwrap();
    let after = [&changed[..at], &["- 冲突: 一封信到了，小满不敢拆"], &changed[at + 1..]].concat().join("\n");
    world.write(OUTLINE, &format!("{before}## 第6章{after}"));
}

fn next(world: &World, book: &str) -> String {
    world.novel(book, &["status", "--json"]).json()["next"].as_str().unwrap().to_owned()
}

#[test]
fn an_uncommitted_change_of_an_outline_is_asked_about_before_a_run() {
    let world = World::new();
    let book = world.demo_with(5);
    change_section(&world);
    let dry = world.novel(book, &["continue", "--dry-run"]).fails(3).stderr;
    assert!(dry.contains("novel decide derive"), "{dry}");
    let prompt = world.novel(book, &["context", "6", "--prompt"]);
    assert!(prompt.code == 0 && prompt.stdout.contains("一封信到了，小满不敢拆"), "{prompt:#?}");
    assert!(prompt.stderr.contains(dry.lines().next().unwrap().trim_start_matches("error: ")), "{prompt:#?}");
    assert_eq!(next(&world, book), "novel decide");
    let asked = world.novel(book, &["decide"]).fails(3);
    assert!(asked.stdout.contains("novel decide derive"), "{asked:#?}");
    let asked = world.novel(book, &["start"]).fails(3);
    assert!(asked.stdout.contains("derive"), "{asked:#?}");
    let _ = world.novel(book, &["decide", "derive"]).ok();
    assert_eq!(next(&world, book), "novel continue");
    let told = world.novel(book, &["--lang", "en", "continue"]).ok();
    assert!(!told.contains("another contract"), "{told}");
}

#[test]
fn a_dry_run_and_a_prompt_foresee_contracts_that_follow() {
    let world = World::new();
    let book = planned(&world);
    replace_third(&world);
    for is_committed in [false, true] {
        if is_committed {
            world.commit(book, "another third section");
        }
        let (commits, contract) = (world.subjects(book), world.read(CONTRACT));
        let dry = world.novel(book, &["--lang", "en", "continue", "--dry-run"]).ok();
        let derived = "contracts to be derived again first: ";
        assert!(dry.contains(derived), "{dry}");
        let prompt = world.novel(book, &["--lang", "en", "context", "3", "--prompt"]);
        assert!(prompt.stderr.contains(derived), "{prompt:#?}");
        let objective = prompt.stdout.lines().find(|line| line.contains("OBJ-003-1")).unwrap();
        assert!(objective.contains("锚链被人锯断"), "{objective}");
        assert_eq!((world.subjects(book), world.read(CONTRACT)), (commits, contract), "nothing is written");
    }
    let schedule = "book/volumes/vol-01/storyline-schedule.json";
    world.write(schedule, &(world.read(schedule) + "{"));
    let run = |args: &[&str]| world.novel(book, args).fails(4).stderr;
    assert_eq!(run(&["continue", "--dry-run"]), run(&["continue"]));
}

#[test]
fn a_dry_run_stops_at_files_that_are_gone_as_the_run_does() {
    let world = World::new();
    let book = planned(&world);
    let text = |n: u32| world.path(&format!("{book}/chapters/vol-01/chapter-{n:03}.md"));
    let run = |args: &[&str]| world.novel(book, args).fails(3).stderr;
    for (from, to) in [(text(1), text(9)), (world.path(&format!("{book}/world/rules.json")), world.path("aside"))] {
        std::fs::rename(&from, &to).unwrap();
        assert_eq!(run(&["continue", "--dry-run"]), run(&["continue"]));
        std::fs::rename(to, from).unwrap();
    }
    let _ = world.novel(book, &["continue", "--dry-run"]).ok();
}

#[test]
fn a_text_with_the_title_of_before_says_so() {
    let world = World::new();
    let book = world.demo_with(5);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-006): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["continue"]).fails(3);
    let outline = world.read(OUTLINE);
    let title = outline.lines().find_map(|line| line.strip_prefix("## 第6章 ")).unwrap();
    world.write(OUTLINE, &outline.replace(&format!("第6章 {title}"), "第6章 雨夜的借条"));
    let _ = world.novel(book, &["decide", "accept"]).ok();
    let told = world.novel(book, &["--lang", "en", "continue", "--yes"]);
    let said = format!("keeps the title {title}, and its section is called 雨夜的借条 now");
    assert!(told.code == 0 && told.stderr.contains(&said), "{told:#?}");
}

#[test]
fn a_draft_that_was_begun_under_another_contract_says_so() {
    let world = World::new();
    let book = world.demo_with(5);
    world.write("book/brief.md", &format!("{}\n离线评分(ch-006): 2.4\n", world.read("book/brief.md")));
    let _ = world.novel(book, &["continue"]).fails(3);
    change_section(&world);
    world.commit(book, "a letter");
    // Both questions can be answered, in either order.
    world.copy(book, "other");
    let told = world.novel("other", &["--lang", "en", "decide", "derive"]);
    assert!(told.code == 0 && told.stderr.contains("begun under another contract"), "{told:#?}");
    let _ = world.novel("other", &["decide", "accept"]).ok();
    assert!(world.subjects("other")[0].starts_with("regenerate: "), "{:?}", world.subjects("other"));
    let _ = world.novel(book, &["decide", "accept"]).ok();
    let _ = world.novel(book, &["continue"]).fails(3);
    let _ = world.novel(book, &["decide", "derive"]).ok();
    let told = world.novel(book, &["--lang", "en", "continue"]);
    assert!(told.stderr.contains("another contract") && told.stderr.contains("novel decide drop"), "{told:#?}");
}

#[test]
fn an_outline_that_a_commit_has_deleted_is_missed_by_every_command() {
    let world = World::new();
    let book = world.demo_with(5);
    let outline = world.read(OUTLINE);
    let _ = world.git(book, &["rm", "-q", "volumes/vol-01/outline.md"]).ok();
    world.commit(book, "no outline");
    assert_eq!(next(&world, book), "novel doctor --repair");
    let commands: [&[&str]; 4] = [&["start"], &["decide"], &["continue"], &["review"]];
    for command in commands {
        let told = world.novel(book, &[&["--lang", "en"], command].concat());
        assert!(told.code != 0 && told.stderr.contains("outline.md"), "{told:#?}");
        assert!(told.stderr.contains("novel doctor --repair"), "{told:#?}");
    }
    let _ = world.novel(book, &["doctor", "--repair", "--yes"]).ok();
    assert_eq!((world.read(OUTLINE), next(&world, book)), (outline, "novel continue".to_owned()));
}

#[test]
fn the_state_follows_a_delta_that_was_changed_by_hand() {
    for is_committed in [false, true] {
        let world = World::new();
        let book = world.demo_with(5);
        let path = "book/state/deltas/vol-01/chapter-003-delta.json";
        let mut delta: serde_json::Value = serde_json::from_str(&world.read(path)).unwrap();
        let op = serde_json::json!({"op": "set", "path": "characters.wen-xiaoman.injury", "value": "左手"});
        delta["ops"].as_array_mut().unwrap().push(op);
        world.write(path, &serde_json::to_string_pretty(&delta).unwrap());
        if is_committed {
            world.commit(book, "a wound");
            let told = world.novel(book, &["--lang", "en", "doctor"]);
            assert!(told.stdout.contains("state_differs"), "{told:#?}");
        }
        let _ = world.novel(book, &["continue"]).ok();
        assert!(world.read("book/state/current-state.json").contains("左手"), "committed: {is_committed}");
        assert!(!world.novel(book, &["--lang", "en", "history", "wen-xiaoman"]).ok().contains("(removed)"));
        let _ = world.novel(book, &["doctor"]).ok();
        world.check(book);
    }
}

#[test]
fn a_contract_that_was_changed_together_with_its_section_is_told() {
    let world = World::new();
    let book = world.demo_with(3);
    let contract = "book/volumes/vol-01/chapter-contracts/chapter-002.json";
    world.write(contract, &world.read(contract).replacen("\"description\": \"", "\"description\": \"灯还亮着，", 1));
    retell(&world, 2, "冲突", "三号船的锚链被人锯断，船上的人都说没听见");
    world.commit(book, "both");
    let told = world.novel(book, &["--lang", "en", "write", "2", "--force"]).stderr;
    assert!(told.contains("changed together") && told.contains("chapter-002.json"), "{told}");
    assert!(world.read(contract).contains("灯还亮着，"));
}
