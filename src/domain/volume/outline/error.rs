use super::field::Field;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem:?}")]
pub struct OutlineError {
    /// Counted from 1.
    pub line: usize,
    pub problem: Problem,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// No `## ` section.
    Empty,
    /// A heading without a chapter number.
    NoNumber(String),
    /// A chapter's heading that is not marked as one.
    NotMarked(String),
    /// Chapters do not follow each other.
    OutOfOrder { found: u32, wanted: u32 },
    /// A chapter stands twice.
    Repeated {
        chapter: u32,
        /// The line of the first heading, from 1.
        first: usize,
    },
    /// The first chapter is not the one that the volume begins with.
    Begins { found: u32, wanted: u32 },
    /// An unknown label, in a chapter that lacks a field with a similar name.
    Unknown {
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

impl Problem {
    /// True for a heading whose number alone is wrong.
    pub fn is_of_order(&self) -> bool {
        matches!(self, Self::OutOfOrder { .. } | Self::Repeated { .. })
    }
}
