use crate::domain::volume::foreshadowing::Action;
use crate::domain::{ChapterNo, Slug};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flaw {
    /// The volume does not begin after the book's last chapter.
    Begins { found: u32, wanted: u32 },
    /// The number of chapters is not the requested one.
    Count { found: u32, wanted: u32 },
    /// A chapter without a conflict.
    NoConflict(ChapterNo),
    /// More storylines than models and readers keep apart.
    TooManyLines { found: usize },
    /// A storyline that the book does not define.
    UnknownLine { line: Slug },
    /// A storyline that has ended.
    EndedLine { line: Slug },
    /// A chapter on a line outside the schedule.
    NotScheduled { chapter: ChapterNo, line: Slug },
    /// A scheduled line without a chapter.
    NoChapter { line: Slug },
    /// No line carries the volume.
    NoPrimary,
    /// The primary line runs longer in one go than the plan allows.
    RunTooLong { line: Slug, from: ChapterNo, run: u32, limit: u32 },
    /// A secondary line is away longer than the plan allows.
    AwayTooLong { line: Slug, after: u32, gap: u32, limit: u32 },
    /// A crossover outside the volume, or with its end before its beginning.
    MeetingOutside { from: u32, to: u32 },
    /// A crossover of fewer than two scheduled lines.
    MeetingAlone { from: u32, to: u32 },
    /// A crossover without a chapter of its lines in the range.
    MeetingEmpty { from: u32, to: u32 },
    /// A range that ends before its beginning, or begins before the planting.
    Range { id: Slug, from: u32, to: u32 },
    /// A short foreshadowing whose range is not 3 to 10 chapters after its planting.
    Span {
        id: Slug,
        plant: u32,
        /// The end of the range.
        to: u32,
    },
    /// Planted in a chapter outside the volume.
    PlantOutside { id: Slug, plant: u32 },
    /// Planned for a chapter whose section does not have it.
    Untold { id: Slug, chapter: ChapterNo, action: Action },
    /// A section acts on a foreshadowing that neither the ledger nor the plan knows.
    Unplanned { id: Slug, chapter: ChapterNo },
    /// Taken up or resolved before its planting, planted twice, or touched after its resolution.
    Order { id: Slug, chapter: ChapterNo, action: Action },
    /// Still open when the book ends.
    LeftOpen {
        id: Slug,
        /// The last chapter that could resolve it.
        chapter: ChapterNo,
    },
    /// A running line without a part in the volume that ends the book.
    LeftHanging { line: Slug },
    /// A chapter without a contract.
    NoContract(ChapterNo),
    /// A precondition that no earlier chapter brings about.
    Unfounded { chapter: ChapterNo, fact: String },
}

impl Flaw {
    /// True when the plan cannot be used; other flaws are advice on rhythm.
    pub fn blocks(&self) -> bool {
        !matches!(self, Self::RunTooLong { .. } | Self::AwayTooLong { .. } | Self::Span { .. } | Self::Count { .. })
    }

    /// The chapter to mend, if it is one.
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
