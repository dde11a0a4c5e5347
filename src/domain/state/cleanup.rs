//! Entries of the state that nothing needs at a volume's end (orchestrator chapter §8.5), proposed to the author, who
//! decides. In doubt an entry stays.

use crate::domain::notation::{BadText, stands_as_text};
use crate::domain::prelude::*;
use crate::domain::state::{Category, Delta, Op, State};
use crate::domain::volume::foreshadowing::Ledger;
use crate::domain::world::character::Character;
use crate::domain::world::storyline::{Status, Storylines};

/// A shorter name, in characters, occurs in every text.
const SHORTEST_NAME: usize = 2;
const FORGETTABLE: [Category; 3] = [Category::Items, Category::Locations, Category::Factions];

named! {
    /// Why an entry is no longer needed.
    pub enum CleanupReason {
        Retired = "retired",
        /// No open foreshadowing, running storyline, active character or chapter of the volume mentions the entry.
        Forgotten = "forgotten",
    }
}

/// An entry of the state: `items.old-ledger`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StateEntry {
    pub category: Category,
    pub id: String,
}

impl fmt::Display for StateEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.category, self.id)
    }
}

impl FromStr for StateEntry {
    type Err = BadText;

    fn from_str(text: &str) -> Result<Self, BadText> {
        let parts = text.split_once('.').filter(|(_, id)| !id.is_empty());
        let (category, id) = parts.ok_or_else(|| BadText::Entry(text.to_owned()))?;
        Ok(Self { category: category.parse()?, id: id.to_owned() })
    }
}

stands_as_text!(StateEntry);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Leftover {
    #[serde(rename = "path")]
    pub entry: StateEntry,
    pub reason: CleanupReason,
}

impl fmt::Display for Leftover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entry.fmt(f)
    }
}

/// The texts and records of the story at a volume's end.
#[derive(Debug, Clone, Copy)]
pub struct StoryRecords<'a> {
    pub state: &'a State,
    pub ledger: &'a Ledger,
    pub storylines: &'a Storylines,
    pub active: &'a [Character],
    /// Characters who have left the story.
    pub retired: &'a BTreeSet<Slug>,
    pub deltas: &'a [&'a Delta],
    /// The memories of the storylines, and the volume's chapters with their summaries.
    pub texts: &'a [String],
}

/// The entries that may go, ordered by category and id.
pub fn leftovers(memory: &StoryRecords<'_>) -> Vec<Leftover> {
    let state = memory.state;
    let gone = state.entities(Category::Characters).filter(|(id, _)| memory.is_retired(id));
    let mut found: Vec<Leftover> = gone
        .map(|(id, _)| StateEntry { category: Category::Characters, id: id.to_owned() })
        .map(|entry| Leftover { entry, reason: CleanupReason::Retired })
        .collect();
    let corpus = memory.corpus();
    for category in FORGETTABLE {
        for (id, fields) in state.entities(category) {
            if !memory.needs(id, fields, &corpus) {
                found.push(Leftover {
                    entry: StateEntry { category, id: id.to_owned() },
                    reason: CleanupReason::Forgotten,
                });
            }
        }
    }
    found.sort();
    found
}

/// The state without those entries; the version stays.
pub fn swept(state: &State, leftovers: &[Leftover]) -> State {
    let mut swept = state.clone();
    for StateEntry { category, id } in leftovers.iter().map(|left| &left.entry) {
        if let Some(Value::Object(entries)) = swept.tree.get_mut(category.as_str()) {
            entries.shift_remove(id);
        }
    }
    swept
}

/// The checkpoint's entry while the author has not answered.
pub fn pending(volume: VolumeNo) -> String {
    format!("clean up {volume}")
}

impl StoryRecords<'_> {
    fn is_retired(&self, id: &str) -> bool {
        let is_active = self.active.iter().any(|person| person.id.as_str() == id);
        !is_active && self.retired.iter().any(|retired| retired.as_str() == id)
    }

    fn needs(&self, id: &str, fields: &Value, corpus: &[String]) -> bool {
        let mut names = vec![id];
        let named = ["display_name", "name"].iter().filter_map(|field| fields.get(field)?.as_str());
        names.extend(named.map(str::trim).filter(|name| name.chars().count() >= SHORTEST_NAME));
        let said = words(fields);
        corpus.iter().any(|text| names.iter().any(|name| text.contains(name)))
            || self.active.iter().any(|person| person.is_named_in(&said))
    }

    /// All texts that would mention a needed entry.
    fn corpus(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.texts.to_vec();
        for entry in self.ledger.open() {
            texts.push(format!("{}\n{}", entry.id, entry.description));
            texts.extend(entry.history.iter().map(|step| step.detail.clone()));
        }
        for line in self.storylines.lines.iter().filter(|line| line.status != Status::Ended) {
            texts.push(format!("{}\n{}\n{}\n{}", line.id, line.name, line.description, line.factions.join("\n")));
        }
        for person in self.active {
            texts.push(format!("{}\n{}", person.profile, person.speech));
            texts.extend(person.contracts.iter().map(|contract| contract.rule.clone()));
        }
        let people = self.state.entities(Category::Characters).filter(|(id, _)| !self.is_retired(id));
        texts.extend(people.map(|(_, fields)| words(fields)));
        texts.extend(self.state.tree.get(Category::WorldState.as_str()).map(words));
        for op in self.deltas.iter().flat_map(|delta| &delta.ops) {
            texts.push(op.path_text());
            if let Op::Set { value, .. } | Op::Add { value, .. } | Op::Remove { value, .. } = op {
                texts.push(words(value));
            }
        }
        texts
    }
}

/// All keys and texts of a value, one a line.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(words).collect::<Vec<_>>().join("\n"),
        Value::Object(map) => {
            map.iter().map(|(key, below)| format!("{key}\n{}", words(below))).collect::<Vec<_>>().join("\n")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ChapterNo;
    use crate::domain::volume::foreshadowing::{Action, ForeshadowOp};
    use crate::domain::world::storyline::{Reach, Storyline};
    use proptest::prelude::*;
    use serde_json::json;

    fn slug(text: &str) -> Slug {
        Slug::new(text).unwrap()
    }

    fn state(tree: Value) -> State {
        State { version: 8, last_updated_chapter: 8, tree: tree.as_object().unwrap().clone() }
    }

    /// A world in which the mirror is foreshadowed, the pier is on a line, the ledger is held, and the ticket was used.
    fn world() -> State {
        state(json!({
            "characters": {"shen-du": {"inventory": ["old-ledger"]}, "a-qi": {"location": "石阶"}, "stranger": {}},
            "items": {"mirror": {}, "old-ledger": {}, "ticket": {}, "lamp": {"name": "纸灯笼"}, "rope": {"holder": "shen-du"}},
            "locations": {"pier": {}, "mill": {"display_name": "水磨坊"}},
            "factions": {"salt-gang": {}, "ferrymen": {}},
            "world_state": {"ongoing_events": ["灯市"]},
            "active_foreshadowing": ["mirror"]
        }))
    }

    fn hero() -> Character {
        Character {
            id: slug("shen-du"),
            display_name: "沈渡".into(),
            aliases: vec![],
            former_names: vec![],
            role: "protagonist".into(),
            storylines: vec![],
            speech: String::new(),
            profile: "不会水的摆渡人，欠着 ferrymen 一条船".into(),
            contracts: vec![],
        }
    }

    fn with_world<T>(state: &State, see: impl FnOnce(&StoryRecords<'_>) -> T) -> T {
        let mut ledger = Ledger::default();
        let op = ForeshadowOp {
            id: slug("mirror"),
            action: Action::Planted,
            detail: "镜".into(),
            scope: None,
            target: None,
        };
        ledger.apply(&op, ChapterNo::FIRST, &slug("main-arc")).unwrap();
        let line = Storyline {
            id: slug("main-arc"),
            name: "主线".into(),
            kind: "main_arc".into(),
            reach: Reach::Novel,
            status: Status::Active,
            pov_characters: vec![],
            factions: vec![],
            timeline: "present".into(),
            description: "从 pier 到对岸".into(),
            introduced: None,
        };
        let storylines = Storylines { lines: vec![line], relations: vec![] };
        let used = Op::Set { path: "items.ticket.used".parse().unwrap(), value: true.into() };
        let delta = Delta {
            chapter: ChapterNo::FIRST,
            base_version: 0,
            storyline: slug("main-arc"),
            ops: vec![used],
            skipped: None,
            text: None,
        };
        see(&StoryRecords {
            state,
            ledger: &ledger,
            storylines: &storylines,
            active: &[hero()],
            retired: &BTreeSet::from([slug("a-qi"), slug("shen-du")]),
            deltas: &[&delta],
            texts: &["他在水磨坊门口站了一夜".to_owned()],
        })
    }

    #[test]
    fn only_what_nothing_mentions_and_who_has_left_is_proposed() {
        let state = world();
        let found = with_world(&state, leftovers);
        let shown: Vec<String> = found.iter().map(|left| format!("{left} {}", left.reason)).collect();
        assert_eq!(shown, ["characters.a-qi retired", "items.lamp forgotten", "factions.salt-gang forgotten"]);
        let after = swept(&state, &found);
        assert_eq!((after.version, after.get("items.lamp"), after.get("characters.a-qi")), (8, None, None));
        assert!(after.get("items.mirror").is_some() && after.get("world_state.ongoing_events").is_some());
        assert_eq!(with_world(&after, leftovers), [], "what is swept once needs no second time");
    }

    proptest! {
        #[test]
        fn sweeping_removes_the_proposed_entries_and_nothing_else(ids in prop::collection::btree_set("[a-z]{3,8}", 0..8)) {
            let items: serde_json::Map<String, Value> = ids.iter().map(|id| (id.clone(), json!({}))).collect();
            let mut tree = world().tree;
            tree.insert("items".into(), Value::Object(items));
            let before = State { version: 3, last_updated_chapter: 3, tree };
            let found = with_world(&before, leftovers);
            let after = swept(&before, &found);
            for category in Category::ALL {
                for (id, fields) in before.entities(*category) {
                    let goes = found.iter().any(|left| left.entry.category == *category && left.entry.id == id);
                    let kept = after.entities(*category).find(|(other, _)| *other == id).map(|(_, fields)| fields);
                    prop_assert_eq!(kept, (!goes).then_some(fields));
                }
            }
        }
    }
}
