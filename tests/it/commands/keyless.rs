//! Without a key: each hint is a command that works as it is printed.

use crate::common::{Output, World};
use std::path::Path;

/// The commands between backticks of a failure's hints.
fn printed(failure: &Output) -> Vec<String> {
    let hints = failure.stderr.lines().filter(|line| line.starts_with("hint:") || line.starts_with("提示"));
    let parts = hints.flat_map(|line| line.split('`').skip(1).step_by(2)).map(str::to_owned);
    parts.filter(|command| command.starts_with("novel ") || command.starts_with("git novel ")).collect()
}

/// Runs a command line as a shell does.
fn shell(world: &World, book: &str, line: &str) -> Output {
    let bin = Path::new(env!("CARGO_BIN_EXE_novel")).parent().unwrap().display().to_string();
    let mut command = world.command("sh", &world.path(book));
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap_or_default());
    let output = command.env("PATH", path).args(["-c", line]).output().unwrap();
    Output {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code().unwrap_or(-1),
    }
}

/// Lets the command fail for want of a key and types each command that its hints print; the last one does what was wanted.
#[track_caller]
fn follow(world: &World, book: &str, args: &[&str], ends: i32) {
    let failure = world.novel(book, args).fails(4);
    let commands = printed(&failure);
    let offline = commands.last().unwrap_or_else(|| panic!("{args:?}: {failure:#?}"));
    assert!(offline.ends_with(" --offline"), "{args:?}: {commands:?}");
    // The questions of `novel setup` need a terminal.
    for command in commands[..commands.len() - 1].iter().filter(|command| *command != "novel setup") {
        let _ = shell(world, book, command).ok();
        std::fs::remove_dir_all(world.path("home/.config")).unwrap();
    }
    let done = shell(world, book, offline);
    assert_eq!(done.code, ends, "{args:?}: `{offline}` {done:#?}");
}

fn sample(world: &World, path: &str) {
    world.write(
        path,
        &"沈渡把灯挂上船头，没有再问。风从江上来，灯火晃了两晃。他数着舱里的人，数到第七个停住了。\n".repeat(20),
    );
}

#[test]
fn the_hints_of_every_command_that_asks_a_model_work_as_printed() {
    for lang in ["zh", "en"] {
        let world = World::new().with("NOVEL_LANG", lang);
        sample(&world, "我的 样稿.txt");
        follow(&world, "", &["init", "other", "--samples", "我的 样稿.txt"], 0);
        let args =
            ["--title", "渡口", "--genre", "悬疑", "--protagonist", "沈渡，不会水的摆渡人", "--words", "300-500"];
        let _ = world.novel("", &[&["init", "book"][..], &args].concat()).ok();
        sample(&world, "book/research/样稿.txt");
        let table: &[(&[&str], i32)] = &[
            (&["world", "update"], 0),
            (&["world", "theme", "--provider", "deepseek"], 0),
            (&["character", "first", "沈渡，不会水的摆渡人", "--model=x"], 0),
            (&["style", "from", "research/样稿.txt", "--reference", "某 作者"], 0),
            (&["plan", "make", "--chapters", "4"], 3),
            (&["plan", "resize", "5"], 3),
        ];
        for (args, ends) in table {
            follow(&world, "book", args, *ends);
        }
        let _ = world.novel("book", &["plan", "approve"]).ok();
        let table: &[(&[&str], i32)] = &[
            (&["continue", "--model", "a", "--revise-model", "b"], 0),
            (&["write", "2"], 0),
            (&["character", "add", "守夜的更夫"], 0),
            (&["storyline", "add", "码头上的旧账"], 0),
            (&["style", "extract", "1-2"], 0),
            (&["continue", "--volume"], 0),
            (&["review"], 0),
        ];
        for (args, ends) in table {
            follow(&world, "book", args, *ends);
        }
        world.check("book");
    }
}

#[test]
fn a_provider_without_a_model_is_told_a_command_that_names_one() {
    let world = World::new().with("NOVEL_PROVIDER", "ollama");
    let book = world.demo();
    let toml = world.read("book/novel.toml").replace("offline = true", "offline = false");
    world.write("book/novel.toml", &toml);
    let failure = world.novel(book, &["--lang", "en", "continue"]).fails(4);
    let commands = printed(&failure);
    assert!(commands[0].starts_with("novel config set model "), "{commands:?}");
    let _ = shell(&world, book, &commands[0]).ok();
    assert!(world.novel(book, &["config", "list"]).ok().contains("qwen3:8b"));
}
