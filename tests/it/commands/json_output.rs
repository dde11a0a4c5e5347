//! Every document that `--json` prints is valid by its schema in `docs/schemas`, which allows no other field.

use crate::common::World;
use jsonschema::{Registry, Validator};
use novel::commands::tree;
use novel::report::Lang;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

/// A command line, its exit code, and the form of its last document: a name of `$defs` in the schema of the command or
/// in the shared one; empty where the schema has one form, `error` for a failure. `KEPT` stands for a name that
/// `novel restore` lists.
type Case = (&'static str, i32, &'static str);

/// Commands that read a book of five chapters.
const LOOKING: &[Case] = &[
    ("status", 0, ""),
    ("log", 0, ""),
    ("show 3", 0, "file"),
    ("show HEAD", 0, "commit"),
    ("show 3 --calls", 0, "calls"),
    ("show 3 --evaluation", 0, "evaluation"),
    ("diff 3 4", 0, "prose"),
    ("diff HEAD~1 HEAD", 0, "files"),
    ("compare 2 3", 0, ""),
    ("state", 0, ""),
    ("history brother_name", 0, ""),
    ("blame brother_name", 0, ""),
    ("check", 0, ""),
    ("search 雨", 0, ""),
    ("export --words novel.toml", 0, "exported"),
    ("export --blurb", 0, "blurb"),
    ("foreshadow", 0, "inventory"),
    ("foreshadow brother_name", 0, "thread"),
    ("context 6 --breakdown", 0, ""),
    ("cost --by stage", 0, ""),
    ("metrics", 0, ""),
    ("report", 0, ""),
    ("character list", 0, "people"),
    ("character voices", 0, "voices"),
    ("storyline list", 0, "storylines"),
    ("impact", 0, "impact"),
    ("style", 0, "style_profile"),
    ("style edits", 0, "edit_habits"),
    ("review --quality", 0, "quality"),
    ("continue --dry-run", 0, "next_call"),
    ("rebuild --dry-run", 0, "rebuild"),
];

/// Commands about the program, its settings and its failures.
const AROUND: &[Case] = &[
    ("demo other --chapters 0", 0, "demo_made"),
    ("import chapters --dry-run", 0, "manuscript"),
    ("doctor", 0, "diagnosis"),
    ("doctor --explain gap", 0, "explanation"),
    ("hooks", 0, "hooks"),
    ("hooks install --assistant", 0, "assistant_files"),
    ("hooks session", 0, "position"),
    ("config", 0, "settings"),
    ("config get provider", 1, "setting"),
    ("config path", 0, "settings_path"),
    ("config providers", 0, "providers"),
    ("setup --provider ollama --model qwen3:8b --no-test", 0, ""),
    ("plan show", 0, "plan_approved"),
    ("show 99", 1, "error"),
    ("status --nonsense", 2, "error"),
];

/// Commands that go back and forth in a book of two chapters.
const MOVING: &[Case] = &[
    ("write 3", 0, "write_report"),
    ("rollback 2 --dry-run", 0, "rollback_preview"),
    ("rollback 2 --yes", 0, "change"),
    ("rollback 2 --yes", 0, "unchanged"),
    ("undo", 0, "change"),
    ("redo", 0, "change"),
    ("restore", 0, "kept_list"),
    ("restore KEPT --print", 0, "kept_text"),
    ("restore KEPT", 0, "came_back"),
    ("branch", 0, "lines"),
    ("branch other", 0, "line_changed"),
    ("adopt other", 0, "unchanged"),
    ("style use light", 0, "step_done"),
    ("style use light", 0, "style_unchanged"),
    ("storyline resume main-arc", 0, "storyline_unchanged"),
    ("waive ch-001/W-001 --reason 有意为之", 0, "step_done"),
    ("waive", 0, "waivers"),
    ("wish 多一点对白 --chapters 2", 0, "wish_noted"),
    ("wish", 0, "wishes"),
    ("wish --take-back 1", 0, "step_done"),
    ("chapter merge 1 --dry-run", 0, "renumbered"),
    ("chapter move 2 1", 0, "renumbered"),
    ("character rename lao-ge 葛望海 --in-chapters --yes", 0, "renamed"),
    ("character retire lao-ge --reason 上了夜船", 0, "retired"),
];

/// Answers about candidates, and about a chapter whose first candidate breaks a rule.
const DECIDING: &[Case] = &[
    ("continue --candidates 2 --choose", 3, "candidates"),
    ("decide", 3, "candidates"),
    ("start", 3, "candidates"),
    ("decide pick --candidate 1", 0, "decided"),
    ("continue", 3, "chapter_question"),
    ("decide", 3, "chapter_question"),
    ("decide accept", 0, "decided"),
    ("continue", 0, "completed"),
    ("decide", 0, "nothing_waits"),
    ("revision", 0, "nothing_waits"),
];

/// From an empty folder to a plan.
const FOUNDING: &[Case] = &[
    ("start", 3, "new_book_question"),
    ("init . --title 渡口 --protagonist 沈渡，摆渡人 --conflict 一张对不上的舱单 --offline", 0, "book_made"),
    ("start", 3, "book_question"),
    ("world update", 0, "step_done"),
    ("world update", 0, "step_reused"),
    ("world theme", 0, "step_done"),
    ("character first 沈渡，摆渡人", 0, "step_done"),
    ("plan make --chapters 3", 3, "plan_question"),
    ("plan reject", 0, "put_aside"),
];

/// The end of a book whose volume is written.
const ENDING: &[Case] = &[
    ("review", 0, "review"),
    ("decide", 3, "book_question"),
    ("decide end", 0, "decided"),
    ("start", 0, "book_ended"),
];

/// A remote and its copies.
const SHARING: &[Case] = &[
    ("sync -C book", 0, "sync"),
    ("clone remote.git copy", 0, ""),
    ("work remote.git --once --chapters 1", 0, "all_worked"),
];

/// A revision that waits.
const REVISING: &[Case] = &[
    ("revision make", 3, "chapter_question"),
    ("revision show", 0, "revision"),
    ("revision reject", 0, "revision_decided"),
];

const ALL: [&[Case]; 8] = [LOOKING, AROUND, MOVING, DECIDING, FOUNDING, ENDING, SHARING, REVISING];

/// Forms that no case has, with the reason.
const UNSEEN: [(&str, &str); 7] = [
    ("calibration", "tries a judge, so it needs a model"),
    ("unfinished_question", "needs a model that breaks off"),
    ("plan_unchanged", "needs a process that was killed"),
    ("book_worked", "comes before the last document of `work`"),
    ("revision_made", "comes before the question of `revision make`"),
    ("conflict", "comes before the question of `continue`"),
    ("retold", "needs a model that retells chapters"),
];

/// Commands without a schema, with the reason.
const TEXT_ONLY: [(&str, &str); 5] = [
    ("completions", "a script for a shell"),
    ("man", "a page for man"),
    ("mcp", "messages of another protocol"),
    ("serve", "its address, and pages for the browser"),
    ("help", "text for people"),
];

/// Schemas that are of no single command.
const SHARED: [&str; 3] = ["common", "events", "error"];

const BASE: &str = "https://novel.invalid/schemas/";

fn file(name: &str) -> String {
    format!("{name}.schema.json")
}

/// Every schema by its name.
fn schemas() -> &'static BTreeMap<String, Value> {
    static ALL: OnceLock<BTreeMap<String, Value>> = OnceLock::new();
    ALL.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let read = |path: std::path::PathBuf| {
            let name = path.file_name().unwrap().to_str().unwrap().strip_suffix(".schema.json").unwrap().to_owned();
            (name, serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
        };
        files.map(read).collect()
    })
}

/// The validator of a schema, or of a form of it.
fn validator(name: &str, form: &str) -> Arc<Validator> {
    static REGISTRY: OnceLock<Registry<'static>> = OnceLock::new();
    static MADE: Mutex<BTreeMap<String, Arc<Validator>>> = Mutex::new(BTreeMap::new());
    let registry = REGISTRY.get_or_init(|| {
        let add = |all, (name, schema): (&String, &'static Value)| {
            jsonschema::RegistryBuilder::add(all, format!("{BASE}{}", file(name)), schema).unwrap()
        };
        schemas().iter().fold(Registry::new(), add).prepare().unwrap()
    });
    let part = if form.is_empty() { String::new() } else { format!("#/$defs/{form}") };
    let place = format!("{BASE}{}{part}", file(name));
    let mut made = MADE.lock().unwrap();
    let new = || Arc::new(jsonschema::options().with_registry(registry).build(&json!({ "$ref": place })).unwrap());
    Arc::clone(made.entry(place.clone()).or_insert_with(new))
}

/// The schema that has a form of a command: its own, that of events, or the shared one.
fn home<'c>(command: &'c str, form: &str) -> &'c str {
    let has = |name: &str| schemas()[name]["$defs"].get(form).is_some();
    [command, "events"].into_iter().find(|name| form.is_empty() || has(name)).unwrap_or("common")
}

#[track_caller]
fn assert_valid(validator: &Validator, document: &Value, line: &str) {
    let faults: Vec<String> =
        validator.iter_errors(document).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
    assert!(faults.is_empty(), "novel {line} --json: {}", faults.join("\n"));
}

/// Runs the cases one after the other and looks at all that they print.
#[track_caller]
fn assert_cases(world: &World, folder: &str, cases: &[Case]) {
    for (line, exit, form) in cases {
        let mut line = (*line).to_owned();
        if line.contains("KEPT") {
            let kept = world.novel(folder, &["restore", "--json"]).json();
            line = line.replace("KEPT", kept["kept"][0]["name"].as_str().unwrap());
        }
        let args: Vec<&str> = line.split_whitespace().chain(["--json"]).collect();
        let output = world.novel(folder, &args).fails(*exit);
        let documents: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(&output.stdout).into_iter().collect();
        let documents = documents.unwrap_or_else(|error| panic!("{error}: {output:#?}"));
        let last = documents.last().unwrap_or_else(|| panic!("{output:#?}"));
        if *form == "error" {
            assert_valid(&validator("error", ""), last, &line);
            assert_eq!(last["error"]["exit"], *exit, "{output:#?}");
            continue;
        }
        let of_command = validator(args[0], "");
        documents.iter().for_each(|document| assert_valid(&of_command, document, &line));
        assert_valid(&validator(home(args[0], form), form), last, &line);
    }
}

#[test]
fn what_a_book_is_asked_for_is_valid() {
    let world = World::new();
    assert_cases(&world, world.demo_with(5), LOOKING);
}

#[test]
fn settings_findings_and_failures_are_valid() {
    let world = World::new();
    assert_cases(&world, world.demo_with(1), AROUND);
}

#[test]
fn changes_and_ways_back_are_valid() {
    let world = World::new();
    let book = world.demo_with(2);
    assert_cases(&world, book, MOVING);
}

#[test]
fn candidates_and_decisions_are_valid() {
    let world = World::new();
    let book = world.demo_with(1);
    let brief = world.read("book/brief.md");
    world.write("book/brief.md", &format!("{brief}\n离线评分(ch-002): 2.4\n离线违规（ch-002）: W-001\n"));
    assert_cases(&world, book, DECIDING);
}

#[test]
fn the_way_from_an_empty_folder_to_a_plan_is_valid() {
    let world = World::new();
    std::fs::create_dir(world.path("book")).unwrap();
    assert_cases(&world, "book", FOUNDING);
}

#[test]
fn the_end_of_a_book_is_valid() {
    let world = World::new();
    let book = world.demo_with(2);
    let outline = "book/volumes/vol-01/outline.md";
    let plan = world.read(outline);
    world.write(outline, plan.split_once("## 第3章").unwrap().0);
    world.commit(book, "two chapters are enough");
    assert_cases(&world, book, ENDING);
}

#[test]
fn a_remote_and_its_copies_are_valid() {
    let world = World::new();
    let book = world.demo_with(0);
    let _ = world.git("", &["init", "-q", "--bare", "remote.git"]).ok();
    let _ = world.git(book, &["remote", "add", "origin", "../remote.git"]).ok();
    assert_cases(&world, "", SHARING);
}

#[test]
fn a_revision_that_waits_is_valid() {
    let world = World::new();
    let book = world.demo_with(1);
    let path = "book/state/current-state.json";
    let mut state: Value = serde_json::from_str(&world.read(path)).unwrap();
    state["characters"]["qin-yuanshan"] = json!({ "display_name": "秦远山", "status": "死于工地塌方" });
    world.write(path, &format!("{state:#}\n"));
    let _ = world.novel(book, &["continue"]).ok();
    let chapter = "book/chapters/vol-01/chapter-002.md";
    // In a scene of its own: the chapter may end in a dream, where the dead may speak.
    world.write(chapter, &format!("{}\n* * *\n\n秦远山低声说：“我还在。”\n", world.read(chapter)));
    world.commit(book, "the dead speak");
    assert_cases(&world, book, REVISING);
}

#[test]
fn a_field_too_many_or_too_few_is_noticed() {
    let world = World::new();
    let log = world.novel(world.demo_with(1), &["log", "--json"]).json();
    let valid = |change: fn(&mut Value)| {
        let mut log = log.clone();
        change(&mut log);
        validator("log", "").is_valid(&log)
    };
    assert!(valid(|_| ()));
    assert!(!valid(|log| log["more"] = json!(1)));
    assert!(!valid(|log| log["entries"][0]["more"] = json!(1)));
    assert!(!valid(|log| drop(log["entries"][0].as_object_mut().unwrap().remove("subject"))));
    assert!(!valid(|log| log["entries"][0]["kind"] = json!("another")));
}

#[test]
fn every_command_has_a_schema_and_every_form_of_it_is_seen() {
    let commands: BTreeSet<String> =
        tree(Lang::En, "novel").get_subcommands().map(|c| c.get_name().to_owned()).collect();
    let without = |name: &str| TEXT_ONLY.iter().any(|(command, _)| *command == name);
    let wanted: BTreeSet<&str> =
        commands.iter().map(String::as_str).filter(|name| !without(name)).chain(SHARED).collect();
    let there: BTreeSet<&str> = schemas().keys().map(String::as_str).collect();
    assert_eq!(there, wanted);

    let cases = || ALL.iter().flat_map(|cases| cases.iter());
    let run: BTreeSet<&str> = cases().filter_map(|(line, ..)| line.split_whitespace().next()).collect();
    assert_eq!(run.into_iter().chain(SHARED).collect::<BTreeSet<&str>>(), wanted, "a schema that no case uses");
    let seen: BTreeSet<&str> = cases().map(|(_, _, form)| *form).chain(UNSEEN.map(|(form, _)| form)).collect();
    for (name, schema) in schemas() {
        for form in schema["anyOf"].as_array().into_iter().flatten() {
            let form = form["$ref"].as_str().unwrap();
            let form = form.rsplit('/').next().unwrap();
            assert!(form == file("events") || seen.contains(form), "no case has the form {form} of {name}");
        }
    }
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md")).unwrap();
    for name in there {
        assert!(page.contains(&format!("](schemas/{})", file(name))), "docs/json.md does not name {name}");
    }
}

/// Every object of a schema, with its place.
fn objects<'s>(schema: &'s Value, place: &str, found: &mut Vec<(String, &'s Value)>) {
    match schema {
        Value::Object(map) => {
            if map.contains_key("properties") && map.get("type") == Some(&json!("object")) {
                found.push((place.to_owned(), schema));
            }
            map.iter().for_each(|(name, part)| objects(part, &format!("{place}/{name}"), found));
        }
        Value::Array(list) => list.iter().for_each(|part| objects(part, place, found)),
        _ => {}
    }
}

#[test]
fn every_field_is_described_and_no_other_is_allowed() {
    for (name, schema) in schemas() {
        assert!(jsonschema::draft202012::meta::is_valid(schema), "{name}");
        let mut found = Vec::new();
        objects(schema, name, &mut found);
        for (place, object) in found {
            assert_eq!(object["additionalProperties"], false, "{place}");
            let fields = object["properties"].as_object().unwrap();
            for (field, part) in fields {
                let is_described = part["description"].as_str().is_some_and(|text| text.ends_with(['.', ')', '`']));
                assert!(is_described || (field == "version" && part["$ref"].is_string()), "{place}: {field}");
            }
            let required = object["required"].as_array().unwrap();
            assert!(required.iter().all(|field| fields.contains_key(field.as_str().unwrap())), "{place}");
        }
    }
}
