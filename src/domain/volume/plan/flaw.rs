//! Mistakes in a plan.

use crate::domain::volume::foreshadowing::Action;
use crate::domain::{ChapterNo, Slug};

/// Something that does not hold of a plan.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flaw {
    /// The volume begins at another chapter than the book has reached.
    Begins {
        found: u32,
        /// The first chapter that it should have.
        wanted: u32,
    },
    /// Not as many chapters as were asked for.
    Count {
        /// How many there are.
        found: u32,
        /// How many there should be.
        wanted: u32,
    },
    /// A chapter without a conflict.
    NoConflict(ChapterNo),
    /// More storylines at once than models and readers keep apart.
    TooManyLines { found: usize },
    /// A storyline that the book does not define.
    UnknownLine { line: Slug },
    /// A storyline that has ended.
    EndedLine { line: Slug },
    /// A chapter on a line that the schedule does not have.
    NotScheduled { chapter: ChapterNo, line: Slug },
    /// A scheduled line without a chapter.
    NoChapter { line: Slug },
    /// No line carries the volume.
    NoPrimary,
    /// The primary line runs longer in one go than the plan allows itself.
    RunTooLong {
        line: Slug,
        /// The first chapter of the run.
        from: ChapterNo,
        /// How long it is.
        run: u32,
        /// How long it may be.
        limit: u32,
    },
    /// A secondary line is away longer than the plan allows itself.
    AwayTooLong {
        line: Slug,
        /// The chapter before the gap.
        after: u32,
        /// How long it is away.
        gap: u32,
        /// How long it may be.
        limit: u32,
    },
    /// A meeting of lines outside of the volume, or with its end before its beginning.
    MeetingOutside {
        /// First chapter.
        from: u32,
        /// Last chapter.
        to: u32,
    },
    /// A meeting of fewer than two of the scheduled lines.
    MeetingAlone {
        /// First chapter.
        from: u32,
        /// Last chapter.
        to: u32,
    },
    /// No chapter of the lines that meet lies in the range.
    MeetingEmpty {
        /// First chapter.
        from: u32,
        /// Last chapter.
        to: u32,
    },
    /// A range whose end is before its beginning, or that begins before the planting.
    Range {
        id: Slug,
        /// First chapter.
        from: u32,
        /// Last chapter.
        to: u32,
    },
    /// A short one whose range is not 3 to 10 chapters after its planting.
    Span {
        id: Slug,
        /// The chapter that plants it.
        plant: u32,
        /// The end of its range.
        to: u32,
    },
    /// Planted in a chapter that the volume does not have.
    PlantOutside { id: Slug, plant: u32 },
    /// The plan has it and the chapter's section does not.
    Untold {
        id: Slug,
        chapter: ChapterNo,
        /// The action that is to be done there.
        action: Action,
    },
    /// A section works on something that neither the ledger nor the plan knows.
    Unplanned { id: Slug, chapter: ChapterNo },
    /// Taken up or paid off before it is planted, planted twice, or touched after it is resolved.
    Order {
        id: Slug,
        chapter: ChapterNo,
        /// The action that it wants.
        action: Action,
    },
    /// Still open when the book ends.
    LeftOpen {
        id: Slug,
        /// The last chapter in which it can be.
        chapter: ChapterNo,
    },
    /// A running line without a part in the volume that ends the book.
    LeftHanging { line: Slug },
    /// A chapter without a contract.
    NoContract(ChapterNo),
    /// A condition that no earlier chapter brings about.
    Unfounded { chapter: ChapterNo, fact: String },
}

impl Flaw {
    /// Whether the plan may not be used as it is; the others are advice on rhythm.
    #[must_use]
    pub fn blocks(&self) -> bool {
        !matches!(self, Self::RunTooLong { .. } | Self::AwayTooLong { .. } | Self::Span { .. } | Self::Count { .. })
    }

    /// The chapter where it is mended, where it is one chapter's.
    #[must_use]
    pub fn chapter(&self) -> Option<ChapterNo> {
        match self {
            Self::NoConflict(chapter)
            | Self::NoContract(chapter)
            | Self::NotScheduled { chapter, .. }
            | Self::Untold { chapter, .. }
            | Self::Unplanned { chapter, .. }
            | Self::Order { chapter, .. }
            | Self::LeftOpen { chapter, .. }
            | Self::Unfounded { chapter, .. } => Some(*chapter),
            Self::RunTooLong { from, .. } => Some(*from),
            _ => None,
        }
    }
}
