//! Why the book did not go to another point of its history, or to another line.

use crate::domain::{ChapterNo, VolumeNo, Work};

/// A reason that the author can do something about. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// No chapter of the volume is accepted.
    #[error("{0} has no accepted chapter")]
    NoChapterIn(VolumeNo),
    /// The book's line has no such place.
    #[error("the book's line has no {0}")]
    NotOnLine(String),
    /// A path that is to stay is neither in the book nor at the destination.
    #[error("there is no `{0}` to keep")]
    NothingToStay(String),
    /// A path that is to stay follows from chapters that leave.
    #[error("`{0}` follows from the chapters and cannot stay without them")]
    FollowsFromChapters(String),
    /// There are fewer steps to take back or to do again.
    #[error("there are {possible} steps, and not {wanted}")]
    FewerSteps {
        /// How many there are.
        possible: usize,
        /// How many were wanted.
        wanted: u32,
    },
    /// The author's changes would have to be committed before the last transaction is taken back.
    #[error("there are uncommitted changes: {}", paths.join(", "))]
    Uncommitted { paths: Vec<String> },
    /// Nothing that is kept has that name.
    #[error("nothing kept is called `{0}`")]
    NothingKept(String),
    /// The setting `book.keep_calls` has let the chapter's draft go.
    #[error("the calls of {chapter} are no longer kept: `keep_calls = {keep}`")]
    CallsNotKept { chapter: ChapterNo, keep: u32 },
    /// Several kept things go by the name.
    #[error("`{name}` is the name of {} kept things", found.len())]
    SeveralKept {
        /// The name as typed.
        name: String,
        /// The name of each.
        found: Vec<String>,
    },
    /// A kept chapter comes after others that the book does not have.
    #[error("{chapter} cannot come back: the next chapter is {next}")]
    TooFarAhead {
        chapter: ChapterNo,
        /// The chapter that can be written next.
        next: ChapterNo,
    },
}

/// A reason in lines of the book, or in candidates of a chapter. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// A draft goes on from chapters that the book's branch does not have.
    #[error("the draft of {0} goes on from another line of the book")]
    OtherLine(Work),
    /// The name cannot be a line's.
    #[error("`{0}` cannot be the name of a line")]
    NotALineName(String),
    /// A branch of that name stands elsewhere, or git has no room for it beside another.
    #[error("there is a branch `{0}` already")]
    LineThere(String),
    /// No branch of that name is a line of the book.
    #[error("the book has no line `{0}`")]
    NoSuchLine(String),
    /// The main line, or the line that the book is on, cannot be deleted or adopted.
    #[error("the line `{line}` is in use")]
    LineInUse { line: String, main: String },
    /// Another line becomes the book's on the main line only.
    #[error("the book is not on its main line, `{main}`")]
    NotOnMainLine { main: String },
    /// The chapter has one draft already.
    #[error("{0} is being written as one draft")]
    InFlight(ChapterNo),
    /// The chapter has no candidate of that number.
    #[error("{chapter} has no candidate {number}")]
    NoSuchCandidate { chapter: ChapterNo, number: u32 },
    /// Candidates wait for the author's choice.
    #[error("{chapter} has {count} candidates")]
    CandidatesWait { chapter: ChapterNo, count: usize },
}
