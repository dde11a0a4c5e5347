//! Packing at the end of a command: every one that has written in a book, however it ends.

use super::App;
use super::cli::failure::Failure;
use super::terminal::Verbosity;
use crate::report::catalogue::both;
use crate::report::subject::wording;
use crate::store::{Book, Packing};
use std::path::Path;

impl App {
    /// Has git pack what has piled up in the book that was written in, in the background.
    pub(super) fn pack(&mut self) -> Result<(), Failure> {
        // A command may have removed the book that it failed to make.
        let Some(book) = self.written.take().and_then(|root| Book::open(&root, wording).ok()) else { return Ok(()) };
        let turn = self.environment.cache_folder().map(|folder| folder.join("packing"));
        if book.pack_if_due(Path::new("git"), turn.as_deref()) == Packing::NoGit {
            self.ui.detail(Verbosity::Calls, &both!(git_was_not_found_so_repository))?;
        }
        Ok(())
    }
}
