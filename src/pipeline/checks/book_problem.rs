//! The problems of a book's content.

use crate::domain::ContentId;
use crate::pipeline::prelude::*;
use crate::pipeline::workflow::BrokenFile;
use crate::store::format::FormatError;
use crate::store::{Block, Obstruction, StrayCopy};

/// Something wrong with the book's content.
#[derive(Debug, Clone, PartialEq)]
pub enum BookProblem {
    /// A file is not of its format.
    BadFile {
        path: String,
        error: FormatError,
        /// Whether the book works all the same.
        harmless: bool,
        /// The last commit that has it whole.
        whole_in: Option<CommitId>,
    },
    /// A change of the author's that is in no commit yet makes a file unusable.
    BrokenEdit { path: String, error: FormatError },
    /// A file that the book needs is gone from the work tree; the last commit has it.
    Deleted { path: String },
    /// The last commit lacks a file that the book needs.
    Gone {
        path: String,
        /// The last commit that has it whole.
        whole_in: CommitId,
        /// Whether the book works all the same.
        harmless: bool,
    },
    /// Something of the author's stands where the book is about to write.
    InTheWay(Obstruction),
    /// An accepted chapter lacks one of its files.
    Missing {
        chapter: ChapterNo,
        path: String,
        /// The commit that has it.
        whole_in: CommitId,
    },
    /// A chapter is missing, and nothing says that this was meant.
    Gap {
        chapter: ChapterNo,
        /// The last commit that has it.
        whole_in: Option<CommitId>,
    },
    /// A chapter of the author's says nothing of what it changes: it has no summary and no delta yet.
    NoDelta { chapter: ChapterNo },
    /// A chapter has been edited since its summary and its delta were made.
    Outdated { chapter: ChapterNo },
    /// Two chapters have the same title.
    SameTitle(ChapterNo, ChapterNo),
    /// Two chapters have the same text.
    SameText {
        one: ChapterNo,
        other: ChapterNo,
        /// The one of them that has been edited, and the text that it was summarised of.
        earlier: Option<(ChapterNo, ContentId)>,
    },
    /// A run refuses the file.
    Refused(BrokenFile),
    /// Chapters are on a storyline that the book does not define.
    UnknownLine {
        line: Slug,
        /// A storyline with nearly that name.
        nearest: Option<String>,
        chapters: Vec<ChapterNo>,
    },
    /// Several people have this name.
    SameName { name: String, files: Vec<String> },
    /// The author has changed what so many plans of the volume rest on.
    PlansBehind { volume: VolumeNo, things: usize },
    /// A copy of one of the book's files, or a text that no chapter has.
    StrayCopy(StrayCopy),
    /// The committed state, ledger, memory of a storyline or state version of a delta is not what the chapters make it.
    StateDiffers {
        /// The last chapter that the book had when they began to differ; `None` before the first, for a memory and for a delta.
        chapter: Option<ChapterNo>,
        path: String,
    },
    /// The checkpoint is about other chapters than the book has.
    CheckpointDiffers {
        /// The last chapter and the number of chapters by the checkpoint.
        says: (u32, u32),
        /// The last chapter and the number of chapters of the book.
        is: (u32, u32),
    },
}

impl BookProblem {
    /// Whether [`Run::repair`] can put it right.
    pub fn is_curable(&self) -> bool {
        match self {
            Self::BadFile { whole_in, .. } | Self::Gap { whole_in, .. } => whole_in.is_some(),
            Self::Missing { .. } | Self::StateDiffers { .. } | Self::CheckpointDiffers { .. } => true,
            Self::BrokenEdit { error, .. } => error.is_damage(),
            Self::Deleted { .. } | Self::Gone { .. } => true,
            Self::InTheWay(found) => !matches!(found.block, Block::ReadOnly | Block::Committed),
            Self::SameText { earlier, .. } => earlier.is_some(),
            Self::NoDelta { .. } | Self::Outdated { .. } | Self::SameTitle(..) | Self::Refused(_) => false,
            Self::UnknownLine { .. } | Self::SameName { .. } | Self::PlansBehind { .. } | Self::StrayCopy(_) => false,
        }
    }

    /// Whether its repair gives something of the author's another name, which is not done without a word from the author.
    pub fn is_asked_about(&self) -> bool {
        match self {
            Self::InTheWay(_) | Self::Gone { harmless: true, .. } | Self::SameText { .. } => true,
            Self::BadFile { harmless, whole_in, .. } => *harmless && whole_in.is_some(),
            _ => false,
        }
    }

    /// Whether the book works all the same.
    pub fn is_harmless(&self) -> bool {
        match self {
            Self::BadFile { harmless, .. } | Self::Gone { harmless, .. } => *harmless,
            Self::NoDelta { .. } | Self::Outdated { .. } | Self::SameTitle(..) | Self::SameText { .. } => true,
            Self::UnknownLine { .. } | Self::SameName { .. } | Self::PlansBehind { .. } | Self::StrayCopy(_) => true,
            Self::BrokenEdit { .. }
            | Self::Deleted { .. }
            | Self::InTheWay(_)
            | Self::Missing { .. }
            | Self::Gap { .. }
            | Self::Refused(_)
            | Self::StateDiffers { .. }
            | Self::CheckpointDiffers { .. } => false,
        }
    }

    pub(super) fn path(&self) -> Option<&str> {
        match self {
            Self::BadFile { path, .. } | Self::BrokenEdit { path, .. } | Self::Deleted { path } => Some(path),
            Self::Gone { path, .. } | Self::Missing { path, .. } => Some(path),
            _ => None,
        }
    }
}
