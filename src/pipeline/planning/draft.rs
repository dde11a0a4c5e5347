//! Planning in flight: the draft of a step or of a volume's plan, and what is written on it after each answer.
//! As with chapters, whatever was paid for is a commit of the draft before anything is done with it, and what comes next
//! follows from what the draft has; the draft becomes one commit of the book.

use crate::agents::Why;
use crate::domain::book::checkpoint::{StageLog, Totals, WorkLog};
use crate::pipeline::book::damage;
use crate::pipeline::book::direct_commit::request_hash;
use crate::pipeline::book::files;
use crate::pipeline::engine::ask::{Job, ReadOutcome, ReplyText};
use crate::pipeline::engine::call_record::{DRAFT_ONLY, PaidCall};
use crate::pipeline::engine::commits::DraftSession;
use crate::pipeline::prelude::*;
use crate::store::format::check::{FormatSeverity, check_file};
use crate::store::{self, StageCommit};
use std::ops::Deref;

/// The request, so that a draft is continued only for an equal one.
pub(crate) const REQUEST: &str = ".draft/request.md";

pub(crate) struct PlanDraft<'r, 'b> {
    pub(crate) session: DraftSession<'r, 'b>,
    request: String,
}

impl<'r, 'b> Deref for PlanDraft<'r, 'b> {
    type Target = DraftSession<'r, 'b>;

    fn deref(&self) -> &DraftSession<'r, 'b> {
        &self.session
    }
}

/// A result of planning, as the draft keeps it.
#[derive(Debug, Default)]
pub(crate) struct PlanResult {
    pub(crate) change: Change,
    pub(crate) note: StageNote,
    /// The part of the work that it is about, where the work has several.
    pub(crate) covers: Option<String>,
    pub(crate) repairs: usize,
    /// The stage that a fault is of.
    pub(crate) of: Option<PlanStage>,
}

impl From<(Change, StageNote)> for PlanResult {
    fn from((change, note): (Change, StageNote)) -> Self {
        Self { change, note, ..Self::default() }
    }
}

/// The message of a transaction of planning.
pub(crate) struct Closing {
    pub(crate) kind: Kind,
    pub(crate) subject: Subject,
    pub(crate) body: String,
    pub(crate) trailers: Vec<(&'static str, String)>,
    /// The checkpoint after it, its sums apart.
    pub(crate) checkpoint: Box<dyn FnOnce(Checkpoint) -> Checkpoint>,
}

/// Whether the draft of `work` was begun for that request; `None` without a draft, or where it does not say.
pub(crate) fn is_of_request(book: &Book, work: Work, request: &str) -> Result<Option<bool>, StoreError> {
    let Some(tip) = store::draft::draft_tip(book, work)? else { return Ok(None) };
    Ok(book.snapshot_of(tip)?.read(REQUEST)?.map(|asked| asked == request.as_bytes()))
}

impl<'r, 'b> PlanDraft<'r, 'b> {
    /// Opens the draft of `work`, or the one that is there when it was begun for the same `request`; one for
    /// another request is put aside first.
    pub(crate) fn open(run: &'r Run<'b>, work: Work, request: &str, scope: DraftFiles) -> Result<Self, RunError> {
        let book = run.session.book();
        let blocked = damage::before_planning(book)?;
        if !blocked.is_empty() {
            return Err(RunError::InTheWay(blocked));
        }
        let view = BookView::new(book.snapshot()?);
        if is_of_request(book, work, request)? == Some(false) {
            store::draft::open_draft(run.session, work, scope.clone())?.close()?;
        }
        if store::draft::draft_tip(book, work)?.is_none() {
            // Nothing is begun that another device has at work already.
            run.hold_lease(work)?;
        }
        let (session, overlaps) = DraftSession::open(run, work, scope, &view, format::read)?;
        if !overlaps.is_empty() {
            run.tell(Event::Warning { work, warning: Warning::BothChanged { paths: overlaps } });
        }
        let draft = Self { session, request: request.to_owned() };
        if draft.read(REQUEST)?.is_none() {
            draft.begin()?;
        }
        Ok(draft)
    }

    /// Whether a stage's result is on the draft.
    pub(crate) fn has(&self, stage: PlanStage) -> Result<bool, StoreError> {
        let records = self.session.records()?;
        Ok(records.iter().any(|record| record.trailers.read(trailer::STAGE) == Some(stage)))
    }

    /// The last result of a stage, in the notation of its trailer.
    pub(crate) fn words_of(&self, stage: PlanStage) -> Result<String, StoreError> {
        let records = self.session.records()?;
        let last = records.iter().rev().find(|record| record.trailers.read(trailer::STAGE) == Some(stage));
        // A draft of an older version has them in its subject.
        let words = last.map(|last| last.trailers.read(trailer::RESULT).unwrap_or_else(|| last.subject.clone()));
        Ok(words.unwrap_or_default())
    }

    /// Whether a stage has a result for that part of the work.
    pub(crate) fn has_covered(&self, stage: PlanStage, part: &str) -> Result<bool, StoreError> {
        let records = self.session.records()?;
        Ok(records.iter().any(|record| {
            let covered: Option<String> = record.trailers.read(trailer::COVERS);
            record.trailers.read(trailer::STAGE) == Some(stage) && covered.as_deref() == Some(part)
        }))
    }

    /// Whether planners have been asked to repair what there is: once at most, and once more after each change of its length and
    /// each time that the author sends the flaws back.
    pub(crate) fn is_repaired(&self) -> Result<bool, StoreError> {
        let records = self.session.records()?;
        let is_new =
            |r: &&StageCommit| matches!(r.trailers.read(trailer::STAGE), Some(PlanStage::Resize | PlanStage::Mend));
        let since = records.iter().rev().take_while(|record| !is_new(record));
        Ok(since.into_iter().any(|record| record.trailers.read::<usize>(trailer::REPAIRS).is_some()))
    }

    /// The number of answers of a stage that could not be used.
    pub(crate) fn faults_of(&self, stage: PlanStage) -> Result<usize, StoreError> {
        let records = self.session.records()?;
        let is_fault = |r: &&StageCommit| r.trailers.read(trailer::STAGE) == Some(PlanStage::Fault);
        let faults = records.iter().filter(is_fault);
        Ok(faults.filter(|record| record.trailers.read(trailer::OF) == Some(stage)).count())
    }

    /// Commits the author's changes in `staging/` to the draft. Returns true when there were any.
    ///
    /// A file that cannot be read stays as it is there, and nothing is taken up before it is mended.
    pub(crate) fn take_up(&self) -> Result<bool, RunError> {
        self.take_up_with(false)
    }

    /// The same for an outline that may still leave fields to the planner.
    pub(crate) fn take_up_open(&self) -> Result<bool, RunError> {
        self.take_up_with(true)
    }

    fn take_up_with(&self, gaps: bool) -> Result<bool, RunError> {
        for edit in self.session.author_edits()? {
            let Some(bytes) = edit.bytes else { continue };
            let shown = format!("{}/{}", layout::STAGING, edit.path);
            if let Some(layout::BookPath::Outline(_)) = layout::classify(&edit.path) {
                let storylines = files::storylines(&BookView::new(self.snapshot()?))?;
                let resolve = |name: &str| storylines.called(name);
                let text = String::from_utf8_lossy(&bytes);
                let parsed = match gaps {
                    true => Outline::partial(&text, &resolve).map(drop),
                    false => Outline::parse_with(&text, &resolve).map(drop),
                };
                parsed.map_err(|errors| RunError::Outline { path: shown.clone(), errors })?;
            }
            let broken =
                check_file(&edit.path, &bytes).into_iter().find(|found| found.severity == FormatSeverity::Error);
            if let Some(found) = broken {
                return Err(RunError::BrokenEdit { path: shown, source: found.error });
            }
        }
        let before = self.session.tip();
        self.session.follow()?;
        self.session.commit_edits()?;
        Ok(self.session.tip() != before)
    }

    /// Asks an agent until its answer can be used, and writes the result down. `read` makes a value of a reply, `result` a
    /// result of the value.
    pub(crate) async fn ask<T, R: Into<PlanResult>>(
        &self,
        stage: PlanStage,
        task: &Task<'_>,
        read: impl Fn(&str) -> Result<T, ReplyFault>,
        result: impl Fn(T) -> Result<R, RunError>,
    ) -> Result<(), RunError> {
        let attempt = async || {
            let mut job = PlanJob { draft: self, stage, task, read: &read, result: &result };
            self.session.ask(&mut job).await
        };
        self.session.run.calls.unrecorded.try_twice(Part::Plan(stage), attempt).await
    }

    fn begin(&self) -> Result<(), RunError> {
        let message = Message::new(Kind::Stage, Subject::Begun(self.session.work));
        self.session.append(&Change::default().put(REQUEST, self.request.as_str()), &message)?;
        Ok(self.session.keep_shown()?)
    }

    /// Writes a result down that no agent was asked for.
    pub(crate) fn commit(&self, stage: PlanStage, change: Change, note: StageNote) -> Result<CommitId, RunError> {
        self.record(stage, PlanResult { change, note, ..PlanResult::default() }, None)
    }

    /// Writes a result down: one commit of the draft, with the call that it came from.
    pub(crate) fn record(
        &self,
        stage: PlanStage,
        result: PlanResult,
        paid: Option<&PaidCall>,
    ) -> Result<CommitId, RunError> {
        let PlanResult { change, note, covers, repairs, of } = result;
        let notation = self.session.run.session.book().notation(&note);
        let note = if repairs > 0 { StageNote::Repair(Box::new(note)) } else { note };
        let subject = Subject::Result { work: self.session.work, part: Part::Plan(stage), note };
        let mut message = Message::new(Kind::Stage, subject);
        message = message.trailer(trailer::STAGE, stage).trailer(trailer::RESULT, notation);
        if let Some(of) = of {
            message = message.trailer(trailer::OF, of);
        }
        if let Some(covers) = covers {
            message = message.trailer(trailer::COVERS, covers);
        }
        if repairs > 0 {
            message = message.trailer(trailer::REPAIRS, repairs);
        }
        let log = |log: &WorkLog| paid.is_some().then(|| format::write(log, None));
        let id = self.session.commit(change, message, paid, log)?;
        self.session.keep_shown()?;
        Ok(id)
    }

    /// Makes the draft one commit of the book: its files, the log of its calls and the checkpoint.
    pub(crate) fn accept(self, closing: Closing) -> Result<Done, RunError> {
        let Self { session, request } = self;
        let DraftSession { run, work, draft, log, .. } = session;
        let log = log.into_inner();
        let view = BookView::new(run.session.book().snapshot()?);
        // The calls are no part of the result, nor what the author has committed of other things in `staging/`, where a
        // volume's plan is shown; the draft keeps them.
        let mut change = draft.change()?.only(|path| match work {
            Work::Plan(volume) => path.starts_with(&format!("volumes/{volume}/")) || path == layout::STORYLINES,
            _ => !path.starts_with(DRAFT_ONLY),
        });
        if !log.stages.is_empty() {
            let number = view.list(layout::PLAN_LOGS)?.len() + 1;
            let path = format!("{}/{work}-{number:03}.json", layout::PLAN_LOGS);
            change = change.put(&path, format::write(&log, None));
        }
        let checkpoint = (closing.checkpoint)(view.checkpoint_with_totals()?);
        let totals = add(checkpoint.totals, &log);
        let checkpoint = Checkpoint { totals, time: run.calls.clock.rfc3339(), ..checkpoint };
        let change = view.put_checkpoint(change, &checkpoint)?;
        let message = Message::new(closing.kind, closing.subject).body(&closing.body);
        let mut commit = BookCommit::new(run, work, message, change, &view);
        for (key, value) in closing.trailers {
            commit = commit.trailer(key, value);
        }
        commit = commit.trailer(trailer::WORK, work).trailer(trailer::REQUEST, request_hash(&request)).accepting(draft);
        if !log.stages.is_empty() {
            commit = commit.paid(&models(&log), log.cost_micro_usd());
        }
        Ok(commit.make()?.into())
    }
}

/// A stage of planning as a question to an agent.
struct PlanJob<'a, 'r, 'b, Read, Make> {
    draft: &'a PlanDraft<'r, 'b>,
    stage: PlanStage,
    task: &'a Task<'a>,
    read: &'a Read,
    result: &'a Make,
}

impl<T, R, Read, Make> Job for PlanJob<'_, '_, '_, Read, Make>
where
    R: Into<PlanResult>,
    Read: Fn(&str) -> Result<T, ReplyFault>,
    Make: Fn(T) -> Result<R, RunError>,
{
    type Result = PlanResult;

    fn part(&self) -> Part {
        Part::Plan(self.stage)
    }

    fn model_role(&self) -> ModelRole {
        ModelRole::Usual(self.draft.session.config.role(self.task.agent()))
    }

    fn task(&self) -> &Task<'_> {
        self.task
    }

    fn read(&mut self, reply: &ReplyText<'_>) -> Result<ReadOutcome<PlanResult>, RunError> {
        let calls = &self.draft.session.run.calls;
        Ok(match calls.read_own(self.task.agent(), reply.text, self.read) {
            Ok(value) => ReadOutcome::Done((self.result)(value)?.into()),
            Err(fault) => ReadOutcome::Unusable(fault),
        })
    }

    fn record(&mut self, result: PlanResult, paid: &PaidCall) -> Result<(), RunError> {
        self.draft.record(self.stage, result, Some(paid))?;
        Ok(())
    }

    fn warn(&self, warning: Warning) {
        let session = &self.draft.session;
        session.run.tell(Event::Warning { work: session.work, warning });
    }

    fn record_fault(&mut self, why: &Why, paid: PaidCall) -> Result<(), RunError> {
        let stage = self.stage;
        let note = StageNote::Fault(Part::Plan(stage), None, Box::new(why.clone()));
        let fault = PlanResult { of: Some(stage), note, ..PlanResult::default() };
        self.draft.record(PlanStage::Fault, fault, Some(&paid))?;
        Ok(())
    }
}

/// `world-builder=…`, one a model.
fn models(log: &WorkLog) -> String {
    let mut names: Vec<&str> = log.stages.iter().filter(|stage| stage.used).map(|stage| stage.model.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

/// The book's sums with what planning cost.
fn add(totals: Totals, log: &WorkLog) -> Totals {
    let sum = |of: fn(&StageLog) -> Option<u64>| -> u64 { log.stages.iter().filter_map(of).sum() };
    Totals {
        cost_micro_usd: totals.cost_micro_usd + sum(|stage| stage.cost_micro_usd),
        unknown_cost: totals.unknown_cost + u32::from(log.cost_micro_usd().is_none()),
        input_tokens: totals.input_tokens + sum(|stage| stage.input_tokens),
        cached_tokens: totals.cached_tokens + sum(|stage| stage.cached_tokens),
        output_tokens: totals.output_tokens + sum(|stage| stage.output_tokens),
        ..totals
    }
}
