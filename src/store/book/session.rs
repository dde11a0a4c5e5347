//! The right to write, and what was put in order on the way to it.

use super::lock;
use super::lock::{Busy, Holder, Refused, WriterLock};
use super::recover;
use super::recover::Recovered;
use super::repository::{Book, NotWritable};
use crate::store::disk::backoff::Wait;
use crate::store::error::StoreError;
use crate::store::failpoint::abort_at;
use crate::store::git::commit_id::CommitId;
use crate::store::git::index::IndexBusy;

/// Why writing could not begin.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// Somebody else is writing.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The author's git is in a state that writing would disturb.
    #[error(transparent)]
    NotWritable(#[from] NotWritable),
    /// An interrupted transaction is to be finished, and git's index is in use.
    #[error("another git program is using the index: close it, or delete `{}` if none is running", .0.path.display())]
    IndexBusy(IndexBusy),
    /// Anything else.
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
    recovered: Recovered,
    _lock: WriterLock,
}

impl Book {
    /// Takes the writer's lock and finishes or puts aside whatever an interrupted command left.
    ///
    /// # Errors
    /// [`BeginError`]; nothing is changed then.
    pub fn begin(&self, holder: &Holder, wait: Wait) -> Result<Session<'_>, BeginError> {
        let lock = WriterLock::take(&self.private(), holder, &wait)?;
        abort_at("session.locked");
        if let Some(obstacle) = self.obstacle()? {
            return Err(obstacle.into());
        }
        let mut session = Session::on_new(self, wait, lock)?;
        session.recovered = recover::run(&session)?;
        Ok(session)
    }

    /// Who is writing in the book now, if anybody. Takes no lock.
    #[must_use]
    pub fn holder(&self) -> Option<Busy> {
        lock::holder(&self.private())
    }
}

impl<'b> Session<'b> {
    /// A session without recovery, on a book that may be half made.
    pub(crate) fn on_new(book: &'b Book, wait: Wait, lock: WriterLock) -> Result<Self, StoreError> {
        book.objects.gather(&book.repo)?;
        Ok(Self { book, wait, recovered: Recovered::default(), _lock: lock })
    }

    /// The book.
    #[must_use]
    pub fn book(&self) -> &'b Book {
        self.book
    }

    /// The last commit of the accepted line.
    ///
    /// # Errors
    /// When the branch cannot be read.
    pub fn tip(&self) -> Result<CommitId, StoreError> {
        self.book.tip()
    }

    /// What was put in order when the session began.
    #[must_use]
    pub fn recovered(&self) -> &Recovered {
        &self.recovered
    }
}
