//! The review of a volume: what was counted, what the plot architect says of it, and what becomes of the state's leftovers
//! (orchestrator chapter §8.2, §8.5).

use crate::agents::planners::plot_architect;
use crate::domain::state::cleanup::{self, Leftover};
use crate::domain::volume::{Judgement, Recommendation};
use crate::domain::workflow::Answer;
use crate::pipeline::book::direct_commit;
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::planning_context;
use crate::pipeline::engine::ask::ASK_AGAIN;
use crate::pipeline::planning::draft::{Closing, PlanDraft};
use crate::pipeline::planning::step::{self, Existing};
use crate::pipeline::planning::volume_figures::{VolumeFigures, leftovers, written};
use crate::pipeline::prelude::*;
use crate::pipeline::quality;
use crate::pipeline::workflow;
use std::cell::Cell;

/// Trailer of a review: how the book should go on.
const PROGRESS: &str = "Novel-Progress";
/// A volume's review as it is in the book.
#[derive(Debug, Clone, PartialEq)]
pub struct Reviewed {
    pub volume: VolumeNo,
    /// `review.md`.
    pub text: String,
    /// The judgement; `None` for a review without one, by the author's own hand for one.
    pub judgement: Option<Judgement>,
}

pub fn reviewed(book: &Book, volume: VolumeNo) -> Result<Option<Reviewed>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let Some(text) = view.bytes(&layout::review(volume))? else { return Ok(None) };
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok(Some(Reviewed { volume, text, judgement: files::judgement(&view, volume)? }))
}

/// The same, unless the volume has chapters that the review has not seen. Reads only.
pub fn current(book: &Book, volume: VolumeNo) -> Result<Option<Reviewed>, RunError> {
    if BookView::new(book.snapshot()?).is_reviewed(volume)? { reviewed(book, volume) } else { Ok(None) }
}

/// The message of a review's commit, and what becomes of the checkpoint.
fn closing(draft: &PlanDraft<'_, '_>, volume: VolumeNo) -> Result<Closing, RunError> {
    let judged = files::judgement(&BookView::new(draft.snapshot()?), volume)?;
    let course = judged.as_ref().map_or(Recommendation::Continue, Judgement::recommended);
    let untidy = judged.is_some_and(|judged| !judged.leftovers.is_empty());
    // Once the next volume is being planned, the leftovers of this one raise no question any more.
    let checkpoint = Box::new(move |before: Checkpoint| {
        let asks = untidy && before.volume == volume && before.phase == Phase::VolumeReview;
        let before = if before.volume == volume { tidy(before) } else { before };
        let pending = before.pending.into_iter().chain(asks.then(|| cleanup::pending(volume))).collect();
        Checkpoint { pending, ..before }
    });
    let trailers = vec![(key::VOLUME, volume.get().to_string()), (PROGRESS, course.to_string())];
    let (kind, subject) = (Kind::Review, Subject::Review(volume));
    Ok(Closing { kind, subject, body: String::new(), trailers, checkpoint })
}

/// Reviews a finished volume, in one commit.
/// Fails with [`RunError::NoSuchVolume`], [`RunError::Unfinished`] and [`RunError::OnTrial`] for a volume that is not at its
/// end; the [`RunError`] of a model that does not answer.
pub async fn review_volume(run: &Run<'_>, volume: VolumeNo, existing: Existing) -> Result<Done, RunError> {
    // A run may have died between the last chapter and its brief, of which the review tells.
    quality::write_quality_brief(run)?;
    let request = if existing == Existing::Replaced { "again" } else { "" };
    let taken = step::take_step(
        run,
        Work::Review(volume),
        request,
        |book| ready(book, volume),
        async |draft| {
            if !draft.has(PlanStage::Review)? {
                let view = BookView::new(draft.snapshot()?);
                let figures = VolumeFigures::of(run.session.book(), &view, volume)?;
                let (context, lines, tried) = (planning_context::of_book(&view)?, figures.figures(), Cell::new(0));
                // When nothing can be made of the last answer either, the review does without: the figures stand, and the author
                // decides how the book goes on.
                let read = |reply: &str| match plot_architect::read_review(reply) {
                    Ok(reading) => Ok(Some(reading)),
                    Err(fault) if tried.replace(tried.get() + 1) < ASK_AGAIN => Err(fault),
                    Err(_) => Ok(None),
                };
                let task = Task::Review { context: &context, volume, figures: &lines };
                draft.ask(PlanStage::Review, &task, read, |reading| Ok(figures.change(&context, reading))).await?;
            }
            closing(draft, volume)
        },
    );
    taken.await?.plain()
}

/// Takes the leftovers that the review has listed out of the state, unless something has mentioned them since.
/// Fails with [`RunError::NothingToDecide`] when the volume has no such list; when the commit cannot be made.
pub fn clean(run: &Run<'_>, volume: VolumeNo) -> Result<Done, RunError> {
    hand_edits::commit_local_changes(run)?;
    let book = run.session.book();
    let view = BookView::new(book.snapshot()?);
    let listed = files::judgement(&view, volume)?.ok_or(RunError::NothingToDecide)?.leftovers;
    let outline = view.outline(volume)?.unwrap_or_default();
    let now = leftovers(&view, volume, &written(&view, volume, &outline)?)?;
    let gone: Vec<Leftover> = listed.into_iter().filter(|left| now.contains(left)).collect();
    let state = format::state::write(&cleanup::swept(&view.state()?, &gone));
    let body: String = gone.iter().map(|left| format!("- {left}\n")).collect();
    let message = Message::new(Kind::Review, Subject::CleanUp(volume, gone.len())).body(body);
    direct_commit::commit_turn(run, Answer::Clean, message, Change::default().put(layout::STATE, state), tidy)
}

/// The state stays as it is, and the question does not come again.
pub fn keep_state(run: &Run<'_>, volume: VolumeNo) -> Result<Done, RunError> {
    direct_commit::commit_turn(
        run,
        Answer::Keep,
        Message::new(Kind::Review, Subject::StateKept(volume)),
        Change::default(),
        tidy,
    )
}

fn tidy(before: Checkpoint) -> Checkpoint {
    let pending = before.pending.into_iter().filter(|entry| *entry != cleanup::pending(before.volume)).collect();
    Checkpoint { pending, ..before }
}

/// Whether the volume is written to its end, all of it and not only on trial.
fn ready(book: &Book, volume: VolumeNo) -> Result<(), RunError> {
    let view = BookView::new(book.snapshot()?);
    // A volume whose outline is missing is told of as that.
    let standing = workflow::standing_in(book, &view)?;
    let range = view.outline(volume)?.and_then(|outline| outline.range());
    let (first, last) = range.ok_or(RunError::NoSuchVolume(volume))?;
    let written = view.checkpoint()?.last_completed;
    if written < last.get() {
        let planned = last.get() + 1 - first.get();
        return Err(RunError::Unfinished { volume, written: (written + 1).saturating_sub(first.get()), planned });
    }
    let is_over = volume < standing.volume_to_plan() && standing.phase != Phase::QuickStart;
    if is_over { Ok(()) } else { Err(RunError::OnTrial(volume)) }
}
