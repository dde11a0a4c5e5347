//! Names of people: a wrong one throughout a chapter, and people who are renamed.

use crate::common::World;
use serde_json::Value;

const AS_AUTHOR: [&str; 6] = ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qam"];

fn chapter(n: u32) -> String {
    format!("book/chapters/vol-01/chapter-{n:03}.md")
}

#[test]
fn a_name_that_is_wrong_throughout_a_chapter_is_told() {
    let world = World::new();
    let book = world.demo_with(5);
    let text = world.read(&chapter(3));
    let wrong = text.replace("小满", "晓满");
    assert!(text.matches("小满").count() > 2 && wrong.contains("闻晓满"), "{text}");
    world.write(&chapter(3), &wrong);
    let _ = world.git(book, &[&AS_AUTHOR[..], &["slip"]].concat()).ok();
    let variants = |found: &Value| -> Vec<(u64, String)> {
        let found = found["findings"].as_array().unwrap().iter().filter(|finding| finding["sort"] == "variant");
        found.map(|finding| (finding["chapter"].as_u64().unwrap(), finding["what"].to_string())).collect()
    };
    let found = variants(&world.novel(book, &["--lang", "en", "check", "--json"]).json());
    let [(3, what)] = &found[..] else { panic!("{found:?}") };
    assert!(what.contains("is expected and never named"), "{what}");
    // The person is expected by the plan alone.
    let other = world.read(&chapter(2)).replace("程既白", "程继白");
    world.write(&chapter(2), &other.replace("既白", "继白"));
    let _ = world.git(book, &[&AS_AUTHOR[..], &["another slip"]].concat()).ok();
    let told = world.novel(book, &["--lang", "zh", "check"]).stdout;
    assert!(told.contains("该写到程既白，却一次也没有") && told.contains("「程继白」"), "{told}");
}

const PERSON: &str = "book/characters/active/wen-xiaoman.json";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The book is whole, and the replay of its deltas gives its state.
fn whole(world: &World, book: &str) {
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
}

/// The files of the book whose text has the words, without logs and deltas.
fn files_with(world: &World, book: &str, words: &str) -> Vec<String> {
    let found = world.git(book, &["grep", "-l", words, "HEAD", "--", ":!logs", ":!state/deltas"]).stdout;
    found.lines().map(|line| line.trim_start_matches("HEAD:").to_owned()).collect()
}

#[test]
fn a_person_is_renamed_in_plans_and_records_and_chapters_are_listed() {
    let world = World::new();
    let book = world.demo_with(4);
    let commits = world.subjects(book).len();
    let rename = ["character", "rename", "闻小满", "林知秋"];
    let preview = json(&world.novel(book, &[&rename[..], &["--dry-run", "--json"]].concat()).ok());
    assert_eq!((&preview["commit"], &preview["in_chapters"]), (&Value::Null, &Value::Bool(false)));
    let told = world.novel(book, &[&["--lang", "en"], &rename[..]].concat()).ok();
    assert_eq!(world.subjects(book).len(), commits + 1, "one transaction");
    assert!(told.contains("novel character rename wen-xiaoman 林知秋 --in-chapters"), "{told}");
    for found in preview["chapters"].as_array().unwrap() {
        let text = world.read(&chapter(found["chapter"].as_u64().unwrap() as u32));
        assert_eq!(found["count"].as_u64().unwrap() as usize, text.matches("闻小满").count());
        assert!(text.contains(found["quotation"].as_str().unwrap().trim_end_matches('…')), "{found}");
        assert!(told.contains(found["quotation"].as_str().unwrap()), "{told}");
    }
    let left = files_with(&world, book, "闻小满");
    let is_text = |path: &&String| !path.starts_with("chapters/") && !path.starts_with("evaluations/");
    assert_eq!(left.iter().filter(is_text).collect::<Vec<_>>(), ["characters/active/wen-xiaoman.json"], "{left:?}");
    let person = json(&world.read(PERSON));
    assert_eq!(person["display_name"], "林知秋");
    assert_eq!(person["former_names"], serde_json::json!(["闻小满"]));
    assert_eq!(person["aliases"][0], "小满", "aliases stay");
    whole(&world, book);
    let impact = json(&world.novel(book, &["impact", "--json"]).ok());
    assert_eq!((impact["changes"].as_array().unwrap().len(), &impact["open"]), (0, &Value::from(0)), "{impact}");
    let prompt = world.novel(book, &["context", "5"]).ok();
    assert!(prompt.contains("旧名闻小满（不再用，一律写林知秋）"), "{prompt}");
    // A second time there is nothing to be done.
    let again = json(&world.novel(book, &[&rename[..], &["--json"]].concat()).ok());
    assert_eq!((&again["files"], &again["commit"]), (&Value::from(0), &Value::Null));
    let _ = world.novel(book, &["continue", "1"]).ok();
    whole(&world, book);
    for _ in 0..2 {
        let _ = world.novel(book, &["undo"]).ok();
    }
    assert_eq!(json(&world.read(PERSON))["display_name"], "闻小满");
    whole(&world, book);
}

#[test]
fn chapters_change_on_request_and_longer_names_are_not_cut() {
    let world = World::new();
    let book = world.demo_with(4);
    // Another person's name, and one that no file has.
    let other = "book/characters/active/lao-ge.json";
    world.write(other, &world.read(other).replace("\"老葛\"", "\"老葛\", \"闻小满她舅\""));
    let text = world.read(&chapter(1));
    world.write(&chapter(1), &format!("{text}\n闻小满她舅来了。闻小满走了。小满说好。\n"));
    let _ = world.git(book, &[&AS_AUTHOR[..], &["edit"]].concat()).ok();
    let _ = world.novel(book, &["rebuild", "1", "--wording"]).ok();
    let before: Vec<String> = (1..=4).map(|n| world.read(&chapter(n))).collect();
    // The other person's new alias is an edit that plans have to follow, and stays one.
    let old = json(&world.novel(book, &["status", "--json"]).ok());
    assert_eq!(old["pending"].as_array().unwrap().len(), 1, "{old}");
    let words = old["totals"]["words"].as_u64().unwrap();
    let commits = world.subjects(book).len();
    let args = ["character", "rename", "wen-xiaoman", "林秋", "--alias", "小满=阿秋", "--in-chapters"];
    let asked = world.novel(book, &args).fails(3);
    assert!(asked.stderr.contains("--yes") && world.subjects(book).len() == commits, "{asked:?}");
    let told = world.novel(book, &[&args[..], &["--yes", "--json"]].concat()).ok();
    let told = json(told.lines().last().unwrap());
    assert_eq!((&told["longer"], &told["in_chapters"]), (&serde_json::json!(["闻小满她舅"]), &Value::Bool(true)));
    assert_eq!(world.subjects(book).len(), commits + 1, "one transaction");
    for (n, before) in (1..).zip(&before) {
        let new = before.replace("闻小满她舅", "@").replace("闻小满", "林秋").replace("小满", "阿秋");
        assert_eq!(world.read(&chapter(n)), new.replace('@', "闻小满她舅"));
    }
    let person = json(&world.read(PERSON));
    assert_eq!(person["former_names"], serde_json::json!(["闻小满", "小满"]));
    whole(&world, book);
    let status = json(&world.novel(book, &["status", "--json"]).ok());
    assert_eq!(status["outdated"], serde_json::json!([]), "summaries are of the texts");
    assert!(status["totals"]["words"].as_u64().unwrap() < words, "a shorter name");
    assert_eq!(status["pending"], old["pending"], "{status}");
    let scores =
        |status: &Value| status["chapters"].as_array().unwrap().iter().all(|chapter| !chapter["score"].is_null());
    assert!(scores(&status), "{status}");
    let _ = world.novel(book, &["continue", "1"]).ok();
    let _ = world.novel(book, &["show", "1", "--calls"]).ok();
    whole(&world, book);
    let _ = world.novel(book, &["undo"]).ok();
    let _ = world.novel(book, &["undo"]).ok();
    assert_eq!((1..=4).map(|n| world.read(&chapter(n))).collect::<Vec<_>>(), before);
    whole(&world, book);
}

#[test]
fn names_that_cannot_be_given_are_refused() {
    let world = World::new();
    let book = world.demo_with(1);
    let refused = |args: &[&str], code: i32, words: &str| {
        let found = world.novel(book, &[&["--lang", "en", "character", "rename"], args].concat()).fails(code);
        assert!(found.stderr.contains(words), "{found:?}");
    };
    refused(&["wen-xiaoman", "程既白"], 1, "is a name of 程既白 already");
    refused(&["wen-xiaoman", "老程"], 1, "is a name of 程既白 already");
    refused(&["wen-xiaoman", "林秋（阿秋）"], 2, "brackets");
    refused(&["wen-xiaoman", "林秋", "--alias", "阿满=阿秋"], 1, "小满");
    refused(&["wen-xiaoman", "林秋", "--alias", "阿满"], 2, "OLD=NEW");
    refused(&["没有人", "林秋"], 1, "novel character list");
}

#[test]
fn a_name_that_was_changed_by_hand_is_known_as_a_new_name() {
    let world = World::new();
    let book = world.demo_with(4);
    let by_hand = world.read(PERSON).replace("\"display_name\": \"闻小满\"", "\"display_name\": \"林知秋\"");
    world.write(PERSON, &by_hand);
    let impact = json(&world.novel(book, &["impact", "--json"]).ok());
    assert_eq!(impact["changes"], serde_json::json!([{"id": "wen-xiaoman", "kind": "character", "how": "renamed"}]));
    assert_eq!(impact["renames"][0]["from"], "闻小满");
    assert_eq!((&impact["open"], &impact["touched"]), (&Value::from(0), &serde_json::json!([])), "{impact}");
    let command = "novel character rename wen-xiaoman 林知秋";
    let shown = world.novel(book, &["--lang", "en", "impact"]).ok();
    assert!(shown.contains(command) && shown.contains("renamed"), "{shown}");
    let pending = |world: &World| json(&world.novel(book, &["status", "--json"]).ok())["pending"].clone();
    assert!(pending(&world)[0].as_str().unwrap().contains(&format!("{command} --in-chapters")), "{}", pending(&world));
    // The next run notes the old name, and writes the chapter under its plan.
    let told = world.novel(book, &["--lang", "zh", "continue", "1"]).fails(0);
    let told = told.stdout + &told.stderr;
    assert!(told.contains("「闻小满」改名「林知秋」"), "{told}");
    assert_eq!(json(&world.read(PERSON))["former_names"], serde_json::json!(["闻小满"]));
    whole(&world, book);
    assert!(pending(&world)[0].as_str().unwrap().contains(command), "until the rest has followed");
    let _ = world.novel(book, &["character", "rename", "wen-xiaoman", "林知秋", "--in-chapters", "--yes"]).ok();
    assert_eq!(files_with(&world, book, "闻小满"), ["characters/active/wen-xiaoman.json"]);
    assert_eq!(pending(&world), serde_json::json!([]));
    let impact = json(&world.novel(book, &["impact", "--json"]).ok());
    assert_eq!(impact["changes"], serde_json::json!([]));
    whole(&world, book);
}

#[test]
fn a_name_changed_in_a_commit_of_the_author_s_is_known_too() {
    let world = World::new();
    let book = world.demo_with(2);
    world.write(PERSON, &world.read(PERSON).replace("\"display_name\": \"闻小满\"", "\"display_name\": \"林知秋\""));
    let _ = world.git(book, &[&AS_AUTHOR[..], &["rename"]].concat()).ok();
    let preview =
        json(&world.novel(book, &["character", "rename", "wen-xiaoman", "林知秋", "--dry-run", "--json"]).ok());
    assert!(!preview["chapters"].as_array().unwrap().is_empty(), "{preview}");
    let _ = world.novel(book, &["continue", "1"]).ok();
    assert_eq!(json(&world.read(PERSON))["former_names"], serde_json::json!(["闻小满"]));
    whole(&world, book);
}

/// The questions of the status, and the changes that the plans have to follow.
fn questions(world: &World, book: &str) -> (Value, Value) {
    let impact = world.novel(book, &["impact", "--json"]).json();
    let status = world.novel(book, &["status", "--json"]).json();
    (status["pending"].clone(), impact["open"].clone())
}

#[test]
fn a_rollback_behind_a_new_name_takes_it_out_of_the_plans_too() {
    let world = World::new();
    let book = world.demo_with(5);
    let outline = "book/volumes/vol-01/outline.md";
    let before = world.read(outline);
    let _ = world.novel(book, &["character", "rename", "wen-xiaoman", "闻小月"]).ok();
    assert!(world.read(outline).contains("闻小月"));
    let edited = world.read(outline).replace("## 第8章 认领", "## 第8章 闻小月认领");
    world.write(outline, &edited);
    let _ = world.novel(book, &["rollback", "ch-004", "--yes"]).ok();
    assert_eq!(world.read(outline), before.replace("## 第8章 认领", "## 第8章 闻小满认领"), "edits stay");
    for folder in ["characters", "state", "storylines", "summaries", "volumes"] {
        let named = world.git(book, &["grep", "-l", "闻小月", "HEAD", "--", folder]);
        assert_eq!(named.stdout, "");
    }
    let told = world.novel(book, &["continue"]).ok();
    assert!(world.read(&chapter(5)).contains("闻小满"), "{told}");
    assert_eq!(world.novel(book, &["status", "--json"]).json()["renames"], Value::Null);
    let _ = world.novel(book, &["undo", "2"]).ok();
    assert!(world.read(outline).contains("闻小月"));
    let told = world.novel(book, &["rollback", "ch-004", "--dry-run", "--json"]).ok();
    assert!(told.contains("outline.md"), "{told}");
}

#[test]
fn plans_that_a_rollback_leaves_are_settled_as_they_were() {
    let world = World::new();
    let book = world.demo_with(5);
    let settled = questions(&world, book);
    for renames in [false, true] {
        if renames {
            let _ = world.novel(book, &["character", "rename", "wen-xiaoman", "闻小月"]).ok();
        }
        let _ = world.novel(book, &["chapter", "insert", "7", "--title", "夜访"]).ok();
        let _ = world.novel(book, &["rollback", "ch-004", "--yes"]).ok();
        assert_eq!(questions(&world, book), settled, "renamed: {renames}");
        let _ = world.novel(book, &["continue"]).ok();
    }
}
