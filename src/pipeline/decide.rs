//! The author's word on a chapter that waits.

use super::desk::{Desk, Note, Places, records};
use super::halt::Halt;
use super::run::Run;
use super::shelf::Shelf;
use crate::domain::evaluation::Evaluation;
use crate::domain::stage::{Decision, Next, Pause, Progress, Stage};
use crate::domain::{ChapterNo, VolumeNo};
use crate::store::{Book, Change};

/// A chapter that waits for the author.
#[derive(Debug, Clone, PartialEq)]
pub struct Pending {
    /// Which chapter.
    pub chapter: ChapterNo,
    /// Its title.
    pub title: String,
    /// What the judge found.
    pub evaluation: Evaluation,
    /// What may be chosen, the recommended first.
    pub pause: Pause,
    /// The file in `staging/` that the author may change before choosing `edit`.
    pub path: String,
    /// Whether the author has changed it already.
    pub edited: bool,
}

/// The chapter in flight: how far it is, read without a lock.
#[derive(Debug, Clone, PartialEq)]
pub struct InFlight {
    /// Which chapter.
    pub chapter: ChapterNo,
    /// The volume that it is in.
    pub volume: VolumeNo,
    /// Its working title.
    pub title: String,
    /// Whether it is in the book already and is being written again.
    pub again: bool,
    /// How far.
    pub progress: Progress,
    /// What comes next.
    pub next: Next,
}

/// The chapter in flight, if there is one: one that is written again goes before a new one. What no plan knows is not in
/// flight: there is nothing that it could be judged by. Reads only.
///
/// # Errors
/// When the book or the draft cannot be read.
pub fn in_flight(book: &Book) -> Result<Option<InFlight>, Halt> {
    let snapshot = book.snapshot()?;
    let shelf = Shelf::new(&snapshot);
    let open = shelf.checkpoint()?.next_chapter();
    let mut chapters: Vec<ChapterNo> =
        book.drafts()?.into_iter().filter_map(|(work, _)| work.chapter().filter(|chapter| *chapter <= open)).collect();
    chapters.sort_unstable();
    for chapter in chapters {
        let Some(commits) = book.draft_records(chapter)?.filter(|commits| !commits.is_empty()) else { continue };
        let material = match shelf.material(chapter) {
            Err(Halt::NotPlanned { .. }) => continue,
            other => other?,
        };
        let volume = material.volume;
        let progress = Progress::of(&records(book, &commits, &Places::of(volume, chapter))?);
        let next = progress.next(material.manner(), &material.config.gate);
        let (title, again) = (material.section.title, chapter < open);
        return Ok(Some(InFlight { chapter, volume, title, again, progress, next }));
    }
    Ok(None)
}

/// The chapter that waits for the author, if one does. Reads only.
///
/// # Errors
/// When the book or the draft cannot be read.
pub fn pending(book: &Book) -> Result<Option<Pending>, Halt> {
    let Some(flight) = in_flight(book)? else { return Ok(None) };
    let InFlight { chapter, volume, title, again, progress, next: Next::Wait(mut pause) } = flight else {
        return Ok(None);
    };
    let Some(evaluation) = progress.verdict() else { return Ok(None) };
    if again {
        pause.options.push(Decision::Drop);
    }
    let path = Places::of(volume, chapter).text;
    let edited = book.staging_edits()?.iter().any(|edit| edit.path == path && edit.bytes.is_some());
    Ok(Some(Pending { chapter, title, evaluation, pause, path: format!("staging/{path}"), edited }))
}

impl Run<'_> {
    /// The chapter of the book that is being written again, if there is one.
    pub(crate) fn written_again(&self) -> Result<Option<ChapterNo>, Halt> {
        let flight = in_flight(self.session.book())?;
        Ok(flight.filter(|flight| flight.again).map(|flight| flight.chapter))
    }

    /// Writes the author's word down. What follows from it happens at the next `continue`.
    ///
    /// # Errors
    /// [`Halt::NothingToDecide`], [`Halt::NotOffered`], and [`Halt::NotEdited`] for `edit` without an edit.
    pub fn decide(&self, decision: Decision) -> Result<ChapterNo, Halt> {
        if decision == Decision::Drop
            && let Some(chapter) = self.written_again()?
        {
            Desk::open(self, chapter)?.abandon()?;
            return Ok(chapter);
        }
        let pending = pending(self.session.book())?.ok_or(Halt::NothingToDecide)?;
        let chapter = pending.chapter;
        if !pending.pause.allows(decision) {
            return Err(Halt::NotOffered { chapter, decision, pause: pending.pause });
        }
        if decision == Decision::Edit && !pending.edited {
            return Err(Halt::NotEdited { chapter, path: pending.path });
        }
        let desk = Desk::open(self, chapter)?;
        if decision == Decision::Edit {
            desk.take_edit()?;
            desk.show()?;
            return Ok(chapter);
        }
        // When the author has worked on the text and then chosen otherwise, writing the word down takes the work up first:
        // it is what is summarised, judged and accepted, and it stays in the draft's history if it is written over.
        let note = Note { subject: decision.to_string(), decision: Some(decision), ..Note::default() };
        desk.write(Stage::Decision, Change::default(), note)?;
        desk.show()?;
        Ok(chapter)
    }
}
