//! Kept drafts in the archive: one ref for many, with everything readable by the names that it had.

use novel::domain::ChapterNo;
use novel::store::{self, Change, CommitId, DraftFiles, Kind, Message, Packer, Packing, Session, put_ref_aside};
use std::collections::BTreeMap;

use super::bench::*;
use crate::common;

const KEPT: &str = "refs/novel/kept/";
const CHAIN: &str = "refs/novel/kept/archive/chain";

/// Writes drafts of the chapters, each a second later than the one before, and puts them aside.
pub fn keep_drafts(session: &Session<'_>, chapters: impl IntoIterator<Item = u32>) {
    for n in chapters {
        let draft = store::draft::open_draft(session, ChapterNo::new(n).unwrap(), DraftFiles::default()).unwrap();
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
    store::kept::kept_refs(&home.book()).unwrap().into_iter().collect()
}

/// The names of the refs below `refs/novel/kept/`.
fn refs(home: &Home) -> Vec<String> {
    let listed = home.git(&["for-each-ref", "--format=%(refname)", KEPT]);
    listed.lines().map(str::to_owned).collect()
}

fn gather(home: &Home) -> usize {
    store::gathering::gather_drafts(&begin(&home.book())).unwrap()
}

/// A copy of the book beside it.
fn copy(home: &Home, name: &str) -> Home {
    let root = home.root.with_file_name(name);
    common::copied(&home.root, &root);
    Home::at(&root)
}

/// How many drafts each commit of the archive has, from the newest to the first.
fn chain(home: &Home) -> Vec<usize> {
    let mut ids = vec![CHAIN.to_owned()];
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
    let home = with_drafts(1..=63);
    assert_eq!((gather(&home), refs(&home).len()), (0, 63), "they are few");
    keep_drafts(&begin(&home.book()), 64..=70);
    let before = kept(&home);
    assert_eq!((gather(&home), refs(&home)), (70, vec![CHAIN.to_owned()]));
    assert_eq!((kept(&home), chain(&home)), (before.clone(), vec![6, 64]));
    assert_eq!(gather(&home), 0, "once");
    // No draft is out of git's reach.
    home.git(&["gc", "-q", "--prune=now"]);
    home.assert_clean();
    let book = home.book();
    for (name, tip) in &before {
        assert_eq!(store::kept::kept_named(&book, name).unwrap(), Some(*tip));
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
    assert_eq!(store::kept::kept_named(&book, "ch-001/../x").unwrap(), None);
    let (name, tip) = before.first_key_value().unwrap();
    assert!(store::kept::is_kept(&book, ChapterNo::FIRST.into(), *tip).unwrap(), "{name}");
}

/// A draft of the archive that is closed again, as a sync does, has one name, and its ref goes with the next gathering.
#[test]
fn a_draft_that_is_kept_twice_is_there_once() {
    let home = with_drafts(1..=64);
    let before = kept(&home);
    let _ = gather(&home);
    let book = home.book();
    let session = begin(&book);
    let name = session.keep_draft(ChapterNo::FIRST.into(), *before.values().next().unwrap()).unwrap();
    assert!(home.git(&["for-each-ref", &name]).contains("commit"));
    assert_eq!(kept(&home), before);
    keep_drafts(&session, 65..=128);
    let before = kept(&home);
    assert_eq!((store::gathering::gather_drafts(&session).unwrap(), refs(&home).len()), (65, 1));
    assert_eq!((kept(&home), chain(&home)), (before, vec![64, 64]));
}

#[test]
fn other_kept_things_keep_their_refs() {
    let home = with_drafts(1..=64);
    let session_book = home.book();
    let session = begin(&session_book);
    for name in ["sync/0123456789", "lines/if/0123456789", "salvaged/0123456789", "archive/0123456789"] {
        store::kept::keep_line(&session, name, session.tip().unwrap()).unwrap();
    }
    assert_eq!(store::gathering::gather_drafts(&session).unwrap(), 64);
    // A commit that is no archive, whatever its ref is called, is left alone.
    assert_eq!(refs(&home).len(), 5, "{:?}", refs(&home));
    assert_eq!(kept(&home).len(), 64 + 3);
}

/// Makes a commit of the archive as every version of the program does, and returns its id.
fn archive_commit(home: &Home, earlier: &[&str], drafts: &[(String, CommitId)]) -> String {
    let held: String = drafts.iter().map(|(name, tip)| format!("Novel-Holds: {name} {tip}\n")).collect();
    let message = format!("archive: {} kept drafts\n\nNovel-Kind: archive\n{held}", drafts.len());
    let tree = home.git(&["hash-object", "-t", "tree", "-w", "/dev/null"]);
    let tips: Vec<String> = drafts.iter().map(|(_, tip)| tip.to_string()).collect();
    let mut args = vec!["commit-tree", tree.trim(), "-m", &message];
    for parent in earlier.iter().copied().chain(tips.iter().map(String::as_str)) {
        args.extend(["-p", parent]);
    }
    home.git(&args).trim().to_owned()
}

/// Gives the drafts the form that earlier versions gave them: a ref named after the last of a few commits.
fn archive_as_before(home: &Home, parts: &[&[(String, CommitId)]]) -> String {
    let mut last: Option<String> = None;
    for part in parts {
        last = Some(archive_commit(home, &last.iter().map(String::as_str).collect::<Vec<_>>(), part));
        part.iter().for_each(|(name, _)| drop(home.git(&["update-ref", "-d", &format!("{KEPT}{name}")])));
    }
    let last = last.unwrap();
    home.git(&["update-ref", &format!("{KEPT}archive/{}", &last[..10]), &last]);
    last
}

#[test]
fn archives_of_earlier_versions_become_one_chain() {
    let home = with_drafts(1..=80);
    let before = kept(&home);
    let drafts: Vec<(String, CommitId)> = before.clone().into_iter().collect();
    let one = archive_as_before(&home, &[&drafts[..64], &drafts[64..70]]);
    assert_eq!((refs(&home).len(), kept(&home)), (11, before.clone()));
    // Of one archive the ref alone changes, and the few drafts beside it stay.
    assert_eq!((gather(&home), chain(&home), kept(&home)), (1, vec![6, 64], before.clone()));
    assert_eq!((home.git(&["rev-parse", CHAIN]).trim(), refs(&home).len()), (one.as_str(), 11));
    // Another device of an earlier version has sent one with some of the same drafts.
    let other = archive_as_before(&home, &[&drafts[60..75]]);
    assert_eq!((gather(&home), kept(&home)), (1, before.clone()), "{other}");
    let counts = chain(&home);
    assert_eq!((counts[0], counts.iter().sum::<usize>()), (0, 15 + 6 + 64), "{counts:?}");
    assert_eq!((refs(&home).len(), gather(&home)), (6, 0));
    home.git(&["gc", "-q", "--prune=now"]);
    home.assert_clean();
    // The earlier one comes again, which the chain leads to.
    home.git(&["update-ref", &format!("{KEPT}archive/{}", &one[..10]), &one]);
    assert_eq!((gather(&home), refs(&home).len(), chain(&home).len()), (1, 6, 4));
    assert_eq!(kept(&home), before);
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
    assert_eq!(gather(&home), 1, "the ref has another name");
    // A copy of the book elsewhere has a draft that is gone here.
    let (name, tip) = store::kept::kept_refs(&home.book()).unwrap().swap_remove(0);
    let name = format!("{KEPT}{name}");
    home.git(&["update-ref", "-d", &name]);
    let theirs = BTreeMap::from([(name.clone(), tip)]);
    assert_eq!(store::gathering::kept_to_fetch(&home.book(), &theirs).unwrap(), [(name.clone(), name.clone())]);
    assert!(store::gathering::kept_to_push(&home.book(), &theirs).unwrap().iter().all(|moved| moved.new.is_some()));
    home.git(&["update-ref", &name, &tip.to_string()]);
    home.git(&["update-ref", "-d", CHAIN]);
    assert_eq!(refs(&home), before);
}

#[test]
fn two_copies_make_the_same_archive_of_the_same_drafts() {
    let home = with_drafts(1..=70);
    let other = copy(&home, "other");
    other.git(&["config", "user.name", "别人"]);
    other.git(&["pack-refs", "--all"]);
    assert_eq!((gather(&home), gather(&other)), (70, 70));
    let listed = |home: &Home| home.git(&["for-each-ref", KEPT]);
    assert_eq!(listed(&home), listed(&other));
    assert!(!other.read(".git/packed-refs").unwrap().contains("kept/ch-"));
}

#[test]
fn chains_of_two_copies_become_one() {
    let home = with_drafts(1..=70);
    let other = copy(&home, "other");
    keep_drafts(&begin(&home.book()), 71..=73);
    keep_drafts(&begin(&other.book()), 80..=84);
    let all: BTreeMap<String, CommitId> = kept(&home).into_iter().chain(kept(&other)).collect();
    assert_eq!((gather(&home), gather(&other)), (73, 75));
    let fetches = |home: &Home, from: &Home| {
        let theirs = format!("{CHAIN}:{KEPT}archive/0123456789");
        home.git(&["fetch", "-q", from.root.to_str().unwrap(), &theirs]);
    };
    fetches(&home, &other);
    fetches(&other, &home);
    assert_eq!((refs(&home).len(), kept(&home)), (2, all.clone()));
    assert_eq!((gather(&home), gather(&other)), (1, 1));
    assert_eq!(home.git(&["for-each-ref", KEPT]), other.git(&["for-each-ref", KEPT]));
    assert_eq!((chain(&home).len(), kept(&home)), (5, all));
    home.assert_clean();
}

#[test]
fn packing_gathers() {
    let home = with_drafts(1..=63);
    let book = home.book();
    let packer = Packer { git: "/nonexistent/git".into(), turn: None };
    assert_eq!((store::gathering::pack_if_due(&begin(&book), &packer), refs(&home).len()), (Packing::NotNeeded, 63));
    keep_drafts(&begin(&book), 64..=64);
    assert_eq!((store::gathering::pack_if_due(&begin(&book), &packer), refs(&home).len()), (Packing::NotNeeded, 1));
}

#[test]
fn without_a_session_drafts_are_gathered_unless_another_process_writes() {
    let home = with_drafts(1..=64);
    let book = home.book();
    let session = begin(&book);
    assert_eq!(store::pending_command::gather_drafts(&home.book(), &holder(), wait()).unwrap(), 0);
    drop(session);
    assert_eq!(store::pending_command::gather_drafts(&home.book(), &holder(), wait()).unwrap(), 64);
    assert_eq!(store::pending_command::gather_drafts(&home.book(), &holder(), wait()).unwrap(), 0);
}

/// A draft that an undo opens again is found in the archive.
#[test]
fn an_archived_draft_is_opened_again() {
    let home = with_drafts(1..=64);
    let book = home.book();
    let session = begin(&book);
    let (name, tip) = kept(&home).into_iter().next().unwrap();
    let _ = store::gathering::gather_drafts(&session).unwrap();
    assert!(name.starts_with("ch-001/"));
    let opened = store::rebase::reopen_kept(&session, ChapterNo::FIRST.into(), ChapterNo::FIRST.into(), tip).unwrap();
    assert!(opened.is_some() && store::draft::draft_tip(&book, ChapterNo::FIRST).unwrap().is_some());
}

/// Takes the object out of the repository.
fn lose(home: &Home, id: &str) {
    common::loosen(&home.root);
    let (folder, name) = id.trim().split_at(2);
    std::fs::remove_file(home.path(".git/objects").join(folder).join(name)).unwrap();
}

fn aside(home: &Home) -> String {
    home.read(".git/novel/aside/refs").unwrap_or_default()
}

fn set_aside(home: &Home, name: &str) {
    put_ref_aside(&home.root, name, &holder(), &wait()).unwrap();
}

#[test]
fn a_lost_draft_leaves_the_archive_and_the_others_stay() {
    let home = with_drafts(1..=70);
    let before = kept(&home);
    let _ = gather(&home);
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

/// While a commit of the archive is missing, drafts are gathered on top, and the drafts before it are found by their
/// own commits.
#[test]
fn drafts_around_a_lost_commit_of_the_archive_are_found() {
    let home = with_drafts(1..=200);
    let before = kept(&home);
    let _ = gather(&home);
    let second = home.git(&["rev-parse", &format!("{CHAIN}^1")]);
    assert_eq!(chain(&home), [8, 64, 64, 64]);
    lose(&home, &second);
    keep_drafts(&begin(&home.book()), 201..=264);
    let now = kept(&home);
    assert_eq!((gather(&home), kept(&home)), (64, now));
    set_aside(&home, CHAIN);
    let found = kept(&home);
    // The first two commits, the one on top of the lost one, and the new drafts.
    assert_eq!(found.len(), 64 + 64 + 8 + 64);
    assert_eq!(found.iter().filter(|(name, tip)| before.get(*name) == Some(tip)).count(), 200 - 64);
    let short = format!("{:.10}", second.trim());
    assert!(aside(&home).contains(&format!("{} {KEPT}archive/{short}\n", second.trim())), "{}", aside(&home));
    home.assert_sound();
    assert_eq!((gather(&home), kept(&home)), (200, found));
}

/// The last commit of the archive is gone; the book names the drafts of its chapters.
#[test]
fn accepted_drafts_of_a_lost_archive_are_found_by_their_chapters() {
    let home = Home::with_book();
    {
        let book = home.book();
        let session = begin(&book);
        for n in 1..=2 {
            let draft = store::draft::open_draft(&session, ChapterNo::new(n).unwrap(), DraftFiles::default()).unwrap();
            draft.commit_result(&chapter_change(n), &Message::new(Kind::Stage, "初稿"), &author(), moment(1)).unwrap();
            let message = chapter_message(n).trailer(novel::store::key::DRAFT, draft.tip());
            store::transaction::commit(&session, &proposal(&session, draft.change().unwrap(), message)).unwrap();
            draft.close().unwrap().unwrap();
        }
        keep_drafts(&session, 3..=64);
    }
    let before = kept(&home);
    let _ = gather(&home);
    let id = home.git(&["rev-parse", CHAIN]);
    lose(&home, &id);
    assert_eq!(kept(&home), BTreeMap::new());
    set_aside(&home, CHAIN);
    let found = kept(&home);
    assert!(found.len() == 2 && found.iter().all(|(name, tip)| before.get(name) == Some(tip)), "{found:?}");
    assert_eq!(aside(&home), format!("{} {CHAIN}\n", id.trim()));
    home.assert_sound();
}
