//! A disk that fails: the branch says what happened, not the error. `strace` plays the disk.

use crate::common::{Output, World};
use crate::pipeline::studio::Studio;
use std::process::Command;

pub fn has_strace() -> bool {
    cfg!(target_os = "linux") && Command::new("strace").arg("-V").output().is_ok()
}

/// Runs the program in `book` with `error` for calls of `call` that concern one of `paths`: all of them, or as `when` says.
fn with_errors(world: &World, call: &str, error: &str, when: &str, paths: &[&str], args: &[&str]) -> Output {
    let mut command = world.command("strace", &world.path("book"));
    command.args(["-qq", "-f", "-o", "/dev/null"]);
    for path in paths {
        command.arg("-P").arg(world.path("book").join(path));
    }
    command.args(["-e", &format!("trace={call}"), "-e", &format!("inject={call}:error={error}{when}"), "--"]);
    let output = command.arg(env!("CARGO_BIN_EXE_novel")).args(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Output { stdout: text(&output.stdout), stderr: text(&output.stderr), code: output.status.code().unwrap_or(-1) }
}

fn hand_edits(world: &World) -> usize {
    world.subjects("book").iter().filter(|subject| subject.starts_with("hand edit")).count()
}

#[test]
fn an_error_at_the_commit_point_is_judged_by_the_branch() {
    if !has_strace() {
        return;
    }
    let undisturbed = World::new();
    let _ = undisturbed.demo_with(3);
    for error in ["EIO", "ENOSPC"] {
        for when in ["", ":when=1", ":when=2", ":when=3", ":when=2+", ":when=3+"] {
            let world = World::new();
            let book = world.demo_with(1);
            let first = with_errors(&world, "fsync", error, when, &[".git/refs/heads"], &["continue", "--lang", "en"]);
            let has_second = world.subjects(book)[0].starts_with("ch-002: ");
            // The exit code agrees with the branch.
            assert_eq!(first.code == 0, has_second, "{error}{when}: {first:#?}");
            if when.is_empty() && error == "EIO" {
                assert!(has_second && first.stderr.contains("the folder lags behind"), "{first:#?}");
            }
            let status = world.novel(book, &["status", "--json"]).json();
            assert_eq!(status["hand_edits"], serde_json::json!([]), "{error}{when}");
            let _ = world.novel(book, &["continue", "--to", "ch-003"]).ok();
            assert_eq!((hand_edits(&world), world.tree(book)), (0, undisturbed.tree("book")), "{error}{when}");
            assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
            world.check(book);
        }
    }
}

#[test]
fn an_undo_that_fails_with_its_intent_written_acts_once_when_it_is_typed_again() {
    if !has_strace() {
        return;
    }
    let world = World::new();
    let book = world.demo_with(3);
    let _ = with_errors(&world, "fsync", "EIO", ":when=1", &[".git/refs/novel"], &["undo"]).fails(4);
    let again = world.novel(book, &["undo"]);
    assert!(again.stderr.contains("ch-003"), "the undo of before is named: {again:#?}");
    let _ = again.ok();
    let undone: Vec<String> = world.subjects(book).into_iter().filter(|s| s.starts_with("undo: ")).collect();
    assert!(undone.len() == 1 && undone[0].contains("ch-003"), "{undone:?}");
    let _ = world.novel(book, &["undo"]).ok();
    assert!(world.subjects(book)[0].contains("ch-002"));
}

#[test]
fn an_error_after_the_commit_point_is_a_warning() {
    if !has_strace() {
        return;
    }
    // The second call for the file system of the book's folder is for the names of the chapter's files and of its tag.
    for (call, when, paths) in [("fsync", "", vec![".git"]), ("syncfs", ":when=2", vec!["."])] {
        let world = World::new();
        let book = world.demo_with(1);
        let done = with_errors(&world, call, "EIO", when, &paths, &["continue", "--lang", "zh"]);
        assert_eq!(done.code, 0, "{call} {paths:?}: {done:#?}");
        assert!(done.stderr.contains("已收录") && done.stderr.contains("磁盘（或网络盘）读写失败"), "{done:#?}");
        let json = world.novel(book, &["status", "--json"]).json();
        assert_eq!((&json["interrupted"]["chapter"], &json["hand_edits"]), (&2.into(), &serde_json::json!([])));
        let _ = world.novel(book, &["continue"]).ok();
        assert_eq!((hand_edits(&world), world.git(book, &["status", "--porcelain"]).ok().as_str()), (0, ""));
        assert!(world.subjects(book)[0].starts_with("ch-003: "));
    }
}

#[test]
fn an_error_before_the_commit_point_says_what_to_do() {
    if !has_strace() {
        return;
    }
    // The objects of the first result; the names of the draft that is kept and of the intent.
    for (call, path) in [("fsync", ".git/objects/pack"), ("syncfs", ".git")] {
        let world = World::new();
        let book = world.demo_with(1);
        let before = world.subjects(book);
        let failed = with_errors(&world, call, "EIO", "", &[path], &["continue", "--lang", "zh"]).fails(4);
        assert!(failed.stderr.contains("错误：磁盘读写失败") && failed.stderr.contains("先备份"), "{failed:#?}");
        assert_eq!(world.subjects(book), before);
        let _ = world.novel(book, &["continue", "--to", "ch-002"]).ok();
        assert_eq!((hand_edits(&world), world.subjects(book).len()), (0, before.len() + 1));
        world.check(book);
    }
}

#[test]
fn a_disk_that_fails_for_a_moment_costs_no_reply() {
    if !has_strace() {
        return;
    }
    let undisturbed = Studio::new();
    let _ = undisturbed.go().ok();
    // The contents of a pack get to the disk by the first call, its names by the second.
    for (call, points, least) in [("syncfs", 1..=2, 2), ("fsync", 1..=7, 4)] {
        let mut survived = 0;
        for nth in points {
            let studio = Studio::new();
            let when = format!(":when={nth}");
            let first = with_errors(&studio.world, call, "EIO", &when, &[".git/objects/pack"], &["continue"]);
            survived += u32::from(first.code == 0);
            let _ = studio.novel(&["continue", "--to", "ch-002"]).ok();
            assert_eq!(studio.asked(), undisturbed.asked(), "{call} #{nth}: {first:#?}");
            studio.check();
        }
        assert!(survived >= least, "only {survived} of the stages were written down at the second try");
    }
}

#[test]
fn a_disk_that_fails_under_the_offline_writer_changes_nothing() {
    if !has_strace() {
        return;
    }
    let undisturbed = World::new();
    let _ = undisturbed.demo_with(3);
    for (call, points) in [("syncfs", 1..=1), ("fsync", 1..=2)] {
        for nth in points {
            let world = World::new();
            let book = world.demo_with(1);
            let when = format!(":when={nth}");
            let first = with_errors(&world, call, "EIO", &when, &[".git/objects/pack"], &["continue"]);
            let _ = world.novel(book, &["continue", "--to", "ch-003"]).ok();
            // The log of the calls is part of the tree.
            assert_eq!(world.tree(book), undisturbed.tree("book"), "{call} #{nth}: {first:#?}");
            world.check(book);
        }
    }
}

#[test]
fn a_lock_whose_removal_fails_once_is_removed() {
    if !has_strace() {
        return;
    }
    let world = World::new();
    let book = world.demo_with(1);
    let lock = ".git/refs/tags/ch-002.lock";
    let done = with_errors(&world, "unlink", "EIO", ":when=1", &[lock], &["continue"]);
    assert_eq!((done.code, world.path(book).join(lock).exists()), (0, false), "{done:#?}");
}

#[test]
fn a_file_system_that_cannot_sync_folders_is_taken_at_its_word() {
    if !has_strace() {
        return;
    }
    let world = World::new();
    let book = world.demo_with(1);
    let folders = [
        ".git",
        ".git/novel",
        ".git/objects",
        ".git/objects/pack",
        ".git/refs",
        ".git/refs/heads",
        ".git/refs/heads/draft",
        ".git/refs/novel",
        ".git/refs/novel/kept",
        ".git/refs/novel/kept/ch-002",
        ".git/refs/tags",
        ".git/logs",
        ".git/logs/refs/heads",
        "chapters/vol-01",
        "summaries/vol-01",
        "state",
        "staging",
        "",
    ];
    for error in ["EINVAL", "EOPNOTSUPP"] {
        let run = with_errors(&world, "fsync", error, "", &folders, &["continue"]);
        assert_eq!((run.code, run.stderr.contains("behind")), (0, false), "{run:#?}");
    }
    assert!(world.subjects(book)[0].starts_with("ch-003: "));
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    world.check(book);
}

/// A call that changes a file or its name.
#[derive(Debug, PartialEq)]
enum Did {
    Wrote(String),
    Synced(String),
    SyncedAll,
    Named { from: String, to: String },
    Made(String),
    Removed(String),
}

/// Reads a line of `strace -y`; calls that failed or do something else are nothing.
fn did(line: &str) -> Option<Did> {
    let (call, result) = line.split_once('(')?;
    let call = call.rsplit(' ').next()?;
    let (arguments, result) = result.rsplit_once(" = ")?;
    if result.starts_with('-') {
        return None;
    }
    let of_fd = || Some(arguments.split_once('<')?.1.split_once('>')?.0.to_owned());
    let quoted: Vec<&str> = arguments.split('"').skip(1).step_by(2).collect();
    let path = |at: usize| quoted.get(at).map(|path| (*path).to_owned());
    Some(match call {
        "write" => Did::Wrote(of_fd()?),
        "fsync" | "fdatasync" => Did::Synced(of_fd()?),
        "syncfs" => Did::SyncedAll,
        "rename" | "link" | "linkat" => Did::Named { from: path(0)?, to: path(1)? },
        "mkdir" => Did::Made(path(0)?),
        "unlink" => Did::Removed(path(0)?),
        _ => return None,
    })
}

#[test]
fn whatever_has_a_name_is_on_the_disk_before_the_intent_goes() {
    if !has_strace() {
        return;
    }
    let world = World::new();
    let book = world.demo_with(1);
    let trace = world.path("trace");
    let mut command = world.command("strace", &world.path(book));
    command.args([
        "-qq",
        "-f",
        "-y",
        "-s",
        "0",
        "-e",
        "trace=write,fsync,fdatasync,syncfs,rename,link,linkat,mkdir,unlink",
        "-o",
    ]);
    let ran = command.arg(&trace).arg(env!("CARGO_BIN_EXE_novel")).arg("continue").output().unwrap();
    assert!(ran.status.success());
    let trace = std::fs::read_to_string(trace).unwrap();
    let steps: Vec<Did> = trace.lines().filter_map(did).collect();
    let root = world.path(book).canonicalize().unwrap();
    let inside = |path: &str| root.join(path.trim_start_matches("./")).to_string_lossy().into_owned();
    let synced = |path: &str, between: &[Did]| {
        between.iter().any(|step| *step == Did::SyncedAll || *step == Did::Synced(path.to_owned()))
    };
    let intent = inside(".git/refs/novel/txn");
    let end = steps.iter().rposition(|step| matches!(step, Did::Removed(path) if inside(path) == intent)).unwrap();
    let (mut names, mut folders, mut index) = (0, 0, 0);
    for (at, step) in steps.iter().enumerate() {
        match step {
            Did::Named { from, to } => {
                let from = inside(from);
                // libgit2 writes a temporary file under the name of its lock.
                let is_written = |step: &Did| match step {
                    Did::Wrote(path) => *path == from,
                    Did::Named { to, .. } => inside(to) == from,
                    _ => false,
                };
                let written = steps[..at].iter().rposition(is_written);
                let is_temporary = inside(to).contains("/novel/tmp/");
                // A cache has a checksum and may be lost at any time.
                let is_cache = inside(to) == inside(".git/novel/replay");
                // A file that was not written here, such as a reused one, has nothing to lose.
                if let Some(written) = written.filter(|_| !is_cache && !is_temporary) {
                    names += 1;
                    assert!(synced(&from, &steps[written..at]), "{from} got the name {to} before it was on the disk");
                }
                if inside(to) == inside(".git/index") {
                    index += 1;
                    assert!(
                        at < end && synced(&inside(".git"), &steps[at..end]),
                        "the index's name is not on the disk"
                    );
                }
            }
            Did::Made(path) if !path.contains("/novel/tmp") && !path.contains("/logs") && at < end => {
                folders += 1;
                let above = std::path::Path::new(&inside(path)).parent().unwrap().to_string_lossy().into_owned();
                assert!(synced(&above, &steps[at..end]), "{path} is not on the disk");
            }
            _ => {}
        }
    }
    assert!(names > 8 && folders > 0 && index == 1, "{names} names, {folders} folders, {index} indexes");
    assert!(steps.iter().any(|step| matches!(step, Did::Named { to, .. } if to.ends_with(".git/index.lock"))));
}
