//! The world's pages and the author's notes, as far as the chapter's plan names what they tell of.

use super::Extent;
use super::chapter::ChapterContext;
use super::measure::clip_line;

/// Characters of one passage.
const MAX_PASSAGE: usize = 150;

/// A line for each passage: `liuyin-station：…`.
pub(crate) fn pages(context: &ChapterContext, extent: &Extent) -> String {
    super::bullets(context.pages.iter().take(extent.pages).map(|page| {
        let name = page.path.rsplit('/').next().unwrap_or(&page.path).trim_end_matches(".md");
        format!("{}：{}", clip_line(name, 20), clip_line(&page.text, MAX_PASSAGE))
    }))
}
