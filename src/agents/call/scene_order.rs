use crate::domain::chapter::scene::{SceneNo, ScenePlan};
use std::ops::RangeInclusive;

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
