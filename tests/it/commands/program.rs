//! How the program behaves as a process: streams, exit codes, languages, start-up.

use super::{novel, seen};
use std::process::{Command, Stdio};

const SECRET: &str = "sk-verysecretverysecret";

#[test]
fn a_wrong_command_line_is_explained_and_exits_2() {
    let home = tempfile::tempdir().unwrap();
    let mut text = seen(novel(home.path()).arg("stauts"));
    text.push_str(&seen(novel(home.path()).env("LANG", "zh_CN.UTF-8").args(["continue", "--budget", "5欧元"])));
    text.push_str(&seen(novel(home.path()).args(["continue", "x", "--json"])));
    insta::assert_snapshot!(text);
}

#[test]
fn without_a_command_the_help_goes_to_stderr() {
    let home = tempfile::tempdir().unwrap();
    let output = novel(home.path()).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8(output.stderr).unwrap().contains("Usage: novel"));
}

#[test]
fn settings_are_written_read_and_traced() {
    let home = tempfile::tempdir().unwrap();
    let mut text = seen(novel(home.path()).args(["config", "set", "provider", "ollama"]));
    text.push_str(&seen(novel(home.path()).args(["config", "get", "provider"])));
    text.push_str(&seen(novel(home.path()).args(["config", "get", "model"])));
    text.push_str(&seen(novel(home.path()).env("NOVEL_BUDGET", "5usd").args(["config", "--show-origin"])));
    text.push_str(&seen(novel(home.path()).args(["config", "set", "provider", "nobody"])));
    text.push_str(&seen(novel(home.path()).args(["config", "set", "model", SECRET])));
    text.push_str(&seen(novel(home.path()).args(["config", "path"])));
    assert!(!text.contains("verysecret"), "{text}");
    insta::assert_snapshot!(text.replace(home.path().to_str().unwrap(), "$HOME"));
}

#[test]
fn providers_are_listed_without_their_keys() {
    let home = tempfile::tempdir().unwrap();
    let list = |json: &[&str]| {
        let keys = [("DEEPSEEK_API_KEY", SECRET), ("MOONSHOT_API_KEY", SECRET)];
        seen(novel(home.path()).envs(keys).args(["config", "providers", "-vv"]).args(json))
    };
    let (text, json) = (list(&[]), list(&["--json"]));
    assert!(!text.contains("verysecret") && !json.contains("verysecret"));
    assert!(text.contains("*  deepseek") && text.contains("several keys are set"), "{text}");
    assert!(json.contains("\"version\": 1"), "{json}");
}

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    let home = tempfile::tempdir().unwrap();
    let help = |args: &[&str]| novel(home.path()).args(["status", "--help"]).args(args).output().unwrap().stdout;
    assert!(!help(&[]).contains(&0x1b));
    assert!(help(&["--color", "always"]).contains(&0x1b));
    assert!(!help(&["--color=never"]).contains(&0x1b));
}

#[test]
fn every_shell_has_completions_and_there_are_manual_pages() {
    let home = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = novel(home.path()).args(["completions", shell]).output().unwrap();
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && script.contains("rollback") && script.contains("revise-model"), "{shell}");
    }
    let output = novel(home.path()).args(["man", "--install", "share"]).output().unwrap();
    assert!(output.status.success());
    for page in ["novel.1", "git-novel.1", "novel-continue.1"] {
        assert!(home.path().join("share/man1").join(page).is_file(), "{page}");
    }
}

#[test]
fn git_novel_is_the_same_program_under_its_own_name() {
    let home = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_git-novel"))
            .args(arguments)
            .env("HOME", home.path())
            .current_dir(home.path())
            .output()
            .unwrap();
        (output.status.code(), [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()))
    };
    let (code, [help, _]) = run(&["context", "--lang", "en", "-h"]);
    assert!(code == Some(0) && (help.contains("Usage: git novel context") || cfg!(windows)), "{help}");
    let (code, [_, error]) = run(&["--lang", "en", "status"]);
    assert!(code == Some(4) && error.contains("novel init"), "{code:?}: {error}");
}

#[test]
fn a_reader_that_leaves_early_hears_nothing_and_gets_0() {
    let home = tempfile::tempdir().unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("novel"))
        .args(["completions", "zsh"])
        .env("HOME", home.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}

#[test]
fn a_broken_configuration_file_does_not_take_the_help_away() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("broken.toml");
    std::fs::write(&file, "provider = ").unwrap();
    let broken = || {
        let mut command = novel(home.path());
        command.env("NOVEL_CONFIG", &file);
        command
    };
    assert!(broken().arg("--help").output().unwrap().status.success());
    assert_eq!(broken().args(["config", "list"]).output().unwrap().status.code(), Some(4));
}

#[test]
fn an_action_takes_global_flags_before_its_name_and_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| novel(home.path()).args(args).output().unwrap();
    assert!(run(&["config", "--lang", "zh", "list"]).status.success());
    for (args, named) in
        [(&["config", "--show-origin", "get", "model"][..], "`--show-origin`"), (&["branch", "foo", "list"], "`foo`")]
    {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(named), "{error}");
    }
}
