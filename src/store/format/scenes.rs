//! `.draft/scenes.json`, only on the draft of a chapter: the scenes of the chapter.

use super::FormatError;
use super::json::{self, Disk};
use crate::domain::chapter::scene::ScenePlan;

impl Disk for ScenePlan {}

/// Missing fields of a scene are empty.
pub fn read(bytes: &[u8]) -> Result<ScenePlan, FormatError> {
    json::read(bytes)
}

pub fn write(plan: &ScenePlan, previous: Option<&[u8]>) -> Vec<u8> {
    json::write(plan, previous)
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
