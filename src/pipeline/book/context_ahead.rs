//! The context of the next chapter, worked out by threads of their own: what follows from the texts alone while the judge of this
//! chapter is waited for, and the rest while this one sees to the folder, to the author's changes and to the end of the chapter.

use super::earlier_passages::Foreseen;
use super::view::BookView;
use crate::agents::context::chapter::ChapterContext;
use crate::domain::ChapterNo;
use crate::domain::state::State;
use crate::pipeline::engine::aside::Aside;
use crate::store::{Book, BookAddress, CommitId};
use std::sync::{Mutex, PoisonError};

/// A chapter as it is written after a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    commit: CommitId,
    chapter: ChapterNo,
}

/// The context of a chapter by the commit that was the last one when it was begun.
pub(crate) struct ContextAhead {
    place: Place,
    /// There until it is taken.
    context: Option<Aside<Task, Option<ChapterContext>>>,
}

struct Task {
    address: BookAddress,
    place: Place,
    /// Ended by the thread: the one that begins it may be in the middle of a transaction.
    foresight: Mutex<Option<Foresight>>,
}

impl ContextAhead {
    /// Begins to work out that of `chapter` by a commit.
    pub(crate) fn begin(book: &Book, commit: CommitId, chapter: ChapterNo, foresight: Option<Foresight>) -> Self {
        let place = Place { commit, chapter };
        let task = Task { address: book.address(), place, foresight: Mutex::new(foresight) };
        Self { place, context: Some(Aside::begin(task, Task::context)) }
    }

    /// Whether it is that of `chapter` by this commit, and still to be taken.
    pub(crate) fn is_of(&self, commit: CommitId, chapter: ChapterNo) -> bool {
        self.context.is_some() && self.place == Place { commit, chapter }
    }

    /// The context, once, if it is that of `chapter` in the book of this view. One that could not be worked out is `None` too: its
    /// error comes up again where the context is wanted.
    pub(crate) fn take(&mut self, view: &BookView<'_, '_>, chapter: ChapterNo) -> Option<ChapterContext> {
        let wanted = Place { commit: view.snapshot.commit_id(), chapter };
        if self.place != wanted || !view.snapshot.is_as_committed() {
            return None;
        }
        self.context.take().and_then(Aside::end)
    }
}

impl Task {
    fn context(&self) -> Option<ChapterContext> {
        let book = self.address.open().ok()?;
        let snapshot = book.snapshot_of(self.place.commit).ok()?;
        let foresight = self.foresight.lock().unwrap_or_else(PoisonError::into_inner).take();
        let foreseen = foresight.and_then(Foresight::end);
        let known = foreseen.as_ref().map(Foreseen::texts).cloned().unwrap_or_default();
        BookView::knowing(&snapshot, known).writer_context(&book, self.place.chapter, foreseen.as_ref()).ok()
    }
}

/// Everything that the texts say to the writer of the chapter after one that is in flight, if that is accepted as it is.
pub(crate) struct Foresight(Aside<Prospect, Option<Foreseen>>);

struct Prospect {
    address: BookAddress,
    draft: CommitId,
    /// The state after the chapter in flight.
    state: State,
    next: ChapterNo,
}

impl Foresight {
    /// Begins to work it out for the chapter `next`, by the last commit of the draft before it and the state after that.
    pub(crate) fn begin(book: &Book, draft: CommitId, state: State, next: ChapterNo) -> Self {
        Self(Aside::begin(Prospect { address: book.address(), draft, state, next }, Prospect::foreseen))
    }

    /// The findings; `None` where the draft could not be read.
    fn end(self) -> Option<Foreseen> {
        self.0.end()
    }
}

impl Prospect {
    fn foreseen(&self) -> Option<Foreseen> {
        let book = self.address.open().ok()?;
        let snapshot = book.snapshot_of(self.draft).ok()?;
        Foreseen::of(&book, &BookView::new(&snapshot), self.next, &self.state).ok()
    }
}
