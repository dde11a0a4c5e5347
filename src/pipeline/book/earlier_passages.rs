//! The passages of earlier chapters that a chapter's plan recalls.

use super::search::Sources;
use super::view::BookView;
use crate::agents::context::chapter::{ChapterContext, EarlierPassage};
use crate::agents::context::may_know;
use crate::domain::ChapterNo;
use crate::domain::chapter::Chapter;
use crate::domain::volume::outline::Field;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::store::Book;
use crate::text::Query;

/// The most passages.
const MOST: usize = 3;
/// The most characters of a passage, without the dots where a sentence is cut.
const LENGTH: usize = 148;
/// The last chapters have summaries of their own in the prompt.
const NEAR: u32 = 3;
/// So many of the best chapters are read.
const READ: usize = 24;
/// A passage with fewer of the plan's terms only shares a name with it.
const LEAST: usize = 4;

impl BookView<'_, '_> {
    /// The context of a chapter that is to be written: [`chapter_context`](Self::chapter_context) with what the last chapters
    /// have worn out, with the passages of chapters before the last three that its plan recalls, and with the minor cast of the
    /// last ones. Passages and people are of its own storyline or of one that it may know by the schedule. A book that cannot be
    /// searched has none, which keeps no chapter from being written.
    ///
    /// # Errors
    /// When a file is not of its format, or the chapter is not planned.
    pub(crate) fn writer_context(&self, book: &Book, chapter: ChapterNo) -> Result<ChapterContext, RunError> {
        let context = self.chapter_context(chapter)?;
        // The first chapters have nothing far enough back.
        let is_far = chapter.get() > NEAR + 1;
        let passages = is_far.then(|| found(book, self, &context).ok()).flatten().unwrap_or_default();
        let minor_cast = self.minor_cast(chapter, &|line| may_know(&context, line)).unwrap_or_default();
        let worn = self.worn(chapter, &context.style.own_phrases)?;
        Ok(ChapterContext { passages, minor_cast, worn, ..context })
    }
}

impl Run<'_> {
    /// The context of a chapter that this run is to write. The offline writer reads neither passages nor what is worn out, and
    /// looking for them takes longer than its chapter.
    ///
    /// # Errors
    /// As for [`BookView::chapter_context`].
    pub(crate) fn writer_context(
        &self,
        view: &BookView<'_, '_>,
        chapter: ChapterNo,
    ) -> Result<ChapterContext, RunError> {
        match self.calls.responder.takes_time() {
            true => view.writer_context(self.session.book(), chapter),
            false => view.chapter_context(chapter),
        }
    }
}

/// The passages, in the order of the book.
fn found(book: &Book, view: &BookView<'_, '_>, context: &ChapterContext) -> Result<Vec<EarlierPassage>, RunError> {
    let section = &context.section;
    let plan = [section.title.as_str(), section.field(Field::Conflict), section.field(Field::Location)].join(" ");
    let Some(query) = Query::parse(&plan) else { return Ok(Vec::new()) };
    let sources = Sources::of(view.snapshot)?;
    let ranked = sources.ranked(book, &query)?;
    let is_far = |chapter: &ChapterNo| chapter.get() + NEAR < context.chapter.get();
    let far = ranked.iter().filter_map(|(source, _)| Some((source, source.chapter_of_text().filter(is_far)?)));
    let mut passages = Vec::new();
    for (source, chapter) in far.take(READ) {
        if passages.len() == MOST {
            break;
        }
        let Some(page) = view.summary(view.volume_of(chapter)?, chapter)? else { continue };
        if !may_know(context, &page.storyline) {
            continue;
        }
        let prose = Chapter::from_markdown(chapter, &source.text(book)?, "").body;
        let passage = query.passage(&prose, LENGTH).filter(|passage| passage.score >= LEAST);
        passages.extend(passage.map(|passage| EarlierPassage {
            chapter,
            storyline: page.storyline,
            text: passage.text,
        }));
    }
    passages.sort_by_key(|passage| passage.chapter);
    Ok(passages)
}
