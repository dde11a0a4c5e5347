//! A book's own figures, and a demo book that grows from its idea to its last volume.

use crate::common::World;
use novel::git::failpoint;
use novel::report::table;
use serde_json::Value;

const WHOLE: [&str; 6] = ["demo", "book", "--volumes", "2", "--chapters", "10"];

fn figure<'v>(report: &'v Value, name: &str) -> &'v Value {
    report["figures"].as_array().unwrap().iter().find(|figure| figure["name"] == name).unwrap()
}

#[test]
fn a_demo_takes_the_whole_way_and_its_figures_are_counted() {
    let world = World::new();
    let made = world.novel("", &[&["--lang", "en"], &WHOLE[..]].concat());
    assert!(made.stderr.contains("world: ") && made.stderr.contains("review vol-02"), "{made:#?}");
    assert!(made.ok().contains("2 volumes, 10 chapters"));
    let log = world.git("book", &["log", "--reverse", "--first-parent", "--format=%s"]).ok();
    let starts = ["init: ", "world: ", "theme: ", "characters: ", "plan vol-01: ", "ch-001: ", "ch-002: ", "ch-003: "];
    let second = [
        "start: the trial chapters stay",
        "plan vol-01: ",
        "ch-004: ",
        "ch-005: ",
        "quality: ",
        "review vol-01",
        "start: the book ends with vol-02",
    ];
    let third =
        ["plan vol-02: ", "ch-006: ", "ch-007: ", "ch-008: ", "ch-009: ", "ch-010: ", "quality: ", "review vol-02"];
    let expected = [&starts[..], &second, &third].concat();
    assert_eq!(log.lines().count(), expected.len(), "{log}");
    assert!(log.lines().zip(&expected).all(|(subject, start)| subject.starts_with(start)), "{log}");
    let tree = world.tree("book");
    let _ = world.novel("", &WHOLE).ok();
    assert_eq!(world.tree("book"), tree, "it is done once");
    let more = world.novel("", &["--lang", "en", "demo", "book", "--volumes", "3", "--chapters", "14"]).ok();
    assert!(more.contains("3 volumes, 14 chapters"), "a third volume takes what is left: {more}");
    let _ = world.novel("book", &["rollback", "vol-02", "--yes"]).ok();

    let report = world.novel("book", &["metrics", "--json"]).fails(0).json();
    assert_eq!((&report["chapters"], &report["volume"]), (&10.into(), &Value::Null));
    let words: u64 = report["words"].as_u64().unwrap();
    let status = world.novel("book", &["status", "--json"]).fails(0).json();
    assert_eq!(status["totals"]["words"], words);
    // The offline judge has read nothing, so there is nothing to be met.
    let score = figure(&report, "score");
    assert_eq!((&score["target"], &score["value"], &score["met"]), (&">= 3.5".into(), &Value::Null, &Value::Null));
    assert_eq!((&score["over"], &score["not_checked"]), (&0.into(), &10.into()));
    assert_eq!(figure(&report, "conditions_chained")["value"], 1.0);
    // The test's clock stands still: durations are unknown.
    assert_eq!(
        (&figure(&report, "minutes_per_chapter")["value"], &figure(&report, "minutes_per_chapter")["met"]),
        (&Value::Null, &Value::Null)
    );
    let beats = report["style"].as_array().unwrap().iter().find(|row| row["name"] == "beats").unwrap();
    assert!(beats["mean"].is_number() && beats["last"].is_number() && beats["human"].is_array(), "{beats}");
    let review = world.read("book/volumes/vol-01/review.md");
    let (_, quality) = review.split_once("## 质量\n").unwrap();
    assert!(quality.contains("有兑现的章：") && quality.contains("和记录冲突："), "{review}");
    assert!(review.contains("写成 5 章，没有均分。"), "placeholders are no scores: {review}");
    let gates: u64 = report["gates"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(gates, 10);
    let context = &report["contexts"][0];
    assert_eq!((&context["chapter"], &context["met"]), (&10.into(), &true.into()));
    let shown = world.novel("book", &["context", "10", "--breakdown", "--json"]).ok();
    let parts: Value = serde_json::from_str(&shown).unwrap();
    let tokens: u64 = parts["parts"].as_array().unwrap().iter().map(|part| part["tokens"].as_u64().unwrap()).sum();
    assert_eq!(context["tokens"], tokens, "the prompt of then, made again");
    // Threads that the first volume planted and resolved are still listed, although its ledger has moved on.
    let fates = report["foreshadowing"].as_array().unwrap();
    assert!(fates.iter().any(|fate| fate["planted"].as_u64().is_some_and(|chapter| chapter <= 5)), "{fates:?}");

    let second = world.novel("book", &["metrics", "--volume", "vol-02", "--json"]).fails(0).json();
    assert_eq!((&second["chapters"], &second["volume"]), (&5.into(), &2.into()));
    let text = world.novel("book", &["--lang", "zh", "metrics", "--volume", "2"]).ok();
    assert!(text.contains("第 2 卷 · 5 章") && text.contains("每章用时（分钟）") && text.contains("未知"), "{text}");
    assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
    let _ = world.novel("book", &["doctor"]).ok();
    world.check("book");
}

#[test]
fn a_demo_that_was_killed_is_gone_on_with() {
    let whole = World::new();
    let _ = whole.novel("", &WHOLE).ok();
    let world = World::new();
    // Each run goes on from where the last one died.
    for point in ["init.files", "txn.after_cas#3", "txn.kept#4", "txn.before_objects#8", "txn.before_end#3"] {
        let mut command = world.command(env!("CARGO_BIN_EXE_novel"), &world.path(""));
        assert!(!command.args(WHOLE).env(failpoint::ENV, point).output().unwrap().status.success(), "{point}");
        if world.path("book/novel.toml").exists() {
            world.check("book");
        }
    }
    let _ = world.novel("", &WHOLE).ok();
    assert_eq!(world.subjects("book"), whole.subjects("book"));
    assert_eq!(world.tree("book"), whole.tree("book"));
    world.check("book");
}

#[test]
fn without_a_chapter_there_is_nothing_to_count() {
    let world = World::new();
    let book = world.demo();
    let none = world.novel(book, &["--lang", "en", "metrics"]).fails(1);
    assert!(none.stderr.contains("no chapter has been written yet"), "{none:#?}");
    let _ = world.novel(book, &["continue", "1"]).ok();
    let _ = world.novel(book, &["metrics", "--volume", "7"]).fails(1);
    let _ = world.novel(book, &["metrics", "--volume", "x"]).fails(2);
    let few = world.novel("", &["--lang", "en", "demo", "few", "--volumes", "3", "--chapters", "8"]).fails(2);
    assert!(few.stderr.contains("at least 12 chapters to fill 3 volumes"), "{few:#?}");
    let many = world.novel("", &["--lang", "en", "demo", "few", "--volumes", "4000000000"]).fails(2);
    assert!(many.stderr.contains("at most 999 volumes"), "{many:#?}");
    let unplanned = world.novel("", &["--lang", "en", "demo", "few", "--chapters", "200"]).fails(2);
    assert!(unplanned.stderr.contains("for more, add `--volumes 2`"), "{unplanned:#?}");
    assert!(!world.path("few").exists());
}

/// The figures of the book and of its first volume.
fn figures(world: &World, book: &str) -> [String; 2] {
    [&["metrics", "--all"][..], &["metrics", "--volume", "1", "--json"]]
        .map(|args| world.novel(book, args).fails(0).stdout)
}

#[test]
fn figures_are_those_of_the_book_as_it_is() {
    let world = World::new();
    let book = world.demo_with(6);
    let before = figures(&world, book);
    let run = |args: &[&str]| drop(world.novel(book, args).ok());
    let commit = ["-c", "user.name=A", "-c", "user.email=a@b.invalid", "commit", "-qam", "by hand"];
    let changed = |path: &str, from: &str, to: &str| {
        let text = world.read(&format!("book/{path}"));
        assert!(text.contains(from), "{path}: {text}");
        world.write(&format!("book/{path}"), &text.replace(from, to));
        let _ = world.git(book, &commit).ok();
    };
    run(&["continue", "1"]);
    let next = figures(&world, book);
    assert_ne!(next, before);
    run(&["write", "2", "--force"]);
    run(&["rollback", "ch-6", "--yes"]);
    assert_ne!(figures(&world, book), next);
    run(&["undo"]);
    let mut last = figures(&world, book);
    for (path, from, to) in [
        ("logs/vol-01/chapter-003-log.json", "\"revisions\": 0", "\"revisions\": 4"),
        ("evaluations/vol-01/chapter-004-eval.json", "\"status\": \"not_checked\"", "\"status\": \"pass\""),
        ("volumes/vol-01/foreshadowing.json", "rule_seven", "rule_eight"),
        ("quality/vol-01/chapter-005-quality.json", "\"now\": ", "\"now\": 1"),
    ] {
        changed(path, from, to);
        let now = figures(&world, book);
        assert_ne!(now, last, "{path}");
        last = now;
    }
    let main = world.git(book, &["branch", "--show-current"]).ok();
    run(&["branch", "alt", "--from", "ch-4"]);
    run(&["branch", "switch", "alt"]);
    assert_ne!(figures(&world, book), last);
    run(&["continue", "1"]);
    run(&["branch", "switch", main.trim()]);
    assert_eq!(figures(&world, book), last);
    world.check(book);
}

#[test]
fn the_tables_can_be_read_on_a_narrow_terminal() {
    let mut world = World::new();
    let book = world.demo_with(5);
    world.env.push(("COLUMNS".into(), "60".into()));
    for lang in ["zh", "en"] {
        let [metrics, voices] = [&["metrics", "--lang", lang][..], &["character", "voices", "--lang", lang]]
            .map(|command| world.novel(book, command).ok());
        let tables = metrics.lines().chain(voices.lines().filter(|line| !line.contains("80")));
        for line in tables {
            assert!(table::width(line) <= 60, "{line}");
        }
        // Ids and particles with their shares are whole, and the rest of a name is no row of its own.
        assert!(metrics.contains("  client_signature  ") && !metrics.lines().any(|line| line == "rules"), "{metrics}");
        assert!(!voices.lines().any(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit())), "{voices}");
        let heading = voices.lines().nth(2).unwrap_or_default();
        assert!(heading.contains(if lang == "zh" { "句末语气词" } else { "final particles" }), "{voices}");
    }
}
