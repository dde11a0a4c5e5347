//! `storylines/storylines.json` and `volumes/vol-01/storyline-schedule.json` (product document §6.6.1 and §6.6.2).

use crate::domain::world::storyline::{KINDS, Relation, Schedule, Storyline, Storylines};
use crate::store::format::json::{self, Disk};
use crate::store::format::{FormatError, VERSION};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct StorylinesDisk {
    storylines: Vec<Storyline>,
    #[serde(default)]
    relationships: Vec<Relation>,
    /// The types for an author to choose from, with the author's own.
    #[serde(default)]
    storyline_types: Vec<String>,
}

impl Disk for StorylinesDisk {
    const NEWEST: u32 = VERSION;
}

pub fn read(bytes: &[u8]) -> Result<Storylines, FormatError> {
    let disk: StorylinesDisk = json::read(bytes)?;
    Ok(Storylines { lines: disk.storylines, relations: disk.relationships })
}

pub fn write(storylines: &Storylines, previous: Option<&[u8]>) -> Vec<u8> {
    let before = previous.and_then(|bytes| json::read::<StorylinesDisk>(bytes).ok());
    let types = before.map(|before| before.storyline_types).filter(|types| !types.is_empty());
    let mut types = types.unwrap_or_else(|| KINDS.map(str::to_owned).to_vec());
    for line in storylines.lines.iter().filter(|line| !line.kind.is_empty()) {
        if !types.contains(&line.kind) {
            types.push(line.kind.clone());
        }
    }
    let (lines, relations) = (storylines.lines.clone(), storylines.relations.clone());
    json::write(&StorylinesDisk { storylines: lines, relationships: relations, storyline_types: types }, previous)
}

impl Disk for Schedule {
    const NEWEST: u32 = VERSION;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples;
    use proptest::prelude::*;

    #[test]
    fn what_an_author_has_written_stays_in_the_file() {
        let text = r#"{"volume": 3, "volume_theme": "潮", "active_storylines": [{"storyline_id": "main-arc",
            "volume_role": "primary", "target_chapters": 20, "arc_goal": "渡河"}],
            "interleaving_pattern": {"strategy": "primary_dominant"},
            "convergence_events": [{"chapter_range": [25, 28], "involved_storylines": ["main-arc", "tide-plan"],
            "trigger": "一人之死", "aftermath": "余波", "note": "参考第二卷"}],
            "dormant_storylines": [], "newly_activated": ["tide-plan"]}"#;
        let mut schedule = json::read::<Schedule>(text.as_bytes()).unwrap();
        assert_eq!(schedule.convergences[0].lines[1].as_str(), "tide-plan");
        schedule.convergences[0].chapters = (26, 28);
        let written = String::from_utf8(json::write(&schedule, Some(text.as_bytes()))).unwrap();
        for kept in ["primary_dominant", "newly_activated", "参考第二卷"] {
            assert!(written.contains(kept), "{written}");
        }
        assert_eq!(schedule.newly_activated[0].as_str(), "tide-plan");
        let bad = text.replace("\"main-arc\",\n", "\"主线\",\n");
        assert_eq!(json::read::<Schedule>(bad.as_bytes()).unwrap_err().at.line(), Some(1));
    }

    proptest! {
        #[test]
        fn any_storylines_survive(storylines in samples::storylines()) {
            samples::survives(&storylines, read, write, &[])?;
        }

        #[test]
        fn any_schedule_survives(schedule in samples::schedule()) {
            samples::survives(&schedule, json::read, json::write, &[])?;
        }
    }
}
