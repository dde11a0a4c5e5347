//! Two programs on one book at once.

#[cfg(unix)]
use super::locks::age;
#[cfg(unix)]
use crate::common::Running;
use crate::common::World;

#[test]
fn of_two_runs_one_writes_and_the_other_says_who_does() {
    let world = World::new();
    let book = world.demo_with(1);
    let mut first = world.start(book, &["-vv", "continue", "2"]);
    first.until("=== system prompt ===");
    let pid = first.pid().to_string();
    let second = world.novel(book, &["continue"]).fails(7);
    assert!(second.stderr.contains("continue") && second.stderr.contains(&pid), "{second:#?}");
    let second = world.novel(book, &["rollback", "ch-001", "--yes", "--json"]).fails(7).json();
    assert_eq!(second["error"]["kind"], "busy");
    // Looking is always possible.
    let status = world.novel(book, &["status", "--json"]).json();
    assert!(status["writer"].as_str().unwrap().contains(&pid), "{status}");
    let _ = first.finish().ok();
    assert_eq!(world.subjects(book).len(), 4);
    assert!(world.novel(book, &["status", "--json"]).json()["writer"].is_null());
    world.check(book);
}

#[cfg(unix)]
#[test]
fn an_open_commit_editor_stops_the_run_with_a_message_and_loses_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    let book = world.demo_with(1);
    let (open, go) = (world.path("open"), world.path("go"));
    // The editor says that it is open and waits until it may go on; a pipe makes both sides wait without a clock.
    for pipe in [&open, &go] {
        assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    }
    let script =
        format!("#!/bin/sh\necho open > '{}'\nread _ < '{}'\necho '我的提交' > \"$1\"\n", open.display(), go.display());
    world.write("editor.sh", &script);
    std::fs::set_permissions(world.path("editor.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let brief = world.read("book/brief.md") + "\n改了。\n";
    world.write("book/brief.md", &brief);
    let mut git = world.command("git", &world.path(book));
    git.env("GIT_EDITOR", world.path("editor.sh"));
    let git = Running::of(git.args(["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-a"]));
    assert_eq!(std::fs::read_to_string(&open).unwrap(), "open\n");
    // An editor may be open for hours.
    age(&world, "book/.git/index.lock");

    let stopped = world.novel(book, &["continue", "--lang", "zh"]).fails(7);
    assert!(
        stopped.stderr.contains("另一个 git 正在使用这本书") && stopped.stderr.contains("index.lock"),
        "{stopped:#?}"
    );
    // The command that holds the lock is named, so that its author knows which window to close.
    assert!(stopped.stderr.contains("commit -a") && stopped.stderr.contains(&git.pid().to_string()), "{stopped:#?}");
    assert!(world.novel(book, &["status"]).ok().ends_with("next: novel continue\n"));
    assert_eq!(world.read("book/brief.md"), brief);

    std::fs::write(&go, "\n").unwrap();
    let _ = git.finish().ok();
    let _ = world.novel(book, &["continue"]).ok();
    let subjects = world.subjects(book);
    assert!(subjects[0].starts_with("ch-002: ") && subjects[1] == "我的提交", "{subjects:?}");
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    world.check(book);
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_before_the_next_call_and_the_next_run_goes_on_from_there() {
    let world = World::new();
    let book = world.demo_with(1);
    let mut run = world.start(book, &["-vv", "continue", "4"]);
    run.until("=== system prompt ===");
    let pid = run.pid().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let stopped = run.finish().fails(130);
    assert!(stopped.stderr.contains("stopping after this step"), "{}", stopped.stderr);
    assert!(world.subjects(book).len() < 6, "it went on to the end");
    let _ = world.novel(book, &["continue", "--to", "ch-003"]).ok();
    assert_eq!(world.git(book, &["status", "--porcelain"]).ok(), "");
    let undisturbed = World::new();
    let _ = undisturbed.demo_with(3);
    for chapter in ["002", "003"] {
        let path = format!("book/chapters/vol-01/chapter-{chapter}.md");
        assert_eq!(world.read(&path), undisturbed.read(&path));
    }
    world.check(book);
}
