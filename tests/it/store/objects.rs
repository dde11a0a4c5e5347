//! How objects reach the disk: a transaction is one pack.

use novel::domain::ChapterNo;
use novel::store::{self, Change, DraftFiles, Kind, Message, Packer, Packing, Session};
use std::path::Path;

use super::bench::*;

/// The counts of `git count-objects -v`: loose objects, packs, and garbage.
fn counted(home: &Home) -> (usize, usize, usize) {
    let said = home.git(&["count-objects", "-v"]);
    let figure = |name: &str| {
        let line = said.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
        line.unwrap().parse::<usize>().unwrap()
    };
    (figure("count"), figure("packs"), figure("garbage"))
}

fn stage(session: &Session<'_>, n: u32, text: &str) {
    let draft = store::draft::open_draft(session, ChapterNo::new(n).unwrap(), DraftFiles::default()).unwrap();
    let change = Change::default().put(&format!("chapters/vol-01/chapter-{n:03}.md"), format!("{text}\n"));
    draft.commit_result(&change, &Message::new(Kind::Stage, text), &author(), moment(2)).unwrap();
}

/// Writes chapters 1 to `last`, each in a session of its own, so that each leaves a pack.
fn one_session_each(home: &Home, last: u32) {
    for n in 1..=last {
        let book = home.book();
        accept(&begin(&book), n);
    }
}

#[test]
fn a_transaction_leaves_one_pack_and_nothing_else() {
    let home = Home::with_book();
    let before = counted(&home);
    let book = home.book();
    let session = begin(&book);
    for text in ["初稿", "精修", "修订"] {
        stage(&session, 1, text);
    }
    accept(&session, 1);
    assert_eq!(counted(&home), (before.0, before.1 + 4, 0));
    home.assert_clean();
}

#[test]
fn what_came_to_nothing_leaves_nothing() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    accept(&session, 1);
    let before = counted(&home);
    let mut late =
        proposal(&session, Change::default().put("notes.md", "没有用上\n"), Message::new(Kind::Plan, "late"));
    late.expected = store::history::last_chapter(&book).unwrap().unwrap().1.parent.unwrap();
    assert!(store::transaction::commit(&session, &late).is_err());
    accept(&session, 2);
    assert_eq!((counted(&home).0, counted(&home).2), (before.0, 0));
    let lost = home.git(&["fsck", "--unreachable", "--no-reflogs"]);
    assert_eq!(lost.lines().filter(|line| line.contains("blob")).count(), 0, "{lost}");
}

#[test]
fn git_may_pack_between_two_results() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    stage(&session, 1, "初稿");
    home.git(&["gc", "-q", "--prune=now"]);
    stage(&session, 1, "精修");
    home.git(&["repack", "-q", "-a", "-d"]);
    accept(&session, 1);
    assert_eq!(counted(&home).2, 0);
    home.assert_clean();
    home.git(&["fsck", "--strict"]);
}

#[test]
fn many_small_packs_become_one_without_git() {
    let home = Home::with_book();
    // One that another program marked.
    home.git(&["repack", "-q", "-a", "-d"]);
    let folder = home.path(".git/objects/pack");
    let kept =
        std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).find(|p| p.extension().unwrap() == "pack");
    let kept = kept.unwrap();
    std::fs::write(kept.with_extension("keep"), "").unwrap();
    one_session_each(&home, 80);
    assert_eq!(counted(&home).1, 81);
    let book = home.book();
    let session = begin(&book);
    stage(&session, 81, "初稿");
    assert_eq!(counted(&home).1, 3);
    assert!(kept.exists());
    accept(&session, 81);
    assert_eq!(store::history::chapters(&book).unwrap().len(), 81);
    home.assert_clean();
    home.git(&["fsck", "--strict"]);
}

fn packer(git: &str) -> Packer {
    Packer { git: git.into(), turn: None }
}

#[test]
fn packing_starts_when_objects_pile_up_and_says_when_it_cannot() {
    let home = Home::with_book();
    let book = home.book();
    assert_eq!(store::repack::pack_if_due(&book, &packer("git")), Packing::NotNeeded);
    for n in 0..21 {
        home.write(&format!(".git/objects/17/{n:038x}"), "");
    }
    assert!(store::repack::loose_objects(&book) > 5000);
    assert_eq!(store::repack::pack_if_due(&book, &packer("/nonexistent/git")), Packing::NoGit);
    // Another process is packing.
    std::fs::create_dir(home.path(".git/novel/packing")).unwrap();
    assert_eq!(store::repack::pack_if_due(&book, &packer("/nonexistent/git")), Packing::NotNeeded);
    // Git is not started for real: these files are no real objects.
    std::fs::remove_dir_all(home.path(".git/objects/17")).unwrap();
}

#[test]
fn git_packs_what_chapters_left_and_loses_nothing() {
    let home = Home::with_book();
    one_session_each(&home, 60);
    let book = home.book();
    std::fs::create_dir(home.path(".git/novel/packing")).unwrap();
    assert!(store::repack::packs(&book) > 60);
    assert!(store::repack::packing(&book, Path::new("git")).status().unwrap().success());
    assert!(store::repack::packs(&book) <= 2);
    assert!(!home.path(".git/novel/packing").exists());
    assert!(home.read(".git/packed-refs").unwrap().contains("refs/tags/ch-060"));
    accept(&begin(&book), 61);
    assert_eq!(store::history::chapters(&book).unwrap().len(), 61);
    home.assert_clean();
    home.git(&["fsck", "--strict"]);
}

#[test]
fn packs_that_git_has_indexed_together_are_left_together() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    stage(&session, 1, "初稿");
    home.git(&["multi-pack-index", "write"]);
    for text in ["精修", "修订"] {
        stage(&session, 1, text);
    }
    accept(&session, 1);
    drop(session);
    home.git(&["multi-pack-index", "verify"]);
    home.git(&["fsck", "--strict"]);
    assert_eq!(store::history::chapters(begin(&home.book()).book()).unwrap().len(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_repository_on_another_disk_is_written_to() {
    let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") else { return };
    let home = Home::with_book();
    let git_dir = elsewhere.path().join("repository");
    assert!(
        std::process::Command::new("cp").arg("-a").arg(home.path(".git")).arg(&git_dir).status().unwrap().success()
    );
    std::fs::remove_dir_all(home.path(".git")).unwrap();
    home.write(".git", &format!("gitdir: {}\n", git_dir.display()));
    let book = home.book();
    let session = begin(&book);
    let draft =
        store::draft::open_draft(&session, ChapterNo::new(1).unwrap(), DraftFiles::new(["a.md".to_owned()])).unwrap();
    draft
        .commit_result(
            &Change::default().put("a.md", "初稿\n"),
            &Message::new(Kind::Stage, "draft"),
            &author(),
            moment(2),
        )
        .unwrap();
    draft.show().unwrap();
    assert_eq!(home.read("staging/a.md").unwrap(), "初稿\n");
    draft.close().unwrap();
    accept(&session, 1);
    home.assert_clean();
    home.git(&["fsck", "--strict"]);
}
