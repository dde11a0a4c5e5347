//! Bringing things up to date with models that answer, fail, and answer badly.

use super::studio::Studio;
use crate::llm::server::Answer;
use novel::llm::Wire;
use serde_json::{Value, json};

const PERSON: &str = "characters/active/lin-feng.json";

fn write(studio: &Studio, path: &str, value: &Value) {
    studio.world.write(&format!("book/{path}"), &format!("{value:#}\n"));
}

fn rules(words: &str) -> Value {
    json!({"rules": [{"id": "W-001", "category": "城门", "rule": words, "constraint_type": "hard", "exceptions": []}]})
}

fn section(chapter: u32, line: &str, conflict: &str) -> Value {
    json!({"chapter": chapter, "title": (["回信", "旧门", "认人"][chapter as usize - 5]), "storyline": line, "pov": "林枫",
        "location": "北门", "conflict": conflict, "arc": "从躲到问", "foreshadowing": [],
        "state_changes": [format!("林枫进了第{chapter}道门")], "transition": "", "rules": []})
}

fn chapters(line: &str, conflict: &str) -> Value {
    json!({"chapters": (5..=7).map(|n| section(n, line, conflict)).collect::<Vec<_>>()})
}

/// A model that changes more than it was asked to.
fn cast(rule: &str) -> Value {
    json!({"characters": [{"name": "林枫", "aliases": ["假名"], "role": "antagonist", "profile": "换了一个人", "speech": "变了",
        "contracts": [{"type": "capability", "rule": rule, "exceptions": [], "update_requires": ""},
            {"type": "personality", "rule": "绝不回头", "exceptions": [], "update_requires": ""},
            {"type": "personality", "rule": "多出来的一条", "exceptions": [], "update_requires": ""}]}],
        "relationships": []})
}

/// A book whose second volume is planned and hangs on a rule by a contract of its protagonist.
fn planned() -> Studio {
    let studio = Studio::unwritten(Wire::OpenAi);
    let _ = studio.novel(&["continue", "4", "--offline"]).ok();
    write(&studio, "world/rules.json", &rules("戌时落锁，凭口令不开"));
    let mut person: Value = serde_json::from_str(&studio.read(PERSON)).unwrap();
    let contract = |id: &str, kind: &str, rule: &str| {
        json!({"id": id, "type": kind, "rule": rule, "note": "作者的话", "exceptions": [], "valid_from_chapter": 1,
            "valid_until": null, "update_requires": null})
    };
    let rule = "进城只走北门（W-001）";
    person["contracts"] =
        json!([contract("C-LF-1", "capability", rule), contract("C-LF-2", "personality", "绝不回头")]);
    write(&studio, PERSON, &person);
    let schedule = json!({"theme": "回信", "summary": "信有了回音", "hook": "回信的人早已不在", "new_storylines": [],
        "storylines": [{"id": "main-arc", "role": "primary", "chapters": 3, "goal": "查到写信的人"}],
        "dormant": [], "primary_max_consecutive": 5, "secondary_every": 8, "convergences": [], "foreshadowing": []});
    let studio = studio.on("schedule", schedule).on("outline", chapters("main-arc", "林枫要进城，守门人不许"));
    let _ = studio.novel(&["review", "vol-01", "--offline"]).ok();
    let _ = studio.novel(&["plan", "make", "--chapters", "3"]).fails(3);
    let _ = studio.novel(&["plan", "approve"]).ok();
    write(&studio, "world/rules.json", &rules("戌时落锁，凭口令可开"));
    studio
}

const REGENERATE: [&str; 3] = ["impact", "--regenerate", "--yes"];

#[test]
fn doctor_tells_of_plans_that_are_behind_what_the_author_has_changed() {
    let studio = planned();
    let report = studio.novel(&["doctor", "--json"]).stdout;
    assert!(report.contains("\"plans_behind\""), "{report}");
    let told = studio.novel(&["--lang", "en", "doctor"]);
    assert!(told.stdout.contains("novel impact"), "{told:?}");
}

#[test]
fn an_interruption_costs_nothing_twice_and_only_what_was_asked_for_changes() {
    let down = Answer::error(500, "out of order").header("x-should-retry", "false");
    let studio = planned();
    let (before, person) = (studio.server.requests().len(), studio.read(PERSON));
    let studio = studio.on("cast", cast("知道口令才进城（W-001）")).on("outline", down);
    let _ = studio.novel(&REGENERATE).fails(5);
    assert_eq!(studio.read(PERSON), person, "nothing is in the book yet");
    let studio = studio.on("outline", chapters("main-arc", "林枫知道口令，守门人也知道他知道"));
    let _ = studio.novel(&REGENERATE).ok();
    assert_eq!(studio.asked_since(before), ["cast", "outline", "outline"], "the contract was there");
    let expected = person.replace("进城只走北门（W-001）", "知道口令才进城（W-001）");
    assert_eq!(studio.read(PERSON), expected, "one contract, and no other byte");
    let outline = studio.read("volumes/vol-02/outline.md");
    assert_eq!(outline.matches("守门人也知道他知道").count(), 3, "{outline}");
    let prompt = studio.server.requests().last().unwrap().prompt().to_owned();
    assert!(prompt.contains("世界规则 W-001 变了") && prompt.contains("凭口令可开"), "{prompt}");
    let _ = studio.novel(&["impact"]).ok();
    let cost = studio.novel(&["cost", "--json"]).ok();
    assert!(cost.contains("regenerate"), "{cost}");
}

#[test]
fn sections_that_do_not_fit_the_plan_are_asked_for_once_more_and_then_refused() {
    let studio = planned();
    let outline = studio.read("volumes/vol-02/outline.md");
    let wrong = || chapters("no-such-line", "林枫知道口令");
    let studio = studio.on("cast", cast("知道口令才进城（W-001）")).on("outline", wrong()).on("outline", wrong());
    let before = studio.server.requests().len();
    let refused = studio.novel(&["--lang", "en", "impact", "--regenerate", "--yes"]).fails(3);
    assert!(refused.stderr.contains("no-such-line"), "{refused:#?}");
    assert_eq!(studio.asked_since(before), ["cast", "outline", "outline"], "one repair");
    assert_eq!(studio.read("volumes/vol-02/outline.md"), outline);
    assert!(studio.git(&["for-each-ref", "refs/novel/kept/regenerate"]).contains("regenerate"), "paid for, and kept");
    let _ = studio.novel(&["doctor"]).ok();
}
