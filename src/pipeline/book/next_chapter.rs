//! The next chapter, and the look at everything that it is written from.

use super::view::BookView;
use crate::domain::{ChapterNo, Slug, VolumeNo};
use crate::pipeline::engine::error::RunError;
use crate::store::Book;

/// The cache of the last look that found nothing wrong, in `.git/novel/`.
const NAME: &str = "readable";

/// The next chapter as its outline has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextChapter {
    pub number: ChapterNo,
    /// The volume in which it is planned.
    pub volume: VolumeNo,
    pub storyline: Slug,
}

impl BookView<'_, '_> {
    /// The next chapter; `None` when no outline has a section for it.
    pub fn next_chapter(&self) -> Result<Option<NextChapter>, RunError> {
        let number = self.checkpoint()?.next_chapter();
        let Some((volume, outline)) = self.plan(number)? else { return Ok(None) };
        let of = |storyline: &Slug| NextChapter { number, volume, storyline: storyline.clone() };
        Ok(outline.section(number).map(|section| of(&section.storyline)))
    }

    /// The next chapter of this commit, when [`kept`](Self::keep_readable) as one whose files can all be read. The files of a
    /// commit do not change, so that nothing of it has to be read again.
    pub(crate) fn known_readable(&self, book: &Book) -> Option<NextChapter> {
        let bytes = book.cached(NAME, &self.readable_key()).ok().flatten()?;
        let text = String::from_utf8(bytes).ok()?;
        let mut words = text.split_whitespace();
        Some(NextChapter {
            number: words.next()?.parse().ok()?,
            volume: words.next()?.parse().ok()?,
            storyline: words.next()?.parse().ok()?,
        })
    }

    /// Keeps `next` as the next chapter of this commit, everything that it is written from having been read.
    pub(crate) fn keep_readable(&self, book: &Book, next: &NextChapter) {
        let NextChapter { number, volume, storyline } = next;
        book.keep_cached(NAME, &self.readable_key(), format!("{number} {volume} {storyline}\n").as_bytes());
    }

    /// Names the commit, and the program that knows the formats.
    fn readable_key(&self) -> String {
        format!("{} {}", env!("CARGO_PKG_VERSION"), self.commit())
    }
}
