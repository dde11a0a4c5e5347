//! Questions about the past of a fact: `state`, `history` and `blame`, and the cache behind them.

use crate::common::{Chance, World};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

const HERO: &str = "characters.wen-xiaoman";

fn answer(world: &World, book: &str, args: &[&str]) -> Value {
    let run = world.novel(book, &[args, &["--json"]].concat());
    assert_eq!(run.code, 0, "{args:?}: {run:#?}");
    run.json()
}

/// The state's file at a commit, without the version of its format.
fn committed(world: &World, book: &str, commit: &str) -> Value {
    let text = world.git(book, &["show", &format!("{commit}:state/current-state.json")]).ok();
    let mut state: Value = serde_json::from_str(&text).unwrap();
    state.as_object_mut().unwrap().shift_remove("schema_version");
    state
}

/// The value that the changes of a history lead to.
fn folded(history: &Value) -> Option<Value> {
    let mut tree = json!({"characters": {}, "world_state": {}, "active_foreshadowing": []});
    for change in history["changes"].as_array().unwrap() {
        let keys: Vec<&str> = change["path"].as_str().unwrap().split('.').collect();
        let (last, above) = keys.split_last().unwrap();
        let mut map = tree.as_object_mut().unwrap();
        for key in above {
            map = map.entry(*key).or_insert_with(|| Value::Object(Map::new())).as_object_mut().unwrap();
        }
        assert_eq!(map.get(*last).unwrap_or(&Value::Null), &change["old"], "{change}");
        match change["new"].is_null() {
            true => drop(map.shift_remove(*last)),
            false => drop(map.insert((*last).to_owned(), change["new"].clone())),
        }
    }
    let path = history["fact"].as_str().unwrap().replace('.', "/");
    tree.pointer(&format!("/{path}")).cloned()
}

/// Changes a value of the hero in the state's file, as an author would.
fn set_by_hand(world: &World, key: &str, value: &str) {
    let mut state: Value = serde_json::from_str(&world.read("book/state/current-state.json")).unwrap();
    state["characters"]["wen-xiaoman"][key] = json!(value);
    world.write("book/state/current-state.json", &format!("{state:#}\n"));
}

#[test]
fn the_state_is_told_as_it_was_at_any_chapter_volume_or_commit() {
    let world = World::new();
    let book = world.demo_with(4);
    for n in 1..=4 {
        let told = answer(&world, book, &["state", &format!("@ch-{n}")]);
        assert_eq!(told["value"], committed(&world, book, &format!("ch-{n:03}")), "chapter {n}");
        assert_eq!((&told["chapter"], &told["differs_from_commit"]), (&json!(n), &json!(false)));
    }
    let now = committed(&world, book, "HEAD");
    for typed in ["", "@", "@vol-1", "@HEAD", "@4"] {
        let args: &[&str] = if typed.is_empty() { &["state"] } else { &["state", typed] };
        assert_eq!(answer(&world, book, args)["value"], now, "{typed}");
    }
    // A plain value is a line that a script can use, whatever it is called by.
    let place = now["characters"]["wen-xiaoman"]["location"].as_str().unwrap();
    for typed in [&format!("{HERO}.location"), "wen-xiaoman.location", "闻小满.location", "小满.location@ch-4"] {
        assert_eq!(world.novel(book, &["state", typed]).ok(), format!("{place}\n"), "{typed}");
    }
    let hero = world.novel(book, &["--lang", "zh", "state", "闻小满"]).ok();
    assert!(hero.contains("人际关系\n") && hero.contains(&format!("位置：{place}\n")), "{hero}");
    let keys = world.novel(book, &["--lang", "zh", "--ids", "state", "闻小满"]).ok();
    assert!(keys.contains("relationships\n") && keys.contains(&format!("location：{place}\n")), "{keys}");
    let early = world.novel(book, &["--lang", "en", "state", "程既白@1"]).fails(1);
    assert_eq!(early.stdout, "");
    assert!(early.stderr.contains("`characters.cheng-jibai` does not exist at ch-001"), "{early:#?}");
    assert_eq!(world.novel(book, &["state", "程既白@1", "--json"]).fails(1).json()["value"], Value::Null);
}

#[test]
fn each_change_has_its_chapter_its_commit_and_a_sentence_of_that_chapter() {
    let world = World::new();
    let book = world.demo_with(5);
    let history = answer(&world, book, &["history", "闻小满", "-n", "99"]);
    assert_eq!(history["fact"], HERO);
    let mut found = 0;
    for change in history["changes"].as_array().unwrap() {
        let chapter = change["chapter"].as_u64().unwrap();
        let tag = world.git(book, &["rev-parse", &format!("ch-{chapter:03}")]).ok();
        assert_eq!(change["commit"], tag.trim());
        if let Some(sentence) = change["sentence"].as_str() {
            let text = world.read(&format!("book/chapters/vol-01/chapter-{chapter:03}.md"));
            assert!(text.contains(sentence), "{chapter}: {sentence}");
            if change["sentence_has"] == "value" {
                found += 1;
            }
        }
    }
    assert!(found >= 3, "{history:#}");
    assert_eq!(folded(&history), Some(committed(&world, book, "HEAD")["characters"]["wen-xiaoman"].clone()));
    let last = answer(&world, book, &["history", "闻小满", "-n", "2"]);
    let all = history["changes"].as_array().unwrap();
    assert_eq!(last["changes"].as_array().unwrap(), &all[all.len() - 2..]);
    let told = world.novel(book, &["--lang", "en", "history", "闻小满", "-n", "2"]).ok();
    assert!(told.starts_with(&format!("earlier changes: {} (show all: -n {})\n", all.len() - 2, all.len())), "{told}");
}

#[test]
fn a_plot_thread_is_told_from_its_planting_to_its_end() {
    let world = World::new();
    let book = world.demo_with(5);
    let history = answer(&world, book, &["history", "yellow_boot"]);
    let life: Vec<(u64, &str)> = history["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| (change["chapter"].as_u64().unwrap(), change["new"].as_str().unwrap()))
        .collect();
    assert_eq!(life, [(2, "planted"), (3, "advanced"), (4, "advanced")]);
    assert_eq!((&history["of"], &history["now"]), (&json!("foreshadowing"), &json!("advanced")));
    let at = |typed: &str| answer(&world, book, &["state", typed])["value"].clone();
    assert_eq!((&at("yellow_boot@2")["status"], &at("yellow_boot")["status"]), (&json!("planted"), &json!("advanced")));
    assert_eq!(at("yellow_boot@3")["history"].as_array().unwrap().len(), 2);
    let blamed = world.novel(book, &["--lang", "zh", "blame", "yellow_boot"]).ok();
    assert!(blamed.starts_with("yellow_boot = 推进\n  ch-004  "), "{blamed}");
    assert!(blamed.contains("记录：摘要员（offline）；正文：写手（offline）"), "{blamed}");
}

#[test]
fn an_edit_by_hand_is_a_change_with_its_author() {
    let world = World::new();
    let book = world.demo_with(2);
    set_by_hand(&world, "emotional_state", "决意");
    world.commit(book, "她想通了");
    let edit = world.git(book, &["rev-parse", "HEAD"]).ok();
    set_by_hand(&world, "keeps", "一把旧钥匙");
    let _ = world.novel(book, &["continue"]).ok();
    let history = answer(&world, book, &["history", "小满.emotional_state"]);
    let changes = history["changes"].as_array().unwrap();
    let by_hand = changes.iter().find(|change| change["chapter"].is_null()).unwrap();
    assert_eq!(
        (&by_hand["commit"], &by_hand["kind"], &by_hand["author"], &by_hand["new"], &by_hand["sentence"]),
        (&json!(edit.trim()), &json!("hand-edit"), &json!("A"), &json!("决意"), &Value::Null)
    );
    assert_eq!(changes.last().unwrap()["chapter"], 3, "chapter 3 sets it again: {history:#}");
    // The state at a chapter is that of its commit; what the author changed after it is not in it.
    assert_ne!(answer(&world, book, &["state", "小满.emotional_state@2"])["value"], "决意");
    assert_eq!(answer(&world, book, &["state", &format!("小满.emotional_state@{}", edit.trim())])["value"], "决意");
    let blamed = world.novel(book, &["--lang", "en", "blame", "小满.keeps"]).ok();
    assert!(blamed.starts_with(&format!("{HERO}.keeps = 一把旧钥匙\n  hand edit  ")), "{blamed}");
    let all = answer(&world, book, &["blame", "小满"]);
    let makers: BTreeSet<String> =
        all["lines"].as_array().unwrap().iter().map(|line| line["change"]["kind"].to_string()).collect();
    assert_eq!(makers, BTreeSet::from(["\"chapter\"".to_owned(), "\"hand-edit\"".to_owned()]));
}

#[test]
fn a_chapter_that_was_rolled_back_is_no_part_of_the_history() {
    let world = World::new();
    let book = world.demo_with(4);
    let before = answer(&world, book, &["history", "characters", "-n", "999"]);
    let _ = world.novel(book, &["rollback", "ch-2", "--yes"]).ok();
    let chapters = |history: &Value| -> BTreeSet<u64> {
        history["changes"].as_array().unwrap().iter().filter_map(|change| change["chapter"].as_u64()).collect()
    };
    assert_eq!(chapters(&before), BTreeSet::from([1, 2, 3, 4]));
    let after = answer(&world, book, &["history", "characters", "-n", "999"]);
    assert_eq!(chapters(&after), BTreeSet::from([1, 2]));
    let gone = world.novel(book, &["state", "@ch-3"]).fails(1);
    assert!(gone.stderr.contains("ch-003"), "{gone:#?}");
    let _ = world.novel(book, &["undo"]).ok();
    assert_eq!(answer(&world, book, &["history", "characters", "-n", "999"]), before);
}

#[test]
fn chapters_that_plain_git_has_put_together_have_the_commit_that_has_them_now() {
    let world = World::new();
    let book = world.demo_with(3);
    let before = answer(&world, book, &["history", HERO, "-n", "99"]);
    let _ = world.git(book, &["reset", "-q", "--soft", "ch-001"]).ok();
    world.commit(book, "两章合成一个提交");
    let squash = world.git(book, &["rev-parse", "HEAD"]).ok();
    let after = answer(&world, book, &["history", HERO, "-n", "99"]);
    let (old, new) = (before["changes"].as_array().unwrap(), after["changes"].as_array().unwrap());
    assert_eq!(old.len(), new.len());
    for (old, new) in old.iter().zip(new) {
        for key in ["chapter", "path", "old", "new", "sentence"] {
            assert_eq!(old[key], new[key]);
        }
        let wanted = if new["chapter"] == 1 { old["commit"].clone() } else { json!(squash.trim()) };
        assert_eq!(new["commit"], wanted, "{new}");
    }
}

#[test]
fn a_name_that_stands_for_nothing_says_what_was_perhaps_meant() {
    let world = World::new();
    let book = world.demo_with(2);
    let table = [
        ("characters.wen-xiaoman.locatoin", 1, "`characters.wen-xiaoman.location`"),
        ("wen-xioman", 1, "`wen-xiaoman`"),
        ("characters.nobody-here", 1, "novel state"),
        ("无人.location", 1, "novel state"),
        // A character of the book, of whom no chapter has noted anything yet.
        ("葛望潮", 1, "novel state"),
    ];
    for (typed, code, hint) in table {
        for command in ["state", "history", "blame"] {
            let run = world.novel(book, &["--lang", "en", command, typed]).fails(code);
            assert!(run.stderr.contains("hint: ") && run.stderr.contains(hint), "{command} {typed}: {run:#?}");
        }
    }
    for args in [&["state", "x@ch-99"][..], &["state", "@no-such-commit"]] {
        let _ = world.novel(book, args).fails(1);
    }
    let mut names: Value = serde_json::from_str(&world.read("book/characters/active/lao-ge.json")).unwrap();
    names["aliases"].as_array_mut().unwrap().push(json!("闻小满"));
    world.write("book/characters/active/lao-ge.json", &format!("{names:#}\n"));
    world.commit(book, "同名");
    let two = world.novel(book, &["--lang", "en", "state", "闻小满"]).fails(2);
    assert!(two.stderr.contains("`characters.lao-ge`, `characters.wen-xiaoman`"), "{two:#?}");
}

#[test]
fn fields_are_asked_for_by_the_words_that_they_are_shown_with() {
    let world = World::new();
    let book = world.demo_with(2);
    for command in ["state", "history", "blame"] {
        let by_key = world.novel(book, &[command, "characters.wen-xiaoman.location", "--json"]).ok();
        for typed in ["闻小满.位置", "人物.闻小满.位置"] {
            assert_eq!(world.novel(book, &[command, typed, "--json"]).ok(), by_key, "{command} {typed}");
        }
    }
}

#[test]
fn an_empty_book_has_a_state_and_no_past() {
    let world = World::new();
    let book = world.demo();
    assert_eq!(answer(&world, book, &["state"])["chapter"], Value::Null);
    assert_eq!(world.novel(book, &["state", "--json"]).json()["value"]["characters"], json!({}));
    let _ = world.novel(book, &["history", HERO]).fails(1);
    assert_eq!(answer(&world, book, &["history", "characters"])["changes"], json!([]));
}

const CACHE: &str = "book/.git/novel/replay";

#[test]
fn a_cache_that_is_stale_damaged_or_foreign_is_not_believed() {
    let world = World::new();
    let book = world.demo_with(3);
    let ask = || answer(&world, book, &["history", "characters", "-n", "999"]);
    let first = ask();
    let good = std::fs::read(world.path(CACHE)).unwrap();
    assert_eq!(ask(), first);
    assert_eq!(std::fs::read(world.path(CACHE)).unwrap(), good, "a cache of the present commit is not written again");
    let text = String::from_utf8(good.clone()).unwrap();
    let location = first["changes"][1]["new"].as_str().unwrap();
    let damages = [
        String::new(),
        text[..text.len() / 2].to_owned(),
        text.replacen(location, "别处别处别处别处", 1),
        text.replacen(' ', " 999", 1),
        "x\n".repeat(9),
    ];
    for damage in damages {
        assert_ne!(damage, text);
        std::fs::write(world.path(CACHE), &damage).unwrap();
        assert_eq!(ask(), first, "{damage}");
        assert_eq!(std::fs::read(world.path(CACHE)).unwrap(), good, "{damage}");
    }
    // The history goes on, goes back and is replaced under the cache.
    let fresh = |why: &str| {
        let (with, _) = (ask(), std::fs::remove_file(world.path(CACHE)).unwrap());
        assert_eq!(with, ask(), "{why}");
        with
    };
    let _ = world.novel(book, &["continue"]).ok();
    assert!(fresh("one more chapter")["total"].as_u64() > first["total"].as_u64());
    let _ = world.git(book, &["reset", "-q", "--hard", "ch-002"]).ok();
    assert!(fresh("reset")["total"].as_u64() < first["total"].as_u64());
    set_by_hand(&world, "emotional_state", "决意");
    let _ = world
        .git(book, &["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qa", "--amend", "-m", "amended"])
        .ok();
    fresh("amended");
    // A folder where the cache should be: there is no cache, and an answer all the same.
    std::fs::remove_file(world.path(CACHE)).unwrap();
    std::fs::create_dir(world.path(CACHE)).unwrap();
    let without = ask();
    std::fs::remove_dir(world.path(CACHE)).unwrap();
    assert_eq!(without, ask());
    world.check(book);
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
}

/// One thing that a program or an author does to a book of `chapters` chapters.
fn happen(world: &World, book: &str, chance: &mut Chance, step: u64, chapters: u64) -> String {
    let plain = |args: &[&str]| world.git(book, &[&["-c", "user.name=A", "-c", "user.email=a@b"], args].concat());
    let what = chance.below(9);
    let run = match what {
        0..=2 if chapters < 6 => world.novel(book, &["continue"]),
        3 if chapters > 1 => world.novel(book, &["rollback", &format!("ch-{}", 1 + chance.below(chapters)), "--yes"]),
        4 => world.novel(book, &["undo"]),
        5 => world.novel(book, &["redo"]),
        6 => {
            set_by_hand(world, "emotional_state", &format!("心情{step}"));
            if chance.below(2) == 0 { plain(&["commit", "-qam", "手改"]) } else { world.novel(book, &["continue"]) }
        }
        7 => plain(&["reset", "-q", "--hard", "HEAD~1"]),
        8 => {
            // A line of the author's own beside the book's, brought together.
            let _ = plain(&["switch", "-qc", &format!("side-{step}")]);
            set_by_hand(world, "keeps", &format!("东西{step}"));
            let _ = plain(&["commit", "-qam", "旁支"]);
            let _ = plain(&["switch", "-q", "-"]);
            plain(&["merge", "-q", "--no-ff", "-m", "合并", &format!("side-{step}")])
        }
        _ => world.novel(book, &["continue"]),
    };
    format!("{what}: {run:?}")
}

#[test]
fn after_any_history_the_answers_agree_with_what_is_committed() {
    for seed in [3, 11] {
        let world = World::new();
        let book = world.demo_with(2);
        let mut chance = Chance(seed);
        let mut compared = 0;
        for step in 0..16 {
            let chapters = answer(&world, book, &["state"])["chapter"].as_u64().unwrap_or(0);
            let did = happen(&world, book, &mut chance, step, chapters);
            let told = format!("seed {seed}, step {step}, {did}");
            let now = answer(&world, book, &["state"]);
            assert_eq!(now["value"], committed(&world, book, "HEAD"), "{told}");
            for fact in ["characters", "active_foreshadowing"] {
                let history = answer(&world, book, &["history", fact, "-n", "9999"]);
                assert_eq!(folded(&history).as_ref(), Some(&now["value"][fact]), "{told}: {fact}");
            }
            let history = answer(&world, book, &["history", "characters", "-n", "9999"]);
            std::fs::remove_file(world.path(CACHE)).unwrap();
            let again = answer(&world, book, &["history", "characters", "-n", "9999"]);
            assert_eq!(again, history, "{told}: without its cache");
            for n in 1..=now["chapter"].as_u64().unwrap_or(0) {
                let then = answer(&world, book, &["state", &format!("@ch-{n}")]);
                assert_eq!(then["differs_from_commit"], json!(false), "{told}: chapter {n}: {then:#}");
                assert_eq!(then["value"], committed(&world, book, then["commit"].as_str().unwrap()), "{told}");
                compared += 1;
            }
        }
        assert!(compared > 20, "{compared}");
        world.check(book);
    }
}

#[test]
fn programs_read_the_same_fields_in_both_languages() {
    let world = World::new();
    let book = world.demo_with(3);
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    for args in [&["state", "小满@2"][..], &["history", "小满"], &["blame", "小满"], &["history", "yellow_boot"]]
    {
        let [zh, en] = ["zh", "en"].map(|lang| answer(&world, book, &[&["--lang", lang], args].concat()));
        assert_eq!(zh, en, "{args:?}");
    }
    let change = "chapter commit kind subject author path old new detail sentence sentence_has models";
    assert_eq!(keys(&answer(&world, book, &["state"])), "version fact of chapter commit value differs_from_commit");
    let history = answer(&world, book, &["history", "小满"]);
    assert_eq!(keys(&history), "version fact of now total changes");
    assert_eq!(keys(&history["changes"][0]), change);
    let blame = answer(&world, book, &["blame", "小满"]);
    assert_eq!(keys(&blame), "version fact of lines");
    assert_eq!(
        (keys(&blame["lines"][0]), keys(&blame["lines"][0]["change"])),
        ("path value change".into(), change.into())
    );
}
