//! Planning in flight: the draft of a step or of a volume's plan, and what is written on it after each answer.
//!
//! As with chapters, whatever was paid for is a commit of the draft before anything is done with it, and what comes next
//! follows from what the draft has; the draft becomes one commit of the book.

use crate::agents::call::prompt_files::hash_of;
use crate::agents::echo;
use crate::agents::{Again, Prompts, ReplyFault, Task};
use crate::domain::book::checkpoint::{Checkpoint, Totals};
use crate::domain::book::config::{BookConfig, ModelRole};
use crate::domain::book::log::{StageLog, WorkLog};
use crate::domain::book::work::{Part, PlanStage, Work};
use crate::domain::volume::outline::Outline;
use crate::llm::{Call, Fault, Limit};
use crate::pipeline::book::damage;
use crate::pipeline::book::view::BookView;
use crate::pipeline::chapter::draft::{DRAFT_ONLY, LOG, cost, record_call, trailer};
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::event::{Event, Warning};
use crate::pipeline::engine::model_call::{ASK_AGAIN, Caller, PreparedRequest, Question, log_entry};
use crate::pipeline::engine::run::Run;
use crate::store::format::check::{Severity, check_file};
use crate::store::{
    Book, Change, CommitId, Draft, Kind, Log, Message, Proposal, Scope, Snapshot, StageCommit, StoreError, Transaction,
    format, key, layout,
};
use std::cell::RefCell;

/// What was asked for, so that a draft is gone on with only when the same is asked again.
pub(crate) const REQUEST: &str = ".draft/request.md";

/// Planning in flight.
pub(crate) struct PlanDraft<'r, 'b> {
    pub(crate) run: &'r Run<'b>,
    pub(crate) work: Work,
    request: String,
    prompts: Prompts,
    config: BookConfig,
    draft: RefCell<Draft<'b>>,
    log: RefCell<WorkLog>,
}

/// A result of planning, as the draft keeps it.
#[derive(Debug, Default)]
pub(crate) struct StageResult {
    /// The files.
    pub(crate) change: Change,
    /// The result in a few words.
    pub(crate) words: String,
    /// The part of the work that it is about, where the work has several.
    pub(crate) covers: Option<String>,
    /// The number of flaws that it repairs.
    pub(crate) repairs: usize,
    /// The stage that a fault is of.
    pub(crate) of: Option<PlanStage>,
}

impl From<(Change, String)> for StageResult {
    fn from((change, words): (Change, String)) -> Self {
        Self { change, words, ..Self::default() }
    }
}

/// What a transaction of planning says.
pub(crate) struct Closing {
    pub(crate) kind: Kind,
    pub(crate) subject: String,
    pub(crate) body: String,
    pub(crate) trailers: Vec<(&'static str, String)>,
    /// What becomes of the checkpoint, its sums apart.
    pub(crate) checkpoint: Box<dyn FnOnce(Checkpoint) -> Checkpoint>,
}

impl<'r, 'b> PlanDraft<'r, 'b> {
    /// Opens the draft of `work`, or goes on with the one that is there when it was begun for the same `request`; one for
    /// another request is put aside first.
    pub(crate) fn open(run: &'r Run<'b>, work: Work, request: &str, scope: Scope) -> Result<Self, RunError> {
        let book = run.session.book();
        let blocked = damage::before_planning(book)?;
        if !blocked.is_empty() {
            return Err(RunError::InTheWay(blocked));
        }
        let mut draft = run.session.draft(work, scope.clone())?;
        let asked = draft.read(REQUEST)?;
        if asked.is_some_and(|asked| asked != request.as_bytes()) {
            draft.close()?;
            draft = run.session.draft(work, scope)?;
        }
        let snapshot = book.snapshot()?;
        if draft.base()? != snapshot.commit_id() {
            let rebased = draft.rebase(&run.author, run.clock.moment())?;
            if !rebased.overlaps.is_empty() {
                run.tell(Event::Warning { work, warning: Warning::BothChanged { paths: rebased.overlaps } });
            }
        }
        let view = BookView::new(&snapshot);
        let (prompts, config) = (view.prompts()?, view.config()?);
        let log =
            draft.read(LOG)?.map(|bytes| format::log::read_work(&bytes)).transpose().map_err(RunError::of_file(LOG))?;
        let log = log.unwrap_or_else(|| WorkLog { work, started_at: run.clock.rfc3339(), stages: Vec::new() });
        let (draft, log, request) = (RefCell::new(draft), RefCell::new(log), request.to_owned());
        let plan_draft = Self { run, work, request, prompts, config, draft, log };
        if plan_draft.read(REQUEST)?.is_none() {
            plan_draft.begin()?;
        }
        Ok(plan_draft)
    }

    /// The draft as it is.
    pub(crate) fn snapshot(&self) -> Result<Snapshot<'b>, StoreError> {
        self.run.session.book().snapshot_of(self.draft.borrow().tip())
    }

    /// A file of the draft.
    pub(crate) fn read(&self, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.draft.borrow().read(path)
    }

    /// Whether a stage's result is on the draft.
    pub(crate) fn has(&self, stage: PlanStage) -> Result<bool, StoreError> {
        let records = self.draft.borrow().records()?;
        Ok(records.iter().any(|record| record.trailers.read(trailer::STAGE) == Some(stage)))
    }

    /// The last result of a stage in a few words.
    pub(crate) fn words_of(&self, stage: PlanStage) -> Result<String, StoreError> {
        let records = self.draft.borrow().records()?;
        let last = records.iter().rev().find(|record| record.trailers.read(trailer::STAGE) == Some(stage));
        // A draft of an older version has them in its subject.
        let words = last.map(|last| last.trailers.read(trailer::RESULT).unwrap_or_else(|| last.subject.clone()));
        Ok(words.unwrap_or_default())
    }

    /// Whether a stage has a result for that part of the work.
    pub(crate) fn has_covered(&self, stage: PlanStage, part: &str) -> Result<bool, StoreError> {
        let records = self.draft.borrow().records()?;
        Ok(records.iter().any(|record| {
            let covered: Option<String> = record.trailers.read(trailer::COVERS);
            record.trailers.read(trailer::STAGE) == Some(stage) && covered.as_deref() == Some(part)
        }))
    }

    /// Whether planners have been asked to repair what there is: once at most, and once more after each change of its length.
    pub(crate) fn is_repaired(&self) -> Result<bool, StoreError> {
        let records = self.draft.borrow().records()?;
        let since = records.iter().rev().take_while(|r| r.trailers.read(trailer::STAGE) != Some(PlanStage::Resize));
        Ok(since.into_iter().any(|record| record.trailers.read::<usize>(trailer::REPAIRS).is_some()))
    }

    /// The number of answers of a stage that could not be used.
    pub(crate) fn faults_of(&self, stage: PlanStage) -> Result<usize, StoreError> {
        let records = self.draft.borrow().records()?;
        let is_fault = |r: &&StageCommit| r.trailers.read(trailer::STAGE) == Some(PlanStage::Fault);
        let faults = records.iter().filter(is_fault);
        Ok(faults.filter(|record| record.trailers.read(trailer::OF) == Some(stage)).count())
    }

    /// Shows the draft in `staging/`.
    pub(crate) fn show(&self) -> Result<(), StoreError> {
        self.draft.borrow().show()
    }

    /// Takes up what the author has done in `staging/`. Returns whether there was something.
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
        for edit in self.draft.borrow().author_edits()? {
            let Some(bytes) = edit.bytes else { continue };
            let shown = format!("{}/{}", layout::STAGING, edit.path);
            if let Some(layout::BookPath::Outline(_)) = layout::classify(&edit.path) {
                let storylines = BookView::new(&self.snapshot()?).storylines()?;
                let resolve = |name: &str| storylines.called(name);
                let text = String::from_utf8_lossy(&bytes);
                let parsed = match gaps {
                    true => Outline::partial(&text, &resolve).map(drop),
                    false => Outline::parse_with(&text, &resolve).map(drop),
                };
                parsed.map_err(|errors| RunError::Outline { path: shown.clone(), errors })?;
            }
            let broken = check_file(&edit.path, &bytes).into_iter().find(|found| found.severity == Severity::Error);
            if let Some(found) = broken {
                return Err(RunError::BrokenEdit { path: shown, source: found.error });
            }
        }
        let before = self.draft.borrow().tip();
        self.draft.borrow_mut().follow()?;
        let adopted = self.draft.borrow_mut().adopt_edits(&self.run.author, self.run.clock.moment())?;
        if let Some(adopted) = adopted {
            self.run.tell(Event::HandEdit { commit: adopted.id.short(), paths: adopted.paths });
        }
        Ok(self.draft.borrow().tip() != before)
    }

    /// Asks an agent until its answer can be used, and writes the result down. `read` makes a value of a reply, `result` a
    /// result of the value.
    pub(crate) async fn ask<T, R: Into<StageResult>>(
        &self,
        stage: PlanStage,
        task: &Task<'_>,
        read: impl Fn(&str) -> Result<T, ReplyFault>,
        result: impl Fn(T) -> Result<R, RunError>,
    ) -> Result<(), RunError> {
        let attempt = async || self.attempt(stage, task, &read, &result).await;
        self.run.unrecorded.try_twice(Part::Plan(stage), attempt).await
    }

    async fn attempt<T, R: Into<StageResult>>(
        &self,
        stage: PlanStage,
        task: &Task<'_>,
        read: &impl Fn(&str) -> Result<T, ReplyFault>,
        result: &impl Fn(T) -> Result<R, RunError>,
    ) -> Result<(), RunError> {
        let asker = Caller { run: self.run, work: self.work, prompts: &self.prompts, config: &self.config };
        let (part, role) = (Part::Plan(stage), ModelRole::Usual(self.config.role(task.agent())));
        let model = self.run.responder.model(task.agent(), role).to_owned();
        let (mut fault, mut cut, mut wider): (Option<ReplyFault>, bool, u32) = (None, false, 1);
        let mut bare = false;
        for tried in 0.. {
            // Whoever has pressed Ctrl-C pays for no further call.
            if self.run.stop.asked() {
                return Err(RunError::Interrupted);
            }
            let again = if cut { Some(Again::Cut) } else { fault.as_ref().map(Again::Fault) };
            let question = Question { part, task, role, again, bare, wider };
            let PreparedRequest { request, hash, .. } = asker.ready(&question)?;
            let (asked, broke) = asker.call(&question, &request).await;
            let entry = log_entry(part, &asked.call, &model, asked.reply.is_ok());
            cut = false;
            let reply = match asked.reply {
                Ok(reply) => reply,
                Err(failure) => {
                    self.fault(stage, (&asked.call, &entry, &hash), &failure.fault.to_string())?;
                    if self.run.stop.asked() {
                        return Err(RunError::Interrupted);
                    }
                    if broke {
                        asker.afford(&request, task.agent(), role)?;
                    }
                    let truncated = matches!(failure.fault, Fault::Truncated { limit: Limit::OutputTokens, .. });
                    let circling = matches!(failure.fault, Fault::Circling { .. });
                    if !(truncated || circling) || tried >= ASK_AGAIN {
                        return Err(RunError::Model { stage: part.as_str(), model, source: Box::new(failure) });
                    }
                    if truncated {
                        (cut, wider) = (true, wider * 2);
                    } else {
                        fault = Some(ReplyFault::Circling);
                    }
                    self.run.tell(Event::AskedAgain { part, why: failure.fault.into() });
                    continue;
                }
            };
            // A model that repeats the example of the format has not answered; the offline writer knows no examples.
            let usable = match echo(task.agent(), &reply) {
                Some(fault) if self.run.responder.takes_time() => Err(fault),
                _ => read(&reply),
            };
            match usable {
                Ok(value) => {
                    self.write(stage, result(value)?.into(), Some((&asked.call, &entry, &hash)))?;
                    self.run.tell(Event::StageDone { work: self.work, part, scene: None, log: entry });
                    return Ok(());
                }
                Err(problem) => {
                    self.fault(stage, (&asked.call, &entry, &hash), &problem.to_string())?;
                    if tried >= ASK_AGAIN {
                        return Err(RunError::Unusable { stage: part.as_str(), model, problem });
                    }
                    self.run.tell(Event::AskedAgain { part, why: problem.clone().into() });
                    bare |= matches!(problem, ReplyFault::Echo(_));
                    fault = Some(problem);
                }
            }
        }
        Ok(())
    }

    fn fault(&self, stage: PlanStage, call: (&Call, &StageLog, &str), words: &str) -> Result<(), RunError> {
        let (call, entry, hash) = call;
        let entry = StageLog { used: false, ..entry.clone() };
        let fault = StageResult { of: Some(stage), words: format!("{stage}: {words}"), ..StageResult::default() };
        self.write(PlanStage::Fault, fault, Some((call, &entry, hash)))?;
        Ok(())
    }

    fn begin(&self) -> Result<(), RunError> {
        let message = Message::new(Kind::Stage, &format!("{} begun", self.work));
        self.append(&Change::default().put(REQUEST, self.request.as_str()), &message)?;
        Ok(())
    }

    /// Writes a result down that no agent was asked for.
    pub(crate) fn commit(&self, stage: PlanStage, change: Change, words: &str) -> Result<CommitId, RunError> {
        self.write(stage, StageResult { change, words: words.to_owned(), ..StageResult::default() }, None)
    }

    /// Writes a result down: one commit of the draft, with the call that it came from.
    fn write(
        &self,
        stage: PlanStage,
        result: StageResult,
        call: Option<(&Call, &StageLog, &str)>,
    ) -> Result<CommitId, RunError> {
        let StageResult { mut change, words, covers, repairs, of } = result;
        let repair = if repairs > 0 { " (repair)" } else { "" };
        let mut message = Message::new(Kind::Stage, &format!("{} {stage}: {words}{repair}", self.work));
        message = message.trailer(trailer::STAGE, stage).trailer(trailer::RESULT, &words);
        if let Some(of) = of {
            message = message.trailer(trailer::OF, of);
        }
        if let Some(covers) = covers {
            message = message.trailer(trailer::COVERS, covers);
        }
        if repairs > 0 {
            message = message.trailer(trailer::REPAIRS, repairs);
        }
        let (before, logged) = (self.draft.borrow().tip(), self.log.borrow().stages.len());
        if let Some(paid) = call {
            (change, message) = record_call(change, message, paid, &mut self.log.borrow_mut().stages);
            change = change.put(LOG, format::log::write_work(&self.log.borrow()));
        }
        let done = self.append(&change, &message);
        match call {
            Some((call, ..)) if self.draft.borrow().tip() != before => self.run.unrecorded.recorded(call),
            _ => self.log.borrow_mut().stages.truncate(logged),
        }
        done
    }

    fn append(&self, change: &Change, message: &Message) -> Result<CommitId, RunError> {
        let id = self.draft.borrow_mut().commit_result(change, message, &self.run.author, self.run.clock.moment())?;
        self.draft.borrow().keep_shown()?;
        Ok(id)
    }

    /// Makes the draft one commit of the book: its files, the log of its calls and the checkpoint.
    pub(crate) fn accept(self, closing: Closing) -> Result<CommitId, RunError> {
        let Self { run, work, request, draft, log, .. } = self;
        let (draft, log) = (draft.into_inner(), log.into_inner());
        let snapshot = run.session.book().snapshot()?;
        let view = BookView::new(&snapshot);
        // The calls are no part of the result, nor what the author has committed of other things in `staging/`, where a
        // volume's plan is shown; the draft keeps them.
        let mut change = draft.change()?.only(|path| match work {
            Work::Plan(volume) => path.starts_with(&format!("volumes/{volume}/")) || path == layout::STORYLINES,
            _ => !path.starts_with(DRAFT_ONLY),
        });
        if !log.stages.is_empty() {
            let number = snapshot.list(layout::PLAN_LOGS)?.len() + 1;
            let path = format!("{}/{work}-{number:03}.json", layout::PLAN_LOGS);
            change = change.put(&path, format::log::write_work(&log));
        }
        let before = view.checkpoint()?;
        let totals = add(before.totals, &log);
        let checkpoint = Checkpoint { totals, time: run.clock.rfc3339(), ..(closing.checkpoint)(before) };
        let previous = view.bytes(layout::CHECKPOINT)?;
        change = change.put(layout::CHECKPOINT, format::checkpoint::write(&checkpoint, previous.as_deref()));
        let mut message = Message::new(closing.kind, &closing.subject).body(&closing.body);
        for (key, value) in closing.trailers {
            message = message.trailer(key, value);
        }
        message = message.trailer(trailer::WORK, work).trailer(trailer::REQUEST, request_hash(&request));
        message = message.trailer(key::DRAFT, draft.tip());
        if !log.stages.is_empty() {
            message = message.trailer("Novel-Models", models(&log)).trailer("Novel-Cost", cost(log.cost_micro_usd()));
        }
        let keep = vec![(format!("{work}/{}", draft.tip().short()), draft.tip())];
        let proposal = Proposal { keep, ..run.proposal(change, message, snapshot.commit_id()) };
        let committed = run.commit(work, proposal)?;
        run.close(work, &committed, draft);
        Ok(committed.id)
    }

    /// Puts the draft aside: it stays reachable, and nothing of it is in the book.
    pub(crate) fn abandon(self) -> Result<Option<String>, RunError> {
        Ok(self.draft.into_inner().close()?.map(|closed| closed.kept))
    }
}

/// The last transaction, when it answers this very request: it was asked for again by accident, or because the command
/// died before it could say that it was done. When the author has changed since what it made, the request is a new one.
pub(crate) fn just_done(book: &Book, work: Work, request: &str) -> Result<Option<Transaction>, StoreError> {
    let last = newest(book)?.filter(|transaction| {
        let trailers = &transaction.trailers;
        trailers.read(trailer::WORK) == Some(work) && trailers.get(trailer::REQUEST) == Some(&request_hash(request))
    });
    let Some(last) = last else { return Ok(None) };
    let after = book.snapshot_of(last.id)?;
    let changed = book.snapshot()?.changed_since(&after)?;
    let made = match last.parent {
        Some(parent) => after.changed_since(&book.snapshot_of(parent)?)?,
        None => Default::default(),
    };
    let is_untouched = changed.iter().all(|path| path == layout::CHECKPOINT || !made.contains(path));
    Ok(is_untouched.then_some(last))
}

/// So many commits of the author's may lie between two equal requests.
const JUST: usize = 20;

/// The last transaction that is more than the author's own edits.
pub(crate) fn newest(book: &Book) -> Result<Option<Transaction>, StoreError> {
    let log = book.log(&Log { limit: JUST, ..Log::default() })?;
    Ok(log.into_iter().find(|transaction| !matches!(transaction.kind, Kind::HandEdit | Kind::Migrate)))
}

/// A request by its hash.
pub(crate) fn request_hash(request: &str) -> String {
    hash_of(&[("request", request)])
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
