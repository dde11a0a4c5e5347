//! Work on what comes next that is begun while a model or the disk is waited for.

use super::draft::ChapterDraft;
use super::joined::join;
use crate::agents::ChapterContext;
use crate::domain::ChapterNo;
use crate::domain::quality::BLOCK;
use crate::pipeline::book::context_ahead::{ContextAhead, Foresight};
use crate::pipeline::book::view::BookView;
use crate::pipeline::checks::consistency::{self, ExaminationAhead};
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::pipeline::quality::block::BlockAhead;
use crate::store::{CommitId, format};

impl Run<'_> {
    /// Begins to work out the context of the chapter that comes next, as the book is now.
    pub(super) fn look_ahead(&self) {
        if self.calls.responder.takes_time() {
            // A book that cannot be read is an error where the context is wanted.
            let _ = self.session.tip().map_err(RunError::from).and_then(|tip| self.begin_next_context(tip));
        }
    }

    /// Begins the examination that comes after `chapter`, if one does: a brief of the same chapters is written meanwhile.
    pub(super) fn examine_ahead(&self, chapter: ChapterNo) {
        let due = consistency::due_after(chapter).filter(|_| self.asks_on());
        let begun = due.map(|chapters| ExaminationAhead::begin(self.session.book(), chapters));
        self.ahead.examination.replace(begun);
    }

    /// Nothing is begun for a chapter that is in flight, since that may wait for its author.
    fn begin_next_context(&self, commit: CommitId) -> Result<(), RunError> {
        let book = self.session.book();
        let snapshot = book.snapshot_of(commit)?;
        let chapter = BookView::new(&snapshot).checkpoint()?.next_chapter();
        let mut ahead = self.ahead.context.borrow_mut();
        let is_begun = ahead.as_ref().is_some_and(|ahead| ahead.is_of(snapshot.commit_id(), chapter));
        if !is_begun {
            let is_in_flight = book.draft_tip(chapter)?.is_some();
            let foresight = self.ahead.foresight.take();
            *ahead = (!is_in_flight).then(|| ContextAhead::begin(book, snapshot.commit_id(), chapter, foresight));
        }
        Ok(())
    }

    /// The context of a chapter that this run is to write. The offline writer reads neither passages nor what is worn out, and
    /// looking for them takes longer than its chapter.
    pub(super) fn writer_context(
        &self,
        view: &BookView<'_, '_>,
        chapter: ChapterNo,
    ) -> Result<ChapterContext, RunError> {
        if !self.calls.responder.takes_time() {
            return view.chapter_context(chapter);
        }
        // One that is of no use any more goes on until there is time to wait for it.
        let ahead = self.ahead.context.borrow_mut().as_mut().and_then(|ahead| ahead.take(view, chapter));
        ahead.map_or_else(|| view.writer_context(self.session.book(), chapter, None), Ok)
    }
}

impl ChapterDraft<'_, '_> {
    /// Begins to measure the block that the chapter will end with its present text, for the brief. The text may yet change, and
    /// then the block is measured once more when its brief is written, as it is where it cannot be read now.
    pub(super) fn measure_ahead(&self) {
        let run = self.run();
        if self.chapter().get().is_multiple_of(BLOCK) && run.calls.responder.takes_time() {
            run.ahead.block.replace(self.block_ahead().unwrap_or_default());
        }
    }

    /// Begins to look through the texts for the writer of the next chapter, if this one is accepted as it is and the run goes on.
    pub(super) fn foresee(&self) {
        let run = self.run();
        if run.asks_on() {
            run.ahead.foresight.replace(self.foresight().unwrap_or_default());
        }
    }

    /// `None` for a chapter that is written again: the one after it is not written next.
    fn foresight(&self) -> Result<Option<Foresight>, RunError> {
        let book = self.run().session.book();
        let delta = self.file(&self.paths.delta)?.filter(|_| self.present.is_none());
        let Some(delta) = delta.and_then(|bytes| format::delta::read(&bytes).ok()) else { return Ok(None) };
        let snapshot = book.snapshot()?;
        let state = join(&BookView::new(&snapshot), self.context.volume, delta, None)?.now.state;
        Ok(Some(Foresight::begin(book, self.session.tip(), state, self.chapter().next())))
    }

    fn block_ahead(&self) -> Result<Option<BlockAhead>, RunError> {
        let snapshot = self.run().session.book().snapshot()?;
        let view = BookView::new(&snapshot);
        if view.contents()?.has(self.chapter()) {
            return Ok(None);
        }
        BlockAhead::begin(&view, self.chapter(), self.context.volume, self.text()?.body)
    }
}
