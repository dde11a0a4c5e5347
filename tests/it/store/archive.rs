//! Kept drafts in archives: one ref for many, with everything readable by the names that it had.

use novel::domain::ChapterNo;
use novel::store::{Change, CommitId, Kind, Message, Packer, Packing, Scope, Session, put_ref_aside};
use std::collections::BTreeMap;

use super::bench::*;
use crate::common;

const KEPT: &str = "refs/novel/kept/";

/// Writes drafts of the chapters, each a second later than the one before, and puts them aside.
pub fn keep_drafts(session: &Session<'_>, chapters: impl IntoIterator<Item = u32>) {
    for n in chapters {
        let mut draft = session.draft(ChapterNo::new(n).unwrap(), Scope::default()).unwrap();
        for (at, text) in ["初稿", "精修"].into_iter().enumerate() {
            let change = Change::default().put(&format!("chapters/vol-01/chapter-{n:03}.md"), format!("{text} {n}\n"));
            let time = moment(i64::from(2 * n) + at as i64);
            draft.commit_result(&change, &Message::new(Kind::Stage, text), &author(), time).unwrap();
        }
        draft.close().unwrap().unwrap();
    }
}

fn with_drafts(chapters: impl IntoIterator<Item = u32>) -> Home {
    let home = Home::with_book();
    keep_drafts(&begin(&home.book()), chapters);
    home
}

fn kept(home: &Home) -> BTreeMap<String, CommitId> {
    home.book().kept_refs().unwrap().into_iter().collect()
}

/// The names of the refs below `refs/novel/kept/`.
fn refs(home: &Home) -> Vec<String> {
    let listed = home.git(&["for-each-ref", "--format=%(refname)", KEPT]);
    listed.lines().map(str::to_owned).collect()
}

fn gather(home: &Home) -> usize {
    begin(&home.book()).gather_drafts().unwrap()
}

/// A copy of the book beside it.
fn copy(home: &Home, name: &str) -> Home {
    let root = home.root.with_file_name(name);
    common::copied(&home.root, &root);
    Home::at(&root)
}

/// The drafts of each archive of the book, from the newest archive to the first.
fn chain(home: &Home) -> Vec<usize> {
    let mut ids: Vec<String> =
        refs(home).into_iter().filter(|name| name.starts_with("refs/novel/kept/archive/")).collect();
    let mut counts = Vec::new();
    while let Some(id) = ids.pop() {
        let trailers = home.git(&["log", "-1", "--format=%(trailers:key=Novel-Holds,valueonly)", &id]);
        let parents = home.git(&["log", "-1", "--format=%P", &id]);
        let held = trailers.split_whitespace().skip(1).step_by(2).collect::<Vec<_>>();
        counts.push(held.len());
        ids.extend(parents.split_whitespace().filter(|parent| !held.contains(parent)).map(str::to_owned));
    }
    counts
}

#[test]
fn gathered_drafts_have_one_ref_and_their_names() {
    let home = with_drafts(1..=15);
    assert_eq!((gather(&home), refs(&home).len()), (0, 15), "they are few");
    keep_drafts(&begin(&home.book()), 16..=20);
    let before = kept(&home);
    assert_eq!((gather(&home), refs(&home).len()), (20, 1));
    assert_eq!((kept(&home), chain(&home)), (before.clone(), vec![20]));
    assert_eq!(gather(&home), 0, "once");
    // No draft is out of git's reach.
    home.git(&["gc", "-q", "--prune=now"]);
    home.assert_clean();
    let book = home.book();
    for (name, tip) in &before {
        assert_eq!(book.kept_named(name).unwrap(), Some(*tip));
        let resolved = |revision: &str| book.resolve(revision).unwrap();
        assert_eq!(resolved(&format!("{KEPT}{name}")), Some(*tip));
        assert_eq!(resolved(&format!("novel/kept/{name}")), Some(*tip));
        let earlier = home.git(&["rev-parse", &format!("{tip}~1")]);
        assert_eq!(resolved(&format!("{KEPT}{name}~1")), earlier.trim().parse().ok());
        assert_eq!(book.snapshot_of(*tip).unwrap().files("chapters").unwrap().len(), 1);
    }
    for nothing in
        ["refs/novel/kept/ch-001/0000000000", "refs/novel/kept/ch-001", "refs/novel/kept/", "novel/kept/..~1"]
    {
        assert_eq!(book.resolve(nothing).unwrap(), None, "{nothing}");
    }
    assert_eq!(book.kept_named("ch-001/../x").unwrap(), None);
    let (name, tip) = before.first_key_value().unwrap();
    assert!(book.is_kept(ChapterNo::FIRST.into(), *tip).unwrap(), "{name}");
}

/// The draft behind an archive that is closed again, as a sync does, has one name, and its ref goes with the next packing.
#[test]
fn a_draft_that_is_kept_twice_is_there_once() {
    let home = with_drafts(1..=16);
    let before = kept(&home);
    let _ = gather(&home);
    let book = home.book();
    let session = begin(&book);
    let name = session.keep_draft(ChapterNo::FIRST.into(), *before.values().next().unwrap()).unwrap();
    assert!(home.git(&["for-each-ref", &name]).contains("commit"));
    assert_eq!(kept(&home), before);
    assert_eq!((session.drop_gathered().unwrap(), refs(&home).len()), (1, 1));
    assert_eq!(kept(&home), before);
}

#[test]
fn other_kept_things_keep_their_refs() {
    let home = with_drafts(1..=16);
    let session_book = home.book();
    let session = begin(&session_book);
    for name in ["sync/0123456789", "lines/if/0123456789", "salvaged/0123456789", "archive/0123456789"] {
        session.keep_line(name, session.tip().unwrap()).unwrap();
    }
    assert_eq!(session.gather_drafts().unwrap(), 16);
    // A commit that is no archive, whatever its ref is called, is left alone.
    assert_eq!(refs(&home).len(), 5, "{:?}", refs(&home));
    assert_eq!(kept(&home).len(), 16 + 3);
}

/// Nothing is taken for kept on the word of a message, which may come from anywhere.
#[test]
fn an_archive_has_those_drafts_that_are_its_parents() {
    let home = with_drafts(1..=3);
    let before = refs(&home);
    let named: String = kept(&home).iter().map(|(name, tip)| format!("Novel-Holds: {name} {tip}\n")).collect();
    let message = format!("archive: 3 kept drafts\n\nNovel-Kind: archive\n{named}");
    let id = home.git(&["commit-tree", "HEAD^{tree}", "-m", &message]);
    home.git(&["update-ref", "refs/novel/kept/archive/0123456789", id.trim()]);
    let book = home.book();
    assert_eq!(begin(&book).drop_gathered().unwrap(), 0);
    // A copy of the book elsewhere has a draft that is gone here.
    let (name, tip) = book.kept_refs().unwrap().swap_remove(0);
    let name = format!("{KEPT}{name}");
    home.git(&["update-ref", "-d", &name]);
    assert!(book.gathered_of(&BTreeMap::from([(name.clone(), tip)])).unwrap().is_empty());
    home.git(&["update-ref", &name, &tip.to_string()]);
    home.git(&["update-ref", "-d", "refs/novel/kept/archive/0123456789"]);
    assert_eq!(refs(&home), before);
}

#[test]
fn an_archive_is_filled_before_the_next_one_begins() {
    let home = with_drafts(1..=20);
    let step_by_step = copy(&home, "step by step");
    let _ = gather(&step_by_step);
    for chapters in [21..=40, 41..=70, 71..=90] {
        for home in [&home, &step_by_step] {
            keep_drafts(&begin(&home.book()), chapters.clone());
        }
        let _ = gather(&step_by_step);
    }
    let before = kept(&home);
    assert_eq!(chain(&step_by_step), [26, 64]);
    assert_eq!(gather(&home), 90);
    // The same drafts make the same archives, at once or in steps.
    assert_eq!(refs(&home), refs(&step_by_step));
    assert_eq!((kept(&home), kept(&step_by_step)), (before.clone(), before));
    home.assert_clean();
}

#[test]
fn two_copies_make_the_same_archive_of_the_same_drafts() {
    let home = with_drafts(1..=30);
    let other = copy(&home, "other");
    other.git(&["config", "user.name", "别人"]);
    other.git(&["pack-refs", "--all"]);
    assert_eq!((gather(&home), gather(&other)), (30, 30));
    let listed = |home: &Home| home.git(&["for-each-ref", KEPT]);
    assert_eq!(listed(&home), listed(&other));
    assert!(!other.read(".git/packed-refs").unwrap().contains("kept/ch-"));
}

#[test]
fn archives_of_two_copies_become_one() {
    let home = with_drafts(1..=70);
    let other = copy(&home, "other");
    keep_drafts(&begin(&home.book()), 71..=73);
    keep_drafts(&begin(&other.book()), 80..=84);
    let all: BTreeMap<String, CommitId> = kept(&home).into_iter().chain(kept(&other)).collect();
    assert_eq!((gather(&home), gather(&other)), (73, 75));
    home.git(&["fetch", "-q", other.root.to_str().unwrap(), "refs/novel/kept/*:refs/novel/kept/*"]);
    assert_eq!((refs(&home).len(), kept(&home)), (2, all.clone()));
    // Neither has all of the other's.
    assert_eq!(begin(&home.book()).drop_gathered().unwrap(), 0);
    assert_eq!((gather(&home), refs(&home).len()), (2, 1));
    assert_eq!((chain(&home), kept(&home)), (vec![14, 64], all));
    // The other copy's is out of date now.
    home.git(&["fetch", "-q", other.root.to_str().unwrap(), "refs/novel/kept/*:refs/novel/kept/*"]);
    assert_eq!(begin(&home.book()).drop_gathered().unwrap(), 1);
    home.assert_clean();
}

#[test]
fn packing_gathers() {
    let home = with_drafts(1..=16);
    let book = home.book();
    let packer = Packer { git: "/nonexistent/git".into(), turn: None };
    assert_eq!(begin(&book).pack_if_due(&packer), Packing::NotNeeded);
    assert_eq!((refs(&home).len(), book.is_gathering_due()), (16, false));
    for n in 0..21 {
        home.write(&format!(".git/objects/17/{n:038x}"), "");
    }
    assert_eq!(begin(&book).pack_if_due(&packer), Packing::NoGit);
    assert_eq!(refs(&home).len(), 1);
    std::fs::remove_dir_all(home.path(".git/objects/17")).unwrap();
    // A run whose objects come into few packs.
    keep_drafts(&begin(&book), 17..=47);
    assert_eq!(begin(&book).pack_if_due(&packer), Packing::NotNeeded);
    assert_eq!(refs(&home).len(), 1, "31 chapters and the archive");
    keep_drafts(&begin(&book), 48..=60);
    assert_eq!(begin(&book).pack_if_due(&packer), Packing::NotNeeded);
    assert_eq!((refs(&home).len(), book.is_gathering_due()), (14, false));
}

#[test]
fn without_a_session_drafts_are_gathered_unless_another_process_writes() {
    let home = with_drafts(1..=16);
    let book = home.book();
    let session = begin(&book);
    assert_eq!(home.book().gather_drafts(&holder(), wait()).unwrap(), 0);
    drop(session);
    assert_eq!(home.book().gather_drafts(&holder(), wait()).unwrap(), 16);
    assert_eq!(home.book().gather_drafts(&holder(), wait()).unwrap(), 0);
}

/// A draft that an undo opens again is found in the archive.
#[test]
fn an_archived_draft_is_opened_again() {
    let home = with_drafts(1..=16);
    let book = home.book();
    let session = begin(&book);
    let (name, tip) = kept(&home).into_iter().next().unwrap();
    let _ = session.gather_drafts().unwrap();
    assert!(name.starts_with("ch-001/"));
    let opened = session.reopen_kept(ChapterNo::FIRST.into(), tip).unwrap().unwrap();
    assert_eq!(book.draft_tip(ChapterNo::FIRST).unwrap(), Some(opened.tip));
}

/// Takes the object out of the repository.
fn lose(home: &Home, id: &str) {
    common::loosen(&home.root);
    let (folder, name) = id.split_at(2);
    std::fs::remove_file(home.path(".git/objects").join(folder).join(name)).unwrap();
}

/// While an archive is missing, `doctor` decides; nothing is gathered or dropped.
#[test]
fn nothing_is_gathered_while_an_archive_is_missing() {
    let home = with_drafts(1..=80);
    let _ = gather(&home);
    let name = refs(&home).pop().unwrap();
    let first = home.git(&["rev-parse", &format!("{name}^1")]);
    lose(&home, first.trim());
    keep_drafts(&begin(&home.book()), 81..=96);
    let before = refs(&home);
    let book = home.book();
    let session = begin(&book);
    assert_eq!((session.gather_drafts().unwrap(), session.drop_gathered().unwrap()), (0, 0));
    assert_eq!(refs(&home), before);
}

fn aside(home: &Home) -> String {
    home.read(".git/novel/aside/refs").unwrap_or_default()
}

fn set_aside(home: &Home, name: &str) {
    put_ref_aside(&home.root, name, &holder(), &wait()).unwrap();
}

#[test]
fn a_lost_draft_leaves_its_archive_and_the_others_stay() {
    let home = with_drafts(1..=70);
    let before = kept(&home);
    let _ = gather(&home);
    // Of the first archive, which the second takes over.
    let (name, tip) = before.iter().nth(9).unwrap();
    lose(&home, &tip.to_string());
    set_aside(&home, &format!("{KEPT}{name}"));
    assert_eq!(aside(&home), format!("{tip} {KEPT}{name}\n"));
    let mut whole = before.clone();
    whole.remove(name);
    assert_eq!((kept(&home), refs(&home).len()), (whole.clone(), 69));
    home.assert_sound();
    assert_eq!((gather(&home), chain(&home)), (69, vec![5, 64]));
    assert_eq!(kept(&home), whole);
}

#[test]
fn drafts_of_a_lost_archive_are_found_by_the_one_before_it() {
    let home = with_drafts(1..=40);
    let _ = gather(&home);
    let first = kept(&home);
    keep_drafts(&begin(&home.book()), 41..=90);
    let _ = gather(&home);
    let archive = home.git(&["for-each-ref", "--format=%(refname) %(objectname)", KEPT]);
    let (name, id) = archive.trim().split_once(' ').unwrap();
    lose(&home, id);
    assert_eq!(kept(&home), BTreeMap::new());
    set_aside(&home, name);
    assert_eq!(aside(&home), format!("{id} {name}\n"));
    // The first 64 are in an archive that was full; the others were in the lost one alone.
    assert!(kept(&home).len() == 64 && first.iter().all(|(name, tip)| kept(&home).get(name) == Some(tip)));
    home.assert_sound();
}

/// An archive before the newest one is gone, so that the newest one cannot stay; the book names the drafts of its chapters.
#[test]
fn accepted_drafts_of_a_lost_archive_are_found_by_their_chapters() {
    let home = Home::with_book();
    {
        let book = home.book();
        let session = begin(&book);
        for n in 1..=2 {
            let mut draft = session.draft(ChapterNo::new(n).unwrap(), Scope::default()).unwrap();
            draft.commit_result(&chapter_change(n), &Message::new(Kind::Stage, "初稿"), &author(), moment(1)).unwrap();
            let message = chapter_message(n).trailer(novel::store::key::DRAFT, draft.tip());
            session.commit(&proposal(&session, draft.change().unwrap(), message)).unwrap();
            draft.close().unwrap().unwrap();
        }
        keep_drafts(&session, 3..=80);
    }
    let before = kept(&home);
    let _ = gather(&home);
    let name = refs(&home).pop().unwrap();
    let first = home.git(&["rev-parse", &format!("{name}^1")]);
    lose(&home, first.trim());
    set_aside(&home, &name);
    let found = kept(&home);
    assert!(found.iter().all(|(name, tip)| before.get(name) == Some(tip)));
    // Two by their chapters, and those of the newest archive.
    assert_eq!(found.len(), 2 + 80 - 64);
    assert!(aside(&home).contains(&format!("{} {name}\n", first.trim())));
    home.assert_sound();
}
