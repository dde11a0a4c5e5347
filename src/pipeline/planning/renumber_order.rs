//! The order by which chapters get other numbers: as it is typed, or as the author has rearranged the chapters by hand.

use crate::domain::ChapterNo;
use crate::domain::chapter::Chapter;
use crate::domain::renumbering::Renumbering;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::rearranged::{self, Rearranged, chapter_at, headed};
use crate::pipeline::book::sections::differs_in_numbers;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::store::layout;
use crate::store::{Book, Wanted};

/// The operation, with what it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenumberOrder {
    pub how: Renumbering,
    /// The title of an inserted chapter, or of the second part of one that is split.
    pub title: String,
    /// The conflict of its section; its title where it is empty.
    pub conflict: String,
    /// The text of a chapter that is inserted among the written ones or right after them.
    pub text: Option<String>,
    /// The words with which the second part begins.
    pub beginning: String,
    /// The chapters as they stand, where they have been rearranged by hand.
    pub by_hand: Option<Rearranged>,
}

impl RenumberOrder {
    /// An operation that needs nothing else.
    #[must_use]
    pub fn of(how: Renumbering) -> Self {
        let [title, conflict, beginning] = [(); 3].map(|()| String::new());
        Self { how, title, conflict, text: None, beginning, by_hand: None }
    }

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
    /// Commits what the author has changed beside the rearranged chapters.
    pub(super) fn commit_beside(&self, found: &Rearranged) -> Result<(), RunError> {
        let mut others = hand_edits::uncommitted(self.session.book(), Wanted::of(&layout::is_book_path))?;
        others.retain(|edit| !found.has_moved(&edit.path));
        self.commit_these(&others).map(drop)
    }

    /// Closes gaps among the rearranged chapters and gives them their new headings.
    pub(super) fn settle_by_hand(&self, found: &Rearranged) -> Result<(), RunError> {
        let is_of_order = |path: &str| found.has_moved(path);
        self.session.rename_files(&found.renames)?;
        for (path, bytes) in &found.files.puts {
            let there = self.session.book().on_disk(path)?;
            let follows = there.as_ref().is_some_and(|there| match chapter_at(path) {
                Some(chapter) => headed(chapter, there, found.how) == *bytes,
                None => is_of_order(path) && differs_in_numbers(there, bytes),
            });
            if there.as_ref() != Some(bytes) && follows {
                self.session.write_file(path, bytes)?;
            }
        }
        let files = found.files.clone().only(is_of_order);
        Ok(self.session.unstage(&files, &self.author, self.calls.clock.moment())?)
    }
}
