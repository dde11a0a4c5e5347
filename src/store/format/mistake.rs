//! Values that can be read and cannot be meant.

use crate::domain::book::work::NoSuchWork;
use crate::domain::chapter::evaluation::Unusable;
use crate::domain::state::Refusal;
use crate::domain::{ChapterNo, IdError, NotAContentId, Slug, UnknownName, VolumeNo};
use serde::{Deserialize, Serialize};

/// The flaw of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mistake {
    /// A text that stands for no value.
    Text(BadText),
    /// A value of another kind is wanted.
    Wanted(Wanted),
    /// A setting has a bad value.
    Setting { key: String, mistake: Box<Mistake> },
    /// No setting has that name.
    UnknownSetting {
        key: String,
        /// The setting that was perhaps meant.
        meant: Option<&'static str>,
    },
    /// `chapter.min_words` is 0 or above `chapter.max_words`.
    MinWords,
    /// A border of the gate is not between 1 and 5.
    Border,
    /// The borders of the gate do not rise.
    BorderOrder,
    /// A sum is below 0.
    Negative,
    /// A budget in both currencies.
    TwoBudgets,
    /// A lease is too short or too long.
    LeaseMinutes { least: u32, most: u32 },
    /// An address where the name of a remote should be.
    RemoteName,
    /// A limit for prompts that no chapter fits into.
    LeastContext(u32),
    /// A limit for meetings of lines below that for other chapters.
    ConvergenceContext,
    /// More entries of the ledger than a prompt takes.
    MemoryChapters(u32),
    /// An operation on the state that breaks a rule.
    Operation(Refusal),
    /// An evaluation without all scores.
    Scores(Unusable),
    /// A thread's history has no entry.
    EmptyHistory,
    /// A thread's history does not begin with its planting.
    NoPlanting,
    /// A thread's status is not that of its last entry.
    OtherStatus,
    /// A summary without the line that names its storyline.
    NoStorylineLine,
    /// A cross reference with too few parts.
    CrossReference,
    /// A character's file has another id than its name.
    OtherId {
        /// The id of the file's name.
        name: Slug,
        /// The id in it.
        found: Slug,
    },
    /// A file of another chapter than its name says.
    OtherChapter {
        /// The chapter of the file's name.
        name: ChapterNo,
        found: ChapterNo,
    },
    /// A file of another volume than its folder says.
    OtherVolume { folder: VolumeNo, found: VolumeNo },
    /// `brief.md` is too long.
    LongBrief {
        length: usize,
        /// The most that it should have.
        most: usize,
    },
    /// A storyline's memory is too long.
    LongMemory {
        length: usize,
        /// The most that it should have.
        most: usize,
    },
    /// A profile without text.
    EmptyProfile,
    /// A chapter without text.
    NoText,
    /// A chapter without a title.
    NoTitle,
    /// A summary without text.
    EmptySummary,
    /// A relation of a storyline that the file does not have.
    NoStoryline(Slug),
    /// An id of two entries.
    IdTwice,
}

/// The kind of value that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A whole number from 1.
    Version,
    WholeNumber,
    Number,
    Text,
    /// True or false.
    Flag,
    /// `standard` or `strong`.
    Tier,
    /// `none`, `auto_apply` or `manual_confirm`.
    Policy,
    /// `zh` or `en`.
    Language,
    /// A number between 0 and 1.
    Share,
    /// A length in characters.
    Length,
    List,
    Map,
}

/// A text that stands for no value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum BadText {
    /// None of a closed set of names.
    Name {
        /// The text that was read.
        given: String,
        /// The names that would have been understood, separated by commas.
        allowed: String,
    },
    /// No id.
    Id(String),
    /// No chapter.
    Chapter(String),
    /// No volume.
    Volume(String),
    /// No chapter, volume or step.
    Work(String),
    /// No id of a content.
    Content(String),
    /// No entry of the state.
    Entry(String),
    /// No interval of chapters.
    Interval(String),
    /// A chapter's number out of range.
    ChapterNumber,
    /// A volume's number out of range.
    VolumeNumber,
}

impl From<BadText> for Mistake {
    fn from(bad: BadText) -> Self {
        Self::Text(bad)
    }
}

impl From<UnknownName> for BadText {
    fn from(UnknownName { given, allowed }: UnknownName) -> Self {
        Self::Name { given, allowed }
    }
}

impl From<IdError> for BadText {
    fn from(error: IdError) -> Self {
        match error {
            IdError::Chapter(text) => Self::Chapter(text),
            IdError::Volume(text) => Self::Volume(text),
            IdError::Slug(text) => Self::Id(text),
        }
    }
}

impl From<NotAContentId> for BadText {
    fn from(NotAContentId(text): NotAContentId) -> Self {
        Self::Content(text)
    }
}

impl From<NoSuchWork> for BadText {
    fn from(NoSuchWork(text): NoSuchWork) -> Self {
        Self::Work(text)
    }
}
