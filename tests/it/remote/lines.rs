//! Lines of the book between devices.

use super::Devices;

fn tip(devices: &Devices, place: &str, branch: &str) -> String {
    devices.git(place, &["rev-parse", &format!("refs/heads/{branch}")])
}

#[test]
fn a_line_goes_to_the_remote_by_a_sync_on_it_and_is_taken_up_elsewhere_by_going_to_it() {
    let devices = Devices::two(2);
    let _ = devices.novel("desk", &["branch", "换个结局", "--from", "ch-001", "--switch"]).ok();
    devices.writes_alone("desk", 2);
    let sent = devices.syncs("desk");
    assert_eq!(sent["sent"]["chapters"], serde_json::json!([2, 3]), "the first is there already: {sent}");
    let _ = devices.novel("desk", &["branch", "switch", "main"]).ok();
    devices.writes_alone("desk", 1);
    let _ = devices.syncs("desk");

    let synced = devices.novel("laptop", &["sync", "--lang", "zh"]).ok();
    assert!(synced.contains("novel branch switch 换个结局"), "{synced:#?}");
    let listed = devices.novel("laptop", &["branch", "list", "--json"]).ok();
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let line = listed["lines"].as_array().unwrap().iter().find(|line| line["name"] == "换个结局").unwrap();
    assert_eq!(
        (line["remote"].as_str(), line["from"].as_u64(), line["last"].as_u64()),
        (Some("origin"), Some(1), Some(3))
    );
    assert_eq!(devices.syncs("laptop")["status"], "current", "told once");

    let _ = devices.novel("laptop", &["branch", "switch", "换个结局"]).ok();
    assert_eq!(tip(&devices, "laptop", "换个结局"), tip(&devices, "desk", "换个结局"));
    devices.writes_alone("laptop", 1);
    let _ = devices.novel("laptop", &["branch", "switch", "main"]).ok();
    // From the main line, what was written on the other goes with it.
    let sent = devices.syncs("laptop");
    assert_eq!(sent["lines_sent"], serde_json::json!(["换个结局"]), "{sent}");
    assert_eq!(tip(&devices, "hub.git", "换个结局"), tip(&devices, "laptop", "换个结局"));
    let _ = devices.novel("desk", &["branch", "switch", "换个结局"]).ok();
    assert_eq!(devices.syncs("desk")["received"]["chapters"], serde_json::json!([4]));
    let _ = devices.novel("desk", &["branch", "switch", "main"]).ok();
    devices.are_equal(&["desk", "laptop"]);
}

#[test]
fn two_states_of_a_line_wait_for_a_sync_on_it_and_a_line_that_is_gone_is_forgotten() {
    let devices = Devices::two(1);
    let _ = devices.novel("desk", &["branch", "alt", "--switch"]).ok();
    devices.writes_alone("desk", 1);
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    let _ = devices.novel("laptop", &["branch", "switch", "alt"]).ok();
    devices.writes_alone("desk", 1);
    devices.edits_chapter("laptop", 1, "更夫敲了第三遍。");
    let (desk, laptop) = (tip(&devices, "desk", "alt"), tip(&devices, "laptop", "alt"));
    let _ = devices.syncs("desk");
    let _ = devices.novel("laptop", &["branch", "switch", "main"]).ok();
    let _ = devices.syncs("laptop");
    assert_eq!([tip(&devices, "hub.git", "alt"), tip(&devices, "laptop", "alt")], [desk, laptop], "neither is moved");
    let _ = devices.novel("laptop", &["branch", "switch", "alt"]).ok();
    assert!(devices.syncs("laptop")["merged"].is_string());
    assert_eq!(tip(&devices, "hub.git", "alt"), tip(&devices, "laptop", "alt"));

    // A name below it has room once the line is gone from the remote.
    let _ = devices.git("hub.git", &["branch", "-D", "alt"]);
    let _ = devices.git("hub.git", &["branch", "alt/second", "main"]);
    let _ = devices.novel("desk", &["branch", "switch", "main"]).ok();
    assert_eq!(devices.syncs("desk")["lines_found"], serde_json::json!(["alt/second"]));
    assert!(devices.novel("desk", &["branch", "list"]).ok().contains("alt/second"));
}

#[test]
fn chapters_from_the_other_side_of_a_merge_are_in_the_log_and_in_what_a_rollback_lists() {
    let devices = Devices::two(2);
    devices.writes_alone("desk", 1);
    let _ = devices.syncs("desk");
    devices.edits_chapter("laptop", 1, "更夫敲了第三遍。");
    let _ = devices.syncs("laptop");
    let read = |args: &[&str]| devices.novel("laptop", args).ok();
    let logged = |args: &[&str]| -> Vec<u64> {
        let log: serde_json::Value = serde_json::from_str(&read(args)).unwrap();
        log["entries"].as_array().unwrap().iter().filter_map(|entry| entry["chapter"].as_u64()).collect()
    };
    assert_eq!(logged(&["log", "3", "--json"]), [3]);
    assert_eq!(logged(&["log", "--kind", "chapter", "--json"]), [3, 2, 1]);
    let subjects = devices.git("laptop", &["log", "--format=%s", "--topo-order"]).lines().count();
    let log: serde_json::Value = serde_json::from_str(&read(&["log", "-n", "99", "--json"])).unwrap();
    assert_eq!(log["entries"].as_array().unwrap().len(), subjects, "each once");

    // The edit was made before the chapter came.
    let first = || devices.world.read("laptop/chapters/vol-01/chapter-001.md");
    devices.writes_alone("laptop", 1);
    let preview = read(&["rollback", "ch-003", "--dry-run"]);
    assert!(!preview.contains("chapter-001.md"), "{preview}");
    let _ = read(&["rollback", "ch-003", "--yes"]);
    assert!(first().contains("更夫敲了第三遍。"));
    // Before the merge, the line of the laptop had the second chapter only, and the edit after it.
    let preview = read(&["rollback", "ch-002", "--dry-run", "--lang", "zh"]);
    assert!(preview.contains("ch-003") && preview.contains("改了几个字"), "{preview}");
    let _ = read(&["rollback", "ch-002", "--yes"]);
    assert!(!first().contains("更夫敲了第三遍。"));
    devices.world.check("laptop");
}

/// Sets up a filter by which a file of `research/` has other letters in the folder than in git.
fn filters(devices: &Devices, device: &str) {
    for way in ["clean", "smudge"] {
        let _ = devices.git(device, &["config", &format!("filter.turned.{way}"), "tr A-Za-z N-ZA-Mn-za-m"]);
    }
    let _ = devices.git(device, &["config", "filter.turned.required", "true"]);
}

#[test]
fn files_come_as_git_has_them_by_attributes_that_come_with_them() {
    let devices = Devices::two(1);
    let attributes = devices.world.read("desk/.gitattributes");
    let writes = |attribute: &str, name: &str| {
        devices.world.write("desk/.gitattributes", &format!("{attributes}{attribute}\n"));
        devices.world.write(&format!("desk/research/{name}"), "old quay\n");
        let _ = devices.git("desk", &["add", "-A"]);
        devices.world.commit("desk", "地图");
        let _ = devices.syncs("desk");
        let _ = devices.syncs("laptop");
        assert_eq!(devices.world.read(&format!("laptop/research/{name}")), "old quay\n");
        assert_eq!(devices.git("laptop", &["status", "--porcelain"]), "");
    };
    for device in ["desk", "laptop"] {
        filters(&devices, device);
    }
    writes("*.map filter=turned", "quay.map");
    assert_eq!(devices.git("laptop", &["show", "HEAD:research/quay.map"]), "byq dhnl");
    let _ = devices.novel("laptop", &["undo"]).ok();
    let _ = devices.novel("laptop", &["redo"]).ok();
    assert_eq!(devices.git("laptop", &["status", "--porcelain"]), "");
    // A file that git stores in UTF-8 and has in another encoding in the folder.
    devices.world.write("desk/.gitattributes", &format!("{attributes}*.txt working-tree-encoding=GB18030\n"));
    std::fs::write(devices.world.path("desk/research/a.txt"), b"\xc4\xe3\xba\xc3\n").unwrap();
    let _ = devices.git("desk", &["add", "-A"]);
    devices.world.commit("desk", "你好");
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    assert_eq!(std::fs::read(devices.world.path("laptop/research/a.txt")).unwrap(), b"\xc4\xe3\xba\xc3\n");
    devices.world.check("laptop");
}

#[test]
fn files_that_pass_through_a_filter_come_with_a_sync_and_go_with_an_undo() {
    let devices = Devices::with(1);
    filters(&devices, "desk");
    let attributes = devices.world.read("desk/.gitattributes");
    devices.world.write("desk/.gitattributes", &format!("{attributes}*.map filter=turned\n"));
    let read = |device: &str, name: &str| devices.world.read(&format!("{device}/research/{name}.map"));
    let writes = |device: &str, name: &str, text: &str| {
        devices.world.write(&format!("{device}/research/{name}.map"), text);
        let _ = devices.git(device, &["add", "-A"]);
        devices.world.commit(device, "地图");
    };
    for name in ["old", "gone", "mine"] {
        writes("desk", name, &format!("{name} quay\n"));
    }
    let _ = devices.syncs("desk");
    devices.clone_to("laptop");
    filters(&devices, "laptop");
    let _ = devices.git("laptop", &["checkout", "--", "research"]);
    for name in ["old", "gone", "mine"] {
        let _ = std::fs::remove_file(devices.world.path(&format!("laptop/research/{name}.map")));
    }
    let _ = devices.git("laptop", &["checkout", "--", "research"]);
    assert_eq!(read("laptop", "old"), "old quay\n");

    writes("desk", "new", "new quay\n");
    writes("desk", "old", "another quay\n");
    std::fs::remove_file(devices.world.path("desk/research/gone.map")).unwrap();
    devices.world.commit("desk", "旧图不要了");
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    assert_eq!((read("laptop", "old").as_str(), read("laptop", "new").as_str()), ("another quay\n", "new quay\n"));
    assert!(!devices.world.path("laptop/research/gone.map").exists());
    assert_eq!(devices.git("laptop", &["status", "--porcelain"]), "");
    assert_eq!(devices.git("laptop", &["show", "HEAD:research/new.map"]), "arj dhnl");

    let _ = devices.novel("laptop", &["undo"]).ok();
    assert!(devices.world.path("laptop/research/gone.map").exists(), "the deletion was undone");
    let _ = devices.novel("laptop", &["redo"]).ok();
    assert_eq!(devices.git("laptop", &["status", "--porcelain"]), "");

    assert!(!devices.novel("laptop", &["doctor"]).stdout.contains("research/"));

    // The author's own change stays, and is named with the way on.
    writes("desk", "mine", "theirs\n");
    let _ = devices.syncs("desk");
    devices.world.write("laptop/research/mine.map", "my own\n");
    let stopped = devices.novel("laptop", &["sync", "--lang", "zh"]).fails(7);
    assert!(stopped.stderr.contains("research/mine.map") && stopped.stderr.contains("git commit"), "{stopped:#?}");
    assert_eq!(read("laptop", "mine"), "my own\n");
    let _ = devices.git("laptop", &["checkout", "--", "research/mine.map"]);

    // A filter that cannot be run stops the step before anything has changed.
    let tip = devices.git("laptop", &["rev-parse", "HEAD"]);
    let _ = devices.git("laptop", &["config", "filter.turned.smudge", "false"]);
    let stopped = devices.novel("laptop", &["sync", "--lang", "zh"]).fails(4);
    assert!(stopped.stderr.contains("research/mine.map") && stopped.stderr.contains("turned"), "{stopped:#?}");
    assert_eq!(devices.git("laptop", &["rev-parse", "HEAD"]), tip);
    filters(&devices, "laptop");
    let _ = devices.syncs("laptop");
    assert_eq!(read("laptop", "mine"), "theirs\n");
    devices.world.check("laptop");
}
