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
    // A slip with the alias 小满 in it.
    world.write(&chapter(3), &text.replace("闻小满", "文小满"));
    let _ = world.git(book, &[&AS_AUTHOR[..], &["slip with an alias in it"]].concat()).ok();
    let found = variants(&world.novel(book, &["--lang", "en", "check", "--json"]).json());
    let [(3, what)] = &found[..] else { panic!("{found:?}") };
    assert!(what.contains("is expected and never named") && what.contains("文小满"), "{what}");
    world.write(&chapter(3), &wrong);
    let _ = world.git(book, &[&AS_AUTHOR[..], &["slip again"]].concat()).ok();
    // The person is expected by the plan alone.
    let other = world.read(&chapter(2)).replace("程既白", "程继白");
    world.write(&chapter(2), &other.replace("既白", "继白"));
    let _ = world.git(book, &[&AS_AUTHOR[..], &["another slip"]].concat()).ok();
    let told = world.novel(book, &["--lang", "zh", "check"]).stdout;
    assert!(told.contains("该写到程既白，却一次也没有") && told.contains("「程继白」"), "{told}");
}

const PERSON: &str = "book/characters/active/wen-xiaoman.json";
const OTHER: &str = "book/characters/active/lao-ge.json";

/// Gives people other names by hand.
fn rename_by_hand(world: &World, path: &str, was: &str, is: &str) {
    let name = |name: &str| format!("\"display_name\": \"{name}\"");
    world.write(path, &world.read(path).replace(&name(was), &name(is)));
}

fn pending(world: &World, book: &str) -> Value {
    json(&world.novel(book, &["status", "--json"]).ok())["pending"].clone()
}

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
fn a_word_that_ends_with_the_surname_is_no_name_and_is_listed() {
    let world = World::new();
    let book = world.demo_with(3);
    let doubt = "他听闻小满那天下了雨，站台上没有人。";
    world.write(&chapter(3), &format!("{}\n{doubt}她看见闻小满。\n", world.read(&chapter(3))));
    let args = ["character", "rename", "wen-xiaoman", "闻小雨", "--in-chapters"];
    let dry = json(&world.novel(book, &[&args[..], &["--dry-run", "--json"]].concat()).ok());
    let of = dry["chapters"].as_array().unwrap().iter().find(|found| found["chapter"] == 3).unwrap();
    assert_eq!((&of["doubtful"], &of["doubtful_quotations"]), (&1.into(), &serde_json::json!([doubt])));
    let told = world.novel(book, &[&args[..], &["--dry-run"]].concat()).ok();
    assert!(told.contains(doubt), "{told}");
    let _ = world.novel(book, &[&args[..], &["--yes"]].concat()).ok();
    assert!(world.read(&chapter(3)).ends_with(&format!("{doubt}她看见闻小雨。\n")));
    let args = ["character", "rename", "wen-xiaoman", "闻小月", "--alias", "闻姑娘=月姑娘", "--alias", "老满=老月"];
    let told = world.novel(book, &args).fails(1).stderr;
    assert!(told.contains("闻姑娘") && !told.contains("月姑娘"), "names as they are: {told}");
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
    for name in ["2", "第三章", "第2卷", "冲突", "……"] {
        refused(&["wen-xiaoman", name], 2, "cannot be names");
    }
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

#[test]
fn a_name_of_one_character_is_renamed_away_and_texts_stay() {
    let world = World::new();
    let book = world.demo_with(2);
    let outline = "book/volumes/vol-01/outline.md";
    let _ = world.novel(book, &["character", "rename", "lao-ge", "葛", "--in-chapters", "--yes"]).ok();
    let pov = world.read(outline).replacen("- 视角: 闻小满", "- 视角: 葛", 1);
    world.write(outline, &format!("{pov}\n葛藤上墙。\n"));
    let chapters: Vec<String> = (1..=2).map(|n| world.read(&chapter(n))).collect();
    let told =
        world.novel(book, &["--lang", "zh", "character", "rename", "lao-ge", "葛望潮", "--in-chapters", "--yes"]);
    assert!(told.ok().contains("只有一个字"));
    let outline = world.read(outline);
    assert!(outline.contains("- 视角: 葛望潮\n") && outline.contains("葛藤上墙"), "{outline}");
    assert_eq!(
        (1..=2).map(|n| world.read(&chapter(n))).collect::<Vec<_>>(),
        chapters,
        "one character is in every text"
    );
    let pending = pending(&world, book).to_string();
    assert!(!pending.contains("character rename"), "{pending}");
    whole(&world, book);
}

#[test]
fn a_name_by_hand_that_no_file_follows_is_settled_by_the_command() {
    let world = World::new();
    let book = world.demo_with(1);
    // Nothing but the file of the person has the old name.
    let unused = world.read(OTHER).replace("lao-ge", "a-qi").replace("C-LAOGE", "C-AQI");
    let unused = unused.replace("老葛", "阿七").replace("葛师傅", "七师傅").replace("葛望潮", "欧阳七七");
    world.write("book/characters/active/a-qi.json", &unused);
    let _ = world.git(book, &["add", "."]).ok();
    let _ = world.git(book, &[&AS_AUTHOR[..], &["a person"]].concat()).ok();
    let _ = world.novel(book, &["character", "rename", "a-qi", "七"]).ok();
    let _ = world.novel(book, &["character", "rename", "a-qi", "欧阳十"]).ok();
    rename_by_hand(&world, "book/characters/active/a-qi.json", "欧阳十", "欧阳九");
    for _ in 0..2 {
        let _ = world.novel(book, &["character", "rename", "a-qi", "欧阳九"]).ok();
    }
    let pending = pending(&world, book).to_string();
    assert!(!pending.contains("character rename"), "{pending}");
    whole(&world, book);
}

#[test]
fn names_by_hand_that_are_empty_or_taken_or_exchanged_stop_the_next_call() {
    let world = World::new();
    let book = world.demo_with(1);
    let (first, second) = (world.read(PERSON), world.read(OTHER));
    let stops = |code: i32, words: &[&str]| {
        let told = world.novel(book, &["--lang", "en", "continue", "1"]).fails(code);
        assert!(words.iter().all(|word| told.stderr.contains(word)), "{words:?}: {told:?}");
        assert_eq!(world.subjects(book).iter().filter(|subject| subject.starts_with("ch-")).count(), 1);
    };
    rename_by_hand(&world, OTHER, "葛望潮", " ");
    stops(4, &["lao-ge.json", "no name"]);
    world.write(OTHER, &second);
    // Another one's name.
    rename_by_hand(&world, OTHER, "葛望潮", "闻小满");
    stops(1, &["wen-xiaoman", "novel character rename lao-ge NAME --in-chapters"]);
    let next = || json(&world.novel(book, &["--lang", "en", "status", "--json"]).ok())["next"].to_string();
    assert!(next().contains("novel character rename lao-ge NAME"), "{}", next());
    let impact = world.novel(book, &["--lang", "en", "impact"]).ok();
    assert!(impact.contains("so is wen-xiaoman") && !impact.contains("rename lao-ge 闻小满"), "{impact}");
    // The command that is named is taken.
    let _ = world.novel(book, &["character", "rename", "lao-ge", "葛大爷", "--in-chapters", "--yes"]).ok();
    assert_eq!(json(&world.read(OTHER))["former_names"], serde_json::json!(["葛望潮"]), "闻小满 is another one's");
    assert!(world.read(&chapter(1)).contains("闻小满"), "the other one's name stays");
    assert_eq!(pending(&world, book), serde_json::json!([]));
    let _ = world.novel(book, &["undo"]).ok();
    // Exchanged.
    world.write(OTHER, &second.replace("葛望潮", "闻小满"));
    world.write(PERSON, &first.replace("\"闻小满\"", "\"葛望潮\""));
    let way = [["lao-ge", "NAME"], ["wen-xiaoman", "葛望潮"], ["lao-ge", "闻小满"]];
    let commands = way.map(|[id, name]| format!("novel character rename {id} {name} --in-chapters"));
    stops(1, &commands.each_ref().map(String::as_str));
    assert!(commands.iter().all(|command| next().contains(command)), "{}", next());
    assert_eq!(pending(&world, book).as_array().unwrap().len(), 1, "told once");
    let refused = world.novel(book, &["--lang", "en", "character", "rename", "lao-ge", "闻小满"]).fails(1);
    assert!(refused.stderr.contains(&commands[0]), "{refused:?}");
    // Beside chapters in another order, too.
    let outline = world.read("book/volumes/vol-01/outline.md");
    let mut sections: Vec<&str> = outline.split("\n## ").collect();
    sections.swap(5, 6);
    world.write("book/volumes/vol-01/outline.md", &sections.join("\n## "));
    let refused = world.novel(book, &["--lang", "en", "chapter", "accept"]).fails(1);
    assert!(refused.stderr.contains(&commands[0]), "{refused:?}");
    world.write("book/volumes/vol-01/outline.md", &outline);
    // The way that is named is open.
    world.write(OTHER, &second);
    world.write(PERSON, &first);
    let before = world.read(&chapter(1));
    for [id, name] in way {
        let _ = world.novel(book, &["character", "rename", id, name, "--in-chapters", "--yes"]).ok();
    }
    let swapped = before.replace("闻小满", "@").replace("葛望潮", "闻小满").replace('@', "葛望潮");
    assert_eq!(world.read(&chapter(1)), swapped);
    assert_eq!(json(&world.read(PERSON))["former_names"], Value::Null);
    assert_eq!(json(&world.read(OTHER))["former_names"], serde_json::json!(["NAME"]));
    assert_eq!(pending(&world, book), serde_json::json!([]));
    let impact = json(&world.novel(book, &["impact", "--json"]).ok());
    assert_eq!(impact["changes"], serde_json::json!([]), "{impact}");
    whole(&world, book);
}

#[test]
fn a_name_of_before_is_free_once_no_file_means_the_person_by_it() {
    let world = World::new();
    let book = world.demo_with(2);
    let _ = world.novel(book, &["character", "rename", "wen-xiaoman", "林知秋"]).ok();
    let take = ["--lang", "en", "character", "rename", "lao-ge", "闻小满"];
    let refused = world.novel(book, &take).fails(1).stderr;
    assert!(refused.contains("an earlier name of 林知秋") && refused.contains("chapters/vol-01/"), "{refused}");
    assert!(refused.contains("novel character rename wen-xiaoman 林知秋 --in-chapters"), "{refused}");
    let list = world.novel(book, &["--lang", "en", "character", "list"]).ok();
    assert!(list.contains("formerly 闻小满"), "{list}");
    let _ = world.novel(book, &["character", "rename", "wen-xiaoman", "林知秋", "--in-chapters", "--yes"]).ok();
    let _ = world.novel(book, &take).ok();
    let people = json(&world.novel(book, &["character", "list", "--json"]).ok());
    let of = |id: &str| people["characters"].as_array().unwrap().iter().find(|it| it["id"] == id).unwrap().clone();
    assert_eq!((&of("lao-ge")["name"], &of("wen-xiaoman")["former_names"]), (&"闻小满".into(), &serde_json::json!([])));
    whole(&world, book);
}

#[test]
fn an_ordinary_word_is_replaced_after_a_question_and_labels_stay() {
    let world = World::new();
    let book = world.demo_with(2);
    let outline = "book/volumes/vol-01/outline.md";
    // Names by hand are not checked as typed ones are.
    for was in ["时候", "冲突"] {
        let person = json(&world.read(OTHER));
        let mut person = person.clone();
        person["former_names"] = serde_json::json!([was]);
        world.write(OTHER, &serde_json::to_string_pretty(&person).unwrap());
        world.write(outline, &format!("{}\n那个时候没有冲突。\n", world.read(outline)));
        let _ = world.git(book, &[&AS_AUTHOR[..], &["edit"]].concat()).ok();
        let (count, before) = (world.subjects(book).len(), world.read(outline));
        let rename = ["--lang", "en", "character", "rename", "lao-ge", "葛望潮"];
        let asked = world.novel(book, &rename).fails(3);
        let told = format!("{}{}", asked.stdout, asked.stderr);
        assert!(told.contains(&format!("{was} is an ordinary word too")), "{told}");
        assert_eq!(world.subjects(book).len(), count);
        let preview = json(&world.novel(book, &[&rename[..], &["--dry-run", "--json"]].concat()).ok());
        let found = &preview["common_words"][0];
        assert_eq!(found["word"], was);
        assert!(found["quotations"].as_array().unwrap().iter().all(|it| it.as_str().unwrap().contains(was)), "{found}");
        let _ = world.novel(book, &[&rename[..], &["--yes"]].concat()).ok();
        let after = world.read(outline);
        let kept = before.replace("- 冲突:", "@").replace(was, "葛望潮").replace('@', "- 冲突:");
        assert_eq!(after, kept);
        let _ = world.novel(book, &["undo"]).ok();
    }
    whole(&world, book);
}
