//! Writing some chapters by number: what is there is used, what is missing is written, and on demand written again.

use crate::domain::chapter::stage::Pause;
use crate::llm::Fault;
use crate::pipeline::book::hand_edits::{self, MissingChapters, with_edits};
use crate::pipeline::book::on_disk::{refuse_unsound, settled_edits};
use crate::pipeline::chapter::draft::{self, ChapterDraft};
use crate::pipeline::chapter::preview::foreseen;
use crate::pipeline::chapter::run::Outcome;
use crate::pipeline::chapter::{self, decide};
use crate::pipeline::engine::event::Accepted;
use crate::pipeline::planning::own_contract;
use crate::pipeline::prelude::*;
use crate::store;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOrder {
    pub chapters: BTreeSet<ChapterNo>,
    /// Whether those that are in the book are written again.
    pub force: bool,
    /// Whether the run goes on after a chapter that could not be written.
    pub keep_going: bool,
    /// The author's wish for those that are written again; may be empty.
    pub wish: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlannedAction {
    Reuse,
    Again,
    /// It comes next once those before it in the order are written.
    New,
    /// Chapters between the book and it are neither written nor ordered; the first of them.
    Lacks(ChapterNo),
    /// No outline has it.
    Unplanned,
    /// It has been taken out of the book, and later ones are there.
    Gone,
}

#[derive(Debug)]
pub enum ChapterOutcome {
    Reused,
    Accepted(Box<Accepted>),
    Paused(Pause),
    Failed(RunError),
    /// It was not tried: this chapter has to be there first.
    Skipped(ChapterNo),
}

/// The action planned for each chapter of an order, with the author's changes. Reads only.
/// Fails as the run does before it asks a model for the first of them.
pub fn foreseen_needs(book: &Book, order: &WriteOrder) -> Result<Vec<(ChapterNo, PlannedAction)>, RunError> {
    let needs = needs(&with_edits(book, &settled_edits(book)?)?, order)?;
    match needs.iter().find(|(_, need)| *need != PlannedAction::Reuse) {
        Some((_, PlannedAction::Again)) => refuse_unsound(book, MissingChapters::Stop)?,
        Some((_, PlannedAction::New)) => foreseen(book)?.stops.map_or(Ok(()), Err)?,
        _ => {}
    }
    Ok(needs)
}

/// The action planned for each chapter of an order. Reads only.
/// Fails when an outline has mistakes.
pub fn needs(view: &BookView<'_>, order: &WriteOrder) -> Result<Vec<(ChapterNo, PlannedAction)>, RunError> {
    let mut next = view.checkpoint()?.next_chapter();
    let contents = view.contents()?;
    let mut needs = Vec::new();
    for &chapter in &order.chapters {
        let need = if chapter < contents.next() && !contents.has(chapter) {
            PlannedAction::Gone
        } else if chapter < next {
            if order.force { PlannedAction::Again } else { PlannedAction::Reuse }
        } else if view.plan(chapter)?.is_none() {
            PlannedAction::Unplanned
        } else if chapter > next {
            PlannedAction::Lacks(next)
        } else {
            next = next.next();
            PlannedAction::New
        };
        needs.push((chapter, need));
    }
    Ok(needs)
}

/// Whether another chapter may succeed where one has failed so: what it was asked, and not whether it could be asked.
fn is_of_the_chapter(error: &RunError) -> bool {
    match error {
        RunError::Model { source, .. } => !matches!(
            source.fault.cause(),
            Fault::Unauthorized { .. } | Fault::Forbidden { .. } | Fault::SpendLimit { .. } | Fault::Billing { .. }
        ),
        RunError::BrokenOff { source, .. } => is_of_the_chapter(source),
        RunError::Unusable { .. }
        | RunError::DoesNotFit { .. }
        | RunError::NotPlanned { .. }
        | RunError::ChapterGone(_)
        | RunError::NoSuchChapter(_) => true,
        RunError::Format { .. } | RunError::Outline { .. } | RunError::Missing { .. } => true,
        _ => false,
    }
}

impl Run<'_> {
    /// Finishes chapters that are being written again. One that waits for the author comes back.
    pub(crate) async fn finish_again(&self) -> Result<Option<(ChapterNo, Pause)>, RunError> {
        while let Some(chapter) = decide::written_again(self)? {
            if let Outcome::Paused { chapter, pause } = chapter::run::write_chapter(self, chapter).await? {
                return Ok(Some((chapter, pause)));
            }
        }
        Ok(None)
    }
}

/// Writes the chapters of the order, the earliest first. An order that is given again after an interruption is finished;
/// `store::pending_command::end_pending` says that its end has been told.
pub async fn write_ordered(run: &Run<'_>, order: &WriteOrder) -> Result<Vec<(ChapterNo, ChapterOutcome)>, RunError> {
    // An outline that the author has just saved says what is planned.
    run.settled_next()?;
    let view = BookView::new(run.session.book().snapshot()?);
    let needs = needs(&view, order)?;
    if !order.keep_going {
        refuse(&needs)?;
    }
    let done: BTreeSet<ChapterNo> = if order.force {
        let done = store::pending_command::begin_pending(run.session, &order.words())?;
        done.iter().filter_map(Transaction::accepts).collect()
    } else {
        BTreeSet::new()
    };
    let mut fates: Vec<(ChapterNo, ChapterOutcome)> = Vec::new();
    // The first new chapter that could not be written: no later one can be.
    let mut missing: Option<ChapterNo> = None;
    let of = u32::try_from(needs.len()).unwrap_or(u32::MAX);
    for (number, (chapter, need)) in (1..).zip(needs) {
        run.tell(Event::Turn { number, of });
        if run.calls.stop.asked() {
            return Err(RunError::Interrupted);
        }
        let result = match (need, missing) {
            (PlannedAction::Lacks(first), _) | (PlannedAction::New, Some(first)) => Ok(ChapterOutcome::Skipped(first)),
            (PlannedAction::Gone, _) => Err(RunError::ChapterGone(chapter)),
            (PlannedAction::Unplanned, _) => Err(chapter::run::unplanned(run, chapter, view.checkpoint()?.volume)?),
            (PlannedAction::Again, _) if !done.contains(&chapter) => again(run, chapter, &order.wish).await,
            (PlannedAction::Again | PlannedAction::Reuse, _) => {
                run.tell(Event::Reused { chapter });
                Ok(ChapterOutcome::Reused)
            }
            (PlannedAction::New, None) => match run.finish_again().await? {
                Some((other, pause)) => {
                    fates.push((other, ChapterOutcome::Paused(pause)));
                    return Ok(fates);
                }
                None => chapter::run::write_chapter(run, chapter).await.map(ChapterOutcome::from),
            },
        };
        let fate = match result {
            Ok(fate) => fate,
            Err(error) if order.keep_going && is_of_the_chapter(&error) => {
                run.tell(Event::Warning { work: chapter.into(), warning: Warning::NotWritten });
                ChapterOutcome::Failed(error)
            }
            Err(error) => return Err(error),
        };
        if need == PlannedAction::New && matches!(fate, ChapterOutcome::Failed(_)) {
            missing = missing.or(Some(chapter));
        }
        let paused = matches!(fate, ChapterOutcome::Paused(_));
        fates.push((chapter, fate));
        if paused {
            break;
        }
    }
    Ok(fates)
}

/// Writes a chapter of the book again. A draft that was begun for another wish is put aside.
async fn again(run: &Run<'_>, chapter: ChapterNo, wish: &str) -> Result<ChapterOutcome, RunError> {
    let chapter_draft = draft_for(run, chapter, wish)?;
    draft::note_wish(&chapter_draft, wish)?;
    chapter::run::carry_through(run, chapter_draft).await.map(ChapterOutcome::from)
}

/// Opens the draft of a chapter of the book for that wish. One that was begun for another is put aside.
pub(super) fn draft_for<'a, 'b>(
    run: &'a Run<'b>,
    chapter: ChapterNo,
    wish: &str,
) -> Result<ChapterDraft<'a, 'b>, RunError> {
    hand_edits::commit_local_changes(run)?;
    hand_edits::reconcile(run)?;
    if BookView::new(run.session.book().snapshot()?).contents()?.has(chapter) {
        own_contract::follow_section(run, chapter)?;
    }
    let chapter_draft = ChapterDraft::open(run, chapter)?;
    if draft::is_for(&chapter_draft, wish)? {
        return Ok(chapter_draft);
    }
    chapter_draft.session.abandon()?;
    ChapterDraft::open(run, chapter)
}

impl From<Outcome> for ChapterOutcome {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Accepted(accepted) => Self::Accepted(Box::new(accepted)),
            Outcome::Paused { pause, .. } => Self::Paused(pause),
        }
    }
}

impl WriteOrder {
    /// The order in words: two in the same words are the same.
    pub fn words(&self) -> String {
        let chapters: Vec<String> = self.chapters.iter().map(ChapterNo::to_string).collect();
        format!("write again {}\n{}", chapters.join(" "), self.wish.trim())
    }
}

/// Refuses an order that cannot be carried out as a whole.
fn refuse(needs: &[(ChapterNo, PlannedAction)]) -> Result<(), RunError> {
    for &(chapter, need) in needs {
        if let PlannedAction::Lacks(first) = need {
            return Err(RunError::NotNext { chapter, first });
        }
    }
    Ok(())
}
