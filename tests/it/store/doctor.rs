use novel::report::subject::wording;
use std::path::PathBuf;

use super::bench::*;
use novel::store::{self, ObjectFault, RepairError, RepoFinding, examine, repair};

fn findings(home: &Home) -> Vec<RepoFinding> {
    examine(&home.root, moment(1_000_000_000)).unwrap()
}

/// Repairs everything that is found until nothing is.
#[track_caller]
fn repair_all(home: &Home) {
    for _ in 0..5 {
        let found = findings(home);
        if found.is_empty() {
            return home.assert_clean();
        }
        for finding in found {
            repair(&home.root, &finding, &holder(), wait(), wording).unwrap();
        }
    }
    panic!("{:?}", findings(home));
}

fn with_chapters(n: u32) -> Home {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    for n in 1..=n {
        accept(&session, n);
    }
    home
}

fn object(home: &Home, revision: &str) -> PathBuf {
    crate::common::loosen(&home.root);
    let id = home.git(&["rev-parse", revision]);
    let path = home.path(&format!(".git/objects/{}/{}", &id[..2], id[2..].trim()));
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    #[allow(clippy::permissions_set_readonly_false, reason = "a file of a test")]
    permissions.set_readonly(false);
    std::fs::set_permissions(&path, permissions).unwrap();
    path
}

#[test]
fn a_healthy_book_has_no_findings() {
    assert_eq!(findings(&with_chapters(2)), []);
}

#[test]
fn damaged_objects_are_found_without_hanging_and_made_again() {
    for (revision, keep) in [
        ("HEAD:brief.md", 0),
        ("HEAD:chapters/vol-01/chapter-002.md", 12),
        ("HEAD:chapters/vol-01", 20),
        ("HEAD^{tree}", 40),
    ] {
        let home = with_chapters(2);
        let path = object(&home, revision);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..keep]).unwrap();
        assert!(matches!(&findings(&home)[..], [RepoFinding::BrokenObject { path: found, .. }] if *found == path));
        repair_all(&home);
        assert_eq!(std::fs::read_dir(home.path(".git/novel/aside")).unwrap().count(), 1);
    }
}

/// The newest pack, which git has made read-only where it is git's.
fn newest_pack(home: &Home) -> PathBuf {
    let packs = std::fs::read_dir(home.path(".git/objects/pack")).unwrap().map(|entry| entry.unwrap().path());
    let packs = packs.filter(|path| path.extension().is_some_and(|ending| ending == "pack"));
    packs.max_by_key(|path| std::fs::metadata(path).unwrap().modified().unwrap()).unwrap()
}

#[test]
fn of_a_damaged_pack_everything_whole_is_kept() {
    for place in [0, 1, 2, 3, 4, 5, 6, 7] {
        let home = with_chapters(3);
        let path = newest_pack(&home);
        let mut bytes = std::fs::read(&path).unwrap();
        let at = 12 + place * (bytes.len() - 32) / 8;
        bytes[at] ^= 0x55;
        std::fs::write(&path, bytes).unwrap();
        assert!(matches!(&findings(&home)[..], [RepoFinding::BrokenPack { why: ObjectFault::Garbled, .. }]));
        repair(&home.root, &findings(&home)[0], &holder(), wait(), wording).unwrap();
        assert_eq!(std::fs::read_dir(home.path(".git/novel/aside")).unwrap().count(), 2);
        // One object was hit. Content of the folder is back; an older text, and a commit, were only in the damaged
        // pack.
        for finding in findings(&home) {
            match finding {
                RepoFinding::MissingObject { .. } => {
                    assert!(matches!(
                        repair(&home.root, &finding, &holder(), wait(), wording),
                        Err(RepairError::NotHere(_))
                    ));
                }
                lost => repair(&home.root, &lost, &holder(), wait(), wording).unwrap(),
            }
        }
        assert!(home.read("chapters/vol-01/chapter-003.md").is_some());
    }
}

#[test]
fn a_pack_with_a_damaged_index_gets_a_new_one() {
    let home = with_chapters(2);
    std::fs::write(newest_pack(&home).with_extension("idx"), "").unwrap();
    assert!(matches!(&findings(&home)[..], [RepoFinding::BrokenPack { why: ObjectFault::Empty, .. }]));
    repair_all(&home);
    home.git(&["fsck", "--strict"]);
}

#[test]
fn a_pack_of_git_s_own_is_mended_with_its_differences() {
    let packed = || {
        let home = with_chapters(12);
        home.git(&["gc", "-q"]);
        let objects = home.git(&["cat-file", "--batch-all-objects", "--batch-check"]);
        (home, objects)
    };
    let writable = |path: &std::path::Path| {
        let bytes = std::fs::read(path).unwrap();
        std::fs::remove_file(path).unwrap();
        bytes
    };
    let (home, before) = packed();
    let index = newest_pack(&home).with_extension("idx");
    let mut bytes = writable(&index);
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&index, bytes).unwrap();
    repair_all(&home);
    assert_eq!(home.git(&["cat-file", "--batch-all-objects", "--batch-check"]), before);
    home.git(&["fsck", "--strict"]);

    let (home, before) = packed();
    let path = newest_pack(&home);
    let mut bytes = writable(&path);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    std::fs::write(&path, bytes).unwrap();
    assert!(matches!(&findings(&home)[..], [RepoFinding::BrokenPack { .. }]));
    repair(&home.root, &findings(&home)[0], &holder(), wait(), wording).unwrap();
    let after = home.git(&["cat-file", "--batch-all-objects", "--batch-check"]);
    // One entry was hit, and what is written as its difference, in each of twelve chapters; nothing is there that was not there
    // before.
    let all: std::collections::BTreeSet<&str> = before.lines().collect();
    assert!(after.lines().all(|line| all.contains(line)));
    assert!(after.lines().count() + 12 > all.len(), "{} of {}", after.lines().count(), all.len());
    assert_eq!(std::fs::read_dir(home.path(".git/objects/pack")).unwrap().count(), 2);
}

#[test]
fn a_flipped_bit_in_the_index_is_found() {
    let home = with_chapters(2);
    let mut bytes = std::fs::read(home.path(".git/index")).unwrap();
    bytes[60] ^= 1;
    std::fs::write(home.path(".git/index"), bytes).unwrap();
    assert!(matches!(&findings(&home)[..], [RepoFinding::BadIndex]));
    repair_all(&home);
}

#[test]
fn an_index_without_its_pack_disturbs_nobody() {
    let home = with_chapters(1);
    home.write(".git/objects/pack/pack-0000000000000000000000000000000000000000.idx", "junk");
    assert_eq!(findings(&home), []);
}

#[test]
fn what_is_nowhere_else_is_said_to_be() {
    let home = with_chapters(2);
    let path = object(&home, "HEAD~1:state/current-state.json");
    std::fs::remove_file(&path).unwrap();
    let found = findings(&home);
    assert!(
        matches!(&found[..], [RepoFinding::MissingObject { needed_for, .. }] if needed_for.to_string().contains("state/current-state.json"))
    );
    assert!(matches!(repair(&home.root, &found[0], &holder(), wait(), wording), Err(RepairError::NotHere(_))));
}

#[test]
fn a_lost_branch_goes_back_to_its_last_whole_commit() {
    let home = with_chapters(2);
    let before = home.git(&["rev-parse", "HEAD~1"]);
    let path = object(&home, "HEAD");
    std::fs::write(&path, "").unwrap();
    for _ in 0..3 {
        for finding in findings(&home) {
            let _ = repair(&home.root, &finding, &holder(), wait(), wording);
        }
    }
    assert_eq!(home.git(&["rev-parse", "HEAD"]), before);
    // The log still names the lost commit, and says where the branch was.
    home.git(&["fsck", "--strict", "--no-reflogs", "--no-dangling"]);
    // The files of the chapter that was lost are still in the folder.
    assert!(home.read("chapters/vol-01/chapter-002.md").is_some());
    assert_eq!(store::history::chapters(begin(&home.book()).book()).unwrap().len(), 1);
}

#[test]
fn locks_tags_settings_and_the_index_are_put_right() {
    let home = with_chapters(2);
    home.write(".git/packed-refs.lock", "");
    let lock = std::fs::File::options().write(true).open(home.path(".git/packed-refs.lock")).unwrap();
    lock.set_modified(std::time::UNIX_EPOCH).unwrap();
    drop(lock);
    home.git(&["tag", "-f", "ch-001", "HEAD"]);
    home.git(&["tag", "ch-009"]);
    home.git(&["tag", "ch-mine"]);
    home.git(&["config", "core.fsync", "none"]);
    home.write(".git/info/exclude", "*.bak\n");
    home.write(".git/index", "DIRC garbage");
    let found = findings(&home);
    assert_eq!(found.len(), 6, "{found:?}");
    assert!(matches!(&found[0], RepoFinding::StrayLock { age: Some(age), .. } if *age > 1000));
    repair_all(&home);
    assert_eq!(home.git(&["tag"]), "ch-001\nch-002\nch-mine\n");
    assert!(home.read(".git/info/exclude").unwrap().starts_with("*.bak\n"));
}
