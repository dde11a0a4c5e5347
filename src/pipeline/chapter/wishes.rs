//! The author's wishes for the next chapters: noted in the book, told to the writer and the planner, and used up by the chapters.

use crate::domain::book::wish::{Wish, Wishes};
use crate::pipeline::book::on_disk::plans_on_disk;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::done::Done;
use crate::pipeline::engine::run::Run;
use crate::pipeline::prelude::*;

/// The wishes that are not used up, in the order in which they were made, with the author's edits of the file.
/// Fails when the book cannot be read.
pub fn open(book: &Book) -> Result<Wishes, RunError> {
    let view = plans_on_disk(book)?;
    Ok(view.wishes()?.open_from(view.checkpoint()?.next_chapter()))
}

/// The author's words for a plan that begins with the chapter `first`, followed by the open wishes for its chapters.
/// Fails when the wishes cannot be read.
pub fn with_words_for_plan(view: &BookView<'_>, first: u32, words: &str) -> Result<String, RunError> {
    let first = ChapterNo::new(first).unwrap_or(ChapterNo::FIRST);
    let open = view.wishes()?.open_from(first).wishes.into_iter().map(|wish| {
        let (first, last) = (wish.first_chapter.max(first).get(), wish.last_chapter.get());
        let chapters = if first == last { format!("第{first}章") } else { format!("第{first}–{last}章") };
        format!("{}（{chapters}）", wish.text)
    });
    let words = Some(words.trim().to_owned()).filter(|words| !words.is_empty());
    Ok(words.into_iter().chain(open).collect::<Vec<_>>().join("\n"))
}

impl Run<'_> {
    /// Notes a wish for so many chapters, from the first that has no draft yet on.
    /// Fails when the book cannot be read or the commit cannot be made.
    pub fn wish(&self, text: &str, chapters: u32) -> Result<(Wish, Done), RunError> {
        self.commit_local_changes()?;
        let book = self.session.book();
        let view = BookView::new(book.snapshot()?);
        let next = view.checkpoint()?.next_chapter();
        let drafted = book.drafts()?.into_iter().filter_map(|(work, _)| match work {
            Work::Chapter(chapter) if chapter >= next => Some(chapter.next()),
            _ => None,
        });
        let first_chapter = drafted.max().unwrap_or(next);
        let last = first_chapter.get().saturating_add(chapters.saturating_sub(1));
        let last_chapter = ChapterNo::new(last).unwrap_or(first_chapter);
        let wish = Wish { text: text.to_owned(), first_chapter, last_chapter };
        // Those that are used up stay: a rollback or a rewriting wants them again.
        let mut wishes = view.wishes()?;
        wishes.wishes.push(wish.clone());
        let done = self.change_wishes(&view, &wishes, Subject::Wish(text.to_owned()), text)?;
        Ok((wish, done))
    }

    /// Takes back an open wish, by its number in [`open`] from 1; `None` where there is no such wish.
    /// Fails when the book cannot be read or the commit cannot be made.
    pub fn take_wish_back(&self, number: u32) -> Result<Option<Done>, RunError> {
        self.commit_local_changes()?;
        let view = BookView::new(self.session.book().snapshot()?);
        let (mut wishes, next) = (view.wishes()?, view.checkpoint()?.next_chapter());
        let mut open = wishes.wishes.iter().enumerate().filter(|(_, wish)| wish.is_open(next));
        let Some((at, _)) = open.nth(usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1)) else {
            return Ok(None);
        };
        let Wish { text, .. } = wishes.wishes.remove(at);
        self.change_wishes(&view, &wishes, Subject::WishTakenBack(text.clone()), &text).map(Some)
    }

    fn change_wishes(
        &self,
        view: &BookView<'_>,
        wishes: &Wishes,
        subject: Subject,
        request: &str,
    ) -> Result<Done, RunError> {
        let previous = view.bytes(layout::WISHES)?;
        let bytes = (!wishes.wishes.is_empty()).then(|| format::wishes::write(wishes, previous.as_deref()));
        let files = Change::default().put_or_remove(layout::WISHES, bytes);
        self.step((Step::Wish, request), Message::new(Kind::Config, subject), files, view)
    }
}
