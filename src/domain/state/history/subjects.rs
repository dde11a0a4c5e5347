//! The subjects of a book's facts, and resolving names to facts.

use super::fact::Fact;
use super::{Chronicle, Step};
use crate::domain::Slug;
use crate::domain::state::{Category, Op};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Everything that ever stood in the state or in the ledger, with its names in the text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Subjects {
    /// By category and id.
    things: BTreeMap<(String, String), BTreeSet<String>>,
    threads: BTreeSet<Slug>,
    /// Top-level keys of the state, including those that an author has added.
    tops: BTreeSet<String>,
}

/// Why a name stands for no fact.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unresolved {
    #[error("nothing is called `{0}`")]
    Unknown(String),
    #[error("`{name}` may be {}", paths.join(", "))]
    Ambiguous { name: String, paths: Vec<String> },
}

impl Chronicle {
    pub fn subjects(&self) -> Subjects {
        let mut subjects = Subjects::default();
        for step in &self.steps {
            match step {
                Step::Chapter { delta, .. } => {
                    for op in &delta.ops {
                        match op {
                            Op::Foreshadow(op) => drop(subjects.threads.insert(op.id.clone())),
                            Op::Set { path, value } => subjects.note(&path.to_string(), Some(value)),
                            op => subjects.note(&op.path_text(), None),
                        }
                    }
                }
                Step::Edit(edit) => {
                    edit.values.iter().for_each(|(keys, value)| subjects.note(&keys.join("."), value.as_ref()));
                    subjects.threads.extend(edit.entries.iter().map(|(_, entry)| entry.id.clone()));
                }
            }
        }
        subjects.tops.extend(self.now.state.tree.keys().cloned());
        subjects
    }
}

impl Subjects {
    /// Adds names that a thing has in the text.
    pub fn name(&mut self, category: Category, id: &Slug, names: impl Iterator<Item = String>) {
        self.things.entry((category.as_str().to_owned(), id.to_string())).or_default().extend(names);
    }

    /// The names in the text of the thing with that id, in any category; empty for an unknown id.
    pub fn names_of(&self, id: &str) -> BTreeSet<&str> {
        let of_id = self.things.iter().filter(|((_, known), _)| known == id);
        of_id.flat_map(|(_, names)| names).map(String::as_str).collect()
    }

    /// The paths of all things, and the ids of all plot threads.
    pub fn paths(&self) -> impl Iterator<Item = String> {
        let things = self.things.keys().map(|(category, id)| format!("{category}.{id}"));
        things.chain(self.threads.iter().map(Slug::to_string)).chain(self.tops.iter().cloned())
    }

    /// The fact that `typed` stands for: a path of ids from a category down (`characters.lin-feng.location`), or with
    /// display names in place of ids, the id or name of a thing without its category, or the id of a plot thread.
    /// Whether there is a value is not checked.
    pub fn resolve(&self, typed: &str) -> Result<Fact, Unresolved> {
        let keys: Vec<&str> = typed.split('.').map(str::trim).collect();
        let (Some(first), false) = (keys.first(), keys.contains(&"")) else {
            return Err(Unresolved::Unknown(typed.to_owned()));
        };
        if self.tops.contains(*first) || first.parse::<Category>().is_ok() {
            let rest = &keys[1..];
            let mut path = vec![(*first).to_owned()];
            if let Some(thing) = rest.first() {
                path.push(self.id_in(first, thing)?.unwrap_or_else(|| (*thing).to_owned()));
            }
            return Ok(Fact::Value(self.below(path, rest.get(1..).unwrap_or_default())?));
        }
        let mut found: Vec<Fact> = Vec::new();
        if let Ok(id) = first.parse::<Slug>()
            && keys.len() == 1
            && self.threads.contains(&id)
        {
            found.push(Fact::Thread(id));
        }
        let is_called = |(_, id): &(String, String), names: &BTreeSet<String>| id == first || names.contains(*first);
        let things = self.things.iter().filter(|(thing, names)| is_called(thing, names));
        found.extend(things.map(|((category, id), _)| Fact::Value(vec![category.clone(), id.clone()])));
        match found.as_slice() {
            [] => Err(Unresolved::Unknown((*first).to_owned())),
            [Fact::Value(path)] => Ok(Fact::Value(self.below(path.clone(), &keys[1..])?)),
            [thread] => Ok(thread.clone()),
            several => Err(Unresolved::Ambiguous {
                name: (*first).to_owned(),
                paths: several.iter().map(ToString::to_string).collect(),
            }),
        }
    }

    /// Adds the keys below a thing to its path; people in them may be called by their names.
    fn below(&self, mut path: Vec<String>, keys: &[&str]) -> Result<Vec<String>, Unresolved> {
        for key in keys {
            let is_relation = path.last().is_some_and(|above| above == "relationships");
            let id = if is_relation { self.id_in(Category::Characters.as_str(), key)? } else { None };
            path.push(id.unwrap_or_else(|| (*key).to_owned()));
        }
        Ok(path)
    }

    fn id_in(&self, category: &str, name: &str) -> Result<Option<String>, Unresolved> {
        if self.things.contains_key(&(category.to_owned(), name.to_owned())) {
            return Ok(Some(name.to_owned()));
        }
        let called = self.things.iter().filter(|((of, _), names)| of == category && names.contains(name));
        let ids: Vec<&String> = called.map(|((_, id), _)| id).collect();
        match ids.as_slice() {
            [] => Ok(None),
            [id] => Ok(Some((*id).clone())),
            several => Err(Unresolved::Ambiguous {
                name: name.to_owned(),
                paths: several.iter().map(|id| format!("{category}.{id}")).collect(),
            }),
        }
    }

    /// Notes the thing of a value, and its display name.
    fn note(&mut self, path: &str, value: Option<&Value>) {
        let keys: Vec<&str> = path.split('.').collect();
        match (keys.as_slice(), value) {
            ([top], Some(Value::Object(map))) => {
                self.tops.insert((*top).to_owned());
                map.iter().for_each(|(id, below)| self.note(&format!("{top}.{id}"), Some(below)));
            }
            ([top, id, below @ ..], value) => {
                self.tops.insert((*top).to_owned());
                let names = self.things.entry(((*top).to_owned(), (*id).to_owned())).or_default();
                let name = match (below, value) {
                    ([], Some(Value::Object(map))) => map.get("display_name").and_then(Value::as_str),
                    (["display_name"], Some(value)) => value.as_str(),
                    _ => None,
                };
                names.extend(name.map(str::to_owned));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subjects() -> Subjects {
        let mut subjects = Subjects::default();
        subjects.note("characters.lin-feng.display_name", Some(&"林枫".into()));
        subjects.note("characters.chen-lao", Some(&serde_json::json!({"display_name": "陈老"})));
        subjects.note("characters.lin-er.display_name", Some(&"林枫".into()));
        subjects.note("items.mirror.owner", None);
        subjects.note("world_state.time_marker", None);
        subjects.threads.extend(["mirror", "old_map"].map(|id| Slug::new(id).unwrap()));
        subjects.name(Category::Characters, &Slug::new("chen-lao").unwrap(), ["老陈".to_owned()].into_iter());
        subjects
    }

    #[test]
    fn an_author_may_use_ids_and_names() {
        let subjects = subjects();
        let table = [
            ("characters.lin-feng.location", "characters.lin-feng.location"),
            ("characters.陈老.location", "characters.chen-lao.location"),
            ("陈老", "characters.chen-lao"),
            ("老陈.relationships.陈老", "characters.chen-lao.relationships.chen-lao"),
            ("lin-feng.mood", "characters.lin-feng.mood"),
            ("time_marker", "world_state.time_marker"),
            ("old_map", "old_map"),
            ("items.mirror", "items.mirror"),
            ("characters", "characters"),
            ("characters.new-one", "characters.new-one"),
        ];
        for (typed, fact) in table {
            assert_eq!(subjects.resolve(typed).map(|fact| fact.to_string()), Ok(fact.to_owned()), "{typed}");
        }
    }

    #[test]
    fn a_name_of_several_things_or_of_none_is_refused() {
        let subjects = subjects();
        let paths = |typed: &str| match subjects.resolve(typed) {
            Err(Unresolved::Ambiguous { paths, .. }) => paths,
            other => panic!("{typed}: {other:?}"),
        };
        assert_eq!(paths("林枫"), ["characters.lin-er", "characters.lin-feng"]);
        assert_eq!(paths("characters.林枫"), ["characters.lin-er", "characters.lin-feng"]);
        assert_eq!(paths("mirror"), ["mirror", "items.mirror"]);
        for typed in ["", ".", "characters..x", "无人", "无人.location"] {
            assert!(matches!(subjects.resolve(typed), Err(Unresolved::Unknown(_))), "{typed}");
        }
    }

    #[test]
    fn the_names_of_a_thing_are_its_own() {
        let subjects = subjects();
        assert_eq!(subjects.names_of("chen-lao"), BTreeSet::from(["老陈", "陈老"]));
        assert_eq!(subjects.names_of("nobody"), BTreeSet::new());
        let paths: BTreeSet<String> = subjects.paths().collect();
        for path in ["characters.chen-lao", "items.mirror", "old_map", "world_state"] {
            assert!(paths.contains(path), "{path}: {paths:?}");
        }
    }
}
