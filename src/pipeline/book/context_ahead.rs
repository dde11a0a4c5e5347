//! The context of the next chapter, worked out by a thread of its own while this one sees to the author's changes and to the end of
//! the chapter before.

use super::view::BookView;
use crate::agents::context::chapter::ChapterContext;
use crate::domain::ChapterNo;
use crate::pipeline::engine::aside::Aside;
use crate::store::{Book, BookAddress, CommitId};

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
    context: Option<Aside<(BookAddress, Place), Option<ChapterContext>>>,
}

impl ContextAhead {
    /// Begins to work out that of `chapter` by a commit.
    pub(crate) fn begin(book: &Book, commit: CommitId, chapter: ChapterNo) -> Self {
        let place = Place { commit, chapter };
        let context = Aside::begin((book.address(), place), |(address, place)| place.context(&address.open().ok()?));
        Self { place, context: Some(context) }
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

impl Drop for ContextAhead {
    /// Waits for the thread: it may be writing to the search index, which would have to be made again.
    fn drop(&mut self) {
        if let Some(context) = self.context.take() {
            context.wait();
        }
    }
}

impl Place {
    fn context(self, book: &Book) -> Option<ChapterContext> {
        let snapshot = book.snapshot_of(self.commit).ok()?;
        BookView::new(&snapshot).writer_context(book, self.chapter).ok()
    }
}
