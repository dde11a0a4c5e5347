//! Carrying out the author's answer to the question that waits: one operation behind `start`, `decide`, `plan approve` and
//! `plan reject`.

use crate::domain::book::work::Work;
use crate::domain::workflow::{Answer, BookQuestion, NextStep};
use crate::pipeline::engine::done::Done;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::pipeline::planning::approval;

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
    /// A commit of the book.
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
            NextStep::Ask(question) => question.volume(),
            NextStep::Rest(volume) => volume,
            _ => return Err(RunError::NothingToDecide),
        };
        let AnswerDetails { style, genre, protagonist, conflict } = details;
        let done = match answer {
            Answer::GoOn => self.keep_trial(),
            Answer::Style => self.drop_trial(style.as_deref()),
            Answer::Subject => self.change_subject(genre, protagonist, conflict),
            Answer::Approve => self.approve_plan(volume),
            Answer::Clean => self.clean(volume),
            Answer::Keep => self.keep_state(volume),
            Answer::NextVolume => self.open_volume(),
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
    /// The commit, where it is one.
    pub fn commit(&self) -> Option<&Done> {
        match self {
            Self::Committed(done) => Some(done),
            Self::Aside(..) | Self::AuthorMustAct(..) => None,
        }
    }
}
