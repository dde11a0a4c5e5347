//! The user's part in a book: keys that come into no commit, and the name to commit under.

use super::settings::{Flags, Settings, file};
use crate::commands::prelude::*;
use crate::report::subject::wording;
use crate::store::{GivenAuthor, Identity, Notice, OpenError};
use secrecy::SecretString;
use std::path::Path;

impl App {
    /// The author in git's variables.
    pub(crate) fn given_author(&self) -> GivenAuthor {
        let of = |name: &str| self.environment.var(name).map(str::to_owned);
        GivenAuthor { name: of("GIT_AUTHOR_NAME"), email: of("GIT_AUTHOR_EMAIL") }
    }

    /// The author of commits: git's identity, or a name that the author is asked for, or a stand-in with a warning. All of that is
    /// done once for a book.
    pub(crate) fn identity(&mut self, book: &Book) -> Result<Identity, Failure> {
        if book.expects_signatures() && !book.has_told(Notice::Unsigned) {
            self.ui.warn(&both!(commit_gpgsign_is_on_but_commits))?;
            book.note_told(Notice::Unsigned);
        }
        if let Some(identity) = book.identity(&self.given_author())? {
            return Ok(identity);
        }
        let fallback = Identity::fallback();
        if book.has_told(Notice::Nameless) {
            return Ok(fallback);
        }
        match self.asked_name()? {
            Some(name) => {
                book.name_author(&name)?;
                Ok(Identity { name, ..fallback })
            }
            None => {
                self.ui.warn(&both!(git_does_not_know_your_name_so_commits(fallback)))?;
                book.note_told(Notice::Nameless);
                Ok(fallback)
            }
        }
    }

    /// Asks for the name on a terminal; `None` where there is no answer.
    pub(crate) fn asked_name(&mut self) -> Result<Option<String>, Failure> {
        if !self.ui.can_ask() {
            return Ok(None);
        }
        let answer = self.ui.ask_or_later(&both!(name_to_commit_under), "git config user.name")?;
        Ok(answer.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()))
    }

    pub(crate) fn open(&self, folder: &Path) -> Result<Book, OpenError> {
        Ok(Book::open(folder, wording)?.with_keys(self.own_keys()))
    }

    /// The user's own keys. Those in settings that cannot be read, with which no command calls a model, are not known.
    pub(crate) fn own_keys(&self) -> Vec<SecretString> {
        let file = file::load(&self.environment).unwrap_or_default();
        Settings::resolve(&Flags::default(), &self.environment, &file, None).own_keys()
    }
}
