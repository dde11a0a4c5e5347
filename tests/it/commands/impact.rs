//! The effects of a change, and bringing affected things up to date, by the offline planners.

use crate::common::World;
use serde_json::Value;
use std::collections::BTreeSet;

/// A book with a planned volume of ten chapters, two of them written.
pub(super) fn planned(world: &World) -> &'static str {
    let args = ["init", "book", "--title", "渡口", "--genre", "悬疑", "--protagonist", "沈渡，不会水的摆渡人"];
    let rest = ["--conflict", "一张对不上的舱单", "--words", "300-500", "--offline"];
    let _ = world.novel("", &[&args[..], &rest].concat()).ok();
    let _ = world.novel("book", &["world", "update"]).ok();
    let _ = world.novel("book", &["world", "theme"]).ok();
    let _ = world.novel("book", &["character", "first", "沈渡，不会水的摆渡人"]).ok();
    let _ = world.novel("book", &["plan", "make", "--chapters", "10"]).fails(3);
    let _ = world.novel("book", &["plan", "approve"]).ok();
    let _ = world.novel("book", &["continue", "2"]).ok();
    "book"
}

const RULES: &str = "book/world/rules.json";
pub(super) const OUTLINE: &str = "book/volumes/vol-01/outline.md";

/// Changes the words of a rule.
pub(super) fn reword(world: &World, id: &str, words: &str) {
    let mut rules: Value = serde_json::from_str(&world.read(RULES)).unwrap();
    let rule = rules["rules"].as_array_mut().unwrap().iter_mut().find(|rule| rule["id"] == id).unwrap();
    rule["rule"] = words.into();
    world.write(RULES, &format!("{rules:#}\n"));
}

/// Changes a line of a chapter's section.
pub(super) fn retell(world: &World, chapter: u32, field: &str, words: &str) {
    let outline = world.read(OUTLINE);
    let heading = format!("## 第{chapter}章");
    let (head, tail) = outline.split_once(&heading).unwrap();
    let line = tail.lines().find(|line| line.starts_with(&format!("- {field}"))).unwrap();
    world.write(OUTLINE, &format!("{head}{heading}{}", tail.replacen(line, &format!("- {field}: {words}"), 1)));
}

fn touched(report: &Value) -> Vec<(String, String)> {
    let path = |entry: &Value| {
        let path: Vec<&str> = entry["path"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
        (entry["id"].as_str().unwrap().to_owned(), path.join(" → "))
    };
    report["touched"].as_array().unwrap().iter().map(path).collect()
}

fn changed_files(world: &World, book: &str) -> BTreeSet<String> {
    world.git(book, &["diff", "--name-only", "HEAD~1", "HEAD"]).ok().lines().map(str::to_owned).collect()
}

#[test]
fn a_changed_rule_is_followed_to_what_hangs_on_it_and_nothing_is_written() {
    let world = World::new();
    let book = planned(&world);
    let head = world.git(book, &["rev-parse", "HEAD"]).ok();
    let clean = world.novel(book, &["--lang", "en", "impact"]).ok();
    assert!(clean.starts_with("no change since "), "{clean}");

    reword(&world, "W-002", "凡经手的东西都要留下两个人的名字");
    let before = world.git(book, &["status", "--porcelain"]).ok();
    let report = world.novel(book, &["impact", "--json"]).fails(3).json();
    assert_eq!(report["changes"], serde_json::json!([{"id": "W-002", "kind": "rule", "how": "changed"}]));
    let found = touched(&report);
    let owner = found.iter().find(|(id, _)| id.starts_with("C-")).unwrap();
    assert_eq!(owner.1, format!("W-002 → {}", owner.0));
    assert!(found.iter().any(|(id, path)| id.starts_with("ch-") && path.starts_with(&format!("{} → ", owner.1))));
    // The outline names the rule itself in chapter 8, so its people do not matter.
    assert!(found.contains(&("ch-008".to_owned(), "W-002 → ch-008".to_owned())), "{found:?}");
    let outline = world.read(OUTLINE);
    for entry in report["touched"].as_array().unwrap() {
        let Some(chapter) = entry["chapter"].as_u64() else { continue };
        assert_eq!(entry["written"], chapter <= 2, "{entry}");
        let section = outline.split(&format!("## 第{chapter}章")).nth(1).unwrap().split("\n## ").next().unwrap();
        let contract = world.read(&format!("book/volumes/vol-01/chapter-contracts/chapter-{chapter:03}.json"));
        assert!(section.contains("W-002") || contract.contains("W-002"), "{chapter} hangs on nothing: {section}");
    }
    let shown = world.novel(book, &["--lang", "zh", "--ids", "impact"]).fails(3).stdout;
    assert!(shown.contains("（W-002） →") && shown.contains("novel impact --regenerate"), "{shown}");
    assert_eq!(world.git(book, &["rev-parse", "HEAD"]).ok(), head, "looking changes nothing");
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), before);

    // A rule without a mention affects nothing.
    let _ = world.git(book, &["checkout", "-q", "."]).ok();
    let rules = world.read(RULES).replacen(
        "\"rules\": [",
        "\"rules\": [{\"id\": \"W-099\", \"rule\": \"无人提起\", \"category\": \"杂\", \"constraint_type\": \"soft\"},",
        1,
    );
    world.write(RULES, &rules);
    let report = world.novel(book, &["impact", "--json"]).ok();
    assert!(report.contains("W-099") && report.contains("\"touched\": []"), "{report}");
}

#[test]
fn what_is_touched_is_brought_up_to_date_and_everything_else_stays() {
    let world = World::new();
    let book = planned(&world);
    reword(&world, "W-002", "凡经手的东西都要留下两个人的名字");
    let report = world.novel(book, &["impact", "--json"]).fails(3).json();
    let open: Vec<&Value> = report["touched"].as_array().unwrap().iter().filter(|t| t["revise"] == true).collect();
    let chapters: Vec<u64> = open.iter().filter_map(|entry| entry["chapter"].as_u64()).collect();
    let before = world.read(OUTLINE);
    let done = world.novel(book, &["--json", "impact", "--regenerate", "--yes"]).ok();
    let done: Value = serde_json::from_str(done.lines().last().unwrap()).unwrap();
    assert_eq!(done["open"], 0);
    let log = world.subjects(book);
    assert!(log[0].starts_with("regenerate: what W-002 touches"), "{log:?}");
    assert!(log[1].starts_with("hand edit: world/rules.json"), "{log:?}");
    let sections = |text: &str| -> Vec<String> { text.split("\n## 第").skip(1).map(str::to_owned).collect() };
    let (old, new) = (sections(&before), sections(&world.read(OUTLINE)));
    let changed: Vec<u64> = (1..=10).filter(|n| old[*n as usize - 1] != new[*n as usize - 1]).collect();
    assert_eq!(changed, chapters);
    for file in changed_files(&world, book) {
        let is_known = file.starts_with("logs/plans/regenerate-") || file == ".checkpoint.json" || file == OUTLINE[5..];
        let contract = file.strip_prefix("volumes/vol-01/chapter-contracts/chapter-");
        let number: Option<u64> = contract.and_then(|rest| rest.strip_suffix(".json")).and_then(|n| n.parse().ok());
        let person = file.starts_with("characters/active/");
        assert!(is_known || person || number.is_some_and(|n| chapters.contains(&n)), "{file}");
    }
    let owner = open.iter().find_map(|entry| entry["path"][1].as_str().filter(|id| id.starts_with("C-"))).unwrap();
    let people = world.git(book, &["diff", "-U0", "HEAD~1", "HEAD", "--", "characters"]).ok();
    assert_eq!(people.lines().filter(|line| line.starts_with("+ ")).count(), 1, "{owner} alone: {people}");
    // It is settled now, and doing it again does nothing.
    let _ = world.novel(book, &["impact"]).ok();
    let again = world.novel(book, &["--lang", "en", "impact", "--regenerate", "--yes"]).ok();
    assert!(again.starts_with("no change since "), "{again}");
    let _ = world.novel(book, &["impact", "--regenerate", "--yes", "--since", "HEAD~2"]).ok();
    assert_eq!(world.subjects(book), log);
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    let _ = world.novel(book, &["continue", "1"]).ok();
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn an_edited_outline_needs_no_model_and_leaves_the_author_s_contracts_alone() {
    let world = World::new();
    let book = planned(&world);
    // No model can be asked: the book has no model, and the machine no key.
    let config = world.read("book/novel.toml").replacen("offline = true", "offline = false", 1);
    world.write("book/novel.toml", &config);
    let contract = |n: u32| format!("book/volumes/vol-01/chapter-contracts/chapter-{n:03}.json");
    let before: Vec<String> = (1..=10).map(|n| world.read(&contract(n))).collect();
    retell(&world, 5, "状态变化", "沈渡把舱单烧了");
    let report = world.novel(book, &["impact", "--json"]).fails(3).json();
    let found = touched(&report);
    assert!(found.contains(&("ch-005".to_owned(), "outline/ch-005 → ch-005".to_owned())), "{found:?}");
    let later = found.iter().find(|(id, _)| id != "ch-005").expect("somebody goes on from there").0.clone();
    let _ = world.novel(book, &["impact", "--regenerate", "--yes"]).ok();
    let changed: Vec<String> = (1..=10)
        .filter(|n| world.read(&contract(*n)) != before[*n as usize - 1])
        .map(|n| format!("ch-{n:03}"))
        .collect();
    assert_eq!(changed, found.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>());
    let number: u32 = later["ch-".len()..].parse().unwrap();
    assert!(world.read(&contract(number)).contains("沈渡把舱单烧了"), "{later} presupposes it now");

    // A contract that the author has changed stays, also beside a section that asks for something else: its chapter brings the question.
    let own = world.read(&contract(number)).replacen("在正文里演了出来", "要让读者听见水声", 1);
    world.write(&contract(number), &own);
    retell(&world, number, "人物弧光", "从怕水到不再怕");
    retell(&world, 5, "冲突", "沈渡要烧舱单，船主要他交出来");
    let report = world.novel(book, &["impact", "--json"]).fails(3).json();
    assert!(report["changes"].to_string().contains(&format!("contract/{later}")), "{report}");
    let _ = world.novel(book, &["impact", "--regenerate", "--yes"]).ok();
    assert_eq!(world.read(&contract(number)), own);
    let waits = world.novel(book, &["--lang", "en", "impact"]).ok();
    assert!(waits.contains(&later), "{waits}");
    retell(&world, 5, "冲突", "沈渡要烧舱单，船主要他吞下去");
    let _ = world.novel(book, &["impact", "--regenerate", "--yes"]).ok();
    assert!(world.read(&contract(number)).contains("要让读者听见水声"));
    assert!(world.read(&contract(5)).contains("船主要他吞下去"));

    // A rule is another matter.
    reword(&world, "W-002", "凡经手的东西都要留下两个人的名字");
    let refused = world.novel(book, &["impact", "--regenerate", "--yes"]).fails(4);
    assert!(!refused.stderr.is_empty());
    world.check(book);
}

#[test]
fn what_would_not_hold_together_is_refused_before_anybody_is_asked() {
    let world = World::new();
    let book = planned(&world);
    retell(&world, 6, "故事线", "no-such-line");
    let refused = world.novel(book, &["--lang", "en", "impact", "--regenerate", "--yes"]).fails(3);
    assert!(refused.stderr.contains("`no-such-line`, which is not in the schedule"), "{refused:#?}");
    assert!(refused.stderr.contains("volumes/vol-01/"), "{refused:#?}");
    assert!(world.subjects(book)[0].starts_with("hand edit: "), "the author's edit is kept, and nothing else is done");
    assert!(!world.git(book, &["for-each-ref", "refs/heads/draft"]).ok().contains("regenerate"));
    let nonsense = world.novel(book, &["--lang", "en", "impact", "--since", "nonsense"]).fails(1);
    assert!(nonsense.stderr.contains("no such commit: `nonsense`"), "{nonsense:#?}");
    let _ = world.novel(book, &["impact", "--since", "--nonsense"]).fails(2);
    world.write(OUTLINE, "# 空\n\n## 第一节\n");
    let broken = world.novel(book, &["--lang", "en", "impact"]).fails(1);
    assert!(broken.stderr.contains("outline.md"), "{broken:#?}");
    let before = world.subjects(book);
    let _ = world.novel(book, &["impact", "--regenerate", "--yes"]).fails(1);
    assert_eq!((world.subjects(book), world.read(OUTLINE)), (before, "# 空\n\n## 第一节\n".to_owned()));
}

#[test]
fn killed_at_any_point_it_is_finished_by_the_same_command() {
    let world = World::new();
    let book = planned(&world);
    reword(&world, "W-002", "凡经手的东西都要留下两个人的名字");
    world.copy(book, "whole");
    let _ = world.novel("whole", &["impact", "--regenerate", "--yes"]).ok();
    let expected = world.tree("whole");
    let points = ["draft.created", "draft.objects", "draft.moved", "txn.before_objects", "txn.after_cas", "close.kept"];
    let command = ["impact", "--regenerate", "--yes"];
    let mut places = world.places(book, &command);
    places.retain(|place| points.iter().any(|point| place.split('#').next() == Some(point)));
    assert!(places.len() >= 10, "{places:?}");
    for point in places {
        world.copy(book, "killed");
        world.dies("killed", &command, &point);
        let _ = world.novel("killed", &command).ok();
        assert_eq!(world.tree("killed"), expected, "{point}: the same book, and nobody asked twice");
        let _ = world.novel("killed", &["impact"]).ok();
        world.check("killed");
    }
}

#[test]
fn a_regeneration_beside_the_authors_own_contracts_holds_together() {
    // Every contract of the demo's plan is hand-written.
    let world = World::new();
    let book = world.demo_with(3);
    reword(&world, "W-001", "入夜以后，失物只能由写下它的人来领。");
    let contract = || world.read("book/volumes/vol-01/chapter-contracts/chapter-007.json");
    let before = contract();
    let _ = world.novel(book, &["impact", "--regenerate", "--yes"]).ok();
    assert_eq!(contract(), before, "what is not touched stays the author's");
    assert!(world.subjects(book)[0].starts_with("regenerate: what W-001 touches"));
    // The contracts beside sections that were written again are left to their author, and asked about when their chapters come.
    let left = world.novel(book, &["--lang", "en", "impact"]).ok();
    assert!(left.contains("you are asked then") && left.contains("novel impact --keep"), "{left}");
    let again = world.subjects(book).len();
    let _ = world.novel(book, &["impact", "--regenerate", "--yes"]).ok();
    assert_eq!(world.subjects(book).len(), again, "nothing is left for a model");
    let asked = world.novel(book, &["--lang", "en", "continue"]).fails(3);
    assert!(asked.stderr.contains("ch-004") && asked.stderr.contains("novel decide derive"), "{asked:#?}");
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

pub(super) const CONTRACT: &str = "book/volumes/vol-01/chapter-contracts/chapter-003.json";
pub(super) const THREADS: &str = "book/volumes/vol-01/foreshadowing.json";

/// Replaces the section of chapter 3 by one about something else, which plants the first thread that it planted before under no id.
pub(super) fn replace_third(world: &World) {
    retell(world, 3, "冲突", "三号船的锚链被人锯断，船上的人都说没听见");
    retell(world, 3, "状态变化", "锚链断了");
}

#[test]
fn a_chapter_is_written_under_the_contract_of_its_changed_section() {
    let world = World::new();
    let book = planned(&world);
    let before = world.read(CONTRACT);
    replace_third(&world);
    let status = world.novel(book, &["--lang", "en", "status"]).ok();
    assert!(status.contains("plans have changed") && status.contains("novel impact"), "{status}");
    let told = world.novel(book, &["--lang", "en", "continue", "1"]);
    assert!(told.stderr.contains("contracts derived again"), "{told:?}");
    let _ = told.ok();
    let log = world.subjects(book);
    assert!(log[0].starts_with("ch-003") && log[1].starts_with("regenerate: what outline/ch-003"), "{log:?}");
    let contract = world.read(CONTRACT);
    assert!(contract.contains("锚链被人锯断") && contract != before, "{contract}");
    let context = world.git(book, &["show", "HEAD~1:volumes/vol-01/chapter-contracts/chapter-003.json"]).ok();
    assert_eq!(context, contract, "before the chapter");
    let _ = world.novel(book, &["impact"]).ok();
    let status = world.novel(book, &["--lang", "en", "status"]).ok();
    assert!(!status.contains("plans have changed"), "{status}");
    let _ = world.novel(book, &["continue", "1"]).ok();
    assert!(world.subjects(book)[1].starts_with("ch-003"), "nothing is derived twice");
    world.check(book);
}

#[test]
fn a_thread_that_another_section_plants_is_planned_there() {
    let world = World::new();
    let book = planned(&world);
    let threads: Value = serde_json::from_str(&world.read(THREADS)).unwrap();
    let planted = |thread: &&Value| thread["planned_chapter"].as_u64().is_some_and(|chapter| chapter > 3);
    let list = threads["foreshadowing"].as_array().unwrap();
    let Some(thread) = list.iter().find(planted) else { panic!("{threads:#}") };
    let (id, chapter) = (thread["id"].as_str().unwrap(), thread["planned_chapter"].as_u64().unwrap() as u32);
    retell(&world, chapter, "伏笔", "无");
    retell(&world, 3, "伏笔", &format!("埋设 {id}：早了一步"));
    let _ = world.novel(book, &["continue", "1"]).ok();
    let threads: Value = serde_json::from_str(&world.read(THREADS)).unwrap();
    let thread = threads["foreshadowing"].as_array().unwrap().iter().find(|thread| thread["id"] == id).unwrap();
    assert_eq!(thread["planned_chapter"], 3, "{threads:#}");
}

#[test]
fn a_contract_of_the_author_s_beside_a_changed_section_is_asked_about() {
    let world = World::new();
    let book = planned(&world);
    let own = world.read(CONTRACT).replacen("\"description\": \"", "\"description\": \"作者自己的目标：", 1);
    world.write(CONTRACT, &own);
    replace_third(&world);
    let commits = world.subjects(book).len();
    let refused = world.novel(book, &["--lang", "en", "continue", "1"]).fails(3);
    assert!(refused.stderr.contains("novel decide derive") && refused.stderr.contains("--yes"), "{refused:?}");
    assert_eq!(world.subjects(book).len(), commits + 1, "the author's changes alone");
    let status = world.novel(book, &["status", "--json"]).ok();
    assert!(status.contains("\"next\": \"novel decide\""), "{status}");
    let asked = world.novel(book, &["decide", "--json"]).fails(3).json();
    assert_eq!(
        (&asked["data"]["about"], &asked["options"]),
        (&"contract".into(), &serde_json::json!(["derive", "keep"]))
    );
    world.copy(book, "derived");
    world.copy(book, "kept");

    let _ = world.novel("derived", &["decide", "derive"]).ok();
    let contract = world.read(&CONTRACT.replacen("book", "derived", 1));
    assert!(contract.contains("锚链被人锯断") && !contract.contains("作者自己的目标"), "{contract}");
    let _ = world.novel("derived", &["continue", "1"]).ok();

    let _ = world.novel("kept", &["decide", "keep"]).ok();
    assert_eq!(world.subjects("kept")[0], "contract kept: ch-003");
    let _ = world.novel("kept", &["continue", "1"]).ok();
    assert_eq!(world.read(&CONTRACT.replacen("book", "kept", 1)), own);

    let _ = world.novel(book, &["continue", "1", "--yes"]).ok();
    assert_eq!(world.read(CONTRACT), own);
    let _ = world.novel(book, &["decide"]).ok();
    world.check(book);
}

#[test]
fn what_a_model_would_write_again_is_told_with_its_price_and_stops_nothing() {
    let world = World::new();
    let book = planned(&world);
    reword(&world, "W-002", "凡经手的东西都要留下两个人的名字");
    let told = world.novel(book, &["--lang", "en", "continue", "1"]);
    assert!(told.stderr.contains("novel impact --regenerate · free"), "{told:?}");
    let _ = told.ok();
    let _ = world.novel(book, &["impact"]).fails(3);
}
