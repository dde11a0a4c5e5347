//! The archive of kept drafts on several devices: it goes in both directions, and refs of drafts that are in it go
//! everywhere.

use super::Devices;
use novel::report::subject::wording;
use novel::store::{self, Book, CommitId, Holder, Moment, Wait};
use std::collections::BTreeMap;

const KEPT: &str = "refs/novel/kept/";
const CHAIN: &str = "refs/novel/kept/archive/chain";

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
        store::kept::kept_refs(&self.book(device)).unwrap().into_iter().collect()
    }

    /// Gathers the drafts of a device. Returns how many refs are gone.
    fn gathers(&self, device: &str) -> usize {
        let since = Moment { seconds: 1_767_225_600, offset_minutes: 0 };
        let holder = Holder { what: "gc".to_owned(), host: device.to_owned(), since };
        store::pending_command::gather_drafts(&self.book(device), &holder, Wait::sleeping()).unwrap()
    }

    fn count(&self, place: &str, prefix: &str) -> usize {
        self.refs(place, prefix).lines().count()
    }
}

#[test]
fn the_archive_takes_the_place_of_its_drafts_on_every_device() {
    let devices = Devices::two(1);
    devices.keeps("desk", 2..=70);
    let _ = devices.git("desk", &["pack-refs", "--all"]);
    let _ = devices.syncs("desk");
    assert_eq!((devices.count("desk", KEPT), devices.count("hub.git", KEPT)), (1, 1), "gathered on the way");
    let kept = devices.kept("desk");
    assert!(kept.len() >= 70);
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
    devices.keeps("laptop", 100..=170);
    let kept = devices.kept("laptop");
    assert!(devices.gathers("laptop") > 70);
    for device in ["laptop", "desk", "phone"] {
        let _ = devices.syncs(device);
    }
    devices.are_equal(&["desk", "laptop", "phone"]);
    assert_eq!((devices.kept("desk"), devices.count("hub.git", KEPT)), (kept, 1));
}

#[test]
fn a_key_in_the_archive_is_not_sent_and_the_author_can_push_the_archive_or_let_it_go() {
    for lets_go in [false, true] {
        let devices = Devices::with(1);
        devices.keeps("desk", 2..=70);
        let first = devices.git("desk", &["log", "-1", "--format=%(trailers:key=Novel-Draft,valueonly)", "ch-001"]);
        let key = ["sk-", "proj-0123456789abcdefghij"].concat();
        let draft = devices.git("desk", &["commit-tree", "HEAD^{tree}", "-p", &first, "-m", &key]);
        let _ = devices.git("desk", &["update-ref", "refs/novel/kept/ch-071/0000000047", &draft]);
        let said = devices.novel("desk", &["--lang", "en", "sync"]).fails(1);
        let (goes, pushed) = (format!("git update-ref -d {CHAIN}"), format!("git push --no-verify origin {CHAIN}"));
        assert!(said.stderr.contains("line 1 of its message: contains a key"), "{said:#?}");
        assert!([&goes, &pushed].iter().all(|way| said.stderr.contains(*way)), "{said:#?}");
        assert_eq!(devices.count("hub.git", CHAIN), 0);
        let way = if lets_go { goes } else { pushed };
        let _ = devices.git("desk", &way.split(' ').skip(1).collect::<Vec<_>>());
        let _ = devices.syncs("desk");
        assert_eq!(devices.count("hub.git", CHAIN), usize::from(!lets_go));
    }
}

#[test]
fn two_devices_that_gather_at_once_lose_nothing() {
    let devices = Devices::two(1);
    devices.keeps("desk", 2..=70);
    devices.keeps("laptop", 60..=130);
    let all: BTreeMap<String, CommitId> = devices.kept("desk").into_iter().chain(devices.kept("laptop")).collect();
    assert!(devices.gathers("desk") > 64 && devices.gathers("laptop") > 64);
    assert_ne!(devices.refs("desk", CHAIN), devices.refs("laptop", CHAIN));
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    assert_eq!((devices.kept("laptop"), devices.count("hub.git", KEPT)), (all.clone(), 1));
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!((devices.kept("desk"), devices.refs("hub.git", CHAIN)), (all, devices.refs("desk", CHAIN)));
}

/// A device with a program of an earlier version pushes the refs of drafts that it has again, and an archive in a ref
/// of its own.
#[test]
fn refs_of_archived_drafts_that_come_back_go_again() {
    let devices = Devices::two(1);
    devices.keeps("desk", 2..=20);
    let _ = devices.syncs("desk");
    devices.world.copy("hub.git", "older.git");
    devices.keeps("desk", 21..=70);
    let kept = devices.kept("desk");
    let _ = devices.syncs("desk");
    assert_eq!(devices.count("hub.git", KEPT), 1);
    let _ = devices.git("older.git", &["push", "-q", "../hub.git", "refs/novel/kept/*:refs/novel/kept/*"]);
    assert!(devices.count("hub.git", KEPT) > 19);
    let _ = devices.syncs("desk");
    assert_eq!((devices.count("hub.git", KEPT), devices.count("desk", KEPT)), (1, 1));
    // The laptop has not synced since, and the older device has an archive with a draft of its own.
    devices.world.copy("hub.git", "archived.git");
    devices.keeps("archived.git", 300..=300);
    let own = devices.git("archived.git", &["rev-parse", "refs/novel/kept/ch-300/000000012c"]);
    let message = format!("archive: 1 kept drafts\n\nNovel-Kind: archive\nNovel-Holds: ch-300/000000012c {own}\n");
    let id = devices.git("archived.git", &["commit-tree", "HEAD^{tree}", "-p", CHAIN, "-p", &own, "-m", &message]);
    let refspecs = [format!(":{CHAIN}"), format!("{id}:refs/novel/kept/archive/{:.10}", id)];
    let _ = devices.git("archived.git", &["push", "-q", "../hub.git", &refspecs[0], &refspecs[1]]);
    for device in ["laptop", "desk", "laptop"] {
        let _ = devices.syncs(device);
    }
    devices.are_equal(&["desk", "laptop"]);
    let all: BTreeMap<String, CommitId> =
        kept.into_iter().chain([("ch-300/000000012c".to_owned(), own.parse().unwrap())]).collect();
    assert_eq!((devices.kept("laptop"), devices.kept("desk")), (all.clone(), all));
    assert_eq!(devices.count("hub.git", KEPT), 1);
}

/// A draft that was closed on a device which had not heard of its archive is not sent back.
#[test]
fn a_ref_of_an_archived_draft_is_not_sent() {
    let devices = Devices::two(1);
    devices.keeps("desk", 2..=70);
    let _ = devices.syncs("desk");
    devices.keeps("laptop", 2..=20);
    let _ = devices.syncs("laptop");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(devices.count("hub.git", KEPT), 1);
}

/// A remote that a program of an earlier version has filled with refs loses them in parts.
#[test]
fn hundreds_of_refs_go_in_parts() {
    let devices = Devices::two(1);
    devices.keeps("desk", 2..=460);
    let _ = devices.git("desk", &["push", "-q", "../hub.git", "refs/novel/kept/*:refs/novel/kept/*"]);
    let _ = devices.git("hub.git", &["pack-refs", "--all"]);
    assert!(devices.count("hub.git", KEPT) >= 460);
    let kept = devices.kept("desk");
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
    devices.keeps("desk", 2..=60);
    let _ = devices.syncs("desk");
    let on_hub = devices.count("hub.git", KEPT);
    devices.keeps("desk", 61..=70);
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
    assert_eq!(devices.count("hub.git", KEPT), on_hub + 1);
    let _ = devices.syncs("laptop");
    assert_eq!((devices.kept("laptop"), devices.count("laptop", KEPT)), (kept, 1));
}

impl Devices {
    /// Has the book keep the calls of its last chapters only.
    fn keeps_calls(&self, device: &str, chapters: u32) {
        let path = format!("{device}/novel.toml");
        let settings = self.world.read(&path).replace("[book]\n", &format!("[book]\nkeep_calls = {chapters}\n"));
        self.world.write(&path, &settings);
        self.world.commit(device, "settings");
    }

    /// The refs of everything that is kept anywhere, and the archive's.
    fn every_kept(&self) -> Vec<String> {
        ["desk", "laptop", "hub.git"].map(|place| self.refs(place, KEPT)).to_vec()
    }
}

/// The setting `keep_calls` reaches every device: drafts of older chapters go everywhere, and the archive with them.
#[test]
fn drafts_of_older_chapters_go_everywhere() {
    let devices = Devices::two(3);
    // Put aside, of a chapter that is written later.
    devices.keeps("desk", 5..=70);
    let _ = devices.syncs("desk");
    let _ = devices.syncs("laptop");
    assert_eq!((devices.count("laptop", KEPT), devices.count("hub.git", KEPT)), (1, 1));
    devices.keeps_calls("desk", 2);
    devices.writes_alone("desk", 2);
    assert_eq!((devices.count("desk", CHAIN), devices.count("desk", &format!("{KEPT}ch-003"))), (0, 0));
    let _ = devices.syncs("desk");
    assert_eq!(devices.refs("desk", KEPT), devices.refs("hub.git", KEPT));
    let _ = devices.syncs("laptop");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(devices.count("hub.git", KEPT), 66 + 2);
    // Nothing moves any more, and nothing comes back.
    let before = devices.every_kept();
    for device in ["desk", "laptop", "desk"] {
        let _ = devices.syncs(device);
        assert_eq!(devices.every_kept(), before);
    }
    // A device that has written on alone, without the setting, brings its archive.
    devices.clone_to("phone");
    let _ = devices.syncs("phone");
    devices.are_equal(&["desk", "laptop", "phone"]);
    assert!(devices.novel("phone", &["show", "5", "--calls"]).code == 0);
    assert!(devices.novel("phone", &["show", "1", "--calls"]).stderr.contains("keep_calls = 2"));
    devices.writes_alone("laptop", 1);
    let _ = devices.syncs("laptop");
    let _ = devices.syncs("desk");
    devices.are_equal(&["desk", "laptop"]);
    assert_eq!(devices.count("hub.git", &format!("{KEPT}ch-004")), 0);
}

/// A device that has not heard of the setting sends the archive again.
#[test]
fn an_archive_that_comes_back_goes_again() {
    let devices = Devices::two(3);
    devices.keeps("desk", 5..=70);
    let _ = devices.syncs("desk");
    devices.world.copy("hub.git", "older.git");
    devices.keeps_calls("desk", 1);
    let _ = devices.syncs("desk");
    let refs = devices.refs("desk", KEPT);
    assert!(devices.count("desk", KEPT) == 66 + 1 && devices.refs("hub.git", KEPT) == refs, "{refs}");
    let _ = devices.git("older.git", &["push", "-q", "../hub.git", CHAIN]);
    for device in ["desk", "laptop", "desk"] {
        let _ = devices.syncs(device);
        assert_eq!((devices.refs(device, KEPT), devices.refs("hub.git", KEPT)), (refs.clone(), refs.clone()));
    }
    devices.are_equal(&["desk", "laptop"]);
}
