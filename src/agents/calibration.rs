//! The frozen texts for trials of a judge: excerpts of novels in the public domain, each a chapter of an invented book,
//! plain and with a flaw of each dimension. They are under `templates/judge/`, where SOURCES.md names their origins.

use crate::agents::context::HouseList;
use crate::agents::context::chapter::Recent;
use crate::agents::prelude::*;
use crate::domain::chapter::Waivers;
use crate::domain::chapter::evaluation::{Dimension, Reading};
use crate::domain::chapter::summary::ReaderLedger;
use crate::domain::state::State;
use crate::domain::volume::foreshadowing::{Foreshadowing, Ledger, ThreadPlan};
use crate::domain::volume::outline::Outline;
use crate::domain::world::contract::Rule;
use crate::domain::world::storyline::{Schedule, Storyline, Storylines};
use crate::domain::world::style::{StyleProfile, StyleSource};
use serde_json::Map;

const SET: [(&str, &str); 2] = [
    ("night-mending", include_str!("../../templates/judge/night-mending.toml")),
    ("courtyard", include_str!("../../templates/judge/courtyard.toml")),
];

#[derive(Debug, Clone, PartialEq)]
pub struct Specimen {
    pub id: &'static str,
    /// The invented book around the text, for the judge.
    pub context: ChapterContext,
    clean: Chapter,
    flawed: BTreeMap<Dimension, Chapter>,
}

impl Specimen {
    /// The chapter of a reading; `None` for a flaw that the text lacks.
    pub fn chapter(&self, reading: Reading) -> Option<&Chapter> {
        match reading {
            Reading::Clean(_) => Some(&self.clean),
            Reading::Flawed(dimension) => self.flawed.get(&dimension),
        }
    }
}

/// Returns the texts, with the settings of the book whose judge is tried.
#[expect(clippy::expect_used, reason = "constants that a test reads")]
pub fn specimens(config: &BookConfig) -> Vec<Specimen> {
    let read = |(id, text): (&'static str, &str)| toml::from_str::<SpecimenFile>(text).ok()?.specimen(id, config);
    SET.into_iter().map(|text| read(text).expect("the shipped texts are well-formed")).collect()
}

/// The bytes of the set, to tell results of another set apart.
pub fn set() -> Vec<(&'static str, &'static str)> {
    SET.to_vec()
}

/// A text as its file has it, beside the parts of an invented book.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpecimenFile {
    genre: String,
    title: String,
    brief: String,
    directives: Vec<String>,
    previous_ending: String,
    recent: String,
    outline: String,
    lines: Vec<Storyline>,
    rules: Vec<Rule>,
    ledger: Vec<Foreshadowing>,
    planned: Vec<ThreadPlan>,
    /// By character.
    state: Map<String, Value>,
    people: Vec<Character>,
    body: String,
    flaws: Vec<PlantedFlaw>,
}

#[derive(Deserialize)]
struct PlantedFlaw {
    dimension: Dimension,
    edits: Vec<PlantedEdit>,
}

#[derive(Deserialize)]
struct PlantedEdit {
    from: String,
    to: String,
}

const SHORTEST: u32 = 600;
const LONGEST: u32 = 1600;

impl SpecimenFile {
    fn specimen(mut self, id: &'static str, config: &BookConfig) -> Option<Specimen> {
        let (body, flaws) = (std::mem::take(&mut self.body), std::mem::take(&mut self.flaws));
        let context = self.context(config)?;
        let clean = Chapter { number: context.chapter, title: context.section.title.clone(), body };
        let mut flawed = BTreeMap::new();
        for PlantedFlaw { dimension, edits } in flaws {
            let mut body = clean.body.clone();
            for PlantedEdit { from, to } in edits {
                let (before, after) = body.split_once(&from).filter(|(_, after)| !after.contains(&from))?;
                body = format!("{before}{to}{after}");
            }
            flawed.insert(dimension, Chapter { body, ..clean.clone() });
        }
        Some(Specimen { id, context, clean, flawed })
    }

    fn context(self, config: &BookConfig) -> Option<ChapterContext> {
        let storylines = Storylines { lines: self.lines, relations: Vec::new() };
        let outline = Outline::parse_with(&self.outline, &|name: &str| storylines.called(name)).ok()?;
        let [before, section, _] = outline.sections.as_slice() else { return None };
        let (before, section) = (before.clone(), section.clone());
        let (version, last_updated_chapter) = (before.chapter.get(), before.chapter.get());
        let mut state = State { version, last_updated_chapter, ..State::default() };
        state.tree.insert(Category::Characters.as_str().into(), Value::Object(self.state));
        let config = BookConfig {
            genre: self.genre,
            title: self.title,
            // The excerpts are short, which is no flaw.
            min_words: SHORTEST,
            max_words: LONGEST,
            ..config.clone()
        };
        let recent =
            Recent { chapter: before.chapter, title: before.title, storyline: before.storyline, summary: self.recent };
        Some(ChapterContext {
            chapter: section.chapter,
            volume: VolumeNo::FIRST,
            config,
            brief: self.brief,
            style: StyleProfile {
                source: StyleSource::Original,
                writing_directives: self.directives,
                ..StyleProfile::unmeasured()
            },
            phrases: HouseList::default(),
            drift: Vec::new(),
            schedule: Schedule::of_running(VolumeNo::FIRST, &storylines),
            outline,
            section,
            storylines,
            is_scheduled: true,
            planned: self.planned,
            memories: BTreeMap::new(),
            line_before: Some(recent.chapter),
            recent: vec![recent],
            chapter_memories: Vec::new(),
            reader: ReaderLedger::default(),
            passages: Vec::new(),
            pages: Vec::new(),
            samples: Vec::new(),
            relationships: Vec::new(),
            minor_cast: Vec::new(),
            previous_ending: self.previous_ending,
            bridge: String::new(),
            overused: Vec::new(),
            worn: Vec::new(),
            wishes: Vec::new(),
            voices: Vec::new(),
            state,
            ledger: Ledger { entries: self.ledger },
            characters: self.people,
            rules: self.rules,
            storyline_rules: Vec::new(),
            contract: None,
            waivers: Waivers::default(),
            editions: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{Opinion, Prompts, Task, prompt};
    use crate::text::{Count, Panel};

    fn set() -> Vec<Specimen> {
        specimens(&BookConfig::default())
    }

    #[test]
    fn every_text_has_a_flaw_of_each_dimension_and_otherwise_stays() {
        for specimen in set() {
            let clean = specimen.chapter(Reading::Clean(1)).unwrap();
            let words = Count::of_prose(&clean.body).words;
            assert!((SHORTEST as usize..=LONGEST as usize).contains(&words), "{} {words}", specimen.id);
            assert!(!specimen.context.is_key(), "one judge reads it");
            for dimension in Dimension::ALL {
                let flawed = specimen.chapter(Reading::Flawed(*dimension)).unwrap();
                assert_ne!(clean.body, flawed.body, "{} {dimension}", specimen.id);
            }
        }
    }

    #[test]
    fn the_flaw_of_style_is_the_one_that_can_be_measured() {
        for specimen in set() {
            let beats = |reading| Panel::of(&specimen.chapter(reading).unwrap().body).beats.value;
            assert!(beats(Reading::Clean(1)) < 2.0, "{}", specimen.id);
            assert!(beats(Reading::Flawed(Dimension::StyleNaturalness)) > 10.0, "{}", specimen.id);
        }
    }

    #[test]
    fn a_judge_is_shown_the_invented_book() {
        let set = set();
        let text = set[0].chapter(Reading::Clean(1)).unwrap();
        let task = Task::Judge {
            context: &set[0].context,
            text,
            cross_references: &[],
            measured: &[],
            opinion: Opinion::First,
        };
        let prompt = prompt(&task, &Prompts::default()).unwrap();
        let shown = prompt.full_text();
        for part in ["古言", "peacock_coat", "袭人", "W-001", "白描", "雀金裘", "晴雯的结局"] {
            assert!(shown.contains(part), "{part}");
        }
        assert_eq!(prompt.asked.len(), 4, "a rule, the conflict and two tasks: {:?}", prompt.asked);
        assert_eq!(prompt.breakdown.cuts, []);
    }
}
