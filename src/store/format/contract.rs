//! `volumes/vol-01/chapter-contracts/chapter-001.json`: a chapter's contract (L3; product document §6.5.4 and §6.6.3).
//! Conditions before and after the chapter are facts in the outline's words (`facts`), beside the parts with an
//! attribute: `character_states` and `state_changes` by character, `foreshadowing_updates` by id, and the required
//! world rules. The first format had plain lists of facts instead, and a map only where there were rules; it is read,
//! and so are maps of an author's own, whose leaves become facts.

use crate::domain::notation::{or_default, plain};
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::read_action;
use crate::domain::world::contract::{ChapterContract, LineContext, Objective, States, Transition};
use crate::store::format::json::{self, Disk};
use crate::store::format::renumber::renumbered;
use crate::store::format::{FormatError, VERSION, text};
use crate::store::prelude::*;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

#[derive(Serialize, Deserialize)]
struct ContractDisk {
    chapter: ChapterNo,
    storyline_id: Option<Slug>,
    #[serde(default, deserialize_with = "or_default")]
    characters: Vec<Slug>,
    #[serde(default)]
    preconditions: BeforeDisk,
    #[serde(default)]
    objectives: Vec<ObjectiveDisk>,
    #[serde(default)]
    postconditions: AfterDisk,
    #[serde(default, deserialize_with = "or_default")]
    acceptance_criteria: Vec<String>,
    storyline_context: Option<ContextDisk>,
    transition_hint: Option<Transition>,
}

/// The position of the line, and the other lines.
#[derive(Serialize, Deserialize)]
struct ContextDisk {
    last_chapter_on_this_line: Option<ChapterNo>,
    #[serde(default, deserialize_with = "or_default")]
    last_chapter_summary: String,
    chapters_since_last: Option<u32>,
    /// `40%`.
    #[serde(default, deserialize_with = "or_default")]
    line_arc_progress: String,
    #[serde(default, deserialize_with = "or_default")]
    concurrent_state: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
struct ObjectiveDisk {
    id: String,
    #[serde(rename = "type", default)]
    kind: String,
    /// An objective without this word is a wish.
    #[serde(default)]
    required: bool,
    /// `plant`, `advance` or `resolve`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    action: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    description: String,
}

impl Disk for ContractDisk {
    const NEWEST: u32 = VERSION;
}

const RULES: &str = "required_world_rules";
const FACTS: &str = "facts";
const UPDATES: &str = "foreshadowing_updates";
const CHARACTER_STATES: &str = "character_states";
const STATE_CHANGES: &str = "state_changes";

/// Conditions before the chapter.
#[derive(Default, PartialEq, Serialize)]
struct BeforeDisk {
    facts: Vec<String>,
    character_states: States,
    required_world_rules: Vec<String>,
}

/// Conditions after the chapter.
#[derive(Default, PartialEq, Serialize)]
struct AfterDisk {
    facts: Vec<String>,
    state_changes: States,
    foreshadowing_updates: BTreeMap<String, String>,
}

impl<'de> Deserialize<'de> for BeforeDisk {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Conditions { facts, states, rules, .. } = Conditions::of(Value::deserialize(from)?, CHARACTER_STATES);
        // The first format's lists have rules among the facts.
        let (named, facts): (Vec<String>, Vec<String>) = facts.into_iter().partition(|fact| is_rule(fact));
        let rules = rules.into_iter().chain(named).collect();
        Ok(Self { facts, character_states: states, required_world_rules: rules })
    }
}

impl<'de> Deserialize<'de> for AfterDisk {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Conditions { facts, states, updates, .. } = Conditions::of(Value::deserialize(from)?, STATE_CHANGES);
        let updates = updates.into_iter().map(|(id, action)| (id.to_string(), action.to_string())).collect();
        Ok(Self { facts, state_changes: states, foreshadowing_updates: updates })
    }
}

/// True when a fact is only a world rule's id: `W-001`.
fn is_rule(fact: &str) -> bool {
    let digits = fact.strip_prefix("W-").unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Conditions in any notation.
#[derive(Default)]
struct Conditions {
    facts: Vec<String>,
    states: States,
    rules: Vec<String>,
    updates: BTreeMap<Slug, Action>,
}

impl Conditions {
    /// Parses a list of sentences, or a map whose group `states_in` has attributes by character. Rules and updates are
    /// kept apart; everything else becomes facts: `谁：什么 = 值`.
    fn of(value: Value, states_in: &str) -> Self {
        let mut all = Self::default();
        let Value::Object(groups) = value else {
            collect("", &value, &mut all.facts);
            return all;
        };
        for (group, content) in groups {
            match content {
                content if group == RULES => collect("", &content, &mut all.rules),
                Value::Object(subjects) if group == states_in => all.take_states(subjects),
                Value::Object(ids) if group == UPDATES => all.take_updates(ids),
                // The names of the groups add nothing to the facts.
                Value::Object(subjects) => {
                    subjects.iter().for_each(|(who, what)| collect(who, what, &mut all.facts));
                }
                other => collect(&group, &other, &mut all.facts),
            }
        }
        all
    }

    fn take_states(&mut self, subjects: Map<String, Value>) {
        for (who, what) in subjects {
            match what {
                Value::Object(attributes) => {
                    let attributes = attributes.iter().map(|(name, value)| (name.clone(), plain(value)));
                    self.states.insert(who, attributes.collect());
                }
                other => collect(&who, &other, &mut self.facts),
            }
        }
    }

    fn take_updates(&mut self, ids: Map<String, Value>) {
        for (id, action) in ids {
            let read = action.as_str().and_then(read_action).map(|(action, _)| action);
            match (Slug::new(&id), read) {
                (Ok(id), Some(action)) => {
                    self.updates.insert(id, action);
                }
                _ => collect(&id, &action, &mut self.facts),
            }
        }
    }
}

fn collect(subject: &str, value: &Value, facts: &mut Vec<String>) {
    match value {
        Value::Null => {}
        Value::Array(list) => list.iter().for_each(|entry| collect(subject, entry, facts)),
        Value::Object(map) => {
            let parts: Vec<String> = map.iter().map(|(key, value)| format!("{key} = {}", plain(value))).collect();
            facts.push(if subject.is_empty() {
                parts.join("，")
            } else {
                format!("{subject}：{}", parts.join("，"))
            });
        }
        // A rule's id or a whole sentence stands for itself.
        Value::String(sentence) if matches!(subject, "" | FACTS | RULES) => facts.push(sentence.clone()),
        other => facts.push(format!("{subject}：{}", plain(other))),
    }
}

const fn verb(action: Action) -> &'static str {
    match action {
        Action::Planted => "plant",
        Action::Advanced => "advance",
        Action::Resolved => "resolve",
    }
}

/// The contract in the file of that chapter. A file that an author has moved from another chapter has that one's number inside.
pub fn read_of(chapter: ChapterNo, storyline: &Slug, bytes: &[u8]) -> Result<ChapterContract, FormatError> {
    let contract = read(storyline, bytes)?;
    if contract.chapter == chapter {
        return Ok(contract);
    }
    let how = Renumbering::Move { from: contract.chapter, to: chapter };
    read(storyline, &renumbered(&BookPath::Contract(VolumeNo::FIRST, chapter), bytes, how))
}

/// `storyline` is that of the chapter's outline section, for a contract that names none.
pub fn read(storyline: &Slug, bytes: &[u8]) -> Result<ChapterContract, FormatError> {
    let disk: ContractDisk = json::read(bytes)?;
    let objective = |objective: ObjectiveDisk| {
        let action = objective.action.as_deref().and_then(read_action).map(|(action, _)| action);
        let target = objective.target.as_deref().and_then(|id| Slug::new(id).ok());
        Objective {
            id: objective.id,
            kind: objective.kind,
            required: objective.required,
            description: objective.description,
            task: action.zip(target),
        }
    };
    let by_id = |(id, words): (String, String)| Some((Slug::new(&id).ok()?, words));
    let updates = disk.postconditions.foreshadowing_updates.into_iter().filter_map(by_id);
    Ok(ChapterContract {
        chapter: disk.chapter,
        storyline: disk.storyline_id.unwrap_or_else(|| storyline.clone()),
        preconditions: disk.preconditions.facts,
        character_states: disk.preconditions.character_states,
        rules: disk.preconditions.required_world_rules,
        objectives: disk.objectives.into_iter().map(objective).collect(),
        postconditions: disk.postconditions.facts,
        state_changes: disk.postconditions.state_changes,
        foreshadowing: updates.filter_map(|(id, action)| Some((id, read_action(&action)?.0))).collect(),
        acceptance: disk.acceptance_criteria,
        characters: disk.characters,
        context: disk.storyline_context.map(|context| LineContext {
            last: context.last_chapter_on_this_line,
            progress: context.line_arc_progress.trim().trim_end_matches('%').parse().ok().filter(|share| *share <= 100),
            last_summary: context.last_chapter_summary,
            concurrent: context.concurrent_state.into_iter().filter_map(by_id).collect(),
        }),
        transition: disk.transition_hint,
    })
}

pub fn named_storyline(bytes: &[u8]) -> Option<Slug> {
    let document = json::value(&text(bytes).ok()?).ok()?;
    document.get("storyline_id")?.as_str()?.parse().ok()
}

pub fn write(contract: &ChapterContract, previous: Option<&[u8]>) -> Vec<u8> {
    let objective = |objective: &Objective| ObjectiveDisk {
        id: objective.id.clone(),
        kind: objective.kind.clone(),
        required: objective.required,
        action: objective.task.as_ref().map(|(action, _)| verb(*action).to_owned()),
        target: objective.task.as_ref().map(|(_, id)| id.to_string()),
        description: objective.description.clone(),
    };
    let context = |context: &LineContext| ContextDisk {
        last_chapter_on_this_line: context.last,
        last_chapter_summary: context.last_summary.clone(),
        chapters_since_last: context.away(contract.chapter).map(|away| away + 1),
        line_arc_progress: context.progress.map_or_else(String::new, |share| format!("{share}%")),
        concurrent_state: context.concurrent.iter().map(|(line, words)| (line.to_string(), words.clone())).collect(),
    };
    let updates = contract.foreshadowing.iter().map(|(id, action)| (id.to_string(), action.to_string()));
    let disk = ContractDisk {
        chapter: contract.chapter,
        storyline_id: Some(contract.storyline.clone()),
        characters: contract.characters.clone(),
        preconditions: BeforeDisk {
            facts: contract.preconditions.clone(),
            character_states: contract.character_states.clone(),
            required_world_rules: contract.rules.clone(),
        },
        objectives: contract.objectives.iter().map(objective).collect(),
        postconditions: AfterDisk {
            facts: contract.postconditions.clone(),
            state_changes: contract.state_changes.clone(),
            foreshadowing_updates: updates.collect(),
        },
        acceptance_criteria: contract.acceptance.clone(),
        storyline_context: contract.context.as_ref().map(context),
        transition_hint: contract.transition.clone(),
    };
    let previous = previous.map(|bytes| in_our_notation(bytes, &disk));
    json::write(&disk, previous.as_deref())
}

/// Removes conditions in other notations that are about to change, or that the first format has: an author's maps would
/// stay beside the new facts as unknown fields.
fn in_our_notation(bytes: &[u8], new: &ContractDisk) -> Vec<u8> {
    let rewritten = || {
        let mut document = json::value(&text(bytes).ok()?).ok()?;
        let older = json::is_older(&document, ContractDisk::NEWEST);
        let old: ContractDisk = serde_json::from_value(document.clone()).ok()?;
        let mut changed = false;
        let mut put = |name: &str, differs: bool, notation: Value| {
            if let Some(there) = document.get_mut(name).filter(|there| (differs || older) && **there != notation) {
                *there = notation;
                changed = true;
            }
        };
        put("preconditions", old.preconditions != new.preconditions, json!(old.preconditions));
        put("postconditions", old.postconditions != new.postconditions, json!(old.postconditions));
        changed.then(|| json::print(&document))
    };
    rewritten().unwrap_or_else(|| bytes.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples;
    use proptest::prelude::*;

    const BOTH: &str = r#"{
      "chapter": 26,
      "preconditions": {
        "character_states": {"沈渡": {"location": "渡口", "伤势": 3}},
        "required_world_rules": ["W-001", "W-002"]
      },
      "objectives": [{"id": "OBJ-026-1", "type": "foreshadowing", "action": "advance", "target": "mirror",
        "description": "镜中人先眨眼"}],
      "postconditions": {
        "state_changes": {"沈渡": {"location": "夜船"}},
        "foreshadowing_updates": {"mirror": "advanced"}
      },
      "acceptance_criteria": ["OBJ-026-1 写在正文里"],
      "storyline_context": {"chapters_since_last": 8, "concurrent_state": {"main-arc": "闭关"}},
      "transition_hint": {"next_storyline": "main-arc", "bridge": "汽笛"}
    }"#;

    #[test]
    fn the_maps_of_the_product_document_are_read_and_stay_in_the_file() {
        let line = Slug::new("tide-plan").unwrap();
        let mut contract = read(&line, BOTH.as_bytes()).unwrap();
        assert_eq!(contract.storyline, line);
        assert_eq!(contract.character_states["沈渡"]["location"], "渡口");
        assert_eq!(contract.character_states["沈渡"]["伤势"], "3");
        assert_eq!(
            (contract.preconditions.len(), &contract.rules[..]),
            (0, &["W-001".to_owned(), "W-002".to_owned()][..])
        );
        assert_eq!(contract.state_changes["沈渡"]["location"], "夜船");
        let mirror = Slug::new("mirror").unwrap();
        assert_eq!(contract.foreshadowing, BTreeMap::from([(mirror.clone(), Action::Advanced)]));
        assert_eq!(contract.objectives[0].task, Some((Action::Advanced, mirror)));
        assert!(!contract.objectives[0].required);
        let context = contract.context.clone().unwrap();
        assert_eq!(context.concurrent[&Slug::new("main-arc").unwrap()], "闭关");
        contract.postconditions = vec!["沈渡在夜船上".into()];
        let written = write(&contract, Some(BOTH.as_bytes()));
        let text = String::from_utf8(written.clone()).unwrap();
        for kept in ["\"伤势\": 3", "\"action\": \"advance\"", "concurrent_state", "\"mirror\": \"advanced\"", "夜船上"]
        {
            assert!(text.contains(kept), "{text}");
        }
        let other = ChapterContract { preconditions: vec!["沈渡在岸上".into()], ..contract.clone() };
        let written_anew = write(&other, Some(BOTH.as_bytes()));
        assert_eq!(read(&line, &written_anew).unwrap(), other);
        assert!(String::from_utf8(written_anew).unwrap().contains("concurrent_state"));
        assert_eq!(read(&line, &written).unwrap(), contract);
        assert_eq!(named_storyline(&written), Some(line));
    }

    #[test]
    fn the_first_format_is_read_and_rewritten_in_the_second() {
        let line = Slug::new("main-arc").unwrap();
        let list = r#"{"schema_version": 1, "chapter": 3, "preconditions": ["沈渡到了", "W-003"], "mine": [1.5],
            "objectives": [{"id": "OBJ-003-1", "type": "foreshadowing", "required": true, "description": "推进 lamp：亮了", "note": "轻"}],
            "postconditions": ["灯灭了"], "transition_hint": null}"#;
        let map =
            list.replace(r#"["沈渡到了", "W-003"]"#, r#"{"facts": ["沈渡到了"], "required_world_rules": ["W-003"]}"#);
        for old in [list, &map] {
            let read_old = read(&line, old.as_bytes()).unwrap();
            assert_eq!(
                (&read_old.preconditions[..], &read_old.rules[..]),
                (&["沈渡到了".to_owned()][..], &["W-003".to_owned()][..])
            );
            let upgraded = read_old.upgraded();
            let written = write(&upgraded, Some(old.as_bytes()));
            let text = String::from_utf8(written.clone()).unwrap();
            for part in [
                "\"schema_version\": 2",
                "\"facts\"",
                "\"lamp\": \"advanced\"",
                "\"target\": \"lamp\"",
                "1.5",
                "\"note\": \"轻\"",
            ] {
                assert!(text.contains(part), "{part}: {text}");
            }
            assert_eq!(read(&line, &written).unwrap(), upgraded);
            assert_eq!(write(&upgraded, Some(&written)), written);
        }
    }

    proptest! {
        #[test]
        fn any_contract_survives(contract in samples::contract()) {
            let other = Slug::new("other").unwrap();
            samples::survives(&contract, |bytes| read(&other, bytes), write, &["preconditions", "postconditions", "concurrent_state"])?;
        }
    }
}
