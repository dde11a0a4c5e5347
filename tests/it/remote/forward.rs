//! Two copies that go on from each other.

use super::Devices;

#[test]
fn chapters_drafts_tags_and_kept_lines_go_both_ways() {
    let devices = Devices::two(1);
    devices.are_equal(&["desk", "laptop"]);
    devices.writes_alone("desk", 2);
    let sent = devices.syncs("desk");
    assert_eq!(
        (sent["status"].as_str(), &sent["sent"]["chapters"]),
        (Some("synced"), &serde_json::json!([2, 3])),
        "{sent}"
    );
    let received = devices.syncs("laptop");
    assert_eq!(received["received"]["chapters"], serde_json::json!([2, 3]), "{received}");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(
        devices.world.read("laptop/chapters/vol-01/chapter-003.md"),
        devices.world.read("desk/chapters/vol-01/chapter-003.md")
    );
    // The other way round, and then there is nothing to do.
    devices.writes_alone("laptop", 1);
    let _ = devices.syncs("laptop");
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(devices.syncs("laptop")["status"], "current");
    assert_eq!(devices.git("laptop", &["rev-parse", "ch-004^{}"]), devices.git("hub.git", &["rev-parse", "ch-004^{}"]));
}

#[test]
fn a_rollback_is_a_step_forward_for_every_copy_and_can_be_taken_back_anywhere() {
    let devices = Devices::two(3);
    let _ = devices.novel("desk", &["rollback", "ch-001", "--yes"]).ok();
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(devices.git("hub.git", &["tag", "--list", "ch-*"]), "ch-001");
    let _ = devices.novel("laptop", &["undo"]).ok();
    let _ = devices.syncs("laptop");
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(devices.git("desk", &["tag", "--list", "ch-*"]), "ch-001\nch-002\nch-003");
}

#[test]
fn edits_of_different_files_are_joined_and_the_state_is_replayed() {
    let devices = Devices::two(2);
    devices.writes_alone("desk", 1);
    let brief = devices.world.read("laptop/brief.md") + "\n主角怕水。\n";
    devices.world.write("laptop/brief.md", &brief);
    // An edit of the state, which no chapter made.
    let state = devices.world.read("laptop/state/current-state.json");
    let edited = state.replacen(
        "\"characters\": {",
        "\"characters\": {\n    \"a-keeper\": {\n      \"location\": \"城楼\"\n    },",
        1,
    );
    assert_ne!(state, edited, "the state has characters");
    devices.world.write("laptop/state/current-state.json", &edited);
    devices.edits_chapter("laptop", 1, "灯又亮了一次。");
    let _ = devices.syncs("desk");
    let joined = devices.syncs("laptop");
    assert!(joined["merged"].is_string(), "{joined}");
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    assert!(devices.world.read("desk/brief.md").ends_with("主角怕水。\n"));
    assert!(devices.world.read("desk/chapters/vol-01/chapter-001.md").contains("灯又亮了一次。"));
    let state: serde_json::Value = serde_json::from_str(&devices.world.read("desk/state/current-state.json")).unwrap();
    assert!(state.to_string().contains("城楼") && state.to_string().contains("\"last_updated_chapter\":3"), "{state}");
    let checkpoint: serde_json::Value = serde_json::from_str(&devices.world.read("desk/.checkpoint.json")).unwrap();
    assert_eq!(checkpoint["last_completed_chapter"], 3, "{checkpoint}");
    // One commit with two parents, and the book goes on from it on both devices.
    assert_eq!(devices.git("desk", &["log", "-1", "--format=%P"]).split(' ').count(), 2);
    assert!(devices.git("desk", &["log", "-1", "--format=%B"]).contains("Novel-Kind: sync-merge"));
    devices.writes_alone("desk", 1);
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    devices.are_equal(&["desk", "laptop"]);
}

#[test]
fn uncommitted_edits_become_the_authors_own_commit_first() {
    let devices = Devices::two(1);
    let brief = devices.world.read("laptop/brief.md") + "\n还没提交。\n";
    devices.world.write("laptop/brief.md", &brief);
    devices.writes_alone("desk", 1);
    let _ = devices.syncs("desk");
    let preview = devices.novel("laptop", &["sync", "--dry-run", "--json"]);
    assert_eq!(preview.json_lines().pop().unwrap()["status"], "preview", "{preview:#?}");
    assert!(devices.git("laptop", &["status", "--porcelain"]).contains("brief.md"), "a preview commits nothing");
    let _ = devices.syncs("laptop");
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    assert!(devices.world.subjects("laptop").iter().any(|subject| subject.starts_with("hand edit: brief.md")));
    assert_eq!(devices.world.read("desk/brief.md"), brief);
}

#[test]
fn setting_auto_once_syncs_with_every_run() {
    let devices = Devices::two(1);
    let _ = devices.novel("desk", &["sync", "--auto"]).ok();
    let _ = devices.novel("desk", &["continue", "--offline"]).ok();
    assert_eq!(devices.acceptances("hub.git", 2), 1);
    // The setting has gone along, so that the other device begins where this one ended.
    let _ = devices.syncs("laptop");
    let _ = devices.novel("desk", &["continue", "--offline"]).ok();
    let _ = devices.novel("laptop", &["continue", "--offline"]).ok();
    assert_eq!([3, 4].map(|chapter| devices.acceptances("hub.git", chapter)), [1, 1]);
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(devices.refs("hub.git", "refs/novel/lease"), "", "freed");
}

#[test]
fn a_remote_in_a_folder_is_known_by_every_path_to_it() {
    let devices = Devices::two(1);
    for path in ["../hub.git", "../laptop/../hub.git", "../hub.git/"] {
        let _ = devices.novel("laptop", &["sync", path]).ok();
    }
    assert_eq!(devices.git("laptop", &["remote"]), "origin");
}

#[test]
fn hundreds_of_refs_go_with_one_push_and_none_that_is_not_meant() {
    let devices = Devices::two(1);
    let tip = devices.git("desk", &["rev-parse", "HEAD"]);
    for n in 0..250 {
        let file = devices.world.path(&format!("desk/.git/refs/novel/kept/salvaged/{n:010x}"));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, format!("{tip}\n")).unwrap();
    }
    let _ = devices.git("desk", &["tag", "ch-old"]);
    let _ = devices.syncs("desk");
    assert_eq!(devices.git("hub.git", &["for-each-ref", "refs/novel/kept/salvaged"]).lines().count(), 250);
    assert_eq!(devices.refs("hub.git", "refs/tags/ch-old"), "");
    let _ = devices.git("desk", &["tag", "-d", "ch-old"]);
    let _ = devices.syncs("laptop");
    devices.are_equal(&["desk", "laptop"]);
}

#[test]
fn plans_that_another_device_has_settled_ask_nothing() {
    let devices = Devices::two(5);
    let _ = devices.novel("desk", &["chapter", "insert", "7", "--title", "夜访"]).fails(0);
    let _ = devices.novel("desk", &["character", "rename", "wen-xiaoman", "闻小月"]).fails(0);
    let _ = devices.syncs("desk");
    let brief = devices.world.path("laptop/brief.md");
    std::fs::write(&brief, format!("{}\n雨一直下。\n", std::fs::read_to_string(&brief).unwrap())).unwrap();
    devices.git("laptop", &["commit", "-qam", "rain"]);
    let _ = devices.novel("laptop", &["chapter", "move", "8", "7"]).fails(0);
    let _ = devices.novel("laptop", &["undo"]).fails(0);
    let _ = devices.syncs("laptop");
    assert!(devices.git("laptop", &["log", "--merges", "--format=%h"]).lines().next().is_some(), "lines are joined");
    let impact = devices.novel("laptop", &["impact", "--json"]).json();
    assert_eq!(impact["open"], 0, "{impact:#}");
    let status = devices.novel("laptop", &["status", "--json"]).json();
    assert_eq!(status["pending"], serde_json::json!([]), "{status:#}");
    let _ = devices.novel("laptop", &["continue", "--offline"]).fails(0);
}
