//! The files of a plan: the fields of contracts, schedules and storylines, with content that the pipeline uses.

use crate::common::World;
use serde_json::{Value, json};

/// A book with an approved volume of twelve chapters on two lines, one of which begins here.
fn planned(world: &World) -> &'static str {
    let args =
        ["init", "book", "--title", "渡口", "--genre", "悬疑", "--protagonist", "沈渡，不会水的摆渡人", "--offline"];
    let _ = world.novel("", &[&args[..], &["--conflict", "一张对不上的舱单"]].concat()).ok();
    for step in [&["world", "update"][..], &["world", "theme"], &["character", "first", "沈渡，不会水的摆渡人"]]
    {
        let _ = world.novel("book", step).ok();
    }
    let _ = world.novel("book", &["plan", "make", "--chapters", "12"]).fails(3);
    let _ = world.novel("book", &["plan", "approve"]).ok();
    "book"
}

fn read(world: &World, path: &str) -> Value {
    serde_json::from_str(&world.read(&format!("book/{path}"))).unwrap()
}

fn contract(world: &World, chapter: u32) -> Value {
    read(world, &format!("volumes/vol-01/chapter-contracts/chapter-{chapter:03}.json"))
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn contracts_have_every_field_and_say_something_in_it() {
    let world = World::new();
    let book = planned(&world);
    let contracts: Vec<Value> = (1..=12).map(|chapter| contract(&world, chapter)).collect();
    for contract in &contracts {
        assert_eq!(contract["schema_version"], 2);
        assert_eq!(keys(&contract["preconditions"]), ["facts", "character_states", "required_world_rules"]);
        assert_eq!(keys(&contract["postconditions"]), ["facts", "state_changes", "foreshadowing_updates"]);
        let context = [
            "last_chapter_on_this_line",
            "last_chapter_summary",
            "chapters_since_last",
            "line_arc_progress",
            "concurrent_state",
        ];
        assert_eq!(keys(&contract["storyline_context"]), context);
        let criteria = contract["acceptance_criteria"].to_string();
        for rule in contract["preconditions"]["required_world_rules"].as_array().unwrap() {
            assert!(criteria.contains(rule.as_str().unwrap()), "{criteria}");
        }
        assert!(criteria.contains("守住人物契约 C-"), "{criteria}");
        for objective in contract["objectives"].as_array().unwrap() {
            let is_thread = objective["type"] == "foreshadowing";
            assert_eq!(
                objective.get("action").is_some() && objective.get("target").is_some(),
                is_thread,
                "{objective}"
            );
            if is_thread {
                let (action, target) = (objective["action"].as_str().unwrap(), objective["target"].as_str().unwrap());
                let done = contract["postconditions"]["foreshadowing_updates"][target].as_str().unwrap();
                assert!(done.starts_with(action), "{done} {action}");
            }
        }
    }
    let some = |what: &str, at: fn(&Value) -> &Value| {
        let filled = contracts.iter().filter(|c| at(c).as_object().is_some_and(|map| !map.is_empty())).count();
        assert!(filled > 0, "no contract has {what}");
    };
    some("state_changes", |c| &c["postconditions"]["state_changes"]);
    some("character_states", |c| &c["preconditions"]["character_states"]);
    some("concurrent_state", |c| &c["storyline_context"]["concurrent_state"]);
    some("foreshadowing_updates", |c| &c["postconditions"]["foreshadowing_updates"]);
    // Each chapter finds its people where the plan has left them.
    let mut places = std::collections::BTreeMap::new();
    for contract in &contracts {
        for (who, state) in contract["preconditions"]["character_states"].as_object().unwrap() {
            assert_eq!(places.get(who), Some(&state["location"]), "{who}: {contract}");
        }
        for (who, change) in contract["postconditions"]["state_changes"].as_object().unwrap() {
            places.insert(who.clone(), change["location"].clone());
        }
    }
    let schedule = read(&world, "volumes/vol-01/storyline-schedule.json");
    let lines = schedule["active_storylines"].as_array().unwrap();
    assert!(lines.len() > 1, "{schedule}");
    assert_eq!(schedule["newly_activated"], json!([lines[1]["storyline_id"]]), "the main line is no news");
    assert_eq!(schedule["interleaving_pattern"]["seasoning_placement"], "spread");
    let storylines = read(&world, "storylines/storylines.json");
    assert!(
        storylines["storylines"].as_array().unwrap().iter().all(|line| line["introduced_volume"] == 1),
        "{storylines}"
    );
    assert_eq!(storylines["storyline_types"][0], "main_arc");
    // The writer is told.
    let _ = world.novel(book, &["continue", "2"]).ok();
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn the_writer_is_told_where_the_state_has_come_to_differ_from_the_contract() {
    let world = World::new();
    let book = planned(&world);
    let _ = world.novel(book, &["continue", "1"]).ok();
    let path = "book/volumes/vol-01/chapter-contracts/chapter-002.json";
    let mut own: Value = serde_json::from_str(&world.read(path)).unwrap();
    let state = read(&world, "state/current-state.json");
    let (who, known) =
        state["characters"].as_object().unwrap().iter().find(|(_, s)| s["location"].is_string()).unwrap();
    own["preconditions"]["character_states"] = json!({who.as_str(): {"location": "月亮背面"}});
    own["postconditions"]["state_changes"] = json!({"沈渡": {"手": "断了一指"}});
    own["objectives"]
        .as_array_mut()
        .unwrap()
        .push(json!({"id": "OBJ-002-9", "type": "foreshadowing", "required": true,
        "action": "advance", "target": "first_lamp", "description": "灯下多了一行字"}));
    own["characters"].as_array_mut().unwrap().push("gui-ke".into());
    world.write(path, &format!("{own:#}\n"));
    let _ = world.git(book, &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-a", "-m", "改契约"]).ok();
    let prompt = world.novel(book, &["context", "2"]).ok();
    let is = known["location"].as_str().unwrap();
    assert!(prompt.contains(&format!("所在：{is}（契约里是月亮背面）")), "{prompt}");
    assert!(prompt.contains("沈渡：手 = 断了一指") && prompt.contains("推进 first_lamp：灯下多了一行字"), "{prompt}");
    let run = world.novel(book, &["--lang", "en", "continue", "1"]);
    assert!(run.stderr.contains("ch-002 contract names gui-ke"), "{run:#?}");
}
