//! The book before a chapter, as far as the chapter's texts are held against it. It is the same for all texts of a draft, so it is
//! read once, and taken apart by a thread of its own: the writer's answer takes longer.

use super::measure::measured;
use super::sources::{chapters_before, sources_of};
use crate::agents::checks::completeness::{Source, Sources};
use crate::agents::checks::slips::seam_doubts;
use crate::agents::{ChapterContext, SceneOrder};
use crate::domain::chapter::Chapter;
use crate::pipeline::book::view::BookView;
use crate::pipeline::checks::consistency::{DraftRecords, LOOK_BACK};
use crate::pipeline::engine::aside::Aside;
use crate::pipeline::engine::error::RunError;
use std::cell::RefCell;

/// How much of the book is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The chapters that a text is measured against for its judges.
    Figures,
    /// Those and the ones whose titles a new one must not have.
    Titles,
}

impl Reach {
    /// How many chapters are read. Titles of a hundred chapters back are compared.
    const fn chapters(self) -> u32 {
        match self {
            Self::Figures => LOOK_BACK,
            Self::Titles => 100,
        }
    }
}

/// The chapters before, with the records as the chapter finds them.
pub(crate) struct BookBefore {
    sources: Sources,
    records: DraftRecords,
}

impl BookBefore {
    /// Reads the chapters before. The `view` is of the book before the chapter.
    pub(crate) fn read(view: &BookView<'_, '_>, context: &ChapterContext, reach: Reach) -> Result<Self, RunError> {
        Ok(Self::of(&chapters_before(view, context.chapter, reach.chapters())?, context))
    }

    /// Takes the `earlier` chapters apart.
    fn of(earlier: &[Chapter], context: &ChapterContext) -> Self {
        let first = context.chapter.get().saturating_sub(LOOK_BACK);
        let near = earlier.partition_point(|chapter| chapter.number.get() < first);
        Self { sources: sources_of(earlier, context), records: DraftRecords::new(context, &earlier[near..]) }
    }

    /// Figures for the judge with what of the text does not agree with the chapters before: what it says against them and against
    /// the records, and how much of them and of the plan stands in it.
    pub(crate) fn measured(&self, context: &ChapterContext, chapter: &Chapter) -> Vec<String> {
        let mut lines = measured(context, chapter);
        lines.extend(self.sources.recycled_lines(&chapter.body));
        lines.extend(seam_doubts(&context.previous_ending, &chapter.body));
        lines.extend(self.records.doubts(context, chapter));
        lines
    }

    /// The texts that a new one must not be copied from: the chapters before, the plan, and the scenes before.
    pub(crate) fn sources(&self, scene: Option<&SceneOrder>) -> Sources {
        let sources = self.sources.clone();
        match scene {
            Some(order) => sources.with(Source::Scenes, &order.so_far),
            None => sources,
        }
    }
}

/// The book before a draft's chapter, once it is wanted.
#[derive(Default)]
pub(crate) struct Lookback(RefCell<Option<Reading>>);

enum Reading {
    /// The chapters are being taken apart.
    Begun(Aside<(Vec<Chapter>, ChapterContext), BookBefore>),
    Done(Box<BookBefore>),
}

impl Lookback {
    /// Reads the chapters, and has a thread take them apart. Does nothing when that has been begun.
    pub(crate) fn begin(
        &self,
        view: &BookView<'_, '_>,
        context: &ChapterContext,
        reach: Reach,
    ) -> Result<(), RunError> {
        if self.0.borrow().is_none() {
            let read = (chapters_before(view, context.chapter, reach.chapters())?, context.clone());
            let taken = Aside::begin(read, |(earlier, context)| BookBefore::of(earlier, context));
            self.0.replace(Some(Reading::Begun(taken)));
        }
        Ok(())
    }

    /// The answer of `question` to the book before, which `read` gives where nothing has been begun.
    pub(crate) fn ask<T>(
        &self,
        read: impl FnOnce() -> Result<BookBefore, RunError>,
        question: impl FnOnce(&BookBefore) -> T,
    ) -> Result<T, RunError> {
        let before = match self.0.take() {
            Some(Reading::Done(before)) => before,
            Some(Reading::Begun(taken)) => Box::new(taken.end()),
            None => Box::new(read()?),
        };
        let answer = question(&before);
        self.0.replace(Some(Reading::Done(before)));
        Ok(answer)
    }
}
