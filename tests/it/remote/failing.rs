//! Syncs that die, lose a race, or meet a remote that cannot do everything.

use super::Devices;
#[cfg(unix)]
use crate::common::Running;

/// Puts a program called `git` in front of the real one, which runs `before` when its arguments hold `part`, and then the
/// real one unless that ended it.
#[cfg(unix)]
fn in_front(devices: &Devices, part: &str, before: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let real = crate::common::git().display();
    let script = format!("#!/bin/sh\ncase \" $* \" in *\" {part} \"*) {before};; esac\nexec '{real}' \"$@\"\n");
    devices.world.write("bin/git", &script);
    std::fs::set_permissions(devices.world.path("bin/git"), std::fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:{}", devices.world.path("bin").display(), std::env::var("PATH").unwrap())
}

#[cfg(unix)]
#[test]
fn a_push_that_loses_a_race_begins_again() {
    let devices = Devices::two(1);
    devices.writes_alone("laptop", 1);
    let brief = devices.world.read("desk/brief.md") + "\n先到一步。\n";
    devices.world.write("desk/brief.md", &brief);
    // Between the listing and the push, the other device pushes; once.
    let other = format!(
        "[ -e '{0}' ] || {{ : > '{0}'; PATH='{1}' HOSTNAME=desk '{2}' -C '{3}' sync -q; }}",
        devices.world.path("raced").display(),
        std::env::var("PATH").unwrap(),
        env!("CARGO_BIN_EXE_novel"),
        devices.world.path("desk").display(),
    );
    let path = in_front(&devices, "push", &other);
    let mut command = devices.command("laptop", "laptop", &["sync", "--json"]);
    let output = Running::of(command.env("PATH", path)).finish();
    assert_eq!(output.code, 0, "{output:#?}");
    assert!(devices.world.path("raced").exists());
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(devices.world.read("laptop/brief.md"), brief);
}

#[cfg(unix)]
#[test]
fn a_second_ctrl_c_ends_a_run_that_waits_for_git() {
    use std::process::Command;
    let devices = Devices::two(1);
    let [there, go] = ["there", "go"].map(|name| devices.world.path(name));
    assert!(Command::new("mkfifo").args([&there, &go]).status().unwrap().success());
    let stand = format!(": > '{}'; : < '{}'", there.display(), go.display());
    let path = in_front(&devices, "push", &stand);
    let mut run = Running::of(devices.command("laptop", "laptop", &["continue", "--offline"]).env("PATH", path));
    // Opening waits for git to stand there.
    let _ = std::fs::read(&there).unwrap();
    let pid = run.pid().to_string();
    // A signal that comes before the last one has been taken up is one with it.
    while run.is_running() {
        let _ = Command::new("kill").args(["-INT", &pid]).status().unwrap();
    }
    assert_eq!(run.finish().code, 130);
    std::fs::write(&go, "").unwrap();
    let _ = devices.novel("laptop", &["continue", "--offline"]).fails(0);
    devices.world.check("laptop");
}

#[cfg(unix)]
#[test]
fn a_remote_without_atomic_pushes_and_one_that_refuses_refs_get_what_they_take() {
    let devices = Devices::two(1);
    let _ = devices.git("hub.git", &["config", "receive.advertiseAtomic", "false"]);
    devices.writes_alone("laptop", 1);
    let _ = devices.syncs("laptop");
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    // A host that takes no refs but branches and tags.
    let _ = devices.git("hub.git", &["config", "receive.hideRefs", "refs/novel"]);
    devices.writes_alone("desk", 1);
    let told = devices.novel("desk", &["sync"]);
    assert!(told.code == 0 && told.stderr.contains("refs/novel/kept/"), "{told:#?}");
    assert_eq!(devices.acceptances("hub.git", 3), 1);
}

#[test]
fn a_sync_that_dies_at_any_named_place_is_finished_by_the_same_command() {
    let points = [
        "txn.objects",
        "txn.intent",
        "txn.after_cas",
        "txn.tagged",
        "tree.file",
        "index.written",
        "txn.before_end",
        "sync.draft",
    ];
    for merges in [false, true] {
        // A merge is a transaction like any other, which are killed elsewhere.
        for point in points.into_iter().filter(|point| !merges || *point == "txn.after_cas") {
            let devices = Devices::two(1);
            devices.writes_alone("desk", 1);
            devices.begins_chapter("desk", 2);
            let _ = devices.syncs("desk");
            if merges {
                devices.world.write("laptop/research/notes.md", "记一笔\n");
                devices.world.git("laptop", &["add", "research/notes.md"]).ok();
                devices.world.commit("laptop", "notes");
            }
            let mut killed = devices.command("laptop", "laptop", &["sync"]);
            let killed = killed.env("__NOVEL_CRASH_TEST_ABORT_AT", point).output().unwrap();
            assert!(!killed.status.success(), "{point} is not met: {}", String::from_utf8_lossy(&killed.stderr));
            let _ = devices.syncs("laptop");
            let _ = devices.syncs("desk");
            devices.are_equal(&["desk", "laptop"]);
        }
    }
}

/// The hub gets a hook that decides on each ref: `$1` is its name, `$2` and `$3` the old and the new commit.
#[cfg(unix)]
fn decides(devices: &Devices, script: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    devices.world.write("hub.git/hooks/update", &format!("#!/bin/sh\nnone=$(printf %040d 0)\n{script}\nexit 0\n"));
    let hook = devices.world.path("hub.git/hooks/update");
    std::fs::set_permissions(hook, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_remote_whose_refs_only_go_forward_makes_no_device_wait() {
    let devices = Devices::two(1);
    // As a rule `RW` of gitolite has it.
    decides(&devices, "[ $3 = $none ] && exit 1\n[ $2 = $none ] || git merge-base --is-ancestor $2 $3 || exit 1");
    for (device, other) in [("desk", "laptop"), ("laptop", "desk"), ("desk", "laptop")] {
        let written = devices.novel(device, &["continue", "--offline"]);
        assert!(written.code == 0 && !written.stderr.contains("unreachable"), "{written:#?}");
        let synced = devices.novel(device, &["sync"]);
        assert!(synced.code == 0 && !synced.stderr.contains("lease"), "{synced:#?}");
        let _ = devices.syncs(other);
    }
}

#[cfg(unix)]
#[test]
fn what_a_remote_refuses_is_told_once_and_not_as_sent() {
    let devices = Devices::two(3);
    devices.begins_chapter("desk", 2);
    decides(&devices, "[ $1 = refs/heads/main ] || exit 1");
    let _ = devices.git("hub.git", &["update-ref", "-d", "refs/tags/ch-001"]);
    let _ = devices.git("hub.git", &["update-ref", "-d", "refs/tags/ch-002"]);
    devices.writes_alone("laptop", 1);
    let told = devices.novel("desk", &["sync"]);
    assert_eq!((told.code, told.stderr.matches("rejects").count()), (0, 1), "{told:#?}");
    assert!(told.stderr.contains("draft/ch-004") || told.stderr.contains("draft/*"), "{told:#?}");
    assert!(!told.stdout.contains("drafts sent"), "{told:#?}");
    let written = devices.novel("desk", &["continue", "--offline"]);
    assert!(written.stderr.contains("rejects refs/novel/lease"), "{written:#?}");
    assert!(!written.stderr.contains("unreachable"), "{written:#?}");
}

#[test]
fn an_address_that_can_never_be_sent_to_is_not_kept() {
    let mut devices = Devices::with(1);
    let _ = devices.git("desk", &["remote", "remove", "origin"]);
    devices.world = devices.world.with("NOVEL_LANG", "zh");
    let _ = devices.git("", &["init", "-q", "--bare", "--object-format=sha256", "usb"]);
    let refused = devices.novel("desk", &["sync", "../usb"]).fails(4);
    assert!(refused.stderr.contains("SHA-256"), "{refused:#?}");
    assert_eq!(devices.git("desk", &["remote"]), "");
    // The way out that the refusal names.
    let _ = devices.git("", &["init", "-q", "--bare", "--object-format=sha1", "other"]);
    let _ = devices.novel("desk", &["sync", "../other"]).ok();
    devices.world.check("desk");
}

#[test]
fn the_words_of_git_are_quoted_in_chinese() {
    let devices = Devices::two(1);
    std::fs::rename(devices.world.path("hub.git"), devices.world.path("gone.git")).unwrap();
    let told = devices.novel("desk", &["--lang", "zh", "sync"]);
    assert!(told.code != 0 && told.stderr.contains("git 报告：“"), "{told:#?}");
}
