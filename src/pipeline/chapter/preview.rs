//! What an agent is told for a chapter, past, present or next, without telling it to anybody.

use super::draft::Places;
use super::existing::Present;
use super::measure::measured;
use crate::agents::{Material, Prompt, Prompts, Task};
use crate::domain::ChapterNo;
use crate::domain::book::config::Agent;
use crate::domain::chapter::Chapter;
use crate::domain::chapter::summary::CrossReference;
use crate::pipeline::book::view::Shelf;
use crate::pipeline::engine::error::Halt;
use crate::store::{Book, Snapshot, format};

/// The prompt of `agent` for `chapter`: for an accepted chapter from the book as it was before it, for the next one
/// from the book and the draft as they are. Summarizer, refiner and judge read the chapter's text, so there must be one.
///
/// # Errors
/// [`Halt::NoSuchChapter`] when the chapter has no text yet, [`Halt::NotPlanned`] when it is beyond the outline.
pub fn prompt(book: &Book, chapter: ChapterNo, agent: Agent) -> Result<Prompt, Halt> {
    let now = book.snapshot()?;
    let next = Shelf::new(&now).checkpoint()?.next_chapter();
    if chapter > next {
        // What the chapters in between will change is not known yet; without a section there is nothing to show at all.
        let shelf = Shelf::new(&now);
        let planned = shelf.plan(chapter)?.is_some();
        let volume = shelf.checkpoint()?.volume;
        return Err(if planned { Halt::NoSuchChapter(chapter) } else { Halt::NotPlanned { chapter, volume } });
    }
    // A chapter that was written again was told what it found the first time, and nothing that came after it.
    let mut present = None;
    let before = if chapter == next {
        now
    } else {
        let commit = book.chapter_commit(chapter)?.ok_or(Halt::NoSuchChapter(chapter))?;
        let transaction = book.transaction(commit)?;
        if transaction.replaces().is_some() {
            present = Present::of(book, &Shelf::new(&now), chapter)?;
        }
        book.snapshot_of(transaction.parent.ok_or(Halt::NoSuchChapter(chapter))?)?
    };
    let shelf = Shelf::new(&before);
    let (material, prompts) = (shelf.material(chapter)?, shelf.prompts()?);
    let material = match &present {
        Some(present) => present.material(material),
        None => material,
    };
    if agent == Agent::Writer {
        return Ok(crate::agents::prompt(&Task::Draft { material: &material }, &prompts)?);
    }
    let written = written(book, chapter, next)?;
    of_text(&material, &prompts, agent, chapter, written.as_ref())
}

/// The book or the draft that has the chapter's text.
fn written(book: &Book, chapter: ChapterNo, next: ChapterNo) -> Result<Option<Snapshot<'_>>, Halt> {
    if chapter < next {
        return Ok(book.chapter_commit(chapter)?.map(|commit| book.snapshot_of(commit)).transpose()?);
    }
    Ok(book.draft_tip(chapter)?.map(|tip| book.snapshot_of(tip)).transpose()?)
}

fn of_text(
    material: &Material,
    prompts: &Prompts,
    agent: Agent,
    number: ChapterNo,
    written: Option<&Snapshot<'_>>,
) -> Result<Prompt, Halt> {
    let places = Places::of(material.volume, number);
    let read = |path: &str| written.map(|snapshot| snapshot.read(path)).transpose().map(Option::flatten);
    let bytes = read(&places.text)?.ok_or(Halt::NoSuchChapter(number))?;
    let text = Chapter::from_markdown(number, &String::from_utf8_lossy(&bytes), &material.section.title);
    let page = read(&places.summary)?.map(|bytes| format::summary::read(number, &bytes)).transpose();
    let page = page.map_err(Halt::of_file(&places.summary))?;
    let cross_references: Vec<CrossReference> = page.map(|page| page.cross_references).unwrap_or_default();
    let figures = measured(material, &text);
    let task = match agent {
        Agent::Summarizer => Task::Summarize { material, text: &text, hints: "" },
        Agent::Refiner => Task::Refine { material, text: &text, pass: 1, remarks: &[] },
        Agent::Judge
        | Agent::Writer
        | Agent::StyleAnalyzer
        | Agent::WorldBuilder
        | Agent::CharacterWeaver
        | Agent::PlotArchitect => {
            let cross_references = &cross_references;
            Task::Judge { material, text: &text, cross_references, measured: &figures, second: false }
        }
    };
    Ok(crate::agents::prompt(&task, prompts)?)
}
