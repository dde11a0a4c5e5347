//! Commits: a result with its call on a draft, and a change or a whole draft in the book.
//! Every reply that was paid for is a commit of the draft before anything is done with it, and what comes next follows from
//! the draft; so resuming after a death and going on after a reply are the same.
//! Outcomes of work that is one commit of the book.

use crate::agents::Prompts;
use crate::domain::book::checkpoint::WorkLog;
use crate::pipeline::book::hand_edits;
use crate::pipeline::engine::ask::Job;
use crate::pipeline::engine::call_record::{DRAFT_ONLY, LOG, PaidCall};
use crate::pipeline::engine::model_call::{Caller, ModelQuestion};
use crate::pipeline::prelude::*;
use crate::store::{self, CommitError, Committed, Draft, Proposal};
use std::cell::RefCell;
use std::fmt::Display;
use std::ops::Deref;

/// Work in flight: a draft and the log of its calls.
pub(crate) struct DraftSession<'r, 'b> {
    pub(crate) run: &'r Run<'b>,
    pub(crate) work: Work,
    pub(crate) config: BookConfig,
    pub(crate) draft: Draft<'b>,
    pub(crate) log: RefCell<WorkLog>,
    pub(crate) prompts: Prompts,
    /// Of a chapter's draft that is written before its turn: the commit of the draft before that it was told of.
    pub(crate) ahead: Option<CommitId>,
}

impl<'b> Deref for DraftSession<'_, 'b> {
    type Target = Draft<'b>;

    fn deref(&self) -> &Draft<'b> {
        &self.draft
    }
}

impl<'r, 'b> DraftSession<'r, 'b> {
    /// Opens the draft of `work` on the book as the view has it, a new one or the one that is there, and reads the log
    /// of its calls. Also returns the files that the author has changed both in the book and in the draft.
    pub(crate) fn open(
        run: &'r Run<'b>,
        work: Work,
        scope: DraftFiles,
        view: &BookView<'_>,
        read_log: impl Fn(&[u8]) -> Result<WorkLog, FormatError>,
    ) -> Result<(Self, Vec<String>), RunError> {
        let blocks =
            if scope.is_empty() { Vec::new() } else { store::staging::obstructions_in_staging(run.session.book()) };
        if !blocks.is_empty() {
            // The author's text behind a link would be left out.
            return Err(RunError::InTheWay(blocks));
        }
        let draft = store::draft::open_draft(run.session, work, scope)?;
        let mut overlaps = Vec::new();
        if draft.base()? != view.commit_id() {
            overlaps = draft.rebase(&run.author, run.calls.clock.moment())?.overlaps;
        }
        let whole = store::draft::draft_with(run.session.book(), LOG, draft.tip())?;
        if whole != draft.tip() {
            // Another tool has taken the records out of the draft, and with them what it has cost.
            let (now, then) = (draft.snapshot()?, run.session.book().snapshot_of(whole)?);
            let mut change = Change::default();
            for path in then.files(DRAFT_ONLY)?.into_iter().filter(|path| !now.has(path)) {
                change = then.read(&path)?.into_iter().fold(change, |change, bytes| change.put(&path, bytes));
            }
            let message = Message::new(Kind::HandEdit, Subject::Repaired);
            draft.commit_result(&change, &message, &run.author, run.calls.clock.moment())?;
        }
        let log = draft.read(LOG)?.map(|bytes| read_log(&bytes)).transpose().map_err(RunError::of_file(LOG))?;
        let begun = || WorkLog { work, started_at: run.calls.clock.rfc3339(), stages: Vec::new() };
        let (prompts, config) = (view.prompts()?, view.config()?);
        let log = RefCell::new(log.unwrap_or_else(begun));
        Ok((Self { run, work, config, draft, log, prompts, ahead: None }, overlaps))
    }

    /// Asks an agent until its answer can be used, and has it recorded. In a book that is synced, the lease is held first:
    /// no two devices pay for the same work.
    pub(crate) async fn ask<J: Job>(&self, job: &mut J) -> Result<(), RunError> {
        // Work ahead goes on under the lease of the chapter before.
        if self.ahead.is_none() {
            self.run.hold_lease(self.work)?;
        }
        self.caller().ask(job).await
    }

    pub(crate) fn caller(&self) -> Caller<'_, 'b> {
        Caller { calls: &self.run.calls, work: self.work, prompts: &self.prompts, config: &self.config }
    }

    /// The most that the task can cost, in millionths of a US dollar; `None` where the price is unknown.
    /// Fails with [`RunError::DoesNotFit`] where the model's context is too small for the task.
    pub(crate) fn most_cost(&self, part: Part, task: &Task<'_>, role: ModelRole) -> Result<Option<u64>, RunError> {
        let model = self.run.calls.responder.model_for(task.agent(), role);
        let question = ModelQuestion { part, task, model, again: None, bare: false, wider: 1 };
        Ok(model.dearest(&self.caller().fitting(&question)?.request))
    }

    /// Commits the author's changes in `staging/` to the draft.
    pub(crate) fn commit_edits(&self) -> Result<(), RunError> {
        let adopted = self.draft.adopt_edits(&self.run.author, self.run.calls.clock.moment())?;
        if let Some(adopted) = adopted {
            self.run.tell(Event::HandEdit { commit: adopted.id.to_string(), paths: adopted.paths });
        }
        Ok(())
    }

    /// Commits a result to the draft, with the call that it came from. `log` makes the file of the draft's log from the
    /// lines up to this call, where it is to be written. When nothing is committed, the log is as it was.
    pub(crate) fn commit(
        &self,
        change: Change,
        message: Message,
        paid: Option<&PaidCall>,
        log: impl FnOnce(&WorkLog) -> Option<Vec<u8>>,
    ) -> Result<CommitId, RunError> {
        let (before, logged) = (self.tip(), self.log.borrow().stages.len());
        let message = match self.ahead {
            Some(told) => message.trailer(key::AHEAD, told),
            None => message,
        };
        let (change, message) = match paid {
            Some(paid) => {
                let (mut log, is_ahead) = (self.log.borrow_mut(), self.ahead.is_some());
                let recorded = paid.record(change, message, &mut log.stages)?;
                log.stages.last_mut().into_iter().for_each(|call| call.ahead = is_ahead);
                recorded
            }
            None => (change, message),
        };
        let change = match log(&self.log.borrow()) {
            Some(bytes) => change.put(LOG, bytes),
            None => change,
        };
        let done = self.append(&change, &message);
        if self.tip() == before {
            self.log.borrow_mut().stages.truncate(logged);
        } else if let Some(paid) = paid {
            self.run.calls.unrecorded.recorded(&paid.call);
        }
        done
    }

    /// Commits files to the draft that no agent was asked for and that the log says nothing of.
    pub(crate) fn append(&self, change: &Change, message: &Message) -> Result<CommitId, RunError> {
        Ok(self.draft.commit_result(change, message, &self.run.author, self.run.calls.clock.moment())?)
    }

    /// Puts the draft aside. It stays reachable under the ref that comes back.
    pub(crate) fn abandon(self) -> Result<Option<String>, RunError> {
        Ok(self.draft.close()?.map(|closed| closed.kept))
    }
}

/// A commit of the book in the making, and the draft that it accepts.
#[must_use = "nothing is committed before `make`"]
pub(crate) struct BookCommit<'r, 'b> {
    run: &'r Run<'b>,
    work: Work,
    proposal: Proposal,
    draft: Option<Draft<'b>>,
}

impl<'r, 'b> BookCommit<'r, 'b> {
    /// Begins a commit on the book as the snapshot has it.
    pub(crate) fn new(run: &'r Run<'b>, work: Work, message: Message, change: Change, base: &Snapshot<'_>) -> Self {
        let (author, time) = (run.author.clone(), run.calls.clock.moment());
        let (expected, merged, keep) = (base.commit_id(), Vec::new(), Vec::new());
        Self { run, work, proposal: Proposal { change, message, expected, merged, keep, author, time }, draft: None }
    }

    pub(crate) fn trailer(mut self, key: &str, value: impl Display) -> Self {
        self.proposal.message = self.proposal.message.trailer(key, value);
        self
    }

    /// Makes it the commit that accepts a draft: the draft is kept, named in the message, and closed at the end.
    pub(crate) fn accepting(mut self, draft: Draft<'b>) -> Self {
        let tip = draft.tip();
        self.proposal.keep.push((format!("{}/{}", self.work, tip.short()), tip));
        self.draft = Some(draft);
        self.trailer(key::DRAFT, tip)
    }

    /// Adds the models that the work has used and the cost of their calls.
    pub(crate) fn paid(self, models: &str, micro_usd: Option<u64>) -> Self {
        self.trailer(trailer::MODELS, models).trailer(trailer::COST, super::call_record::cost(micro_usd))
    }

    /// Makes the commit. Changes that the author saves between the look and the lock are committed first, as the author's
    /// own, and they stand.
    pub(crate) fn make(self) -> Result<Committed, RunError> {
        let Self { run, work, mut proposal, draft } = self;
        let committed = match store::transaction::commit(run.session, &proposal) {
            Err(CommitError::AuthorEdited { .. }) => {
                hand_edits::commit_local_changes(run)?;
                if work.chapter().is_some() {
                    // The author's edit of the rules stands; the chapter has only a note to add to them.
                    proposal.change.puts.remove(layout::WORLD_RULES);
                }
                proposal.expected = run.session.tip()?;
                store::transaction::commit(run.session, &proposal).map_err(|error| blocked(run, error))?
            }
            other => other?,
        };
        warn_of_lag(run, work, committed.lagging.as_ref());
        if let Some(draft) = draft.filter(|_| committed.lagging.is_none()) {
            // The branch has moved, so a failure to close the draft is no failure of the work: the next session closes it.
            warn_of_lag(run, work, draft.close().err().as_ref());
        }
        Ok(committed)
    }

    /// Makes the commit, or refuses where the author has changed one of its files meanwhile.
    pub(crate) fn make_unless_edited(self) -> Result<Committed, CommitError> {
        let committed = store::transaction::commit(self.run.session, &self.proposal)?;
        warn_of_lag(self.run, self.work, committed.lagging.as_ref());
        Ok(committed)
    }
}

/// Names the obstruction where a commit was refused for files that are no edits.
fn blocked(run: &Run<'_>, error: CommitError) -> RunError {
    let CommitError::AuthorEdited { paths } = &error else { return error.into() };
    match store::not_writable::obstructions(run.session.book(), paths.iter().map(String::as_str)) {
        Ok(found) if !found.is_empty() => RunError::InTheWay(found),
        _ => error.into(),
    }
}

/// Tells that the folder could not follow a move of the book's branch.
pub(crate) fn tell_lag(run: &Run<'_>, error: Option<&StoreError>) {
    warn_of_lag(run, Work::Step(Step::Regenerate), error);
}

pub(crate) fn warn_of_lag(run: &Run<'_>, work: Work, error: Option<&StoreError>) {
    if let Some(error) = error {
        let warning = Warning::FolderLags { why: error.fault() };
        run.tell(Event::Warning { work, warning });
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    pub commit: CommitId,
    /// The first line of its message.
    pub subject: String,
}

impl From<Transaction> for Done {
    fn from(Transaction { id, subject, .. }: Transaction) -> Self {
        Self { commit: id, subject }
    }
}

impl From<Committed> for Done {
    fn from(Committed { id, subject, .. }: Committed) -> Self {
        Self { commit: id, subject }
    }
}

/// The outcome of a change that may have been there before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Applied {
    Done(Done),
    /// It was so already; nothing has changed.
    Already,
}
