//! `.draft/scenes.json`, only on the draft of a chapter: the scenes of the chapter.

use super::FormatError;
use super::json::{self, Disk};
use crate::domain::chapter::scene::{Scene, ScenePlan};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct ScenesDisk {
    #[serde(default)]
    scenes: Vec<SceneDisk>,
}

#[derive(Serialize, Deserialize)]
struct SceneDisk {
    #[serde(default)]
    goal: String,
    #[serde(default)]
    place: String,
    #[serde(default)]
    people: Vec<String>,
    #[serde(default)]
    conflict: String,
    #[serde(default)]
    turn: String,
    /// Hundredths of the chapter's words.
    #[serde(default)]
    share: u32,
}

impl Disk for ScenesDisk {}

/// Missing fields of a scene are empty.
pub fn read(bytes: &[u8]) -> Result<ScenePlan, FormatError> {
    let disk: ScenesDisk = json::read(bytes)?;
    let scene = |scene: SceneDisk| Scene {
        goal: scene.goal,
        place: scene.place,
        people: scene.people,
        conflict: scene.conflict,
        turn: scene.turn,
        share: scene.share,
    };
    Ok(ScenePlan { scenes: disk.scenes.into_iter().map(scene).collect() })
}

#[must_use]
pub fn write(plan: &ScenePlan, previous: Option<&[u8]>) -> Vec<u8> {
    let disk = |scene: &Scene| SceneDisk {
        goal: scene.goal.clone(),
        place: scene.place.clone(),
        people: scene.people.clone(),
        conflict: scene.conflict.clone(),
        turn: scene.turn.clone(),
        share: scene.share,
    };
    json::write(&ScenesDisk { scenes: plan.scenes.iter().map(disk).collect() }, previous)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples;
    use proptest::prelude::*;

    #[test]
    fn a_scene_may_say_little() {
        let plan = read(r#"{"scenes": [{"goal": "进城"}, {"share": 40}]}"#.as_bytes()).unwrap();
        assert_eq!((plan.scenes[0].goal.as_str(), plan.scenes[1].share), ("进城", 40));
        assert!(read(br#"{"scenes": [1]}"#).is_err());
    }

    proptest! {
        #[test]
        fn any_plan_survives(plan in samples::scene_plan()) {
            samples::survives(&plan, read, write, &[])?;
        }
    }
}
