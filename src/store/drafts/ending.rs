//! Which drafts are open, and how the others ended.

use super::records::records;
use crate::domain::{ChapterNo, Work};
use crate::git::commit_id::CommitId;
use crate::git::error::StoreError;
use crate::git::refs;
use crate::store::book::commit_walk::{Transaction, Walk};
use crate::store::book::repository::Book;
use crate::store::message::{Kind, key};
use git2::Oid;

/// How a draft ended.
pub(crate) enum Ending {
    /// It has not.
    Open,
    /// This transaction has accepted it, or has taken its ground.
    Settled(Box<Transaction>),
    /// It has nothing in common with the book any more, or plain git has brought its chapter in otherwise.
    Groundless,
}

impl Book {
    /// The drafts that are open, each with its tip. One that has been accepted or has lost its ground is open no more, even
    /// where an interrupted command has left its branch.
    pub fn drafts(&self) -> Result<Vec<(Work, CommitId)>, StoreError> {
        let mut open = Vec::new();
        for (work, tip) in self.every_draft()? {
            if matches!(self.ending(work, tip)?, Ending::Open) {
                open.push((work, tip));
            }
        }
        Ok(open)
    }

    /// Every branch of a draft, with its tip.
    pub(crate) fn every_draft(&self) -> Result<Vec<(Work, CommitId)>, StoreError> {
        let drafts = refs::listed(&self.repo, &self.drafts)?.into_iter();
        Ok(drafts.filter_map(|(name, tip)| Some((self.work_of(&name)?, tip.into()))).collect())
    }

    /// How the draft of `work` that ends with `tip` ended.
    pub(crate) fn ending(&self, work: Work, tip: CommitId) -> Result<Ending, StoreError> {
        let Some(base) = self.fork_of(tip.oid())? else { return Ok(Ending::Groundless) };
        if let Some(chapter) = work.chapter()
            && self.is_overtaken(chapter, base, tip.oid())?
        {
            return Ok(Ending::Groundless);
        }
        for transaction in Walk::of_line(&self.repo, self.tip()?.oid()) {
            let transaction = transaction?;
            if transaction.id.oid() == base {
                return Ok(Ending::Open);
            }
            let (id, kind) = (transaction.id.oid(), transaction.kind);
            let accepted = transaction.trailers.read::<CommitId>(key::DRAFT) == Some(tip);
            if accepted || self.invalidates(kind, &self.origin(transaction.clone())?, work, tip)? {
                // After a merge by the author the base may lie beside this line; the commits before it are met all the same.
                let is_met = self.reaches(base, id)?;
                return Ok(if is_met { Ending::Open } else { Ending::Settled(Box::new(transaction)) });
            }
        }
        Ok(Ending::Open)
    }

    /// True when plain git has brought the chapter itself into the book, or has put another text in the place of one that
    /// the draft goes on from.
    fn is_overtaken(&self, chapter: ChapterNo, base: Oid, tip: Oid) -> Result<bool, StoreError> {
        let trees = [self.commit_tree(self.tip()?.oid())?, self.commit_tree(tip)?];
        let contents = |tree| self.shelves.contents(&self.repo, tree);
        let [now, then] = [contents(&trees[0])?, contents(&trees[1])?];
        if now.has(chapter) && !self.contents_of(base.into())?.has(chapter) {
            // A transaction that has accepted the draft is the one to be named.
            return Ok(!self.has_accepted(tip, base)?);
        }
        // Commits of the book that the branch has left since are on the draft's side of the fork.
        for commit in records(self, tip)? {
            let accepted = commit.trailers.chapter().filter(|_| commit.trailers.kind() == Some(Kind::Chapter));
            let Some(accepted) = accepted else { continue };
            let [file, old] = [now.file_of(accepted, &trees[0]), then.file_of(accepted, &trees[1])];
            if file.zip(old).is_some_and(|(file, old)| file.blob != old.blob) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// True when a commit of the accepted line since `base` has accepted the draft that ends with `tip`.
    fn has_accepted(&self, tip: Oid, base: Oid) -> Result<bool, StoreError> {
        for transaction in Walk::of_line(&self.repo, self.tip()?.oid()) {
            let transaction = transaction?;
            if transaction.trailers.read::<CommitId>(key::DRAFT) == Some(tip.into()) {
                return Ok(true);
            }
            if transaction.id.oid() == base {
                break;
            }
        }
        Ok(false)
    }
}
