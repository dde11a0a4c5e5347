//! What a command that makes several commits was told to do, noted while it works.
//!
//! A chapter that is missing is written once, whoever asks for it how often. Writing one again is another matter: only
//! this note tells a command that was interrupted, and goes on, from one that is given a second time.

use std::fs;
use std::path::PathBuf;

use super::book::Book;
use super::error::{IoContext, StoreError};
use super::fault::abort_at;
use super::files::read_if_there;
use super::history::Transaction;
use super::revision::CommitId;
use super::session::Session;

/// The note's name beside the other private files.
const NAME: &str = "errand";

impl Session<'_> {
    /// Begins what `words` tell, or goes on with it. Returns what the same command has done already, before it was
    /// interrupted: its transactions that are in effect, newest first.
    ///
    /// # Errors
    /// When the note or the history cannot be read or written.
    pub fn begin_errand(&self, words: &str) -> Result<Vec<Transaction>, StoreError> {
        if let Some(from) = self.errand(words)? {
            let is_start = |transaction: &Transaction| transaction.id == from;
            let mut line = self.book.in_effect(is_start)?;
            if line.last().is_some_and(is_start) {
                line.pop();
                return Ok(line);
            }
        }
        let note = format!("{}\n{words}", self.tip()?);
        self.book.inner.replace(&self.book.note(), note.as_bytes())?;
        abort_at("errand.begun");
        Ok(Vec::new())
    }

    /// The commit that the errand set out from, when it is the one in these words.
    fn errand(&self, words: &str) -> Result<Option<CommitId>, StoreError> {
        let note = self.book.noted()?;
        let same = note.split_once('\n').filter(|(_, noted)| *noted == words);
        Ok(same.and_then(|(from, _)| from.parse().ok()))
    }
}

impl Book {
    /// Ends what `words` tell: the same command is a new one from now on. The last thing that the command does, when
    /// everything has been said and the right to write is given up: dying before it, it would be gone on with.
    ///
    /// # Errors
    /// When the note cannot be removed.
    pub fn end_errand(&self, words: &str) -> Result<(), StoreError> {
        if !self.noted()?.ends_with(&format!("\n{words}")) {
            return Ok(());
        }
        let path = self.note();
        fs::remove_file(&path).at("removing", &path)
    }

    fn note(&self) -> PathBuf {
        self.private().join(NAME)
    }

    fn noted(&self) -> Result<String, StoreError> {
        Ok(String::from_utf8_lossy(&read_if_there(&self.note())?.unwrap_or_default()).into_owned())
    }
}
