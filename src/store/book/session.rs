//! The right to write, and what was put in order on the way to it.

use super::commit_walk::Transaction;
use super::lock::{self, Busy, Refused, WriterLock};
use super::not_writable::NotWritable;
use super::repository::Book;
use crate::domain::Work;
use crate::store::disk::backoff::Wait;
use crate::store::drafts::closed::Closed;
use crate::store::error::StoreError;
use crate::store::git::commit_id::CommitId;
use crate::store::git::index::{HeldIndex, IndexBusy, IndexEdit, LockError};
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::path::PathBuf;
use std::rc::Rc;

/// The leftovers that were put in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovered {
    /// A transaction that was past its commit point, or about to be: it is in the book now.
    pub finished: Option<Transaction>,
    /// Work that could not be finished because the author moved the branch: the ref that keeps it.
    pub salvaged: Vec<(String, CommitId)>,
    /// Locks of dead processes that were removed.
    pub locks: Vec<PathBuf>,
    /// Files that a finished transaction would have written and that hold something of the author's.
    pub left: Vec<String>,
    /// Drafts that were closed because their chapter had been accepted or rolled back.
    pub closed: Vec<Closed>,
    /// Drafts that are open again because the step that had closed them was taken back.
    pub reopened: Vec<Work>,
    /// Whether `staging/` was brought up or cleared away.
    pub staging: bool,
    /// Whether the tag of the last chapter was missing or wrong.
    pub tag: bool,
    /// True when git's index was missing and has been rebuilt from the last commit.
    pub index: bool,
}

/// Why writing could not begin.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// Another process is writing.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The author's git is in a state that writing would disturb.
    #[error(transparent)]
    NotWritable(#[from] NotWritable),
    /// An interrupted transaction is to be finished, and git's index is in use.
    #[error("another git program is using the index: close it, or delete `{}` if none is running", .0.path.display())]
    IndexBusy(IndexBusy),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Refused> for BeginError {
    fn from(e: Refused) -> Self {
        match e {
            Refused::Busy(busy) => Self::Busy(busy),
            Refused::Store(e) => Self::Store(e),
        }
    }
}

/// The only way to change a book. While it lives, no other process has one.
#[derive(Debug)]
pub struct Session<'b> {
    pub(crate) book: &'b Book,
    pub(crate) wait: Wait,
    pub(super) recovered: Recovered,
    /// The rest of the last transaction, for a moment that has time.
    pub(crate) put_off: PutOff,
    lock: Rc<WriterLock>,
}

/// When a transaction ends, whose files are in place: the author's index is written then, and the intent goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    AtOnce,
    /// By [`Session::tidy_up`], or before anything else that needs the index. No other git program changes it until then.
    Later,
}

/// The rest of a transaction that is in the book and its folder. It can wait until something else is waited for; a death until
/// then leaves it to the next session.
#[derive(Debug, Default)]
pub(crate) struct PutOff {
    /// The commit whose files are in place, and the author's index, which is still to be written under its lock. The intent
    /// stays until then.
    index: RefCell<Option<(CommitId, IndexEdit)>>,
    /// The work whose draft was accepted, and is still to be closed.
    accepted: Cell<Option<Work>>,
    /// A file without a name. It is a while before the system has let go of a large one.
    unnamed: RefCell<Option<File>>,
}

impl PutOff {
    /// Leaves the index for the commit `id` to be written later.
    pub(crate) fn leave_index(&self, id: CommitId, index: IndexEdit) {
        self.index.replace(Some((id, index)));
    }

    /// Leaves the draft of `work` to be closed later.
    pub(crate) fn leave_draft(&self, work: Work) {
        self.accepted.set(Some(work));
    }

    /// Leaves a file to be closed later; the one before it is closed now.
    pub(crate) fn leave_file(&self, file: Option<File>) {
        self.unnamed.replace(file);
    }
}

impl Book {
    /// Returns the process that is writing in the book now, if any. Takes no lock.
    #[must_use]
    pub fn holder(&self) -> Option<Busy> {
        lock::holder(&self.private())
    }
}

impl<'b> Session<'b> {
    /// A session without recovery, on a book that may be half made.
    pub(crate) fn on_new(book: &'b Book, wait: Wait, lock: WriterLock) -> Result<Self, StoreError> {
        let (recovered, put_off) = (Recovered::default(), PutOff::default());
        Ok(Self { book, wait, recovered, put_off, lock: Rc::new(lock) })
    }

    /// A session on another view of the same book, under the same lock.
    pub fn beside<'c>(&self, book: &'c Book) -> Result<Session<'c>, StoreError> {
        let lock = Rc::clone(&self.lock);
        let (recovered, put_off) = (Recovered::default(), PutOff::default());
        Ok(Session { book, wait: Wait::sleeping(), recovered, put_off, lock })
    }

    #[must_use]
    pub fn book(&self) -> &'b Book {
        self.book
    }

    /// Lets time pass, before something is tried again that another process was in the way of.
    pub fn pause(&self, time: std::time::Duration) {
        if !time.is_zero() {
            self.wait.pause(time);
        }
    }

    /// The last commit of the accepted line.
    pub fn tip(&self) -> Result<CommitId, StoreError> {
        self.book.tip()
    }

    /// Does what the last transaction has left for later. Cheap when nothing is left.
    /// Fails when something cannot be read or written; the next session does it.
    pub fn tidy_up(&self) -> Result<(), StoreError> {
        self.write_index()?;
        self.put_off.leave_file(None);
        self.put_off.accepted.take().map_or(Ok(None), |work| self.close_draft(work)).map(drop)
    }

    /// Writes the index that was left for later, which ends its transaction.
    pub(crate) fn write_index(&self) -> Result<(), StoreError> {
        let left = self.put_off.index.take();
        left.map_or(Ok(()), |(id, index)| self.end(id.oid(), index))
    }

    /// Whether an index was left for later.
    pub(crate) fn has_index_left(&self) -> bool {
        self.put_off.index.borrow().is_some()
    }

    /// Takes the lock of the author's index, which is up to date then.
    pub(crate) fn take_index(&self) -> Result<HeldIndex, LockError> {
        self.take_index_waiting(&self.wait)
    }

    /// The same, with another patience.
    pub(crate) fn take_index_waiting(&self, wait: &Wait) -> Result<HeldIndex, LockError> {
        self.write_index()?;
        HeldIndex::take(self.book.index_place(), wait)
    }

    /// The work whose draft was accepted and is not closed yet.
    pub(crate) fn accepted(&self) -> Option<Work> {
        self.put_off.accepted.get()
    }

    /// Returns what was put in order when the session began.
    #[must_use]
    pub fn recovered(&self) -> &Recovered {
        &self.recovered
    }
}
