//! Mistakes in a plan.

use crate::domain::volume::foreshadowing::Action;
use crate::domain::world::storyline::MAX_ACTIVE;
use crate::domain::{ChapterNo, Slug};

/// Something that does not hold of a plan.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Flaw {
    /// The volume begins at another chapter than the book has reached.
    #[error("the volume begins with chapter {found}, and chapter {wanted} is next")]
    Begins {
        /// Its first chapter.
        found: u32,
        /// The first chapter that it should have.
        wanted: u32,
    },
    /// Not as many chapters as were asked for.
    #[error("{found} chapters are planned, {wanted} were asked for")]
    Count {
        /// How many there are.
        found: u32,
        /// How many there should be.
        wanted: u32,
    },
    /// A chapter without a conflict.
    #[error("{0} has no conflict")]
    NoConflict(ChapterNo),
    /// More storylines at once than models and readers keep apart.
    #[error("{found} storylines are active; more than {MAX_ACTIVE} get mixed up")]
    TooManyLines {
        /// How many.
        found: usize,
    },
    /// A storyline that the book does not define.
    #[error("storyline `{line}` is not defined")]
    UnknownLine {
        /// The line.
        line: Slug,
    },
    /// A storyline that has ended.
    #[error("storyline `{line}` has ended")]
    EndedLine {
        /// The line.
        line: Slug,
    },
    /// A chapter on a line that the schedule does not have.
    #[error("{chapter} is on `{line}`, which the schedule does not have")]
    NotScheduled {
        /// The chapter.
        chapter: ChapterNo,
        /// Its line.
        line: Slug,
    },
    /// A scheduled line without a chapter.
    #[error("`{line}` is scheduled and has no chapter")]
    NoChapter {
        /// The line.
        line: Slug,
    },
    /// No line carries the volume.
    #[error("no storyline is the primary one")]
    NoPrimary,
    /// The primary line runs longer in one go than the plan allows itself.
    #[error("`{line}` runs from {from} for {run} chapters in a row, at most {limit} are meant")]
    RunTooLong {
        /// The line.
        line: Slug,
        /// The first chapter of the run.
        from: ChapterNo,
        /// How long it is.
        run: u32,
        /// How long it may be.
        limit: u32,
    },
    /// A secondary line is away longer than the plan allows itself.
    #[error("`{line}` is away for {gap} chapters after {after}, at most {limit} are meant")]
    AwayTooLong {
        /// The line.
        line: Slug,
        /// The chapter before the gap.
        after: u32,
        /// How long it is away.
        gap: u32,
        /// How long it may be.
        limit: u32,
    },
    /// A meeting of lines outside of the volume, or with its end before its beginning.
    #[error("the meeting in {from}–{to} is not inside the volume")]
    MeetingOutside {
        /// First chapter.
        from: u32,
        /// Last chapter.
        to: u32,
    },
    /// A meeting of fewer than two of the scheduled lines.
    #[error("the meeting in {from}–{to} does not name two scheduled storylines")]
    MeetingAlone {
        /// First chapter.
        from: u32,
        /// Last chapter.
        to: u32,
    },
    /// No chapter of the lines that meet lies in the range.
    #[error("no chapter of the lines that meet lies in {from}–{to}")]
    MeetingEmpty {
        /// First chapter.
        from: u32,
        /// Last chapter.
        to: u32,
    },
    /// A range whose end is before its beginning, or that begins before the planting.
    #[error("foreshadowing `{id}` cannot be resolved in {from}–{to}")]
    Range {
        /// Which.
        id: Slug,
        /// First chapter.
        from: u32,
        /// Last chapter.
        to: u32,
    },
    /// A short one whose range is not 3 to 10 chapters after its planting.
    #[error(
        "short foreshadowing `{id}` of chapter {plant} is to be resolved by chapter {to}, that is too far or too near"
    )]
    Span {
        /// Which.
        id: Slug,
        /// The chapter that plants it.
        plant: u32,
        /// The end of its range.
        to: u32,
    },
    /// Planted in a chapter that the volume does not have.
    #[error("foreshadowing `{id}` is planted in chapter {plant}, outside of the volume")]
    PlantOutside {
        /// Which.
        id: Slug,
        /// The chapter.
        plant: u32,
    },
    /// The plan has it and the chapter's section does not.
    #[error("{chapter}'s section does not say that it {} `{id}`", action.as_str())]
    Untold {
        /// Which.
        id: Slug,
        /// The chapter.
        chapter: ChapterNo,
        /// The action that is to be done there.
        action: Action,
    },
    /// A section works on something that neither the ledger nor the plan knows.
    #[error("{chapter} works on foreshadowing `{id}`, which is not planned")]
    Unplanned {
        /// Which.
        id: Slug,
        /// The chapter.
        chapter: ChapterNo,
    },
    /// Taken up or paid off before it is planted, planted twice, or touched after it is resolved.
    #[error("{chapter} cannot do that to foreshadowing `{id}`: {}", action.as_str())]
    Order {
        /// Which.
        id: Slug,
        /// The chapter.
        chapter: ChapterNo,
        /// The action that it wants.
        action: Action,
    },
    /// Still open when the book ends.
    #[error("the book ends with this volume, and foreshadowing `{id}` is not resolved by {chapter}")]
    LeftOpen {
        /// Which.
        id: Slug,
        /// The last chapter in which it can be.
        chapter: ChapterNo,
    },
    /// A running line without a part in the volume that ends the book.
    #[error("the book ends with this volume, and storyline `{line}` has no part in it")]
    LeftHanging {
        /// The line.
        line: Slug,
    },
    /// A chapter without a contract.
    #[error("{0} has no contract")]
    NoContract(ChapterNo),
    /// A condition that no earlier chapter brings about.
    #[error("{chapter} presupposes what no chapter brings about: {fact}")]
    Unfounded {
        /// The chapter.
        chapter: ChapterNo,
        /// The condition.
        fact: String,
    },
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
