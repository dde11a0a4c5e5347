//! The prompt of an agent for a chapter, past, present or next, without sending it.

use super::before::BookBefore;
use super::existing::ExistingChapter;
use super::paths::ChapterPaths;
use crate::agents::{ChapterContext, Opinion, Prompt, Prompts, Task};
use crate::domain::ChapterNo;
use crate::domain::book::config::Agent;
use crate::domain::chapter::Chapter;
use crate::domain::chapter::stage::Stage;
use crate::domain::chapter::summary::CrossReference;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::model_call::{Caller, Calls};
use crate::store::{Book, Snapshot, format};

/// The prompt of `agent` for `chapter`: for an accepted chapter from the book as it was before it, for the next one
/// from the book and the draft as they are. Summarizer, refiner and judge read the chapter's text, so there must be one.
/// Fails with [`RunError::NoSuchChapter`] when the chapter has no text yet, [`RunError::NotPlanned`] when it is beyond the
/// outline.
pub fn prompt(book: &Book, chapter: ChapterNo, agent: Agent) -> Result<Prompt, RunError> {
    let now = BookView::new(book.snapshot()?);
    let next = now.checkpoint()?.next_chapter();
    if chapter > next {
        // The changes of the chapters in between are not known yet; without a section there is nothing to show at all.
        let planned = now.plan(chapter)?.is_some();
        let volume = now.checkpoint()?.volume;
        return Err(if planned { RunError::NoSuchChapter(chapter) } else { RunError::NotPlanned { chapter, volume } });
    }
    // A chapter that was written again was told what it found the first time, and nothing that came after it.
    let mut present = None;
    let view = if chapter == next {
        now
    } else {
        let commit = book.chapter_commit(chapter)?.ok_or(RunError::NoSuchChapter(chapter))?;
        let transaction = book.transaction(commit)?;
        if transaction.replaces().is_some() {
            present = ExistingChapter::of(book, &now, chapter)?;
        }
        BookView::new(book.snapshot_of(transaction.parent.ok_or(RunError::NoSuchChapter(chapter))?)?)
    };
    let (context, prompts) = (view.writer_context(book, chapter)?, view.prompts()?);
    let context = match &present {
        Some(present) => present.context_of(context),
        None => context,
    };
    if agent == Agent::Writer {
        return Ok(crate::agents::prompt(&Task::Draft { context: &context }, &prompts)?);
    }
    let written = written(book, chapter, next)?;
    of_text(&view, &context, &prompts, (agent, written.as_ref()))
}

/// The later stages of the next chapter whose prompts do not fit their models, with the error of each.
/// Fails with [`RunError::DoesNotFit`] where the writer's does not.
pub fn without_room(
    book: &Book,
    calls: &Calls<'_>,
    chapter: ChapterNo,
    first: Stage,
) -> Result<Vec<(Stage, RunError)>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let (context, prompts) = (view.writer_context(book, chapter)?, view.prompts()?);
    Caller { calls, work: chapter.into(), prompts: &prompts, config: &context.config }.without_room(&context, first)
}

/// The book or the draft that has the chapter's text.
fn written(book: &Book, chapter: ChapterNo, next: ChapterNo) -> Result<Option<Snapshot<'_>>, RunError> {
    if chapter < next {
        return Ok(book.chapter_commit(chapter)?.map(|commit| book.snapshot_of(commit)).transpose()?);
    }
    Ok(book.draft_tip(chapter)?.map(|tip| book.snapshot_of(tip)).transpose()?)
}

fn of_text(
    view: &BookView<'_>,
    context: &ChapterContext,
    prompts: &Prompts,
    (agent, written): (Agent, Option<&Snapshot<'_>>),
) -> Result<Prompt, RunError> {
    let number = context.chapter;
    let paths = ChapterPaths::of(context.volume, number);
    let read = |path: &str| written.map(|snapshot| snapshot.read(path)).transpose().map(Option::flatten);
    let bytes = read(&paths.text)?.ok_or(RunError::NoSuchChapter(number))?;
    let text = Chapter::from_markdown(number, &String::from_utf8_lossy(&bytes), &context.section.title);
    let page = read(&paths.summary)?.map(|bytes| format::summary::read(number, &bytes)).transpose();
    let page = page.map_err(RunError::of_file(&paths.summary))?;
    let cross_references: Vec<CrossReference> = page.map(|page| page.cross_references).unwrap_or_default();
    let figures;
    let task = match agent {
        Agent::Summarizer => Task::Summarize { context, text: &text, hints: "" },
        Agent::Refiner => Task::Refine { context, text: &text, pass: 1, remarks: &[] },
        Agent::Judge
        | Agent::Writer
        | Agent::StyleAnalyzer
        | Agent::WorldBuilder
        | Agent::CharacterWeaver
        | Agent::PlotArchitect => {
            figures = BookBefore::read(view, context)?.measured(context, &text);
            let cross_references = &cross_references;
            Task::Judge { context, text: &text, cross_references, measured: &figures, opinion: Opinion::First }
        }
    };
    Ok(crate::agents::prompt(&task, prompts)?)
}
