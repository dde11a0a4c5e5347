//! Differences of two lines that an author chooses between, and why a sync stops.
//! Events of a sync and of a lease.

use crate::pipeline::prelude::*;
use crate::store::format::renumber::renumbered;
use crate::store::{Lease, RemoteError, Transfer};
use serde::Serialize;

named! {
    pub enum Take {
        /// The line of this copy goes on; the other one is kept.
        Ours = "ours",
        /// The line of the remote goes on; the other one is kept.
        Theirs = "theirs",
        /// Nothing yet: this copy's line is put on the remote beside the other.
        Later = "later",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Ours,
    Theirs,
}

impl Take {
    /// The line that goes on; `None` to decide later.
    pub fn side(self) -> Option<Side> {
        match self {
            Self::Ours => Some(Side::Ours),
            Self::Theirs => Some(Side::Theirs),
            Self::Later => None,
        }
    }
}

/// The author and the time of a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MadeBy {
    pub commit: String,
    pub author: String,
    /// As RFC 3339, in the author's zone.
    pub time: String,
}

/// A chapter as one line has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChapterVersion {
    pub title: String,
    pub opening: String,
    /// The first sentence that the other line has otherwise; empty where the other line has no such chapter.
    pub difference: String,
    pub words: u64,
    /// Its overall score; `None` where it has not been judged.
    pub score: Option<f64>,
    /// The last chapter of this line, whose chapters go on together.
    pub last: ChapterNo,
    pub by: Option<MadeBy>,
}

/// A chapter that both lines have made differently.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChapterConflict {
    pub chapter: ChapterNo,
    /// Ours; `None` where this line does not have it any more.
    pub ours: Option<ChapterVersion>,
    pub theirs: Option<ChapterVersion>,
}

/// A file of the author's of which both lines have changed the same lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileConflict {
    pub path: String,
    /// The last change of ours.
    pub ours: Option<MadeBy>,
    pub theirs: Option<MadeBy>,
}

/// Chapters have other numbers on one line, or on both, and the other line has changed plans or texts under the old numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NumberConflict {
    /// The steps of ours, the oldest first.
    pub ours: Vec<Renumbering>,
    /// The steps of theirs, the oldest first.
    pub theirs: Vec<Renumbering>,
    /// The first chapter that is another one on the two lines.
    pub first: ChapterNo,
}

impl NumberConflict {
    /// True for a file that says something else under the other numbers.
    pub(super) fn changes(&self, place: &BookPath, before: Option<&[u8]>) -> bool {
        let is_changed = |how: &Renumbering| before.is_some_and(|before| renumbered(place, before, *how) != before);
        place.has_numbers_from(self.first) || self.ours.iter().chain(&self.theirs).any(is_changed)
    }
}

/// Everything that an author has to choose between.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Conflicts {
    /// Numbers that mean different chapters: everything that has them comes from the line that is chosen, and `chapters` is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<NumberConflict>,
    /// Chapters, in order. From the first one on, all chapters come from the line that is chosen.
    pub chapters: Vec<ChapterConflict>,
    pub files: Vec<FileConflict>,
}

impl Conflicts {
    /// True when there is nothing to choose.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_none() && self.chapters.is_empty() && self.files.is_empty()
    }
}

/// A reason that has to do with the book's remote.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum SyncError {
    #[error(transparent)]
    Remote(#[from] RemoteError),
    /// Another device holds the lease.
    Leased(Box<Lease>),
    /// The remote has commits that this copy lacks, so that no chapter is written on top of the old ones.
    Behind { remote: String },
    /// Both lines have something that only the author can choose between.
    Diverged(Box<Conflicts>),
    /// The other line changes a link or another repository, which only git can merge.
    Special {
        path: String,
        /// The remote's branch, as git knows it.
        branch: String,
    },
}

/// Something that happened between this copy and the remote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyncEvent {
    /// The remote is asked.
    Connecting { remote: String },
    /// Git moves objects.
    Transfer(Transfer),
    /// A draft of another device goes on here.
    DraftTaken { work: Work },
    /// Two devices had continued the same draft: the one that had got further stays, and the other is kept.
    DraftKept {
        work: Work,
        /// The ref of the other.
        kept: String,
    },
    /// The remote refuses a ref for a reason of its own.
    Refused { name: String, reason: String },
    /// This copy holds the lease.
    Leased {
        work: Work,
        /// Until when, in seconds since 1970.
        until: i64,
        /// The device whose lease was over, or was taken.
        instead_of: Option<String>,
    },
    /// The lease stays until this copy is synced: something is written that the remote does not have.
    LeaseWaits,
    /// The remote is out of reach, and the run goes on without it.
    Alone { remote: String, said: Vec<String> },
}
