//! One step of the author's loop: the next work that needs no answer, or the answer to the question that waits, which is
//! behind `start`, `decide`, `plan approve` and `plan reject`.

use crate::agents::CastRequest;
use crate::domain::workflow::{Answer, BookQuestion, NextStep};
use crate::pipeline::book::chapter_context;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::planning_context;
use crate::pipeline::chapter;
use crate::pipeline::chapter::draft::has_other_contract;
use crate::pipeline::engine::commits::Applied;
use crate::pipeline::planning::approval;
use crate::pipeline::planning::cast;
use crate::pipeline::planning::follow;
use crate::pipeline::planning::review;
use crate::pipeline::planning::step::{Existing, StepOutcome};
use crate::pipeline::planning::style;
use crate::pipeline::planning::theme;
use crate::pipeline::planning::volume;
use crate::pipeline::planning::world;
use crate::pipeline::prelude::*;
use crate::pipeline::workflow::{self, VolumeWishes, said_under, standing, trial_order, volume_order};
use crate::pipeline::{Goal, Outcome};
use crate::store::{Course, template};

/// Takes the step that came next when the book was looked at. Returns the commit, as far as one is to be told of, and
/// whether to go on; when something else comes next by now, nothing is done.
/// Fails with [`RunError::FlawedPlan`] when the trial chapters cannot be planned; otherwise those of the step.
pub(crate) async fn advance(
    run: &Run<'_>,
    step: NextStep,
    wanted: &VolumeWishes,
) -> Result<(Option<Done>, bool), RunError> {
    let book = run.session.book();
    hand_edits::commit_local_changes(run)?;
    // Another command may have gone on since the book was looked at, or the author's own files say more now.
    if standing(book)?.next() != step {
        return Ok((None, true));
    }
    let taken = match step {
        NextStep::Style => {
            let genre = config_now(book)?.genre;
            let turned = style::use_style(run, template::preset_for(&genre).id)?;
            return Ok((if let Applied::Done(done) = turned { Some(done) } else { None }, true));
        }
        NextStep::Take(Step::World) => world::build_world(run, "", Existing::Kept).await?,
        NextStep::Take(Step::Theme) => StepOutcome::Done(theme::find_theme(run, Existing::Kept).await?),
        NextStep::Take(_) => {
            cast::make_characters(run, &CastRequest::First { protagonist: protagonist(book)? }, Existing::Kept).await?
        }
        NextStep::PlanTrial => {
            let waiting = volume::plan_volume(run, &trial_order()).await?;
            return match waiting {
                None => Ok((None, true)),
                Some(draft) => {
                    Err(RunError::FlawedPlan { volume: VolumeNo::FIRST, flaws: draft.flaws, folder: draft.folder })
                }
            };
        }
        NextStep::PlanVolume(volume) => {
            let order = volume_order(book, volume, wanted)?;
            volume::plan_volume(run, &order).await?;
            return Ok((None, true));
        }
        NextStep::Write(last) => {
            let outcomes = chapter::run::write_chapters(run, Goal::Until(last)).await?;
            return Ok((None, !matches!(outcomes.last(), Some(Outcome::Paused { .. }))));
        }
        NextStep::Review(volume) => StepOutcome::Done(review::review_volume(run, volume, Existing::Kept).await?),
        NextStep::Ask(_) | NextStep::Decide(_) | NextStep::Rest(_) => return Ok((None, false)),
    };
    Ok(match taken {
        StepOutcome::Done(done) => (Some(done), true),
        // The question of the next turn.
        StepOutcome::Waits(_) => (None, true),
    })
}

/// The author's words on the protagonist, from the brief.
fn protagonist(book: &Book) -> Result<String, RunError> {
    let context = planning_context::of_book(&BookView::new(book.snapshot()?))?;
    Ok(said_under(&context.brief, "## 主角").join("，"))
}

/// Details that some answers need.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerDetails {
    /// The built-in style that follows [`Answer::Style`].
    pub style: Option<String>,
    /// The genre of another subject; empty for the present one.
    pub genre: String,
    /// The protagonist of another subject.
    pub protagonist: String,
    /// The central conflict of another subject.
    pub conflict: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerOutcome {
    Committed(Done),
    /// A plan or a proposal was put aside under that ref.
    Aside(Work, String),
    /// Nothing: the author has to change these files first.
    AuthorMustAct(Work, Vec<String>),
}

/// Carries out an answer to the question of `now`.
/// Fails with [`RunError::AnsweredMeanwhile`] when another question waits by now, [`RunError::NothingToDecide`] for an answer
/// that does not fit `now`; otherwise those of the transaction that the answer asks for.
pub(crate) fn answer(
    run: &Run<'_>,
    now: NextStep,
    answer: Answer,
    details: &AnswerDetails,
) -> Result<AnswerOutcome, RunError> {
    let book = run.session.book();
    let still = match now {
        NextStep::Ask(BookQuestion::Contracts { step, .. }) => {
            approval::proposals(book)?.iter().any(|proposal| proposal.step == step)
        }
        NextStep::Ask(BookQuestion::Contract { chapter, .. }) => super::standing(book)?.contract == Some(chapter),
        now => super::standing(book)?.next() == now,
    };
    if !still {
        return Err(RunError::AnsweredMeanwhile);
    }
    let volume = match now {
        NextStep::Ask(BookQuestion::Contracts { step, .. }) => {
            let work = Work::Step(step);
            return Ok(match answer {
                Answer::Approve => AnswerOutcome::Committed(approval::approve_proposal(run, step)?),
                Answer::Edit => AnswerOutcome::AuthorMustAct(work, approval::show_proposal(run, step)?),
                _ => AnswerOutcome::Aside(work, approval::reject_proposal(run, step)?.unwrap_or_default()),
            });
        }
        NextStep::Ask(BookQuestion::Contract { chapter, .. }) => {
            let done = follow::settle_contract(run, chapter, answer)?;
            let context = chapter_context::of_chapter(&BookView::new(book.snapshot()?), chapter)?;
            if has_other_contract(book, &context)? {
                run.tell(Event::Warning { work: chapter.into(), warning: Warning::ContractSince });
            }
            return Ok(AnswerOutcome::Committed(done));
        }
        NextStep::Ask(question) => question.volume(),
        NextStep::Rest(volume) => volume,
        _ => return Err(RunError::NothingToDecide),
    };
    let AnswerDetails { style, genre, protagonist, conflict } = details;
    let done = match answer {
        Answer::GoOn => workflow::answers::plan_next(run, answer, Course::TrialStays),
        Answer::Style => workflow::answers::drop_trial(run, style.as_deref()),
        Answer::Subject => workflow::answers::change_subject(run, genre, protagonist, conflict),
        Answer::Approve => volume::approve_plan(run, volume),
        Answer::Clean => review::clean(run, volume),
        Answer::Keep => review::keep_state(run, volume),
        Answer::NextVolume => workflow::answers::plan_next(run, answer, Course::NextVolume),
        Answer::WrapUp => workflow::answers::wrap_up(run),
        Answer::End => workflow::answers::end_book(run, volume),
        Answer::Reject => {
            return Ok(AnswerOutcome::Aside(Work::Plan(volume), volume::reject_plan(run, volume)?.unwrap_or_default()));
        }
        // An edit is the author's to make, and a choice of `start` is no answer to a question that waits.
        _ => return Err(RunError::NothingToDecide),
    };
    done.map(AnswerOutcome::Committed)
}

impl AnswerOutcome {
    pub fn commit(&self) -> Option<&Done> {
        match self {
            Self::Committed(done) => Some(done),
            Self::Aside(..) | Self::AuthorMustAct(..) => None,
        }
    }
}
