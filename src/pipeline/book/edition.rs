//! The accepted text of a book, as it goes out.

use super::view::BookView;
use crate::domain::volume::outline::volume_title;
use crate::manuscript::write::{Edition, EditionChapter, EditionVolume};
use crate::pipeline::prelude::*;

/// The accepted chapters in `range` (first and last; `None` for all), in the order of the book.
pub fn edition(book: &Book, range: Option<(ChapterNo, ChapterNo)>) -> Result<Edition, RunError> {
    let view = BookView::new(book.snapshot()?);
    let config = view.config()?;
    let mut volumes: Vec<EditionVolume> = Vec::new();
    for (number, volume) in view.contents()?.iter() {
        if range.is_some_and(|(first, last)| number < first || number > last) {
            continue;
        }
        let file = view.chapter_text(volume, number)?.ok_or(RunError::NoSuchChapter(number))?;
        let chapter = Chapter::from_markdown(number, &file, "");
        // The title as it stands, with marks around it that the book itself makes no use of.
        let heading = file.lines().next().unwrap_or_default();
        let title = heading.strip_prefix(&format!("# 第{}章 ", number.get())).map(|title| title.trim().to_owned());
        let title = title.unwrap_or(chapter.title);
        let chapter = EditionChapter { number: number.get(), title, text: chapter.body };
        match volumes.last_mut().filter(|last| last.number == volume.get()) {
            Some(last) => last.chapters.push(chapter),
            None => volumes.push(EditionVolume {
                number: volume.get(),
                title: title_of(&view, volume)?,
                chapters: vec![chapter],
            }),
        }
    }
    let tip = book.transaction(view.commit_id())?;
    Ok(Edition {
        title: config.title,
        author: config.author,
        id: format!("urn:novel:{}", book.first_commit()?),
        commit: tip.id.to_string(),
        modified: tip.time.seconds,
        cover: None,
        volumes,
    })
}

/// The title in the first line of a volume's outline; empty where there is none. An outline with mistakes has one too.
fn title_of(view: &BookView<'_>, volume: VolumeNo) -> Result<String, RunError> {
    let outline = view.bytes(&layout::outline(volume))?.unwrap_or_default();
    Ok(volume_title(&String::from_utf8_lossy(&outline)))
}
