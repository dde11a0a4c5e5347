//! Storylines on demand.

use crate::common::World;
use serde_json::{Value, json};

fn lines(world: &World) -> Value {
    serde_json::from_str(&world.read("book/storylines/storylines.json")).unwrap()
}

fn status_of(world: &World, id: &str) -> Value {
    let lines = lines(world);
    let list = lines["storylines"].as_array().unwrap().clone();
    list.into_iter().find(|line| line["id"] == id).map_or(Value::Null, |line| line["status"].clone())
}

const WISH: [&str; 3] = ["storyline", "add", "《末班车》：秦远山查三年前失踪的乘客"];

#[test]
fn a_wish_becomes_a_planned_line_and_the_notes_that_were_shown_are_named() {
    let world = World::new();
    let book = world.demo_with(1);
    for n in 1..=8 {
        world.write(&format!("book/research/a-{n}.md"), "城里的旧规矩\n");
    }
    world.write("book/research/列车.md", "末班车的乘客要在终点清点\n");
    world.write("book/research/草稿.txt", "末班车\n");
    let done = world.novel(book, &WISH).ok();
    assert!(done.contains("storyline: 末班车"), "{done}");
    let body = world.git(book, &["log", "-1", "--format=%B"]).ok();
    let notes: Vec<&str> = body.lines().filter(|line| line.starts_with("资料: ")).collect();
    assert!(notes.len() == 6 && notes[0] == "资料: research/列车.md", "{body}");
    assert!(body.contains("Novel-Kind: plan") && body.contains("Novel-Step: storyline"), "{body}");
    let all = lines(&world);
    let line = all["storylines"].as_array().unwrap().last().unwrap();
    assert_eq!((&line["id"], &line["status"]), (&json!("mo-ban-che"), &json!("planned")));
    assert_eq!(line["pov_characters"], json!(["秦远山"]));
    let relation = all["relationships"].as_array().unwrap().last().unwrap();
    assert_eq!((&relation["from"], &relation["to"]), (&json!("mo-ban-che"), &json!("main-arc")));

    // The other steps name them, too; asked again in the same words, nothing is done.
    let log = world.subjects(book);
    let _ = world.novel(book, &WISH).ok();
    assert_eq!(world.subjects(book), log);
    for args in
        [&["world", "update", "列车的规矩", "--yes"][..], &["world", "theme"], &["character", "add", "一个列车员"]]
    {
        let _ = world.novel(book, args).ok();
        let body = world.git(book, &["log", "-1", "--format=%B"]).ok();
        assert_eq!(body.matches("资料: research/").count(), 6, "{args:?}: {body}");
    }
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn the_author_describes_a_line_and_nobody_is_asked() {
    let world = World::new();
    let book = world.demo();
    let add = [
        "storyline",
        "add",
        "--name",
        "夜渡",
        "--kind",
        "mystery",
        "--reach",
        "single_volume",
        "--about",
        "船上少了一个人",
    ];
    let stranger = world.novel(book, &[&["--lang", "en"], &add[..], &["--pov", "程既白", "--pov", "无此人"]].concat());
    assert!(stranger.fails(1).stderr.contains("no such character: `无此人`"));
    let _ = world.novel(book, &[&add[..], &["--pov", "程既白", "--pov", "qin-yuanshan"]].concat()).ok();
    let all = lines(&world);
    let line = all["storylines"].as_array().unwrap().last().unwrap();
    let shown = [&line["id"], &line["type"], &line["scope"], &line["description"], &line["pov_characters"]];
    let expected = [
        json!("ye-du"),
        json!("mystery"),
        json!("single_volume"),
        json!("船上少了一个人"),
        json!(["程既白", "秦远山"]),
    ];
    assert_eq!(shown, expected.each_ref());
    let files = world.git(book, &["show", "--stat=200", "--format=", "HEAD"]).ok();
    assert!(files.contains("storylines.json") && files.contains("1 file changed"), "{files}");
    let there = world.novel(book, &["--lang", "en", "storyline", "add", "--name", "夜渡"]).fails(1);
    assert!(there.stderr.contains("the storyline 夜渡 (`ye-du`) already exists"), "{there:#?}");
    let _ = world.novel(book, &["storyline", "add", "--name", "别的", "--id", "main-arc"]).fails(1);
    let no_id = world.novel(book, &["--lang", "zh", "storyline", "add", "--name", "——"]).fails(1);
    assert!(no_id.stderr.contains("--id"), "{no_id:#?}");
    for wrong in
        [&["storyline", "add"][..], &["storyline", "add", "x", "--name", "y"], &["storyline", "add", "--name", " "]]
    {
        let _ = world.novel(book, wrong).fails(2);
    }
}

#[test]
fn four_lines_may_run_and_a_fifth_waits_for_one_to_rest() {
    let world = World::new();
    let book = world.demo();
    for name in ["甲线", "乙线"] {
        let _ = world.novel(book, &["storyline", "add", "--name", name, "--active"]).ok();
    }
    let head = world.subjects(book);
    for args in [&["storyline", "add", "--name", "丙线", "--active"][..], &["storyline", "add", "再来一条", "--active"]]
    {
        let refused = world.novel(book, &[&["--lang", "en"], args].concat()).fails(1);
        assert!(refused.stderr.contains("4 are running already"), "{refused:#?}");
        assert!(refused.stderr.contains("jia-xian 甲线") && refused.stderr.contains("storyline pause"), "{refused:#?}");
    }
    assert_eq!(world.subjects(book), head);
    assert_eq!(world.git(book, &["branch", "--list", "draft/*"]).ok(), "", "nobody was asked");
    let _ = world.novel(book, &["storyline", "add", "--name", "丙线"]).ok();
    let _ = world.novel(book, &["storyline", "resume", "bing-xian"]).fails(1);
    let _ = world.novel(book, &["storyline", "pause", "甲线"]).ok();
    let paused = world.novel(book, &["storyline", "pause", "甲线", "--json"]).ok();
    assert!(paused.contains("\"id\":\"jia-xian\"") && paused.contains("unchanged"), "{paused}");
    let _ = world.novel(book, &["storyline", "resume", "bing-xian"]).ok();
    let again = world.novel(book, &["storyline", "resume", "bing-xian", "--json"]).json();
    assert_eq!((&again["status"], &again["is"]), (&json!("unchanged"), &json!("active")));
    let _ = world.novel(book, &["storyline", "end", "yi-xian"]).ok();
    let ended = world.novel(book, &["--lang", "en", "storyline", "pause", "yi-xian"]).fails(1);
    assert!(
        ended.stderr.contains("has already ended") && ended.stderr.contains("storyline resume yi-xian"),
        "{ended:#?}"
    );
    let statuses = ["jia-xian", "yi-xian", "bing-xian"].map(|id| status_of(&world, id));
    assert_eq!(statuses, [json!("dormant"), json!("ended"), json!("active")]);
    assert_eq!(world.subjects(book).len(), head.len() + 4);
    let nobody = world.novel(book, &["--lang", "en", "storyline", "end", "nobody"]).fails(1);
    assert!(nobody.stderr.contains("no such storyline: `nobody`"), "{nobody:#?}");
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
}

#[test]
fn a_line_with_chapters_to_come_runs_on_and_one_that_owes_does_not_end() {
    let world = World::new();
    let book = world.demo_with(3);
    let refused = world.novel(book, &["--lang", "en", "storyline", "pause", "clean-hands"]).fails(1);
    for part in ["ch-005, ch-007, planned but not written: volumes/vol-01/outline.md", "planned for ch 7–8"] {
        assert!(refused.stderr.contains(part), "{part}: {refused:#?}");
    }
    assert!(!refused.stderr.contains("seventh_day_deal"), "a dormant line may owe: {refused:#?}");
    let refused = world.novel(book, &["--lang", "zh", "storyline", "pause", "clean-hands"]).fails(1);
    assert!(refused.stderr.contains("还不能休眠"), "the word of the status: {refused:#?}");
    let _ = world.novel(book, &["continue", "--to", "8"]).ok();
    let _ = world.novel(book, &["review", "vol-01"]).ok();
    let owed = world.novel(book, &["--lang", "en", "storyline", "end", "clean-hands"]).fails(1);
    assert!(owed.stderr.contains("`seventh_day_deal` (long) is still open: foreshadowing/global.json"), "{owed:#?}");
    let _ = world.novel(book, &["storyline", "pause", "clean-hands"]).ok();

    // A plan that waits counts as much, and once it is approved what it runs is running.
    let path = "book/staging/volumes/vol-02/storyline-schedule.json";
    let _ = world.novel(book, &["plan", "make", "--chapters", "9"]).fails(3);
    let schedule: Value = serde_json::from_str(&world.read(path)).unwrap();
    let planned = schedule["active_storylines"][0]["storyline_id"].as_str().unwrap().to_owned();
    let drafted = world.novel(book, &["--lang", "en", "storyline", "end", &planned]).fails(1);
    assert!(drafted.stderr.contains("staging/volumes/vol-02/outline.md"), "{drafted:#?}");
}

#[test]
fn an_approved_plan_lets_its_planned_lines_run() {
    let world = World::new();
    let book = world.demo_with(8);
    let _ = world.novel(book, &["storyline", "end", "--json", "clean-hands"]);
    let _ = world.novel(book, &["storyline", "add", "--name", "夜渡", "--pov", "程既白"]).ok();
    let _ = world.novel(book, &["storyline", "pause", "clean-hands"]).ok();
    let _ = world.novel(book, &["review", "vol-01"]).ok();
    let _ = world.novel(book, &["plan", "make", "--chapters", "9"]).fails(3);
    let schedule = world.read("book/staging/volumes/vol-02/storyline-schedule.json");
    assert!(schedule.contains("ye-du"), "the offline planner takes up what is planned: {schedule}");
    assert_eq!(status_of(&world, "ye-du"), "planned");
    let _ = world.novel(book, &["plan", "approve"]).ok();
    assert_eq!(status_of(&world, "ye-du"), "active");
    let _ = world.novel(book, &["continue", "2"]).ok();
    let list = world.novel(book, &["storyline", "--json"]).json();
    let main = list["storylines"].as_array().unwrap().iter().find(|line| line["id"] == "main-arc").unwrap();
    assert!(main["chapters"].as_u64().unwrap() >= 4 && main["standing"] != "", "{main}");
    let text = world.novel(book, &["storyline", "list", "--lang", "zh"]).ok();
    assert!(text.contains("夜渡") && text.contains("休眠") && text.contains("进行中"), "{text}");
    let _ = world.novel(book, &["doctor"]).ok();
}

#[test]
fn killed_anywhere_the_same_command_finishes_and_asks_once() {
    let world = World::new();
    let template = world.demo();
    let before = world.tree(template);
    let places = world.places(template, &WISH);
    assert!(places.len() > 5, "{places:?}");
    for point in places.iter().filter(|place| place.ends_with("#1")) {
        let book = "killed";
        world.copy(template, book);
        world.dies(book, &WISH, point);
        let _ = world.novel(book, &WISH).ok();
        assert_eq!(world.subjects(book).len(), 2, "{point}");
        let _ = world.novel(book, &["undo"]).ok();
        assert_eq!(world.tree(book), before, "{point}");
        let _ = world.novel(book, &["redo"]).ok();
        let costs = world.novel(book, &["cost", "--json"]).json();
        assert!(costs.to_string().contains("\"calls\":1"), "{point}: {costs}");
        world.check(book);
    }
}
