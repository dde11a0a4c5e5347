//! The frozen texts for trials of a judge: excerpts of novels in the public domain, each a chapter of an invented book,
//! plain and with a flaw of each dimension. They are under `templates/judge/`, where SOURCES.md names their origins.

use super::context::HouseList;
use super::context::chapter::Recent;
use crate::agents::prelude::*;
use crate::domain::book::config::BookConfig;
use crate::domain::chapter::calibration::Reading;
use crate::domain::chapter::evaluation::Dimension;
use crate::domain::chapter::reader::ReaderLedger;
use crate::domain::chapter::waiver::Waivers;
use crate::domain::state::State;
use crate::domain::volume::foreshadowing::{Action, Foreshadowing, Ledger, Planned, Scope, Step};
use crate::domain::volume::outline::{MAIN_LINE, Outline};
use crate::domain::world::contract::{Rule, Strength};
use crate::domain::world::storyline::{Reach, Schedule, Status, Storyline, Storylines};
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
    let read = |(id, text): (&'static str, &str)| toml::from_str::<Form>(text).ok()?.specimen(id, config);
    SET.into_iter().map(|text| read(text).expect("the shipped texts are well-formed")).collect()
}

/// The bytes of the set, to tell results of another set apart.
pub fn set() -> Vec<(&'static str, &'static str)> {
    SET.to_vec()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    genre: String,
    title: String,
    brief: String,
    directives: Vec<String>,
    previous_ending: String,
    recent: String,
    outline: String,
    lines: Vec<LineForm>,
    rules: Vec<RuleForm>,
    ledger: Vec<ThreadForm>,
    state: Vec<FactsForm>,
    people: Vec<PersonForm>,
    text: TextForm,
    flaw: Vec<FlawForm>,
}

#[derive(Deserialize)]
struct LineForm {
    id: String,
    name: String,
    description: String,
}

#[derive(Deserialize)]
struct RuleForm {
    id: String,
    rule: String,
}

#[derive(Deserialize)]
struct ThreadForm {
    id: String,
    description: String,
    /// The chapter that planted the thread; missing for one that this chapter plants.
    planted: Option<u32>,
    #[serde(default)]
    detail: String,
}

#[derive(Deserialize)]
struct FactsForm {
    who: String,
    name: String,
    facts: Map<String, Value>,
}

#[derive(Deserialize)]
struct PersonForm {
    id: String,
    name: String,
    role: String,
    speech: String,
    profile: String,
}

#[derive(Deserialize)]
struct TextForm {
    body: String,
}

#[derive(Deserialize)]
struct FlawForm {
    dimension: String,
    edit: Vec<EditForm>,
}

#[derive(Deserialize)]
struct EditForm {
    from: String,
    to: String,
}

impl Form {
    fn specimen(self, id: &'static str, config: &BookConfig) -> Option<Specimen> {
        let context = self.context(config)?;
        let clean = Chapter { number: context.chapter, title: self.title, body: self.text.body };
        let mut flawed = BTreeMap::new();
        for flaw in self.flaw {
            let mut body = clean.body.clone();
            for EditForm { from, to } in flaw.edit {
                let (before, after) = body.split_once(&from).filter(|(_, after)| !after.contains(&from))?;
                body = format!("{before}{to}{after}");
            }
            flawed.insert(flaw.dimension.parse().ok()?, Chapter { body, ..clean.clone() });
        }
        Some(Specimen { id, context, clean, flawed })
    }

    fn context(&self, config: &BookConfig) -> Option<ChapterContext> {
        let main = Slug::new(MAIN_LINE).ok()?;
        let storylines = self.storylines()?;
        let resolve = |name: &str| storylines.called(name);
        let outline = Outline::parse_with(&self.outline, &resolve).ok()?;
        let [before, section, _] = outline.sections.as_slice() else { return None };
        let (before, section) = (before.clone(), section.clone());
        let (ledger, planned) = self.ledger(&main, section.chapter)?;
        let config = BookConfig {
            genre: self.genre.clone(),
            title: self.title.clone(),
            // The excerpts are short, which is no flaw.
            min_words: SHORTEST,
            max_words: LONGEST,
            ..config.clone()
        };
        let recent = Recent {
            chapter: before.chapter,
            title: before.title.clone(),
            storyline: main.clone(),
            summary: self.recent.clone(),
        };
        Some(ChapterContext {
            chapter: section.chapter,
            volume: VolumeNo::FIRST,
            config,
            brief: self.brief.clone(),
            style: StyleProfile {
                source: StyleSource::Original,
                writing_directives: self.directives.clone(),
                ..StyleProfile::unmeasured()
            },
            phrases: HouseList::default(),
            drift: Vec::new(),
            schedule: Schedule::of_running(VolumeNo::FIRST, &storylines),
            outline,
            section,
            storylines,
            is_scheduled: true,
            planned,
            memories: BTreeMap::new(),
            recent: vec![recent],
            chapter_memories: Vec::new(),
            reader: ReaderLedger::default(),
            passages: Vec::new(),
            pages: Vec::new(),
            samples: Vec::new(),
            relationships: Vec::new(),
            minor_cast: Vec::new(),
            line_before: Some(before.chapter),
            previous_ending: self.previous_ending.clone(),
            bridge: String::new(),
            overused: Vec::new(),
            worn: Vec::new(),
            voices: Vec::new(),
            state: self.state(before.chapter),
            ledger,
            characters: self.characters(&main)?,
            rules: self.rules.iter().map(rule).collect(),
            storyline_rules: Vec::new(),
            contract: None,
            waivers: Waivers::default(),
            editions: 0,
        })
    }

    fn storylines(&self) -> Option<Storylines> {
        let lines = self.lines.iter().map(|line| {
            Some(Storyline {
                id: Slug::new(&line.id).ok()?,
                name: line.name.clone(),
                kind: "main_arc".into(),
                reach: Reach::Novel,
                status: Status::Active,
                pov_characters: Vec::new(),
                factions: Vec::new(),
                timeline: "present".into(),
                description: line.description.clone(),
                introduced: Some(VolumeNo::FIRST),
            })
        });
        Some(Storylines { lines: lines.collect::<Option<_>>()?, relations: Vec::new() })
    }

    /// The threads planted before the chapter, and those that it is to plant.
    fn ledger(&self, main: &Slug, chapter: ChapterNo) -> Option<(Ledger, Vec<Planned>)> {
        let (mut ledger, mut planned) = (Ledger::default(), Vec::new());
        for thread in &self.ledger {
            let (id, description, storyline) = (Slug::new(&thread.id).ok()?, thread.description.clone(), main.clone());
            let (scope, target) = (Scope::Medium, None);
            match thread.planted.and_then(ChapterNo::new) {
                Some(at) => {
                    let step = Step { chapter: at, action: Action::Planted, detail: thread.detail.clone() };
                    let history = vec![step];
                    ledger.entries.push(Foreshadowing { id, description, scope, target, storyline, history });
                }
                None => {
                    let (plant, advance) = (Some(chapter), Vec::new());
                    planned.push(Planned { id, description, scope, storyline, plant, advance, target });
                }
            }
        }
        Some((ledger, planned))
    }

    fn state(&self, after: ChapterNo) -> State {
        let of = |facts: &FactsForm| {
            let mut of_one = facts.facts.clone();
            of_one.insert("display_name".into(), facts.name.clone().into());
            (facts.who.clone(), Value::Object(of_one))
        };
        let mut state = State { version: after.get(), last_updated_chapter: after.get(), ..State::default() };
        state.tree.insert(Category::Characters.as_str().into(), Value::Object(self.state.iter().map(of).collect()));
        state
    }

    fn characters(&self, main: &Slug) -> Option<Vec<Character>> {
        let characters = self.people.iter().map(|person| {
            Some(Character {
                id: Slug::new(&person.id).ok()?,
                display_name: person.name.clone(),
                aliases: Vec::new(),
                former_names: Vec::new(),
                role: person.role.clone(),
                storylines: vec![main.clone()],
                speech: person.speech.clone(),
                profile: person.profile.clone(),
                contracts: Vec::new(),
            })
        });
        characters.collect()
    }
}

const SHORTEST: u32 = 600;
const LONGEST: u32 = 1600;

fn rule(form: &RuleForm) -> Rule {
    Rule {
        id: form.id.clone(),
        category: "world".into(),
        rule: form.rule.clone(),
        strength: Strength::Hard,
        exceptions: Vec::new(),
        introduced_chapter: 0,
        last_verified: None,
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
