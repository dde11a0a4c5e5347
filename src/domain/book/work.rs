//! The work of agents. Each piece of work has a draft branch of its own, named after it.

use crate::domain::chapter::stage::Stage;
use crate::domain::named::{UnknownName, named};
use crate::domain::{ChapterNo, VolumeNo};
use std::fmt;
use std::str::FromStr;

named! {
    /// A step before and around the volumes whose result is one transaction as soon as it is there.
    pub enum Step {
        /// Rules and prose of the world.
        World = "world",
        /// Theme and central conflict, written into the brief.
        Theme = "theme",
        Characters = "characters",
        Storyline = "storyline",
        Style = "style",
        /// The outline of the three trial chapters.
        Trial = "trial",
        /// How the book goes on once everything planned is written.
        Ending = "ending",
        /// The author's notes, taken into `research/`.
        Research = "research",
        /// Things that a change affects, brought up to date.
        Regenerate = "regenerate",
        /// Summaries and deltas of chapters that the author has edited.
        Rebuild = "rebuild",
        /// A deviation that the author intends.
        Waive = "waive",
        /// Frozen texts, read to see whether the judge can be trusted. Nothing of it joins the book.
        Calibration = "calibration",
    }
}

named! {
    /// The stages that commits of a planning draft record.
    pub enum PlanStage {
        /// Rules and pages.
        World = "world",
        /// Theme and central conflict.
        Theme = "theme",
        /// People.
        Characters = "characters",
        Storyline = "storyline",
        Style = "style",
        /// Which lines run, where they meet, what is planted and paid.
        Schedule = "schedule",
        /// Some chapters' sections.
        Outline = "outline",
        /// The contracts that follow from the outline.
        Contracts = "contracts",
        /// The review of a volume, and the way in which the book should go on.
        Review = "review",
        /// A chapter that was edited, summarised again.
        Summary = "summary",
        /// The author's own change in `staging/`.
        Edit = "edit",
        /// Another number of chapters, by the author's word.
        Resize = "resize",
        /// Changes of rules or contracts wait for the author's word.
        Proposal = "proposal",
        /// A judge's report on a frozen text.
        Calibration = "calibration",
        /// A reply that could not be used; kept because it was paid for.
        Fault = "fault",
    }
}

/// A part of a piece of work: what one commit of its draft records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Chapter(Stage),
    /// A stage of planning.
    Plan(PlanStage),
}

impl Part {
    /// Its name in files, prompts and `--json`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Chapter(stage) => stage.as_str(),
            Self::Plan(stage) => stage.as_str(),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Part {
    type Err = UnknownName;

    /// Reads the name; one that both kinds of work have is a chapter's.
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

/// A piece of work: what a draft branch is about.
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
    /// The chapter, when it is one.
    #[must_use]
    pub fn chapter(self) -> Option<ChapterNo> {
        match self {
            Self::Chapter(chapter) => Some(chapter),
            _ => None,
        }
    }

    /// The volume, when it is about one as a whole.
    #[must_use]
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

/// The text names no piece of work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no work: `{0}`")]
pub struct NoSuchWork(pub String);

impl FromStr for Work {
    type Err = NoSuchWork;

    /// Reads what [`Display`](fmt::Display) prints, and nothing else.
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
