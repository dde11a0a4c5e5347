//! `novel start`: from an idea to the second volume's plan, question by question.

use crate::common::World;
use crate::pipeline::script::score;
use crate::pipeline::studio::models;
use novel::llm::Wire;
use serde_json::Value;

fn idea(world: &World) -> &'static str {
    let args = ["init", "book", "--title", "渡口", "--genre", "悬疑", "--protagonist", "沈渡，不会水的摆渡人"];
    let rest = ["--conflict", "一张对不上的舱单", "--words", "300-500", "--offline"];
    let _ = world.novel("", &[&args[..], &rest].concat()).ok();
    "book"
}

fn subjects(world: &World, book: &str) -> Vec<String> {
    let log = world.git(book, &["log", "--first-parent", "--reverse", "--format=%s"]).ok();
    log.lines().map(str::to_owned).collect()
}

/// Chooses a style, makes the world and tries three chapters; the question is what becomes of them.
#[track_caller]
fn tried(world: &World) -> Value {
    question(world, &["--answer", "found", "--style", "suspense"])
}

/// The question that a run ended with.
#[track_caller]
fn question(world: &World, args: &[&str]) -> Value {
    let output = world.novel("book", &[&["--json", "start"], args].concat()).fails(3);
    output.json_lines().pop().unwrap()
}

#[track_caller]
fn starts(log: &[String], expected: &[&str]) {
    assert_eq!(log.len(), expected.len(), "{log:#?}");
    for (subject, start) in log.iter().zip(expected) {
        assert!(subject.starts_with(start), "`{subject}` is not `{start}…`: {log:#?}");
    }
}

#[test]
fn an_idea_becomes_a_written_volume_and_the_next_one_s_plan() {
    let world = World::new();
    let book = idea(&world);
    let trial = tried(&world);
    assert_eq!((&trial["type"], &trial["recommendation"]), (&"requires_user_decision".into(), &"go-on".into()));
    assert_eq!(trial["data"]["chapters"].as_array().unwrap().len(), 3);
    let founded = [
        "init: ",
        "style: suspense",
        "world: ",
        "theme: ",
        "characters: ",
        "plan vol-01: ",
        "ch-001: ",
        "ch-002: ",
        "ch-003: ",
    ];
    starts(&subjects(&world, book), &founded);
    assert_eq!(question(&world, &[]), trial, "asking again changes nothing");

    let chapters = ["chapters/vol-01/chapter-001.md", "chapters/vol-01/chapter-003.md"];
    let written = chapters.map(|path| world.read(&format!("book/{path}")));
    let plan = question(&world, &["--answer", "go-on", "--chapters", "8"]);
    assert_eq!((&plan["data"]["volume"], &plan["recommendation"]), (&1.into(), &"approve".into()), "{plan}");
    let outline = world.read("book/staging/volumes/vol-01/outline.md");
    assert!(outline.contains("## 第1章") && outline.contains("## 第8章"), "the trial chapters begin the volume");

    let write = question(&world, &["--answer", "approve"]);
    assert_eq!(write["data"]["about"], "write", "an approved plan is not written without a word");
    let review = question(&world, &["--answer", "write-volume"]);
    assert_eq!((&review["data"]["about"], &review["options"][0]), (&"review".into(), &"review".into()));
    let volume = question(&world, &["--answer", "review"]);
    assert_eq!((&volume["data"]["about"], &volume["options"][0]), (&"volume".into(), &"next-volume".into()));
    assert_eq!(chapters.map(|path| world.read(&format!("book/{path}"))), written, "what is written stays");
    let log = subjects(&world, book);
    starts(&log[9..11], &["start: the trial chapters stay", "plan vol-01: "]);
    starts(&log[17..], &["review vol-01"]);
    let review = world.read("book/volumes/vol-01/review.md");
    for heading in ["写成 8 章", "## 故事线", "## 伏笔", "## 交给下一卷"] {
        assert!(review.contains(heading), "{review}");
    }

    let next = question(&world, &["--answer", "next-volume", "--chapters", "6"]);
    assert_eq!(next["data"]["volume"], 2);
    assert!(world.read("book/staging/volumes/vol-02/outline.md").contains("## 第9章"));
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn recommended_answers_lead_to_the_second_volume_s_plan() {
    let world = World::new();
    let book = idea(&world);
    let _ = world.novel(book, &["start", "--yes", "--chapters", "6"]).ok();
    let log = subjects(&world, book);
    assert!(log.iter().any(|subject| subject.starts_with("review vol-01")), "{log:#?}");
    assert!(log.last().unwrap().starts_with("plan vol-02: "), "{log:#?}");
    assert!(world.novel(book, &["status"]).ok().contains("novel continue"));
    world.check(book);
}

#[test]
fn another_style_writes_the_trial_chapters_again_and_leaves_nothing_of_the_old() {
    let world = World::new();
    let book = idea(&world);
    let _ = tried(&world);
    let rules = world.read("book/world/rules.json");
    let nonsense = world.novel(book, &["start", "--answer", "style", "--style", "nonsense"]).fails(2);
    assert!(nonsense.stderr.contains("nonsense"), "{nonsense:#?}");
    let again = question(&world, &["--answer", "style", "--style", "light"]);
    assert_eq!(again["data"]["about"], "trial");
    assert!(world.read("book/style-profile.json").contains("preset"));
    assert_eq!(world.read("book/world/rules.json"), rules, "the world stays");
    let old = world.git(book, &["tag", "--list"]).ok();
    assert_eq!(old.lines().count(), 3, "{old}");
    let kept = world.git(book, &["log", "--all", "--format=%s"]).ok();
    assert!(kept.matches("ch-003: ").count() >= 2, "the first attempt stays reachable:\n{kept}");
    world.check(book);
}

#[test]
fn what_the_author_has_done_while_the_trial_waited_outlives_another_style_and_another_subject() {
    let world = World::new();
    let book = idea(&world);
    let _ = tried(&world);
    let own = |path: &str, old: &str, new: &str| {
        let text = world.read(&format!("book/{path}")).replacen(old, new, 1);
        world.write(&format!("book/{path}"), &text);
        (format!("book/{path}"), text)
    };
    let settings = own("novel.toml", "[gate]", "# 我的话\n[gate]");
    let rules = own("world/rules.json", "\"rule\": \"", "\"rule\": \"入夜以后，");
    let brief = own("brief.md", "## 主题", "## 主题\n\n作者自己的主题。");
    world.write("book/research/note.md", "灯塔的尺寸\n");
    let _ = question(&world, &["--answer", "style", "--style", "light"]);
    for (path, text) in [&settings, &rules, &brief] {
        assert_eq!(world.read(path), *text, "{path}");
    }
    assert_eq!(world.read("book/research/note.md"), "灯塔的尺寸\n");
    // Another genre alone: what is not said again stays as it was, and so do settings and notes.
    let _ = question(&world, &["--answer", "subject", "--genre", "科幻"]);
    assert!(world.read("book/novel.toml").contains("# 我的话") && world.read("book/novel.toml").contains("科幻"));
    assert!(world.read("book/brief.md").contains("对不上的舱单"), "the conflict is the old one");
    assert_eq!(world.read("book/research/note.md"), "灯塔的尺寸\n");
    assert!(!world.read("book/world/rules.json").contains("入夜以后"));
    let people = world.git(book, &["ls-files", "characters/active/*.json"]).ok();
    assert!(people.contains("shen-du"), "{people}");
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn a_step_whose_result_the_author_has_taken_out_is_taken_again() {
    let world = World::new();
    let book = idea(&world);
    let _ = world.novel(book, &["world", "update"]).ok();
    let made = world.read("book/world/rules.json");
    world.write("book/world/rules.json", "{\"schema_version\": 1, \"rules\": []}\n");
    let _ = tried(&world);
    assert!(world.read("book/world/rules.json").contains("W-001"));
    // Given twice in a row it is one; what the author changes elsewhere makes no difference.
    let head = subjects(&world, book).len();
    let _ = world.novel(book, &["world", "update", "渡口归谁管", "--yes"]).ok();
    world.write("book/research/note.md", "x\n");
    let _ = world.novel(book, &["world", "update", "渡口归谁管", "--yes"]).ok();
    assert_eq!(subjects(&world, book).len(), head + 2, "the update and the note; {made}");
    world.check(book);
}

#[test]
fn another_subject_begins_anew_from_the_idea() {
    let world = World::new();
    let book = idea(&world);
    let _ = tried(&world);
    let args = [
        "--answer",
        "subject",
        "--genre",
        "科幻",
        "--protagonist",
        "罗守拙，修灯塔的人",
        "--conflict",
        "灯塔只许为一条船亮",
    ];
    let again = question(&world, &args);
    assert_eq!(again["data"]["about"], "found", "another subject spends nothing by itself");
    let people = world.git(book, &["ls-files", "characters/active/*.json"]).ok();
    assert!(people.contains("luo-shou-zhuo") && !people.contains("shen-du"), "{people}");
    assert!(world.read("book/brief.md").contains("灯塔只许为一条船亮"));
    assert!(!world.read("book/brief.md").contains("对不上的舱单"));
    assert!(world.read("book/novel.toml").contains("科幻"));
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    let _ = world.novel(book, &["doctor"]).ok();
    world.check(book);
}

#[test]
fn answers_that_fit_no_question_change_nothing() {
    let world = World::new();
    let book = idea(&world);
    let early = world.novel(book, &["--lang", "en", "start", "--answer", "approve"]).fails(1);
    assert!(early.stderr.contains("no open question takes the answer `approve`"), "{early:#?}");
    let _ = tried(&world);
    let before = subjects(&world, book);
    let wrong = world.novel(book, &["--lang", "en", "start", "--answer", "next-volume"]).fails(1);
    assert!(wrong.stderr.contains("go-on, style, subject"), "{wrong:#?}");
    assert_eq!(subjects(&world, book), before);
    // Answered twice: the second time there is another question.
    let _ = question(&world, &["--answer", "go-on", "--chapters", "5"]);
    let twice = world.novel(book, &["--lang", "en", "start", "--answer", "go-on"]).fails(1);
    assert!(twice.stderr.contains("approve, edit, reject"), "{twice:#?}");
}

#[test]
fn a_demo_never_goes_on_with_a_book_that_is_the_authors() {
    let world = World::new();
    let book = idea(&world);
    let _ = tried(&world);
    let before = subjects(&world, book);
    let refused = world.novel("", &["demo", "book", "--lang", "en", "--volumes", "1", "--chapters", "5"]).fails(1);
    assert!(refused.stderr.contains("is already a book"), "{refused:#?}");
    assert_eq!(subjects(&world, book), before);
    world.write("mine/draft.txt", "x\n");
    let _ = world.novel("", &["demo", "mine"]).fails(1);
    assert!(!world.path("mine/.git").exists());
    // Its own is gone on with.
    let _ = world.novel("", &["demo", "other", "--chapters", "1"]).ok();
    let _ = world.novel("", &["demo", "other", "--chapters", "2"]).ok();
    assert!(subjects(&world, "other").last().unwrap().starts_with("ch-002: "));
}

#[test]
fn a_trial_chapter_that_waits_is_asked_about() {
    let (_server, script, settings) = models(Wire::OpenAi);
    let mut world = World::new();
    let book = idea(&world);
    // The trial is planned, and no chapter is begun.
    let found = ["start", "--answer", "found", "--style", "suspense"];
    world.dies(book, &found, "txn.end#5");
    world.env.extend(settings.map(|(name, value)| (name.to_owned(), value)));
    world.env.push(("NOVEL_OFFLINE".to_owned(), "false".to_owned()));
    script.lock().unwrap().put("judge", score(2.4).into());
    let waits = question(&world, &found[1..]);
    assert_eq!((&waits["type"], &waits["data"]["chapter"]), (&"requires_user_decision".into(), &1.into()), "{waits}");
    for lang in ["zh", "en"] {
        let said = world.novel(book, &["--lang", lang, "start"]).fails(3);
        assert!(said.stdout.contains("ch-001") && said.stderr.contains("novel decide"), "{said:#?}");
    }
}
