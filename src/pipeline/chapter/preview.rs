//! The prompt of an agent for a chapter, past, present or next, without sending it.

use crate::agents::{Opinion, Prompt, Prompts};
use crate::domain::chapter::summary::CrossReference;
use crate::pipeline::book::chapter_context;
use crate::pipeline::book::earlier_passages;
use crate::pipeline::book::hand_edits::{change_of, with_edits};
use crate::pipeline::book::on_disk::{settled_edits, usable_edits};
use crate::pipeline::book::rearranged;
use crate::pipeline::chapter::before::BookBefore;
use crate::pipeline::chapter::draft::{has_other_contract, refuse_obstructions};
use crate::pipeline::chapter::existing::ExistingChapter;
use crate::pipeline::chapter::run::{refuse_with_candidates, require_decided};
use crate::pipeline::engine::model_call::{Caller, Calls};
use crate::pipeline::planning::follow;
use crate::pipeline::prelude::*;
use crate::pipeline::rebuild::outdated;
use crate::store;

/// The prompt of `agent` for `chapter`: for an accepted chapter from the book as it was before it, for the next one
/// from the book and the draft as they are. Summarizer, refiner and judge read the chapter's text, so there must be one.
/// Fails with [`RunError::NoSuchChapter`] when the chapter has no text yet, [`RunError::NotPlanned`] when it is beyond the
/// outline.
pub fn prompt(book: &Book, chapter: ChapterNo, agent: Agent) -> Result<Prompt, RunError> {
    let now = BookView::new(book.snapshot()?);
    let next = now.checkpoint()?.next_chapter();
    let now = if chapter == next { foreseen(book)?.view } else { now };
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
    let (context, prompts) = (earlier_passages::writer_context(&view, book, chapter)?, view.prompts()?);
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

/// The book as the next run will have it when it writes the next chapter.
pub struct Foreseen<'b> {
    /// With the author's changes, and contracts and plot threads that follow from them.
    pub view: BookView<'b>,
    /// The number of contracts that are derived again.
    pub contracts: usize,
    /// The error by which the run would stop before it asks a model.
    pub stops: Option<RunError>,
}

/// The book that the next chapter is written on, with the author's uncommitted changes. Reads only.
/// Fails as the run would where a file cannot be read.
pub fn foreseen(book: &Book) -> Result<Foreseen<'_>, RunError> {
    let of = |view, stops| Ok(Foreseen { view, contracts: 0, stops });
    let edits = match settled_edits(book) {
        Ok(edits) => edits,
        Err(error) => match usable_edits(book) {
            Ok(edits) => return of(with_edits(book, &edits)?, Some(error)),
            Err(_) => return Err(error),
        },
    };
    let view = with_edits(book, &edits)?;
    let chapter = view.checkpoint()?.next_chapter();
    let outdated = outdated::outdated(book, &view)?;
    let waits = || refuse_with_candidates(book, chapter);
    if let Err(error) = rearranged::refuse_outdated(book, &outdated).and_then(|()| waits()) {
        return of(view, Some(error));
    }
    let Some(planned) = view.plan(chapter)? else { return of(view, None) };
    let decided = require_decided(book, &view, chapter, &planned);
    if let Err(error) =
        decided.and_then(|()| refuse_obstructions(book, &chapter_context::of_chapter(&view, chapter)?, None))
    {
        return of(view, Some(error));
    }
    let (change, contracts) = match follow::foreseen(book, &view, planned.0) {
        Err(error) => return of(view, Some(error)),
        Ok((change, 0)) if change == Change::default() => return of(view, None),
        Ok(foreseen) => foreseen,
    };
    let view = BookView::new(store::change::snapshot_with(book, &change_of(book, &edits)?.and(change))?);
    let is_other = contracts > 0 && has_other_contract(book, &chapter_context::of_chapter(&view, chapter)?)?;
    Ok(Foreseen { view, contracts, stops: is_other.then_some(RunError::DraftUnderOther(chapter)) })
}

/// The prompts of the next chapter.
pub struct NextPrompts {
    pub writer: Prompt,
    /// The later stages whose prompts do not fit their models, with the error of each.
    pub without_room: Vec<(Stage, RunError)>,
}

/// The prompts of the next chapter on the book that `view` has. Only a chapter that begins, with `first`, is asked whether all
/// its prompts fit. Fails with [`RunError::DoesNotFit`] where the writer's does not.
pub fn next_prompts(
    book: &Book,
    view: &BookView<'_>,
    calls: &Calls<'_>,
    first: Option<Stage>,
) -> Result<NextPrompts, RunError> {
    let chapter = view.checkpoint()?.next_chapter();
    let (context, prompts) = (earlier_passages::writer_context(view, book, chapter)?, view.prompts()?);
    let writer = crate::agents::prompt(&Task::Draft { context: &context }, &prompts)?;
    let caller = Caller { calls, work: chapter.into(), prompts: &prompts, config: &context.config };
    let without_room = first.map(|first| caller.without_room(&context, first)).transpose()?.unwrap_or_default();
    Ok(NextPrompts { writer, without_room })
}

/// The book or the draft that has the chapter's text.
fn written(book: &Book, chapter: ChapterNo, next: ChapterNo) -> Result<Option<Snapshot<'_>>, RunError> {
    if chapter < next {
        return Ok(book.chapter_commit(chapter)?.map(|commit| book.snapshot_of(commit)).transpose()?);
    }
    Ok(store::draft::draft_tip(book, chapter)?.map(|tip| book.snapshot_of(tip)).transpose()?)
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
