//! The order for one scene of a chapter.

use crate::domain::chapter::scene::{SceneNo, ScenePlan};
use std::ops::RangeInclusive;

/// A scene that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneOrder {
    /// The scenes of the chapter.
    pub plan: ScenePlan,
    /// Which of them, from 1.
    pub number: u32,
    /// The prose before it; empty before the first.
    pub so_far: String,
    /// The fewest and the most words that it should have.
    pub words: RangeInclusive<u32>,
}

impl SceneOrder {
    /// Which scene of how many.
    #[must_use]
    pub fn place(&self) -> SceneNo {
        SceneNo { number: self.number, of: self.plan.count() }
    }

    /// The goal of the scene; empty where the plan names none.
    #[must_use]
    pub fn goal(&self) -> &str {
        self.plan.scene(self.number).map_or("", |scene| scene.goal.as_str())
    }
}
