//! A volume's plan as a whole: its checks and the derived chapter contracts (product document §5.3, §6.5.4, §6.6.2).

use crate::domain::prelude::*;
use crate::domain::volume::foreshadowing::{Action, Ledger, ThreadPlan};
use crate::domain::volume::outline::Outline;
use crate::domain::world::character::Character;
use crate::domain::world::contract::{ChapterContract, States};
use crate::domain::world::storyline::{Schedule, Storylines};

mod check;
mod derive;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    pub outline: Outline,
    /// How the storylines share the chapters.
    pub schedule: Option<Schedule>,
    pub foreshadowing: Vec<ThreadPlan>,
    pub contracts: BTreeMap<ChapterNo, ChapterContract>,
}

impl Plan {
    fn chapters_on<'a>(&'a self, line: &'a Slug) -> impl Iterator<Item = ChapterNo> + 'a {
        self.outline.sections.iter().filter(move |section| section.storyline == *line).map(|section| section.chapter)
    }
}

/// The book before the volume, as the basis for checking a plan.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanBasis {
    pub first: u32,
    /// The number of chapters of the volume, if given.
    pub chapters: Option<u32>,
    pub storylines: Storylines,
    pub characters: Vec<Character>,
    pub ledger: Ledger,
    /// Facts left true by the last chapter of each line, one a line.
    pub standing: BTreeMap<Slug, Vec<String>>,
    pub last_on: BTreeMap<Slug, ChapterNo>,
    /// Place and mood of the characters in the state, by id.
    pub states: States,
    /// The status of each line by its memory, in one sentence.
    pub statuses: BTreeMap<Slug, String>,
    /// The last written chapter of each line, in a sentence or two.
    pub told: BTreeMap<Slug, String>,
    pub rules: BTreeSet<String>,
    /// The last accepted chapter: plantings up to it have happened, planned or not.
    pub written: u32,
    /// True when the book ends with the volume.
    pub closing: bool,
}

/// How many volumes back a plan looks for facts of a line.
pub const VOLUMES_BACK: usize = 3;

/// The facts left true by the last chapters of each line, by their contracts; the latest volume first.
pub fn left_standing<'p>(plans: impl Iterator<Item = &'p Plan>) -> BTreeMap<Slug, Vec<String>> {
    let mut standing = BTreeMap::new();
    for plan in plans.take(VOLUMES_BACK) {
        for section in plan.outline.sections.iter().rev() {
            let Some(contract) = plan.contracts.get(&section.chapter) else { continue };
            standing.entry(section.storyline.clone()).or_insert_with(|| contract.postconditions.clone());
        }
    }
    standing
}

/// The last chapters on each line; the latest volume first.
pub fn last_chapters<'p>(plans: impl Iterator<Item = &'p Plan>) -> BTreeMap<Slug, ChapterNo> {
    let mut last = BTreeMap::new();
    for section in plans.take(VOLUMES_BACK).flat_map(|plan| plan.outline.sections.iter().rev()) {
        last.entry(section.storyline.clone()).or_insert(section.chapter);
    }
    last
}

/// True for a field that means "none".
fn is_nothing(text: &str) -> bool {
    matches!(text.trim().trim_end_matches(['。', '.']), "" | "无" | "没有" | "暂无" | "none" | "None" | "-" | "—")
}

/// The facts of a field: its lines, split at semicolons.
fn facts_of(text: &str) -> Vec<String> {
    let parts = text
        .split(['\n', '；', ';'])
        .map(|part| part.trim().trim_start_matches(['-', '*', ' ']).trim_end_matches('。'));
    parts.filter(|part| !is_nothing(part)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;

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
    /// A contract names someone who is not among the characters.
    UnknownPerson { chapter: ChapterNo, id: Slug },
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
            | Self::UnknownPerson { chapter, .. }
            | Self::Unfounded { chapter, .. } => Some(*chapter),
            Self::RunTooLong { from, .. } => Some(*from),
            _ => None,
        }
    }
}
