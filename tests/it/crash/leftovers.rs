//! Leftovers that a death can leave and that no named place produces: locks of git's, and an unfinished tail of the same session.

use super::*;
use novel::store;
use novel::store::BeginError;

/// A book in which accepting chapter 3 died at `point`.
fn died_at(point: &str) -> Home {
    let home = prepared("accept");
    assert!(!play_and_die("accept", &home.root, point).success(), "{point} is not reached");
    home
}

fn lock(home: &Home, name: &str, content: &str) -> PathBuf {
    let path = home.path(".git").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    path
}

fn branch_lock(home: &Home) -> String {
    format!("refs/heads/{}.lock", home.book().branch())
}

#[test]
fn locks_of_the_dead_transaction_go_and_other_locks_stay() {
    for content in ["", "its own commit"] {
        let home = died_at("txn.intent");
        let intent = home.git(&["rev-parse", "refs/novel/txn"]);
        let content = if content.is_empty() { "" } else { &intent };
        let ours = [lock(&home, &branch_lock(&home), content), lock(&home, "refs/tags/ch-003.lock", "")];
        let others = [lock(&home, "refs/tags/v1.lock", ""), lock(&home, "refs/heads/other.lock", "")];
        let book = home.book();
        let recovered = begin(&book).recovered().clone();
        assert!(recovered != Recovered::default());
        assert!(recovered.finished.is_some(), "{recovered:?}");
        assert_eq!(recovered.locks, ours);
        assert!(ours.iter().all(|path| !path.exists()));
        assert!(others.iter().all(|path| path.exists()));
        assert_eq!(home.read("chapters/vol-01/chapter-003.md").unwrap(), "第3章\n\n正文。\n");
    }
}

/// Only the holder of the writer's lock takes them, so that one which is there is a dead process's.
#[test]
fn locks_of_kept_refs_go() {
    let home = prepared("accept");
    let names = ["archive/0123456789", "ch-001/0123456789", "lines/if/0123456789", "vol-02/0123456789"];
    let held = names.map(|name| lock(&home, &format!("refs/novel/kept/{name}.lock"), ""));
    assert_eq!(recover(&home.root).locks, held);
    assert!(held.iter().all(|path| !path.exists()));
}

#[test]
fn a_branch_lock_with_another_commit_in_it_is_left_to_its_program() {
    let home = died_at("txn.intent");
    let first = home.git(&["rev-list", "--max-parents=0", "HEAD"]);
    let held = lock(&home, &branch_lock(&home), &first);
    let book = home.book();
    assert!(matches!(store::pending_command::begin(&book, &holder(), wait()), Err(BeginError::Store(_))));
    assert_eq!(std::fs::read_to_string(&held).unwrap(), first);
    std::fs::remove_file(held).unwrap();
    assert!(recover(&home.root).finished.is_some());
}

/// A process notes the shared lock that it is about to take.
#[test]
fn only_locks_that_git_takes_are_removed_on_the_word_of_a_note() {
    for name in ["HEAD.lock", "packed-refs.lock", "config.lock", "refs/heads/side.lock"] {
        let home = prepared("accept");
        let held = lock(&home, name, "");
        lock(&home, "novel/holding", name);
        recover(&home.root);
        assert!(!held.exists() && !home.path(".git/novel/holding").exists(), "{name}");
    }
    for name in ["index.lock", "refs/tags/v1.lock", "refs/heads/../../x.lock", "../notes.txt"] {
        let home = prepared("accept");
        let held = home.path(".git").join(name);
        if !held.exists() {
            lock(&home, name, "");
        }
        lock(&home, "novel/holding", name);
        assert_eq!(recover(&home.root), Recovered::default(), "{name}");
        assert!(held.exists(), "{name}");
    }
    let home = prepared("accept");
    let held = lock(&home, "HEAD.lock", "");
    assert_eq!(recover(&home.root), Recovered::default());
    assert!(held.exists(), "a lock that no note tells of belongs to another program");
}

#[test]
fn files_that_the_dead_transaction_lacks_are_not_edits_and_the_authors_are() {
    let edits = |home: &Home| {
        let edits = store::hand_edits::of_author(
            &home.book(),
            &["chapters"],
            EntryFilter::of(&|p| p != "brief.md" && p != "notes.txt"),
        )
        .unwrap();
        edits.edits.into_iter().map(|edit| edit.path).collect::<Vec<_>>()
    };
    let chapter = "chapters/vol-01/chapter-003.md";
    let home = died_at("txn.after_cas");
    let _ = std::fs::remove_file(home.path(".git/index.lock"));
    assert_eq!(edits(&home), [""; 0]);
    home.write(chapter, "第3章\n\n作者自己的。\n");
    assert_eq!(edits(&home), [chapter]);
    // Staged by the author, and on the disk again as the transaction would have it.
    home.git(&["add", chapter]);
    home.write(chapter, "第3章\n\n正文。\n");
    assert_eq!(edits(&home), [chapter]);
}

#[test]
fn the_next_commit_of_a_session_finishes_the_tail_of_the_last() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    // The author has a tag in a folder of the name that the tag of the chapter gets.
    home.git(&["tag", "ch-001/mine"]);
    let done =
        store::transaction::commit(&session, &proposal(&session, chapter_change(1), chapter_message(1))).unwrap();
    assert!(done.lagging.is_some(), "{done:?}");
    assert_eq!(home.git(&["tag"]), "ch-001/mine\n");
    home.git(&["tag", "-d", "ch-001/mine"]);
    accept(&session, 2);
    assert_eq!(home.git(&["tag"]), "ch-001\nch-002\n");
    home.assert_clean();
}
