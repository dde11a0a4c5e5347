//! Steps of planning that one question settles: [`step::take_step`] does what is the same for all of them.
//! A new step is a file with a method of [`Run`] that asks its question there, and a variant of [`Step`] under which it is known.

use crate::agents::PlanningContext;
use crate::agents::planners::context::research;
use crate::pipeline::book::direct_commit::just_done;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::migrate;
use crate::pipeline::book::on_disk::founded;
use crate::pipeline::planning::draft::{Closing, PlanDraft};
use crate::pipeline::prelude::*;
use anyhow::anyhow;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepOutcome {
    Done(Done),
    /// It changes rules or contracts, and waits for the author.
    Waits(Step),
}

/// The author's notes that the prompt of a step has shown, one a line; on its draft only.
const NOTES: &str = ".draft/notes.md";

impl StepOutcome {
    /// The commit of a step that changes neither rules nor contracts, and so never waits.
    pub(crate) fn plain(self) -> Result<Done, RunError> {
        match self {
            Self::Done(done) => Ok(done),
            Self::Waits(step) => Err(anyhow!("`{step}` waits, and has changed no rule and no contract").into()),
        }
    }
}

/// Takes a step: `make` asks, unless the answer is on the draft already, and says what the commit says. The result becomes one
/// commit of the book, or waits where it changes rules or contracts. An equal request right after the first is not paid for
/// again; `check` refuses a step that cannot be taken now, before a call is paid for.
pub(crate) async fn take_step<'b>(
    run: &Run<'b>,
    work: Work,
    request: &str,
    check: impl FnOnce(&Book) -> Result<(), RunError>,
    make: impl AsyncFnOnce(&PlanDraft<'_, 'b>) -> Result<Closing, RunError>,
) -> Result<StepOutcome, RunError> {
    hand_edits::commit_local_changes(run)?;
    run.keep_old_names()?;
    migrate::bring_up(run)?;
    let book = run.session.book();
    if let Some(done) = just_done(book, work, request)?
        && is_there(&BookView::new(book.snapshot()?), work)
    {
        return Ok(StepOutcome::Done(done.into()));
    }
    check(book)?;
    let draft = PlanDraft::open(run, work, request, DraftFiles::default())?;
    let closing = make(&draft).await?;
    run.close_or_wait(draft, closing)
}

/// The step, when it was the last thing done for the very same request.
pub(crate) fn done_already(run: &Run<'_>, step: Step, request: &str) -> Result<Option<Done>, RunError> {
    Ok(just_done(run.session.book(), Work::Step(step), request)?.map(Done::from))
}

/// False for a review that has been removed since: it is made again.
fn is_there(view: &BookView<'_>, work: Work) -> bool {
    match work {
        Work::Review(volume) => view.has(&layout::review(volume)),
        _ => true,
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
