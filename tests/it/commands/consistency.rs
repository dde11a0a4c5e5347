//! `novel check`: contradictions between chapters and records, planted one by one.

use crate::common::World;
use serde_json::{Value, json};

pub const LAST: &str = "book/chapters/vol-01/chapter-008.md";

/// A book whose eighth chapter was written after the author had noted who is dead, who holds the key and which day it is.
pub fn planted() -> World {
    let world = World::new();
    let book = world.demo_with(7);
    let path = "book/state/current-state.json";
    let mut state: Value = serde_json::from_str(&world.read(path)).unwrap();
    let people = &mut state["characters"];
    people["qin-yuanshan"] = json!({ "display_name": "秦远山", "status": "死于工地塌方" });
    people["cheng-jibai"]["inventory"] = json!(["没有齿的青铜钥匙"]);
    world.write(path, &format!("{state:#}\n"));
    // A person of a line that no chapter is on.
    let args = ["storyline", "add", "--name", "夜市", "--id", "night-market", "--about", "夜市里的旧账"];
    let _ = world.novel(book, &args).ok();
    let folder = "book/characters/active";
    let mut person: Value = serde_json::from_str(&world.read(&format!("{folder}/lao-ge.json"))).unwrap();
    for (key, value) in [("id", json!("bai-ji")), ("display_name", json!("白霁")), ("aliases", json!([]))] {
        person[key] = value;
    }
    person["storylines"] = json!(["night-market"]);
    person["contracts"] = json!([]);
    world.write(&format!("{folder}/bai-ji.json"), &format!("{person:#}\n"));
    world.write(&format!("{folder}/bai-ji.md"), "# 白霁\n\n夜市的管账人。\n");
    let _ = world.git(book, &["add", "characters/active"]).ok();
    let _ = world.novel(book, &["continue", "1", "--offline"]).ok();
    world
}

/// The findings once the last chapter says this, too: sort, weight, subject and quotation.
fn found(world: &World, text: &str) -> Vec<[String; 4]> {
    let chapter = world.read(LAST);
    world.write(LAST, &format!("{chapter}\n{text}\n"));
    world.commit("book", "words of the author");
    let report = world.novel("book", &["check", "8", "--json"]);
    world.write(LAST, &chapter);
    world.commit("book", "and without them");
    let report = report.json();
    let findings = report["findings"].as_array().unwrap().clone();
    let field = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    findings.iter().map(|f| ["sort", "weight", "subject", "quotation"].map(|key| field(f, key))).collect()
}

#[test]
fn planted_contradictions_are_found_and_the_story_itself_has_none() {
    let world = planted();
    assert_eq!(found(&world, "雨停了。"), Vec::<[String; 4]>::new());
    let cases = [
        ("秦远山低声说：“我还在。”", "dead", "conflict", "秦远山"),
        ("门外站着秦远山。", "dead", "conflict", "秦远山"),
        ("闻小满从怀里掏出没有齿的青铜钥匙。", "not-held", "doubt", "没有齿的青铜钥匙"),
        ("闻晓满推开门。", "variant", "doubt", "闻晓满"),
        ("有人提起白霁。", "leak", "doubt", "白霁"),
        ("“走。”“嗯。”“走！”", "quotes", "doubt", ""),
    ];
    for (text, sort, weight, subject) in cases {
        let text =
            if sort == "quotes" { text.replace('“', "「").replace('”', "」").repeat(2) } else { text.to_owned() };
        let found = found(&world, &text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        let [is, how_sure, about, quotation] = &found[0];
        assert_eq!((is.as_str(), how_sure.as_str(), about.as_str()), (sort, weight, subject), "{text}");
        assert!(text.starts_with(quotation.trim_end_matches('…')), "{quotation}");
    }
    for innocent in [
        "闻小满说：“秦远山说过的话，你还记得吗？”",
        "三年前，工地还没有塌。秦远山站在这里。",
        "程既白的没有齿的青铜钥匙还在柜里。",
    ] {
        assert_eq!(found(&world, innocent).iter().filter(|f| f[0] != "leak").count(), 0, "{innocent}");
    }
}

#[test]
fn findings_are_told_in_both_languages_and_by_the_exit_code() {
    let world = planted();
    let clean = world.novel("book", &["check", "--lang", "en"]);
    assert_eq!((clean.code, clean.stdout.as_str()), (0, "8 chapters checked; nothing contradicts the records\n"));
    let chapter = world.read(LAST);
    world.write(LAST, &format!("{chapter}\n秦远山低声说：“我还在。”\n"));
    let saved = world.novel("book", &["check", "--lang", "en"]);
    assert!(saved.code == 0 && saved.stderr.contains("uncommitted"), "{saved:#?}");
    world.commit("book", "the dead speak");
    let zh = world.novel("book", &["check", "--lang", "zh"]).fails(1).stdout;
    for words in
        ["ch-008", "冲突  秦远山已经死了（记录：死于工地塌方）", "「秦远山低声说：“我还在。”」", "novel rebuild 8"]
    {
        assert!(zh.contains(words), "no {words} in {zh}");
    }
    let en = world.novel("book", &["check", "--lang", "en"]).fails(1).stdout;
    assert!(en.contains("conflict  秦远山 is dead") && en.contains("1 in conflict, 0 doubtful"), "{en}");
    assert_eq!(world.novel("book", &["check", "1", "7"]).code, 0, "other chapters have nothing of it");
    assert_eq!(world.novel("book", &["check", "99"]).code, 1);
    assert!(world.git("book", &["status", "--porcelain"]).ok().is_empty());
}

#[test]
fn every_tenth_chapter_is_examined_and_a_contradiction_stops_the_run() {
    let world = planted();
    let chapter = world.read(LAST);
    world.write(LAST, &format!("{chapter}\n秦远山低声说：“我还在。”\n"));
    world.commit("book", "the dead speak");
    let outline = world.read("book/volumes/vol-01/outline.md");
    let (_, last) = outline.split_once("## 第8章").unwrap();
    let more: String = (9..=12).map(|n| format!("\n## 第{n}章{}", last.replace("回收", "推进"))).collect();
    world.write("book/volumes/vol-01/outline.md", &format!("{outline}{more}"));
    world.commit("book", "four more chapters");
    let run = world.novel("book", &["continue", "4", "--offline", "--lang", "en"]).fails(3);
    assert!(run.stderr.contains("stopped after ch-010: "), "{run:#?}");
    assert!(run.stderr.contains("ch-008") && run.stderr.contains("秦远山 is dead"), "{run:#?}");
    assert_eq!(world.git("book", &["tag", "--list", "ch-01*"]).ok().trim(), "ch-010");
    let _ = world.novel("book", &["continue", "2", "--offline"]).ok();
    assert_eq!(world.git("book", &["tag", "--list", "ch-01*"]).ok().lines().count(), 3);
    world.check("book");
}

#[test]
fn the_last_chapters_are_examined_to_the_same_end_without_the_history_before_them() {
    let world = World::new();
    let book = "book";
    let _ = world.novel("", &["demo", book, "--volumes", "2", "--chapters", "34"]).ok();
    let _ = world.novel(book, &["rollback", "ch-033", "-y"]).ok();
    let note = |id: &str, person: Value| {
        let path = "book/state/current-state.json";
        let mut state: Value = serde_json::from_str(&world.read(path)).unwrap();
        state["characters"][id] = person;
        world.write(path, &format!("{state:#}\n"));
    };
    note("qin-yuanshan", json!({ "display_name": "秦远山", "status": "死于工地塌方" }));
    let _ = world.novel(book, &["continue", "1", "--offline"]).ok();
    let last = "book/chapters/vol-02/chapter-034.md";
    // The chapter ends with a dream.
    world.write(last, &format!("{}\n* * *\n\n秦远山低声说：“我还在。”\n", world.read(last)));
    world.commit(book, "the dead speak");
    let of_the_last = |args: &[&str]| {
        let report = world.novel(book, &[&["check"], args, &["--json"]].concat()).fails(1).json();
        let mut findings = report["findings"].as_array().unwrap().clone();
        findings.retain(|finding| finding["chapter"] == 34);
        findings
    };
    let (part, whole) = (of_the_last(&["34"]), of_the_last(&["1"]));
    assert_eq!((part.len(), part[0]["sort"].as_str()), (1, Some("dead")));
    assert_eq!(part, whole);

    // Another fact in an early chapter is one of all chapters after it.
    let path = "book/state/deltas/vol-01/chapter-002-delta.json";
    let mut delta: Value = serde_json::from_str(&world.read(path)).unwrap();
    let ops = delta["ops"].as_array_mut().unwrap();
    ops.push(json!({"op": "set", "path": "characters.lu-qinghe.display_name", "value": "陆青禾"}));
    ops.push(json!({"op": "set", "path": "characters.lu-qinghe.status", "value": "死于火灾"}));
    world.write(path, &format!("{delta:#}\n"));
    note("lu-qinghe", json!({ "display_name": "陆青禾", "status": "死于火灾" }));
    world.write(last, &world.read(last).replace("我还在。”", "我还在。”\n\n陆青禾说：“我也在。”"));
    world.commit(book, "another one is dead");
    let (part, whole) = (of_the_last(&["34"]), of_the_last(&["1"]));
    assert_eq!(part.len(), 2, "{part:?}");
    assert_eq!(part, whole);
}

#[test]
fn a_waived_finding_is_counted_and_listed_no_longer() {
    let world = planted();
    let chapter = world.read(LAST);
    world.write(LAST, &format!("{chapter}\n秦远山低声说：“我还在。”\n闻晓满推开门。\n"));
    world.commit("book", "the dead speak");
    let report = world.novel("book", &["check", "--json"]).fails(1).stdout;
    let report: Value = serde_json::from_str(&report).unwrap();
    let ids: Vec<&str> = report["findings"].as_array().unwrap().iter().map(|f| f["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["ch-008/dead/秦远山", "ch-008/variant/闻晓满"]);
    let _ = world.novel("book", &["waive", ids[0], "--reason", "是鬼魂"]).ok();
    let _ = world.novel("book", &["waive", "all/variant/闻晓满", "--reason", "小名"]).ok();
    let clean = world.novel("book", &["check", "--lang", "en"]);
    let told = "8 chapters checked; nothing contradicts the records, 2 waived\n";
    assert_eq!((clean.code, clean.stdout.as_str()), (0, told));
    let list = world.novel("book", &["waive", "--lang", "zh"]).ok();
    assert!(
        list.contains("ch-008/dead/秦远山  是鬼魂") && list.contains("novel waive --remove all/variant/闻晓满"),
        "{list}"
    );
    // The chapter is told again, and the waivers are the author's own.
    let _ = world.novel("book", &["rollback", "ch-007", "-y"]).ok();
    assert!(world.read("book/waivers.json").contains("是鬼魂"));
    let _ = world.novel("book", &["undo"]).ok();
    let _ = world.novel("book", &["waive", "--remove", "all/variant/闻晓满"]).ok();
    let again = world.novel("book", &["check"]).fails(1).stdout;
    assert!(again.contains("闻晓满") && !again.contains("秦远山已经死了"), "{again}");
    world.check("book");
}
