//! A volume's end: its review, the state's clean-up, the last volume, and every question from `novel decide`.

use crate::common::{Output, World};
use serde_json::{Value, json};

/// A book whose brief asks for that course at every review, written by the offline writer.
fn book(world: &World, course: &str) -> &'static str {
    let args = ["init", "book", "--title", "渡口", "--genre", "悬疑", "--protagonist", "沈渡，不会水的摆渡人"];
    let rest = ["--conflict", "一张对不上的舱单", "--words", "300-500", "--offline"];
    let _ = world.novel("", &[&args[..], &rest].concat()).ok();
    world.write("book/brief.md", &format!("{}\n离线进度: {course}\n", world.read("book/brief.md")));
    "book"
}

/// The same with its first volume written and not yet reviewed; the state has a lamp that no text mentions any more.
fn written(world: &World, course: &str) -> &'static str {
    let book = book(world, course);
    let _ = world.novel(book, &FOUND).fails(3);
    let _ = world.novel(book, &["start", "--answer", "go-on", "--chapters", "5"]).fails(3);
    let _ = world.novel(book, &["plan", "approve"]).ok();
    let mut state: Value = serde_json::from_str(&world.read("book/state/current-state.json")).unwrap();
    state["items"] = json!({"old-lamp": {"display_name": "琉璃盏"}, "ticket": {"holder": "shen-du"}});
    state["characters"]["ghost"] = json!({"location": "桥下"});
    world.write("book/state/current-state.json", &serde_json::to_string_pretty(&state).unwrap());
    world.write("book/characters/retired/ghost.json", r#"{"id": "ghost", "display_name": "老鬼"}"#);
    let _ = world.novel(book, &["continue", "--volume"]).ok();
    book
}

/// Chooses a style, makes the world and tries three chapters.
const FOUND: [&str; 5] = ["start", "--answer", "found", "--style", "suspense"];
/// Reviews the volume that is written.
const REVIEW: [&str; 4] = ["--json", "start", "--answer", "review"];

fn state(world: &World) -> Value {
    serde_json::from_str(&world.read("book/state/current-state.json")).unwrap()
}

#[track_caller]
fn asks(world: &World, about: &str, recommended: &str) -> Value {
    let question = world.novel("book", &["decide", "--json"]).fails(3).json();
    let seen = (&question["type"], &question["data"]["about"], &question["recommendation"], &question["options"][0]);
    let wanted = ("requires_user_decision".into(), about.into(), recommended.into(), recommended.into());
    assert_eq!(seen, (&wanted.0, &wanted.1, &wanted.2, &wanted.3), "{question:#}");
    assert!(question["rationale"].is_string() && question["data"]["commands"].is_array(), "{question:#}");
    question
}

#[track_caller]
fn sound(world: &World) {
    assert_eq!(world.git("book", &["status", "--porcelain"]).ok(), "");
    let _ = world.novel("book", &["doctor"]).ok();
    world.check("book");
}

fn refused(output: Output, words: &str) {
    let output = output.fails(1);
    assert!(output.stderr.contains(words), "{output:#?}");
}

#[test]
fn a_review_is_one_commit_with_figures_and_a_judgement() {
    let world = World::new();
    let book = written(&world, "continue, 40");
    let shown = world.novel(book, &["review", "--json"]).fails(0).json_lines().pop().unwrap();
    let again = world.novel(book, &["review", "--json"]).fails(0).json();
    assert_eq!((&again["text"], &again["commit"]), (&shown["text"], &Value::Null));
    assert_eq!(shown["progress"]["evaluation_result"], "continue");
    assert_eq!((&shown["progress"]["chapters_left"], &shown["volume"]), (&40.into(), &1.into()));
    let text = world.read("book/volumes/vol-01/review.md");
    assert_eq!(shown["text"], text);
    for part in [
        "写成 5 章",
        "## 进度判断\n\n- 建议：继续写。",
        "## 交给下一卷",
        "铺垫：",
        "## 伏笔\n\n- 完成度：",
        "## 故事线",
        "- 世界规则：",
        "- 故事线规则：",
        "强制通过的章：",
        "items.old-lamp",
        "git show ch-005:state/current-state.json",
    ] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    let without_code = text.split('`').step_by(2).collect::<String>();
    for id in ["main-arc", "W-0", "OBJ-", "LS-0", "C-"] {
        assert!(!without_code.contains(id), "`{id}` in {text}");
    }
    assert_eq!(world.subjects(book)[0], "review vol-01");
    let files = world.git(book, &["show", "--name-only", "--format=%b", "HEAD"]).ok();
    for part in
        ["Novel-Kind: review", "Novel-Progress: continue", "volumes/vol-01/progress.json", "logs/plans/review-01-"]
    {
        assert!(files.contains(part) && !files.contains(".draft"), "{files}");
    }
    // It is there: shown again, not made again.
    let head = world.git(book, &["rev-parse", "HEAD"]).ok();
    assert_eq!(world.novel(book, &["review", "1"]).ok().trim(), text.trim());
    assert_eq!(world.git(book, &["rev-parse", "HEAD"]).ok(), head);
    let _ = world.novel(book, &["review", "--force"]).ok();
    let _ = world.novel(book, &["review", "--force"]).ok();
    let subjects = world.subjects(book);
    assert_eq!([&subjects[..2], &subjects[3..4]].concat(), ["review vol-01", "review vol-01", "ch-005: 反锁仓库"]);
    assert!(subjects[2].starts_with("quality: "), "{subjects:?}");
    // Of another text than it speaks of, it is out of date, and that is said.
    let again = world.novel(book, &["--lang", "en", "write", "2", "--force"]);
    assert!(again.stderr.contains("to renew the review: novel review 1 --force"), "{again:#?}");
    let _ = again.ok();
    sound(&world);
}

#[test]
fn what_is_not_written_is_not_reviewed() {
    let world = World::new();
    let book = book(&world, "continue");
    refused(world.novel(book, &["--lang", "en", "review"]), "vol-01 is not planned");
    let _ = world.novel(book, &FOUND).fails(3);
    refused(world.novel(book, &["--lang", "en", "review"]), "only trial chapters");
    let _ = world.novel(book, &["decide", "go-on"]).ok();
    refused(world.novel(book, &["--lang", "en", "review"]), "only trial chapters");
    let _ = world.novel(book, &["plan", "make", "--chapters", "6"]).fails(3);
    let _ = world.novel(book, &["plan", "approve"]).ok();
    refused(world.novel(book, &["--lang", "en", "review", "--force"]), "3 of 6 chapters");
    refused(world.novel(book, &["--lang", "en", "review", "vol-9"]), "vol-09 is not planned");
    let _ = world.novel(book, &["review", "ch-3"]).fails(2);
    sound(&world);
}

#[test]
fn a_review_that_is_due_is_offered_for_the_volume_under_review_although_the_next_one_is_planned() {
    let world = World::new();
    let book = written(&world, "continue");
    let _ = world.novel(book, &["review"]).ok();
    let _ = world.novel(book, &["plan", "make", "--chapters", "4"]).fails(3);
    let _ = world.novel(book, &["plan", "approve"]).ok();
    let _ = world.novel(book, &["rollback", "ch-004", "--yes"]).ok();
    let _ = world.novel(book, &["continue", "--volume"]).ok();
    let place = "volume 1 · reviewing the volume";
    for (command, code) in [("status", 0), ("start", 3)] {
        let said = world.novel(book, &["--lang", "en", command]).fails(code).stdout;
        assert!(said.contains(place), "{said}");
    }
}

#[test]
fn an_earlier_volume_is_reviewed_by_what_it_left() {
    let world = World::new();
    let book = written(&world, "continue");
    // A book from before reviews were required: the next volume is written, and this one has none.
    let _ = world.novel(book, &["review"]).ok();
    let _ = world.novel(book, &["plan", "make", "--chapters", "4"]).fails(3);
    let _ = world.novel(book, &["plan", "approve"]).ok();
    let _ = world.novel(book, &["continue", "4"]).ok();
    let _ = world.git(book, &["rm", "-q", "volumes/vol-01/review.md", "volumes/vol-01/progress.json"]).ok();
    world.commit(book, "no review");
    let _ = world.novel(book, &["review", "1"]).ok();
    let text = world.read("book/volumes/vol-01/review.md");
    assert!(text.contains("ch-005:state") && !text.contains("没有埋下"), "the ledger is that of its end: {text}");
    assert!(!text.contains("old-lamp"), "what the state holds now is not this volume's business");
    let checkpoint = world.read("book/.checkpoint.json");
    assert!(checkpoint.contains("VOL_REVIEW") && checkpoint.contains("\"pending_actions\": []"), "{checkpoint}");
    sound(&world);
}

#[test]
fn only_what_the_author_agrees_to_leaves_the_state() {
    let world = World::new();
    let book = written(&world, "continue");
    let before = state(&world);
    let asked = world.novel(book, &REVIEW).fails(3).json_lines().pop().unwrap();
    assert_eq!((&asked["data"]["about"], &asked["recommendation"]), (&"cleanup".into(), &"clean".into()));
    let entries: Vec<&str> =
        asked["data"]["cleanup"].as_array().unwrap().iter().map(|entry| entry["path"].as_str().unwrap()).collect();
    assert_eq!(entries, ["characters.ghost", "items.old-lamp"]);
    assert_eq!(asks(&world, "cleanup", "clean")["data"]["cleanup"], asked["data"]["cleanup"]);
    let status = world.novel(book, &["--lang", "en", "status"]).ok();
    assert!(status.contains("whether to clean up the state after vol-01"), "{status}");
    assert_eq!(state(&world), before, "it is a proposal");

    // An entry that a text mentions in the meantime stays.
    let brief = world.read("book/storylines/storylines.json");
    world.write(
        "book/storylines/storylines.json",
        &brief.replacen("\"description\": \"", "\"description\": \"琉璃盏。", 1),
    );
    let _ = world.novel(book, &["decide", "clean"]).ok();
    let after = state(&world);
    assert_eq!((&after["characters"]["ghost"], &after["items"]), (&Value::Null, &before["items"]));
    assert_eq!(after["state_version"], before["state_version"]);
    let commit = world.git(book, &["show", "--name-only", "--format=%B", "HEAD"]).ok();
    assert!(commit.contains("Novel-Kind: review") && commit.contains("Novel-Answer: clean"), "{commit}");
    assert!(commit.contains("- characters.ghost") && !commit.contains("old-lamp"), "{commit}");
    sound(&world);
    let next = asks(&world, "volume", "next-volume");
    assert_eq!(next["data"]["progress"]["evaluation_result"], "continue");
    let head = world.git(book, &["rev-parse", "HEAD"]).ok();
    let _ = world.novel(book, &["decide", "clean"]).ok();
    assert_eq!(world.git(book, &["rev-parse", "HEAD"]).ok(), head, "the same answer twice is one");
    refused(world.novel(book, &["--lang", "en", "decide", "keep"]), "next-volume, wrap-up, end");
}

#[test]
fn a_state_that_is_kept_is_not_asked_about_again() {
    let world = World::new();
    let book = written(&world, "continue");
    let before = state(&world);
    let _ = world.novel(book, &REVIEW).fails(3);
    let volume = world.novel(book, &["--json", "start", "--answer", "keep"]).fails(3).json_lines().pop().unwrap();
    assert_eq!(volume["data"]["about"], "volume");
    assert_eq!(state(&world), before);
    let files = world.git(book, &["show", "--name-only", "--format=", "HEAD"]).ok();
    assert_eq!(files.trim(), ".checkpoint.json");
    let _ = asks(&world, "volume", "next-volume");
    sound(&world);
}

#[test]
fn a_closing_volume_is_planned_written_and_ends_the_book() {
    let world = World::new();
    let book = written(&world, "wrap_up, 4");
    let _ = world.novel(book, &REVIEW).fails(3);
    let _ = world.novel(book, &["decide", "keep"]).ok();
    let _ = asks(&world, "volume", "wrap-up");
    let _ = world.novel(book, &["decide", "wrap-up"]).ok();
    // The answer is recorded in the book: the next plan closes the book, as long as the review recommends the end.
    let plan = world.novel(book, &["--json", "start", "--answer", "plan"]).fails(3).json_lines().pop().unwrap();
    assert_eq!((&plan["data"]["closing"], &plan["data"]["flaws"]), (&true.into(), &json!([])));
    assert_eq!(plan["data"]["chapters"].as_array().unwrap().len(), 4);
    let outline = world.read("book/staging/volumes/vol-02/outline.md");
    assert!(outline.contains("全书到此为止"), "what the volume is about stands before its chapters: {outline}");

    // A chapter that leaves a thread open is a flaw, even if the author wrote it.
    let path = "book/staging/volumes/vol-02/outline.md";
    let line = outline.lines().find(|line| line.contains("回收 first_lamp")).unwrap();
    world.write(path, &outline.replacen(line, "- 伏笔: 无", 1));
    let flawed = world.novel(book, &["--lang", "en", "plan", "approve"]).fails(3);
    assert!(flawed.stderr.contains("first_lamp"), "{flawed:#?}");
    world.write(path, &outline);
    let _ = world.novel(book, &["decide", "approve"]).ok();
    let _ = world.novel(book, &["start", "--answer", "write-volume"]).fails(3);
    let ending = world.novel(book, &REVIEW).fails(3).json_lines().pop().unwrap();
    assert_eq!((&ending["data"]["about"], &ending["recommendation"]), (&"cleanup".into(), &"clean".into()));
    let ending = world.novel(book, &["--json", "start", "--answer", "clean"]).fails(3).json_lines().pop().unwrap();
    assert_eq!((&ending["recommendation"], &ending["data"]["progress"]["closing"]), (&"end".into(), &true.into()));
    let ledger: Value = serde_json::from_str(&world.read("book/foreshadowing/global.json")).unwrap();
    let open = |entry: &&Value| entry["status"] != "resolved";
    assert_eq!(ledger["foreshadowing"].as_array().unwrap().iter().filter(open).count(), 0, "{ledger:#}");

    let over = world.novel(book, &["--lang", "en", "start", "--answer", "end"]).ok();
    assert!(over.contains("the book is complete and ends with vol-02"), "{over}");
    assert_eq!(world.subjects(book)[0], "the book ends with vol-02");
    sound(&world);
    let head = world.git(book, &["rev-parse", "HEAD"]).ok();
    for args in [&["start"][..], &["start", "--answer", "end"], &["start", "--yes"], &["decide", "end"]] {
        let _ = world.novel(book, args).ok();
    }
    let said = world.novel(book, &["--json", "decide", "end"]).ok();
    assert!(said.contains("\"next\": \"novel status\""), "a command, and no words in place of one: {said}");
    refused(world.novel(book, &["--lang", "en", "continue"]), "the book is complete");
    let _ = world.novel(book, &["decide"]).ok();
    let status: Value = serde_json::from_str(&world.novel(book, &["status", "--json"]).ok()).unwrap();
    assert_eq!((&status["phase"], &status["pending"]), (&"COMPLETED".into(), &json!([])));
    assert_eq!(world.git(book, &["rev-parse", "HEAD"]).ok(), head, "a book that has ended rests");
    // And it can be taken up again, or the end be taken back.
    let again = world.novel(book, &["--json", "start", "--answer", "next-volume", "--chapters", "4"]).fails(3);
    assert_eq!(again.json_lines().last().unwrap()["data"]["closing"], false);
    let _ = world.novel(book, &["plan", "reject"]).ok();
    let _ = world.novel(book, &["undo", "2"]).ok();
    let _ = asks(&world, "volume", "end");
    sound(&world);
}

#[test]
fn recommended_answers_end_a_book_whose_story_is_told() {
    let world = World::new();
    let book = book(&world, "force_end");
    let over = world.novel(book, &["start", "--yes", "--chapters", "5"]).ok();
    assert!(over.contains("the book is complete"), "{over}");
    assert_eq!(world.subjects(book)[0], "the book ends with vol-01");
    sound(&world);
}

#[test]
fn a_last_volume_may_be_ordered_without_a_question() {
    let world = World::new();
    let book = written(&world, "continue, 9");
    let _ = world.novel(book, &["review"]).ok();
    let plain = world.novel(book, &["--json", "plan", "make", "--chapters", "6"]).fails(3);
    assert_eq!(plain.json_lines().last().unwrap()["data"]["closing"], false);
    // Another order takes the place of what was planned; the same one goes on with it.
    let closing = world.novel(book, &["--json", "plan", "make", "--closing", "--chapters", "6"]).fails(3);
    assert_eq!(closing.json_lines().last().unwrap()["data"]["closing"], true);
    let same = world.novel(book, &["--json", "plan", "make"]).fails(3);
    assert_eq!(same.json_lines().last().unwrap()["data"]["closing"], true);
    // Made shorter, it still closes everything.
    let shorter = world.novel(book, &["--json", "plan", "resize", "4"]).fails(3);
    assert_eq!(shorter.json_lines().last().unwrap()["data"]["flaws"], json!([]));
    let _ = world.novel(book, &["plan", "approve"]).ok();
    let schedule = world.read("book/volumes/vol-02/storyline-schedule.json");
    assert!(schedule.contains("\"closing\": true"), "{schedule}");
    sound(&world);
}

#[test]
fn every_question_can_be_seen_and_answered_by_decide() {
    let world = World::new();
    let book = book(&world, "continue");
    let shown = world.novel(book, &["--lang", "en", "decide"]).fails(0);
    assert!(shown.stdout.starts_with("nothing awaits your decision") && shown.stderr.is_empty(), "{shown:#?}");
    assert!(shown.stdout.contains("novel status"), "{shown:#?}");
    refused(world.novel(book, &["--lang", "en", "decide", "go-on"]), "no open question takes the answer `go-on`");
    refused(world.novel(book, &["--lang", "en", "decide", "accept"]), "there is nothing to decide");
    let _ = world.novel(book, &["decide", "nonsense"]).fails(2);
    let _ = world.novel(book, &["decide", "write-5"]).fails(2);
    let _ = world.novel(book, &FOUND).fails(3);
    let trial = asks(&world, "trial", "go-on");
    assert_eq!(trial["data"]["commands"][0], "novel decide go-on");
    let status = world.novel(book, &["--lang", "en", "status"]).ok();
    assert!(status.contains("trial chapters"), "{status}");
    refused(world.novel(book, &["--lang", "en", "decide", "end"]), "go-on, style, subject");
    refused(world.novel(book, &["--lang", "en", "decide", "accept"]), "go-on, style, subject");
    refused(world.novel(book, &["decide", "go-on", "--chapter", "3"]), "");
    let said = world.novel(book, &["--json", "decide", "go-on"]).ok();
    assert!(said.contains("\"next\": \"novel start\""), "{said}");
    let head = world.git(book, &["rev-parse", "HEAD"]).ok();
    let _ = world.novel(book, &["decide", "go-on"]).ok();
    assert_eq!(world.git(book, &["rev-parse", "HEAD"]).ok(), head, "the same answer twice is one");
    let _ = world.novel(book, &["start", "--answer", "plan", "--chapters", "5"]).fails(3);
    let _ = asks(&world, "plan", "approve");
    let edit = world.novel(book, &["--lang", "en", "decide", "edit"]).fails(3);
    assert!(edit.stdout.contains("staging/volumes/vol-01"), "{edit:#?}");
    let aside = world.novel(book, &["--json", "decide", "reject"]).fails(0).json();
    assert_eq!((&aside["decision"], &aside["commit"]), (&"reject".into(), &Value::Null));
    refused(world.novel(book, &["--lang", "en", "decide", "approve"]), "no open question");
    sound(&world);
}

#[test]
fn a_death_on_the_way_leaves_the_old_book_or_the_new_one() {
    let world = World::new();
    let _ = written(&world, "wrap_up, 4");
    let tree = |at: &str| world.git(at, &["rev-parse", "HEAD^{tree}"]).ok();
    let points =
        ["txn.objects", "txn.after_cas", "tree.files", "txn.end", "draft.objects", "draft.moved", "close.deleted"];
    for (args, before) in [
        (&["review"][..], &[][..]),
        (&["decide", "clean"], &["review"][..]),
        (&["decide", "wrap-up"], &["decide", "keep"]),
        (&["decide", "end"], &[]),
    ] {
        if !before.is_empty() {
            let _ = world.novel("book", before).ok();
        }
        world.copy("book", "undisturbed");
        let _ = world.novel("undisturbed", args).ok();
        for point in points {
            world.copy("book", "killed");
            let mut dying = world.command(env!("CARGO_BIN_EXE_novel"), &world.path("killed"));
            let died = dying.args(args).env("__NOVEL_CRASH_TEST_ABORT_AT", point).output().unwrap();
            let now = tree("killed");
            assert!([tree("book"), tree("undisturbed")].contains(&now), "{args:?} {point}");
            let _ = world.novel("killed", args).ok();
            let (now, wanted) = (tree("killed"), tree("undisturbed"));
            // The log of a review names the stages that were paid for, once.
            assert_eq!(now, wanted, "{args:?} {point}: {died:?}");
            assert_eq!(world.git("killed", &["status", "--porcelain"]).ok(), "", "{args:?} {point}");
            world.check("killed");
        }
        assert_eq!(world.subjects("undisturbed").len(), world.subjects("book").len() + 1, "{args:?} is one commit");
    }
}
