//! Why the book did not go to another point of its history, or to another line.

use crate::domain::{ChapterNo, VolumeNo, Work};

/// A reason that the author can do something about. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum HistoryError {
    /// No chapter of the volume is accepted.
    NoChapterIn(VolumeNo),
    /// The book's line has no such place.
    NotOnLine(String),
    /// A path that is to stay is neither in the book nor at the destination.
    NothingToStay(String),
    /// A path that is to stay follows from chapters that leave.
    FollowsFromChapters(String),
    /// There are fewer steps to take back or to do again.
    FewerSteps {
        /// How many there are.
        possible: usize,
        /// How many were wanted.
        wanted: u32,
    },
    /// The author's changes would have to be committed before the last transaction is taken back.
    Uncommitted { paths: Vec<String> },
    /// Nothing that is kept has that name.
    NothingKept(String),
    /// The setting `book.keep_calls` has let the chapter's draft go.
    #[error("the calls of {chapter} are no longer kept: `keep_calls = {keep}`")]
    CallsNotKept { chapter: ChapterNo, keep: u32 },
    /// Several kept things go by the name.
    SeveralKept {
        /// The name as typed.
        name: String,
        /// The name of each.
        found: Vec<String>,
    },
    /// A kept chapter comes after others that the book does not have.
    TooFarAhead {
        chapter: ChapterNo,
        /// The chapter that can be written next.
        next: ChapterNo,
    },
}

/// A reason in lines of the book, or in candidates of a chapter. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum LineError {
    /// A draft goes on from chapters that the book's branch does not have.
    OtherLine(Work),
    /// The name cannot be a line's.
    NotALineName(String),
    /// A branch of that name stands elsewhere, or git has no room for it beside another.
    LineThere(String),
    /// No branch of that name is a line of the book.
    NoSuchLine(String),
    /// The main line, or the line that the book is on, cannot be deleted or adopted.
    LineInUse { line: String, main: String },
    /// Another line becomes the book's on the main line only.
    NotOnMainLine { main: String },
    /// The chapter has one draft already.
    InFlight(ChapterNo),
    /// The chapter has no candidate of that number.
    NoSuchCandidate { chapter: ChapterNo, number: u32 },
    /// Candidates wait for the author's choice.
    CandidatesWait { chapter: ChapterNo, count: usize },
}
