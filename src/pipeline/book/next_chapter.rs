//! The next chapter.

use super::view::BookView;
use crate::domain::{ChapterNo, Slug, VolumeNo};
use crate::pipeline::engine::error::RunError;

/// The next chapter as its outline has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextChapter {
    pub number: ChapterNo,
    /// The volume in which it is planned.
    pub volume: VolumeNo,
    pub storyline: Slug,
}

impl BookView<'_> {
    /// The next chapter; `None` when no outline has a section for it.
    pub fn next_chapter(&self) -> Result<Option<NextChapter>, RunError> {
        let number = self.checkpoint()?.next_chapter();
        let Some((volume, outline)) = self.plan(number)? else { return Ok(None) };
        let of = |storyline: &Slug| NextChapter { number, volume, storyline: storyline.clone() };
        Ok(outline.section(number).map(|section| of(&section.storyline)))
    }
}
