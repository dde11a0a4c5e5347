//! Bringing the book in line with the author's own edits of its chapters: which summaries and deltas are of an older
//! text, making them of the present one, and which later chapters rely on what has changed.

pub mod operation;
pub mod outdated;
pub mod plan;
