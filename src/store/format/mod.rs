//! The files of a book: [`read`] and [`write`] for types of the domain that are a file as they are,
//! and for the others one module per format with functions of these names.
//!
//! Rules for all of them:
//!
//! - UTF-8 and LF on writing; a byte order mark and CRLF are understood on reading.
//! - JSON has a stable order of keys, two spaces of indentation and a final newline. A rewrite is given the `previous`
//!   bytes and keeps everything that did not change: unknown fields of the author's, the order of keys, the spelling
//!   of a number or of an older notation.
//! - Every JSON file and `novel.toml` has a `schema_version`; a missing one means 1, a newer one is refused.
//! - A type of the domain is read and written as it is; where a file groups or adds up its content otherwise, a private
//!   structure stands between.
//!
//! An error gives the place in the file and the remedy; the caller knows which file it is.

mod json;
mod mistake;
pub mod plain;

pub mod character;
pub mod check;
pub mod config;
pub mod contract;
pub mod delta;
pub mod evaluation;
pub mod foreshadowing;
pub mod migrate;
pub mod renumber;
pub mod rules;
pub mod state;
pub mod storylines;
pub mod style;
pub mod summary;

pub use json::{Disk, read, write};
pub use mistake::{ExpectedValue, Mistake, Syntax, of_json};

#[cfg(test)]
mod samples;

use std::borrow::Cow;
use std::fmt;

/// The version of the changed formats: contracts, schedules, storylines, and both lists of rules.
pub const VERSION: u32 = 2;

/// The number of the book's format, the `schema_version` in `.checkpoint.json`. Every change of any format raises it,
/// since a program writes nothing in a book with a higher number than its own.
pub(super) const BOOK: u32 = 1;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{at}{problem}")]
pub struct FormatError {
    pub at: At,
    pub problem: Problem,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum At {
    File,
    /// Counted from 1.
    Line(usize),
    /// Line and column, counted from 1; the column counts bytes.
    Position(usize, usize),
    /// The dotted name of a setting or a field.
    Key(String),
}

impl At {
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::Line(line) | Self::Position(line, _) => Some(*line),
            Self::File | Self::Key(_) => None,
        }
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(line) => write!(f, "line {line}: "),
            Self::Position(line, column) => write!(f, "line {line}, column {column}: "),
            Self::Key(key) => write!(f, "`{key}`: "),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("not UTF-8")]
    NotText,
    /// Text in another encoding, as from editors on Windows; its name.
    #[error("saved as {0}")]
    Encoding(&'static str),
    /// Only white space in a file that cannot be empty.
    #[error("empty")]
    Empty,
    /// The beginning of the last version, cut within a line.
    #[error("cut off")]
    CutOff,
    /// git's conflict markers stand in the file.
    #[error("conflict markers")]
    Conflict,
    /// Invalid JSON or TOML, or a value of the wrong kind.
    #[error("{0:?}")]
    Syntax(Syntax),
    /// A well-formed value that cannot be meant.
    #[error("{0:?}")]
    Value(Mistake),
    #[error("{0:?}")]
    Outline(crate::domain::volume::outline::OutlineProblem),
    /// The file is of a later program.
    #[error("schema_version {found}, known up to {known}")]
    Newer {
        found: u64,
        /// The newest readable version.
        known: u32,
    },
    /// A key or an endpoint in the book's files: the sender of a book could otherwise direct your key elsewhere.
    #[error("key or endpoint")]
    Secret,
}

impl FormatError {
    /// True when an older version may replace the file. Files of a later program and those with a key stay with the
    /// author: the former are sound, and the latter must not reach git's object store.
    pub fn is_damage(&self) -> bool {
        !matches!(self.problem, Problem::Newer { .. } | Problem::Secret)
    }

    pub fn is_of_other_chapter(&self) -> bool {
        matches!(self.problem, Problem::Value(Mistake::OtherChapter { .. }))
    }

    pub fn of_file(problem: Problem) -> Self {
        Self { at: At::File, problem }
    }
}

/// The text of a file, without byte order mark and with LF.
fn text(bytes: &[u8]) -> Result<Cow<'_, str>, FormatError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
        match crate::text::encoding::decode(bytes) {
            Some((encoding, _)) => FormatError::of_file(Problem::Encoding(encoding)),
            None => FormatError { at: At::Line(line), problem: Problem::NotText },
        }
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Ok(if text.contains('\r') { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) })
}

/// The text of a file for reading and comparing, with the line ends that git stores, and with signs for invalid bytes.
pub fn lossy_text(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    if text.contains('\r') { text.replace("\r\n", "\n") } else { text }
}

/// The line of git's first conflict marker.
fn conflict(text: &str) -> Option<FormatError> {
    let line = text.lines().position(|line| line.starts_with("<<<<<<< "))?;
    Some(FormatError { at: At::Line(line + 1), problem: Problem::Conflict })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change of a version without one of the book's number would let older programs write in the book.
    #[test]
    fn the_number_of_the_book_goes_with_the_versions_of_its_files() {
        assert_eq!((BOOK, VERSION, config::NEWEST), (1, 2, 1), "raise `BOOK` whenever a format changes");
    }
}
