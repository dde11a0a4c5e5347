//! A command that was interrupted: given again it acts once, looking tells what waits, and recovery says what it did.

use crate::common::{Output, World};
use novel::git::failpoint;

/// The same book again and again: it is made once, because most of the time would go into making it.
struct Template {
    world: World,
}

impl Template {
    /// The demo book with so many chapters, after some more commands.
    fn new(chapters: u32, commands: &[&[&str]]) -> Self {
        let world = World::new();
        let _ = world.demo_with(chapters);
        for args in commands {
            let _ = world.novel("book", args);
        }
        Self { world }
    }

    /// A fresh copy of it.
    #[track_caller]
    fn copy(&self, name: &str) {
        self.world.copy("book", name);
    }

    /// Runs the program on a copy until it dies at `point`; whether it did.
    fn dies(&self, point: &str, args: &[&str]) -> bool {
        let mut command = self.world.command(env!("CARGO_BIN_EXE_novel"), &self.world.path("killed"));
        command.args(args).env(failpoint::ENV, point);
        !command.output().unwrap().status.success()
    }

    fn run(&self, book: &str, args: &[&str]) -> Output {
        self.world.novel(book, args)
    }

    /// Everything that must not depend on the interruption.
    fn outcome(&self, book: &str) -> String {
        let git = |args: &[&str]| self.world.git(book, args).ok();
        let subjects = git(&["log", "--first-parent", "--format=%s"]);
        let refs = git(&["for-each-ref", "--format=%(refname) %(tree)", "refs/heads", "refs/tags", "refs/novel/txn"]);
        format!("{}{subjects}{refs}{}", git(&["rev-parse", "HEAD^{tree}"]), git(&["status", "--porcelain"]))
    }

    /// Kills the command at each of the places that it reaches, and gives it again.
    #[track_caller]
    fn acts_once(&self, args: &[&str], ends: i32, points: &[&str]) {
        self.copy("undisturbed");
        let _ = self.run("undisturbed", args).fails(ends);
        let expected = self.outcome("undisturbed");
        let mut deaths = 0;
        for point in points {
            self.copy("killed");
            if !self.dies(point, args) {
                continue;
            }
            deaths += 1;
            let seen = self.run("killed", &["status", "--json"]).json();
            assert_eq!(seen["hand_edits"], serde_json::json!([]), "{args:?} at {point}");
            let again = self.run("killed", args);
            assert_eq!(again.code, ends, "{args:?} at {point}: {again:#?}");
            assert_eq!(self.outcome("killed"), expected, "{args:?} at {point}: {again:#?}");
            assert!(!self.world.path("killed/.git/novel/errand").exists(), "{args:?} at {point}");
        }
        assert!(deaths > 2, "{args:?} died only {deaths} times");
    }
}

/// Places where a command that makes one commit may die.
const ONE: [&str; 12] = [
    "errand.begun",
    "txn.prepared",
    "txn.kept",
    "txn.intent",
    "txn.after_cas",
    "txn.tagged",
    "tree.file#2",
    "index.renamed",
    "txn.end",
    "close.kept",
    "close.unlinked",
    "reopen.closed",
];

#[test]
fn undo_and_redo_act_once() {
    let template = Template::new(3, &[]);
    template.acts_once(&["undo"], 0, &ONE);
    template.acts_once(&["undo", "2"], 0, &["txn.after_cas", "txn.after_cas#2", "txn.end", "txn.end#2", "tree.file#3"]);
    let template = Template::new(3, &[&["undo"], &["undo"]]);
    template.acts_once(&["redo"], 0, &ONE);
}

#[test]
fn continue_writes_as_many_chapters_as_it_was_told() {
    let template = Template::new(1, &[]);
    template.acts_once(&["continue"], 0, &ONE);
    let places = ["objects.placed", "txn.intent", "txn.after_cas", "txn.end", "txn.after_cas#2", "txn.end#2"];
    template.acts_once(&["continue", "2"], 0, &places);
    // To the end of the volume, and not of the next one.
    let template = Template::new(7, &[]);
    template.acts_once(&["continue", "--volume"], 0, &["txn.intent", "txn.after_cas", "txn.end"]);
}

#[test]
fn an_answer_is_taken_down_once() {
    let world_with_question = || {
        let template = Template::new(1, &[]);
        let brief = template.world.read("book/brief.md");
        template.world.write("book/brief.md", &format!("{brief}\n离线评分(ch-002): 2.4\n"));
        let _ = template.run("book", &["continue"]).fails(3);
        template
    };
    let template = world_with_question();
    let offered = template.run("book", &["decide", "--json"]).fails(3).json();
    let first = offered["options"][0]["answer"].as_str().or(offered["options"][0].as_str()).map(str::to_owned);
    let word = first.unwrap_or_else(|| "revise".to_owned());
    template.acts_once(&["decide", &word], 0, &["errand.begun", "draft.objects", "draft.moved", "staging.marked"]);
}

#[test]
fn another_style_is_tried_once() {
    let world = World::new();
    let idea = ["init", "book", "--genre", "悬疑", "--protagonist", "沈渡", "--words", "300-500", "--offline"];
    let _ = world.novel("", &idea).ok();
    let template = Template { world };
    let _ = template.run("book", &["start", "--answer", "preset"]).fails(3);
    let _ = template.run("book", &["start", "--answer", "found"]).fails(3);
    // The last of its five transactions is the last chapter.
    let places =
        ["errand.begun", "txn.after_cas", "txn.after_cas#4", "txn.after_cas#5", "txn.end#5", "txn.before_end#4"];
    template.acts_once(&["start", "--answer", "style", "--style", "light"], 3, &places);
}

#[test]
fn a_chapter_of_the_authors_own_is_not_one_that_the_interrupted_command_has_written() {
    let template = Template::new(1, &[]);
    template.copy("killed");
    assert!(template.dies("errand.begun", &["continue"]));
    let world = &template.world;
    world.write("killed/chapters/vol-01/chapter-002.md", "# 第2章 自己写\n\n雨停了。\n");
    let _ = world.git("killed", &["add", "chapters"]).ok();
    world.commit("killed", "my chapter");
    let done = template.run("killed", &["continue"]);
    assert_eq!(done.code, 0, "{done:#?}");
    assert!(world.path("killed/chapters/vol-01/chapter-003.md").exists(), "{done:#?}");
}

#[test]
fn another_command_in_between_begins_afresh() {
    let template = Template::new(3, &[]);
    template.copy("killed");
    assert!(template.dies("txn.after_cas", &["undo"]));
    // Looking changes nothing.
    let _ = template.run("killed", &["status"]).ok();
    let _ = template.run("killed", &["log"]).ok();
    assert!(template.world.path("killed/.git/novel/errand").exists());
    let _ = template.run("killed", &["rollback", "ch-002", "--yes"]).ok();
    let subjects = template.world.subjects("killed").len();
    let _ = template.run("killed", &["undo"]).ok();
    assert_eq!(template.world.subjects("killed").len(), subjects + 1);
}

#[test]
fn looking_after_a_death_tells_what_was_interrupted_and_blames_no_edit() {
    let template = Template::new(2, &[]);
    for point in
        // Before the chapter's, the index is written for the figures of a copied book.
        [
            "txn.intent",
            "txn.after_cas",
            "txn.tagged",
            "tree.file#3",
            "tree.files",
            "index.renamed#2",
            "txn.before_end",
        ]
    {
        template.copy("killed");
        assert!(template.dies(point, &["continue"]), "{point}");
        let english = template.run("killed", &["status", "--lang", "en"]).ok();
        assert!(english.contains("the acceptance of ch-003 was interrupted"), "{point}: {english}");
        assert!(!english.contains("uncommitted"), "{point}: {english}");
        let chinese = template.run("killed", &["status", "--lang", "zh"]).ok();
        assert!(chinese.contains("上次的操作中断了：收录 ch-003；下一条写作命令会自动补完"), "{point}: {chinese}");
        let json = template.run("killed", &["status", "--json"]).json();
        assert_eq!(json["interrupted"]["chapter"], 3, "{point}");
        assert_eq!(json["hand_edits"], serde_json::json!([]), "{point}: {json}");
        let log = template.run("killed", &["log", "--lang", "en"]);
        assert!(log.stderr.contains("was interrupted"), "{point}: {log:#?}");

        let finished = template.run("killed", &["continue", "--to", "ch-003", "--lang", "en"]);
        assert_eq!(finished.code, 0, "{point}: {finished:#?}");
        assert!(
            finished.stderr.contains("completed the acceptance of ch-003 after an interruption ("),
            "{point}: {finished:#?}"
        );
        assert!(template.run("killed", &["status", "--json"]).json()["interrupted"].is_null(), "{point}");
        assert_eq!(template.world.git("killed", &["status", "--porcelain"]).ok(), "", "{point}");
    }
}

#[test]
fn an_edit_of_the_authors_beside_an_unfinished_acceptance_is_still_seen() {
    let template = Template::new(2, &[]);
    template.copy("killed");
    assert!(template.dies("txn.after_cas", &["continue"]));
    let brief = template.world.read("killed/brief.md");
    template.world.write("killed/brief.md", &format!("{brief}\n又想到一句。\n"));
    let json = template.run("killed", &["status", "--json"]).json();
    assert_eq!(json["hand_edits"], serde_json::json!(["brief.md"]));
    let _ = template.run("killed", &["continue"]).ok();
    assert!(template.world.read("killed/brief.md").contains("又想到一句。"));
}

#[test]
fn recovery_is_an_event_for_programs_and_a_sentence_for_people() {
    let template = Template::new(2, &[]);
    template.copy("killed");
    assert!(template.dies("txn.after_cas", &["continue", "2"]));
    let lines = template.run("killed", &["continue", "2", "--json"]).json_lines();
    assert_eq!((&lines[0]["event"], &lines[0]["finished"]["chapter"]), (&"recovered".into(), &3.into()));
    assert_eq!(
        lines[1],
        serde_json::json!({"version": 1, "event": "resumed", "command": "continue 2", "done": 1, "left": 1})
    );

    template.copy("killed");
    assert!(template.dies("txn.after_cas", &["undo"]));
    let told = template.run("killed", &["undo", "--lang", "zh"]);
    assert!(told.stderr.contains("撤销「ch-002") && told.stderr.contains("上次中断的操作已补完"), "{told:#?}");
    assert!(told.stderr.contains("上次中断的 `undo 1` 已经完成"), "{told:#?}");
    assert!(told.stdout.contains("已撤销「ch-002"), "{told:#?}");
    // Now it is a command like any other.
    let _ = template.run("killed", &["undo"]).ok();
    assert!(!template.world.path("killed/chapters/vol-01/chapter-001.md").exists());
}

/// Git names the lock that a death has left, and says to remove it; its index is of the commit before.
#[test]
fn a_commit_of_the_authors_after_a_death_does_not_delete_the_chapter() {
    for point in ["txn.after_cas", "txn.tagged", "txn.before_end"] {
        let world = World::new();
        let book = world.demo_with(2);
        world.dies(book, &["continue"], point);
        let text = world.git(book, &["show", "HEAD:chapters/vol-01/chapter-003.md"]).ok();
        let _ = std::fs::remove_file(world.path("book/.git/index.lock"));
        world.write("book/brief.md", &(world.read("book/brief.md") + "\n全书不下雨。\n"));
        world.commit(book, "by hand");
        let next = world.novel(book, &["continue"]);
        assert!(next.stderr.contains("ch-003"), "{point}: {next:#?}");
        let _ = next.ok();
        assert_eq!(world.read("book/chapters/vol-01/chapter-003.md"), text, "{point}");
        assert!(world.read("book/brief.md").contains("全书不下雨。"));
        let subjects = world.subjects(book);
        let count = |chapter: &str| subjects.iter().filter(|subject| subject.starts_with(chapter)).count();
        assert_eq!((count("ch-003: "), count("ch-004: ")), (1, 0), "{point}: {subjects:?}");
        let found = world.novel(book, &["doctor", "--json"]);
        assert_eq!(found.json()["findings"].as_array().unwrap().len(), 0, "{point}: {found:#?}");
        world.check(book);
    }
}
