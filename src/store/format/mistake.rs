//! Readable values that cannot be meant.

use crate::domain::chapter::evaluation::Unusable;
use crate::domain::state::Refusal;
use crate::domain::{BadText, ChapterNo, Slug, VolumeNo};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mistake {
    /// A text without a value.
    Text(BadText),
    Wanted(Wanted),
    Setting {
        key: String,
        mistake: Box<Mistake>,
    },
    UnknownSetting {
        key: String,
        meant: Option<&'static str>,
    },
    /// `chapter.min_words` is 0 or above `chapter.max_words`.
    MinWords,
    /// The calls of 0 chapters are to be kept.
    NoCalls,
    /// A threshold of the gate is not between 1 and 5.
    Border,
    /// The thresholds of the gate do not rise.
    BorderOrder,
    Negative,
    TwoBudgets,
    /// A lease is too short or too long.
    LeaseMinutes {
        least: u32,
        most: u32,
    },
    /// An address instead of the name of a remote.
    RemoteName,
    /// A limit for prompts below every chapter's size.
    LeastContext(u32),
    /// A limit for crossovers below that for other chapters.
    ConvergenceContext,
    MemoryChapters(u32),
    Operation(Refusal),
    Scores(Unusable),
    /// A thread's history has no entry.
    EmptyHistory,
    /// A thread's history does not begin with its planting.
    NoPlanting,
    /// A thread's status is not that of its last entry.
    OtherStatus,
    /// A summary without the line with its storyline.
    NoStorylineLine,
    /// A cross reference with too few parts.
    CrossReference,
    /// The id in a character's file differs from the file's name.
    OtherId {
        name: Slug,
        found: Slug,
    },
    NoName,
    /// The chapter in the file differs from the file's name.
    OtherChapter {
        name: ChapterNo,
        found: ChapterNo,
    },
    /// The volume in the file differs from its folder.
    OtherVolume {
        folder: VolumeNo,
        found: VolumeNo,
    },
    /// `brief.md` is too long.
    LongBrief {
        length: usize,
        most: usize,
    },
    /// A storyline's memory is too long.
    LongMemory {
        length: usize,
        most: usize,
    },
    /// A wish without a text, or with several lines.
    WishText {
        number: usize,
    },
    WishLength {
        number: usize,
        length: usize,
    },
    /// A wish that ends before it begins.
    WishChapters {
        number: usize,
        first: ChapterNo,
        last: ChapterNo,
    },
    EmptyProfile,
    NoText,
    NoTitle,
    EmptySummary,
    NoStoryline(Slug),
    IdTwice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A whole number from 1.
    Version,
    WholeNumber,
    Number,
    Text,
    Flag,
    /// `standard` or `strong`.
    Tier,
    /// `none`, `auto_apply` or `manual_confirm`.
    Policy,
    /// `zh` or `en`.
    Language,
    /// A number between 0 and 1.
    Share,
    Length,
    List,
    Map,
}

impl From<BadText> for Mistake {
    fn from(bad: BadText) -> Self {
        Self::Text(bad)
    }
}
