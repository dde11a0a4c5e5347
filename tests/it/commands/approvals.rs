//! Changes of world rules and of people's contracts that an agent proposes: they wait for the author.

use crate::common::World;
use serde_json::Value;

/// A book with a world, people and their contracts.
fn founded(world: &World) -> &'static str {
    let args = ["init", "book", "--genre", "悬疑", "--protagonist", "沈渡，不会水的摆渡人", "--words", "300-500"];
    let _ = world.novel("", &[&args[..], &["--conflict", "一张对不上的舱单", "--offline"]].concat()).ok();
    let _ = world.novel("book", &["start", "--style", "suspense", "--answer", "found-only"]).fails(3);
    "book"
}

fn json(world: &World, path: &str) -> Value {
    serde_json::from_str(&world.read(path)).unwrap()
}

/// The question that a command ended with.
#[track_caller]
fn waits(world: &World, args: &[&str]) -> Value {
    let question = world.novel("book", &[&["--json"], args].concat()).fails(3).json_lines().pop().unwrap();
    assert_eq!((&question["data"]["about"], &question["recommendation"]), (&"contracts".into(), &"approve".into()));
    assert_eq!(question["options"], serde_json::json!(["approve", "edit", "reject"]));
    question
}

#[test]
fn the_first_world_and_the_first_people_need_no_second_word() {
    let world = World::new();
    let book = founded(&world);
    assert!(world.subjects(book)[0].starts_with("characters: "), "{:?}", world.subjects(book));
    assert!(!json(&world, "book/world/rules.json")["rules"].as_array().unwrap().is_empty());
    // A new person needs none either: contracts that come with a person change no other contract.
    let _ = world.novel(book, &["character", "add", "守夜的更夫"]).ok();
}

#[test]
fn another_rule_of_the_world_waits_with_its_words_and_is_one_commit_once_approved() {
    let world = World::new();
    let book = founded(&world);
    let (rules, head) = (world.read("book/world/rules.json"), world.subjects(book));
    let question = waits(&world, &["world", "update", "渡口三更封灯"]);
    let change = &question["data"]["contracts"][0];
    assert!(change["was"].is_null() && change["is"]["rule"].is_string() && change["owner"].is_null(), "{change}");
    assert_eq!((world.read("book/world/rules.json"), world.subjects(book)), (rules, head), "nothing is in the book");
    // The same command again sends no request; `status` and `decide` name the proposal.
    assert_eq!(waits(&world, &["world", "update", "渡口三更封灯"])["data"], question["data"]);
    let status = world.novel(book, &["--lang", "en", "status", "--json"]).json();
    assert_eq!(status["pending"][0], "the changes to the world rules (rules, contracts)", "{status}");
    assert_eq!(status["next"], "novel decide");
    assert_eq!(world.novel(book, &["decide", "--json"]).fails(3).json()["data"], question["data"]);
    let shown = world.novel(book, &["--lang", "en", "decide"]).fails(3).stdout;
    assert!(
        shown.contains(change["is"]["rule"].as_str().unwrap()) && shown.contains("novel decide approve"),
        "{shown}"
    );
    let _ = world.novel(book, &["decide", "approve"]).ok();
    assert!(world.subjects(book)[0].starts_with("world: "));
    let body = world.git(book, &["log", "-1", "--format=%B"]).ok();
    assert!(body.contains("渡口三更封灯") && body.contains("Novel-Step: world"), "{body}");
    let id = change["id"].as_str().unwrap();
    assert!(world.read("book/world/rules.json").contains(id));
    let files = world.git(book, &["show", "--stat", "--format=", "HEAD"]).ok();
    assert!(!files.contains(".draft"), "{files}");
    let _ = world.novel(book, &["decide", "approve"]).fails(1);
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    let _ = world.novel(book, &["undo"]).ok();
    assert!(!world.read("book/world/rules.json").contains(id));
    world.check(book);
}

#[test]
fn a_person_s_contracts_show_old_and_new_and_can_be_changed_before_they_are_approved() {
    let world = World::new();
    let book = founded(&world);
    let path = "book/characters/active/shen-du.json";
    let before = json(&world, path);
    let question = waits(&world, &["character", "update", "shen-du", "他学会了水性"]);
    let changes = question["data"]["contracts"].as_array().unwrap();
    assert!(changes.iter().all(|change| change["owner"] == "沈渡"), "{changes:#?}");
    assert!(changes.iter().any(|change| change["is"]["rule"].as_str().unwrap().contains("水性")), "{changes:#?}");
    assert_eq!(json(&world, path), before);
    let edit = world.novel(book, &["--lang", "en", "decide", "edit"]).fails(3);
    assert!(edit.stdout.contains("staging/characters/active/shen-du.json"), "{edit:#?}");
    assert!(edit.stdout.contains("novel decide approve"), "{edit:#?}");
    let shown = "book/staging/characters/active/shen-du.json";
    let mut mine = json(&world, shown);
    mine["contracts"][0]["rule"] = "沈渡只在白天下水".into();
    world.write(shown, &format!("{mine:#}\n"));
    let broken = world.read(shown);
    world.write(shown, "{");
    let refused = world.novel(book, &["decide", "approve"]).fails(1);
    assert!(refused.stderr.contains("staging/characters/active/shen-du.json"), "{refused:#?}");
    world.write(shown, &broken);
    let _ = world.novel(book, &["decide", "approve"]).ok();
    assert_eq!(json(&world, path)["contracts"][0]["rule"], "沈渡只在白天下水");
    assert!(!world.path("book/staging").join("characters").exists());
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn a_rule_that_is_replaced_is_shown_above_the_one_that_replaces_it() {
    let world = World::new();
    let book = founded(&world);
    let mut rules = json(&world, "book/world/rules.json");
    rules["rules"][0]["rule"] = "渡口三更封灯，只有更夫例外".into();
    world.write("book/world/rules.json", &format!("{rules:#}\n"));
    let question = waits(&world, &["world", "update", "--force"]);
    let change = question["data"]["contracts"].as_array().unwrap().iter().find(|change| change["id"] == "W-001");
    let change = change.unwrap_or_else(|| panic!("{question:#}"));
    assert_eq!(change["was"]["rule"], "渡口三更封灯，只有更夫例外");
    assert_ne!(change["is"]["rule"], change["was"]["rule"]);
    let shown = world.novel(book, &["--lang", "zh", "decide"]).fails(3).stdout;
    let (old, new) =
        (shown.find("- 渡口三更封灯").unwrap(), shown.find(change["is"]["rule"].as_str().unwrap()).unwrap());
    assert!(old < new && shown.contains("世界规则（修改）") && !shown.contains("W-001"), "{shown}");
    world.check(book);
}

#[test]
fn a_proposal_that_is_not_wanted_is_kept_aside_and_yes_approves_beforehand() {
    let world = World::new();
    let book = founded(&world);
    let head = world.subjects(book);
    let _ = waits(&world, &["world", "update", "渡口三更封灯"]);
    let aside = world.novel(book, &["--lang", "en", "decide", "reject"]).ok();
    assert!(aside.contains("put aside: the changes to the world rules (novel restore world/"), "{aside}");
    assert_eq!(world.subjects(book), head);
    assert!(world.git(book, &["for-each-ref", "refs/novel/kept/world"]).ok().contains("world/"));
    let _ = world.novel(book, &["decide", "approve"]).fails(1);
    let _ = world.novel(book, &["world", "update", "渡口三更封灯", "--yes"]).ok();
    assert!(world.subjects(book)[0].starts_with("world: "));
    // `start` asks about a proposal like about a plan, and its recommended answer is approval.
    let _ = waits(&world, &["character", "update", "shen-du", "他学会了水性"]);
    let _ = waits(&world, &["start"]);
    let question = world.novel(book, &["--json", "start", "--answer", "approve"]).fails(3).json_lines().pop().unwrap();
    assert_eq!(question["data"]["about"], "found");
    assert!(world.subjects(book)[0].starts_with("characters: "));
}

#[test]
fn chapters_wait_for_a_proposal_that_they_depend_on_and_a_death_loses_none() {
    let world = World::new();
    let book = founded(&world);
    let _ = world.novel(book, &["start", "--answer", "found"]).fails(3);
    let _ = world.novel(book, &["start", "--answer", "go-on", "--chapters", "5"]).fails(3);
    let _ = world.novel(book, &["plan", "approve"]).ok();
    let _ = waits(&world, &["world", "update", "渡口三更封灯"]);
    let rules = world.read("book/world/rules.json");
    let refused = world.novel(book, &["--lang", "en", "continue"]).fails(3);
    assert!(refused.stderr.contains("await your decision") && refused.stderr.contains("novel decide"), "{refused:#?}");
    let status = world.novel(book, &["status", "--json"]).ok();
    assert!(status.contains("\"next\": \"novel decide\""), "{status}");
    assert_eq!(world.read("book/world/rules.json"), rules);
    for point in ["txn.objects", "txn.after_cas", "close.kept"] {
        let copy = format!("killed-{point}");
        world.copy(book, &copy);
        world.dies(&copy, &["decide", "approve"], point);
        let again = world.novel(&copy, &["decide", "approve"]);
        let log = world.subjects(&copy);
        assert_eq!(
            log.iter().filter(|subject| subject.starts_with("world: ")).count(),
            2,
            "{point}: {again:?} {log:?}"
        );
        assert_ne!(world.read(&format!("{copy}/world/rules.json")), rules, "{point}");
        world.check(&copy);
    }
    let _ = world.novel(book, &["decide", "approve"]).ok();
    let _ = world.novel(book, &["continue"]).ok();
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}
