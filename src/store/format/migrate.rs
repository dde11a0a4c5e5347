//! Files of older formats, and their migration.

use crate::domain::volume::outline::MAIN_LINE;
use crate::domain::world::storyline::Schedule;
use crate::store::format::{contract, json, rules, storylines, text};
use crate::store::layout;
use crate::store::prelude::*;

pub use super::VERSION;

/// The first volume of each storyline.
pub type Introduced = BTreeMap<Slug, VolumeNo>;

fn is_versioned(place: &BookPath) -> bool {
    use BookPath::{Contract, Schedule, StorylineRules, Storylines, WorldRules};
    matches!(place, Contract(..) | Schedule(_) | Storylines | WorldRules | StorylineRules)
}

/// True when the file names an older version. A file without a version is as its author has written it.
pub fn is_older(path: &str, bytes: &[u8]) -> bool {
    let document = || json::value(&text(bytes).ok()?).ok();
    layout::classify(path).is_some_and(|place| is_versioned(&place))
        && document().is_some_and(|document| json::is_older(&document, VERSION))
}

/// The file in the present version; `None` for one that has it, that is unchanged, or that is unreadable. Empty fields
/// that follow from the plans (`introduced_volume`, `newly_activated`) are filled.
pub fn migrated(path: &str, bytes: &[u8], introduced: &Introduced) -> Option<Vec<u8>> {
    if !is_older(path, bytes) {
        return None;
    }
    let bytes = match layout::classify(path)? {
        BookPath::Contract(..) => {
            let line = contract::named_storyline(bytes).or_else(|| Slug::new(MAIN_LINE).ok())?;
            contract::write(&contract::read(&line, bytes).ok()?.upgraded(), Some(bytes))
        }
        BookPath::WorldRules => rules::write(&rules::read(bytes).ok()?, Some(bytes)),
        BookPath::StorylineRules => rules::write_spec(&rules::read(bytes).ok()?, Some(bytes)),
        BookPath::Storylines => {
            let mut read = storylines::read(bytes).ok()?;
            for line in &mut read.lines {
                line.introduced = line.introduced.or_else(|| introduced.get(&line.id).copied());
            }
            storylines::write(&read, Some(bytes))
        }
        BookPath::Schedule(volume) => {
            let mut schedule = json::read::<Schedule>(bytes).ok()?;
            let begins = |id: &&Slug| volume != VolumeNo::FIRST && introduced.get(*id) == Some(&volume);
            if schedule.newly_activated.is_empty() {
                let lines = schedule.active.iter().map(|line| &line.storyline);
                schedule.newly_activated = lines.filter(begins).cloned().collect();
            }
            json::write(&schedule, Some(bytes))
        }
        _ => return None,
    };
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn each_changed_format_is_brought_up_once_and_keeps_what_is_the_author_s() {
        let rule = r#"{"schema_version": 1, "mine": 1.0, "rules": [{"id": "W-001", "rule": "夜里不渡船", "constraint_type": "hard"}]}"#;
        let files = [
            (layout::WORLD_RULES, rule),
            (layout::STORYLINE_RULES, rule),
            (
                layout::STORYLINES,
                r#"{"schema_version": 1, "mine": 1.0, "storylines": [{"id": "tide", "name": "潮", "type": "secret",
                "scope": "novel", "status": "active"}]}"#,
            ),
            (
                "volumes/vol-02/storyline-schedule.json",
                r#"{"schema_version": 1, "mine": 1.0, "volume": 2, "active_storylines":
                [{"storyline_id": "tide", "volume_role": "primary"}]}"#,
            ),
            (
                "volumes/vol-02/chapter-contracts/chapter-011.json",
                r#"{"schema_version": 1, "mine": 1.0, "chapter": 11,
                "postconditions": ["灯灭了"]}"#,
            ),
        ];
        let introduced = Introduced::from([(Slug::new("tide").unwrap(), VolumeNo::new(2).unwrap())]);
        for (path, text) in files {
            let new = migrated(path, text.as_bytes(), &introduced).unwrap_or_else(|| panic!("{path}"));
            let document: Value = serde_json::from_slice(&new).unwrap();
            assert_eq!(
                (document["schema_version"].as_u64(), document["mine"].as_f64()),
                (Some(2), Some(1.0)),
                "{path}"
            );
            assert_eq!(migrated(path, &new, &introduced), None, "{path}");
            let unsaid = text.replace("\"schema_version\": 1, ", "");
            assert_eq!(migrated(path, unsaid.as_bytes(), &introduced), None, "{path}: as the author wrote it");
            assert_eq!(migrated(path, b"{\"schema_version\": 1", &introduced), None);
            match path {
                layout::STORYLINES => {
                    assert_eq!(document["storylines"][0]["introduced_volume"], 2);
                    assert!(document["storyline_types"].as_array().unwrap().contains(&"secret".into()), "{document}");
                }
                layout::WORLD_RULES => assert_eq!(document["rules"][0].get("last_verified"), Some(&Value::Null)),
                layout::STORYLINE_RULES => assert_eq!(document["rules"][0].get("last_verified"), None),
                _ if path.contains("schedule") => assert_eq!(document["newly_activated"][0], "tide"),
                _ => assert_eq!(document["postconditions"]["facts"][0], "灯灭了"),
            }
        }
        assert!(
            !is_older("brief.md", b"{\"schema_version\": 1}") && !is_older(layout::STATE, b"{\"schema_version\": 1}")
        );
    }
}
