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
    let _ = world.novel(BOOK, &["continue"]).ok();
    assert_eq!(found(&world, "unknown_storyline"), planned, "the chapter is written");
    world.write(OUTLINE, &world.read(OUTLINE).replace("clean-hand\n", &format!("{right}\n")));
    let _ = world.novel(BOOK, &["rebuild", "5"]).ok();
    assert_eq!(found(&world, "unknown_storyline"), Vec::<String>::new());
}

#[test]
fn a_name_that_two_people_have_is_told_with_their_files() {
    let world = world();
    assert_eq!(found(&world, "same_name"), Vec::<String>::new());
    change(&world, "lao-ge", "aliases", json!(["罗守拙"]));
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
    world.commit(BOOK, "pasted");
    assert_eq!(found(&world, "same_text").len(), 1);
    let said = world.novel(BOOK, &["doctor", "--repair", "--lang", "en"]).ok();
    assert!(said.contains("novel doctor --repair --yes") && world.read(three) != text, "{said}");
    let _ = world.novel(BOOK, &["doctor", "--repair", "--yes"]).ok();
    assert_eq!((world.read(three), found(&world, "same_text")), (text, Vec::new()));
    assert_eq!(world.novel(BOOK, &["status", "--json"]).json()["outdated"], json!([]));
    world.check(BOOK);
}
