//! Rollbacks to planning steps and commits, and results for programs.

use crate::common::World;
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn a_rollback_goes_to_a_planning_step_or_to_any_commit() {
    let world = World::new();
    let book = world.path("book");
    let _ = world.novel("", &["demo", book.to_str().unwrap(), "--volumes", "2", "--chapters", "12"]).ok();
    let book = "book";
    let log = world.git(book, &["log", "--first-parent", "--format=%h %s"]).ok();
    let commit_of = |part: &str| {
        let line = log.lines().find(|line| line.contains(part)).unwrap_or_else(|| panic!("no {part}: {log}"));
        line.split_once(' ').unwrap().0.to_owned()
    };
    let before = world.git(book, &["rev-parse", "HEAD"]).ok();

    let dry = world.novel(book, &["rollback", "plan", "vol-02", "--dry-run"]).ok();
    assert!(dry.contains("ch-012") && !dry.contains("plan vol-02:"), "{dry}");
    let _ = world.novel(book, &["rollback", "plan", "vol-02", "--yes"]).ok();
    assert!(world.path("book/volumes/vol-02/outline.md").exists());
    assert!(!world.path("book/chapters/vol-02").exists());
    assert!(world.subjects(book)[0].contains("plan vol-02"), "{:?}", world.subjects(book));
    let again = world.novel(book, &["rollback", "plan", "vol-02", "--yes", "--json"]).ok();
    assert!(again.contains("unchanged"), "{again}");
    let _ = world.novel(book, &["continue", "--offline"]).ok();
    assert!(world.path("book/chapters/vol-02").exists());

    // Behind the plan: the plan goes as well, the author's own inputs stay.
    let brief = format!("{}\n后来加的。\n", world.read("book/brief.md"));
    world.write("book/brief.md", &brief);
    world.commit(book, "my brief");
    let _ = world.novel(book, &["rollback", &commit_of("ch-003: "), "--yes"]).ok();
    assert!(!world.path("book/volumes/vol-02").exists());
    assert_eq!(world.read("book/brief.md"), brief);
    let status = world.novel(book, &["status", "--json"]).json();
    assert_eq!(status["last_completed"], 3, "{status:#}");

    // A transaction that has been rolled back can be gone to, and nothing is lost.
    let _ = world.novel(book, &["rollback", before.trim(), "--yes"]).ok();
    assert!(world.path("book/chapters/vol-02").exists());
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);

    let none = world.novel(book, &["rollback", "ending", "--yes"]).fails(1);
    assert!(none.stderr.contains("ending") && none.stderr.contains("novel log"), "{none:#?}");
    let _ = world.novel(book, &["rollback", "plan", "--yes", "vol-x"]).fails(2);
    let _ = world.novel(book, &["rollback", "plan vol-02 ch-1", "--yes"]).fails(2);
}

#[test]
fn programs_read_what_happened_in_a_chapter_and_which_contract_it_breaks() {
    let world = World::new();
    let book = world.demo();
    let brief = world.read("book/brief.md");
    world.write("book/brief.md", &format!("{brief}\n离线评分(ch-002): 2.4\n离线违规（ch-002）: W-001\n"));
    world.commit(book, "a rehearsal");
    let run = world.novel(book, &["continue", "2", "--offline", "--json"]).fails(3);
    let lines = run.json_lines();
    let status = |wanted: &str| lines.iter().find(|line| line["status"] == wanted);
    let completed = status("completed").unwrap_or_else(|| panic!("{run:#?}"));
    let summary = completed["summary"].as_str().unwrap();
    assert!(world.read("book/summaries/vol-01/chapter-001-summary.md").contains(summary) && !summary.is_empty());
    let conflict = status("conflict_detected").unwrap_or_else(|| panic!("{run:#?}"));
    assert_eq!((&conflict["chapter"], &conflict["severity"]), (&Value::from(2), &Value::from("high")), "{conflict}");
    assert_eq!(conflict["rules"], serde_json::json!(["W-001"]));
    assert!(!conflict["detail"].as_str().unwrap().is_empty());
    assert!(lines.last().unwrap()["type"] == "requires_user_decision", "{run:#?}");
}

/// Keys whose values are sentences for people, in the language that was asked for.
const FOR_PEOPLE: &[&str] = &[
    "name",
    "origin",
    "meaning",
    "hints",
    "what",
    "text",
    "why",
    "untouched",
    "kept_as",
    "rationale",
    "message",
    "hint",
    "detail",
    "problems",
    "label",
    "words",
    "description",
    "recommendation",
];

/// Collects the differences of two documents: the path of keys, and both values.
fn differences(a: &Value, b: &Value, path: &str, key: &str, found: &mut BTreeSet<String>) {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            let keys: BTreeSet<&String> = x.keys().chain(y.keys()).collect();
            for name in keys {
                differences(&x[name], &y[name], &format!("{path}.{name}"), name, found);
            }
        }
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            x.iter().zip(y).for_each(|(x, y)| differences(x, y, path, key, found));
        }
        _ if a == b || FOR_PEOPLE.contains(&key) => {}
        _ => {
            found.insert(format!("{path}: {a} / {b}"));
        }
    }
}

#[test]
fn programs_read_the_same_keys_and_codes_in_both_languages() {
    let world = World::new();
    let book = world.demo_with(3);
    let reading: [&[&str]; 16] = [
        &["status"],
        &["log"],
        &["show", "ch-1"],
        &["show", "1", "--summary"],
        &["show", "1", "--evaluation"],
        &["show", "1", "--calls"],
        &["show", "1", "--log"],
        &["diff", "ch-2"],
        &["context", "ch-4"],
        &["cost"],
        &["doctor"],
        &["metrics"],
        &["plan", "show"],
        &["storyline", "list"],
        &["config"],
        &["rollback", "ch-1", "--dry-run"],
    ];
    let mut found = BTreeSet::new();
    for args in reading {
        let read = |lang: &str| {
            let output = world.novel(book, &[args, &["--json", "--lang", lang]].concat());
            serde_json::from_str::<Value>(&output.stdout).unwrap_or_else(|_| Value::from(output.json_lines()))
        };
        differences(&read("zh"), &read("en"), &args.join(" "), "", &mut found);
    }
    // The setting that says which language was asked for.
    found.retain(|difference| !difference.starts_with("config.settings.value:"));
    assert!(found.is_empty(), "{found:#?}");
}
