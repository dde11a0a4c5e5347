//! Chapters one after the other, each from its first stage until it is a commit of the book or waits for the author.

use crate::domain::chapter::Gate;
use crate::domain::chapter::stage::{Next, Pause, Progress};
use crate::domain::workflow::{BookQuestion, InPlanning, NextStep};
use crate::pipeline::book::chapter_context;
use crate::pipeline::book::going_back;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::migrate;
use crate::pipeline::book::rearranged;
use crate::pipeline::chapter::accept;
use crate::pipeline::chapter::attempt;
use crate::pipeline::chapter::decide::{Pending, pending};
use crate::pipeline::chapter::draft::{self, ChapterDraft, has_other_contract};
use crate::pipeline::chapter::texts;
use crate::pipeline::checks::consistency;
use crate::pipeline::engine::error::LineError;
use crate::pipeline::engine::event::Accepted;
use crate::pipeline::planning::approval;
use crate::pipeline::planning::follow::{self, OwnContract};
use crate::pipeline::planning::style;
use crate::pipeline::prelude::*;
use crate::pipeline::quality;
use crate::pipeline::rebuild::outdated;
use crate::pipeline::recall;
use crate::pipeline::workflow;
use crate::store;
use crate::text::consistency::Inconsistency;
use futures_util::future;

#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Accepted(Accepted),
    Paused {
        chapter: ChapterNo,
        /// Why, and what may be chosen.
        pause: Pause,
    },
}

/// The end of a chapter's stages.
enum StagesEnd {
    Passed { gate: Gate, progress: Box<Progress> },
    Waits(Pause),
}

/// The outcome of the check of the last ten chapters.
pub(super) enum AfterCheck {
    /// A chapter waits for the author because of it.
    Waits(ChapterNo, Pause),
    /// So many contradictions are left.
    Left(usize),
}

/// How far a run goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// So many chapters more.
    Count(u32),
    Until(ChapterNo),
    /// To the end of the volume that the next chapter is in.
    Volume,
}

/// Refuses a planned chapter as long as something waits that it depends on: changed rules or contracts, another plan of its
/// volume, or the review of the volume before.
pub(super) fn require_decided(
    book: &Book,
    view: &BookView<'_>,
    chapter: ChapterNo,
    planned: &(VolumeNo, Outline),
) -> Result<(), RunError> {
    if approval::waiting(book)?.is_some() {
        return Err(RunError::ChangesWait);
    }
    let plan = workflow::in_planning(book)?.filter(|plan| plan.waits && !plan.trial && plan.volume <= planned.0);
    if let Some(InPlanning { volume, sound, .. }) = plan {
        return Err(RunError::PlanWaits { volume, sound });
    }
    let is_next = chapter == view.checkpoint()?.next_chapter();
    let before = if is_next { workflow::unreviewed_before(view, chapter, planned)? } else { None };
    before.map_or(Ok(()), |before| Err(RunError::NotReviewed(before)))
}

pub(super) fn has_begun(book: &Book, chapter: ChapterNo) -> Result<bool, RunError> {
    Ok(store::draft::draft_records(book, chapter)?.is_some_and(|records| !records.is_empty()))
}

/// Refuses to begin another draft beside candidates that wait.
pub(super) fn refuse_with_candidates(book: &Book, next: ChapterNo) -> Result<(), RunError> {
    match store::closing::candidates_of(book, next)?.len() {
        0 => Ok(()),
        _ if has_begun(book, next)? => Ok(()),
        count => Err(LineError::CandidatesWait { chapter: next, count }.into()),
    }
}

impl Run<'_> {
    /// The chapter that comes next, once the author's changes are committed and the book is in line with its chapters: a
    /// change may bring chapters in or take some out.
    pub(crate) fn settled_next(&self) -> Result<ChapterNo, RunError> {
        hand_edits::commit_local_changes_for(self, next_chapter(self)?)?;
        hand_edits::reconcile(self)?;
        next_chapter(self)
    }
}

/// Writes chapters until the goal is reached or one waits for the author. A chapter that is being written again is
/// finished first, and does not count: what comes after it may rest on it.
pub async fn write_chapters(run: &Run<'_>, goal: Goal) -> Result<Vec<Outcome>, RunError> {
    let mut next = run.settled_next()?;
    look_at_outdated(run, next)?;
    follow::warn_of_plans(run, next)?;
    if let Some((chapter, pause)) = run.finish_again().await? {
        return Ok(vec![Outcome::Paused { chapter, pause }]);
    }
    let _ = run.clear_candidates(next)?;
    refuse_with_candidates(run.session.book(), next)?;
    // A run may have died between the last chapter and its brief.
    quality::write_quality_brief(run)?;
    // With nothing planned, asking for one chapter gives the message that says so.
    let (count, last) = match goal {
        Goal::Count(count) => (count as usize, None),
        Goal::Until(last) => (1, Some(last)),
        Goal::Volume => (1, last_of_volume(run, next)?),
    };
    let length = last.map_or(count, |last| (last.get() + 1).saturating_sub(next.get()) as usize);
    let of = u32::try_from(length).unwrap_or(u32::MAX);
    let mut outcomes = Vec::new();
    loop {
        let done = match last {
            Some(last) => next > last,
            None => outcomes.len() >= count,
        };
        if done {
            return Ok(outcomes);
        }
        run.tell(Event::Turn { number: u32::try_from(outcomes.len()).unwrap_or(of) + 1, of });
        if run.calls.stop.asked() {
            return Err(RunError::Interrupted);
        }
        let is_last = last.map_or(outcomes.len() + 1 >= count, |last| next >= last);
        let outcome = match is_last {
            true => settled_chapter(run, next).await?,
            false => run.chapter_with_next(next, settled_chapter(run, next)).await?,
        };
        let paused = matches!(outcome, Outcome::Paused { .. });
        outcomes.push(outcome);
        let conflicts = match paused {
            true => 0,
            false => match examine_routinely(run, next).await? {
                AfterCheck::Left(conflicts) => conflicts,
                AfterCheck::Waits(chapter, pause) => {
                    outcomes.push(Outcome::Paused { chapter, pause });
                    return Ok(outcomes);
                }
            },
        };
        if paused || is_last {
            if !paused {
                // A draft that has moved to a later number is the next one now.
                let drafts = store::closing::drafts(run.session.book())?.into_iter().map(|(work, _)| work);
                going_back::show_drafts(run, drafts.filter(|work| work.chapter().is_some()).collect());
            }
            return Ok(outcomes);
        }
        if conflicts > 0 {
            return Err(RunError::Contradictions { last: next, conflicts });
        }
        // A disk that failed after the last acceptance must not let the next chapter begin on a folder behind.
        store::recover::catch_up(run.session)?;
        pack(run);
        next = run.settled_next()?;
    }
}

/// Packs the book if it is due: a long run would leave a pack for each chapter. The command tells at its end where there is
/// no git.
fn pack(run: &Run<'_>) {
    if let Some(packer) = &run.packer {
        let _ = store::gathering::pack_if_due(run.session, packer);
    }
}

/// Examines the last chapters against the records after every tenth one, tells what is found, and does what the book's
/// policy says.
async fn examine_routinely(run: &Run<'_>, chapter: ChapterNo) -> Result<AfterCheck, RunError> {
    let Some((first, last)) = consistency::due_after(chapter) else { return Ok(AfterCheck::Left(0)) };
    let findings = consistency::examine(run.session.book(), Some(first), Some(last))?.findings;
    for finding in &findings {
        let warning = Warning::Contradiction(finding.clone());
        run.tell(Event::Warning { work: finding.chapter.into(), warning });
    }
    let conflicts: Vec<Inconsistency> = findings.into_iter().filter(consistency::is_conflict).collect();
    match conflicts.is_empty() {
        true => Ok(AfterCheck::Left(0)),
        false => run.revise_by_policy((Some(first), chapter), &conflicts).await,
    }
}

/// Says which chapters have summaries of an older text: what is written now rests on them. Refuses to go on where these are
/// the summaries of each other's texts.
fn look_at_outdated(run: &Run<'_>, next: ChapterNo) -> Result<(), RunError> {
    let book = run.session.book();
    let outdated = outdated::outdated(book, &book.snapshot()?)?;
    rearranged::refuse_outdated(book, &outdated)?;
    if !outdated.is_empty() {
        let chapters = outdated.into_iter().map(|outdated| outdated.chapter).collect();
        run.tell(Event::Warning { work: next.into(), warning: Warning::Outdated { chapters } });
    }
    Ok(())
}

/// The last chapter of the volume that `next` is in; `None` with nothing planned.
fn last_of_volume(run: &Run<'_>, next: ChapterNo) -> Result<Option<ChapterNo>, RunError> {
    let planned = BookView::new(run.session.book().snapshot()?).plan(next)?;
    Ok(planned.and_then(|(_, outline)| outline.range()).map(|(_, last)| last))
}

pub(crate) fn next_chapter(run: &Run<'_>) -> Result<ChapterNo, RunError> {
    Ok(BookView::new(run.session.book().snapshot()?).checkpoint()?.next_chapter())
}

/// Writes a chapter, going on with what is already there.
pub(crate) async fn write_chapter(run: &Run<'_>, chapter: ChapterNo) -> Result<Outcome, RunError> {
    hand_edits::commit_local_changes_for(run, chapter)?;
    settled_chapter(run, chapter).await
}

/// Writes a chapter once the author's changes are committed.
async fn settled_chapter(run: &Run<'_>, chapter: ChapterNo) -> Result<Outcome, RunError> {
    let view = BookView::new(run.session.book().snapshot()?);
    if let Some(planned) = view.plan(chapter)? {
        require_decided(run.session.book(), &view, chapter, &planned)?;
        run.hold_lease(chapter.into())?;
        // Said once, when the contract has just become another: afterwards the author has chosen by going on.
        if follow::follow_plans(run, chapter, OwnContract::Asks)?.is_some() {
            let now = BookView::new(run.session.book().snapshot()?);
            if has_other_contract(run.session.book(), &chapter_context::of_chapter(&now, chapter)?)? {
                return Err(RunError::DraftUnderOther(chapter));
            }
        }
    }
    // A run that ended before the style was drawn left it to this one.
    style::learn_deferred_style(run).await?;
    migrate::bring_up(run)?;
    run.settle_ahead(&BookView::new(run.session.book().snapshot()?), chapter)?;
    if let Some(Pending { path, .. }) = pending(run.session.book())?.filter(|p| p.chapter == chapter && p.edited) {
        // The author has answered by editing: the old question is not asked again.
        run.tell(Event::EditTaken { chapter, path });
    }
    let chapter_draft = match ChapterDraft::open(run, chapter) {
        Err(RunError::NotPlanned { chapter, volume }) => return Err(unplanned(run, chapter, volume)?),
        other => other?,
    };
    carry_through(run, chapter_draft).await
}

/// Why a chapter that no outline has cannot be written, by what the book waits for.
pub(crate) fn unplanned(run: &Run<'_>, chapter: ChapterNo, volume: VolumeNo) -> Result<RunError, RunError> {
    Ok(match workflow::standing(run.session.book())?.next() {
        NextStep::Rest(_) => RunError::Ended(volume),
        NextStep::Review(volume) => RunError::NotReviewed(volume),
        NextStep::Ask(BookQuestion::Plan { volume, sound }) => RunError::PlanWaits { volume, sound },
        NextStep::Ask(BookQuestion::Contracts { .. }) => RunError::ChangesWait,
        _ => RunError::NotPlanned { chapter, volume },
    })
}

/// Takes the chapter of a desk to its end: into the book, or before its author.
pub(crate) async fn carry_through(run: &Run<'_>, mut chapter_draft: ChapterDraft<'_, '_>) -> Result<Outcome, RunError> {
    let chapter = chapter_draft.chapter();
    let settled = match recall::recall(run, &mut chapter_draft.context).await {
        Ok(()) => run_until_decided(run, &chapter_draft).await,
        Err(error) => Err(error),
    };
    match settled {
        Ok(StagesEnd::Passed { gate, progress }) => {
            let accepted = accept::accept(chapter_draft, gate, progress.verdict(), progress.tries)?;
            style::learn_deferred_style(run).await?;
            quality::write_quality_brief(run)?;
            Ok(Outcome::Accepted(accepted))
        }
        Ok(StagesEnd::Waits(pause)) => {
            chapter_draft.show()?;
            run.tell(Event::Paused { chapter, pause: pause.clone() });
            Ok(Outcome::Paused { chapter, pause })
        }
        Err(error) => {
            // The author may want to see how far it came. The error that stopped the run matters more than a
            // failure here.
            let _ = chapter_draft.show();
            Err(error)
        }
    }
}

/// Runs stage after stage until the chapter is through or waits for the author.
async fn run_until_decided(run: &Run<'_>, chapter_draft: &ChapterDraft<'_, '_>) -> Result<StagesEnd, RunError> {
    let mut progress = chapter_draft.progress()?;
    let begun = progress.text.is_some() || progress.partial.is_some();
    if begun && draft::text_is_edited(chapter_draft)? {
        draft::take_edit(chapter_draft)?;
        progress = chapter_draft.progress()?;
    }
    run.tell(Event::ChapterBegun {
        chapter: chapter_draft.chapter(),
        title: chapter_draft.context.section.title.clone(),
        storyline: chapter_draft.context.storyline().clone(),
        reused: progress.done(),
        scenes: progress.scenes,
    });
    tell_manner(run, chapter_draft, &progress);
    if progress.summarized {
        run.ahead.summarized();
    }
    loop {
        match chapter_draft.next(&progress) {
            // Saved while the last answer was being written down.
            Next::Accept(_) if draft::text_is_edited(chapter_draft)? => draft::take_edit(chapter_draft)?,
            Next::Accept(gate) => return Ok(StagesEnd::Passed { gate, progress: Box::new(progress) }),
            Next::Wait(pause) => return Ok(StagesEnd::Waits(pause)),
            Next::Run(_) if run.calls.stop.asked() => return Err(RunError::Interrupted),
            Next::Run(stages) => {
                if !progress.done().is_empty() {
                    chapter_draft.keep_shown()?;
                }
                run_parallel(run, chapter_draft, &stages).await?;
            }
        }
        progress = chapter_draft.progress()?;
        texts::tell_verdict(chapter_draft, &progress);
    }
}

/// Says when a draft goes on otherwise than this run was asked to write.
fn tell_manner(run: &Run<'_>, chapter_draft: &ChapterDraft<'_, '_>, progress: &Progress) {
    let by_scenes = progress.scenes.is_some();
    let begun = by_scenes || matches!(progress.text, Some(Stage::Draft | Stage::Edit));
    if begun && run.by_scenes.is_some_and(|wanted| wanted != by_scenes) {
        let warning = Warning::BegunOtherwise { by_scenes };
        run.tell(Event::Warning { work: chapter_draft.chapter().into(), warning });
    }
}

/// Runs stages that need only what is there at the same time. Each writes its result down as soon as it has one;
/// when one fails, the other is still waited for, because it has been paid for.
pub(super) async fn run_parallel(
    run: &Run<'_>,
    chapter_draft: &ChapterDraft<'_, '_>,
    stages: &[Stage],
) -> Result<(), RunError> {
    let stages = stages.iter().map(|stage| async {
        let done = attempt::perform(chapter_draft, *stage).await;
        if *stage == Stage::Summarize && done.is_ok() {
            run.ahead.summarized();
        }
        done
    });
    future::join_all(stages).await.into_iter().collect()
}
