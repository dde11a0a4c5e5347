//! The lease on the remote.

use super::Devices;

/// The lease on the hub.
fn lease(devices: &Devices) -> Option<serde_json::Value> {
    let message = devices.world.git("hub.git", &["log", "-1", "--format=%b", "refs/novel/lease"]);
    (message.code == 0).then(|| serde_json::from_str(message.stdout.trim()).unwrap())
}

/// Puts a lease of another copy on the hub.
fn plant(devices: &Devices, until: &str) {
    let body = format!(
        r#"{{"copy":"ffffffffffffffff","device":"云端","author":"甲","chapter":2,"since":1767225000,"until":{until},"from":"x"}}"#
    );
    let tree = devices.git("hub.git", &["hash-object", "-t", "tree", "-w", "/dev/null"]);
    let commit = devices.git(
        "hub.git",
        &["-c", "user.name=x", "-c", "user.email=x@y", "commit-tree", &tree, "-m", "lease: ch-002", "-m", &body],
    );
    let _ = devices.git("hub.git", &["update-ref", "refs/novel/lease", &commit]);
}

#[test]
fn what_is_written_under_a_lease_keeps_others_waiting_until_it_is_synced() {
    let devices = Devices::two(1);
    let written = devices.novel("desk", &["continue", "--offline"]);
    assert!(written.code == 0 && written.stderr.contains("novel sync"), "{written:#?}");
    let held = lease(&devices).unwrap();
    assert_eq!((held["device"].as_str(), held["chapter"].as_u64()), (Some("desk"), Some(2)), "{held}");
    assert!(held["until"].is_null(), "{held}");
    let refused = devices.novel("laptop", &["continue", "--offline", "--lang", "zh"]).fails(7);
    assert!(refused.stderr.contains("desk") && refused.stderr.contains("ch-002"), "{refused:#?}");
    assert_eq!(devices.world.subjects("laptop").len(), devices.world.subjects("hub.git").len(), "nothing was written");
    let _ = devices.syncs("desk");
    assert_eq!(lease(&devices), None);
    // The new chapter is fetched first.
    let behind = devices.novel("laptop", &["continue", "--offline"]).fails(7);
    assert!(behind.stderr.contains("novel sync"), "{behind:#?}");
    let _ = devices.syncs("laptop");
    let _ = devices.novel("laptop", &["continue", "--offline"]).ok();
    let _ = devices.syncs("laptop");
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!([2, 3].map(|chapter| devices.acceptances("hub.git", chapter)), [1, 1]);
}

#[test]
fn planning_and_rebuilding_take_the_lease_so_that_no_two_devices_pay_for_them() {
    let devices = Devices::two(1);
    let wish = "渡口夜里归更夫管";
    let _ = devices.novel("desk", &["world", "update", wish, "--offline", "--yes"]).ok();
    let held = lease(&devices).unwrap();
    assert_eq!((held["device"].as_str(), held["work"].as_str()), (Some("desk"), Some("world")), "{held}");
    for command in [
        &["world", "update", wish, "--offline", "--yes"][..],
        &["character", "add", "管渡口的老更夫", "--offline"],
        &["continue", "--offline"],
    ] {
        let refused = devices.novel("laptop", command).fails(7);
        assert!(refused.stderr.contains("desk") && refused.stderr.contains("world"), "{command:?}: {refused:#?}");
    }
    let drafts = devices.git("laptop", &["for-each-ref", "refs/heads/draft"]);
    assert_eq!(drafts, "", "nothing is begun");
    let _ = devices.syncs("desk");
    assert_eq!(lease(&devices), None);
    let _ = devices.syncs("laptop");
    let _ = devices.novel("laptop", &["character", "add", "管渡口的老更夫", "--offline"]).ok();
    assert_eq!(lease(&devices).unwrap()["work"], "characters");
    let _ = devices.novel("desk", &["character", "add", "管渡口的老更夫", "--offline"]).fails(7);
    let _ = devices.novel("desk", &["character", "add", "管渡口的老更夫", "--offline", "--no-sync"]).ok();
}

#[test]
fn a_lease_of_another_device_is_waited_for_until_it_is_over_or_taken() {
    let devices = Devices::with(1);
    plant(&devices, "1767229999");
    let refused = devices.novel("desk", &["continue", "--offline", "--lang", "zh"]).fails(7);
    for part in ["甲（云端）", "ch-002", "--take-lease"] {
        assert!(refused.stderr.contains(part), "no {part} in {refused:#?}");
    }
    let json = devices.novel("desk", &["continue", "--offline", "--json"]).fails(7).json_lines().pop().unwrap();
    assert_eq!(json["error"]["kind"], "busy", "{json}");
    // Over, but by less than clocks may differ.
    plant(&devices, "1767225500");
    let _ = devices.novel("desk", &["continue", "--offline"]).fails(7);
    plant(&devices, "1767225000");
    let taken = devices.novel("desk", &["continue", "--offline", "--json"]);
    assert_eq!(taken.code, 0, "{taken:#?}");
    let lines = taken.json_lines();
    assert!(lines.iter().any(|line| line["event"] == "lease" && line["instead_of"] == "云端"), "{lines:#?}");
    let _ = devices.syncs("desk");
    plant(&devices, "1767229999");
    let _ = devices.novel("desk", &["continue", "--offline", "--take-lease"]).ok();
    assert_eq!(lease(&devices).unwrap()["device"], "desk");
}

#[test]
fn a_killed_writer_finds_its_own_lease_again_and_a_copy_of_its_folder_does_not() {
    let devices = Devices::with(1);
    let mut killed = devices.command("desk", "desk", &["continue", "--offline"]);
    killed.env("__NOVEL_CRASH_TEST_ABORT_AT", "txn.after_cas");
    assert!(!killed.output().unwrap().status.success());
    assert!(lease(&devices).unwrap()["until"].is_number());
    let status =
        std::process::Command::new("cp").args(["-a", "desk", "copy"]).current_dir(devices.world.path("")).status();
    assert!(status.unwrap().success());
    let _ = devices.novel("desk", &["continue", "--offline"]).ok();
    let _ = devices.novel("copy", &["continue", "2", "--offline"]).fails(7);
    let _ = devices.syncs("desk");
    assert_eq!(lease(&devices), None);
    devices.are_equal(&["desk"]);
}

#[test]
fn a_lease_that_a_death_kept_from_the_remote_is_not_held() {
    let devices = Devices::two(1);
    let dies = |at: &str| {
        let mut killed = devices.command("desk", "desk", &["continue", "--offline"]);
        killed.env("__NOVEL_CRASH_TEST_ABORT_AT", at);
        assert!(!killed.output().unwrap().status.success());
    };
    dies("lease.asked");
    assert_eq!(lease(&devices), None);
    let _ = devices.novel("laptop", &["continue", "--offline"]).ok();
    let refused = devices.novel("desk", &["continue", "--offline"]).fails(7);
    assert!(refused.stderr.contains("laptop"), "{refused:#?}");
    let _ = devices.syncs("laptop");
    let _ = devices.syncs("desk");
    // One that reached it and was not noted here is this copy's all the same, and is freed with its work.
    dies("lease.taken");
    assert_eq!(lease(&devices).unwrap()["device"], "desk");
    let _ = devices.novel("laptop", &["continue", "--offline"]).fails(7);
    let _ = devices.novel("desk", &["continue", "--offline"]).ok();
    let _ = devices.novel("laptop", &["continue", "--offline"]).fails(7);
    let _ = devices.syncs("desk");
    assert_eq!(lease(&devices), None);
    let _ = devices.syncs("laptop");
    assert_eq!([2, 3].map(|chapter| devices.acceptances("hub.git", chapter)), [1, 1]);
    devices.are_equal(&["desk", "laptop"]);
}

#[test]
fn a_remote_out_of_reach_is_told_of_and_the_book_goes_on_unless_its_settings_say_otherwise() {
    let devices = Devices::with(1);
    std::fs::rename(devices.world.path("hub.git"), devices.world.path("away.git")).unwrap();
    let alone = devices.novel("desk", &["continue", "--offline"]);
    assert!(alone.code == 0 && alone.stderr.matches("is unreachable").count() == 1, "{alone:#?}");
    let config = devices.world.read("desk/novel.toml") + "\n[sync]\nrequired = true\n";
    devices.world.write("desk/novel.toml", &config);
    let stopped = devices.novel("desk", &["continue", "--offline"]).fails(4);
    assert!(stopped.stderr.contains("git remote -v"), "{stopped:#?}");
    assert_eq!(devices.novel("desk", &["continue", "--offline", "--no-sync"]).code, 0);
}

#[test]
fn a_packing_by_git_while_the_lease_is_taken_leaves_every_ref_whole() {
    let devices = Devices::with(1);
    let (hook, desk) = (devices.world.path("hub.git/hooks/post-receive"), devices.world.path("desk"));
    let packs = format!("#!/bin/sh\nexec env -i PATH=\"$PATH\" git -C '{}' gc -q --prune=now\n", desk.display());
    std::fs::write(&hook, packs).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&hook, mode).unwrap();
    let _ = devices.novel("desk", &["continue", "--offline"]).ok();
    assert!(lease(&devices).is_some());
    devices.world.check("desk");
    let _ = devices.git("desk", &["cat-file", "-e", "refs/novel/held^{tree}"]);
    let _ = devices.novel("desk", &["doctor"]).ok();
}
