//! The order of the running command, noted so that a command that was interrupted and is typed again acts once.
//! The history shows which steps were made, but not for which command: only this note tells a resumed command from a
//! second one. It is written when the command begins, and removed as the last step of the command.
//! Taking the right to write, and putting in order what an interrupted command has left.

use crate::git::disk::{read_if_there, sync_dir};
use crate::git::index;
use crate::store::book::commit_walk::{CommitWalk, Transaction};
use crate::store::book::history;
use crate::store::book::lock::{Holder, Refused, WriterLock};
use crate::store::book::not_writable;
use crate::store::book::session::BeginError;
use crate::store::book::{init, lines, recover};
use crate::store::drafts::gathering;
use crate::store::prelude::*;
use std::fs::{File, OpenOptions, TryLockError};

/// The note's name beside the other private files.
const NAME: &str = "errand";

/// Notes that the command `words` begins here. When the same command was interrupted, and no other has begun since, returns
/// the commit at which it began.
/// Fails when the note or the history cannot be read, or the note not written.
pub fn set_out(session: &Session<'_>, words: &str) -> Result<Option<CommitId>, StoreError> {
    if let Some((from, noted)) = noted(session.book)?
        && noted == words
        && is_on_line(session.book, from)?
    {
        return Ok(Some(from));
    }
    note(session, words)?;
    Ok(None)
}

/// Begins the order `words`, or resumes it. Returns the transactions in effect that the interrupted command had made,
/// newest first.
/// Fails when the note or the history cannot be read or written.
pub fn begin_pending(session: &Session<'_>, words: &str) -> Result<Vec<Transaction>, StoreError> {
    if let Some(from) = set_out(session, words)? {
        let is_start = |transaction: &Transaction| transaction.id == from;
        let mut line = history::in_effect(session.book, is_start)?;
        if line.last().is_some_and(is_start) {
            line.pop();
            return Ok(line);
        }
        note(session, words)?;
    }
    Ok(Vec::new())
}

/// Forgets the order of an interrupted command, because another command has begun.
pub fn forget_pending(session: &Session<'_>) -> Result<(), StoreError> {
    remove_note(session.book)
}

fn note(session: &Session<'_>, words: &str) -> Result<(), StoreError> {
    let note = format!("{}\n{words}", session.tip()?);
    session.book.inner.replace(&note_path(session.book), note.as_bytes())?;
    if !system::SYNCS_FILE_SYSTEMS {
        sync_dir(&session.book.private())?;
    }
    // Otherwise the objects of the first transaction take the name of the note along: they are synced with all there is.
    abort_at("errand.begun");
    Ok(())
}

/// Ends the order `words`: the same command is a new one from now on. Called last, after all output and without a
/// session, because a command that dies before it is resumed.
pub fn end_pending(book: &Book, words: &str) -> Result<(), StoreError> {
    end_noted(book, words, |_| Ok(true))
}

/// Ends the order of a command that has failed, unless it has made a transaction, or announced one that the next session
/// finishes: then it is resumed.
pub fn end_fruitless_errand(book: &Book, words: &str) -> Result<(), StoreError> {
    end_noted(book, words, |from| Ok(book.tip()? == from && !recover::is_accepting(book)?))
}

/// The transactions after the commit `from`, oldest first; empty when `from` is not on the line.
pub fn log_after(book: &Book, from: CommitId) -> Result<Vec<Transaction>, StoreError> {
    let mut after = Vec::new();
    for transaction in CommitWalk::of_line(&book.repo, book.tip()?.oid()) {
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
    book: &Book,
    words: &str,
    ends: impl FnOnce(CommitId) -> Result<bool, StoreError>,
) -> Result<(), StoreError> {
    // Another command has begun, and has read the note or replaced it.
    let Some(_lock) = try_lock(book)? else { return Ok(()) };
    match noted(book)? {
        Some((from, noted)) if noted == words && ends(from)? => remove_note(book),
        _ => Ok(()),
    }
}

/// The writer's lock for one step, without a note of its holder; `None` when it is taken.
fn try_lock(book: &Book) -> Result<Option<File>, StoreError> {
    let path = book.private().join("lock");
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).at("opening", &path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
    }
}

fn is_on_line(book: &Book, commit: CommitId) -> Result<bool, StoreError> {
    for transaction in CommitWalk::of_line(&book.repo, book.tip()?.oid()) {
        if transaction?.id == commit {
            return Ok(true);
        }
    }
    Ok(false)
}

fn remove_note(book: &Book) -> Result<(), StoreError> {
    let path = note_path(book);
    match system::remove_file(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.at("removing", &path),
    }
}

fn note_path(book: &Book) -> PathBuf {
    book.private().join(NAME)
}

/// The commit at which the noted command began, and its words.
fn noted(book: &Book) -> Result<Option<(CommitId, String)>, StoreError> {
    let note = String::from_utf8_lossy(&read_if_there(&note_path(book))?.unwrap_or_default()).into_owned();
    Ok(note.split_once('\n').and_then(|(from, words)| Some((from.parse().ok()?, words.to_owned()))))
}

/// Takes the writer's lock and finishes or puts aside whatever an interrupted command left.
/// Fails with [`BeginError`]; nothing is changed then.
pub fn begin<'a>(book: &'a Book, holder: &Holder, wait: Wait) -> Result<Session<'a>, BeginError> {
    let lock = WriterLock::take(&book.private(), holder, &wait)?;
    abort_at("session.locked");
    let mut session = Session::on_new(book, wait, lock)?;
    recover::break_noted_lock(&session);
    index::break_own_lock(&book.index_path());
    lines::finish(&session)?;
    if let Some(obstacle) = not_writable::obstacle(book)? {
        return Err(obstacle.into());
    }
    init::configure_clone(book)?;
    session.recovered = recover::run(&session)?;
    Ok(session)
}

/// Gathers kept drafts into the archive where that is due: see [`gathering::gather_drafts`]. Nothing else is put in order, and while
/// another process writes nothing happens. Returns how many refs are gone.
pub fn gather_drafts(book: &Book, holder: &Holder, wait: Wait) -> Result<usize, BeginError> {
    if !gathering::is_gathering_due(book)? {
        return Ok(0);
    }
    let lock = match WriterLock::take(&book.private(), holder, &wait) {
        Err(Refused::Busy(_)) => return Ok(0),
        taken => taken?,
    };
    let session = Session::on_new(book, wait, lock)?;
    // The note of a lock is written again on the way.
    recover::break_noted_lock(&session);
    Ok(gathering::gather_drafts(&session)?)
}
