//! The order of the running command, noted so that a command that was interrupted and is typed again acts once.
//! The history shows which steps were made, but not for which command: only this note tells a resumed command from a
//! second one. It is written when the command begins, and removed as the last step of the command.
//! Taking the right to write, and putting in order what an interrupted command has left.

use crate::git::disk::files::{read_if_there, sync_dir};
use crate::git::index;
use crate::store::book::commit_walk::{CommitWalk, Transaction};
use crate::store::book::lock::{Holder, Refused, WriterLock};
use crate::store::book::session::BeginError;
use crate::store::book::{init, lines, recover};
use crate::store::prelude::*;
use std::fs::{File, OpenOptions, TryLockError};

/// The note's name beside the other private files.
const NAME: &str = "errand";

impl Session<'_> {
    /// Notes that the command `words` begins here. When the same command was interrupted, and no other has begun since, returns
    /// the commit at which it began.
    /// Fails when the note or the history cannot be read, or the note not written.
    pub fn set_out(&self, words: &str) -> Result<Option<CommitId>, StoreError> {
        if let Some((from, noted)) = self.book.noted()?
            && noted == words
            && self.book.is_on_line(from)?
        {
            return Ok(Some(from));
        }
        self.note(words)?;
        Ok(None)
    }

    /// Begins the order `words`, or resumes it. Returns the transactions in effect that the interrupted command had made,
    /// newest first.
    /// Fails when the note or the history cannot be read or written.
    pub fn begin_pending(&self, words: &str) -> Result<Vec<Transaction>, StoreError> {
        if let Some(from) = self.set_out(words)? {
            let is_start = |transaction: &Transaction| transaction.id == from;
            let mut line = self.book.in_effect(is_start)?;
            if line.last().is_some_and(is_start) {
                line.pop();
                return Ok(line);
            }
            self.note(words)?;
        }
        Ok(Vec::new())
    }

    /// Forgets the order of an interrupted command, because another command has begun.
    pub fn forget_pending(&self) -> Result<(), StoreError> {
        self.book.remove_note()
    }

    fn note(&self, words: &str) -> Result<(), StoreError> {
        let note = format!("{}\n{words}", self.tip()?);
        self.book.inner.replace(&self.book.note(), note.as_bytes())?;
        if !system::SYNCS_FILE_SYSTEMS {
            sync_dir(&self.book.private())?;
        }
        // Otherwise the objects of the first transaction take the name of the note along: they are synced with all there is.
        abort_at("errand.begun");
        Ok(())
    }
}

impl Book {
    /// Ends the order `words`: the same command is a new one from now on. Called last, after all output and without a
    /// session, because a command that dies before it is resumed.
    pub fn end_pending(&self, words: &str) -> Result<(), StoreError> {
        self.end_noted(words, |_| Ok(true))
    }

    /// Ends the order of a command that has failed, unless it has made a transaction, or announced one that the next session
    /// finishes: then it is resumed.
    pub fn end_fruitless_errand(&self, words: &str) -> Result<(), StoreError> {
        self.end_noted(words, |from| Ok(self.tip()? == from && !self.is_accepting()?))
    }

    /// The transactions after the commit `from`, oldest first; empty when `from` is not on the line.
    pub fn log_after(&self, from: CommitId) -> Result<Vec<Transaction>, StoreError> {
        let mut after = Vec::new();
        for transaction in CommitWalk::of_line(&self.repo, self.tip()?.oid()) {
            let transaction = transaction?;
            if transaction.id == from {
                after.reverse();
                return Ok(after);
            }
            after.push(transaction);
        }
        Ok(Vec::new())
    }

    fn end_noted(
        &self,
        words: &str,
        ends: impl FnOnce(CommitId) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        // Another command has begun, and has read the note or replaced it.
        let Some(_lock) = self.try_lock()? else { return Ok(()) };
        match self.noted()? {
            Some((from, noted)) if noted == words && ends(from)? => self.remove_note(),
            _ => Ok(()),
        }
    }

    /// The writer's lock for one step, without a note of its holder; `None` when it is taken.
    fn try_lock(&self) -> Result<Option<File>, StoreError> {
        let path = self.private().join("lock");
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).at("opening", &path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(None),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
        }
    }

    fn is_on_line(&self, commit: CommitId) -> Result<bool, StoreError> {
        for transaction in CommitWalk::of_line(&self.repo, self.tip()?.oid()) {
            if transaction?.id == commit {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn remove_note(&self) -> Result<(), StoreError> {
        let path = self.note();
        match system::remove_file(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
            removed => removed.at("removing", &path),
        }
    }

    fn note(&self) -> PathBuf {
        self.private().join(NAME)
    }

    /// The commit at which the noted command began, and its words.
    fn noted(&self) -> Result<Option<(CommitId, String)>, StoreError> {
        let note = String::from_utf8_lossy(&read_if_there(&self.note())?.unwrap_or_default()).into_owned();
        Ok(note.split_once('\n').and_then(|(from, words)| Some((from.parse().ok()?, words.to_owned()))))
    }
}

impl Book {
    /// Takes the writer's lock and finishes or puts aside whatever an interrupted command left.
    /// Fails with [`BeginError`]; nothing is changed then.
    pub fn begin(&self, holder: &Holder, wait: Wait) -> Result<Session<'_>, BeginError> {
        let lock = WriterLock::take(&self.private(), holder, &wait)?;
        abort_at("session.locked");
        let mut session = Session::on_new(self, wait, lock)?;
        recover::break_noted_lock(&session);
        index::break_own_lock(&self.index_path());
        lines::finish(&session)?;
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
