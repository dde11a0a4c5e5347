//! The tasks of agents: the one seam between the pipeline and a responder, a model or the offline writer.

use super::scene_order::SceneOrder;
use crate::agents::context::chapter::ChapterContext;
use crate::agents::planners::context::{CastRequest, PlanningContext, VolumeOrder};
use crate::domain::book::config::Agent;
use crate::domain::chapter::Chapter;
use crate::domain::chapter::evaluation::{Check, Fix};
use crate::domain::chapter::scene::SceneNo;
use crate::domain::chapter::summary::CrossReference;
use crate::domain::volume::outline::{Gaps, Section};
use crate::domain::volume::plan::{Flaw, Plan};
use crate::domain::world::style::StyleSource;
use crate::domain::{ChapterNo, VolumeNo};

/// Which of the judges of a chapter is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opinion {
    /// The judge of every chapter.
    First,
    /// The second judge of a key chapter, who does not know the first one's report.
    Second,
}

/// One piece of work for one agent.
#[derive(Debug, Clone, PartialEq)]
pub enum Task<'a> {
    /// Write the chapter.
    Draft { context: &'a ChapterContext },
    /// Divide the chapter into scenes.
    ScenePlan {
        context: &'a ChapterContext,
        /// Why a chapter of the book is written again, and how; empty for one that is new.
        reasons: &'a [String],
    },
    /// Write the chapter's next scene.
    Scene {
        context: &'a ChapterContext,
        /// Which scene, and what stands before it.
        order: &'a SceneOrder,
    },
    /// Revise the chapter where the judge found fault, keeping what is good.
    Revise {
        context: &'a ChapterContext,
        /// The text that was judged.
        text: &'a Chapter,
        /// The changes to make.
        fixes: &'a [Fix],
        /// The violations that block.
        violations: &'a [Check],
        /// Which revision this is, from 1.
        round: u32,
    },
    /// Write the chapter again from the outline; the old text is not shown.
    Rewrite {
        context: &'a ChapterContext,
        /// The problems of the old text.
        issues: &'a [String],
    },
    /// Summarise the chapter and extract what it changes.
    Summarize {
        context: &'a ChapterContext,
        text: &'a Chapter,
        /// The writer's remarks on what changed; for comparison only, they never reach the state.
        hints: &'a str,
    },
    /// Take machine-made traces out of the prose, by a list of small edits.
    Refine {
        context: &'a ChapterContext,
        text: &'a Chapter,
        /// 1 for the first pass, 2 for the polish that the gate asks for.
        pass: u32,
        /// The judge's remarks on the style, for the second pass.
        remarks: &'a [String],
    },
    /// Hold the chapter against its contracts and score it.
    Judge {
        context: &'a ChapterContext,
        text: &'a Chapter,
        /// Mentions of other storylines that the summarizer noticed.
        cross_references: &'a [CrossReference],
        /// Measured facts: length, phrase hits, repetition.
        measured: &'a [String],
        /// Which judge it is.
        opinion: Opinion,
    },
    /// Draw directives from samples of the author's prose.
    AnalyzeStyle {
        /// The samples, cut to size.
        samples: &'a [String],
        /// The measurements, one figure a line.
        measured: &'a [String],
        /// The author of the samples.
        source: StyleSource,
        /// The author who is imitated, when the samples are not the user's own.
        name: Option<&'a str>,
    },
    /// Build the world, or add to it.
    World {
        context: &'a PlanningContext,
        /// The author's request; empty for the first rules of a new book.
        request: &'a str,
    },
    /// Say what the book is about.
    Theme { context: &'a PlanningContext },
    /// Make or change characters.
    Cast {
        context: &'a PlanningContext,
        /// The characters to make or to change.
        request: &'a CastRequest,
    },
    /// Add a storyline.
    Storyline {
        context: &'a PlanningContext,
        /// The author's wish for it.
        wish: &'a str,
    },
    /// Schedule a volume: which lines run, where they meet, what is planted and paid.
    Schedule {
        context: &'a PlanningContext,
        order: &'a VolumeOrder,
        /// Chapters of it that are written already.
        kept: &'a [Section],
        /// The flaws of the last attempt.
        flaws: &'a [Flaw],
    },
    /// Outline chapters of a scheduled volume.
    Outline {
        context: &'a PlanningContext,
        order: &'a VolumeOrder,
        /// The part of its plan that exists.
        plan: &'a Plan,
        /// First and last chapter to outline now.
        chapters: (u32, u32),
        /// The flaws of the last attempt.
        flaws: &'a [Flaw],
    },
    /// Fill in the fields that the author's outline leaves open, and nothing else.
    Fill {
        context: &'a PlanningContext,
        order: &'a VolumeOrder,
        /// The author's outline, and the rest of the plan as far as it exists.
        plan: &'a Plan,
        /// Which fields of which chapters.
        gaps: &'a Gaps,
    },
    /// Review a volume, and say how the book should go on.
    Review {
        context: &'a PlanningContext,
        volume: VolumeNo,
        /// The counts, one figure a line.
        figures: &'a [String],
    },
    /// Write some chapters' sections again, because something that they depend on has changed.
    Amend {
        context: &'a PlanningContext,
        plan: &'a Plan,
        chapters: &'a [ChapterNo],
        /// The changes, in words for a model.
        changes: &'a [String],
        /// The flaws of the last attempt.
        flaws: &'a [Flaw],
    },
}

impl Task<'_> {
    /// The agent that does it.
    #[must_use]
    pub fn agent(&self) -> Agent {
        match self {
            Self::Draft { .. } | Self::Scene { .. } | Self::Revise { .. } | Self::Rewrite { .. } => Agent::Writer,
            Self::Summarize { .. } => Agent::Summarizer,
            Self::Refine { .. } => Agent::Refiner,
            Self::Judge { .. } => Agent::Judge,
            Self::AnalyzeStyle { .. } => Agent::StyleAnalyzer,
            Self::World { .. } => Agent::WorldBuilder,
            Self::Cast { .. } => Agent::CharacterWeaver,
            Self::Theme { .. }
            | Self::Storyline { .. }
            | Self::Schedule { .. }
            | Self::Outline { .. }
            | Self::Amend { .. }
            | Self::Fill { .. }
            | Self::ScenePlan { .. }
            | Self::Review { .. } => Agent::PlotArchitect,
        }
    }

    /// Which scene it is about, when it is about one.
    #[must_use]
    pub fn scene(&self) -> Option<SceneNo> {
        match self {
            Self::Scene { order, .. } => Some(order.place()),
            _ => None,
        }
    }
}
