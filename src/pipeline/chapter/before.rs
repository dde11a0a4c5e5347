//! The book before a chapter, as far as the chapter's texts are held against it. The book before is the same for all texts of a
//! draft, so a draft reads it once.

use super::measure::measured;
use super::sources::{chapters_before, sources_of};
use crate::agents::checks::completeness::{Source, Sources};
use crate::agents::checks::slips::seam_doubts;
use crate::agents::{ChapterContext, SceneOrder};
use crate::domain::chapter::Chapter;
use crate::pipeline::book::view::BookView;
use crate::pipeline::checks::consistency::{DraftRecords, LOOK_BACK};
use crate::pipeline::engine::error::RunError;

/// So many chapters are read: a new one must not have a title of theirs. The last [`LOOK_BACK`] are what its text is measured
/// against.
const READ: u32 = 100;

/// The chapters before, with the records as the chapter finds them.
pub(crate) struct BookBefore {
    sources: Sources,
    records: DraftRecords,
}

impl BookBefore {
    /// Reads the chapters before. The `view` is of the book before the chapter.
    pub(crate) fn read(view: &BookView<'_>, context: &ChapterContext) -> Result<Self, RunError> {
        let earlier = chapters_before(view, context.chapter, READ)?;
        let first = context.chapter.get().saturating_sub(LOOK_BACK);
        let near = earlier.partition_point(|chapter| chapter.number.get() < first);
        Ok(Self { sources: sources_of(&earlier, context), records: DraftRecords::new(context, &earlier[near..]) })
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
