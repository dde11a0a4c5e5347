//! `novel status` while chapters are made: how far each is, what it has cost, and whether its draft can be looked at.

use super::money::priced;
use super::script::{Reply, draft, moved_to, scenes, score, summary};
use super::studio::Studio;
use crate::common::World;
use crate::llm::server::Answer;
use novel::llm::Wire;
use novel::text::Count;
use serde_json::{Value, json};

fn status(studio: &Studio) -> Value {
    studio.novel(&["status", "--json"]).json()
}

/// The chapters that the book lacks, each with its progress.
fn unwritten(status: &Value) -> Vec<(u64, &str)> {
    let chapters = status["unwritten"].as_array().unwrap().iter();
    chapters.map(|chapter| (chapter["chapter"].as_u64().unwrap(), chapter["state"].as_str().unwrap())).collect()
}

#[test]
fn the_chapter_in_flight_has_its_cost_and_its_draft_is_named_only_where_it_is() {
    let studio = priced();
    let _ = studio.novel(&["continue", "--budget", "18usd"]).fails(6);
    let now = status(&studio);
    let cost = studio.novel(&["cost", "--json"]).json();
    assert_eq!(now["inflight"]["known_cost_usd"], cost["total"]["known_cost_usd"], "{now}");
    assert_eq!(
        (&now["inflight"]["in_staging"], &now["inflight"]["calls_with_unknown_cost"]),
        (&json!(true), &json!(0))
    );
    assert_eq!(unwritten(&now), [(2, "in_flight"), (3, "planned"), (4, "planned")]);
    let said = studio.novel(&["status", "--lang", "en"]).ok();
    assert!(said.contains(" · $") && said.contains("(the draft is in staging/)"), "{said}");
    std::fs::remove_dir_all(studio.path("staging")).unwrap();
    let said = studio.novel(&["status", "--lang", "en"]).ok();
    assert!(!said.contains("staging/"), "{said}");
    assert_eq!(status(&studio)["inflight"]["in_staging"], false);
}

#[test]
fn a_chapter_in_scenes_and_one_that_waits_are_told_from_one_in_flight() {
    let [first, ..] = scenes();
    let studio = Studio::new().on("scene", format!("# 第2章 城门\n\n{first}"));
    let studio = studio.on("scene", Reply::Raw(Answer::error(401, "no")));
    let _ = studio.novel(&["continue", "--scenes"]).fails(4);
    assert_eq!(unwritten(&status(&studio)), [(2, "in_scenes"), (3, "planned"), (4, "planned")]);

    let studio = Studio::new().on("judge", score(2.0)).on("judge", score(2.0));
    let _ = studio.go().fails(3);
    assert_eq!(unwritten(&status(&studio)), [(2, "waiting"), (3, "planned"), (4, "planned")]);
}

#[test]
fn chapters_without_a_score_count_in_no_mean() {
    let studio = Studio::new();
    let _ = studio.go().ok();
    let mean = |status: &Value| status["totals"]["score_average"].as_f64().unwrap();
    let before = mean(&status(&studio));
    studio.write("chapters/vol-01/chapter-003.md", &draft().replace("第2章", "第3章"));
    let _ = studio.git(&["add", "chapters"]);
    studio.world.commit("book", "mine");
    let now = status(&studio);
    assert_eq!((now["chapters"][2]["score"].clone(), mean(&now)), (Value::Null, before), "{now}");
    let said = studio.novel(&["status", "--lang", "zh"]).ok();
    assert!(said.contains("第 3 章还没有读进故事状态") && !said.contains("正文改过"), "{said}");
    // The sums that the program commits say the same …
    let _ = studio.novel(&["rebuild"]).ok();
    assert_eq!(mean(&status(&studio)), before);
    // … and those of a program that did not count the chapters with a score are not believed.
    let checkpoint = studio.read(".checkpoint.json");
    let older: Vec<&str> = checkpoint.lines().filter(|line| !line.contains("\"scored\"")).collect();
    assert!(older.len() < checkpoint.lines().count(), "{checkpoint}");
    studio.write(".checkpoint.json", &(older.join("\n") + "\n"));
    studio.world.commit("book", "as it was");
    assert_eq!(mean(&status(&studio)), before);
}

#[test]
fn a_rebuild_takes_the_chapters_with_unreadable_changes_out_of_the_count() {
    let studio = Studio::unwritten(Wire::OpenAi);
    for _ in 1..=3 {
        studio.then("summarize", summary(json!("没有变化")));
        studio.then("summarize", "还是没有");
        let _ = studio.go().ok();
    }
    let now = status(&studio);
    assert_eq!((&now["totals"]["skipped_ops"], &now["rebuild"]), (&json!(3), &json!([1, 2, 3])));
    for place in ["渡口", "旧巷", "北门"] {
        studio.then("summarize", summary(json!([moved_to(place)])));
    }
    // An edit, so that the count of words changes as well.
    let two = "chapters/vol-01/chapter-002.md";
    studio.write(two, &format!("{}\n林枫把灯吹灭，转身下了城楼。\n", studio.read(two)));
    let _ = studio.novel(&["rebuild", "1,2,3"]).ok();
    let now = status(&studio);
    let in_the_text: u64 =
        (1..=3).map(|n| Count::of_prose(&studio.read(&format!("chapters/vol-01/chapter-00{n}.md"))).words as u64).sum();
    assert_eq!(now["totals"]["words"].as_u64(), Some(in_the_text), "{now}");
    assert_eq!((&now["totals"]["skipped_ops"], now.get("rebuild")), (&json!(0), None), "{now}");
    studio.done();
}

#[test]
fn a_deleted_chapter_is_named_with_the_command_that_brings_it_back() {
    let world = World::new();
    let book = world.demo_with(4);
    std::fs::remove_file(world.path("book/chapters/vol-01/chapter-002.md")).unwrap();
    world.commit(book, "away");
    let now = world.novel(book, &["status", "--json"]).json();
    assert_eq!(unwritten(&now)[..2], [(2, "missing"), (5, "planned")], "{now}");
    assert_eq!(
        (&now["next"], &now["problems"][0]["path"]),
        (&json!("novel doctor --repair"), &json!("chapters/vol-01/chapter-002.md"))
    );
    let _ = world.novel(book, &["doctor", "--repair"]).ok();
    let now = world.novel(book, &["status", "--json"]).json();
    assert_eq!((unwritten(&now)[0], &now["next"]), ((5, "planned"), &json!("novel continue")));
    // Taken out on purpose, it is missed no more.
    std::fs::remove_file(world.path("book/chapters/vol-01/chapter-002.md")).unwrap();
    let _ = world.novel(book, &["doctor", "--remove", "ch-002"]).ok();
    assert_eq!(unwritten(&world.novel(book, &["status", "--json"]).json())[0], (5, "planned"));
}

#[test]
fn every_step_before_a_chapter_is_told_with_what_is_there() {
    let steps = |world: &World, book: &str| -> Vec<(String, bool)> {
        let now = world.novel(book, &["status", "--json"]).json();
        let steps = now["steps"].as_array().unwrap().iter();
        steps.map(|step| (step["step"].as_str().unwrap().to_owned(), step["done"].as_bool().unwrap())).collect()
    };
    let names = ["brief", "world", "theme", "characters", "outline", "contracts"];
    let told = |done: [bool; 6]| names.map(str::to_owned).into_iter().zip(done).collect::<Vec<_>>();
    let world = World::new();
    let args = ["init", "idea", "--title", "渡口", "--protagonist", "沈渡", "--offline"];
    let _ = world.novel("", &args).ok();
    assert_eq!(steps(&world, "idea"), told([true, false, false, false, false, false]));
    let said = world.novel("idea", &["status", "--lang", "zh"]).ok();
    assert!(said.contains("还缺") && said.contains("世界规则、主题与核心冲突、人物、vol-01 的大纲"), "{said}");
    let _ = world.demo_with(1);
    assert_eq!(steps(&world, "book"), told([true; 6]));
}
