//! Two devices that wrote the same chapter, or changed the same lines.

use super::Devices;

/// Both devices have a chapter 3 of their own, and one of them has gone on to chapter 4.
fn both_wrote() -> Devices {
    let devices = Devices::two(2);
    devices.writes_alone("desk", 1);
    devices.edits_chapter("desk", 3, "台式机的结尾。");
    devices.writes_alone("laptop", 1);
    devices.edits_chapter("laptop", 3, "笔记本的结尾。");
    devices.writes_alone("laptop", 1);
    let _ = devices.syncs("desk");
    devices
}

#[test]
fn a_chapter_that_both_wrote_is_shown_side_by_side_and_nothing_changes() {
    let devices = both_wrote();
    let (ours, theirs) =
        (devices.git("laptop", &["rev-parse", "main"]), devices.git("hub.git", &["rev-parse", "main"]));
    let asked = devices.novel("laptop", &["sync", "--lang", "zh"]).fails(3);
    for part in ["ch-003", "标题", "首处不同", "字数", "评分", "作者", "ch-004", "novel sync --take theirs"]
    {
        assert!(asked.stdout.contains(part), "no {part} in {asked:#?}");
    }
    let json = devices.novel("laptop", &["sync", "--json"]).fails(3).json_lines().pop().unwrap();
    assert_eq!(
        (json["status"].as_str(), json["conflicts"]["chapters"][0]["chapter"].as_u64()),
        (Some("undecided"), Some(3)),
        "{json}"
    );
    assert_eq!(json["conflicts"]["chapters"][0]["ours"]["last"], 4, "{json}");
    assert!(json["conflicts"]["chapters"][0]["theirs"]["by"]["author"] == "作者", "{json}");
    assert_eq!(devices.git("laptop", &["rev-parse", "main"]), ours);
    assert_eq!(devices.git("hub.git", &["rev-parse", "main"]), theirs);
    // The choice waits in the status as well, which asks no remote.
    let status = devices.novel("laptop", &["status", "--json"]).fails(0).json();
    assert_eq!(status["next"], "novel sync", "{status}");
    assert!(status["pending"][0].as_str().unwrap().contains("both have changed ch-003"), "{status}");
    assert_eq!(devices.novel("laptop", &["decide", "--json"]).fails(0).json()["next"], "novel sync");
    assert_eq!(devices.novel("desk", &["status", "--json"]).fails(0).json()["pending"], serde_json::json!([]));
    // A run that syncs by itself stops as well, before it asks anything of a model.
    let stopped = devices.novel("laptop", &["continue", "--offline"]).fails(7);
    assert!(stopped.stderr.contains("novel sync"), "{stopped:#?}");
}

#[test]
fn the_chosen_line_goes_on_and_the_other_is_kept_everywhere() {
    for (take, text, last) in [("theirs", "台式机的结尾。", 3), ("ours", "笔记本的结尾。", 4)] {
        let devices = both_wrote();
        let lost = if take == "theirs" {
            devices.git("laptop", &["rev-parse", "main"])
        } else {
            devices.git("hub.git", &["rev-parse", "main"])
        };
        let done = devices.novel("laptop", &["sync", "--take", take, "--json"]);
        assert_eq!(done.code, 0, "{done:#?}");
        let kept = done.json_lines().pop().unwrap()["kept"].as_str().unwrap().to_owned();
        let _ = devices.syncs("desk");
        devices.are_equal(&["desk", "laptop"]);
        for place in ["desk", "laptop", "hub.git"] {
            assert_eq!(devices.git(place, &["rev-parse", &kept]), lost, "{take}: {place}");
        }
        assert!(devices.world.read("desk/chapters/vol-01/chapter-003.md").contains(text), "{take}");
        let checkpoint: serde_json::Value = serde_json::from_str(&devices.world.read("desk/.checkpoint.json")).unwrap();
        assert_eq!(checkpoint["last_completed_chapter"], last, "{take}: {checkpoint}");
        assert_eq!(devices.git("hub.git", &["tag", "--list"]).lines().count(), last, "{take}");
        let message = devices.git("hub.git", &["log", "-1", "--format=%B", "main"]);
        assert!(message.contains(&format!("Novel-Took: {take}")), "{message}");
        devices.writes_alone("desk", 1);
        let _ = devices.syncs("desk");
        let _ = devices.syncs("laptop");
        devices.are_equal(&["desk", "laptop"]);
    }
}

#[test]
fn a_line_that_was_not_chosen_is_listed_and_comes_back() {
    for (take, lost) in [("theirs", "笔记本的结尾。"), ("ours", "台式机的结尾。")] {
        let devices = both_wrote();
        let _ = devices.novel("laptop", &["sync", "--take", take]).ok();
        let chapter = || devices.world.read("laptop/chapters/vol-01/chapter-003.md");
        assert!(!chapter().contains(lost), "{take}");
        let listed = devices.novel("laptop", &["restore", "--json"]).json();
        let kept = listed["kept"].as_array().unwrap();
        let line = kept.iter().find(|kept| kept["kind"] == "line").unwrap_or_else(|| panic!("{take}: {listed}"));
        let back = devices.novel("laptop", &["restore", line["name"].as_str().unwrap()]).ok();
        let log = devices.git("laptop", &["log", "--oneline", "--graph", "-12"]);
        assert!(chapter().contains(lost), "{take}: {listed}: {back} {log}");
        let _ = devices.novel("laptop", &["undo"]).ok();
        assert!(!chapter().contains(lost), "{take}");
        devices.world.check("laptop");
    }
}

#[test]
fn a_choice_that_is_put_off_leaves_both_lines_and_puts_both_on_the_remote() {
    let devices = both_wrote();
    let ours = devices.git("laptop", &["rev-parse", "main"]);
    let later = devices.novel("laptop", &["sync", "--take", "later", "--json"]);
    assert_eq!(
        (later.code, later.json_lines().pop().unwrap()["status"].as_str().unwrap()),
        (0, "postponed"),
        "{later:#?}"
    );
    assert_eq!(devices.git("laptop", &["rev-parse", "main"]), ours);
    assert!(devices.refs("hub.git", "refs/novel/kept/sync").ends_with(&ours));
    // The line can be chosen on the other device too, where it has come along by now; here it is asked about again.
    let _ = devices.novel("laptop", &["sync"]).fails(3);
    let _ = devices.syncs("desk");
    assert_eq!(devices.git("desk", &["cat-file", "-t", &ours]), "commit");
}

#[test]
fn the_same_line_of_a_file_changed_twice_is_the_authors_to_choose_and_other_lines_are_joined() {
    let devices = Devices::two(1);
    devices.world.write("desk/research/notes.md", "一\n二\n三\n四\n五\n");
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    devices.world.write("desk/research/notes.md", "一\n二\n三\n四\n五！\n");
    devices.world.write("laptop/research/notes.md", "一？\n二\n三\n四\n五\n");
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    assert_eq!(devices.world.read("laptop/research/notes.md"), "一？\n二\n三\n四\n五！\n");
    let _ = devices.syncs("desk");
    devices.world.write("desk/research/notes.md", "甲\n");
    devices.world.write("laptop/research/notes.md", "乙\n");
    let _ = devices.syncs("desk");
    let asked = devices.novel("laptop", &["sync", "--lang", "zh"]).fails(3);
    assert!(asked.stdout.contains("research/notes.md"), "{asked:#?}");
    let _ = devices.novel("laptop", &["sync", "--take", "ours"]).ok();
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(devices.world.read("desk/research/notes.md"), "乙\n");
}

#[test]
fn a_rollback_here_and_a_chapter_there_are_the_authors_to_choose_between() {
    let devices = Devices::two(3);
    let _ = devices.novel("desk", &["rollback", "ch-002", "--yes"]).ok();
    let _ = devices.syncs("desk");
    devices.writes_alone("laptop", 1);
    let asked = devices.novel("laptop", &["sync", "--lang", "zh"]).fails(3);
    assert!(asked.stdout.contains("已经退回"), "{asked:#?}");
    let _ = devices.novel("laptop", &["sync", "--take", "ours"]).ok();
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(devices.git("desk", &["tag", "--list"]).lines().count(), 4);
}

#[test]
fn two_copies_of_the_very_same_chapter_are_one() {
    let devices = Devices::two(1);
    devices.writes_alone("desk", 1);
    devices.writes_alone("laptop", 2);
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(devices.git("desk", &["tag", "--list"]).lines().count(), 3);
}

/// The files of one copy that the other one's book has otherwise.
fn differing(devices: &Devices, other: &str) -> String {
    devices.git("laptop", &["diff", "--name-only", "HEAD", other])
}

#[test]
fn chapters_with_other_numbers_come_from_the_chosen_line_with_all_their_plans() {
    for take in ["ours", "theirs"] {
        let devices = Devices::two(4);
        let _ = devices.novel("desk", &["chapter", "insert", "6", "--title", "夜访"]).ok();
        let _ = devices.syncs("desk");
        // Chapters 5 and 6 under the old numbers; 5 is the same chapter on both lines.
        devices.writes_alone("laptop", 2);
        let asked = devices.novel("laptop", &["sync", "--lang", "zh"]).fails(3);
        for part in ["从 ch-006 起两边的章号指的不是同一章", "远端：插入 ch-006", "novel sync --take theirs"]
        {
            assert!(asked.stdout.contains(part), "no {part} in {asked:#?}");
        }
        let json = devices.novel("laptop", &["sync", "--json"]).fails(3).json_lines().pop().unwrap();
        let numbers = serde_json::json!({"ours": [], "theirs": ["insert 6"], "first": 6});
        assert_eq!(json["conflicts"]["numbers"], numbers, "{json}");
        let _ = devices.novel("laptop", &["sync", "--take", take]).ok();
        match take {
            "ours" => assert_eq!(differing(&devices, "HEAD^1"), ""),
            _ => {
                let of_plans = differing(&devices, "HEAD^2");
                assert!(!of_plans.contains("volumes/") && of_plans.contains("chapter-005.md"), "{of_plans}");
                assert!(!devices.world.path("laptop/chapters/vol-01/chapter-006.md").exists());
            }
        }
        let _ = devices.syncs("desk");
        devices.are_equal(&["desk", "laptop"]);
        devices.writes_alone("laptop", 1);
        devices.world.check("laptop");
    }
}

#[test]
fn chapters_before_the_ones_with_other_numbers_are_joined_without_a_question() {
    let devices = Devices::two(4);
    let _ = devices.novel("desk", &["chapter", "insert", "7", "--title", "夜访"]).ok();
    let _ = devices.syncs("desk");
    devices.writes_alone("laptop", 2);
    let _ = devices.syncs("laptop");
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    let outline = devices.world.read("desk/volumes/vol-01/outline.md");
    assert!(outline.contains("## 第7章 夜访") && outline.contains("## 第9章"), "{outline}");
    assert!(devices.world.path("desk/chapters/vol-01/chapter-006.md").exists());
}

#[test]
fn a_draft_whose_number_is_another_chapters_after_a_sync_is_not_gone_on_with() {
    let devices = Devices::two(5);
    let brief = devices.world.read("laptop/brief.md");
    devices.world.write("laptop/brief.md", &format!("{brief}\n离线评分(ch-006): 2.4\n"));
    let _ = devices.novel("laptop", &["continue", "--offline", "--no-sync"]).fails(3);
    let _ = devices.novel("desk", &["chapter", "remove", "6"]).ok();
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    let status = devices.novel("laptop", &["status", "--json"]).json();
    assert_eq!(status["next"], "novel decide drop", "{status}");
    let told = devices.novel("laptop", &["--lang", "en", "continue", "--offline", "--no-sync"]).fails(3);
    assert!(told.stderr.contains("the draft of ch-006 was begun before chapters got other numbers"), "{told:#?}");
    let told = devices.novel("laptop", &["decide", "drop"]).ok();
    assert!(told.contains("novel restore ch-006/"), "{told}");
    let _ = devices.novel("laptop", &["continue", "--offline", "--no-sync"]).fails(3);
    let title = devices.novel("laptop", &["status", "--json"]).json()["inflight"]["title"].clone();
    assert_eq!(title, "末班车", "the chapter that has the number now");
}

#[test]
fn wishes_of_two_devices_are_joined_and_those_taken_back_stay_away() {
    let devices = Devices::two(1);
    let wish = |device: &str, text: &str| drop(devices.novel(device, &["wish", text]).ok());
    let texts = |device: &str| {
        let wishes = devices.novel(device, &["wish", "--json"]).json()["wishes"].clone();
        wishes.as_array().unwrap().iter().map(|wish| wish["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // The file is new on both.
    wish("desk", "下雨");
    wish("laptop", "起风");
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(texts("desk"), ["起风", "下雨"]);

    let _ = devices.novel("desk", &["wish", "--take-back", "1"]).ok();
    wish("desk", "多写渡口");
    let _ = devices.novel("laptop", &["wish", "--take-back", "2"]).ok();
    wish("laptop", "多写船");
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    let mut joined = texts("laptop");
    joined.sort();
    assert_eq!(joined, ["多写渡口", "多写船"]);

    // All are taken back.
    let _ = devices.novel("desk", &["wish", "--take-back", "1"]).ok();
    let _ = devices.novel("laptop", &["wish", "--take-back", "2"]).ok();
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    assert_eq!(texts("laptop"), Vec::<String>::new());
    assert!(!devices.world.path("laptop/wishes.json").exists());
    devices.world.check("laptop");
}
