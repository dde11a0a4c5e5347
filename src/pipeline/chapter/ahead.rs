//! Work on what comes next that is begun while a model or the disk is waited for.

use super::draft::ChapterDraft;
use crate::agents::ChapterContext;
use crate::domain::ChapterNo;
use crate::domain::quality::BLOCK;
use crate::pipeline::book::context_ahead::ContextAhead;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::pipeline::quality::block::BlockAhead;

impl Run<'_> {
    /// Begins to work out the context of the chapter that comes next, as the book is now.
    pub(super) fn look_ahead(&self) {
        if self.calls.responder.takes_time() {
            // A book that cannot be read is an error where the context is wanted.
            self.context_ahead.replace(self.next_context().unwrap_or_default());
        }
    }

    /// The context of the chapter that is to be begun; `None` where one is in flight, which may wait for its author.
    fn next_context(&self) -> Result<Option<ContextAhead>, RunError> {
        let book = self.session.book();
        let snapshot = book.snapshot()?;
        let chapter = BookView::new(&snapshot).checkpoint()?.next_chapter();
        let is_begun = book.draft_tip(chapter)?.is_some();
        Ok((!is_begun).then(|| ContextAhead::begin(book, snapshot.commit_id(), chapter)))
    }

    /// The context of a chapter that this run is to write. The offline writer reads neither passages nor what is worn out, and
    /// looking for them takes longer than its chapter.
    ///
    /// # Errors
    /// As for [`BookView::chapter_context`].
    pub(super) fn writer_context(
        &self,
        view: &BookView<'_, '_>,
        chapter: ChapterNo,
    ) -> Result<ChapterContext, RunError> {
        if !self.calls.responder.takes_time() {
            return view.chapter_context(chapter);
        }
        // One that is of no use any more goes on until there is time to wait for it.
        let ahead = self.context_ahead.borrow_mut().as_mut().and_then(|ahead| ahead.take(view, chapter));
        ahead.map_or_else(|| view.writer_context(self.session.book(), chapter), Ok)
    }
}

impl ChapterDraft<'_, '_> {
    /// Begins to measure the block that the chapter will end with its present text, for the brief. The text may yet change, and
    /// then the block is measured once more when its brief is written, as it is where it cannot be read now.
    pub(super) fn measure_ahead(&self) {
        let run = self.run();
        if self.chapter().get().is_multiple_of(BLOCK) && run.calls.responder.takes_time() {
            run.block_ahead.replace(self.block_ahead().unwrap_or_default());
        }
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
