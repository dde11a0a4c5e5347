//! Going back, forwards: a rollback, an undo and a redo are commits like any other, so nothing is lost and each can be
//! taken back in turn.
//! Undo and redo: a stack of transactions, as editors have it, read from the book's history alone.
//! Both are commits like any other. An undo names the transaction that it takes back and the one at which the book is
//! again; so the next undo goes on before that one, whatever was undone or done again meanwhile, and any number of steps
//! can be taken over any number of restarts.

use crate::domain::workflow::Answer;
use crate::store::book::change;
use crate::store::book::commit_walk::Transaction;
use crate::store::book::session::Closed;
use crate::store::book::transaction::{self, Advance, CommitError, Committed};
use crate::store::drafts::closing;
use crate::store::drafts::draft;
use crate::store::drafts::rebase;
use crate::store::message::key;
use crate::store::prelude::*;

/// Why the book did not go back or forth. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum RollbackError {
    /// The book has no such chapter now.
    NoSuchChapter(ChapterNo),
    NotTheBook(CommitId),
    AlreadyThere,
    /// Nothing was done that could be undone.
    NothingToUndo,
    /// The last thing done was not an undo.
    NothingToRedo,
    Commit(#[from] CommitError),
    Store(#[from] StoreError),
}

/// A rollback, undo or redo that is in the book.
#[derive(Debug)]
pub struct RollbackResult {
    pub committed: Committed,
    /// The transaction that was undone or redone, or the commit that a rollback went to.
    pub of: Transaction,
    /// Drafts that had lost their ground and were closed.
    pub closed: Vec<Closed>,
    /// Drafts that are open again: the step that was taken back had closed them.
    pub reopened: Vec<Work>,
}

/// The author, time and wording of the commit.
#[derive(Debug, Clone)]
pub struct CommitInfo {
    /// The subject; by default that of what was done.
    pub subject: Option<Subject>,
    pub body: String,
    pub author: Identity,
    pub time: Moment,
}

/// A return of the book to one of its commits.
pub struct ReturnTo<'a> {
    /// [`Kind::Rollback`], or [`Kind::Adopt`] for the last commit of another line.
    pub kind: Kind,
    pub to: CommitId,
    /// True for files that keep their present content.
    pub stays: &'a dyn Fn(&str) -> bool,
    /// Changes that the same commit makes; they count over what was at `to`.
    pub also: &'a Change,
    /// Further trailers of the message.
    pub trailers: &'a [(&'a str, String)],
}

/// Makes the book what it was at a commit, in a new commit. A commit that is not in the history of the book's branch comes
/// into it as a second parent, so that what was written there stays reachable.
/// Fails with [`RollbackError`]; hand edits in the files concerned must be committed first.
pub fn return_to(
    session: &Session<'_>,
    wanted: &ReturnTo<'_>,
    telling: &CommitInfo,
) -> Result<RollbackResult, RollbackError> {
    let (book, to) = (session.book, wanted.to);
    let of = book.transaction(to).map_err(|_| RollbackError::NotTheBook(to))?;
    let tip = book.tip()?;
    let (target, now) = (book.commit_tree(to.oid())?, book.commit_tree(tip.oid())?);
    if tree::blob_at(&target, super::repository::MARK).is_none() {
        return Err(RollbackError::NotTheBook(to));
    }
    let differences = tree::differences(&book.repo, Some(&now), Some(&target))?;
    let differences = differences.into_iter().filter(|d| !(wanted.stays)(&d.path));
    let mut edits: TreeEdits = differences.map(|d| (d.path, d.new)).collect();
    book.objects.forget(&book.repo)?;
    edits.extend(wanted.also.write(&book.repo)?);
    let tree = change::edited(book, Some(now.id()), &edits)?;
    let is_known = draft::reaches(book, tip.oid(), to.oid())?;
    if tree == now.id() && (is_known || wanted.kind != Kind::Adopt) {
        return Err(RollbackError::AlreadyThere);
    }
    let subject = telling.subject.clone().unwrap_or_else(|| {
        let name = of.accepts().map_or_else(|| to.short(), |chapter| chapter.to_string());
        if wanted.kind == Kind::Adopt { Subject::Adopt(name) } else { Subject::Rollback(name) }
    });
    let mut message =
        Message::new(wanted.kind, subject).body(&telling.body).trailer(key::TO, to).trailer(key::FROM, tip);
    for (key, value) in wanted.trailers {
        message = message.trailer(key, value);
    }
    let merged = if is_known { Vec::new() } else { vec![to] };
    go(session, RollbackStep { tree, merged, message, of }, telling)
}

/// Commits the tree, then closes the drafts that stood on what is gone and opens those again that stood on what is back.
/// A death in between leaves that to the next session, which decides by the same rules.
pub(super) fn go(
    session: &Session<'_>,
    step: RollbackStep,
    telling: &CommitInfo,
) -> Result<RollbackResult, RollbackError> {
    let RollbackStep { tree, merged, message, of } = step;
    let from = Some(session.book.tip()?.oid());
    let closes = rebase::closes(&losing_ground(session.book, message.kind(), &of)?);
    let message = closes.map_or_else(|| message.clone(), |closes| message.clone().trailer(key::CLOSES, closes));
    let (author, time) = (&telling.author, telling.time);
    let advance = Advance { tree, from, merged: &merged, message: &message, keep: &[], author, time };
    let committed = transaction::advance(session, &advance)?;
    let (mut closed, mut reopened) = (Vec::new(), Vec::new());
    if committed.lagging.is_none() {
        closed = closing::close_settled_drafts(session)?;
        abort_at("reopen.closed");
        reopened = session.reopen_drafts()?;
    }
    Ok(RollbackResult { committed, of, closed, reopened })
}

/// A commit to be made that takes the book back or forth.
pub(super) struct RollbackStep {
    pub(super) tree: Oid,
    /// Lines that come into the history with it.
    pub(super) merged: Vec<CommitId>,
    pub(super) message: Message,
    /// The transaction that is undone or redone, or the commit that the book returns to.
    pub(super) of: Transaction,
}

impl Book {
    /// Returns the step that a chain of undos and redos is about: an undo may be of an undo, and that one of a redo.
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
    /// of which `origin` is the origin, does that to what was begun on what it takes back or puts back. No
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
            Kind::Rollback | Kind::Adopt => true,
            Kind::Plan => match work {
                Work::Chapter(_) => origin.volume.is_some(),
                Work::Plan(_) => opens_planning(origin),
                _ => false,
            },
            _ => origin.accepts().is_some(),
        };
        match kind {
            Kind::Rollback | Kind::Adopt => Ok(true),
            Kind::Undo | Kind::Redo if is_ground => draft::reaches(self, tip.oid(), origin.id.oid()),
            _ => Ok(false),
        }
    }
}

/// The drafts with something on them that a step of that kind closes, each with its tip; `of` is what the step is about.
pub fn losing_ground(book: &Book, kind: Kind, of: &Transaction) -> Result<Vec<(Work, CommitId)>, StoreError> {
    let origin = book.origin(of.clone())?;
    let mut losing = Vec::new();
    for (work, tip) in rebase::open_drafts(book)? {
        if book.invalidates(kind, &origin, work, tip)? {
            losing.push((work, tip));
        }
    }
    Ok(losing)
}

/// True for the author's word after which a volume is planned.
fn opens_planning(origin: &Transaction) -> bool {
    let answer: Option<Answer> = origin.trailers.read(key::ANSWER);
    matches!(answer, Some(Answer::GoOn | Answer::NextVolume | Answer::WrapUp))
}

/// The place of the book among its transactions.
struct UndoPosition {
    /// The transaction that the next undo takes back.
    at: Transaction,
    /// The transactions that a redo puts back, the next one last.
    undone: Vec<CommitId>,
}

/// Takes the last transaction back that is in effect, the author's or the program's.
pub fn undo(session: &Session<'_>, telling: &CommitInfo) -> Result<RollbackResult, RollbackError> {
    let at = position(session)?.at;
    let Some(to) = before(session, &at)? else { return Err(RollbackError::NothingToUndo) };
    let subject = telling.subject.clone().unwrap_or_else(|| Subject::Undo(at.subject.clone()));
    let message =
        Message::new(Kind::Undo, subject).body(&telling.body).trailer(key::UNDOES, at.id).trailer(key::TO, to);
    let tree = session.book.commit_tree(to.oid())?.id();
    go(session, RollbackStep { tree, merged: Vec::new(), message, of: at }, telling)
}

/// Puts the transaction back that was undone last. A new transaction after an undo ends what can be redone.
pub fn redo(session: &Session<'_>, telling: &CommitInfo) -> Result<RollbackResult, RollbackError> {
    let Some(again) = position(session)?.undone.pop() else { return Err(RollbackError::NothingToRedo) };
    let of = session.book.transaction(again)?;
    let subject = telling.subject.clone().unwrap_or_else(|| Subject::Redo(of.subject.clone()));
    let message =
        Message::new(Kind::Redo, subject).body(&telling.body).trailer(key::REDOES, again).trailer(key::TO, again);
    let tree = session.book.commit_tree(again.oid())?.id();
    go(session, RollbackStep { tree, merged: Vec::new(), message, of }, telling)
}

/// How many transactions can be undone one after another.
pub fn undoable(session: &Session<'_>) -> Result<usize, StoreError> {
    let (mut at, mut count) = (position(session)?.at, 0);
    while let Some(before) = before(session, &at)? {
        (at, count) = (past_upkeep(session, before)?, count + 1);
    }
    Ok(count)
}

/// How many undone transactions can be done again one after another.
pub fn redoable(session: &Session<'_>) -> Result<usize, StoreError> {
    Ok(position(session)?.undone.len())
}

/// Reads the undos and redos at the end of the line.
fn position(session: &Session<'_>) -> Result<UndoPosition, StoreError> {
    let book = session.book;
    let mut transaction = past_upkeep(session, book.tip()?)?;
    let landed = landing(session, transaction.id)?;
    let mut steps = Vec::new();
    while let (true, Some(of), Some(parent)) =
        (step_is_whole(session, &transaction)?, transaction.retraces(), transaction.parent)
    {
        steps.push((transaction.kind, of));
        transaction = past_upkeep(session, parent)?;
    }
    let mut undone = Vec::new();
    for (kind, of) in steps.into_iter().rev() {
        if kind == Kind::Undo {
            undone.push(of);
        } else if undone.pop() != Some(of) {
            undone.clear();
        }
    }
    Ok(UndoPosition { at: past_upkeep(session, landed)?, undone })
}

/// The commit at which the book was before `at`; `None` when that was no book yet.
fn before(session: &Session<'_>, at: &Transaction) -> Result<Option<CommitId>, StoreError> {
    let Some(parent) = at.parent else { return Ok(None) };
    let before = landing(session, parent)?;
    let is_book =
        tree::blob_at(&session.book.commit_tree(before.oid())?, crate::store::book::repository::MARK).is_some();
    Ok(is_book.then_some(before))
}

/// The transaction whose content the book had at `commit`: for an undo or a redo the one that it went to.
fn landing(session: &Session<'_>, commit: CommitId) -> Result<CommitId, StoreError> {
    let mut at = session.book.transaction(commit)?;
    while step_is_whole(session, &at)?
        && let Some(to) = at.returns_to()
    {
        at = session.book.transaction(to.into())?;
    }
    Ok(at.id)
}

/// The transaction at `commit`, or the last one before it that is no upkeep; see [`Kind::is_upkeep`].
fn past_upkeep(session: &Session<'_>, commit: CommitId) -> Result<Transaction, StoreError> {
    let mut at = session.book.transaction(commit)?;
    while let (true, Some(parent)) = (at.kind.is_upkeep(), at.parent) {
        at = session.book.transaction(parent)?;
    }
    Ok(at)
}

/// True for an undo or a redo whose commits are still known; after a rewrite by the author they may not be.
fn step_is_whole(session: &Session<'_>, transaction: &Transaction) -> Result<bool, StoreError> {
    let (Some(of), Some(to)) = (transaction.retraces(), transaction.returns_to()) else { return Ok(false) };
    for commit in [of.oid(), to] {
        if session.book.repo.find_commit(commit).or_missing("reading a commit")?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}
