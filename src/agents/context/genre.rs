//! The genre's own rules, from `prompts/genres/`: what its readers come for, and what they have read too often.

use super::chapter::ChapterContext;
use super::measure::clip;
use crate::agents::call::prompt_files::Prompts;
use crate::domain::book::genre::Genre;

/// More genres than these pull a chapter into too many directions.
const MOST: usize = 2;
/// Characters of one genre's rules; a book may have its own text in their place.
const LONGEST: usize = 400;
/// The chapters in which readers decide whether they stay.
const OPENING: u32 = 3;

/// The rules of the genres that the author's words name, at most two.
pub(crate) fn genre_notes(context: &ChapterContext, prompts: &Prompts) -> String {
    let genres = Genre::named_in(&context.config.genre).into_iter().take(MOST);
    let notes: Vec<String> = genres.map(|genre| clip(prompts.text(file(genre)).1, LONGEST)).collect();
    notes.join("\n\n")
}

/// The rules for the first three chapters; empty for later ones.
pub(crate) fn opening(context: &ChapterContext, prompts: &Prompts) -> String {
    let is_opening = context.chapter.get() <= OPENING;
    if is_opening { clip(prompts.text("prompts/genres/opening.md").1, LONGEST) } else { String::new() }
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
