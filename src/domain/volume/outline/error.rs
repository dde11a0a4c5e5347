//! Mistakes of an outline.

use super::field::Field;

/// Something wrong with an outline, with the line where it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem:?}")]
pub struct OutlineError {
    /// The line, from 1.
    pub line: usize,
    pub problem: Problem,
}

/// A mistake in an outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// There is no `## ` section at all.
    Empty,
    /// A heading without a chapter number.
    NoNumber(String),
    /// A chapter's heading that is not marked as one.
    NotMarked(String),
    /// Chapters do not follow each other.
    OutOfOrder {
        /// The number that was read.
        found: u32,
        /// The number that should follow.
        wanted: u32,
    },
    /// A chapter stands twice.
    Repeated {
        chapter: u32,
        /// The line of its first heading, from 1.
        first: usize,
    },
    /// The first chapter is not the one that the volume has to begin with.
    Begins {
        /// The number that was read.
        found: u32,
        /// The number that it should be.
        wanted: u32,
    },
    /// A label that is no field's, in a chapter that lacks one with a similar name.
    Unknown {
        /// The label as written.
        label: String,
        /// The missing field with the nearest name.
        meant: Field,
    },
    /// A field is missing or empty.
    Lacks { chapter: u32, field: Field },
    /// A field stands twice in a section.
    Twice { chapter: u32, field: Field },
    /// No storyline has that id or name.
    Storyline(String),
}
