//! A chapter in scenes: the plan, and the progress.

use crate::domain::prelude::*;
use std::ops::RangeInclusive;

/// The fewest scenes of a chapter written in scenes.
pub const FEWEST: usize = 2;
pub const MOST: usize = 6;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Scene {
    /// The purpose in the chapter.
    pub goal: String,
    /// Place and time.
    pub place: String,
    pub people: Vec<String>,
    pub conflict: String,
    /// The change by the end of the scene.
    pub turn: String,
    /// The share of the chapter's words in hundredths; 0 where the plan does not say.
    pub share: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ScenePlan {
    pub scenes: Vec<Scene>,
}

impl ScenePlan {
    pub fn count(&self) -> u32 {
        u32::try_from(self.scenes.len()).unwrap_or(u32::MAX)
    }

    pub fn scene(&self, number: u32) -> Option<&Scene> {
        self.scenes.get(number.checked_sub(1)? as usize)
    }

    /// The fewest and the most words of a scene, after `words` words of a chapter that should have as many as `wanted`:
    /// the rest is divided by shares, so that later scenes make up for a short one. No scene has to be more than twice
    /// as long as planned, or may be less than half.
    pub fn span(&self, number: u32, words: u32, wanted: &RangeInclusive<u32>) -> RangeInclusive<u32> {
        let shares = self.shares();
        let from = (number.saturating_sub(1) as usize).min(shares.len());
        let (own, left) = (shares.get(from).copied().unwrap_or(1), shares[from..].iter().sum::<u64>().max(1));
        let of = |total: u32| {
            let planned = (u64::from(total) * own / shares.iter().sum::<u64>().max(1)).max(1);
            let wanted = u64::from(total.saturating_sub(words)) * own / left;
            u32::try_from(wanted.clamp(planned.div_ceil(2), planned * 2)).unwrap_or(u32::MAX)
        };
        let fewest = of(*wanted.start());
        fewest..=of(*wanted.end()).max(fewest)
    }

    /// The weight of each scene; all are equal when a scene has none.
    fn shares(&self) -> Vec<u64> {
        let even = self.scenes.iter().any(|scene| scene.share == 0);
        self.scenes.iter().map(|scene| if even { 1 } else { u64::from(scene.share) }).collect()
    }
}

/// The progress of a chapter written in scenes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Scenes {
    pub written: u32,
    pub planned: u32,
}

impl Scenes {
    pub fn are_open(self) -> bool {
        self.written < self.planned
    }
}

/// The number of a scene and of all scenes: `2/4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SceneNo {
    pub number: u32,
    pub of: u32,
}

impl fmt::Display for SceneNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plan(shares: &[u32]) -> ScenePlan {
        ScenePlan { scenes: shares.iter().map(|&share| Scene { share, ..Scene::default() }).collect() }
    }

    #[test]
    fn what_is_left_is_divided_by_shares() {
        assert_eq!(plan(&[0, 0, 0, 0]).span(1, 0, &(2000..=3000)), 500..=750);
        let plan = plan(&[20, 30, 50]);
        assert_eq!(plan.span(1, 0, &(1000..=1500)), 200..=300);
        assert_eq!(plan.span(3, 500, &(1000..=1500)), 500..=1000);
        assert_eq!(plan.span(3, 300, &(1000..=1500)), 700..=1200, "short scenes are made up for");
        assert_eq!(plan.span(3, 2000, &(1000..=1500)), 250..=375, "and a scene is never crowded out");
        assert_eq!(plan.scene(0), None);
    }

    proptest! {
        #[test]
        fn scenes_of_the_wanted_length_make_a_chapter_of_the_wanted_length(
            shares in prop::collection::vec(0u32..60, 1..7),
            (least, more) in (200u32..5000, 0u32..2000),
            place in 0.0f64..=1.0,
        ) {
            let plan = plan(&shares);
            let mut words = 0;
            for number in 1..=plan.count() {
                let (fewest, most) = plan.span(number, words, &(least..=least + more)).into_inner();
                words += fewest + (f64::from(most - fewest) * place) as u32;
            }
            // Divisions round.
            let slack = 2 * plan.count();
            prop_assert!((least..=least + more + slack).contains(&(words + slack)), "{words}");
        }

        #[test]
        fn any_scene_of_any_plan_has_a_length(shares in prop::collection::vec(any::<u32>(), 0..7), number: u32, words: u32, least: u32, most: u32) {
            let (fewest, most) = plan(&shares).span(number, words, &(least..=most)).into_inner();
            prop_assert!(0 < fewest && fewest <= most);
        }
    }
}
