//! Work in flight: its draft branch, and the calls that are recorded on it.
//!
//! Every reply that was paid for is a commit of the draft before anything is done with it, and what comes next follows from
//! the draft; so resuming after a death and going on after a reply are the same.

use super::ask::Job;
use super::call_record::{LOG, Paid};
use super::error::RunError;
use super::event::Event;
use super::model_call::Caller;
use super::run::Run;
use crate::agents::Prompts;
use crate::domain::book::config::BookConfig;
use crate::domain::book::log::WorkLog;
use crate::domain::book::work::Work;
use crate::pipeline::book::view::BookView;
use crate::store::format::FormatError;
use crate::store::{Change, CommitId, Draft, Message, Scope, Snapshot, StageCommit, StagingEdit, StoreError};
use std::cell::{Ref, RefCell};

/// Work in flight.
pub(crate) struct DraftSession<'r, 'b> {
    pub(crate) run: &'r Run<'b>,
    pub(crate) work: Work,
    pub(crate) prompts: Prompts,
    pub(crate) config: BookConfig,
    draft: RefCell<Draft<'b>>,
    log: RefCell<WorkLog>,
}

impl<'r, 'b> DraftSession<'r, 'b> {
    /// Opens the draft of `work` on the book as the view has it, a new one or the one that is there, and reads the log
    /// of its calls. Also returns the files that the author has changed both in the book and in the draft.
    pub(crate) fn open(
        run: &'r Run<'b>,
        work: Work,
        scope: Scope,
        view: &BookView<'_>,
        read_log: impl Fn(&[u8]) -> Result<WorkLog, FormatError>,
    ) -> Result<(Self, Vec<String>), RunError> {
        let mut draft = run.session.draft(work, scope)?;
        let mut overlaps = Vec::new();
        if draft.base()? != view.commit_id() {
            overlaps = draft.rebase(&run.author, run.calls.clock.moment())?.overlaps;
        }
        let log = draft.read(LOG)?.map(|bytes| read_log(&bytes)).transpose().map_err(RunError::of_file(LOG))?;
        let begun = || WorkLog { work, started_at: run.calls.clock.rfc3339(), stages: Vec::new() };
        let (prompts, config) = (view.prompts()?, view.config()?);
        let (draft, log) = (RefCell::new(draft), RefCell::new(log.unwrap_or_else(begun)));
        Ok((Self { run, work, prompts, config, draft, log }, overlaps))
    }

    /// The caller of agents for this work.
    pub(crate) fn caller(&self) -> Caller<'_, 'b> {
        Caller { calls: &self.run.calls, work: self.work, prompts: &self.prompts, config: &self.config }
    }

    /// Asks an agent until its answer can be used, and has it recorded. In a book that is synced, the lease is held first:
    /// no two devices pay for the same work.
    pub(crate) async fn ask<J: Job>(&self, job: &mut J) -> Result<(), RunError> {
        self.run.hold_lease(self.work)?;
        self.caller().ask(job).await
    }

    /// The last commit of the draft.
    pub(crate) fn tip(&self) -> CommitId {
        self.draft.borrow().tip()
    }

    /// The draft as it is.
    pub(crate) fn snapshot(&self) -> Result<Snapshot<'b>, StoreError> {
        self.run.session.book().snapshot_of(self.tip())
    }

    /// A file of the draft.
    pub(crate) fn read(&self, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.draft.borrow().read(path)
    }

    /// The commits of the draft, the oldest first.
    pub(crate) fn records(&self) -> Result<Vec<StageCommit>, StoreError> {
        self.draft.borrow().records()
    }

    /// The calls that are recorded on the draft.
    pub(crate) fn log(&self) -> Ref<'_, WorkLog> {
        self.log.borrow()
    }

    /// Shows the draft in `staging/` as it is now.
    pub(crate) fn show(&self) -> Result<(), StoreError> {
        self.draft.borrow().show()
    }

    /// Brings `staging/` up where it shows the draft.
    pub(crate) fn keep_shown(&self) -> Result<(), StoreError> {
        self.draft.borrow().keep_shown()
    }

    /// The author's uncommitted changes in `staging/`.
    pub(crate) fn author_edits(&self) -> Result<Vec<StagingEdit>, StoreError> {
        self.draft.borrow().author_edits()
    }

    /// Follows commits that the author has made in `staging/`.
    pub(crate) fn follow(&self) -> Result<(), RunError> {
        Ok(self.draft.borrow_mut().follow()?)
    }

    /// Commits the author's changes in `staging/` to the draft.
    pub(crate) fn commit_edits(&self) -> Result<(), RunError> {
        let adopted = self.draft.borrow_mut().adopt_edits(&self.run.author, self.run.calls.clock.moment())?;
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
        paid: Option<&Paid>,
        log: impl FnOnce(&WorkLog) -> Option<Vec<u8>>,
    ) -> Result<CommitId, RunError> {
        let (before, logged) = (self.tip(), self.log.borrow().stages.len());
        let (change, message) = match paid {
            Some(paid) => paid.record(change, message, &mut self.log.borrow_mut().stages)?,
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
        let time = self.run.calls.clock.moment();
        let id = self.draft.borrow_mut().commit_result(change, message, &self.run.author, time)?;
        Ok(id)
    }

    /// Puts the draft aside. It stays reachable under the ref that comes back.
    pub(crate) fn abandon(self) -> Result<Option<String>, RunError> {
        Ok(self.draft.into_inner().close()?.map(|closed| closed.kept))
    }

    /// Ends the session and gives back its parts, for accepting the draft.
    pub(crate) fn into_parts(self) -> (Draft<'b>, WorkLog) {
        (self.draft.into_inner(), self.log.into_inner())
    }
}
