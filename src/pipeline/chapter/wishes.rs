//! The author's wishes for the next chapters: noted in the book, told to the writer and the planner, and used up by the chapters.

use crate::domain::chapter::author_notes::{Wish, Wishes};
use crate::domain::chapter::stage::Stage;
use crate::pipeline::book::direct_commit;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::on_disk::plans_on_disk;
use crate::pipeline::prelude::*;
use crate::store::{self, StageCommit};

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

/// A wish that is in the book now.
#[derive(Debug)]
pub struct Noted {
    pub wish: Wish,
    pub done: Done,
    /// The next chapter, where it has a text already and the wish begins after it.
    pub passed_over: Option<ChapterNo>,
}

/// True for a chapter with a text, or a scene, on its draft or on those of its candidates.
fn is_begun(book: &Book, chapter: ChapterNo) -> Result<bool, RunError> {
    let tip = store::draft::draft_tip(book, chapter)?;
    let has_text = tip.map(|tip| book.snapshot_of(tip)).transpose()?;
    if has_text.is_some_and(|draft| BookView::new(draft).chapter(chapter).is_ok()) {
        return Ok(true);
    }
    let is_scene = |commit: &StageCommit| commit.trailers.read(trailer::STAGE) == Some(Stage::Scene);
    let has_scene = store::draft::draft_records(book, chapter)?.is_some_and(|commits| commits.iter().any(is_scene));
    Ok(has_scene || !store::closing::candidates_of(book, chapter)?.is_empty())
}

/// Notes a wish for so many chapters, from the first that has no text yet on.
/// Fails when the book cannot be read or the commit cannot be made.
pub fn note_wish(run: &Run<'_>, text: &str, chapters: u32) -> Result<Noted, RunError> {
    hand_edits::commit_local_changes(run)?;
    let book = run.session.book();
    let view = BookView::new(book.snapshot()?);
    let next = view.checkpoint()?.next_chapter();
    let mut first_chapter = next;
    while is_begun(book, first_chapter)? {
        first_chapter = first_chapter.next();
    }
    let last = first_chapter.get().saturating_add(chapters.saturating_sub(1));
    let last_chapter = ChapterNo::new(last).unwrap_or(first_chapter);
    let wish = Wish { text: text.to_owned(), first_chapter, last_chapter };
    // Those that are used up stay: a rollback or a rewriting wants them again.
    let mut wishes = view.wishes()?;
    wishes.wishes.push(wish.clone());
    let done = change_wishes(run, &view, &wishes, Subject::Wish(text.to_owned()), text)?;
    Ok(Noted { wish, done, passed_over: (first_chapter > next).then_some(next) })
}

/// Takes back an open wish, by its number in [`open`] from 1; `None` where there is no such wish.
/// Fails when the book cannot be read or the commit cannot be made.
pub fn take_wish_back(run: &Run<'_>, number: u32) -> Result<Option<Done>, RunError> {
    hand_edits::commit_local_changes(run)?;
    let view = BookView::new(run.session.book().snapshot()?);
    let (mut wishes, next) = (view.wishes()?, view.checkpoint()?.next_chapter());
    let mut open = wishes.wishes.iter().enumerate().filter(|(_, wish)| wish.is_open(next));
    let Some((at, _)) = open.nth(usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1)) else {
        return Ok(None);
    };
    let Wish { text, .. } = wishes.wishes.remove(at);
    change_wishes(run, &view, &wishes, Subject::WishTakenBack(text.clone()), &text).map(Some)
}

fn change_wishes(
    run: &Run<'_>,
    view: &BookView<'_>,
    wishes: &Wishes,
    subject: Subject,
    request: &str,
) -> Result<Done, RunError> {
    let previous = view.bytes(layout::WISHES)?;
    let bytes = (!wishes.wishes.is_empty()).then(|| format::write(wishes, previous.as_deref()));
    let files = Change::default().put_or_remove(layout::WISHES, bytes);
    direct_commit::commit_step(run, (Step::Wish, request), Message::new(Kind::Config, subject), files, view)
}
