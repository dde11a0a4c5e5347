//! World pages and notes of the author that the chapter's plan calls up.

use super::Extent;
use super::chapter::ChapterContext;
use super::measure::clip_line;

const MAX_PASSAGE: usize = 150;

/// A line per passage: `liuyin-station：…`.
pub(crate) fn pages(context: &ChapterContext, extent: &Extent) -> String {
    super::bullets(context.pages.iter().take(extent.pages).map(|page| {
        let name = page.path.rsplit('/').next().unwrap_or(&page.path).trim_end_matches(".md");
        format!("{}：{}", clip_line(name, 20), clip_line(&page.text, MAX_PASSAGE))
    }))
}
