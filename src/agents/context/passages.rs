//! Passages of earlier chapters related to this one, so that the writer meets the words themselves.

use super::Extent;
use crate::agents::context::chapter::ChapterContext;
use crate::agents::context::measure::clip_line;

const MAX_PASSAGE: usize = 150;

/// A line per passage, without passages of lines that the chapter may not know.
pub(crate) fn passages(context: &ChapterContext, extent: &Extent) -> String {
    let known = context.passages.iter().filter(|passage| super::may_know(context, &passage.storyline));
    super::bullets(known.take(extent.passages).map(|passage| {
        let (chapter, text) = (passage.chapter.get(), clip_line(&passage.text, MAX_PASSAGE));
        format!("第{chapter}章：{text}")
    }))
}
