//! The order that takes over chapters which the author has rearranged by hand, and what else the author has changed.

use super::renumber::RenumberOrder;
use crate::domain::ChapterNo;
use crate::domain::chapter::Chapter;
use crate::domain::renumbering::Renumbering;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::rearranged::{self, Rearranged, chapter_at};
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::store::layout::{self, BookPath};
use crate::store::{Book, Wanted};

impl RenumberOrder {
    /// The order that takes over chapters rearranged by hand; `None` for chapters that have their numbers still.
    pub fn by_hand(book: &Book) -> Result<Option<Self>, RunError> {
        let Some(found) = rearranged::by_hand(book, ChapterNo::FIRST)? else { return Ok(None) };
        let Rearranged { how, ref files, .. } = found;
        let new = match how {
            Renumbering::Insert(at) => Some(at),
            Renumbering::Split(at) => Some(at.next()),
            _ => None,
        };
        let text = new.and_then(|new| files.puts.iter().find(|(path, _)| chapter_at(path) == Some(new)));
        let text = text.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
        let chapter = text.as_deref().zip(new).map(|(text, new)| Chapter::from_markdown(new, text, ""));
        let title = chapter.map(|chapter| chapter.title).unwrap_or_default();
        Ok(Some(Self { title, text, by_hand: Some(found), ..Self::of(how) }))
    }
}

impl Run<'_> {
    /// Commits what the author has changed beside the rearranged chapters, and closes gaps among these.
    pub(super) fn settle_by_hand(&self, found: &Rearranged) -> Result<(), RunError> {
        let is_of_order = |path: &str| match layout::classify(path) {
            Some(BookPath::Chapter(..)) => true,
            Some(BookPath::Outline(_)) => found.has_sections,
            _ => false,
        };
        let mut others = hand_edits::uncommitted(self.session.book(), Wanted::of(&layout::is_book_path))?;
        others.retain(|edit| !is_of_order(&edit.path));
        self.commit_these(&others)?;
        self.session.rename_files(&found.renames)?;
        let files = found.files.clone().only(is_of_order);
        Ok(self.session.unstage(&files, &self.author, self.calls.clock.moment())?)
    }
}
