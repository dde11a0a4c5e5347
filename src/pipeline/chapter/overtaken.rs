//! Texts of the author's own at the place of a chapter whose draft is open: committed with plain git, or in the folder still.

use super::paths::ChapterPaths;
use crate::domain::chapter::heading_number;
use crate::pipeline::book::kept::{Kept, KeptThing};
use crate::pipeline::book::view::BookView;
use crate::pipeline::prelude::*;
use crate::store::format::lossy_text;

/// A text of the author's own, which is the chapter of an open draft or may become that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnText {
    pub chapter: ChapterNo,
    pub path: String,
    /// The title in its heading; may be empty.
    pub title: String,
    /// Another chapter's number in its heading.
    pub headed: Option<u32>,
    /// Whether it is in the book. The draft is put aside by the next command that writes.
    pub committed: bool,
}

/// The author's own texts at the places of open drafts. Reads only.
pub fn own_texts(book: &Book) -> Result<Vec<OwnText>, RunError> {
    let drafts = book.draft_branches()?;
    if drafts.is_empty() {
        return Ok(Vec::new());
    }
    let view = BookView::new(book.snapshot()?);
    let (overtaken, next) = (book.overtaken_drafts()?, view.next_chapter().ok().flatten());
    let mut own = Vec::new();
    for chapter in drafts.keys().filter_map(|work| work.chapter()) {
        let of_next = next.as_ref().filter(|next| next.number == chapter).map(|next| next.volume);
        let (path, bytes, committed) = if overtaken.contains(&chapter) {
            let path = ChapterPaths::of(view.volume_of(chapter)?, chapter).text;
            (path.clone(), view.bytes(&path)?, true)
        } else if let Some(volume) = of_next {
            let path = ChapterPaths::of(volume, chapter).text;
            (path.clone(), book.on_disk(&path)?, false)
        } else {
            continue;
        };
        let Some(bytes) = bytes else { continue };
        let text = lossy_text(bytes);
        let headed = heading_number(&text).filter(|number| *number != chapter.get());
        let title = Chapter::from_markdown(chapter, &text, "").title;
        own.push(OwnText { chapter, path, title, headed, committed });
    }
    Ok(own)
}

/// A text of the author's own that a kept draft would take the place of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    pub chapter: ChapterNo,
    /// The title of the draft.
    pub title: String,
    /// The title of the author's text.
    pub own: String,
    pub path: String,
}

/// The author's own text that the kept draft would take the place of once it is accepted; `None` for anything else.
pub fn replaced_by(book: &Book, kept: &Kept) -> Result<Option<Replaced>, RunError> {
    let KeptThing::Draft(Work::Chapter(was)) = kept.thing else { return Ok(None) };
    let Some(chapter) = book.number_now(was, kept.commit)? else { return Ok(None) };
    let (tip, view) = (book.tip()?, BookView::new(book.snapshot()?));
    let is_own = view.contents()?.has(chapter)
        && book.is_new_since(was, kept.commit)?
        && book.accepted_at(chapter, tip)?.is_none();
    if !is_own {
        return Ok(None);
    }
    let title = BookView::new(book.snapshot_of(kept.commit)?).chapter(was).map(|draft| draft.title).unwrap_or_default();
    let path = ChapterPaths::of(view.volume_of(chapter)?, chapter).text;
    Ok(Some(Replaced { chapter, title, own: view.chapter(chapter)?.title, path }))
}
