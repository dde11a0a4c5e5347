//! Going back, forwards: a rollback, an undo and a redo are commits like any other, so nothing is lost and each can be
//! taken back in turn.

use git2::Oid;

use super::change::Change;
use super::commit_walk::Transaction;
use super::repository::Book;
use super::session::Session;
use super::transaction::{Advance, CommitError, Committed};
use crate::domain::workflow::Answer;
use crate::domain::{ChapterNo, Work};
use crate::store::drafts::closed::Closed;
use crate::store::drafts::restore;
use crate::store::error::{GitContext, Missing, StoreError};
use crate::store::failpoint::abort_at;
use crate::store::git::commit_id::{CommitId, Identity, Moment};
use crate::store::git::message::{Kind, Message, key};
use crate::store::git::tree::{self, Edits};

/// Where to go back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The commit that accepted this chapter.
    Chapter(ChapterNo),
    /// Any commit of the book.
    Commit(CommitId),
}

/// Why the book did not go back or forth. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum RollbackError {
    /// The book has no such chapter now.
    #[error("{0} is not in the book")]
    NoSuchChapter(ChapterNo),
    /// The commit is not a book.
    #[error("{0} is not a commit of this book")]
    NotTheBook(CommitId),
    /// The book is as it was there already.
    #[error("the book is there already")]
    AlreadyThere,
    /// Nothing was done that could be undone.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// The last thing done was not an undo.
    #[error("there is nothing to redo")]
    NothingToRedo,
    /// The commit could not be made.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// Anything else.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A rollback, undo or redo that is in the book.
#[derive(Debug)]
pub struct RollbackResult {
    /// Its commit.
    pub committed: Committed,
    /// The transaction that was undone or redone, or the commit that a rollback went to.
    pub of: Transaction,
    /// Drafts that had lost their ground and were closed.
    pub closed: Vec<Closed>,
    /// Drafts that are open again: the step that was taken back had closed them.
    pub reopened: Vec<Work>,
}

/// Who goes back and how it is told.
#[derive(Debug, Clone)]
pub struct CommitInfo {
    /// One line; by default it says what was done.
    pub subject: Option<String>,
    /// More lines.
    pub body: String,
    /// Who does it.
    pub author: Identity,
    /// When.
    pub time: Moment,
}

impl Session<'_> {
    /// Makes the book what it was at `to`, in a new commit. Files that `stays` names keep their present content.
    ///
    /// # Errors
    /// [`RollbackError`]; hand edits in the files concerned must be committed first.
    pub fn rollback(
        &self,
        to: Target,
        stays: &dyn Fn(&str) -> bool,
        telling: &CommitInfo,
    ) -> Result<RollbackResult, RollbackError> {
        self.rollback_with(to, stays, &Change::default(), &[], telling)
    }

    /// The same, where the same commit also changes something: `also` counts over what was at `to`. `trailers` are added to
    /// the message.
    ///
    /// # Errors
    /// [`RollbackError`], as for [`rollback`](Self::rollback).
    pub fn rollback_with(
        &self,
        to: Target,
        stays: &dyn Fn(&str) -> bool,
        also: &Change,
        trailers: &[(&str, String)],
        telling: &CommitInfo,
    ) -> Result<RollbackResult, RollbackError> {
        let book = self.book;
        let (to, name) = match to {
            Target::Commit(id) => (id, None),
            Target::Chapter(chapter) => {
                let reached = book.since(chapter)?.pop().ok_or(RollbackError::NoSuchChapter(chapter))?;
                (reached.id, Some(chapter))
            }
        };
        let of = book.transaction(to).map_err(|_| RollbackError::NotTheBook(to))?;
        let (target, now) = (book.commit_tree(to.oid())?, book.commit_tree(book.tip()?.oid())?);
        if tree::blob_at(&target, super::repository::MARK).is_none() {
            return Err(RollbackError::NotTheBook(to));
        }
        let differences = tree::differences(&book.repo, Some(&now), Some(&target))?;
        let mut edits: Edits = differences.into_iter().filter(|d| !stays(&d.path)).map(|d| (d.path, d.new)).collect();
        book.objects.gather(&book.repo)?;
        edits.extend(also.write(&book.repo)?);
        let tree = tree::edited(&book.repo, Some(&now), &edits)?;
        if tree == now.id() {
            return Err(RollbackError::AlreadyThere);
        }
        let name = name.or(of.accepts()).map_or_else(|| to.short(), |chapter| chapter.to_string());
        let mut message =
            Message::new(Kind::Rollback, &telling.subject.clone().unwrap_or_else(|| format!("rollback: {name}")))
                .body(&telling.body)
                .trailer(key::TO, to)
                .trailer(key::FROM, book.tip()?);
        for (key, value) in trailers {
            message = message.trailer(key, value);
        }
        self.go(tree, &message, telling, of)
    }

    /// Takes the last transaction back that is not undone already, whoever made it.
    ///
    /// # Errors
    /// [`RollbackError`].
    pub fn undo(&self, telling: &CommitInfo) -> Result<RollbackResult, RollbackError> {
        let line = self.undo_line()?;
        let Some(parent) = line.at.parent else { return Err(RollbackError::NothingToUndo) };
        let tree = self.book.commit_tree(parent.oid())?;
        if tree::blob_at(&tree, super::repository::MARK).is_none() {
            return Err(RollbackError::NothingToUndo);
        }
        let subject = telling.subject.clone().unwrap_or_else(|| format!("undo: {}", line.at.subject));
        let message = Message::new(Kind::Undo, &subject)
            .body(&telling.body)
            .trailer(key::UNDOES, line.at.id)
            .trailer(key::TO, parent);
        self.go(tree.id(), &message, telling, line.at)
    }

    /// Puts the transaction back that was undone last. A new transaction after an undo ends what can be redone.
    ///
    /// # Errors
    /// [`RollbackError`].
    pub fn redo(&self, telling: &CommitInfo) -> Result<RollbackResult, RollbackError> {
        let mut line = self.undo_line()?;
        let Some(again) = line.undone.pop() else { return Err(RollbackError::NothingToRedo) };
        let of = self.book.transaction(again)?;
        let tree = self.book.commit_tree(again.oid())?;
        let subject = telling.subject.clone().unwrap_or_else(|| format!("redo: {}", of.subject));
        let message =
            Message::new(Kind::Redo, &subject).body(&telling.body).trailer(key::REDOES, again).trailer(key::TO, again);
        self.go(tree.id(), &message, telling, of)
    }

    /// How many transactions can be undone one after another.
    ///
    /// # Errors
    /// When the history cannot be read.
    pub fn undoable(&self) -> Result<usize, StoreError> {
        let (mut at, mut count) = (self.undo_line()?.at, 0);
        while let Some(parent) = at.parent {
            if tree::blob_at(&self.book.commit_tree(parent.oid())?, super::repository::MARK).is_none() {
                break;
            }
            (at, count) = (self.book.transaction(parent)?, count + 1);
        }
        Ok(count)
    }

    /// How many undone transactions can be done again one after another.
    ///
    /// # Errors
    /// When the history cannot be read.
    pub fn redoable(&self) -> Result<usize, StoreError> {
        Ok(self.undo_line()?.undone.len())
    }

    /// Commits the tree, then closes the drafts that stood on what is gone and opens those again that stood on what is back.
    /// A death in between leaves that to the next session, which decides by the same rules.
    fn go(
        &self,
        tree: Oid,
        message: &Message,
        telling: &CommitInfo,
        of: Transaction,
    ) -> Result<RollbackResult, RollbackError> {
        let from = Some(self.book.tip()?.oid());
        let origin = self.book.origin(of.clone())?;
        let mut closes = Vec::new();
        for (work, tip) in self.open_drafts()? {
            if self.book.invalidates(message.kind(), &origin, work, tip)? {
                closes.push((work, tip));
            }
        }
        let closes = restore::closes(&closes);
        let message = closes.map_or_else(|| message.clone(), |closes| message.clone().trailer(key::CLOSES, closes));
        let message = &message;
        let advance =
            Advance { tree, from, merged: &[], message, keep: &[], author: &telling.author, time: telling.time };
        let committed = self.advance(&advance)?;
        let (mut closed, mut reopened) = (Vec::new(), Vec::new());
        if committed.lagging.is_none() {
            closed = self.close_settled_drafts()?;
            abort_at("reopen.closed");
            reopened = self.reopen_drafts()?;
        }
        Ok(RollbackResult { committed, of, closed, reopened })
    }

    /// Where undo and redo stand, read from the undos and redos at the end of the line.
    fn undo_line(&self) -> Result<UndoLine, StoreError> {
        let book = self.book;
        let mut steps = Vec::new();
        let mut at = book.tip()?;
        // A migration changes the notation and nothing else: it is neither taken back alone nor the end of what can be
        // redone.
        while let (Kind::Migrate, Some(parent)) = (book.transaction(at)?.kind, book.transaction(at)?.parent) {
            at = parent;
        }
        loop {
            let transaction = book.transaction(at)?;
            let step = match transaction.kind {
                Kind::Undo => transaction.trailers.read::<CommitId>(key::UNDOES).map(Step::Undid),
                Kind::Redo => transaction.trailers.read::<CommitId>(key::REDOES).map(Step::Redid),
                _ => None,
            };
            match (step, transaction.parent) {
                (Some(step), Some(parent)) if self.step_is_whole(&step) => {
                    steps.push(step);
                    at = parent;
                }
                _ => {
                    // From here forwards: what was undone and not redone is a stack.
                    let (mut at, mut undone) = (transaction, Vec::new());
                    for step in steps.into_iter().rev() {
                        match step {
                            Step::Undid(id) => {
                                undone.push(id);
                                let parent = book.transaction(id)?.parent;
                                at = book.transaction(parent.unwrap_or(at.id))?;
                            }
                            Step::Redid(id) => {
                                undone.pop();
                                at = book.transaction(id)?;
                            }
                        }
                    }
                    while let (Kind::Migrate, Some(parent)) = (at.kind, at.parent) {
                        at = book.transaction(parent)?;
                    }
                    return Ok(UndoLine { at, undone });
                }
            }
        }
    }

    /// Whether the commit that a step names is still known; after a rewrite by the author it may not be.
    fn step_is_whole(&self, step: &Step) -> bool {
        let (Step::Undid(id) | Step::Redid(id)) = step;
        self.book.repo.find_commit(id.oid()).doing("reading a commit").is_ok()
    }
}

impl Book {
    /// What a step is about in the end: an undo may be of an undo, and that one of a redo.
    pub(crate) fn origin(&self, step: Transaction) -> Result<Transaction, StoreError> {
        let mut at = step;
        while let Some(of) = at.retraces()
            && let Some(commit) = self.repo.find_commit(of.oid()).or_missing("reading a commit")?
        {
            at = Transaction::of(&commit);
        }
        Ok(at)
    }

    /// Whether a step of that kind takes the ground from the draft of `work` whose last commit is `tip`. An undo or a redo,
    /// of which `origin` is the [origin](Self::origin), does that to what was begun on what it takes back or puts back. No
    /// chapter can be written to a volume's plan that is gone; a plan stands on the author's word to plan the volume, and on
    /// no other plan.
    pub(crate) fn invalidates(
        &self,
        kind: Kind,
        origin: &Transaction,
        work: Work,
        tip: CommitId,
    ) -> Result<bool, StoreError> {
        let is_ground = match origin.kind {
            Kind::Rollback => true,
            Kind::Plan => match work {
                Work::Chapter(_) => origin.volume.is_some(),
                Work::Plan(_) => opens_planning(origin),
                _ => false,
            },
            _ => origin.accepts().is_some(),
        };
        match kind {
            Kind::Rollback => Ok(true),
            Kind::Undo | Kind::Redo if is_ground => self.reaches(tip.oid(), origin.id.oid()),
            _ => Ok(false),
        }
    }
}

/// True for the author's word after which a volume is planned.
fn opens_planning(origin: &Transaction) -> bool {
    let answer: Option<Answer> = origin.trailers.read(key::ANSWER);
    matches!(answer, Some(Answer::GoOn | Answer::NextVolume | Answer::WrapUp))
}

enum Step {
    Undid(CommitId),
    Redid(CommitId),
}

struct UndoLine {
    /// The transaction that the next undo takes back.
    at: Transaction,
    /// What a redo puts back, the next one last.
    undone: Vec<CommitId>,
}
