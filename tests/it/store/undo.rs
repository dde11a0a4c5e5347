//! Undo and redo against the model that every editor has: a stack of what was done, and a stack of what was undone.

use super::bench::*;
use crate::common::{Chance, commit_of, roll_back};
use novel::domain::ChapterNo;
use novel::store::{self, CommitInfo, RollbackError};

/// The trees of the book: those that an undo goes back to, the present one last; and those that a redo brings.
struct Model {
    done: Vec<git2::Oid>,
    undone: Vec<git2::Oid>,
}

fn telling(step: i64) -> CommitInfo {
    CommitInfo { subject: None, body: String::new(), author: author(), time: moment(step) }
}

fn tree(home: &Home) -> git2::Oid {
    let repo = git2::Repository::open(&home.root).unwrap();
    repo.head().unwrap().peel_to_tree().unwrap().id()
}

/// A commit by plain git.
fn by_hand(home: &Home, step: usize) {
    home.write("brief.md", &format!("第 {step} 步\n"));
    home.git(&["commit", "-qam", "by hand"]);
}

fn walk(seed: u64, steps: usize) -> usize {
    let home = Home::empty_in_memory();
    home.init();
    let mut chance = Chance(seed);
    let mut model = Model { done: vec![tree(&home)], undone: Vec::new() };
    let mut deepest = 0;
    for step in 0..steps {
        // A new session each time: nothing but the history tells where the book is.
        let book = home.book();
        let session = begin(&book);
        let chapters: Vec<u32> = store::history::chapters(&book).unwrap().into_keys().map(ChapterNo::get).collect();
        let last = chapters.last().copied().unwrap_or(0);
        let did = format!("seed {seed}, step {step}");
        match chance.below(12) {
            0..=2 => {
                accept(&session, last + 1);
                model.undone.clear();
                model.done.push(tree(&home));
            }
            3 => {
                drop(session);
                by_hand(&home, step);
                model.undone.clear();
                model.done.push(tree(&home));
                continue;
            }
            4 if last > 1 => {
                let chapter = ChapterNo::new(chance.one_of(&chapters[..chapters.len() - 1])).unwrap();
                roll_back(&session, commit_of(&session, chapter), &|path| path == "brief.md", &telling(step as i64))
                    .unwrap();
                model.undone.clear();
                model.done.push(tree(&home));
            }
            5..=8 => match store::rollback::undo(&session, &telling(step as i64)) {
                Ok(_) => {
                    assert!(model.done.len() > 1, "{did}: nothing was to be undone");
                    model.undone.extend(model.done.pop());
                }
                Err(RollbackError::NothingToUndo) => assert_eq!(model.done.len(), 1, "{did}"),
                Err(error) => panic!("{did}: {error}"),
            },
            _ => match store::rollback::redo(&session, &telling(step as i64)) {
                Ok(_) => model.done.push(model.undone.pop().expect(&did)),
                Err(RollbackError::NothingToRedo) => assert!(model.undone.is_empty(), "{did}"),
                Err(error) => panic!("{did}: {error}"),
            },
        }
        assert_eq!(tree(&home), *model.done.last().unwrap(), "{did}");
        drop(session);
        if step % 8 == 0 {
            let book = home.book();
            let session = begin(&book);
            assert_eq!(store::rollback::undoable(&session).unwrap(), model.done.len() - 1, "{did}");
            assert_eq!(store::rollback::redoable(&session).unwrap(), model.undone.len(), "{did}");
        }
        deepest = deepest.max(model.undone.len());
    }
    home.assert_clean();
    deepest
}

#[test]
fn undo_and_redo_are_the_stacks_that_editors_have() {
    let deepest: Vec<usize> = (1..=4).map(|seed| walk(seed, 120)).collect();
    assert!(deepest.iter().any(|deep| *deep >= 5), "no walk went deep: {deepest:?}");
}

#[test]
fn what_was_undone_before_something_new_is_never_met_again_by_undo() {
    let home = Home::empty_in_memory();
    home.init();
    let book = home.book();
    let session = begin(&book);
    let start = tree(&home);
    accept(&session, 1);
    let one = tree(&home);
    accept(&session, 2);
    store::rollback::undo(&session, &telling(3)).unwrap();
    by_hand(&home, 4);
    // Back over the edit, and then over the first chapter: the second one, undone before, stays undone.
    store::rollback::undo(&session, &telling(5)).unwrap();
    assert_eq!(tree(&home), one);
    store::rollback::undo(&session, &telling(6)).unwrap();
    assert_eq!(tree(&home), start);
    store::rollback::redo(&session, &telling(7)).unwrap();
    store::rollback::redo(&session, &telling(8)).unwrap();
    assert!(matches!(store::rollback::redo(&session, &telling(9)), Err(RollbackError::NothingToRedo)));
    assert_eq!(home.read("brief.md").unwrap(), "第 4 步\n");
}
