//! Mentions of other storylines in a chapter, found by code: their people, the things and places of these, groups, and
//! foreshadowings.

use super::bullets;
use super::cast::is_planned_here;
use super::named::{named, named_in};
use crate::agents::prelude::*;
use crate::domain::world::storyline::Status;
use crate::text::{self, NameIndex, Named};

const MOST: usize = 20;
/// The most characters of the sentence around a mention.
const QUOTED: usize = 60;
/// Shorter names of things, in characters, are not told from other words.
const SHORTEST: usize = 3;
/// Letters that a foreshadowing and a text do not share by chance.
const SHARED: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MentionKind {
    Person,
    Item,
    Place,
    Faction,
    Foreshadowing,
}

impl MentionKind {
    fn name(self) -> &'static str {
        match self {
            Self::Person => "人物",
            Self::Item => "物件",
            Self::Place => "地点",
            Self::Faction => "势力",
            Self::Foreshadowing => "伏笔",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mentioned {
    pub(crate) kind: MentionKind,
    /// The name in the records, or a foreshadowing's id.
    pub(crate) name: String,
    /// The words in the text.
    pub(crate) form: String,
    /// The storylines, the first one first.
    pub(crate) lines: Vec<Slug>,
    pub(crate) evidence: String,
}

/// The mentions of other storylines in the text, each once, by kind and in the order of the text.
pub(crate) fn mentioned_elsewhere(context: &ChapterContext, text: &str) -> Vec<Mentioned> {
    let foreign = foreign_people(context);
    let things = foreign_things(context, &foreign);
    let people = context.characters.iter().map(named);
    let of_state = named_in(&context.state).filter(|thing| !foreign.contains_key(&thing.id));
    let listed =
        things.keys().map(|name| Named { id: name.clone(), name: name.clone(), aliases: Vec::new(), is_person: false });
    let index = NameIndex::new(&people.chain(of_state).chain(listed).collect::<Vec<_>>());
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for mention in index.mentions(text) {
        let [id] = mention.ids.as_slice() else { continue };
        let known = foreign.get(id).map(|(name, lines)| (MentionKind::Person, name, lines));
        let known = known.or_else(|| things.get(id).map(|(kind, lines)| (*kind, id, lines)));
        let Some((kind, name, lines)) = known.filter(|_| seen.insert(id.clone())) else { continue };
        let (form, evidence) = (mention.form, sentence_at(text, mention.range.start));
        found.push(Mentioned { kind, name: name.clone(), form, lines: lines.clone(), evidence });
    }
    found.extend(foreshadowings(context, text, &index));
    found.sort_by_key(|mentioned| mentioned.kind);
    found
}

/// The mentions for the summarizer, a line each.
pub(crate) fn mentions(context: &ChapterContext, text: &str) -> String {
    bullets(mentioned_elsewhere(context, text).into_iter().take(MOST).map(|mentioned| {
        let Mentioned { kind, name, form, lines, evidence } = mentioned;
        let lines = lines.iter().map(Slug::as_str).collect::<Vec<_>>().join("、");
        let form = if form == name { String::new() } else { format!("，正文作“{form}”") };
        format!("{} {name}（{lines}{form}）：“{}”", kind.name(), clip_line(&evidence, QUOTED))
    }))
}

/// People outside the chapter's line and plan by id, with the name and the lines.
fn foreign_people(context: &ChapterContext) -> BTreeMap<String, (String, Vec<Slug>)> {
    let own = context.storyline();
    let is_foreign = |person: &&Character| !context.storylines.has_on(own, person) && !is_planned_here(context, person);
    let lines = |person: &Character| -> Vec<Slug> {
        let running = context.storylines.lines.iter().filter(|line| line.status != Status::Ended);
        running.filter(|line| line.includes(person)).map(|line| line.id.clone()).collect()
    };
    let people = context.characters.iter().filter(is_foreign);
    let people = people.map(|person| (person.id.to_string(), (person.display_name.clone(), lines(person))));
    people.filter(|(_, (_, lines))| !lines.is_empty()).collect()
}

/// Items, places and groups that the state ties only to such people, by name, or by id where the state names them.
fn foreign_things(
    context: &ChapterContext,
    foreign: &BTreeMap<String, (String, Vec<Slug>)>,
) -> BTreeMap<String, (MentionKind, Vec<Slug>)> {
    let mut tied: BTreeMap<String, (MentionKind, BTreeSet<&str>)> = BTreeMap::new();
    let mut tie = |name: &str, kind: MentionKind, person| {
        if name.chars().count() >= SHORTEST {
            tied.entry(name.to_owned()).or_insert((kind, BTreeSet::new())).1.insert(person);
        }
    };
    for (id, fields) in context.state.entities(Category::Characters) {
        texts(fields.get("inventory")).for_each(|item| tie(item, MentionKind::Item, id));
        texts(fields.get("location")).for_each(|place| tie(place, MentionKind::Place, id));
    }
    let people: Vec<&str> = context.characters.iter().map(|person| person.id.as_str()).collect();
    for (category, kind) in [(Category::Items, MentionKind::Item), (Category::Factions, MentionKind::Faction)] {
        for (id, fields) in context.state.entities(category) {
            let values = fields.as_object().into_iter().flat_map(|fields| fields.values());
            let tied_to = values
                .flat_map(|value| texts(Some(value)))
                .filter_map(|value| people.iter().find(|person| **person == value).copied());
            tied_to.for_each(|person| tie(id, kind, person));
        }
    }
    let lines_of = |(name, (kind, people)): (String, (MentionKind, BTreeSet<&str>))| {
        let lines = people.iter().map(|person| foreign.get(*person).map(|(_, lines)| lines));
        let lines: Option<Vec<&Vec<Slug>>> = lines.collect();
        let lines: BTreeSet<Slug> = lines?.into_iter().flatten().cloned().collect();
        (!lines.is_empty()).then(|| (name, (kind, lines.into_iter().collect())))
    };
    tied.into_iter().filter_map(lines_of).collect()
}

/// The value if it is a text, or the texts of a list.
fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    let list = value.and_then(Value::as_array).into_iter().flatten();
    value.and_then(Value::as_str).into_iter().chain(list.filter_map(Value::as_str))
}

/// Open foreshadowings of other lines that the text mentions: a name of a thing in them, or a passage.
fn foreshadowings(context: &ChapterContext, text: &str, index: &NameIndex) -> Vec<Mentioned> {
    let people: BTreeSet<String> = context.characters.iter().map(|person| person.id.to_string()).collect();
    let is_thing =
        |form: &str, ids: &[String]| form.chars().count() >= SHORTEST && !ids.iter().any(|id| people.contains(id));
    let open = context.ledger.open().filter(|entry| {
        entry.storyline != *context.storyline() && context.section.tasks.iter().all(|task| task.id != entry.id)
    });
    let found = open.filter_map(|entry| {
        let about: Vec<&str> = std::iter::once(&entry.description)
            .chain(entry.history.iter().map(|s| &s.detail))
            .map(String::as_str)
            .collect();
        let about = about.join("\n");
        let name = index.mentions(&about).into_iter().find(|m| is_thing(&m.form, &m.ids) && text.contains(&m.form));
        let passage = || {
            let run = text::longest_shared_run(&about, text, SHARED)?;
            about.get(run.first).map(str::to_owned)
        };
        let form = name.map(|mention| mention.form).or_else(passage)?;
        let at = text.find(&form).unwrap_or_default();
        let (name, lines) = (entry.id.to_string(), vec![entry.storyline.clone()]);
        Some(Mentioned { kind: MentionKind::Foreshadowing, name, form, lines, evidence: sentence_at(text, at) })
    });
    found.collect()
}

fn sentence_at(body: &str, at: usize) -> String {
    let sentence = text::prose_sentences(body).into_iter().rfind(|sentence| sentence.start <= at);
    sentence.map(|sentence| sentence.text().to_owned()).unwrap_or_default()
}
