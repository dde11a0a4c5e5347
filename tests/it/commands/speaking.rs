//! The output of a run: streams, verbosity, languages, programs that read along.

use crate::common::World;
use crate::pipeline::studio::Studio;
#[cfg(unix)]
use std::process::Stdio;

#[test]
fn the_answer_is_on_stdout_and_the_rest_beside_it() {
    let world = World::new();
    let book = world.demo();
    let said = world.novel(book, &["continue"]);
    assert_eq!(said.stdout.lines().count(), 1, "{said:#?}");
    assert!(said.stdout.starts_with("ch-001 ") && said.stderr.contains("ch-001 draft"), "{said:#?}");
    let quiet = world.novel(book, &["-q", "continue"]);
    assert!(quiet.stdout.starts_with("ch-002 ") && quiet.stderr.is_empty(), "{quiet:#?}");
    let error = world.novel(book, &["-q", "context", "99"]).fails(3);
    assert!(error.stdout.is_empty() && error.stderr.starts_with("error: "), "{error:#?}");
}

#[test]
fn verbose_says_each_call_and_very_verbose_shows_its_prompt() {
    let world = World::new();
    let book = world.demo();
    let calls = world.novel(book, &["-v", "continue"]);
    let of = |text: &str, part: &str| text.lines().filter(|line| line.contains(part)).count();
    assert!(of(&calls.stderr, "draft → offline") == 1 && of(&calls.stderr, "draft ← offline") == 1, "{calls:#?}");
    assert!(calls.stderr.contains("tokens in") && calls.stderr.contains("$0.00"), "{calls:#?}");
    assert!(!calls.stderr.contains("=== system prompt ==="), "{calls:#?}");

    let studio = Studio::new();
    let shown = studio.novel(&["context", "2", "--prompt"]).ok();
    let prompts = studio.novel(&["-vv", "continue"]);
    assert!(prompts.stderr.contains(shown.trim_end()), "the prompt that was sent is not shown as it is");
    assert_eq!(prompts.stdout.lines().count(), 1);
    let chinese = studio.novel(&["-vv", "continue", "--lang", "zh"]).stderr;
    assert!(chinese.contains("=== 系统提示词 ===") && chinese.contains("=== 用户提示词 ==="), "{chinese}");
    assert!(!chinese.contains("=== system"), "{chinese}");
}

#[test]
fn a_stream_shows_the_text_as_it_comes() {
    let world = World::new();
    let book = world.demo();
    let said = world.novel(book, &["continue", "--stream"]);
    let draft = world.novel(book, &["show", "1", "--stage", "draft"]).ok();
    let line = draft.lines().nth(2).unwrap();
    assert!(said.stderr.contains(line), "{said:#?}");
    assert_eq!(said.stdout.lines().count(), 1);
}

#[test]
fn with_json_every_line_of_a_run_is_a_document_and_so_is_a_failure() {
    let world = World::new();
    let book = world.demo();
    let run = world.novel(book, &["continue", "2", "--json"]);
    let lines = run.json_lines();
    assert!(lines.iter().all(|line| line["version"] == 1), "{run:#?}");
    let completed: Vec<_> = lines.iter().filter(|line| line["status"] == "completed").collect();
    assert_eq!((completed.len(), &completed[1]["chapter"]), (2, &2.into()));
    let failure = world.novel(book, &["show", "77", "--json", "--lang", "zh"]).fails(1).json();
    assert_eq!((&failure["version"], &failure["error"]["message"]), (&1.into(), &"ch-077 还没有写".into()));
    let usage = world.novel(book, &["context", "--json"]).fails(2).json();
    assert_eq!(usage["error"]["kind"], "usage");
}

#[test]
fn a_question_is_printed_with_its_answers_and_never_asked_without_a_terminal() {
    let world = World::new();
    let book = world.demo();
    world.write("book/brief.md", "# 纲领\n\n离线评分: 2.4\n");
    let paused = world.novel(book, &["continue", "--lang", "zh"]).fails(3);
    assert!(paused.stdout.contains("novel decide revise") && paused.stdout.contains("（推荐）"), "{paused:#?}");
    let json = world.novel(book, &["decide", "--json"]).fails(3).json();
    assert_eq!((&json["version"], &json["type"]), (&1.into(), &"requires_user_decision".into()));
    let _ = world.novel(book, &["decide", "nonsense"]).fails(2);
    let _ = world.novel(book, &["decide", "edit"]).fails(1);
    let _ = world.novel(book, &["decide", "accept", "--chapter", "9"]).fails(1);
    let _ = world.novel(book, &["decide", "accept", "--chapter", "1"]).ok();
    let _ = world.novel(book, &["continue", "--to", "ch-001"]).ok();
    assert!(world.novel(book, &["decide", "--lang", "en"]).ok().starts_with("nothing awaits your decision"));
    assert!(world.novel(book, &["log"]).ok().contains("accepted by the author"));
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_hears_nothing() {
    let world = World::new();
    let book = world.demo_with(2);
    for line in ["log | head -1", "show ch-1 | head -1", "context 1 | head -1", "log --json | head -1"] {
        let mut shell = world.command("bash", &world.path(book));
        let script = format!("'{}' {line}; echo ${{PIPESTATUS[0]}}", env!("CARGO_BIN_EXE_novel"));
        let output = shell.args(["-c", &script]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.ends_with("\n0\n") && output.stderr.is_empty(), "{line}: {output:?}");
    }
}

#[test]
fn colour_is_left_out_when_the_author_says_so() {
    let world = World::new();
    let book = world.demo_with(1);
    assert!(world.novel(book, &["status", "--color", "always"]).ok().contains('\u{1b}'));
    let plain = World::new().with("NO_COLOR", "1");
    let book = plain.demo_with(1);
    assert!(!plain.novel(book, &["status"]).ok().contains('\u{1b}'));
}

#[cfg(unix)]
#[test]
fn git_finds_the_program_and_shells_understand_its_completions() {
    let world = World::new();
    let book = world.demo_with(1);
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_novel")).parent().unwrap().display().to_string();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap());
    let mut git = world.command("git", &world.path(book));
    let output = git.env("PATH", &path).args(["novel", "status"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 chapter"), "{output:?}");

    let script = world.novel(book, &["completions", "bash"]).ok();
    world.write("completions.bash", &script);
    let bash = world.command("bash", &world.path("")).args(["-n", "completions.bash"]).output().unwrap();
    assert!(bash.status.success() && bash.stderr.is_empty(), "{bash:?}");

    let _ = world.novel(book, &["man", "--install", "../share"]).ok();
    let page = world.path("share/man1/novel-continue.1");
    let mut man = world.command("man", &world.path(""));
    // Machines without `man` have nothing to check it with.
    if let Ok(output) = man.arg("-l").arg(page).stdin(Stdio::null()).output() {
        assert!(!output.status.success() || String::from_utf8_lossy(&output.stdout).contains("novel"), "{output:?}");
    }
}
