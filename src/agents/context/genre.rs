//! The genre's rules from `prompts/genres/`: what its readers want, and what they have read too often.

use super::Extent;
use super::chapter::ChapterContext;
use super::measure::clip;
use crate::agents::call::prompt_files::Prompts;
use crate::domain::book::genre::Genre;

/// More genres pull a chapter into too many directions.
const MOST: usize = 2;
/// Readers decide in so many chapters whether they stay.
const OPENING: u32 = 3;

/// The rules of at most two genres that the author's words name.
pub(crate) fn genre_notes(context: &ChapterContext, extent: &Extent, prompts: &Prompts) -> String {
    let genres = Genre::named_in(&context.config.genre).into_iter().take(MOST);
    let notes: Vec<String> = genres.map(|genre| clip(prompts.text(file(genre)).1, extent.genre)).collect();
    notes.join("\n\n")
}

/// The rules for the first three chapters; empty for later ones.
pub(crate) fn opening(context: &ChapterContext, extent: &Extent, prompts: &Prompts) -> String {
    let is_opening = context.chapter.get() <= OPENING;
    if is_opening { clip(prompts.text("prompts/genres/opening.md").1, extent.genre) } else { String::new() }
}

const fn file(genre: Genre) -> &'static str {
    match genre {
        Genre::Infinite => "prompts/genres/infinite.md",
        Genre::System => "prompts/genres/system-stories.md",
        Genre::Xianxia => "prompts/genres/xianxia.md",
        Genre::Wuxia => "prompts/genres/wuxia.md",
        Genre::Fantasy => "prompts/genres/fantasy.md",
        Genre::SciFi => "prompts/genres/scifi.md",
        Genre::Mystery => "prompts/genres/mystery.md",
        Genre::Costume => "prompts/genres/costume.md",
        Genre::Romance => "prompts/genres/romance.md",
        Genre::History => "prompts/genres/history.md",
        Genre::Urban => "prompts/genres/urban.md",
    }
}
