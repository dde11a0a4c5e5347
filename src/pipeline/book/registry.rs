//! The names of the book: those of its people, and those that the state has.

use super::view::BookView;
use crate::agents::context::named::{named, named_in};
use crate::domain::state::{Category, State};
use crate::pipeline::prelude::*;
use crate::text::{NameIndex, Named};
use serde_json::Value;

impl BookView<'_> {
    /// Everything of the story that has a name: its people, retired ones too, and what this state has.
    pub(crate) fn named_with(&self, state: &State) -> Result<Vec<Named>, RunError> {
        let people = self.characters()?.into_iter().chain(self.retired_characters()?);
        Ok(people.map(|person| named(&person)).chain(named_in(state)).collect())
    }

    /// The names of people, of storylines and of what the state has, by id; plot threads, rules and contracts by the beginning
    /// of their text. A file that cannot be read gives none; `doctor` reports it.
    pub fn names_by_id(&self) -> BTreeMap<String, String> {
        let mut names = BTreeMap::new();
        if let Ok(state) = self.state() {
            for category in Category::ALL {
                let entities = state.entities(*category).map(|(id, _)| (id, state.display_name(*category, id)));
                names.extend(
                    entities.filter(|(id, name)| id != name).map(|(id, name)| (id.to_owned(), name.to_owned())),
                );
            }
        }
        let threads = self.ledger().map(|ledger| ledger.entries).unwrap_or_default();
        names.extend(threads.into_iter().map(|thread| (thread.id.to_string(), thread_name(&thread.description))));
        let volumes = self.volumes().unwrap_or_default().into_iter();
        let planned = volumes.flat_map(|volume| self.planned_foreshadowing(volume).unwrap_or_default());
        names.extend(planned.map(|thread| (thread.id.to_string(), thread_name(&thread.description))));
        let rules = self.rules().unwrap_or_default().into_iter().chain(self.storyline_rules().unwrap_or_default());
        names.extend(rules.map(|rule| (rule.id, rule_name(&rule.rule))));
        let lines = self.storylines().map(|storylines| storylines.lines).unwrap_or_default();
        names.extend(lines.into_iter().map(|line| (line.id.to_string(), line.name)));
        let people = self.retired_characters().unwrap_or_default().into_iter();
        let people = people.chain(self.characters().unwrap_or_default());
        for person in people {
            let contracts = person.contracts.iter();
            let name = &person.display_name;
            names.extend(contracts.map(|contract| {
                let rule = contract.rule.strip_prefix(name.as_str()).unwrap_or(&contract.rule);
                (contract.id.clone(), format!("{name}{}", rule_name(rule)))
            }));
            names.insert(person.id.to_string(), person.display_name);
        }
        names
    }

    /// Every name of the story in the forms in which a text has them: people with their aliases and given names, factions,
    /// places and the things that people carry.
    pub(crate) fn names(&self) -> Result<Vec<String>, RunError> {
        self.names_with(&self.state()?)
    }

    pub(super) fn names_with(&self, state: &State) -> Result<Vec<String>, RunError> {
        let index = NameIndex::new(&self.named_with(state)?);
        let entities = Category::ALL.iter().flat_map(|category| state.entities(*category));
        let at_hand = entities.flat_map(|(_, fields)| things(fields)).filter(|thing| thing.chars().count() > 1);
        Ok(index.forms().map(str::to_owned).chain(at_hand).collect())
    }
}

const RULE_NAME: usize = 10;
/// Characters of a plot thread's description in its name.
const THREAD_NAME: usize = 12;

/// The name of a plot thread: its description up to the first mark.
fn thread_name(description: &str) -> String {
    let first = description.split(['：', ':', '，', ',', '。', '；', ';']).next().unwrap_or_default();
    beginning(first.trim(), THREAD_NAME)
}

fn rule_name(rule: &str) -> String {
    format!("“{}”", beginning(rule.trim().trim_end_matches('。'), RULE_NAME))
}

fn beginning(text: &str, most: usize) -> String {
    let cut: String = text.chars().take(most).collect();
    if cut.len() < text.len() { format!("{cut}…") } else { cut }
}

/// The place of an entity, and everything that it has a list of: an inventory for one.
fn things(fields: &Value) -> impl Iterator<Item = String> {
    let lists = fields.as_object().into_iter().flat_map(|fields| fields.values()).filter_map(Value::as_array);
    let listed = lists.flatten().filter_map(Value::as_str);
    fields.get("location").and_then(Value::as_str).into_iter().chain(listed).map(str::to_owned)
}
