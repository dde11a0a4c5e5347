//! Steps of planning that one question settles: a step says what is asked, how the answer is read, what follows from it, and
//! what its commit says; [`Run::take_step`] does the rest.
//!
//! A new step is a file that implements [`PlanningStep`] and a variant of [`Step`] under which it is known.

use super::draft::{Closing, PlanDraft, StageResult};
use crate::agents::planners::context::research;
use crate::agents::{PlanningContext, ReplyFault, Task};
use crate::domain::book::checkpoint::Checkpoint;
use crate::domain::book::work::{PlanStage, Step, Work};
use crate::pipeline::book::founded::founded;
use crate::pipeline::book::requests::just_done;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::done::Done;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::run::Run;
use crate::pipeline::engine::trailer::STEP;
use crate::store::{Book, Change, Kind, Scope, Subject, layout};
use anyhow::anyhow;

/// The outcome of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    /// It is in the book.
    Done(Done),
    /// It changes rules or contracts, and waits for the author.
    Waits(Step),
}

/// The author's notes that the prompt of a step has shown, one a line; on its draft only.
const NOTES: &str = ".draft/notes.md";

/// A step of planning that one question settles.
pub(crate) trait PlanningStep {
    /// The parts of the book that the question is made from.
    type Context;
    /// The content of a readable answer.
    type Reading;

    /// The work, which has a draft branch of its own.
    fn work(&self) -> Work;

    /// The stage whose commit has the answer.
    fn stage(&self) -> PlanStage;

    /// The request in words: a draft is continued, and a commit counts as the answer, only for the same words.
    fn request(&self) -> String;

    /// Refuses a step that cannot be taken now, before a call is paid for.
    fn check(&self, book: &Book) -> Result<(), RunError>;

    /// Whether the result of an equal request is still in the book.
    fn is_there(&self, _: &BookView<'_>) -> bool {
        true
    }

    /// Reads the parts of the book that the question is made from.
    fn context(&self, book: &Book, view: &BookView<'_>) -> Result<Self::Context, RunError>;

    /// The task of the agent.
    fn task<'a>(&'a self, context: &'a Self::Context) -> Task<'a>;

    /// Reads an answer.
    fn read(&self, context: &Self::Context, reply: &str) -> Result<Self::Reading, ReplyFault>;

    /// The files that follow from an answer, and the result in a few words.
    fn result(
        &self,
        view: &BookView<'_>,
        context: &Self::Context,
        reading: Self::Reading,
    ) -> Result<StageResult, RunError>;

    /// Completes the draft from its answer and the book as it is by then.
    fn complete(&self, _: &PlanDraft<'_, '_>, _: &str) -> Result<(), RunError> {
        Ok(())
    }

    /// The message of the step's commit, and what becomes of the checkpoint. `words` are the result in the notation of its trailer.
    fn closing(&self, draft: &PlanDraft<'_, '_>, words: &str) -> Result<Closing, RunError>;
}

impl Run<'_> {
    /// Takes a step: asks, unless the answer is on the draft already, and makes the result one commit of the book, or lets
    /// it wait where it changes rules or contracts. An equal request right after the first is not paid for again.
    pub(crate) async fn take_step<S: PlanningStep>(&self, step: &S) -> Result<Taken, RunError> {
        self.commit_local_changes()?;
        self.migrate()?;
        let (book, work, request) = (self.session.book(), step.work(), step.request());
        if let Some(done) = just_done(book, work, &request)?
            && step.is_there(&BookView::new(book.snapshot()?))
        {
            return Ok(Taken::Done(done.into()));
        }
        step.check(book)?;
        let draft = PlanDraft::open(self, work, &request, Scope::default())?;
        if !draft.has(step.stage())? {
            let view = BookView::new(draft.snapshot()?);
            let context = step.context(book, &view)?;
            let task = step.task(&context);
            let result = |reading| step.result(&view, &context, reading);
            draft.ask(step.stage(), &task, |reply| step.read(&context, reply), result).await?;
        }
        let words = draft.words_of(step.stage())?;
        step.complete(&draft, &words)?;
        let closing = step.closing(&draft, &words)?;
        self.close_or_wait(draft, closing)
    }

    /// Takes a step that changes neither rules nor contracts, and so never waits.
    pub(crate) async fn take_plain_step<S: PlanningStep>(&self, step: &S) -> Result<Done, RunError> {
        match self.take_step(step).await? {
            Taken::Done(done) => Ok(done),
            Taken::Waits(step) => Err(anyhow!("`{step}` waits, and has changed no rule and no contract").into()),
        }
    }

    /// The step, when it was the last thing done for the very same request.
    pub(crate) fn done_already(&self, step: Step, request: &str) -> Result<Option<Done>, RunError> {
        Ok(just_done(self.session.book(), Work::Step(step), request)?.map(Done::from))
    }
}

/// Refuses a step before the one that it rests on.
pub(crate) fn require(book: &Book, step: Step) -> Result<(), RunError> {
    let lacking = founded(book)?.lacks(step);
    lacking.map_or(Ok(()), |first| Err(RunError::Lacks { step, first }))
}

/// A checkpoint whose sums alone change.
pub(crate) fn unchanged() -> Box<dyn FnOnce(Checkpoint) -> Checkpoint> {
    Box::new(|checkpoint| checkpoint)
}

/// The result of a step that has been taken before, when the step is taken again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It stays; the step adds to it at most.
    Kept,
    /// The step makes it afresh.
    Replaced,
}

impl From<bool> for Existing {
    /// The choice that the flag `--force` stands for.
    fn from(force: bool) -> Self {
        if force { Self::Replaced } else { Self::Kept }
    }
}

/// Whether a regeneration may ask a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelUse {
    /// It may.
    Allowed,
    /// It is not begun when it would have to.
    Refused,
}

/// A request in words: one to do a thing again is another than to do it.
pub(crate) fn request_key(request: &str, existing: Existing) -> String {
    match existing {
        Existing::Kept => request.to_owned(),
        Existing::Replaced => format!("afresh\n{request}"),
    }
}

/// The change, with a note of what of `research/` the prompt has shown.
pub(crate) fn noted(change: Change, context: &PlanningContext, wish: &str) -> Change {
    let shown = research(context, wish).into_iter();
    let lines: String = shown.map(|note| format!("资料: {}/{}\n", layout::RESEARCH, note.name)).collect();
    if lines.is_empty() { change } else { change.put(NOTES, lines) }
}

/// Returns the message parts of a step's commit. Its body says what was asked for, and which notes the prompt has shown.
pub(crate) fn closing_of(
    draft: &PlanDraft<'_, '_>,
    kind: Kind,
    step: Step,
    subject: Subject,
    body: &str,
) -> Result<Closing, RunError> {
    let notes = draft.read(NOTES)?.unwrap_or_default();
    let body = format!("{body}\n\n{}", String::from_utf8_lossy(&notes)).trim().to_owned();
    let trailers = vec![(STEP, step.to_string())];
    Ok(Closing { kind, subject, body, trailers, checkpoint: unchanged() })
}
