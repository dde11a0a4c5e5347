use novel::report::subject::wording;
use novel::store::book::session;
use std::collections::BTreeMap;

use super::bench::*;
use novel::store::{self, BeginError, Book, Change, CommitError, Kind, Message, NotWritable};
use proptest::prelude::*;

#[test]
fn a_chapter_is_one_clean_tagged_commit() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    let committed = accept(&session, 1);
    home.assert_clean();
    assert_eq!(home.git(&["rev-parse", "ch-001"]).trim(), committed.id.to_string());
    assert_eq!(home.git(&["log", "-1", "--format=%(trailers:key=Novel-Kind,valueonly)"]).trim(), "chapter");
    assert_eq!(home.read("chapters/vol-01/chapter-001.md").unwrap(), "第1章\n\n正文。\n");
    assert_eq!(home.git(&["for-each-ref", "refs/novel"]), "");
    let snapshot = book.snapshot_at("1").unwrap().unwrap();
    assert_eq!(snapshot.commit_id(), committed.id);
    assert_eq!(snapshot.read("state/current-state.json").unwrap().unwrap(), b"{\"version\": 1}\n");
    let names: Vec<String> = snapshot.list("").unwrap().into_iter().map(|n| n.name).collect();
    assert!(names.contains(&"chapters".to_owned()) && names.contains(&"novel.toml".to_owned()));
    assert_eq!(snapshot.files("chapters").unwrap(), ["chapters/vol-01/chapter-001.md"]);
}

#[test]
fn a_book_that_moved_is_not_written_over() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    let stale = proposal(&session, chapter_change(1), chapter_message(1));
    home.write("brief.md", "new\n");
    home.git(&["commit", "-qam", "mine"]);
    assert!(matches!(store::transaction::commit(&session, &stale), Err(CommitError::Moved { .. })));
    accept(&session, 1);
    home.assert_clean();
    assert_eq!(home.read("brief.md").unwrap(), "new\n");
}

#[test]
fn files_that_the_author_changed_are_not_written_over() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    home.write("state/current-state.json", "{\"mine\": 1}\n");
    home.write("chapters/vol-01/chapter-001.md", "untracked and mine");
    home.write("brief.md", "elsewhere\n");
    match store::transaction::commit(&session, &proposal(&session, chapter_change(1), chapter_message(1))) {
        Err(CommitError::AuthorEdited { paths }) => {
            assert_eq!(paths, ["chapters/vol-01/chapter-001.md", "state/current-state.json"]);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(home.read("chapters/vol-01/chapter-001.md").unwrap(), "untracked and mine");
    assert_eq!(home.git(&["rev-list", "--count", "HEAD"]).trim(), "1");
    home.assert_sound();
    home.git(&["checkout", "-q", "state"]);
    std::fs::remove_file(home.path("chapters/vol-01/chapter-001.md")).unwrap();
    accept(&session, 1);
    assert_eq!(home.git(&["status", "--porcelain"]), " M brief.md\n");
    assert_eq!(home.read("brief.md").unwrap(), "elsewhere\n");
}

#[test]
fn what_the_author_staged_stays_staged_and_is_never_lost() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    home.write("brief.md", "staged\n");
    home.git(&["add", "brief.md"]);
    accept(&session, 1);
    assert_eq!(home.git(&["status", "--porcelain"]), "M  brief.md\n");
    home.write("state/current-state.json", "{\"staged\": 1}\n");
    home.git(&["add", "state"]);
    home.write("state/current-state.json", "{\"version\": 1}\n");
    let refused = store::transaction::commit(&session, &proposal(&session, chapter_change(2), chapter_message(2)));
    assert!(matches!(refused, Err(CommitError::AuthorEdited { paths }) if paths == ["state/current-state.json"]));
}

#[test]
fn a_held_index_lock_stops_the_transaction_before_anything_moves() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    home.write(".git/index.lock", "");
    let refused = store::transaction::commit(&session, &proposal(&session, chapter_change(1), chapter_message(1)));
    assert!(matches!(refused, Err(CommitError::IndexBusy(busy)) if busy.path.ends_with("index.lock")));
    assert_eq!(home.git(&["rev-list", "--count", "HEAD"]).trim(), "1");
    assert_eq!(home.read("chapters/vol-01/chapter-001.md"), None);
    assert_eq!(home.git(&["for-each-ref", "refs/novel"]), "");
    std::fs::remove_file(home.path(".git/index.lock")).unwrap();
    accept(&session, 1);
    home.assert_clean();
}

#[test]
fn a_held_branch_lock_stops_it_too() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    let lock = home.path(&format!(".git/refs/heads/{}.lock", book.branch()));
    std::fs::write(&lock, "").unwrap();
    let refused = store::transaction::commit(&session, &proposal(&session, chapter_change(1), chapter_message(1)));
    assert!(matches!(refused, Err(CommitError::RefBusy(path)) if path == lock), "refused");
    assert_eq!(home.git(&["for-each-ref", "refs/novel"]), "");
    assert_eq!(home.git(&["status", "--porcelain"]), "");
    std::fs::remove_file(&lock).unwrap();
    accept(&session, 1);
    home.assert_clean();
}

#[test]
fn one_writer_at_a_time() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    let second = home.book();
    match store::pending_command::begin(&second, &holder(), wait()) {
        Err(BeginError::Busy(busy)) => assert_eq!((busy.what.as_str(), busy.host.as_str()), ("test", "here")),
        other => panic!("{other:?}"),
    }
    assert!(session::holder(&second).is_some());
    assert!(second.snapshot().is_ok());
    drop(session);
    // A program that another test is just starting has the lock too, until it is no longer a copy of this one.
    while session::holder(&second).is_some() {
        std::thread::yield_now();
    }
    begin(&second);
}

#[test]
fn a_merge_in_progress_stops_writing() {
    let home = Home::with_book();
    home.git(&["switch", "-qc", "b"]);
    home.write("brief.md", "b\n");
    home.git(&["commit", "-qam", "b"]);
    home.git(&["switch", "-q", "-"]);
    home.write("brief.md", "a\n");
    home.git(&["commit", "-qam", "a"]);
    assert!(!run_git(&home.root, &["merge", "-q", "b"]).status.success());
    let refused = store::pending_command::begin(&home.book(), &holder(), wait()).unwrap_err();
    assert!(matches!(refused, BeginError::NotWritable(NotWritable::InProgress { what: "merge" })), "{refused}");
    home.git(&["merge", "--abort"]);
    accept(&begin(&home.book()), 1);
}

#[test]
fn a_file_can_become_a_folder_and_back() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    let commit = |change| {
        let done =
            store::transaction::commit(&session, &proposal(&session, change, Message::new(Kind::Config, "x"))).unwrap();
        assert!(done.lagging.is_none(), "{done:?}");
        home.assert_clean();
    };
    commit(Change::default().put("a", "1"));
    commit(Change::default().remove("a").put("a/b/c", "2"));
    assert_eq!(home.read("a/b/c").unwrap(), "2");
    commit(Change::default().remove("a/b/c").put("a", "3"));
    assert_eq!(home.read("a").unwrap(), "3");
    commit(Change::default().remove("a").remove("never there"));
    assert!(!home.path("a").exists());
}

#[test]
fn paths_cannot_leave_the_book() {
    let home = Home::with_book();
    let book = home.book();
    let session = begin(&book);
    for path in ["../x", "/x", ".git/config", "a/../../x", "staging/x"] {
        let change = Change::default().put(path, "x");
        assert!(
            store::transaction::commit(&session, &proposal(&session, change, Message::new(Kind::Config, "x"))).is_err(),
            "{path}"
        );
    }
    home.assert_clean();
}

#[test]
fn settings_and_hooks_of_the_author_do_not_get_in_the_way() {
    let home = Home::with_book();
    home.git(&["config", "core.autocrlf", "true"]);
    home.git(&["config", "commit.gpgsign", "true"]);
    home.git(&["config", "core.hooksPath", "hooks"]);
    home.git(&["config", "index.version", "4"]);
    home.git(&["update-index", "--index-version", "4"]);
    home.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n");
    let book = home.book();
    assert!(book.expects_signatures());
    let session = begin(&book);
    for n in 1..=3 {
        accept(&session, n);
        home.assert_clean();
    }
}

#[test]
fn the_index_keeps_its_version_and_the_flags_of_its_entries() {
    let home = Home::with_book();
    home.write("research/later.md", "later\n");
    home.git(&["add", "-N", "research/later.md"]);
    home.git(&["update-index", "--index-version", "4"]);
    home.git(&["update-index", "--skip-worktree", "brief.md"]);
    home.git(&["update-index", "--assume-unchanged", "novel.toml"]);
    let book = home.book();
    accept(&begin(&book), 1);
    assert_eq!(std::fs::read(home.path(".git/index")).unwrap()[..8], *b"DIRC\0\0\0\x04");
    let flags = home.git(&["ls-files", "-v", "brief.md", "novel.toml", "research/later.md"]);
    assert_eq!(flags.trim_end(), "S brief.md\nh novel.toml\nH research/later.md");
    assert_eq!(home.git(&["diff", "--name-status"]).trim_end(), "A\tresearch/later.md");
}

#[derive(Debug, Clone)]
enum Op {
    Put(usize, u8),
    Remove(usize),
    Commit,
    Reopen,
    AuthorCommits(usize, u8),
    Gc,
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => (0usize..6, 0u8..4).prop_map(|(p, b)| Op::Put(p, b)),
        2 => (0usize..6).prop_map(Op::Remove),
        4 => Just(Op::Commit),
        1 => Just(Op::Reopen),
        1 => (0usize..6, 0u8..4).prop_map(|(p, b)| Op::AuthorCommits(p, b)),
        1 => Just(Op::Gc),
    ]
}

const PATHS: [&str; 6] =
    ["a.md", "chapters/vol-01/x.md", "chapters/vol-01/y.md", "chapters/vol-02/z.md", "d/e/f/g.json", "资料/一.md"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 40, ..ProptestConfig::default() })]
    #[test]
    fn any_sequence_of_operations_agrees_with_a_map(ops in prop::collection::vec(op(), 1..25)) {
        let home = Home::with_book();
        let mut model: BTreeMap<String, Vec<u8>> = files();
        let mut book = home.book();
        let mut change = Change::default();
        for op in ops {
            match op {
                Op::Put(path, byte) => {
                    change.removes.remove(PATHS[path]);
                    change = change.put(PATHS[path], vec![b'a' + byte, b'\n']);
                }
                Op::Remove(path) => {
                    change.puts.remove(PATHS[path]);
                    change = change.remove(PATHS[path]);
                }
                Op::Commit => {
                    let session = begin(&book);
                    let change = std::mem::take(&mut change);
                    for path in &change.removes {
                        model.remove(path);
                    }
                    model.extend(change.puts.clone());
                    let proposal = proposal(&session, change, Message::new(Kind::Plan, "x"));
                    let done = store::transaction::commit(&session, &proposal).unwrap();
                    prop_assert!(done.lagging.is_none() && done.left.is_empty());
                    home.assert_clean();
                }
                Op::Reopen => book = Book::open(&home.path("chapters/vol-01"), wording).unwrap(),
                Op::AuthorCommits(path, byte) => {
                    home.write(PATHS[path], &format!("author {byte}\n"));
                    model.insert(PATHS[path].to_owned(), format!("author {byte}\n").into_bytes());
                    home.git(&["add", "."]);
                    run_git(&home.root, &["commit", "-qm", "by hand"]);
                }
                Op::Gc => {
                    home.git(&["gc", "-q"]);
                }
            }
            let snapshot = book.snapshot().unwrap();
            let seen: BTreeMap<String, Vec<u8>> =
                snapshot.files("").unwrap().into_iter().map(|p| (p.clone(), snapshot.read(&p).unwrap().unwrap())).collect();
            prop_assert_eq!(&seen, &model);
        }
        let session = begin(&book);
        for (path, bytes) in &model {
            prop_assert_eq!(&std::fs::read(home.path(path)).unwrap(), bytes);
        }
        home.assert_clean();
        drop(session);
    }
}
