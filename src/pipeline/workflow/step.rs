//! One step of the author's loop: the next work that needs no answer, or the answer to the question that waits, which is
//! behind `start`, `decide`, `plan approve` and `plan reject`.

use crate::agents::CastRequest;
use crate::domain::workflow::{Answer, BookQuestion, NextStep};
use crate::pipeline::chapter::draft::has_other_contract;
use crate::pipeline::engine::commits::Applied;
use crate::pipeline::planning::approval;
use crate::pipeline::planning::step::{Existing, StepOutcome};
use crate::pipeline::prelude::*;
use crate::pipeline::workflow::{VolumeWishes, said_under, standing, trial_order, volume_order};
use crate::pipeline::{Goal, Outcome};
use crate::store::{Course, template};

impl Run<'_> {
    /// Takes the step that came next when the book was looked at. Returns the commit, as far as one is to be told of, and
    /// whether to go on; when something else comes next by now, nothing is done.
    /// Fails with [`RunError::FlawedPlan`] when the trial chapters cannot be planned; otherwise those of the step.
    pub async fn advance(&self, step: NextStep, wanted: &VolumeWishes) -> Result<(Option<Done>, bool), RunError> {
        let book = self.session.book();
        self.commit_local_changes()?;
        // Another command may have gone on since the book was looked at, or the author's own files say more now.
        if standing(book)?.next() != step {
            return Ok((None, true));
        }
        let taken = match step {
            NextStep::Style => {
                let genre = config_now(book)?.genre;
                let turned = self.use_style(template::preset_for(&genre).id)?;
                return Ok((if let Applied::Done(done) = turned { Some(done) } else { None }, true));
            }
            NextStep::Take(Step::World) => self.world("", Existing::Kept).await?,
            NextStep::Take(Step::Theme) => StepOutcome::Done(self.theme(Existing::Kept).await?),
            NextStep::Take(_) => {
                self.cast(&CastRequest::First { protagonist: protagonist(book)? }, Existing::Kept).await?
            }
            NextStep::PlanTrial => {
                let waiting = self.plan(&trial_order()).await?;
                return match waiting {
                    None => Ok((None, true)),
                    Some(draft) => {
                        Err(RunError::FlawedPlan { volume: VolumeNo::FIRST, flaws: draft.flaws, folder: draft.folder })
                    }
                };
            }
            NextStep::PlanVolume(volume) => {
                let order = volume_order(book, volume, wanted)?;
                self.plan(&order).await?;
                return Ok((None, true));
            }
            NextStep::Write(last) => {
                let outcomes = self.chapters(Goal::Until(last)).await?;
                return Ok((None, !matches!(outcomes.last(), Some(Outcome::Paused { .. }))));
            }
            NextStep::Review(volume) => StepOutcome::Done(self.review(volume, Existing::Kept).await?),
            NextStep::Ask(_) | NextStep::Decide(_) | NextStep::Rest(_) => return Ok((None, false)),
        };
        Ok(match taken {
            StepOutcome::Done(done) => (Some(done), true),
            // The question of the next turn.
            StepOutcome::Waits(_) => (None, true),
        })
    }
}

/// The author's words on the protagonist, from the brief.
fn protagonist(book: &Book) -> Result<String, RunError> {
    let context = BookView::new(book.snapshot()?).planning_context()?;
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

impl Run<'_> {
    /// Carries out an answer to the question of `now`.
    /// Fails with [`RunError::AnsweredMeanwhile`] when another question waits by now, [`RunError::NothingToDecide`] for an answer
    /// that does not fit `now`; otherwise those of the transaction that the answer asks for.
    pub fn answer(&self, now: NextStep, answer: Answer, details: &AnswerDetails) -> Result<AnswerOutcome, RunError> {
        let book = self.session.book();
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
                    Answer::Approve => AnswerOutcome::Committed(self.approve_proposal(step)?),
                    Answer::Edit => AnswerOutcome::AuthorMustAct(work, self.show_proposal(step)?),
                    _ => AnswerOutcome::Aside(work, self.reject_proposal(step)?.unwrap_or_default()),
                });
            }
            NextStep::Ask(BookQuestion::Contract { chapter, .. }) => {
                let done = self.settle_contract(chapter, answer)?;
                let context = BookView::new(book.snapshot()?).chapter_context(chapter)?;
                if has_other_contract(book, &context)? {
                    self.tell(Event::Warning { work: chapter.into(), warning: Warning::ContractSince });
                }
                return Ok(AnswerOutcome::Committed(done));
            }
            NextStep::Ask(question) => question.volume(),
            NextStep::Rest(volume) => volume,
            _ => return Err(RunError::NothingToDecide),
        };
        let AnswerDetails { style, genre, protagonist, conflict } = details;
        let done = match answer {
            Answer::GoOn => self.plan_next(answer, Course::TrialStays),
            Answer::Style => self.drop_trial(style.as_deref()),
            Answer::Subject => self.change_subject(genre, protagonist, conflict),
            Answer::Approve => self.approve_plan(volume),
            Answer::Clean => self.clean(volume),
            Answer::Keep => self.keep_state(volume),
            Answer::NextVolume => self.plan_next(answer, Course::NextVolume),
            Answer::WrapUp => self.wrap_up(),
            Answer::End => self.end(volume),
            Answer::Reject => {
                return Ok(AnswerOutcome::Aside(Work::Plan(volume), self.reject_plan(volume)?.unwrap_or_default()));
            }
            // An edit is the author's to make, and a choice of `start` is no answer to a question that waits.
            _ => return Err(RunError::NothingToDecide),
        };
        done.map(AnswerOutcome::Committed)
    }
}

impl AnswerOutcome {
    pub fn commit(&self) -> Option<&Done> {
        match self {
            Self::Committed(done) => Some(done),
            Self::Aside(..) | Self::AuthorMustAct(..) => None,
        }
    }
}
