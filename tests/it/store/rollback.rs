use super::bench::*;
use crate::common::{commit_of, roll_back};
use novel::domain::ChapterNo;
use novel::store::{self, Book, Change, CommitInfo, EntryFilter, Kind, Log, Message, RollbackError, Session};

fn telling() -> CommitInfo {
    CommitInfo { subject: None, body: String::new(), author: author(), time: moment(9) }
}

fn chapters(book: &Book) -> Vec<u32> {
    store::history::chapters(book).unwrap().into_keys().map(ChapterNo::get).collect()
}

fn content(home: &Home) -> String {
    home.git(&["rev-parse", "HEAD^{tree}"])
}

fn back_to(session: &Session<'_>, n: u32) {
    let inputs = |path: &str| path == "brief.md" || path == "novel.toml";
    let done = roll_back(session, commit_of(session, ChapterNo::new(n).unwrap()), &inputs, &telling()).unwrap();
    assert!(done.committed.lagging.is_none());
}

#[test]
fn a_rollback_goes_forward_keeps_the_inputs_and_the_old_line() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    for n in 1..=5 {
        accept(&session, n);
    }
    store::transaction::commit(
        &session,
        &proposal(&session, Change::default().put("brief.md", "新的想法\n"), Message::new(Kind::Plan, "想法")),
    )
    .unwrap();
    let before = book.tip().unwrap();
    back_to(&session, 2);
    home.assert_clean();
    assert_eq!(chapters(&book), [1, 2]);
    assert_eq!(store::history::last_chapter(&book).unwrap().unwrap().0.get(), 2);
    assert_eq!(home.read("brief.md").unwrap(), "新的想法\n");
    assert_eq!(home.read("state/current-state.json").unwrap(), "{\"version\": 2}\n");
    assert!(!home.path("chapters/vol-01/chapter-003.md").exists());
    assert_eq!(home.git(&["rev-parse", "HEAD~1"]).trim(), before.to_string());
    assert_eq!(home.git(&["tag"]), "ch-001\nch-002\n");

    accept(&session, 3);
    assert_eq!(chapters(&book), [1, 2, 3]);
    assert_ne!(book.chapter_commit(ChapterNo::new(3).unwrap()).unwrap(), None);
    // A second rollback walks back over the first.
    back_to(&session, 1);
    assert_eq!(chapters(&book), [1]);
    // And what was rolled back can be had again.
    roll_back(&session, before, &|_| false, &telling()).unwrap();
    assert_eq!(chapters(&book), [1, 2, 3, 4, 5]);
    assert_eq!(home.git(&["diff", "--stat", &before.to_string(), "HEAD"]), "");
    assert!(matches!(roll_back(&session, before, &|_| false, &telling()), Err(RollbackError::AlreadyThere)));
    home.assert_clean();
    assert_eq!(store::history::retag(&session).unwrap(), 0);
}

#[test]
fn undo_and_redo_walk_back_and_forth_over_everything() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    let mut states = vec![content(&home)];
    for n in 1..=3 {
        accept(&session, n);
        states.push(content(&home));
    }
    back_to(&session, 1);
    states.push(content(&home));
    home.write("brief.md", "by hand\n");
    home.git(&["commit", "-qam", "by hand"]);
    states.push(content(&home));
    let subjects = ["by hand", "rollback: ch-001", "ch-003: 第3章", "ch-002: 第2章", "ch-001: 第1章"];
    for (step, subject) in subjects.iter().enumerate() {
        let done = store::rollback::undo(&session, &telling()).unwrap();
        assert_eq!(done.of.subject, *subject);
        assert_eq!(content(&home), states[4 - step]);
    }
    assert_eq!(home.git(&["tag"]), "");
    assert!(matches!(store::rollback::undo(&session, &telling()), Err(RollbackError::NothingToUndo)));
    for state in &states[1..=3] {
        store::rollback::redo(&session, &telling()).unwrap();
        assert_eq!(content(&home), *state);
    }
    assert_eq!(chapters(&book), [1, 2, 3]);
    store::rollback::undo(&session, &telling()).unwrap();
    assert_eq!(content(&home), states[2]);
    store::rollback::redo(&session, &telling()).unwrap();
    store::rollback::redo(&session, &telling()).unwrap();
    assert_eq!(chapters(&book), [1]);
    store::rollback::redo(&session, &telling()).unwrap();
    assert_eq!(content(&home), states[5]);
    assert!(matches!(store::rollback::redo(&session, &telling()), Err(RollbackError::NothingToRedo)));
    store::rollback::undo(&session, &telling()).unwrap();
    accept(&session, 2);
    assert!(matches!(store::rollback::redo(&session, &telling()), Err(RollbackError::NothingToRedo)));
    home.assert_clean();
    assert_eq!(home.git(&["tag"]), "ch-001\nch-002\n");
}

#[test]
fn hand_edits_stand_in_the_way_until_they_are_committed() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    accept(&session, 1);
    home.write("state/current-state.json", "{}  \n");
    let refused = store::rollback::undo(&session, &telling()).unwrap_err().to_string();
    assert!(refused.contains("state/current-state.json"), "{refused}");
    session
        .adopt(&[], EntryFilter::of(&|_| true), &Message::new(Kind::HandEdit, "x"), &author(), moment(3))
        .unwrap()
        .unwrap();
    store::rollback::undo(&session, &telling()).unwrap();
    store::rollback::undo(&session, &telling()).unwrap();
    assert!(chapters(&book).is_empty());
    home.assert_clean();
}

#[test]
fn the_log_reads_by_kind_and_stops_early() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    for n in 1..=4 {
        accept(&session, n);
    }
    home.write("brief.md", "by hand\n");
    home.git(&["commit", "-qam", "by hand"]);
    let log = store::history::log(&book, &Log { limit: 2, ..Log::default() }).unwrap();
    assert_eq!(
        log.iter().map(|t| (t.kind, t.is_ours)).collect::<Vec<_>>(),
        [(Kind::HandEdit, false), (Kind::Chapter, true)]
    );
    let log = store::history::log(&book, &Log { kinds: [Kind::Init].into(), ..Log::default() }).unwrap();
    assert_eq!(log.len(), 1);
    assert_eq!(book.resolve("HEAD~1").unwrap(), book.resolve("4").unwrap());
    assert_eq!(book.resolve("ch-004").unwrap(), book.resolve("4").unwrap());
    assert_eq!(book.resolve("99").unwrap(), None);
    assert_eq!(book.resolve("no such thing").unwrap(), None);
}

#[test]
fn a_rewritten_history_keeps_its_chapters() {
    let home = Home::with_book();
    let book = home.book();
    {
        let session = begin(&book);
        for n in 1..=3 {
            accept(&session, n);
        }
        back_to(&session, 1);
        accept(&session, 2);
    }
    home.git(&["filter-branch", "-f", "--env-filter", "GIT_AUTHOR_NAME=somebody", "HEAD"]);
    home.git(&["update-ref", "-d", &format!("refs/original/refs/heads/{}", book.branch())]);
    let session = begin(&book);
    assert!(session.recovered().tag);
    assert_eq!(chapters(&book), [1, 2]);
    assert_eq!(store::history::retag(&session).unwrap(), 0, "all tags follow when the last one is wrong");
    assert_eq!(home.git(&["rev-parse", "ch-002"]), home.git(&["rev-parse", "HEAD"]));
    home.assert_clean();
}

#[cfg(unix)]
#[test]
fn links_are_left_to_git_and_filtered_files_go_through_their_filter() {
    let home = Home::with_book();
    let book = home.book();
    accept(&begin(&book), 1);
    home.write(".gitattributes", "*.png filter=lfs\n");
    std::os::unix::fs::symlink("brief.md", home.path("link.md")).unwrap();
    home.git(&["add", "."]);
    home.git(&["commit", "-qm", "a link"]);
    home.write("cover.png", "a picture");
    home.git(&["config", "filter.lfs.clean", "sha1sum"]);
    home.git(&["add", "."]);
    home.git(&["commit", "-qm", "a picture"]);
    let session = begin(&book);
    let done = store::rollback::undo(&session, &telling()).unwrap();
    assert!(done.committed.left.is_empty() && !home.path("cover.png").exists());
    let done = store::rollback::undo(&session, &telling()).unwrap();
    assert_eq!(done.committed.left, ["link.md"]);
    // Still there, and git no longer knows it.
    assert_eq!(home.git(&["status", "--porcelain"]), "?? link.md\n");
    home.assert_sound();
}
