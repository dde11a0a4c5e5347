//! A text that an editor has saved, or a draft, under the number which its chapter had before chapters were inserted, moved or removed.

use crate::domain::chapter::heading_number;
use crate::domain::renumbering::lines;
use crate::pipeline::engine::error::RenumberError;
use crate::pipeline::prelude::*;
use crate::store;

/// Fails with [`RenumberError::OldNumber`] for a chapter's file that was changed in the folder into the text of another chapter, of which
/// the own file is as it was. A file that the author commits so himself is meant so.
pub(super) fn refuse<'f>(
    book: &Book,
    found: impl Iterator<Item = (ChapterNo, VolumeNo, &'f [u8])>,
) -> Result<(), RunError> {
    let view = BookView::new(book.snapshot()?);
    let read = |chapter, bytes: &[u8]| Chapter::from_markdown(chapter, &String::from_utf8_lossy(bytes), "");
    for (chapter, volume, bytes) in found {
        let path = layout::chapter(volume, chapter);
        let was = view.bytes(&path)?;
        let (text, own) = (read(chapter, bytes), was.as_ref().map(|was| read(chapter, was)));
        // A text that was pasted over another has another number in its heading.
        let is_headed = heading_number(&String::from_utf8_lossy(bytes)) == Some(chapter.get());
        if !is_headed && own.is_some()
            || was.as_deref() == Some(bytes)
            || own.as_ref().is_some_and(|own| own.title == text.title || is_most_of(own, &text))
        {
            continue;
        }
        for (other, volume) in view.contents()?.iter().filter(|(other, _)| *other != chapter) {
            let belongs = layout::chapter(volume, other);
            let Some(bytes) = view.bytes(&belongs)? else { continue };
            let theirs = read(other, &bytes);
            if theirs.title == text.title
                && is_most_of(&theirs, &text)
                && book.on_disk(&belongs)?.as_ref() == Some(&bytes)
            {
                let (root, replaces) = (book.root().to_owned(), own.is_some());
                return Err(RenumberError::OldNumber { path, belongs, chapter: other, replaces, root }.into());
            }
        }
    }
    Ok(())
}

/// An open draft whose number is another chapter's by now, as after a sync: told by the titles in the outlines.
pub(crate) fn draft_of_other(book: &Book) -> Result<Option<Work>, RunError> {
    let mut now = None;
    for (work, tip) in store::closing::drafts(book)? {
        let (Some(chapter), Some(begin)) = (work.chapter(), store::draft::begin_of(book, tip.oid())?) else { continue };
        let then = titles(&BookView::new(book.snapshot_of(begin.into())?))?;
        let now = match &mut now {
            Some(now) => now,
            now => now.insert(titles(&BookView::new(book.snapshot()?))?),
        };
        let is_elsewhere = |title: &String, all: &BTreeMap<ChapterNo, String>| all.values().any(|other| other == title);
        if let (Some(was), Some(is)) = (then.get(&chapter), now.get(&chapter))
            && was != is
            && (is_elsewhere(was, now) || is_elsewhere(is, &then))
        {
            return Ok(Some(work));
        }
    }
    Ok(None)
}

/// The titles of sections. An outline with mistakes has none.
pub(super) fn titles(view: &BookView<'_>) -> Result<BTreeMap<ChapterNo, String>, RunError> {
    let sections = |volume| view.outline(volume).ok().flatten().unwrap_or_default().sections;
    let sections = view.volumes()?.into_iter().flat_map(sections);
    Ok(sections.map(|section| (section.chapter, section.title)).collect())
}

/// True when at least half of the lines of one text are in the other.
fn is_most_of(one: &Chapter, other: &Chapter) -> bool {
    let (one, other) = (lines(&one.body), lines(&other.body));
    !one.is_empty() && one.intersection(&other).count() * 2 >= one.len()
}
