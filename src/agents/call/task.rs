//! The tasks of agents: the one seam between the pipeline and a model or the offline writer.

use crate::agents::planners::context::{CastRequest, PlanningContext, VolumeOrder};
use crate::agents::prelude::*;
use crate::domain::chapter::evaluation::{Check, Fix};
use crate::domain::chapter::summary::CrossReference;
use crate::domain::chapter::{SceneNo, ScenePlan};
use crate::domain::volume::outline::{Gaps, Section};
use crate::domain::volume::plan::{Flaw, Plan};
use crate::domain::world::style::StyleSource;
use std::ops::RangeInclusive;

/// Which judge of a chapter is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opinion {
    /// The judge of every chapter.
    First,
    /// The second judge of a key chapter, without the first one's report.
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
        /// Why and how an accepted chapter is written again; empty for a new one.
        reasons: &'a [String],
    },
    /// Write the chapter's next scene.
    Scene {
        context: &'a ChapterContext,
        /// The scene, and the text before it.
        order: &'a SceneOrder,
    },
    /// Revise the chapter where the judge found fault, keeping what is good.
    Revise {
        context: &'a ChapterContext,
        text: &'a Chapter,
        fixes: &'a [Fix],
        violations: &'a [Check],
        /// The number of the revision, from 1.
        round: u32,
    },
    /// Write the chapter again from the outline, without the old text.
    Rewrite { context: &'a ChapterContext, issues: &'a [String] },
    /// Summarise the chapter and extract what it changes.
    Summarize {
        context: &'a ChapterContext,
        text: &'a Chapter,
        /// The writer's remarks on changes, for comparison only; they never reach the state.
        hints: &'a str,
    },
    /// Tell what happens in a chapter that is written already, as a summary and as a section of an outline.
    Retell {
        text: &'a Chapter,
        /// The summary of the chapter before; may be empty.
        before: &'a str,
    },
    /// Remove machine-made traces from the prose by a list of small edits.
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
        /// Mentions of other storylines, by the summarizer.
        cross_references: &'a [CrossReference],
        /// Measured facts: length, phrase hits, repetition.
        measured: &'a [String],
        opinion: Opinion,
    },
    /// Draw directives from samples of the author's prose.
    AnalyzeStyle {
        /// Samples cut to size.
        samples: &'a [String],
        /// Measurements, one a line.
        measured: &'a [String],
        source: StyleSource,
        /// The imitated author, when the samples are not the user's own.
        name: Option<&'a str>,
    },
    /// Build the world, or extend it.
    World {
        context: &'a PlanningContext,
        /// The author's request; empty for a new book.
        request: &'a str,
    },
    /// Define the subject of the book.
    Theme { context: &'a PlanningContext },
    /// Make or change characters.
    Cast {
        context: &'a PlanningContext,
        /// The characters to create or change.
        request: &'a CastRequest,
    },
    /// Add a storyline.
    Storyline { context: &'a PlanningContext, wish: &'a str },
    /// Schedule a volume: storylines, crossovers, foreshadowings.
    Schedule {
        context: &'a PlanningContext,
        order: &'a VolumeOrder,
        /// The volume's written chapters.
        kept: &'a [Section],
        flaws: &'a [Flaw],
    },
    /// Outline chapters of a scheduled volume.
    Outline {
        context: &'a PlanningContext,
        order: &'a VolumeOrder,
        plan: &'a Plan,
        /// First and last chapter to outline now.
        chapters: (u32, u32),
        flaws: &'a [Flaw],
    },
    /// Fill in the fields that the author's outline leaves open.
    Fill {
        context: &'a PlanningContext,
        order: &'a VolumeOrder,
        /// The author's outline, and the rest of the plan so far.
        plan: &'a Plan,
        /// The missing fields of each chapter.
        gaps: &'a Gaps,
    },
    /// Review a volume, and advise how the book should go on.
    Review {
        context: &'a PlanningContext,
        volume: VolumeNo,
        /// Counted figures, one a line.
        figures: &'a [String],
    },
    /// Write the texts by which readers choose the book.
    Blurb {
        context: &'a PlanningContext,
        /// The text of the first chapter.
        opening: &'a str,
    },
    /// Write some chapters' sections again after changes of their dependencies.
    Amend {
        context: &'a PlanningContext,
        plan: &'a Plan,
        chapters: &'a [ChapterNo],
        /// The changes in words for a model.
        changes: &'a [String],
        flaws: &'a [Flaw],
    },
}

impl Task<'_> {
    pub fn agent(&self) -> Agent {
        match self {
            Self::Draft { .. } | Self::Scene { .. } | Self::Revise { .. } | Self::Rewrite { .. } => Agent::Writer,
            Self::Summarize { .. } | Self::Retell { .. } => Agent::Summarizer,
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
            | Self::Blurb { .. }
            | Self::Review { .. } => Agent::PlotArchitect,
        }
    }

    pub fn scene(&self) -> Option<SceneNo> {
        match self {
            Self::Scene { order, .. } => Some(order.place()),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneOrder {
    pub plan: ScenePlan,
    /// The number of the scene, from 1.
    pub number: u32,
    /// The prose before the scene.
    pub so_far: String,
    /// The fewest and the most words wanted.
    pub words: RangeInclusive<u32>,
}

impl SceneOrder {
    pub fn place(&self) -> SceneNo {
        SceneNo { number: self.number, of: self.plan.count() }
    }

    /// The goal of the scene; may be empty.
    pub fn goal(&self) -> &str {
        self.plan.scene(self.number).map_or("", |scene| scene.goal.as_str())
    }
}
