//! The memories of storylines as a function of the chapters.
//! A memory is the summarizer's, so a rollback takes it from the commit of the chapter. After a squash and in a
//! shallow clone there is no such commit: the chapters' own entries in `memory/` tell the events again.

use crate::agents::context::chapter::Memory;
use crate::domain::world::storyline::MAX_MEMORY;
use crate::pipeline::book::chapter_context;
use crate::pipeline::book::files;
use crate::pipeline::prelude::*;
use crate::store;
use crate::store::format::renumber::renumbered;

/// The change after which each memory ends with the last chapter that the chronicle has on its storyline. Empty when all
/// do. Free text of the author's, which names no chapter, stays.
pub(crate) fn restored(book: &Book, view: &BookView<'_>, chronicle: &Chronicle) -> Result<Change, RunError> {
    let mut change = Change::default();
    for name in view.list("storylines")?.into_iter().filter(|name| name.is_dir) {
        let Ok(line) = Slug::new(&name.name) else { continue };
        let told = match chapter_context::memory_of_chapter(view, &line) {
            Err(error @ RunError::Store(_)) => return Err(error),
            // The look at formats tells of an unreadable memory.
            found => found.ok().flatten().and_then(|memory| memory.chapter),
        };
        let on_line = chronicle.chapters().filter(|delta| delta.storyline == line);
        let chapters: Vec<ChapterNo> = on_line.map(|delta| delta.chapter).collect();
        if told.is_none() || told.as_ref() == chapters.last() {
            continue;
        }
        let path = layout::memory(&line);
        change = match replayed(book, view, &line, &chapters)? {
            Some(memory) => change.put(&path, format::summary::write_memory(&memory)),
            None => change.remove(&path),
        };
    }
    Ok(change)
}

/// The newest memory that the history has from the storyline's chapters, with the events of the chapters after it.
fn replayed(book: &Book, view: &BookView<'_>, line: &Slug, chapters: &[ChapterNo]) -> Result<Option<Memory>, RunError> {
    let known = known(book, view, line, chapters)?;
    let Some(&last) = chapters.last() else { return Ok(known) };
    let known = known.unwrap_or_default();
    let mut facts: Vec<String> = Some(known.facts).filter(|facts| !facts.is_empty()).into_iter().collect();
    for &chapter in chapters.iter().filter(|chapter| Some(**chapter) > known.chapter) {
        let told = files::chapter_memory(view, view.volume_of(chapter)?, chapter)?;
        let events = told.map(|told| told.entry.events).unwrap_or_default();
        if !events.is_empty() {
            facts.push(format!("第{}章：{}。", chapter.get(), events.join("；")));
        }
    }
    let page = files::summary(view, view.volume_of(last)?, last)?;
    let status = page.map(|page| page.line_status).unwrap_or_default();
    Ok(Some(Memory { chapter: Some(last), status, facts: newest(&facts.join("\n")).to_owned() }))
}

/// The newest memory of the storyline before or after one of the chapters, by the commits that the content comes from, with the numbers
/// that the chapters have now.
fn known(book: &Book, view: &BookView<'_>, line: &Slug, chapters: &[ChapterNo]) -> Result<Option<Memory>, RunError> {
    let mut since: Vec<Renumbering> = Vec::new();
    for commit in store::provenance::content_line(book, view.commit_id())? {
        let memory = chapter_context::memory_of_chapter(&BookView::new(book.snapshot_of(commit)?), line).ok().flatten();
        let now = |chapter: ChapterNo| Renumbering::of_all(since.iter().rev(), chapter);
        let fits = |memory: &Memory| {
            memory.chapter.is_none_or(|chapter| now(chapter).is_some_and(|now| chapters.contains(&now)))
        };
        if let Some(memory) = memory.filter(fits) {
            let place = BookPath::Memory(line.clone());
            let bytes = since
                .iter()
                .rev()
                .fold(format::summary::write_memory(&memory), |bytes, how| renumbered(&place, &bytes, *how));
            return Ok(format::summary::read_memory(&bytes).ok());
        }
        since.extend(book.transaction(commit)?.renumbers());
    }
    Ok(None)
}

/// The end of the facts that a memory has room for, from the beginning of a line or a sentence.
fn newest(facts: &str) -> &str {
    let over = facts.chars().count().saturating_sub(MAX_MEMORY);
    let Some((cut, _)) = facts.char_indices().nth(over).filter(|_| over > 0) else { return facts };
    let rest = &facts[cut..];
    let marks = ['\n', '。', '；', '！', '？'];
    rest.find(marks).map_or(rest, |at| rest[at..].trim_start_matches(marks))
}
