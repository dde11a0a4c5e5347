//! Commits of the book, each made in the same way whatever the work was.

use super::error::RunError;
use super::event::{Event, Warning};
use super::run::Run;
use super::trailer;
use crate::domain::book::work::{Step, Work};
use crate::store::{
    Change, CommitError, CommitId, Committed, Draft, Message, Proposal, Snapshot, StoreError, key, layout,
};
use std::fmt::Display;

/// A commit of the book in the making: its files, its message, and the draft that it accepts.
#[must_use = "nothing is committed before `make`"]
pub(crate) struct BookCommit<'r, 'b> {
    run: &'r Run<'b>,
    work: Work,
    change: Change,
    message: Message,
    expected: CommitId,
    draft: Option<Draft<'b>>,
}

/// Everything that making a commit takes.
struct Parts<'r, 'b> {
    run: &'r Run<'b>,
    work: Work,
    proposal: Proposal,
    draft: Option<Draft<'b>>,
}

impl<'r, 'b> BookCommit<'r, 'b> {
    /// Begins a commit on the book as the snapshot has it.
    pub(crate) fn new(run: &'r Run<'b>, work: Work, message: Message, base: &Snapshot<'_>) -> Self {
        let (change, expected) = (Change::default(), base.commit_id());
        Self { run, work, change, message, expected, draft: None }
    }

    /// The same with its files.
    pub(crate) fn change(mut self, change: Change) -> Self {
        self.change = change;
        self
    }

    /// The same with one more trailer.
    pub(crate) fn trailer(mut self, key: &str, value: impl Display) -> Self {
        self.message = self.message.trailer(key, value);
        self
    }

    /// The same as the commit that accepts a draft: the draft is kept, named in the message, and closed at the end.
    pub(crate) fn accepting(mut self, draft: Draft<'b>) -> Self {
        self = self.trailer(key::DRAFT, draft.tip());
        self.draft = Some(draft);
        self
    }

    /// The same with the models that the work has used and the cost of their calls.
    pub(crate) fn paid(self, models: &str, micro_usd: Option<u64>) -> Self {
        self.trailer(trailer::MODELS, models).trailer(trailer::COST, super::call_record::cost(micro_usd))
    }

    fn into_parts(self) -> Parts<'r, 'b> {
        let Self { run, work, change, message, expected, draft } = self;
        let kept = |draft: &Draft<'_>| (format!("{work}/{}", draft.tip().short()), draft.tip());
        let keep = draft.iter().map(kept).collect();
        let (author, time) = (run.author.clone(), run.calls.clock.moment());
        let proposal = Proposal { change, message, expected, merged: Vec::new(), keep, author, time };
        Parts { run, work, proposal, draft }
    }

    /// Makes the commit. Changes that the author saves between the look and the lock are committed first, as the author's
    /// own, and they stand.
    pub(crate) fn make(self) -> Result<Committed, RunError> {
        let Parts { run, work, mut proposal, draft } = self.into_parts();
        let committed = match run.session.commit(&proposal) {
            Err(CommitError::AuthorEdited { .. }) => {
                run.commit_local_changes()?;
                if work.chapter().is_some() {
                    // The author's edit of the rules stands; the chapter has only a note to add to them.
                    proposal.change.puts.remove(layout::WORLD_RULES);
                }
                proposal.expected = run.session.tip()?;
                run.session.commit(&proposal).map_err(|error| run.blocked(error))?
            }
            other => other?,
        };
        run.warn_of_lag(work, committed.lagging.as_ref());
        if let Some(draft) = draft.filter(|_| committed.lagging.is_none()) {
            // The branch has moved, so a failure to close the draft is no failure of the work: the next session closes it.
            run.warn_of_lag(work, draft.close().err().as_ref());
        }
        Ok(committed)
    }

    /// Makes the commit, or refuses where the author has changed one of its files meanwhile.
    pub(crate) fn make_unless_edited(self) -> Result<Committed, CommitError> {
        let Parts { run, work, proposal, .. } = self.into_parts();
        let committed = run.session.commit(&proposal)?;
        run.warn_of_lag(work, committed.lagging.as_ref());
        Ok(committed)
    }
}

impl Run<'_> {
    /// Names the obstruction where a commit was refused for files that are no edits.
    fn blocked(&self, error: CommitError) -> RunError {
        let CommitError::AuthorEdited { paths } = &error else { return error.into() };
        match self.session.book().obstructions(paths.iter().map(String::as_str)) {
            Ok(found) if !found.is_empty() => RunError::InTheWay(found),
            _ => error.into(),
        }
    }

    /// Tells that the folder could not follow a move of the book's branch.
    pub(crate) fn tell_lag(&self, error: Option<&StoreError>) {
        self.warn_of_lag(Work::Step(Step::Regenerate), error);
    }

    fn warn_of_lag(&self, work: Work, error: Option<&StoreError>) {
        if let Some(error) = error {
            let warning = Warning::FolderLags { why: error.fault() };
            self.tell(Event::Warning { work, warning });
        }
    }
}
