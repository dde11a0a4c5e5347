//! Chapters that were taken out of the book: as they were before that, and the place to which each comes back.

use crate::pipeline::book::old_number::titles;
use crate::pipeline::prelude::*;
use crate::store;

pub(crate) struct FormerChapter {
    /// The last commit that has it, and its number there.
    pub(crate) commit: CommitId,
    pub(crate) chapter: ChapterNo,
    pub(crate) is_planned: bool,
    /// Its text without the heading, or the title of a planned chapter's section.
    pub(crate) words: String,
}

/// The chapter that the step has taken out, as it was before. `None` where it cannot be found.
pub(crate) fn left_by(book: &Book, step: &Transaction, chapter: ChapterNo) -> Result<Option<FormerChapter>, RunError> {
    let (Some(mut commit), mut chapter) = (step.parent, chapter) else { return Ok(None) };
    let parent = BookView::new(book.snapshot_of(commit)?);
    let has_delta = parent
        .files(layout::DELTAS)?
        .iter()
        .any(|path| matches!(layout::classify(path), Some(BookPath::Delta(_, of)) if of == chapter));
    let is_planned = !has_delta && !parent.contents()?.has(chapter);
    let after = words_at(book, step.id, chapter, is_planned)?;
    loop {
        let words = words_at(book, commit, chapter, is_planned)?;
        if let Some(words) = words.filter(|words| after.as_ref() != Some(words)) {
            return Ok(Some(FormerChapter { commit, chapter, is_planned, words }));
        }
        // The author's own commits, and those of several moves by hand, have the files as the author has put them already.
        let earlier = book.transaction(commit)?;
        let moved = earlier.renumbers().map_or(Some(chapter), |how| how.before(chapter));
        let (Some(before), Some(was)) = (earlier.parent, moved) else { return Ok(None) };
        if earlier.is_ours && earlier.renumbers().is_none() && earlier.kind != Kind::HandEdit {
            return Ok(None);
        }
        (commit, chapter) = (before, was);
    }
}

fn words_at(book: &Book, commit: CommitId, chapter: ChapterNo, is_planned: bool) -> Result<Option<String>, RunError> {
    let view = BookView::new(book.snapshot_of(commit)?);
    if is_planned {
        return Ok(titles(&view)?.remove(&chapter));
    }
    let Some(volume) = view.contents()?.volume_of(chapter) else { return Ok(None) };
    let text = view.chapter_text(volume, chapter)?;
    Ok(text.map(|text| Chapter::from_markdown(chapter, &text, "").body))
}

pub(crate) struct Removal {
    pub(crate) step: CommitId,
    /// The last commit that has the chapter, and its number there.
    pub(crate) before: CommitId,
    pub(crate) number: ChapterNo,
    /// The number under which the chapter comes back.
    pub(crate) place: ChapterNo,
}

/// The step that has taken out the chapter which had the number at the commit. A chapter that came back since, and stood after it, stays
/// after it.
pub(crate) fn removal(book: &Book, chapter: ChapterNo, from: CommitId) -> Result<Option<Removal>, RunError> {
    let mut steps = Vec::new();
    for step in store::history::in_effect(book, |_| false)? {
        if step.renumbers().is_some() && !store::draft::reaches(book, from.oid(), step.id.oid())? {
            steps.push(step);
        }
    }
    let (mut place, mut found, mut later) = (chapter.get(), None, Vec::new());
    for step in steps.iter().rev() {
        let Some(how) = step.renumbers() else { continue };
        match how {
            Renumbering::Remove(at) if found.is_none() && at.get() == place => {
                found = step.parent.map(|before| (step.id, before, at));
            }
            Renumbering::Remove(at) if at.get() >= place => {
                later.extend(left_by(book, step, at)?.map(|left| (left.is_planned, left.words)));
            }
            Renumbering::Insert(at) if at.get() == place && found.is_some() => {
                let mut is_later = false;
                for (is_planned, words) in &later {
                    is_later |= words_at(book, step.id, at, *is_planned)?.as_ref() == Some(words);
                }
                if is_later {
                    continue;
                }
            }
            _ => {}
        }
        place = how.refers(place);
    }
    let place = ChapterNo::new(place);
    let Some(((step, before, number), place)) = found.zip(place) else { return Ok(None) };
    let left = left_by(book, &book.transaction(step)?, number)?;
    let (before, number) = left.map_or((before, number), |left| (left.commit, left.chapter));
    Ok(Some(Removal { step, before, number, place }))
}

/// True when the sections of the last chapters, whose texts are gone, and no others, have left the outlines too.
pub(crate) fn sections_left(book: &Book, base: &BookView<'_>, gone: &[Chapter]) -> Result<bool, RunError> {
    if gone.is_empty() {
        return Ok(false);
    }
    let (mut was, mut now) = (titles(base)?.into_values().collect::<Vec<_>>(), Vec::new());
    for volume in base.volumes()? {
        let outline = outline_on_disk(book, &layout::outline(volume))?.unwrap_or_default();
        now.extend(outline.sections.into_iter().map(|section| section.title));
    }
    let first =
        was.iter().rposition(|title| !now.contains(title)).map_or(0, |last| (last + 1).saturating_sub(gone.len()));
    let left: Vec<String> = was.drain(first..(first + gone.len()).min(was.len())).collect();
    Ok(was == now && left.iter().eq(gone.iter().map(|text| &text.title)))
}

pub(crate) fn outline_on_disk(book: &Book, path: &str) -> Result<Option<Outline>, RunError> {
    let bytes = book.on_disk(path)?;
    Ok(bytes.and_then(|bytes| Outline::form(&String::from_utf8_lossy(&bytes)).ok()).map(|(outline, _)| outline))
}
