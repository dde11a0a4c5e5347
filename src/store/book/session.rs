//! The right to write, and what was put in order on the way to it.

use crate::git::index::{HeldIndex, IndexBusy, LockError};
use crate::store::book::commit_walk::Transaction;
use crate::store::book::index_bytes;
use crate::store::book::lock::{self, Busy, Refused, WriterLock};
use crate::store::book::not_writable::NotWritable;
use crate::store::prelude::*;
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
    /// The text of the draft in `staging/` that has its own name again, after the one that the author had given it.
    pub renamed: Option<(String, String)>,
    /// Whether `staging/` was brought up or cleared away.
    pub staging: bool,
    /// Whether the tag of the last chapter was missing or wrong.
    pub tag: bool,
    /// True when git's index was missing and has been rebuilt from the last commit.
    pub index: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    pub work: Work,
    pub kept: String,
    /// Files in `staging/` that were nowhere else, and are in that ref's last commit.
    pub salvaged: Vec<String>,
}

/// Why writing could not begin.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum BeginError {
    /// Another process is writing.
    Busy(#[from] Busy),
    /// The author's git is in a state that writing would disturb.
    NotWritable(#[from] NotWritable),
    /// An interrupted transaction is to be finished, and git's index is in use.
    IndexBusy(IndexBusy),
    Store(#[from] StoreError),
}

impl From<LockError> for BeginError {
    fn from(e: LockError) -> Self {
        match e {
            LockError::Busy(busy) => Self::IndexBusy(busy),
            LockError::Store(e) => Self::Store(e),
        }
    }
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
    lock: Rc<WriterLock>,
}

/// Returns the process that is writing in the book now, if any. Takes no lock.
pub fn holder(book: &Book) -> Option<Busy> {
    lock::holder(&book.private())
}

impl<'b> Session<'b> {
    /// A session without recovery, on a book that may be half made.
    pub(crate) fn on_new(book: &'b Book, wait: Wait, lock: WriterLock) -> Result<Self, StoreError> {
        Ok(Self { book, wait, recovered: Recovered::default(), lock: Rc::new(lock) })
    }

    /// A session on another view of the same book, under the same lock.
    pub fn beside<'c>(&self, book: &'c Book) -> Result<Session<'c>, StoreError> {
        let lock = Rc::clone(&self.lock);
        Ok(Session { book, wait: Wait::sleeping(), recovered: Recovered::default(), lock })
    }

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

    /// Takes the lock of the author's index.
    pub(crate) fn take_index(&self) -> Result<HeldIndex, LockError> {
        HeldIndex::take(index_bytes::index_place(self.book), &self.wait)
    }

    /// Returns what was put in order when the session began.
    pub fn recovered(&self) -> &Recovered {
        &self.recovered
    }
}
