//! `novel doctor` on the story's own records: files that a run refuses, storylines and names, copies beside the book's files.

use crate::common::World;
use serde_json::{Value, json};

const BOOK: &str = "book";
const OUTLINE: &str = "book/volumes/vol-01/outline.md";

fn world() -> World {
    let world = World::new();
    let _ = world.demo_with(4);
    world
}

/// The findings of a kind.
fn found(world: &World, code: &str) -> Vec<String> {
    let said = world.novel(BOOK, &["doctor", "--json", "--lang", "en"]).json();
    let is_it = |finding: &&Value| finding["code"] == code && finding["repaired"] == false;
    let findings = said["findings"].as_array().unwrap().iter().filter(is_it);
    findings.map(|finding| finding["what"].as_str().unwrap().to_owned()).collect()
}

/// Changes a field of a character.
fn change(world: &World, id: &str, field: &str, value: Value) {
    let path = format!("book/characters/active/{id}.json");
    let mut person: Value = serde_json::from_str(&world.read(&path)).unwrap();
    person[field] = value;
    world.write(&path, &serde_json::to_string_pretty(&person).unwrap());
}

#[test]
fn a_prompt_that_the_next_run_refuses_is_a_problem() {
    let world = world();
    world.write("book/prompts/wirter/system.md", "写得好一点。\n");
    let _ = world.git(BOOK, &["add", "prompts"]).ok();
    world.commit(BOOK, "a prompt");
    let refusal = world.novel(BOOK, &["continue", "--lang", "en"]).fails(1).stderr;
    let said = world.novel(BOOK, &["doctor", "--lang", "en"]).fails(1).stdout;
    let named = "`prompts/wirter/system.md` does not correspond to any prompt";
    assert!(refusal.contains(named) && said.contains(&format!("problem: {named}")), "{said}");
    assert_eq!(found(&world, "bad_file").len(), 1);
}

#[test]
fn a_storyline_that_nothing_defines_is_named_before_and_after_its_chapter() {
    let world = world();
    let outline = world.read(OUTLINE);
    let five = outline.find("## 第5章").unwrap();
    let line = five + outline[five..].find("故事线: ").unwrap() + "故事线: ".len();
    let end = line + outline[line..].find('\n').unwrap();
    let right = outline[line..end].to_owned();
    world.write(OUTLINE, &format!("{}clean-hand{}", &outline[..line], &outline[end..]));
    world.commit(BOOK, "a slip");
    let planned = found(&world, "unknown_storyline");
    assert!(planned[0].contains("ch 5") && planned[0].contains("did you mean `clean-hands`?"), "{planned:?}");
    let storylines = world.read("book/storylines/storylines.json");
    world.write("book/storylines/storylines.json", &storylines.replace("clean-hands", "clean-hand"));
    // The contract of the demo is its author's own, and stays.
    let _ = world.novel(BOOK, &["continue", "--yes"]).ok();
    world.write("book/storylines/storylines.json", &storylines);
    assert_eq!(found(&world, "unknown_storyline"), planned, "the chapter is written");
    world.write(OUTLINE, &world.read(OUTLINE).replace("clean-hand\n", &format!("{right}\n")));
    let _ = world.novel(BOOK, &["rebuild", "5"]).ok();
    assert_eq!(found(&world, "unknown_storyline"), Vec::<String>::new());
}

#[test]
fn no_chapter_is_written_on_a_storyline_that_nothing_defines() {
    let world = world();
    let (outline, memory) = (world.read(OUTLINE), "book/storylines/clean-handz/memory.md");
    world.write(OUTLINE, &outline.replace("故事线: clean-hands", "故事线: clean-handz"));
    for _ in ["not committed", "committed"] {
        let refused = world.novel(BOOK, &["continue", "--lang", "en"]).fails(1).stderr;
        assert!(
            refused.contains("no such storyline: `clean-handz`") && refused.contains("novel storyline add"),
            "{refused}"
        );
        let status = world.novel(BOOK, &["status", "--lang", "zh"]).ok();
        assert!(status.contains("损坏") && status.contains("clean-handz"), "{status}");
        let _ = world.novel(BOOK, &["context", "5"]).fails(1);
        assert!(found(&world, "unknown_storyline")[0].contains("clean-handz"));
        // A problem, and no mere warning, because the next run stops at it.
        let _ = world.novel(BOOK, &["doctor"]).fails(1);
        assert!(found(&world, "bad_file")[0].contains("no such storyline: `clean-handz`"));
    }
    assert!(!world.path(memory).exists() && !world.path("book/chapters/vol-01/chapter-005.md").exists());
    world.write(OUTLINE, &outline);
    assert_eq!(found(&world, "unknown_storyline"), Vec::<String>::new());
    let _ = world.novel(BOOK, &["continue"]).ok();
    world.check(BOOK);
}

#[test]
fn a_prompt_that_is_not_committed_yet_is_a_problem_already() {
    let world = world();
    world.write("book/prompts/wrter.md", "写得好一点。\n");
    let said = world.novel(BOOK, &["doctor", "--lang", "en"]).fails(1).stdout;
    let status = world.novel(BOOK, &["status", "--lang", "en"]).ok();
    let refusal = world.novel(BOOK, &["continue", "--lang", "en"]).fails(1).stderr;
    let named = "`prompts/wrter.md` does not correspond to any prompt";
    assert!([said, status, refusal].iter().all(|text| text.contains(named)));
}

#[test]
fn a_folder_of_the_author_s_in_place_of_the_drafts_is_named_and_set_aside() {
    let world = world();
    world.write("book/staging/note.md", "我的\n");
    let refused = world.novel(BOOK, &["continue", "--lang", "en"]).fails(3).stderr;
    assert!(refused.contains("staging.aside"), "{refused}");
    assert_eq!(world.novel(BOOK, &["status", "--json"]).json()["next"], "novel doctor --repair");
    let named = found(&world, "in_the_way");
    assert!(named.len() == 1 && named[0].contains("book/staging"), "{named:?}");
    let _ = world.novel(BOOK, &["doctor", "--repair", "--yes"]).ok();
    assert_eq!(world.read("book/staging.aside/note.md"), "我的\n");
    let _ = world.novel(BOOK, &["continue"]).ok();
    world.check(BOOK);
}

#[test]
fn start_offers_no_step_that_a_broken_file_would_stop() {
    for path in ["prompts/wirter/system.md", "world/rules.json"] {
        let world = world();
        world.write(&format!("book/{path}"), "{\n");
        for is_committed in [false, true] {
            if is_committed {
                let _ = world.git(BOOK, &["add", "-A"]).ok();
                world.commit(BOOK, "a slip");
            }
            let refused = world.novel(BOOK, &["start", "--lang", "en"]);
            assert!(refused.code != 3 && refused.stderr.contains(path), "{refused:?}");
        }
    }
}

#[test]
fn what_git_has_checked_out_is_told_by_doctor_in_the_words_of_the_refusal() {
    let world = world();
    let branch = world.git(BOOK, &["rev-parse", "--abbrev-ref", "HEAD"]).ok().trim().to_owned();
    let _ = world.novel(BOOK, &["branch", "alt", "--from", "ch-002", "--switch"]).ok();
    let agree = |command: &str| {
        let refused = world.novel(BOOK, &["continue", "--lang", "en"]).fails(4).stderr;
        let reason = refused.lines().next().unwrap().strip_prefix("error: ").unwrap();
        let said = world.novel(BOOK, &["doctor", "--lang", "en"]).fails(1).stdout;
        assert!(said.contains(&format!("problem: {reason}")) && said.contains("[not_writable]"), "{said}");
        assert!(said.ends_with(&format!("next: {command}\n")) && refused.contains(command), "{said}");
    };
    let _ = world.git(BOOK, &["switch", "-q", &branch]).ok();
    agree("git switch alt");
    let _ = world.git(BOOK, &["switch", "-q", "--detach", "alt"]).ok();
    agree("git switch alt");
    let _ = world.git(BOOK, &["switch", "-q", "alt"]).ok();
    let _ = world.novel(BOOK, &["doctor"]).ok();
}

#[test]
fn a_delta_of_another_state_than_the_one_before_its_chapter_is_named_and_comes_back() {
    let world = world();
    let path = "book/state/deltas/vol-01/chapter-002-delta.json";
    let right = world.read(path);
    for wrong in ["7", "0"] {
        world.write(path, &right.replace("\"base_state_version\": 1", &format!("\"base_state_version\": {wrong}")));
        world.commit(BOOK, "a slip");
        let named = found(&world, "state_differs");
        assert!(named.len() == 1 && named[0].contains("chapter-002-delta.json: base_state_version"), "{named:?}");
        let _ = world.novel(BOOK, &["doctor", "--repair"]).ok();
        assert_eq!((world.read(path), found(&world, "state_differs")), (right.clone(), Vec::new()));
    }
    world.check(BOOK);
}

#[test]
fn deltas_name_the_state_before_them_after_an_own_chapter_has_been_read_or_a_chapter_has_gone() {
    let world = world();
    world.write("book/chapters/vol-01/chapter-005.md", "# 第5章 我写的\n\n陈河回到码头，雨停了。\n");
    let _ = world.git(BOOK, &["add", "chapters"]).ok();
    world.commit(BOOK, "my own chapter");
    let _ = world.novel(BOOK, &["continue", "--offline"]).ok();
    let _ = world.novel(BOOK, &["rebuild", "--offline"]).ok();
    assert_eq!(found(&world, "state_differs"), Vec::<String>::new());
    let _ = world.git(BOOK, &["rm", "-qr", "chapters/vol-01/chapter-002.md"]).ok();
    let _ = world.novel(BOOK, &["doctor", "--remove", "2"]).ok();
    assert_eq!(found(&world, "state_differs"), Vec::<String>::new());
}

#[test]
fn a_recorded_state_that_is_lost_is_made_again_by_replay() {
    for path in ["state/current-state.json", "foreshadowing/global.json"] {
        let world = world();
        crate::common::loosen(&world.path(BOOK));
        let id = world.git(BOOK, &["rev-parse", &format!("HEAD~2:{path}")]).ok();
        std::fs::remove_file(world.path(&format!("book/.git/objects/{}/{}", &id[..2], id[2..].trim()))).unwrap();
        assert_eq!(found(&world, "missing_object").len(), 1);
        let _ = world.novel(BOOK, &["rebuild", "--dry-run"]).ok();
        let _ = world.novel(BOOK, &["doctor", "--repair"]).ok();
        assert_eq!(found(&world, "missing_object"), Vec::<String>::new());
        let _ = world.novel(BOOK, &["rollback", "ch-002", "--yes"]).ok();
        world.check(BOOK);
    }
}

#[test]
fn folders_that_are_nested_too_deeply_are_named_with_the_one_to_move() {
    let world = world();
    let deep = format!("book/research/{}note.md", "d/".repeat(600));
    world.write(&deep, "想想。\n");
    for is_committed in [false, true] {
        if is_committed {
            let _ = world.git(BOOK, &["add", "research"]).ok();
            world.commit(BOOK, "deep");
        }
        for command in ["doctor", "status", "continue"] {
            let refused = world.novel(BOOK, &[command, "--lang", "en"]).fails(4).stderr;
            let hint = "move research/d/d/d out of the book";
            assert!(refused.contains(hint) && !refused.contains("novel doctor"), "{command}: {refused}");
        }
    }
    let _ = world.git(BOOK, &["rm", "-rq", "research/d"]).ok();
    world.commit(BOOK, "moved away");
    let _ = world.novel(BOOK, &["doctor"]).ok();
    let _ = world.novel(BOOK, &["continue"]).ok();
}

#[test]
fn a_name_that_two_people_have_is_told_with_their_files() {
    let world = world();
    assert_eq!(found(&world, "same_name"), Vec::<String>::new());
    change(&world, "lao-ge", "aliases", json!(["罗守拙"]));
    assert_eq!(found(&world, "same_name").len(), 1, "before the edit is committed");
    world.commit(BOOK, "a nickname");
    let shared = found(&world, "same_name");
    let files = ["characters/active/lao-ge.json", "characters/active/luo-zhangfang.json"];
    assert!(shared.len() == 1 && files.iter().all(|file| shared[0].contains(file)), "{shared:?}");
    assert!(shared[0].contains("`罗守拙`"), "{shared:?}");
    let said = world.novel(BOOK, &["doctor", "--lang", "zh"]).ok();
    assert!(said.contains("多个人物的名字"), "{said}");
}

#[test]
fn copies_beside_the_files_of_the_book_are_named_and_never_taken_up() {
    let world = world();
    let two = world.read("book/chapters/vol-01/chapter-002.md");
    let copies = [
        "chapters/vol-01/chapter-000.md",
        "chapters/vol-01/chapter-002 (1).md",
        "chapters/vol-01/chapter-002.sync-conflict-20260101-120000-ABCDEFG.md",
        "chapters/vol-01/chapter-003.5.md",
        "characters/active/lao-ge (1).json",
        "world/rules (Ann's conflicted copy 2026-01-02).json",
        "novel (Ann's conflicted copy).toml",
    ];
    for copy in copies {
        world.write(&format!("book/{copy}"), &two);
    }
    let in_git = [".git/index (conflicted copy)", ".git/refs/heads/main (1)"];
    std::fs::copy(world.path("book/.git/index"), world.path("book/.git/index (conflicted copy)")).unwrap();
    world.write("book/.git/refs/heads/main (1)", &world.git(BOOK, &["rev-parse", "HEAD"]).ok());
    // An author's own notes are no copies, and neither is what an editor leaves.
    world.write("book/volumes/vol-01/notes.md", "再想想。\n");
    world.write("book/chapters/vol-01/chapter-002.md~", &two);
    let told = found(&world, "stray_copy");
    assert_eq!(told.len(), copies.len() + in_git.len(), "{told:#?}");
    for copy in copies.iter().chain(&in_git) {
        assert!(told.iter().any(|what| what.starts_with(&format!("{copy} is "))), "{copy}: {told:#?}");
    }
    assert!(told.iter().any(|what| what.contains("compare it with chapters/vol-01/chapter-002.md")), "{told:#?}");
    let _ = world.novel(BOOK, &["continue"]).ok();
    let _ = world.novel(BOOK, &["doctor", "--repair", "--yes"]).ok();
    for copy in copies {
        assert_eq!(world.read(&format!("book/{copy}")), two);
        assert_eq!(world.git(BOOK, &["log", "--format=%s", "--", copy]).ok(), "", "{copy}");
    }
    assert_eq!(found(&world, "stray_copy"), told);
}

#[test]
fn a_chapter_that_was_pasted_over_gets_its_text_back() {
    let world = world();
    let three = "book/chapters/vol-01/chapter-003.md";
    let text = world.read(three);
    world.write(three, &world.read("book/chapters/vol-01/chapter-002.md"));
    assert_eq!(found(&world, "same_text").len(), 1, "before the edit is committed");
    world.commit(BOOK, "pasted");
    assert_eq!(found(&world, "same_text").len(), 1);
    let said = world.novel(BOOK, &["doctor", "--repair", "--lang", "en"]).ok();
    assert!(said.contains("novel doctor --repair --yes") && world.read(three) != text, "{said}");
    let _ = world.novel(BOOK, &["doctor", "--repair", "--yes"]).ok();
    assert_eq!((world.read(three), found(&world, "same_text")), (text, Vec::new()));
    assert_eq!(world.novel(BOOK, &["status", "--json"]).json()["outdated"], json!([]));
    world.check(BOOK);
}
