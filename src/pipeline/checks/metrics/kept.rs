//! Figures that are kept in `.git/novel/figures`, so that a long book is not read again for each question.
//!
//! Each has a name (the chapters of a volume, say) and a key: the ids of the files and commits that it was counted from. It counts
//! while the key is the same, so an edit, a rollback or another line needs no code of its own. The file may be deleted at any
//! moment; figures that cannot be read in it are counted again.

use crate::pipeline::engine::error::RunError;
use crate::store::{Book, id_of};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The file's name, …
const NAME: &str = "figures";
/// … and the version of the rules by which figures are counted. Raise it whenever the same files give others.
const RULES: u32 = 1;

/// Figures that can be kept.
pub(super) trait Figures: Sized {
    /// Their form in the file.
    type Row: Serialize + DeserializeOwned;

    fn row(&self) -> Self::Row;

    /// `None` for a row that no such figures have.
    fn read(row: Self::Row) -> Option<Self>;
}

/// Two numbers.
impl<T: Copy + Serialize + DeserializeOwned> Figures for (T, T) {
    type Row = Self;

    fn row(&self) -> Self {
        *self
    }

    fn read(row: Self) -> Option<Self> {
        Some(row)
    }
}

/// The kept figures of a book.
pub(super) struct Kept<'b> {
    book: &'b Book,
    key: String,
    /// The key and the figures of each name.
    known: BTreeMap<String, (String, String)>,
    is_changed: bool,
}

impl<'b> Kept<'b> {
    pub(super) fn open(book: &'b Book) -> Result<Self, RunError> {
        let key = book.history_key(RULES)?;
        let bytes = book.cached(NAME, &key).ok().flatten().unwrap_or_default();
        let line = |line: &str| {
            let mut parts = line.splitn(3, '\t').map(str::to_owned);
            Some((parts.next()?, (parts.next()?, parts.next()?)))
        };
        let known = String::from_utf8_lossy(&bytes).lines().filter_map(line).collect();
        Ok(Self { book, key, known, is_changed: false })
    }

    /// The figures of that name and key. `count` gives those that are not kept.
    pub(super) fn figures<T: Figures>(
        &mut self,
        name: &str,
        key: &[String],
        count: impl FnOnce() -> Result<T, RunError>,
    ) -> Result<T, RunError> {
        let key = id_of(key.join(" ").as_bytes())?.to_string();
        if let Some((_, figures)) = self.known.get(name).filter(|(known, _)| *known == key)
            && let Some(figures) = serde_json::from_str(figures).ok().and_then(T::read)
        {
            return Ok(figures);
        }
        let figures = count()?;
        self.note(name, key, &figures.row());
        Ok(figures)
    }

    /// The value of that name and its key.
    pub(super) fn last<T: DeserializeOwned>(&self, name: &str) -> Option<(&str, T)> {
        let (key, value) = self.known.get(name)?;
        Some((key, serde_json::from_str(value).ok()?))
    }

    /// Notes a value in place of any other of that name.
    pub(super) fn note(&mut self, name: &str, key: String, value: &impl Serialize) {
        if let Ok(text) = serde_json::to_string(value) {
            self.known.insert(name.to_owned(), (key, text));
            self.is_changed = true;
        }
    }

    /// Keeps them for the next question.
    pub(super) fn keep(self) {
        if self.is_changed {
            let mut out = String::new();
            for (name, (key, figures)) in &self.known {
                let _ = writeln!(out, "{name}\t{key}\t{figures}");
            }
            self.book.keep_cached(NAME, &self.key, out.as_bytes());
        }
    }
}
