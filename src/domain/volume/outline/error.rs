//! Mistakes of an outline.

use super::field::Field;

/// Something wrong with an outline, with the line where it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct OutlineError {
    /// The line, from 1.
    pub line: usize,
    /// The mistake.
    pub problem: Problem,
}

/// A mistake in an outline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is no `## ` section at all.
    #[error("there is no `## ` section, and so no chapter")]
    Empty,
    /// A heading without a chapter number.
    #[error("heading `{0}` has no chapter number (write `## 第12章 标题`)")]
    NoNumber(String),
    /// A chapter's heading that is not marked as one.
    #[error("`{0}` is a chapter's heading without `## ` (write `## {0}`)")]
    NotMarked(String),
    /// Chapters do not follow each other.
    #[error("chapter {found} stands where chapter {wanted} should")]
    OutOfOrder {
        /// The number that was read.
        found: u32,
        /// The number that should follow.
        wanted: u32,
    },
    /// A chapter stands twice.
    #[error("chapter {chapter} stands here for the second time (the first is in line {first})")]
    Repeated {
        /// The chapter's number.
        chapter: u32,
        /// The line of its first heading, from 1.
        first: usize,
    },
    /// The first chapter is not the one that the volume has to begin with.
    #[error("the outline begins with chapter {found}, and the volume begins with chapter {wanted}")]
    Begins {
        /// The number that was read.
        found: u32,
        /// The number that it should be.
        wanted: u32,
    },
    /// A label that is no field's, in a chapter that lacks one with a similar name.
    #[error("`{label}` is no field of a chapter; `{}` ({}) may be meant", meant.as_str(), meant.english())]
    Unknown {
        /// The label as written.
        label: String,
        /// The missing field with the nearest name.
        meant: Field,
    },
    /// A field is missing or empty.
    #[error("chapter {chapter} lacks `{}` ({})", field.as_str(), field.english())]
    Lacks {
        /// The chapter's number.
        chapter: u32,
        /// The field.
        field: Field,
    },
    /// A field stands twice in a section.
    #[error("chapter {chapter} has `{}` twice", field.as_str())]
    Twice {
        /// The chapter's number.
        chapter: u32,
        /// The field.
        field: Field,
    },
    /// No storyline has that id or name.
    #[error("there is no storyline `{0}` (write its name or its id, or `主线` for the main line)")]
    Storyline(String),
}
