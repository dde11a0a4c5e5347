//! Undo and redo: a stack of transactions, as editors have it, read from the book's history alone.
//!
//! Both are commits like any other. An undo names the transaction that it takes back and the one at which the book is
//! again; so the next undo goes on before that one, whatever was undone or done again meanwhile, and any number of steps
//! can be taken over any number of restarts.

use super::commit_walk::Transaction;
use super::rollback::{CommitInfo, RollbackError, RollbackResult, Step};
use super::session::Session;
use crate::store::message::{Kind, Message, key};
use crate::store::prelude::*;
use crate::store::subject::Subject;

/// The place of the book among its transactions.
struct Position {
    /// The transaction that the next undo takes back.
    at: Transaction,
    /// The transactions that a redo puts back, the next one last.
    undone: Vec<CommitId>,
}

impl Session<'_> {
    /// Takes the last transaction back that is in effect, the author's or the program's.
    pub fn undo(&self, telling: &CommitInfo) -> Result<RollbackResult, RollbackError> {
        let at = self.position()?.at;
        let Some(to) = self.before(&at)? else { return Err(RollbackError::NothingToUndo) };
        let subject = telling.subject.clone().unwrap_or_else(|| Subject::Undo(at.subject.clone()));
        let message =
            Message::new(Kind::Undo, subject).body(&telling.body).trailer(key::UNDOES, at.id).trailer(key::TO, to);
        let tree = self.book.commit_tree(to.oid())?.id();
        self.go(Step { tree, merged: Vec::new(), message, of: at }, telling)
    }

    /// Puts the transaction back that was undone last. A new transaction after an undo ends what can be redone.
    pub fn redo(&self, telling: &CommitInfo) -> Result<RollbackResult, RollbackError> {
        let Some(again) = self.position()?.undone.pop() else { return Err(RollbackError::NothingToRedo) };
        let of = self.book.transaction(again)?;
        let subject = telling.subject.clone().unwrap_or_else(|| Subject::Redo(of.subject.clone()));
        let message =
            Message::new(Kind::Redo, subject).body(&telling.body).trailer(key::REDOES, again).trailer(key::TO, again);
        let tree = self.book.commit_tree(again.oid())?.id();
        self.go(Step { tree, merged: Vec::new(), message, of }, telling)
    }

    /// How many transactions can be undone one after another.
    pub fn undoable(&self) -> Result<usize, StoreError> {
        let (mut at, mut count) = (self.position()?.at, 0);
        while let Some(before) = self.before(&at)? {
            (at, count) = (self.past_upkeep(before)?, count + 1);
        }
        Ok(count)
    }

    /// How many undone transactions can be done again one after another.
    pub fn redoable(&self) -> Result<usize, StoreError> {
        Ok(self.position()?.undone.len())
    }

    /// Reads the undos and redos at the end of the line.
    fn position(&self) -> Result<Position, StoreError> {
        let book = self.book;
        let mut transaction = self.past_upkeep(book.tip()?)?;
        let landed = self.landing(transaction.id)?;
        let mut steps = Vec::new();
        while let (true, Some(of), Some(parent)) =
            (self.step_is_whole(&transaction)?, transaction.retraces(), transaction.parent)
        {
            steps.push((transaction.kind, of));
            transaction = self.past_upkeep(parent)?;
        }
        let mut undone = Vec::new();
        for (kind, of) in steps.into_iter().rev() {
            if kind == Kind::Undo {
                undone.push(of);
            } else if undone.pop() != Some(of) {
                undone.clear();
            }
        }
        Ok(Position { at: self.past_upkeep(landed)?, undone })
    }

    /// The commit at which the book was before `at`; `None` when that was no book yet.
    fn before(&self, at: &Transaction) -> Result<Option<CommitId>, StoreError> {
        let Some(parent) = at.parent else { return Ok(None) };
        let before = self.landing(parent)?;
        let is_book = tree::blob_at(&self.book.commit_tree(before.oid())?, super::repository::MARK).is_some();
        Ok(is_book.then_some(before))
    }

    /// The transaction whose content the book had at `commit`: for an undo or a redo the one that it went to.
    fn landing(&self, commit: CommitId) -> Result<CommitId, StoreError> {
        let mut at = self.book.transaction(commit)?;
        while self.step_is_whole(&at)?
            && let Some(to) = at.returns_to()
        {
            at = self.book.transaction(to.into())?;
        }
        Ok(at.id)
    }

    /// The transaction at `commit`, or the last one before it that is no upkeep; see [`Kind::is_upkeep`].
    fn past_upkeep(&self, commit: CommitId) -> Result<Transaction, StoreError> {
        let mut at = self.book.transaction(commit)?;
        while let (true, Some(parent)) = (at.kind.is_upkeep(), at.parent) {
            at = self.book.transaction(parent)?;
        }
        Ok(at)
    }

    /// True for an undo or a redo whose commits are still known; after a rewrite by the author they may not be.
    fn step_is_whole(&self, transaction: &Transaction) -> Result<bool, StoreError> {
        let (Some(of), Some(to)) = (transaction.retraces(), transaction.returns_to()) else { return Ok(false) };
        for commit in [of.oid(), to] {
            if self.book.repo.find_commit(commit).or_missing("reading a commit")?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
