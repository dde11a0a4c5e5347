//! Archives of kept drafts on several devices: they go in both directions, and refs of drafts that are in one go everywhere.

use super::Devices;
use novel::report::subject::wording;
use novel::store::{Book, CommitId, Holder, Moment, Wait};
use std::collections::BTreeMap;

const KEPT: &str = "refs/novel/kept/";
const ARCHIVES: &str = "refs/novel/kept/archive/";

impl Devices {
    /// Keeps drafts of the chapters on a device, each on top of the draft of chapter 1.
    fn keeps(&self, device: &str, chapters: impl IntoIterator<Item = u32>) {
        let first = self.git(device, &["log", "-1", "--format=%(trailers:key=Novel-Draft,valueonly)", "ch-001"]);
        let input: String = chapters
            .into_iter()
            .map(|n| {
                let commit = format!(
                    "commit refs/novel/kept/ch-{n:03}/{n:010x}\ncommitter 作者 <a@example.com> {} +0800\n",
                    1_700_000_000 + n
                );
                format!("{commit}data 1\nx\nfrom {first}\n\n")
            })
            .collect();
        self.world.write("drafts", &input);
        let alias =
            format!("alias.import=!git fast-import --quiet --force < '{}'", self.world.path("drafts").display());
        let _ = self.git(device, &["-c", &alias, "import"]);
    }

    fn book(&self, device: &str) -> Book {
        Book::open(&self.world.path(device), wording).unwrap()
    }

    /// Everything that a device keeps, by name.
    fn kept(&self, device: &str) -> BTreeMap<String, CommitId> {
        self.book(device).kept_refs().unwrap().into_iter().collect()
    }

    /// Gathers the drafts of a device. Returns how many refs are gone.
    fn gathers(&self, device: &str) -> usize {
        let since = Moment { seconds: 1_767_225_600, offset_minutes: 0 };
        let holder = Holder { what: "gc".to_owned(), host: device.to_owned(), since };
        self.book(device).gather_drafts(&holder, Wait::sleeping()).unwrap()
    }

    fn count(&self, place: &str, prefix: &str) -> usize {
        self.refs(place, prefix).lines().count()
    }
}

#[test]
fn an_archive_takes_the_place_of_its_drafts_on_every_device() {
    let devices = Devices::two(1);
    devices.keeps("desk", 2..=20);
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    devices.are_equal(&["desk", "laptop"]);
    let kept = devices.kept("laptop");
    assert!(kept.len() >= 20);
    assert_eq!(devices.gathers("desk"), kept.len());
    let _ = devices.syncs("desk");
    assert_eq!((devices.count("hub.git", KEPT), devices.count("hub.git", ARCHIVES)), (1, 1));
    let _ = devices.syncs("laptop");
    devices.are_equal(&["desk", "laptop"]);
    devices.clone_to("phone");
    let _ = devices.syncs("phone");
    assert_eq!(
        (devices.kept("desk"), devices.kept("laptop"), devices.kept("phone")),
        (kept.clone(), kept.clone(), kept)
    );
    // Both go on, and the archive with them.
    devices.writes_alone("laptop", 1);
    devices.keeps("laptop", 30..=50);
    let kept = devices.kept("laptop");
    assert!(devices.gathers("laptop") > 21);
    for device in ["laptop", "desk", "phone"] {
        let _ = devices.syncs(device);
    }
    devices.are_equal(&["desk", "laptop", "phone"]);
    assert_eq!((devices.kept("desk"), devices.count("hub.git", KEPT)), (kept, 1));
}

#[test]
fn two_devices_that_gather_at_once_lose_nothing() {
    let devices = Devices::two(1);
    devices.keeps("desk", 2..=30);
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    devices.keeps("desk", 40..=42);
    devices.keeps("laptop", 50..=55);
    let all: BTreeMap<String, CommitId> = devices.kept("desk").into_iter().chain(devices.kept("laptop")).collect();
    assert!(devices.gathers("desk") > 30 && devices.gathers("laptop") > 30);
    assert_ne!(devices.refs("desk", ARCHIVES), devices.refs("laptop", ARCHIVES));
    for device in ["desk", "laptop", "desk"] {
        let _ = devices.syncs(device);
    }
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!((devices.kept("desk"), devices.count("hub.git", KEPT)), (all.clone(), 2));
    // Both make one of the two, by themselves, and it is the same.
    assert_eq!((devices.gathers("desk"), devices.gathers("laptop")), (2, 2));
    assert_eq!(devices.refs("desk", ARCHIVES), devices.refs("laptop", ARCHIVES));
    for device in ["desk", "laptop"] {
        let _ = devices.syncs(device);
    }
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!((devices.kept("laptop"), devices.count("hub.git", KEPT)), (all, 1));
}

/// A program of an earlier version knows no archives: it pushes the refs that it has.
#[test]
fn refs_of_archived_drafts_that_come_back_go_again() {
    let devices = Devices::two(1);
    devices.keeps("desk", 2..=20);
    let _ = devices.syncs("desk");
    devices.world.copy("hub.git", "older.git");
    let kept = devices.kept("desk");
    let _ = devices.gathers("desk");
    let _ = devices.syncs("desk");
    let _ = devices.git("older.git", &["push", "-q", "../hub.git", "refs/novel/kept/*:refs/novel/kept/*"]);
    assert_eq!(devices.count("hub.git", KEPT), kept.len() + 1);
    let _ = devices.syncs("desk");
    assert_eq!((devices.count("hub.git", KEPT), devices.count("desk", KEPT)), (1, 1));
    // The same for a device that has not synced since.
    let _ = devices.git("older.git", &["push", "-q", "../hub.git", "refs/novel/kept/*:refs/novel/kept/*"]);
    let _ = devices.syncs("laptop");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!((devices.kept("laptop"), devices.count("hub.git", KEPT)), (kept, 1));
}

/// A draft that was closed on a device which had not heard of its archive is not sent back.
#[test]
fn a_ref_of_an_archived_draft_is_not_sent() {
    let devices = Devices::two(1);
    devices.keeps("desk", 2..=20);
    let _ = devices.syncs("desk");
    let _ = devices.gathers("desk");
    let _ = devices.syncs("desk");
    devices.keeps("laptop", 2..=20);
    let _ = devices.syncs("laptop");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(devices.count("hub.git", KEPT), 1);
}

#[test]
fn hundreds_of_refs_go_in_parts() {
    let devices = Devices::two(1);
    devices.keeps("desk", 2..=460);
    let _ = devices.syncs("desk");
    let _ = devices.git("hub.git", &["pack-refs", "--all"]);
    assert!(devices.count("hub.git", KEPT) >= 460);
    // Its end has gathered them, because they are many.
    assert_eq!((devices.count("desk", KEPT), devices.gathers("desk")), (1, 0));
    let kept = devices.kept("desk");
    let _ = devices.syncs("laptop");
    assert_eq!(devices.refs("laptop", KEPT), devices.refs("desk", KEPT), "by itself, and the same");
    let _ = devices.syncs("desk");
    assert_eq!((devices.count("hub.git", KEPT), devices.count("desk", KEPT)), (1, 1));
    let _ = devices.syncs("laptop");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(devices.kept("laptop"), kept);
}

/// A remote may keep refs from being deleted: nothing is lost, and the sync goes on.
#[test]
fn a_remote_that_lets_no_ref_go_is_synced() {
    let devices = Devices::two(1);
    devices.keeps("desk", 2..=20);
    let _ = devices.syncs("desk");
    let hook = devices.world.path("hub.git/hooks/update");
    devices
        .world
        .write("hub.git/hooks/update", "#!/bin/sh\ncase $3 in *[!0]*) ;; *) echo 'nothing goes' >&2; exit 1 ;; esac\n");
    let _ = std::process::Command::new("chmod").arg("+x").arg(hook).status().unwrap();
    let kept = devices.kept("desk");
    let _ = devices.gathers("desk");
    let tip = devices.git("hub.git", &["rev-parse", "main"]);
    devices.edits_chapter("desk", 1, "又一行");
    let said = devices.novel("desk", &["sync"]);
    assert!(said.code == 0 && said.stderr.matches("refs/novel/kept/").count() == 1, "{said:#?}");
    assert_ne!(devices.git("hub.git", &["rev-parse", "main"]), tip);
    assert_eq!(devices.count("hub.git", KEPT), kept.len() + 1);
    let _ = devices.syncs("laptop");
    assert_eq!((devices.kept("laptop"), devices.count("laptop", KEPT)), (kept, 1));
}
