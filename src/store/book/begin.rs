//! Taking the right to write, and putting in order what an interrupted command has left.

use super::lock::{Holder, Refused, WriterLock};
use super::repository::Book;
use super::session::{BeginError, Session};
use super::{init, recover, switch};
use crate::git::disk::backoff::Wait;
use crate::git::failpoint::abort_at;
use crate::git::index;

impl Book {
    /// Takes the writer's lock and finishes or puts aside whatever an interrupted command left.
    /// Fails with [`BeginError`]; nothing is changed then.
    pub fn begin(&self, holder: &Holder, wait: Wait) -> Result<Session<'_>, BeginError> {
        let lock = WriterLock::take(&self.private(), holder, &wait)?;
        abort_at("session.locked");
        let mut session = Session::on_new(self, wait, lock)?;
        recover::break_noted_lock(&session);
        index::break_own_lock(&self.index_path());
        switch::finish(&session)?;
        if let Some(obstacle) = self.obstacle()? {
            return Err(obstacle.into());
        }
        init::configure_clone(self)?;
        session.recovered = recover::run(&session)?;
        Ok(session)
    }

    /// Gathers kept drafts into the archive where that is due: see [`Session::gather_drafts`]. Nothing else is put in order, and while
    /// another process writes nothing happens. Returns how many refs are gone.
    pub fn gather_drafts(&self, holder: &Holder, wait: Wait) -> Result<usize, BeginError> {
        if !self.is_gathering_due()? {
            return Ok(0);
        }
        let lock = match WriterLock::take(&self.private(), holder, &wait) {
            Err(Refused::Busy(_)) => return Ok(0),
            taken => taken?,
        };
        let session = Session::on_new(self, wait, lock)?;
        // The note of a lock is written again on the way.
        recover::break_noted_lock(&session);
        Ok(session.gather_drafts()?)
    }
}
