//! `volumes/vol-01/chapter-contracts/chapter-001.json`: a chapter's contract (L3; product document §6.5.4 and §6.6.3).
//!
//! Conditions are lists of facts, one sentence each; a chapter that hangs on world rules has a map with the list under
//! `facts` and the rules' ids under `required_world_rules`. The other maps of the product document (`character_states`,
//! `state_changes`, `foreshadowing_updates`) are read as such facts and stay as they are in the file until the conditions
//! change.

use super::as_text::{self, or_default};
use super::json::{self, Disk};
use super::{FormatError, text};
use crate::domain::contract::{ChapterContract, LineContext, Objective, Transition};
use crate::domain::{ChapterNo, Slug};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

#[derive(Serialize, Deserialize)]
struct ContractDisk {
    #[serde(with = "as_text::chapter")]
    chapter: ChapterNo,
    #[serde(default, with = "as_text::optional")]
    storyline_id: Option<Slug>,
    #[serde(default, with = "as_text::list")]
    characters: Vec<Slug>,
    #[serde(default)]
    preconditions: ConditionsDisk,
    #[serde(default)]
    objectives: Vec<ObjectiveDisk>,
    #[serde(default, deserialize_with = "facts")]
    postconditions: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    acceptance_criteria: Vec<String>,
    #[serde(default)]
    storyline_context: Option<ContextDisk>,
    #[serde(default)]
    transition_hint: Option<TransitionDisk>,
}

/// Where the line stands. What else the product document has there (summaries, the state of other lines) is newer in the
/// lines' memories, and stays in the file where somebody has written it.
#[derive(Serialize, Deserialize)]
struct ContextDisk {
    #[serde(default, with = "as_text::optional_chapter")]
    last_chapter_on_this_line: Option<ChapterNo>,
    #[serde(default)]
    chapters_since_last: Option<u32>,
    /// `40%`.
    #[serde(default, deserialize_with = "or_default")]
    line_arc_progress: String,
}

#[derive(Serialize, Deserialize)]
struct ObjectiveDisk {
    id: String,
    #[serde(rename = "type", default)]
    kind: String,
    /// An objective without the word is a wish.
    #[serde(default)]
    required: bool,
    description: String,
}

#[derive(Serialize, Deserialize)]
struct TransitionDisk {
    #[serde(with = "as_text")]
    next_storyline: Slug,
    #[serde(default)]
    bridge: String,
}

impl Disk for ContractDisk {}

/// Where a map names the rules that a chapter hangs on.
const RULES: &str = "required_world_rules";
/// Where it has the facts, beside rules.
const FACTS: &str = "facts";

/// Facts, and the rules beside them.
#[derive(Default, PartialEq)]
struct ConditionsDisk {
    facts: Vec<String>,
    rules: Vec<String>,
}

impl<'de> Deserialize<'de> for ConditionsDisk {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut value = Value::deserialize(from)?;
        let named = value.as_object_mut().and_then(|groups| groups.remove(RULES));
        let mut rules = Vec::new();
        named.iter().for_each(|named| collect("", named, &mut rules));
        Ok(Self { facts: facts_of(&value), rules })
    }
}

impl Serialize for ConditionsDisk {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.rules.is_empty() {
            return self.facts.serialize(to);
        }
        let mut map = to.serialize_map(Some(2))?;
        map.serialize_entry(FACTS, &self.facts)?;
        map.serialize_entry(RULES, &self.rules)?;
        map.end()
    }
}

/// Facts in any notation: a list of sentences, or maps of maps whose leaves become `谁：什么 = 值`.
fn facts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    Ok(facts_of(&Value::deserialize(from)?))
}

fn facts_of(value: &Value) -> Vec<String> {
    let mut facts = Vec::new();
    match value {
        Value::Object(groups) => {
            for (group, content) in groups {
                match content {
                    // The names of the groups say nothing that the facts do not.
                    Value::Object(subjects) => subjects.iter().for_each(|(who, what)| collect(who, what, &mut facts)),
                    other => collect(group, other, &mut facts),
                }
            }
        }
        other => collect("", other, &mut facts),
    }
    facts
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

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Reads a contract. `storyline` is that of the chapter's outline section, for a contract that names none.
///
/// # Errors
/// [`FormatError`] with the line of what does not fit.
pub fn read(storyline: &Slug, bytes: &[u8]) -> Result<ChapterContract, FormatError> {
    let disk: ContractDisk = json::read(bytes)?;
    let objective = |objective: ObjectiveDisk| Objective {
        id: objective.id,
        kind: objective.kind,
        required: objective.required,
        description: objective.description,
    };
    Ok(ChapterContract {
        chapter: disk.chapter,
        storyline: disk.storyline_id.unwrap_or_else(|| storyline.clone()),
        preconditions: disk.preconditions.facts,
        rules: disk.preconditions.rules,
        objectives: disk.objectives.into_iter().map(objective).collect(),
        postconditions: disk.postconditions,
        acceptance: disk.acceptance_criteria,
        characters: disk.characters,
        context: disk.storyline_context.map(|context| LineContext {
            last: context.last_chapter_on_this_line,
            progress: context.line_arc_progress.trim().trim_end_matches('%').parse().ok().filter(|share| *share <= 100),
        }),
        transition: disk.transition_hint.map(|hint| Transition { next: hint.next_storyline, bridge: hint.bridge }),
    })
}

/// The storyline that a contract names itself.
#[must_use]
pub fn named_storyline(bytes: &[u8]) -> Option<Slug> {
    let document = json::value(&text(bytes).ok()?).ok()?;
    document.get("storyline_id")?.as_str()?.parse().ok()
}

/// Writes a contract.
#[must_use]
pub fn write(contract: &ChapterContract, previous: Option<&[u8]>) -> Vec<u8> {
    let objective = |objective: &Objective| ObjectiveDisk {
        id: objective.id.clone(),
        kind: objective.kind.clone(),
        required: objective.required,
        description: objective.description.clone(),
    };
    let context = |context: &LineContext| ContextDisk {
        last_chapter_on_this_line: context.last,
        chapters_since_last: context.away(contract.chapter).map(|away| away + 1),
        line_arc_progress: context.progress.map_or_else(String::new, |share| format!("{share}%")),
    };
    let hint = |t: &Transition| TransitionDisk { next_storyline: t.next.clone(), bridge: t.bridge.clone() };
    let disk = ContractDisk {
        chapter: contract.chapter,
        storyline_id: Some(contract.storyline.clone()),
        characters: contract.characters.clone(),
        preconditions: ConditionsDisk { facts: contract.preconditions.clone(), rules: contract.rules.clone() },
        objectives: contract.objectives.iter().map(objective).collect(),
        postconditions: contract.postconditions.clone(),
        acceptance_criteria: contract.acceptance.clone(),
        storyline_context: contract.context.as_ref().map(context),
        transition_hint: contract.transition.as_ref().map(hint),
    };
    let previous = previous.map(|bytes| in_our_notation(bytes, &disk.preconditions));
    json::write(&disk, previous.as_deref())
}

/// A file whose conditions are about to change, with them in the notation that they are written in: the author's maps
/// would stay beside the new facts as something unknown.
fn in_our_notation(bytes: &[u8], new: &ConditionsDisk) -> Vec<u8> {
    let rewritten = || {
        let mut document = json::value(&text(bytes).ok()?).ok()?;
        let conditions = document.get_mut("preconditions")?;
        let old: ConditionsDisk = serde_json::from_value(conditions.clone()).ok()?;
        let notation = serde_json::to_value(&old).ok()?;
        if old == *new || *conditions == notation {
            return None;
        }
        *conditions = notation;
        Some(json::print(&document))
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
    fn the_maps_of_the_product_document_become_facts_and_stay_in_the_file() {
        let line = Slug::new("tide-plan").unwrap();
        let mut contract = read(&line, BOTH.as_bytes()).unwrap();
        assert_eq!(contract.storyline, line);
        assert_eq!(contract.preconditions, ["沈渡：location = 渡口，伤势 = 3"]);
        assert_eq!(contract.rules, ["W-001", "W-002"]);
        assert_eq!(contract.postconditions, ["沈渡：location = 夜船", "mirror：advanced"]);
        assert!(!contract.objectives[0].required);
        contract.postconditions = vec!["沈渡在夜船上".into()];
        let written = write(&contract, Some(BOTH.as_bytes()));
        let text = String::from_utf8(written.clone()).unwrap();
        for kept in ["character_states", "\"action\": \"advance\"", "concurrent_state"] {
            assert!(text.contains(kept), "{text}");
        }
        assert!(!text.contains("state_changes"), "{text}");
        let other = ChapterContract { preconditions: vec!["沈渡在岸上".into()], ..contract.clone() };
        let written_anew = write(&other, Some(BOTH.as_bytes()));
        assert_eq!(read(&line, &written_anew).unwrap(), other);
        assert!(String::from_utf8(written_anew).unwrap().contains("concurrent_state"));
        assert_eq!(read(&line, &written).unwrap(), contract);
        assert_eq!(named_storyline(&written), Some(line));
    }

    #[test]
    fn rules_stand_beside_the_facts_and_a_chapter_without_rules_keeps_its_list() {
        let line = Slug::new("main-arc").unwrap();
        let plain = r#"{"chapter": 3, "preconditions": ["沈渡到了"], "objectives": []}"#.as_bytes();
        let mut contract = read(&line, plain).unwrap();
        let list = String::from_utf8(write(&contract, None)).unwrap();
        assert!(list.contains("\"preconditions\": [\n") && !list.contains(RULES), "{list}");
        contract.rules = vec!["W-002".into()];
        let map = write(&contract, Some(plain));
        assert!(String::from_utf8_lossy(&map).contains("\"required_world_rules\": [\n      \"W-002\""));
        assert_eq!(read(&line, &map).unwrap(), contract);
        contract.rules.clear();
        assert_eq!(read(&line, &write(&contract, Some(&map))).unwrap(), contract);
    }

    proptest! {
        #[test]
        fn any_contract_survives(contract in samples::contract()) {
            let other = Slug::new("other").unwrap();
            samples::survives(&contract, |bytes| read(&other, bytes), write, &["preconditions"])?;
        }
    }
}
