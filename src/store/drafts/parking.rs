//! Which draft `staging/` shows. The folder shows one at a time; the others wait on their branches, with everything that
//! the author had done to them.

use super::draft::{Draft, DraftError};
use crate::git::commit_id::{CommitId, GivenAuthor, Identity};
use crate::git::error::{GitContext, StoreError};
use crate::git::refs::{self, Swap};
use crate::store::book::change::Change;
use crate::store::book::session::{Recovered, Session};
use crate::store::message::{Kind, Message};
use crate::store::subject::Subject;
use git2::Oid;
use std::collections::BTreeSet;

impl Session<'_> {
    /// Closes drafts that are settled and makes `staging/` agree with the drafts that there are.
    pub(crate) fn settle_drafts(&self, report: &mut Recovered) -> Result<(), StoreError> {
        let book = self.book;
        report.closed.extend(self.close_settled_drafts()?);
        report.staging |= self.clear_staging_of_others()?;
        let staging = book.staging();
        let shown = || -> Result<Option<(String, Oid)>, StoreError> {
            let Some(branch) = staging.branch() else { return Ok(None) };
            Ok(refs::target(&book.repo, &branch)?.map(|tip| (branch, tip)))
        };
        // Before anything is opened again: a draft of the same name is another one.
        if staging.exists() && shown()?.is_none() {
            self.salvage_staging(None)?;
            staging.remove()?;
            report.staging = true;
        }
        report.reopened = self.reopen_drafts()?;
        if staging.exists()
            && let (Some((branch, tip)), Some(scope)) = (shown()?, staging.scope())
        {
            report.staging |= staging.show(&branch, tip, &scope)?;
        }
        Ok(())
    }

    /// Commits the files of `staging/` that are nowhere else, on top of `tip`. Without a tip they are kept under a
    /// name of their own.
    pub(super) fn salvage_staging(&self, tip: Option<Oid>) -> Result<Option<(Oid, Vec<String>)>, StoreError> {
        let book = self.book;
        let unknown = book.staging().unknown(tip)?;
        if unknown.is_empty() {
            return Ok(None);
        }
        let parent = match tip {
            Some(tip) => tip,
            None => book.tip()?.oid(),
        };
        let paths: Vec<String> = unknown.keys().cloned().collect();
        let change = Change { puts: unknown, removes: BTreeSet::new() };
        let base = book.commit_tree(parent)?.id();
        let tree = book.edited(Some(base), &change.write(&book.repo)?)?;
        let author = book.identity(&GivenAuthor::default())?.unwrap_or_else(Identity::fallback);
        let time = book.repo.find_commit(parent).doing("reading a commit")?.time().into();
        let message = Message::new(Kind::HandEdit, Subject::Salvaged);
        let id = self.write_commit_on(tree, parent, &message, &author, time)?;
        if tip.is_none() {
            self.keep(&format!("salvaged/{}", CommitId::from(id).short()), id)?;
        }
        Ok(Some((id, paths)))
    }

    /// Clears `staging/` unless it shows the branch `stays`. The author's edits there are committed to their draft
    /// first, and files of a draft that has no branch any more are kept.
    pub(crate) fn clear_staging(&self, stays: Option<&str>) -> Result<bool, StoreError> {
        let book = self.book;
        let staging = book.staging();
        let Some(shown) = staging.branch().filter(|shown| staging.exists() && stays != Some(shown.as_str())) else {
            return Ok(false);
        };
        let tip = refs::target(&book.repo, &shown)?;
        if let (Some((id, _)), Some(tip)) = (self.salvage_staging(tip)?, tip) {
            let swap = Swap { name: &shown, old: Some(tip), new: id, why: "novel: hand edit" };
            refs::swap(&book.repo, &self.wait, swap)?;
        }
        staging.remove()?;
        Ok(true)
    }

    /// Clears `staging/` where it shows the draft of another line.
    pub(crate) fn clear_staging_of_others(&self) -> Result<bool, StoreError> {
        let book = self.book;
        let staging = book.staging();
        match staging.branch().filter(|_| staging.exists()) {
            Some(shown) if book.work_of(&shown).is_none() => self.clear_staging(None),
            _ => Ok(false),
        }
    }
}

impl Draft<'_> {
    /// Clears `staging/` of another draft.
    pub(super) fn make_room(&self) -> Result<(), DraftError> {
        if !self.scope.is_empty() {
            self.session.clear_staging(Some(&self.name))?;
        }
        Ok(())
    }
}
