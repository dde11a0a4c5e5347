//! Opening a book with the user's own keys, which come into none of its commits.

use super::settings::{Flags, Settings, file};
use crate::commands::prelude::*;
use crate::report::subject::wording;
use crate::store::OpenError;
use secrecy::SecretString;
use std::path::Path;

impl App {
    pub(crate) fn open(&self, folder: &Path) -> Result<Book, OpenError> {
        Ok(Book::open(folder, wording)?.with_keys(self.own_keys()))
    }

    /// The user's own keys. Those in settings that cannot be read, with which no command calls a model, are not known.
    pub(crate) fn own_keys(&self) -> Vec<SecretString> {
        let file = file::load(&self.environment).unwrap_or_default();
        Settings::resolve(&Flags::default(), &self.environment, &file, None).own_keys()
    }
}
