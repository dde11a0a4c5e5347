//! The work of agents. Each piece of work has a draft branch named after it.

use crate::domain::chapter::stage::Stage;
use crate::domain::id::UnknownName;
use crate::domain::notation::{BadText, stands_as_text};
use crate::domain::prelude::*;

named! {
    /// A step before and around the volumes whose result becomes one transaction at once.
    pub enum Step {
        World = "world",
        /// Theme and central conflict, which go into the brief.
        Theme = "theme",
        Characters = "characters",
        Storyline = "storyline",
        Style = "style",
        Trial = "trial",
        /// Planning how the book goes on once everything planned is written.
        Ending = "ending",
        Research = "research",
        /// Updates of things that a change affects.
        Regenerate = "regenerate",
        /// Summaries and deltas of chapters that the author has edited.
        Rebuild = "rebuild",
        /// Summaries and an outline of chapters that came by an import.
        Retell = "retell",
        /// A deviation that the author intends.
        Waive = "waive",
        /// A wish of the author for the next chapters.
        Wish = "wish",
        /// Readings of frozen texts as a test of the judge. Nothing of them joins the book.
        Calibration = "calibration",
        /// Texts that sell the book. They go out as a file, and nothing of them joins the book.
        Blurb = "blurb",
    }
}

named! {
    /// The stages that commits of a planning draft record.
    pub enum PlanStage {
        World = "world",
        Theme = "theme",
        Characters = "characters",
        Storyline = "storyline",
        Style = "style",
        /// Running storylines, crossovers, foreshadowings to plant and resolve.
        Schedule = "schedule",
        /// Sections of some chapters.
        Outline = "outline",
        Contracts = "contracts",
        /// The review of a volume, with advice on how the book goes on.
        Review = "review",
        /// A new summary of an edited chapter.
        Summary = "summary",
        /// The author's change in `staging/`.
        Edit = "edit",
        /// Another number of chapters, by the author's decision.
        Resize = "resize",
        /// The flaws of a plan sent back to the planner, by the author's decision.
        Mend = "mend",
        /// Proposed changes of rules or contracts that wait for the author.
        Proposal = "proposal",
        /// A judge's report on a frozen text.
        Calibration = "calibration",
        /// Title candidates, blurb, tags and selling points.
        Blurb = "blurb",
        /// An unusable reply, kept because it was paid for.
        Fault = "fault",
    }
}

/// A part of a piece of work, recorded by one commit of its draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Chapter(Stage),
    Plan(PlanStage),
}

impl Part {
    /// The name in files, prompts and `--json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Chapter(stage) => stage.as_str(),
            Self::Plan(stage) => stage.as_str(),
        }
    }

    /// True where the answer is a chapter's text.
    pub fn writes_prose(self) -> bool {
        matches!(self, Self::Chapter(stage) if stage.writes_prose())
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

stands_as_text!(Part);

impl FromStr for Part {
    type Err = UnknownName;

    /// Parses the name; a name that both kinds of work have is a chapter's.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self::Chapter).or_else(|_| text.parse().map(Self::Plan))
    }
}

impl From<Stage> for Part {
    fn from(stage: Stage) -> Self {
        Self::Chapter(stage)
    }
}

impl From<PlanStage> for Part {
    fn from(stage: PlanStage) -> Self {
        Self::Plan(stage)
    }
}

/// A piece of work, the subject of a draft branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Work {
    /// A chapter: `ch-048`.
    Chapter(ChapterNo),
    /// The plan of a volume: `vol-02`.
    Plan(VolumeNo),
    /// The review of a volume: `review-02`.
    Review(VolumeNo),
    /// A step: `world`.
    Step(Step),
}

impl Work {
    pub fn chapter(self) -> Option<ChapterNo> {
        match self {
            Self::Chapter(chapter) => Some(chapter),
            _ => None,
        }
    }

    /// The volume of work that concerns a volume as a whole.
    pub fn volume(self) -> Option<VolumeNo> {
        match self {
            Self::Plan(volume) | Self::Review(volume) => Some(volume),
            _ => None,
        }
    }
}

impl From<ChapterNo> for Work {
    fn from(chapter: ChapterNo) -> Self {
        Self::Chapter(chapter)
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chapter(chapter) => chapter.fmt(f),
            Self::Plan(volume) => volume.fmt(f),
            Self::Review(volume) => write!(f, "review-{:02}", volume.get()),
            Self::Step(step) => step.fmt(f),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no work: `{0}`")]
pub struct NoSuchWork(pub String);

impl From<NoSuchWork> for BadText {
    fn from(NoSuchWork(text): NoSuchWork) -> Self {
        Self::Work(text)
    }
}

stands_as_text!(Work);

impl FromStr for Work {
    type Err = NoSuchWork;

    /// Parses the output of [`Display`](fmt::Display), and nothing else.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let review = || text.strip_prefix("review-")?.parse().ok().map(Self::Review);
        let work = if text.starts_with("ch-") {
            text.parse().ok().map(Self::Chapter)
        } else if text.starts_with("vol-") {
            text.parse().ok().map(Self::Plan)
        } else {
            review().or_else(|| text.parse().ok().map(Self::Step))
        };
        work.filter(|work| work.to_string() == text).ok_or_else(|| NoSuchWork(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_work_has_one_name() {
        let volume = VolumeNo::new(2).unwrap();
        let steps = Step::ALL.iter().copied().map(Work::Step);
        for work in [Work::Chapter(ChapterNo::FIRST), Work::Plan(volume), Work::Review(volume)].into_iter().chain(steps)
        {
            assert_eq!(work.to_string().parse(), Ok(work));
        }
        for text in ["", "ch-1", "vol-2", "review-2", "chapter-001", "vol-02/x", "World", "review-", "main"] {
            assert!(text.parse::<Work>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_work_knows_its_chapter_or_its_volume() {
        let volume = VolumeNo::new(2).unwrap();
        let all = [Work::Chapter(ChapterNo::FIRST), Work::Plan(volume), Work::Review(volume), Work::Step(Step::World)];
        assert_eq!(all.map(Work::chapter), [Some(ChapterNo::FIRST), None, None, None]);
        assert_eq!(all.map(Work::volume), [None, Some(volume), Some(volume), None]);
    }
}
