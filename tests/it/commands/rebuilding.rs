//! `novel rebuild` on a book of the offline writer: which chapters are outdated, what becomes of them, what relies on them.

use crate::common::World;
use serde_json::{Value, json};

const TWO: &str = "book/chapters/vol-01/chapter-002.md";
const BOOK: &str = "book";

/// The outdated chapters.
fn outdated(world: &World) -> Value {
    world.novel(BOOK, &["status", "--json"]).json()["outdated"].clone()
}

/// Replaces words in the second chapter.
fn edit(world: &World, from: &str, to: &str) {
    let text = world.read(TWO);
    assert!(text.contains(from), "`{from}` is not in the chapter");
    world.write(TWO, &text.replace(from, to));
}

/// The author's own git, which knows its user.
fn plain_git(world: &World, args: &[&str]) -> String {
    let user = ["-c", "user.name=作者", "-c", "user.email=a@example.org"];
    world.git(BOOK, &[&user[..], args].concat()).ok()
}

/// A sentence for the second chapter that its summary cannot have.
fn append(world: &World) {
    let text = world.read(TWO);
    world.write(TWO, &format!("{text}\n程既白把钥匙扔进了河里。\n"));
}

#[test]
fn an_edited_chapter_is_found_however_the_edit_was_committed() {
    type Way = (&'static str, fn(&World));
    let ways: [Way; 5] = [
        ("by git", |world| world.commit(BOOK, "mine")),
        ("by the next command", |world| _ = world.novel(BOOK, &["continue"]).ok()),
        ("as an amended commit", |world| {
            let _ = plain_git(world, &["commit", "-qa", "--amend", "--no-edit"]);
        }),
        ("on a branch that was merged", |world| {
            let _ = world.git(BOOK, &["switch", "-qc", "mine"]).ok();
            world.commit(BOOK, "mine");
            let _ = world.git(BOOK, &["switch", "-q", "-"]).ok();
            let _ = plain_git(world, &["merge", "-q", "--no-ff", "--no-edit", "mine"]);
        }),
        ("on a branch that was rebased", |world| {
            let _ = world.git(BOOK, &["switch", "-qc", "mine", "HEAD~1"]).ok();
            append(world);
            world.commit(BOOK, "mine");
            let _ = world.git(BOOK, &["switch", "-q", "-"]).ok();
            let _ = plain_git(world, &["rebase", "-q", "mine"]);
        }),
    ];
    for (name, commit) in ways {
        let world = World::new();
        let _ = world.demo_with(3);
        assert_eq!(outdated(&world), json!([]));
        if !name.contains("rebased") {
            append(&world);
        }
        commit(&world);
        assert_eq!(outdated(&world), json!([2]), "{name}");
        let told = world.novel(BOOK, &["status", "--lang", "zh"]).ok();
        assert!(told.contains("第 2 章的正文改过") && told.contains("novel rebuild"), "{told}");
        let found = world.novel(BOOK, &["doctor", "--json"]).json();
        let is_named =
            |finding: &Value| finding["code"] == "outdated" && finding["what"].to_string().contains("ch-002");
        assert!(found["findings"].as_array().unwrap().iter().any(is_named), "{name}: {found}");
        let text = world.read(TWO);
        let report = world.novel(BOOK, &["rebuild", "--json"]).json_lines().pop().unwrap();
        assert_eq!(report["status"], "completed", "{name}: {report}");
        assert_eq!(outdated(&world), json!([]), "{name}");
        assert_eq!(world.read(TWO), text);
        let _ = world.novel(BOOK, &["doctor"]).ok();
        world.check(BOOK);
    }
}

#[test]
fn a_rebuild_is_one_commit_that_leaves_texts_alone_and_can_be_taken_back() {
    let world = World::new();
    let _ = world.demo_with(4);
    append(&world);
    world.commit(BOOK, "mine");
    let before = world.tree(BOOK);
    let told = world.novel(BOOK, &["rebuild", "--lang", "zh"]).ok();
    assert!(told.contains("ch-002  正文改过  已重做摘要"), "{told}");
    let subjects = world.subjects(BOOK);
    assert_eq!(subjects[..2], ["rebuild: ch-002".to_owned(), "mine".to_owned()]);
    let files = world.git(BOOK, &["show", "--name-only", "--format=", "HEAD"]).ok();
    assert!(!files.contains("chapters/") && files.contains("summaries/vol-01/chapter-002-summary.md"), "{files}");
    assert!(files.lines().all(|file| !file.contains("chapter-003")), "{files}");
    // Once is enough.
    let again = world.novel(BOOK, &["rebuild", "--json"]).json_lines().pop().unwrap();
    assert_eq!((&again["status"], world.subjects(BOOK).len()), (&json!("up_to_date"), subjects.len()));
    let _ = world.novel(BOOK, &["undo"]).ok();
    assert_eq!(world.tree(BOOK), before);
    assert_eq!(outdated(&world), json!([2]));
}

#[test]
fn what_is_outdated_follows_every_step_of_the_book() {
    let world = World::new();
    let _ = world.demo_with(4);
    assert_eq!(outdated(&world), json!([]));
    append(&world);
    world.commit(BOOK, "mine");
    assert_eq!(outdated(&world), json!([2]));
    let mine = world.git(BOOK, &["rev-parse", "HEAD"]).ok();
    let _ = world.git(BOOK, &["reset", "-q", "--hard", "HEAD~1"]).ok();
    assert_eq!(outdated(&world), json!([]), "without the edit");
    let _ = world.git(BOOK, &["reset", "-q", "--hard", "ORIG_HEAD"]).ok();
    assert_eq!(outdated(&world), json!([2]), "with it again");
    let delta = "state/deltas/vol-01/chapter-003-delta.json";
    let _ = plain_git(&world, &["rm", "-q", delta]);
    let _ = plain_git(&world, &["commit", "-qm", "a delta is gone"]);
    assert_eq!(outdated(&world), json!([2, 3]));
    let _ = world.novel(BOOK, &["rollback", "ch-002", "--yes"]).ok();
    assert_eq!(outdated(&world), json!([]), "one text is the old one, one chapter is gone");
    // The program puts back what it lacks before it steps back.
    let _ = world.novel(BOOK, &["undo"]).ok();
    assert_eq!(outdated(&world), json!([2]));
    // The folders of the last answer may be gone for good.
    let _ = world.git(BOOK, &["reset", "-q", "--hard", mine.trim()]).ok();
    let _ = world.git(BOOK, &["reflog", "expire", "--expire=now", "--all"]).ok();
    let _ = world.git(BOOK, &["gc", "-q", "--prune=now"]).ok();
    assert_eq!(outdated(&world), json!([2]));
}

#[test]
fn another_wording_costs_no_call_and_other_words_do() {
    let world = World::new();
    let _ = world.demo_with(2);
    let text = world.read(TWO);
    let marks = text.replacen('，', "，便", 1);
    world.write(TWO, &marks);
    let plan = world.novel(BOOK, &["rebuild", "--dry-run", "--json"]).json();
    assert_eq!(plan["chapters"], json!([{"chapter": 2, "reason": "edited", "treatment": "note"}]), "{plan}");
    assert_eq!(plan["prices"]["rebuild"]["price"], "none");
    let _ = world.novel(BOOK, &["rebuild"]).ok();
    assert_eq!(outdated(&world), json!([]));
    let files = world.git(BOOK, &["show", "--name-only", "--format=", "HEAD"]).ok();
    // One word more in the book, and a delta that names the present text.
    assert_eq!(files.trim(), ".checkpoint.json\nstate/deltas/vol-01/chapter-002-delta.json");
    append(&world);
    let plan = world.novel(BOOK, &["rebuild", "--dry-run", "--json"]).json();
    assert_eq!(plan["chapters"][0]["treatment"], "summarize", "{plan}");
    // The author's word that it is wording counts.
    let _ = world.novel(BOOK, &["rebuild", "--wording"]).ok();
    assert_eq!(outdated(&world), json!([]));
    assert!(!world.git(BOOK, &["show", "--name-only", "--format=", "HEAD"]).ok().contains("summaries/"));
}

#[test]
fn a_dry_run_tells_the_effect_of_an_uncommitted_edit_and_writes_nothing() {
    let world = World::new();
    let _ = world.demo_with(6);
    edit(&world, "黄雨靴", "绿布鞋");
    let refs = world.git(BOOK, &["for-each-ref"]).ok();
    let plan = world.novel(BOOK, &["rebuild", "--dry-run", "--json"]).json();
    assert_eq!((&plan["status"], &plan["commit"]), (&json!("planned"), &Value::Null));
    assert_eq!(plan["chapters"][0]["reason"], "edited");
    assert_eq!(plan["prices"]["cascade"]["price"], "free");
    assert_eq!(world.git(BOOK, &["for-each-ref"]).ok(), refs);
    assert!(world.git(BOOK, &["status", "--porcelain"]).ok().contains("chapter-002.md"));
}

#[test]
fn later_chapters_that_repeat_words_which_are_gone_are_named_with_their_sentence() {
    let world = World::new();
    let _ = world.demo_with(6);
    edit(&world, "黄雨靴", "绿布鞋");
    let report = world.novel(BOOK, &["rebuild", "--json"]).json_lines().pop().unwrap();
    for relying in report["relying"].as_array().unwrap() {
        for point in relying["points"].as_array().unwrap().iter().filter(|point| point["kind"] == "words") {
            let chapter = relying["chapter"].as_u64().unwrap();
            let text = world.read(&format!("book/chapters/vol-01/chapter-{chapter:03}.md"));
            let sentence = point["sentence"].as_str().unwrap();
            assert!(text.contains(sentence) && sentence.contains(point["words"].as_str().unwrap()), "{point}");
        }
    }
    let said = |relying: &&Value| relying["points"].as_array().unwrap().iter().any(|point| point["kind"] == "words");
    let named: Vec<u64> =
        report["relying"].as_array().unwrap().iter().filter(said).map(|r| r["chapter"].as_u64().unwrap()).collect();
    for chapter in 3..=6 {
        let text = world.read(&format!("book/chapters/vol-01/chapter-{chapter:03}.md"));
        let body = text.split_once('\n').unwrap().1;
        assert_eq!(body.contains("黄雨靴"), named.contains(&chapter), "{chapter}: {report}");
    }
}

#[test]
fn a_cascade_summarises_the_chapters_that_rely_on_a_change_in_the_same_commit() {
    let world = World::new();
    let _ = world.demo_with(6);
    edit(&world, "黄雨靴", "绿布鞋");
    let plain = world.novel(BOOK, &["rebuild", "--json"]).json_lines().pop().unwrap();
    let relying: Vec<&Value> = plain["relying"].as_array().unwrap().iter().map(|r| &r["chapter"]).collect();
    assert!(!relying.is_empty());
    let _ = world.novel(BOOK, &["undo"]).ok();
    let whole = world.novel(BOOK, &["rebuild", "--cascade", "--json"]).json_lines().pop().unwrap();
    let rebuilt: Vec<&Value> = whole["chapters"].as_array().unwrap().iter().map(|c| &c["chapter"]).collect();
    assert!(relying.iter().all(|chapter| rebuilt.contains(chapter)), "{whole}");
    assert_eq!(whole["relying"], json!([]));
    assert!(world.subjects(BOOK)[0].starts_with("rebuild: ch-002, "));
    let _ = world.novel(BOOK, &["doctor"]).ok();
}

#[test]
fn chapters_that_the_book_does_not_have_are_refused_before_anything_is_done() {
    let world = World::new();
    let _ = world.demo_with(2);
    let said = world.novel(BOOK, &["rebuild", "7"]).fails(1);
    assert!(said.stderr.contains("ch-007"), "{said:#?}");
    let _ = world.novel(BOOK, &["rebuild", "--revise", "--cascade"]).fails(2);
    let _ = world.novel(BOOK, &["rebuild", "--wording", "--revise"]).fails(2);
}

#[test]
fn phrases_that_the_author_keeps_taking_out_are_proposed_and_put_on_the_list() {
    let world = World::new();
    let _ = world.demo_with(3);
    assert_eq!(world.novel(BOOK, &["style", "edits", "--json"]).json()["phrases"], json!([]));
    let path = |chapter: u32| format!("book/chapters/vol-01/chapter-{chapter:03}.md");
    for chapter in 1..=3 {
        world.write(&path(chapter), &format!("{}\n她袖口沾着一点灰，走了。\n", world.read(&path(chapter))));
    }
    world.commit(BOOK, "with the phrase");
    for chapter in 1..=3 {
        world.write(&path(chapter), &world.read(&path(chapter)).replace("袖口沾着一点灰，", ""));
        world.commit(BOOK, "without it");
    }
    let shown = world.novel(BOOK, &["style", "edits", "--json"]).json();
    assert_eq!(shown["phrases"], json!([{"phrase": "袖口沾着一点灰", "times": 3, "texts": 3}]), "{shown}");
    let told = world.novel(BOOK, &["rebuild", "--wording", "--lang", "zh"]).ok();
    assert!(told.contains("你反复删去 “袖口沾着一点灰”"), "{told}");
    let _ = world.novel(BOOK, &["style", "edits", "--take"]).ok();
    assert!(world.read("book/ai-blacklist.json").contains("袖口沾着一点灰"));
    assert_eq!(world.novel(BOOK, &["style", "edits", "--json"]).json()["phrases"], json!([]));
    world.check(BOOK);
}

#[test]
fn a_name_that_the_summary_to_come_brings_back_is_nothing_that_later_chapters_rely_on() {
    let world = World::new();
    let _ = world.demo_with(6);
    // The first chapter with a person is where the state has the name from.
    let one = "book/chapters/vol-01/chapter-001.md";
    let text = world.read(one);
    world.write(one, &format!("{text}\n雨停了，街上没有人。\n"));
    let plan = world.novel(BOOK, &["rebuild", "--dry-run", "--json"]).json();
    assert_eq!(plan["status"], "planned", "{plan}");
    let paths: Vec<&str> = plan["relying"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|chapter| chapter["points"].as_array().unwrap())
        .filter_map(|point| point["path"].as_str())
        .collect();
    assert!(!paths.is_empty() && paths.iter().all(|path| !path.ends_with(".display_name")), "{paths:?}");
    // People read what is relied on in words.
    for (lang, words) in [("zh", "伏笔 `own_handwriting`"), ("en", "plot thread `own_handwriting`")] {
        let plan = world.novel(BOOK, &["rebuild", "--dry-run", "--lang", lang]).ok();
        let is_raw = ["characters.", "display_name", "time_marker"].iter().any(|key| plan.contains(key));
        assert!(plan.contains(words) && plan.contains("闻小满") && !is_raw, "{plan}");
    }
}

/// A book of six chapters, the third and the character's file of which call 小满 by another name of two letters.
fn renamed() -> World {
    let world = World::new();
    let _ = world.demo_with(6);
    for path in ["book/chapters/vol-01/chapter-003.md", "book/characters/active/wen-xiaoman.json"] {
        world.write(path, &world.read(path).replace("小满", "小舟").replace("闻小舟", "小舟"));
    }
    for chapter in [4, 5, 6] {
        let path = format!("book/chapters/vol-01/chapter-00{chapter}.md");
        world.write(&path, &world.read(&path).replace("闻小满", "小满"));
    }
    world.commit(BOOK, "a name");
    let _ = world.novel(BOOK, &["rebuild", "--wording", "4,5,6"]).ok();
    world
}

#[test]
fn a_name_of_two_letters_that_was_changed_is_listed_whole() {
    let world = renamed();
    let report = world.novel(BOOK, &["rebuild", "--json"]).json_lines().pop().unwrap();
    let points = report["relying"].as_array().unwrap().iter().flat_map(|relying| relying["points"].as_array().unwrap());
    let words: Vec<&str> = points.filter_map(|point| point["words"].as_str()).collect();
    assert!(words.len() >= 3 && words.iter().all(|word| !word.contains('满') || *word == "小满"), "{words:?}");
    assert!(words.contains(&"小满"), "{words:?}");
}

#[test]
fn after_a_rebuild_the_next_command_puts_the_chapters_right_that_rely_on_it() {
    let world = renamed();
    let said = world.novel(BOOK, &["rebuild", "--lang", "zh"]).ok();
    assert!(said.contains("novel rebuild --revise"), "{said}");
    let plan = world.novel(BOOK, &["rebuild", "--cascade", "--dry-run", "--lang", "zh"]).ok();
    assert!(plan.contains("ch-004") && plan.contains("novel rebuild --cascade"), "{plan}");
    let report = world.novel(BOOK, &["rebuild", "--cascade", "--json"]).json_lines().pop().unwrap();
    let chapters: Vec<&Value> = report["chapters"].as_array().unwrap().iter().map(|one| &one["chapter"]).collect();
    assert!(report["status"] == "completed" && chapters.contains(&&json!(4)), "{report}");
    let again = world.novel(BOOK, &["rebuild", "--cascade", "--json"]).json_lines().pop().unwrap();
    assert_eq!(again["status"], "up_to_date", "{again}");
    // Their texts still have the old name, and a revision takes it out or says why a chapter is left.
    let report = world.novel(BOOK, &["rebuild", "--revise", "--json"]).json_lines().pop().unwrap();
    let mended = report["mended"].as_array().unwrap();
    let left = report["relying"].as_array().unwrap().iter();
    assert!(
        !mended.is_empty() && left.clone().all(|one| one["left"] == "not_mentioned" || one["left"] == "waits"),
        "{report}"
    );
    world.check(BOOK);
}
