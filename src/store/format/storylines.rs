//! `storylines/storylines.json` and `volumes/vol-01/storyline-schedule.json` (product document §6.6.1 and §6.6.2).

use super::json::{self, Disk};
use super::{FormatError, as_text, version};
use crate::domain::world::storyline::{
    Convergence, Interleaving, KINDS, Reach, Relation, Schedule, ScheduledLine, Status, Storyline, Storylines,
    VolumeRole,
};
use crate::domain::{Slug, VolumeNo};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct StorylinesDisk {
    storylines: Vec<LineDisk>,
    #[serde(default)]
    relationships: Vec<RelationDisk>,
    /// The types for an author to choose from, with the author's own.
    #[serde(default)]
    storyline_types: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct LineDisk {
    #[serde(with = "as_text")]
    id: Slug,
    name: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(with = "as_text")]
    scope: Reach,
    #[serde(with = "as_text")]
    status: Status,
    #[serde(default)]
    pov_characters: Vec<String>,
    #[serde(default)]
    affiliated_factions: Vec<String>,
    #[serde(default)]
    timeline: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    introduced_volume: Option<u32>,
    #[serde(default)]
    description: String,
}

#[derive(Serialize, Deserialize)]
struct RelationDisk {
    #[serde(with = "as_text")]
    from: Slug,
    #[serde(with = "as_text")]
    to: Slug,
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    bridges: BridgesDisk,
    #[serde(default)]
    convergence_condition: String,
    #[serde(default)]
    narrative_function: String,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct BridgesDisk {
    shared_characters: Vec<String>,
    shared_foreshadowing: Vec<String>,
    shared_events: Vec<String>,
}

impl Disk for StorylinesDisk {
    const NEWEST: u32 = version::VERSION;
}

pub fn read(bytes: &[u8]) -> Result<Storylines, FormatError> {
    let disk: StorylinesDisk = json::read(bytes)?;
    let line = |line: LineDisk| Storyline {
        id: line.id,
        name: line.name,
        kind: line.kind,
        reach: line.scope,
        status: line.status,
        pov_characters: line.pov_characters,
        factions: line.affiliated_factions,
        timeline: line.timeline,
        description: line.description,
        introduced: line.introduced_volume.and_then(VolumeNo::new),
    };
    let relation = |relation: RelationDisk| Relation {
        from: relation.from,
        to: relation.to,
        kind: relation.kind,
        shared_characters: relation.bridges.shared_characters,
        shared_foreshadowing: relation.bridges.shared_foreshadowing,
        shared_events: relation.bridges.shared_events,
        convergence: relation.convergence_condition,
        function: relation.narrative_function,
    };
    Ok(Storylines {
        lines: disk.storylines.into_iter().map(line).collect(),
        relations: disk.relationships.into_iter().map(relation).collect(),
    })
}

#[must_use]
pub fn write(storylines: &Storylines, previous: Option<&[u8]>) -> Vec<u8> {
    let line = |line: &Storyline| LineDisk {
        id: line.id.clone(),
        name: line.name.clone(),
        kind: line.kind.clone(),
        scope: line.reach,
        status: line.status,
        pov_characters: line.pov_characters.clone(),
        affiliated_factions: line.factions.clone(),
        timeline: line.timeline.clone(),
        introduced_volume: line.introduced.map(VolumeNo::get),
        description: line.description.clone(),
    };
    let relation = |relation: &Relation| RelationDisk {
        from: relation.from.clone(),
        to: relation.to.clone(),
        kind: relation.kind.clone(),
        bridges: BridgesDisk {
            shared_characters: relation.shared_characters.clone(),
            shared_foreshadowing: relation.shared_foreshadowing.clone(),
            shared_events: relation.shared_events.clone(),
        },
        convergence_condition: relation.convergence.clone(),
        narrative_function: relation.function.clone(),
    };
    let before = previous.and_then(|bytes| json::read::<StorylinesDisk>(bytes).ok());
    let mut types = before.map(|before| before.storyline_types).filter(|types| !types.is_empty());
    let types = types.get_or_insert_with(|| KINDS.map(str::to_owned).to_vec());
    let own = storylines.lines.iter().map(|line| &line.kind).filter(|kind| !kind.is_empty());
    own.for_each(|kind| {
        if !types.contains(kind) {
            types.push(kind.clone());
        }
    });
    let disk = StorylinesDisk {
        storylines: storylines.lines.iter().map(line).collect(),
        relationships: storylines.relations.iter().map(relation).collect(),
        storyline_types: std::mem::take(types),
    };
    json::write(&disk, previous)
}

#[derive(Serialize, Deserialize)]
struct ScheduleDisk {
    #[serde(with = "as_text::volume")]
    volume: VolumeNo,
    #[serde(default)]
    volume_theme: String,
    active_storylines: Vec<ScheduledDisk>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    interleaving_pattern: Option<InterleavingDisk>,
    #[serde(default)]
    convergence_events: Vec<ConvergenceDisk>,
    #[serde(default, with = "as_text::list")]
    dormant_storylines: Vec<Slug>,
    #[serde(default, with = "as_text::list")]
    newly_activated: Vec<Slug>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    closing: bool,
}

#[derive(Serialize, Deserialize)]
struct ScheduledDisk {
    #[serde(with = "as_text")]
    storyline_id: Slug,
    #[serde(with = "as_text")]
    volume_role: VolumeRole,
    #[serde(default)]
    target_chapters: u32,
    #[serde(default)]
    arc_goal: String,
}

#[derive(Serialize, Deserialize)]
struct InterleavingDisk {
    #[serde(default)]
    strategy: String,
    #[serde(default)]
    primary_max_consecutive: Option<u32>,
    /// `every_8_chapters` in the product document; a plain number is read too.
    #[serde(default, with = "every")]
    secondary_min_appearance: Option<u32>,
    #[serde(default)]
    seasoning_placement: String,
}

/// `every_8_chapters`.
mod every {
    use crate::store::format::BadText;
    use crate::store::format::syntax::bad_text;
    use serde::{Deserialize, Deserializer, Serializer};
    use serde_json::Value;

    pub(super) fn serialize<S: Serializer>(value: &Option<u32>, to: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(chapters) => to.serialize_str(&format!("every_{chapters}_chapters")),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
        let value = Option::<Value>::deserialize(from)?;
        let words = match value {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::String(words)) => words,
            Some(other) => return Err(bad_text(&BadText::Interval(other.to_string()))),
        };
        let digits: String = words.chars().filter(char::is_ascii_digit).collect();
        digits.parse().map(Some).map_err(|_| bad_text(&BadText::Interval(words)))
    }
}

#[derive(Serialize, Deserialize)]
struct ConvergenceDisk {
    chapter_range: (u32, u32),
    #[serde(with = "as_text::list")]
    involved_storylines: Vec<Slug>,
    #[serde(default)]
    trigger: String,
    #[serde(default)]
    aftermath: String,
}

impl Disk for ScheduleDisk {
    const NEWEST: u32 = version::VERSION;
}

pub fn read_schedule(bytes: &[u8]) -> Result<Schedule, FormatError> {
    let disk: ScheduleDisk = json::read(bytes)?;
    let active = |line: ScheduledDisk| ScheduledLine {
        storyline: line.storyline_id,
        role: line.volume_role,
        target_chapters: line.target_chapters,
        goal: line.arc_goal,
    };
    let convergence = |event: ConvergenceDisk| Convergence {
        chapters: event.chapter_range,
        lines: event.involved_storylines,
        trigger: event.trigger,
        aftermath: event.aftermath,
    };
    let interleaving = |rhythm: InterleavingDisk| Interleaving {
        strategy: rhythm.strategy,
        primary_max_consecutive: rhythm.primary_max_consecutive,
        secondary_every: rhythm.secondary_min_appearance,
        seasoning: rhythm.seasoning_placement,
    };
    Ok(Schedule {
        volume: disk.volume,
        theme: disk.volume_theme,
        active: disk.active_storylines.into_iter().map(active).collect(),
        interleaving: disk.interleaving_pattern.map(interleaving),
        convergences: disk.convergence_events.into_iter().map(convergence).collect(),
        dormant: disk.dormant_storylines,
        newly_activated: disk.newly_activated,
        closing: disk.closing,
    })
}

#[must_use]
pub fn write_schedule(schedule: &Schedule, previous: Option<&[u8]>) -> Vec<u8> {
    let active = |line: &ScheduledLine| ScheduledDisk {
        storyline_id: line.storyline.clone(),
        volume_role: line.role,
        target_chapters: line.target_chapters,
        arc_goal: line.goal.clone(),
    };
    let convergence = |event: &Convergence| ConvergenceDisk {
        chapter_range: event.chapters,
        involved_storylines: event.lines.clone(),
        trigger: event.trigger.clone(),
        aftermath: event.aftermath.clone(),
    };
    let interleaving = |rhythm: &Interleaving| InterleavingDisk {
        strategy: rhythm.strategy.clone(),
        primary_max_consecutive: rhythm.primary_max_consecutive,
        secondary_min_appearance: rhythm.secondary_every,
        seasoning_placement: rhythm.seasoning.clone(),
    };
    let disk = ScheduleDisk {
        volume: schedule.volume,
        volume_theme: schedule.theme.clone(),
        active_storylines: schedule.active.iter().map(active).collect(),
        interleaving_pattern: schedule.interleaving.as_ref().map(interleaving),
        convergence_events: schedule.convergences.iter().map(convergence).collect(),
        dormant_storylines: schedule.dormant.clone(),
        newly_activated: schedule.newly_activated.clone(),
        closing: schedule.closing,
    };
    json::write(&disk, previous)
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
        let mut schedule = read_schedule(text.as_bytes()).unwrap();
        assert_eq!(schedule.convergences[0].lines[1].as_str(), "tide-plan");
        schedule.convergences[0].chapters = (26, 28);
        let written = String::from_utf8(write_schedule(&schedule, Some(text.as_bytes()))).unwrap();
        for kept in ["primary_dominant", "newly_activated", "参考第二卷"] {
            assert!(written.contains(kept), "{written}");
        }
        assert_eq!(schedule.newly_activated[0].as_str(), "tide-plan");
        let bad = text.replace("\"main-arc\",\n", "\"主线\",\n");
        assert_eq!(read_schedule(bad.as_bytes()).unwrap_err().at.line(), Some(1));
    }

    proptest! {
        #[test]
        fn any_storylines_survive(storylines in samples::storylines()) {
            samples::survives(&storylines, read, write, &[])?;
        }

        #[test]
        fn any_schedule_survives(schedule in samples::schedule()) {
            samples::survives(&schedule, read_schedule, write_schedule, &[])?;
        }
    }
}
