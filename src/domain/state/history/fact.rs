//! One fact through the book: every change of a value of the state, or of a plot thread, in story order.
//! The subjects of a book's facts, and resolving names to facts.

use crate::domain::prelude::*;
use crate::domain::state::history::{Chronicle, Facts, FactsEdit, HistoryStep, map_differences};
use crate::domain::state::{Category, Op};
use crate::domain::volume::foreshadowing::{Action, Foreshadowing};
use serde_json::Map;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// A value of the state with everything below it: keys from the top down. No keys mean the whole state.
    Value(Vec<String>),
    Thread(Slug),
}

impl std::fmt::Display for Fact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Value(keys) => f.write_str(&keys.join(".")),
            Self::Thread(id) => id.fmt(f),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    Chapter(ChapterNo),
    /// An edit, by its index among the edits of the book.
    Edit(usize),
}

#[derive(Debug, Clone, PartialEq)]
pub struct FactChange {
    pub cause: Cause,
    /// Keys of the changed value from the top down. For a plot thread its id, with the field that an edit changed.
    pub keys: Vec<String>,
    /// `None` for an empty place. For a plot thread, its status.
    pub old: Option<Value>,
    /// `None` for a removed value.
    pub new: Option<Value>,
    /// The operations of the chapter that made the change, in order; empty for an edit.
    pub ops: Vec<Op>,
}

/// The change that a present value comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct FactOrigin {
    /// Keys from the top down, or the id of a plot thread.
    pub keys: Vec<String>,
    /// The value, or one entry of a list.
    pub value: Value,
    pub change: FactChange,
}

impl Chronicle {
    /// All changes of the fact, oldest first; folding them gives the present value. A chapter that sets an equal value
    /// changes nothing.
    pub fn changes(&self, fact: &Fact) -> Vec<FactChange> {
        let (mut facts, mut edits, mut changes) = (Facts::default(), 0, Vec::new());
        for step in &self.steps {
            let cause = match step {
                HistoryStep::Chapter { delta, .. } => Cause::Chapter(delta.chapter),
                HistoryStep::Edit(_) => Cause::Edit(edits),
            };
            match fact {
                Fact::Value(keys) => value_changes(step, cause, keys, &mut facts, &mut changes),
                Fact::Thread(id) => thread_changes(step, cause, id, &mut facts, &mut changes),
            }
            edits += usize::from(matches!(step, HistoryStep::Edit(_)));
        }
        changes
    }

    /// The steps up to the chapter's own, without edits after it. Without a delta of the chapter, up to that of the
    /// last chapter before.
    pub fn as_of(&self, chapter: ChapterNo) -> Self {
        let is_in = |step: &HistoryStep| matches!(step, HistoryStep::Chapter { delta, .. } if delta.chapter <= chapter);
        let count = self.steps.iter().rposition(is_in).map_or(0, |last| last + 1);
        let mut then = Self::default();
        for step in &self.steps[..count] {
            step.apply(&mut then.now);
            then.steps.push(step.clone());
        }
        then
    }

    /// The plot thread as it is now, or in its last form when it was resolved and a later volume has dropped it.
    pub fn thread(&self, id: &Slug) -> Option<Foreshadowing> {
        if let Some(entry) = self.now.ledger.get(id) {
            return Some(entry.clone());
        }
        let (mut facts, mut last) = (Facts::default(), None);
        for step in &self.steps {
            step.apply(&mut facts);
            let is_removed = matches!(step, HistoryStep::Edit(edit) if edit.gone.contains(id));
            last = if is_removed { None } else { facts.ledger.get(id).cloned().or(last) };
        }
        last
    }

    /// Resolved plot threads that later volumes have dropped, each in its last form, ordered by id.
    pub fn left_behind(&self) -> Vec<Foreshadowing> {
        let (mut facts, mut left) = (Facts::default(), BTreeMap::new());
        for step in &self.steps {
            match step {
                HistoryStep::Chapter { opens_volume: true, .. } => {
                    let resolved = facts.ledger.entries.iter().filter(|entry| entry.status() == Action::Resolved);
                    left.extend(resolved.map(|entry| (entry.id.clone(), entry.clone())));
                }
                HistoryStep::Chapter { .. } => {}
                HistoryStep::Edit(edit) => edit.gone.iter().for_each(|id| drop(left.remove(id))),
            }
            step.apply(&mut facts);
        }
        let is_now = |id: &Slug| self.now.ledger.get(id).is_some();
        left.into_iter().filter(|(id, _)| !is_now(id)).map(|(_, entry)| entry).collect()
    }

    /// The origin of each present value of the fact that is no map, and of each entry of a list.
    pub fn origins(&self, fact: &Fact) -> Vec<FactOrigin> {
        let changes = self.changes(fact);
        let keys = match fact {
            Fact::Value(keys) => keys,
            Fact::Thread(id) => {
                let whole = changes.iter().rev().find(|change| change.keys.len() == 1);
                let origin = |change: &FactChange| {
                    Some(FactOrigin { keys: vec![id.to_string()], value: change.new.clone()?, change: change.clone() })
                };
                return whole.and_then(origin).into_iter().collect();
            }
        };
        let mut leaves = Vec::new();
        match keys.is_empty() {
            true => leaves_of(&Value::Object(self.now.state.tree.clone()), &mut Vec::new(), &mut leaves),
            false => {
                if let Some(value) = value_at(&self.now.state.tree, keys) {
                    leaves_of(value, &mut keys.clone(), &mut leaves);
                }
            }
        }
        let last_of = |at: &[String], is_made: &dyn Fn(&FactChange) -> bool| {
            changes.iter().rev().find(|change| at.starts_with(&change.keys) && is_made(change)).cloned()
        };
        let origin = |(keys, value): (Vec<String>, Value)| match &value {
            Value::Array(entries) => entries
                .iter()
                .filter_map(|entry| {
                    let has = |value: Option<&Value>| {
                        value.and_then(Value::as_array).is_some_and(|list| list.contains(entry))
                    };
                    let adds = |change: &FactChange| {
                        let below = &keys[change.keys.len()..];
                        has(below_of(change.new.as_ref(), below)) && !has(below_of(change.old.as_ref(), below))
                    };
                    let change = last_of(&keys, &adds)?;
                    Some(FactOrigin { keys: keys.clone(), value: entry.clone(), change })
                })
                .collect(),
            _ => match last_of(&keys, &|_| true) {
                Some(change) => vec![FactOrigin { keys, value, change }],
                None => Vec::new(),
            },
        };
        leaves.into_iter().flat_map(origin).collect()
    }
}

fn below_of<'v>(value: Option<&'v Value>, keys: &[String]) -> Option<&'v Value> {
    keys.iter().try_fold(value?, |value, key| value.as_object()?.get(key))
}

/// The value at `keys`, of which there is at least one.
fn value_at<'m>(map: &'m Map<String, Value>, keys: &[String]) -> Option<&'m Value> {
    let (first, below) = keys.split_first()?;
    below_of(map.get(first), below)
}

/// All values that are no maps, with their keys.
fn leaves_of(value: &Value, at: &mut Vec<String>, leaves: &mut Vec<(Vec<String>, Value)>) {
    let Value::Object(map) = value else {
        leaves.push((at.clone(), value.clone()));
        return;
    };
    for (key, below) in map {
        at.push(key.clone());
        leaves_of(below, at, leaves);
        at.pop();
    }
}

fn keys_of(op: &Op) -> Vec<String> {
    match op {
        Op::Foreshadow(_) => vec![Category::ActiveForeshadowing.as_str().to_owned()],
        op => op.path_text().split('.').map(str::to_owned).collect(),
    }
}

fn overlap(one: &[String], other: &[String]) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

/// The places on or below `fact` that the step writes to, none below another.
fn written(step: &HistoryStep, fact: &[String]) -> Vec<Vec<String>> {
    let places: Vec<Vec<String>> = match step {
        HistoryStep::Chapter { delta, .. } => delta.ops.iter().map(keys_of).collect(),
        HistoryStep::Edit(edit) => edit.values.iter().map(|(keys, _)| keys.clone()).collect(),
    };
    let within = places.into_iter().filter(|place| overlap(place, fact));
    let mut within: Vec<Vec<String>> =
        within.map(|place| if place.len() < fact.len() { fact.to_vec() } else { place }).collect();
    within.sort();
    // Sorted, a place comes before everything below it.
    within.dedup_by(|later, earlier| later.starts_with(earlier));
    within
}

/// Applies the step and notes its changes on or below `fact`.
fn value_changes(step: &HistoryStep, cause: Cause, fact: &[String], facts: &mut Facts, changes: &mut Vec<FactChange>) {
    let places = written(step, fact);
    let before: Vec<Option<Value>> = places.iter().map(|place| value_at(&facts.state.tree, place).cloned()).collect();
    let dropped = step.apply(facts);
    let ops_at = |keys: &[String]| match step {
        HistoryStep::Chapter { delta, .. } => {
            let kept =
                delta.ops.iter().enumerate().filter(|(index, _)| dropped.iter().all(|drop| drop.index != *index));
            kept.filter(|(_, op)| overlap(&keys_of(op), keys)).map(|(_, op)| op.clone()).collect()
        }
        HistoryStep::Edit(_) => Vec::new(),
    };
    for (place, old) in places.into_iter().zip(before) {
        let new = value_at(&facts.state.tree, &place);
        match (&old, new) {
            (Some(old), Some(new)) if old == new => {}
            (Some(Value::Object(was)), Some(Value::Object(is))) => {
                let mut found = Vec::new();
                map_differences(was, is, &mut place.clone(), &mut found);
                changes.extend(found.into_iter().map(|(keys, new)| {
                    let old = below_of(old.as_ref(), &keys[place.len()..]).cloned();
                    FactChange { cause, ops: ops_at(&keys), keys, old, new }
                }));
            }
            (None, None) => {}
            (_, new) => {
                let new = new.cloned();
                changes.push(FactChange { cause, ops: ops_at(&place), keys: place, old, new });
            }
        }
    }
}

/// Applies the step and notes its changes of the plot thread.
fn thread_changes(step: &HistoryStep, cause: Cause, id: &Slug, facts: &mut Facts, changes: &mut Vec<FactChange>) {
    let status = |action: Action| Some(Value::from(action.as_str()));
    let before = facts.ledger.get(id).cloned();
    let dropped = step.apply(facts);
    match step {
        HistoryStep::Chapter { delta, .. } => {
            let mut old = before.map(|entry| entry.status());
            for (index, op) in delta.ops.iter().enumerate() {
                let Op::Foreshadow(made) = op else { continue };
                if made.id == *id && dropped.iter().all(|drop| drop.index != index) {
                    // A resolved thread that is planted again begins a new life.
                    let was = old.filter(|_| made.action != Action::Planted).and_then(status);
                    changes.push(FactChange {
                        cause,
                        keys: vec![id.to_string()],
                        old: was,
                        new: status(made.action),
                        ops: vec![op.clone()],
                    });
                    old = Some(made.action);
                }
            }
        }
        HistoryStep::Edit(edit) => edited_thread(edit, cause, (before.as_ref(), facts.ledger.get(id)), id, changes),
    }
}

/// Notes an edit's changes of a plot thread: its coming or going, its status, its fields.
fn edited_thread(
    edit: &FactsEdit,
    cause: Cause,
    (old, new): (Option<&Foreshadowing>, Option<&Foreshadowing>),
    id: &Slug,
    changes: &mut Vec<FactChange>,
) {
    if !edit.gone.contains(id) && edit.entries.iter().all(|(_, entry)| entry.id != *id) {
        return;
    }
    let status = |entry: Option<&Foreshadowing>| entry.map(|entry| Value::from(entry.status().as_str()));
    let mut push = |field: Option<&str>, old: Option<Value>, new: Option<Value>| {
        let keys = std::iter::once(id.as_str()).chain(field).map(str::to_owned).collect();
        if old != new {
            changes.push(FactChange { cause, keys, old, new, ops: Vec::new() });
        }
    };
    push(None, status(old), status(new));
    if let (Some(old), Some(new)) = (old, new) {
        let target = |entry: &Foreshadowing| entry.target.map(|(from, to)| Value::from(vec![from, to]));
        push(Some("description"), Some(old.description.as_str().into()), Some(new.description.as_str().into()));
        push(Some("scope"), Some(old.scope.as_str().into()), Some(new.scope.as_str().into()));
        push(Some("storyline"), Some(old.storyline.as_str().into()), Some(new.storyline.as_str().into()));
        push(Some("target_resolve_range"), target(old), target(new));
    }
}

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
                HistoryStep::Chapter { delta, .. } => {
                    for op in &delta.ops {
                        match op {
                            Op::Foreshadow(op) => drop(subjects.threads.insert(op.id.clone())),
                            Op::Set { path, value } => subjects.note(&path.to_string(), Some(value)),
                            op => subjects.note(&op.path_text(), None),
                        }
                    }
                }
                HistoryStep::Edit(edit) => {
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
    use crate::domain::state::history::{Chronicle, put};
    use crate::domain::state::{Delta, RawOp};
    use proptest::prelude::*;
    use serde_json::json;

    fn at(n: u32) -> ChapterNo {
        ChapterNo::new(n).unwrap()
    }

    fn delta(chapter: u32, ops: &[(&str, &str, Value)]) -> Delta {
        let raw = |(op, path, value): &(&str, &str, Value)| RawOp {
            op: (*op).into(),
            path: (*path).into(),
            value: value.clone(),
            ..RawOp::default()
        };
        Delta {
            chapter: at(chapter),
            base_version: 0,
            storyline: Slug::new("main-arc").unwrap(),
            ops: ops.iter().map(|op| raw(op).check().unwrap()).collect(),
            skipped: None,
            text: None,
        }
    }

    fn opening(delta: Delta) -> HistoryStep {
        HistoryStep::Chapter { delta, opens_volume: true }
    }

    fn chapter(delta: Delta) -> HistoryStep {
        HistoryStep::Chapter { delta, opens_volume: false }
    }

    fn value(path: &str) -> Fact {
        Fact::Value(path.split('.').map(str::to_owned).collect())
    }

    /// Three chapters with an edit by hand before the last.
    fn book() -> Chronicle {
        let mut book = Chronicle::default();
        book.push(opening(delta(
            1,
            &[
                ("set", "characters.lin.location", json!("北城")),
                ("add", "characters.lin.inventory", json!("铜镜")),
                ("foreshadow", "mirror", json!("planted")),
            ],
        )));
        book.push(chapter(delta(2, &[("set", "characters.lin", json!({"location": "码头", "mood": "倦"}))])));
        let mut facts = book.now().clone();
        put(&mut facts.state.tree, &["characters".into(), "lin".into(), "mood".into()], Some(&json!("决意")));
        facts.ledger.entries[0].description = "镜背有字".into();
        book.set(facts);
        book.push(chapter(delta(
            3,
            &[
                ("set", "characters.lin.location", json!("码头")),
                ("add", "characters.lin.inventory", json!("船票")),
                ("foreshadow", "mirror", json!("resolved")),
            ],
        )));
        book
    }

    fn told(changes: &[FactChange]) -> Vec<String> {
        let value = |value: &Option<Value>| value.as_ref().map_or("-".to_owned(), Value::to_string);
        let line = |change: &FactChange| {
            let at = match change.cause {
                Cause::Chapter(chapter) => chapter.to_string(),
                Cause::Edit(edit) => format!("edit {edit}"),
            };
            format!("{at} {} {} -> {}", change.keys.join("."), value(&change.old), value(&change.new))
        };
        changes.iter().map(line).collect()
    }

    #[test]
    fn a_value_has_the_changes_that_changed_it() {
        let book = book();
        assert_eq!(
            told(&book.changes(&value("characters.lin.location"))),
            [r#"ch-001 characters.lin.location - -> "北城""#, r#"ch-002 characters.lin.location "北城" -> "码头""#,]
        );
        assert_eq!(
            told(&book.changes(&value("characters.lin.mood"))),
            [r#"ch-002 characters.lin.mood - -> "倦""#, r#"edit 0 characters.lin.mood "倦" -> "决意""#]
        );
        assert_eq!(
            told(&book.changes(&value("characters.lin.inventory"))),
            [
                r#"ch-001 characters.lin.inventory - -> ["铜镜"]"#,
                r#"ch-002 characters.lin.inventory ["铜镜"] -> -"#,
                r#"ch-003 characters.lin.inventory - -> ["船票"]"#,
            ]
        );
        assert_eq!(book.changes(&value("characters")).len(), 7);
        assert_eq!(book.changes(&value("characters.chen")), []);
    }

    #[test]
    fn what_a_volume_leaves_behind_is_given_as_it_was_last() {
        let mut book = book();
        book.push(chapter(delta(4, &[("foreshadow", "mirror", json!("resolved"))])));
        assert_eq!(book.left_behind(), []);
        book.push(opening(delta(5, &[("foreshadow", "lamp", json!("planted"))])));
        let left = book.left_behind();
        assert_eq!((left.len(), left[0].id.as_str(), left[0].status()), (1, "mirror", Action::Resolved));
        assert_eq!(left[0].description, "镜背有字");
        // One that is planted again is in the ledger.
        book.push(chapter(delta(6, &[("foreshadow", "mirror", json!("planted"))])));
        assert_eq!(book.left_behind(), []);
    }

    #[test]
    fn a_plot_thread_has_its_life_and_the_edits_of_its_words() {
        let mut book = book();
        let mirror = Slug::new("mirror").unwrap();
        let life = [
            r#"ch-001 mirror - -> "planted""#,
            r#"edit 0 mirror.description "" -> "镜背有字""#,
            r#"ch-003 mirror "planted" -> "resolved""#,
        ];
        assert_eq!(told(&book.changes(&Fact::Thread(mirror.clone()))), life);
        // The next volume leaves it behind, and it is known all the same.
        book.push(opening(delta(4, &[])));
        assert_eq!(book.now().ledger.get(&mirror), None);
        assert_eq!(book.thread(&mirror).unwrap().status(), Action::Resolved);
        assert_eq!(told(&book.changes(&Fact::Thread(mirror.clone()))), life);
        assert_eq!(told(&[book.origins(&Fact::Thread(mirror)).remove(0).change]), [life[2]]);
    }

    #[test]
    fn a_present_value_is_from_one_change() {
        let origins = book().origins(&value("characters.lin"));
        let told: Vec<String> = origins
            .iter()
            .map(|origin| format!("{}={} {:?}", origin.keys[2], origin.value, origin.change.cause))
            .collect();
        assert_eq!(
            told,
            [
                r#"location="码头" Chapter(ChapterNo(2))"#,
                r#"mood="决意" Edit(0)"#,
                r#"inventory="船票" Chapter(ChapterNo(3))"#,
            ]
        );
    }

    #[test]
    fn a_chapter_has_the_facts_of_its_own_commit() {
        let book = book();
        assert_eq!(book.as_of(at(2)).now().state.get("characters.lin.mood"), Some(&json!("倦")));
        assert_eq!(book.until(at(2)).now().state.get("characters.lin.mood"), Some(&json!("决意")));
        assert_eq!(book.as_of(at(9)), book);
    }

    /// Operations as a file has them.
    type Ops = Vec<(String, String, Value)>;

    fn any_step() -> impl Strategy<Value = Ops> {
        let op = (prop::sample::select(vec!["set", "add", "remove", "inc"]), "[ab]", "[xyz]", 0u32..3, any::<bool>());
        prop::collection::vec(
            op.prop_map(|(op, who, what, n, whole)| match (op, whole) {
                ("set", true) => ("set".to_owned(), format!("characters.{who}"), json!({what: n})),
                ("set", false) => ("set".to_owned(), format!("characters.{who}.{what}.k{n}"), json!(n)),
                (op, _) => (op.to_owned(), format!("characters.{who}.{what}"), json!(n)),
            }),
            0..4,
        )
    }

    fn chronicle(steps: &[(Ops, bool)]) -> Chronicle {
        let mut book = Chronicle::default();
        for (n, (ops, by_hand)) in steps.iter().enumerate() {
            let ops: Vec<(&str, &str, Value)> =
                ops.iter().map(|(op, path, value)| (op.as_str(), path.as_str(), value.clone())).collect();
            let delta = delta(n as u32 + 1, &ops);
            if *by_hand {
                let mut facts = book.now().clone();
                let _ = delta.merge_into(&mut facts.state, &mut facts.ledger);
                book.set(facts);
            } else {
                book.push(chapter(delta));
            }
        }
        book
    }

    proptest! {
        #[test]
        fn folding_the_changes_of_a_value_gives_what_it_is(
            steps in prop::collection::vec((any_step(), any::<bool>()), 1..8),
            path in prop::sample::select(vec!["characters", "characters.a", "characters.a.x", "characters.b.y.k1"]),
        ) {
            let book = chronicle(&steps);
            let mut tree = Facts::default().state.tree;
            for change in book.changes(&value(path)) {
                prop_assert_eq!(value_at(&tree, &change.keys), change.old.as_ref());
                prop_assert_ne!(&change.old, &change.new);
                prop_assert_eq!(change.ops.is_empty(), matches!(change.cause, Cause::Edit(_)));
                put(&mut tree, &change.keys, change.new.as_ref());
            }
            let Fact::Value(keys) = value(path) else { unreachable!() };
            prop_assert_eq!(value_at(&tree, &keys), value_at(&book.now().state.tree, &keys));
        }

        #[test]
        fn every_present_value_has_an_origin_that_made_it(
            steps in prop::collection::vec((any_step(), any::<bool>()), 1..8),
        ) {
            let book = chronicle(&steps);
            let mut leaves = Vec::new();
            leaves_of(&Value::Object(book.now().state.tree.clone()), &mut Vec::new(), &mut leaves);
            let wanted: usize = leaves.iter().map(|(_, value)| value.as_array().map_or(1, Vec::len)).sum();
            let origins = book.origins(&Fact::Value(Vec::new()));
            prop_assert_eq!(origins.len(), wanted);
            for origin in origins {
                let made = below_of(origin.change.new.as_ref(), &origin.keys[origin.change.keys.len()..]).unwrap();
                prop_assert!(*made == origin.value || made.as_array().is_some_and(|list| list.contains(&origin.value)));
            }
        }

        #[test]
        fn a_chronicle_comes_back_from_its_steps(steps in prop::collection::vec((any_step(), any::<bool>()), 0..8)) {
            let book = chronicle(&steps);
            prop_assert_eq!(Chronicle::from_steps(book.steps().to_vec()), book);
        }
    }

    #[test]
    fn each_edit_is_a_cause_of_its_own() {
        let mut book = Chronicle::default();
        book.push(opening(delta(1, &[("set", "characters.lin.location", json!("北城"))])));
        for place in ["井底", "船上", "南城"] {
            let mut facts = book.now().clone();
            put(&mut facts.state.tree, &["characters".into(), "lin".into(), "location".into()], Some(&json!(place)));
            book.set(facts);
        }
        let causes: Vec<Cause> =
            book.changes(&value("characters.lin.location")).into_iter().map(|change| change.cause).collect();
        assert_eq!(causes, [Cause::Chapter(at(1)), Cause::Edit(0), Cause::Edit(1), Cause::Edit(2)]);
    }
}

#[cfg(test)]
mod subjects_tests {
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
