//! Work in flight on two devices.

use super::Devices;

#[test]
fn a_draft_begun_on_one_device_is_finished_on_the_other_and_paid_for_once() {
    let devices = Devices::two(1);
    devices.begins_chapter("desk", 2);
    let _ = devices.syncs("desk");
    assert!(devices.refs("hub.git", "refs/heads/draft/").contains("draft/ch-002"));
    let taken = devices.novel("laptop", &["sync", "--json"]);
    assert!(
        taken.json_lines().iter().any(|line| line["event"] == "sync_draft" && line["work"] == "ch-002"),
        "{taken:#?}"
    );
    let run = devices.novel("laptop", &["continue", "--offline", "--json"]);
    assert_eq!(run.code, 0, "{run:#?}");
    let begun = run.json_lines().into_iter().find(|line| line["event"] == "chapter").unwrap();
    assert!(begun["reused"].as_array().is_some_and(|reused| !reused.is_empty()), "{begun}");
    let _ = devices.syncs("laptop");
    assert_eq!(devices.refs("hub.git", "refs/heads/draft/"), "", "an accepted draft is open nowhere");
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(devices.refs("desk", "refs/heads/draft/"), "");
}

#[test]
fn of_two_drafts_of_a_chapter_the_further_one_stays_and_the_other_is_kept() {
    let devices = Devices::two(1);
    devices.begins_chapter("desk", 1);
    devices.begins_chapter("laptop", 3);
    let short = devices.git("desk", &["rev-parse", "draft/ch-002"]);
    let long = devices.git("laptop", &["rev-parse", "draft/ch-002"]);
    assert_ne!(short, long);
    let _ = devices.syncs("desk");
    let told = devices.novel("laptop", &["sync"]);
    assert!(told.code == 0 && told.stderr.contains("refs/novel/kept/ch-002/"), "{told:#?}");
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(devices.git("hub.git", &["rev-parse", "draft/ch-002"]), long);
    assert!(devices.refs("hub.git", "refs/novel/kept/ch-002").contains(&short));
}

#[test]
fn a_draft_merged_with_plain_git_leaves_no_calls_in_the_book_and_is_counted_once() {
    let devices = Devices::with(1);
    devices.begins_chapter("desk", 2);
    let costs = || {
        let costs: serde_json::Value = serde_json::from_str(&devices.novel("desk", &["cost", "--json"]).ok()).unwrap();
        let calls = |row: &serde_json::Value| row["calls"].as_u64().unwrap();
        costs["rows"].as_array().unwrap().iter().map(calls).collect::<Vec<_>>()
    };
    let before = costs();
    let _ = devices.git("desk", &["merge", "-q", "draft/ch-002"]);
    let _ = devices.novel("desk", &["continue", "--offline", "--no-sync"]).ok();
    assert_eq!(devices.git("desk", &["ls-tree", "-r", "--name-only", "HEAD", ".draft"]), "");
    assert_eq!(costs()[..2], before[..2], "each call once");
    let third = devices.novel("desk", &["show", "3", "--calls", "--json"]).json();
    assert_eq!(third["calls"].as_array().unwrap().len() as u64, costs()[2], "{third}");
    assert!(devices.refs("desk", "refs/heads/draft").is_empty());
    let shown = devices.novel("desk", &["show", "2", "--evaluation", "--lang", "zh"]).fails(1);
    assert!(shown.stderr.contains("没有评审") && !shown.stderr.contains("doctor"), "{shown:#?}");
    devices.world.check("desk");
}
