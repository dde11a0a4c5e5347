//! A key in the author's own commits is sent to no remote, with the hooks or without.

use super::Devices;

/// A key as a provider gives it, put together so that this file holds none.
fn key() -> String {
    ["sk-", "proj-0123456789abcdefghij"].concat()
}

/// The commits of the remote that add or remove the key.
fn sent(devices: &Devices) -> String {
    devices.git("hub.git", &["log", "--all", "--format=%H", "-S", &key()])
}

fn writes(devices: &Devices, path: &str, text: &str) {
    devices.world.write(&format!("desk/{path}"), text);
    let _ = devices.git("desk", &["add", path]);
    let _ = devices.git("desk", &["commit", "-qm", "笔记"]);
}

#[test]
fn a_key_in_the_history_is_not_sent_and_the_author_is_told_where_it_is() {
    let devices = Devices::with(1);
    writes(&devices, "notes.md", &format!("甲\nKEY={}\n", key()));
    writes(&devices, "notes.md", "甲\n");
    devices.writes_alone("desk", 1);
    let commit = devices.git("desk", &["log", "--format=%H", "--diff-filter=A", "--", "notes.md"]);
    let place = format!("commit {}, notes.md, line 2: contains a key", &commit[..10]);
    for (lang, parts) in [
        (
            "en",
            [
                "nothing was sent",
                place.as_str(),
                "revoke the key first",
                "`git push --no-verify origin refs/heads/main`",
            ],
        ),
        ("zh", ["没有发送", "notes.md 第 2 行有密钥", "请先作废", "`git push --no-verify origin refs/heads/main`"]),
    ] {
        let said = devices.novel("desk", &["--lang", lang, "sync"]).fails(1);
        assert!(parts.iter().all(|part| said.stderr.contains(part)), "{said:#?}");
        assert!(!said.stderr.contains(&key()), "{said:#?}");
    }
    assert_eq!(sent(&devices), "");
    // After the author's own push the rest follows.
    let _ = devices.git("desk", &["push", "-q", "--no-verify", "origin", "refs/heads/main"]);
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk"]);
    writes(&devices, "notes.md", &format!("乙\nKEY={}\n", key()));
    let _ = devices.novel("desk", &["sync"]).fails(1);
    // Written again without it, the history goes.
    devices.world.write("desk/notes.md", "乙\n");
    let _ = devices.git("desk", &["commit", "-q", "--amend", "-a", "--no-edit"]);
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk"]);
    assert_eq!(sent(&devices).lines().count(), 2);
}

#[test]
fn what_is_kept_and_still_reaches_a_key_is_named_after_the_history_was_written_again() {
    let devices = Devices::with(1);
    devices.begins_chapter("desk", 1);
    writes(&devices, "notes.md", &format!("KEY={}\n", key()));
    // The draft goes on behind the commit with the key, and is kept with the chapter.
    let _ = devices.novel("desk", &["continue", "--offline", "--no-sync"]).fails(0);
    let branch = devices.git("desk", &["rev-parse", "HEAD~1"]);
    let _ = devices.git("desk", &["rebase", "-q", "--onto", &format!("{branch}~1"), &branch]);
    let mut names = Vec::new();
    loop {
        let said = devices.novel("desk", &["sync", "--lang", "en"]);
        if said.code == 0 {
            break;
        }
        assert!(!said.stderr.contains("git rebase -i"), "{said:#?}");
        let (_, rest) = said.stderr.split_once("`git update-ref -d ").unwrap_or_else(|| panic!("{said:#?}"));
        let name = rest.split('`').next().unwrap().to_owned();
        let _ = devices.git("desk", &["update-ref", "-d", &name]);
        assert!(!names.contains(&name), "{name} again");
        names.push(name);
    }
    assert!(!names.is_empty() && sent(&devices).is_empty(), "{names:?}");
    devices.are_equal(&["desk"]);
}

#[test]
fn a_key_in_a_message_or_on_a_draft_is_not_sent() {
    let devices = Devices::with(1);
    let _ = devices.git("desk", &["commit", "-q", "--allow-empty", "-m", &format!("笔记\n\n{}", key())]);
    let said = devices.novel("desk", &["sync"]).fails(1);
    assert!(said.stderr.contains("line 3 of its message: contains a key"), "{said:#?}");
    let _ = devices.git("desk", &["commit", "-q", "--amend", "--allow-empty", "-m", "笔记"]);
    devices.begins_chapter("desk", 1);
    let _ = devices.syncs("desk");
    let path = "desk/staging/chapters/vol-01/chapter-002.md";
    let text = devices.world.read(path);
    devices.world.write(path, &format!("{text}\n{}\n", key()));
    let said = devices.novel("desk", &["sync"]).fails(1);
    assert!(said.stderr.contains("staging/chapters/vol-01/chapter-002.md, line"), "{said:#?}");
    assert!(said.stderr.contains("`git -C staging commit --no-verify`"), "{said:#?}");
    let _ = devices.git("desk/staging", &["commit", "-q", "-a", "--no-verify", "-m", "past the check"]);
    let said = devices.novel("desk", &["sync"]).fails(1);
    assert!(said.stderr.contains("`git push --no-verify origin refs/heads/draft/ch-002`"), "{said:#?}");
    assert_eq!(sent(&devices), "");
    devices.world.write(path, &text);
    let _ = devices.git("desk/staging", &["commit", "-q", "-a", "--amend", "--no-edit", "--allow-empty"]);
    let _ = devices.syncs("desk");
    assert_eq!(sent(&devices), "");
}

#[test]
fn a_commit_with_folders_nested_too_deeply_stops_the_sync_and_nothing_else() {
    let devices = Devices::with(1);
    // Git would pack thousands of loose objects beside the look at all of them.
    let _ = devices.git("desk", &["config", "gc.auto", "0"]);
    let tree = {
        let repo = git2::Repository::open(devices.world.path("desk")).unwrap();
        let file = repo.blob(b"x").unwrap();
        let mut below = (file, 0o100_644);
        for _ in 0..4_000 {
            let mut folder = repo.treebuilder(None).unwrap();
            folder.insert("d", below.0, below.1).unwrap();
            below = (folder.write().unwrap(), 0o040_000);
        }
        let head = repo.head().unwrap().peel_to_tree().unwrap();
        let mut top = repo.treebuilder(Some(&head)).unwrap();
        top.insert("d", below.0, below.1).unwrap();
        top.write().unwrap().to_string()
    };
    let deep = devices.git("desk", &["commit-tree", &tree, "-p", "HEAD", "-m", "deep"]);
    let out = devices.git("desk", &["commit-tree", "HEAD^{tree}", "-p", &deep, "-m", "taken out"]);
    let _ = devices.git("desk", &["update-ref", "HEAD", &out]);
    let said = devices.novel("desk", &["--lang", "en", "sync"]).fails(4);
    assert!(
        said.stderr.contains("d/d/d/d are nested too deeply") && said.stderr.contains("git rebase -i"),
        "{said:#?}"
    );
    for command in [["doctor", "--all"], ["status", "--no-pager"], ["check", "--no-pager"]] {
        let _ = devices.novel("desk", &command).ok();
    }
    let _ = devices.git("desk", &["rebase", "-q", "--onto", &format!("{deep}~1"), &out]);
    devices.writes_alone("desk", 1);
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk"]);
}

#[cfg(unix)]
#[test]
fn a_hook_that_stops_a_push_is_told_as_a_hook() {
    use std::os::unix::fs::PermissionsExt as _;
    let devices = Devices::with(1);
    let hook = devices.world.path("desk/.git/hooks/pre-push");
    std::fs::write(&hook, "#!/bin/sh\necho 'git-lfs: command not found' >&2\nexit 2\n").unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    devices.writes_alone("desk", 1);
    for (lang, part) in [("en", "the pre-push hook of this repository"), ("zh", "pre-push 钩子拦下了")] {
        let said = devices.novel("desk", &["--lang", lang, "sync"]).fails(1);
        for part in [part, "git-lfs: command not found", "`git push --no-verify origin`"] {
            assert!(said.stderr.contains(part), "{part}: {said:#?}");
        }
    }
}
