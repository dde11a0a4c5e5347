//! The subject of one chapter, read from the book: its people, its place, and how its outline is told.
//! An outline is played in scenes, never copied. A line that the offline planner wrote is known by the words of its
//! pattern, and the scene that was written for that pattern is played; any other line has a scene that fits every line.

use crate::agents::ChapterContext;
use crate::agents::offline::phrases::{Stock, expand, phrase, seed, sentences, words};
use crate::agents::prelude::*;
use crate::domain::volume::outline::ThreadTask;
use crate::text::consistency::death;
use crate::text::{is_han, slug_of};

/// The longest stretch of an outline field that a summary repeats, in characters.
const LONGEST: usize = 44;

pub(super) struct ScenePerson {
    /// `None` for passers-by.
    pub(super) id: Option<Slug>,
    pub(super) name: String,
    /// 他 or 她, as far as the profile tells.
    pub(super) pronoun: &'static str,
}

impl ScenePerson {
    fn of(character: &Character) -> Self {
        let female = ["女", "她", "姑娘", "夫人", "母亲", "妻"].iter().any(|cue| character.profile.contains(cue));
        let name = phrase(&character.display_name, 16).unwrap_or_else(|| character.id.to_string());
        Self { id: Some(character.id.clone()), name, pronoun: if female { "她" } else { "他" } }
    }
}

/// Paragraphs, in the steps in which they are told.
type Steps = Vec<Vec<String>>;
/// The other person in a scene, and the words of slots.
type SlotWords<'w> = (&'w ScenePerson, &'w [(&'w str, &'w str)]);

/// A line of the outline, and the text that tells it.
#[derive(Default)]
pub(super) struct OutlineText {
    /// The line in the words of the outline.
    pub(super) plan: String,
    pub(super) steps: Steps,
}

impl OutlineText {
    pub(super) fn is_in(&self, body: &str) -> bool {
        let mut told = self.steps.iter().flatten().flat_map(|paragraph| sentences(paragraph));
        told.any(|sentence| words(sentence) > 4 && body.contains(sentence))
    }
}

/// How far a text has come in the list of each slot; under no name stands the place at which it begins with a list.
pub(super) type Props = BTreeMap<String, usize>;

/// The people and things of one chapter, and the parts of its outline that are told.
pub(super) struct Scenario {
    pub(super) stock: Stock,
    pub(super) seed: u64,
    /// The chapter's place in the schedule of patterns. One that is written again has another place.
    pub(super) turn: usize,
    /// The point-of-view character first, then one at least.
    pub(super) people: Vec<ScenePerson>,
    pub(super) place: String,
    pub(super) day: String,
    /// The thing that the chapter turns on.
    pub(super) thing: String,
    /// Names of things that its outline may speak of.
    things: Vec<String>,
    pub(super) conflict: OutlineText,
    pub(super) hints: Vec<(Action, OutlineText)>,
    pub(super) changes: Vec<OutlineText>,
}

impl Scenario {
    /// Reads the material of the chapter.
    pub(super) fn of(context: &ChapterContext) -> Self {
        let stock = Stock::of(&context.config);
        let field = |field| context.section.field(field);
        let (number, editions) = (context.chapter.get(), context.editions);
        let turn = number as usize + editions as usize * 5;
        let is_mark = |c| "\n；/（(、，,→".contains(c);
        let mut parts = field(Field::Location).split(is_mark).filter_map(|part| phrase(part, 16));
        let place = parts.next().unwrap_or_else(|| "旧渡口".to_owned());
        let is_time = |part: &String| part.len() <= 30 && part.contains(|c| "周月号初夜早晚午时后前天".contains(c));
        let hour = parts.find(is_time).unwrap_or_default();
        let (months, days) = (stock.pool("月"), stock.pool("日"));
        let today = seed(&[&context.config.title]) as usize % 360 + number as usize * 2;
        let day = format!("{}{}", months[today / days.len() % 12], days[today % days.len()]);
        let tasks = context.section.tasks.iter().filter_map(|task| thing_in(task.detail.split_once('：')?.0));
        // A chapter of the volume may be called like the thing that this one is about.
        let titles = context.outline.sections.iter().filter_map(|known| thing_in(&known.title));
        let titles = titles.filter(|title| field(Field::Conflict).contains(title));
        let stocked = stock.pool("plan thing").into_iter().filter_map(|line| Some(line.split_once(' ')?.1.to_owned()));
        let things: Vec<String> = tasks.chain(titles).chain(stocked).collect();
        let thing = [Field::Conflict, Field::StateChanges].into_iter().find_map(|it| thing_of(&things, field(it)));
        let mut scenario = Self {
            seed: seed(&[&context.config.title, &number.to_string(), context.storyline().as_str()])
                ^ u64::from(editions),
            turn,
            people: cast(context, &stock),
            place,
            day: if hour.contains(['周', '月', '号', '初']) { hour } else { format!("{day}{hour}") },
            thing: thing.unwrap_or(&things[turn % things.len()]).to_owned(),
            things,
            conflict: OutlineText::default(),
            hints: Vec::new(),
            changes: Vec::new(),
            stock,
        };
        scenario.conflict = scenario.told("conflict", field(Field::Conflict), turn).unwrap_or_default();
        let tasks = context.section.tasks.iter().take(4).zip(turn * 3..);
        scenario.hints = tasks.filter_map(|(task, index)| scenario.hint(task, index)).collect();
        let changes = field(Field::StateChanges).split(['\n', '；', ';', '。']);
        // An arrival is told by the whole chapter.
        let changes = changes.map(|line| line.trim_matches(['-', '*', ' '])).filter(|line| !line.contains("到了"));
        let changes = changes.filter(|line| !line.is_empty()).take(2).zip(turn * 2..);
        scenario.changes = changes.filter_map(|(line, index)| scenario.told("change", line, index)).collect();
        scenario
    }

    /// How the chapter tells a task of its foreshadowing: a thing, a colon, and the truth about the thing.
    fn hint(&self, task: &ThreadTask, index: usize) -> Option<(Action, OutlineText)> {
        let (thing, truth) = task.detail.split_once('：').unwrap_or((&self.thing, &task.detail));
        let (thing, truth) = (thing_in(thing).unwrap_or_else(|| self.thing.clone()), phrase(truth, LONGEST)?);
        // Only the last step tells the truth.
        let plan = match task.action {
            Action::Planted => format!("{thing}露出线头"),
            Action::Advanced => format!("{thing}的底细还没有揭开"),
            Action::Resolved => phrase(&task.detail, LONGEST)?,
        };
        let ways = self.stock.pool(task.action.as_str());
        Some((task.action, self.played(&plan, &ways, index, &[("物", &thing), ("底", &truth)])?))
    }

    /// One of the ways of telling a line; `own` are words of its slots.
    fn played(&self, line: &str, ways: &[&str], index: usize, own: &[(&str, &str)]) -> Option<OutlineText> {
        let (way, turn) = (ways[index % ways.len()], index / ways.len());
        let mut props = Props::from([(String::new(), index * 7 + ways.len())]);
        let steps = self.written(way, turn, (&self.people[1], own), &mut props);
        Some(OutlineText { plan: phrase(line, LONGEST)?, steps })
    }

    /// Tells a line; of the scenes that fit any line, `index` says which.
    fn told(&self, kind: &str, line: &str, index: usize) -> Option<OutlineText> {
        let patterns = self.stock.pool(&format!("plan {kind}"));
        // The words of a pattern are those outside of its slots.
        let is_of = |pattern: &&str| pattern.split(['[', ']']).step_by(2).all(|words| line.contains(words));
        let (ways, round) = match patterns.iter().position(is_of) {
            Some(at) => (self.stock.pool(kind)[at].split(" || ").collect(), self.turn / patterns.len()),
            None => (self.stock.pool(&format!("{kind} any")), index),
        };
        let thing = thing_of(&self.things, line).unwrap_or(&self.thing);
        self.played(line, &ways, round, &[("物", thing)])
    }

    pub(super) fn written(
        &self,
        pattern: &str,
        turn: usize,
        (partner, own): SlotWords<'_>,
        props: &mut Props,
    ) -> Steps {
        // A thing stays the same within a conversation; how people stand, speak and count does not.
        let keeps = |slot: &str| pattern.contains(" / ") && !["身", "语", "久", "数", "序"].contains(&slot);
        let mut kept: BTreeMap<String, String> = BTreeMap::new();
        let start = props.get("").copied().unwrap_or_default();
        let mut next = |slot: &str| {
            let place = props.entry(slot.to_owned()).or_insert(start);
            *place += 1;
            self.stock.pick(slot, *place).to_owned()
        };
        let text = expand(pattern, turn, &mut |slot| {
            if let Some((_, words)) = own.iter().find(|(name, _)| *name == slot) {
                return (*words).to_owned();
            }
            match slot {
                "主" => self.people[0].name.clone(),
                "他" => self.people[0].pronoun.to_owned(),
                "客" => partner.name.clone(),
                "伊" => partner.pronoun.to_owned(),
                "地" => self.place.clone(),
                "辰" => self.day.clone(),
                "物" | "事" => self.thing.clone(),
                _ if keeps(slot) => kept.entry(slot.to_owned()).or_insert_with(|| next(slot)).clone(),
                _ => next(slot),
            }
        });
        text.split(" >> ").map(|step| step.split(" / ").map(str::to_owned).collect()).collect()
    }
}

/// The point-of-view character and at least one other: those whom the outline names, in the order of its conflict,
/// and a passer-by where it names none. The dead do not act, whatever the outline says.
fn cast(context: &ChapterContext, stock: &Stock) -> Vec<ScenePerson> {
    let is_dead = |id: &Slug| {
        let mut people = context.state.entities(Category::Characters);
        people.any(|(other, fields)| other == id.as_str() && death(fields).is_some())
    };
    let stranger = |name: &str| ScenePerson { id: slug_of(name), name: name.to_owned(), pronoun: "他" };
    let mut living: Vec<&Character> = context.characters.iter().filter(|person| !is_dead(&person.id)).collect();
    let eyes = context.section.field(Field::Pov).split(['、', '，', ',', '；', '（', '(', '/', '\n']).next();
    let eyes = eyes.and_then(|eyes| phrase(eyes, 16));
    let named = eyes.as_ref().and_then(|eyes| living.iter().find(|person| person.is_named_in(eyes)));
    let unknown = eyes.as_ref().filter(|name| !context.characters.iter().any(|person| person.is_named_in(name)));
    let unknown = unknown.map(|name| stranger(name)).filter(|person| !person.id.as_ref().is_some_and(is_dead));
    let (line, lines) = (context.storyline(), &context.storylines);
    let here = living.iter().filter(|person| lines.has_on(line, person) || lines.home_of(person).is_none());
    let here = here.min_by_key(|person| !person.role.contains("protagonist")).map(|person| ScenePerson::of(person));
    let pov = named.map(|person| ScenePerson::of(person)).or(unknown).or(here).unwrap_or_else(|| stranger("沈渡"));
    let listed = |id: &Slug| context.contract.as_ref().is_some_and(|contract| contract.characters.contains(id));
    living.retain(|person| person.is_named_in(&context.section.source) || listed(&person.id));
    let mut people: Vec<ScenePerson> =
        living.into_iter().map(ScenePerson::of).filter(|person| person.name != pov.name).collect();
    people.insert(0, pov);
    people.truncate(4);
    let conflict = context.section.field(Field::Conflict);
    people[1..].sort_by_key(|person| conflict.find(&person.name).unwrap_or(usize::MAX));
    let passer = stock.pick("路人", context.chapter.get() as usize);
    if people.len() < 2 || conflict.contains(passer) {
        people.insert(1, ScenePerson { id: None, ..stranger(passer) });
    }
    people
}

/// The first of these things that a text names.
fn thing_of<'t>(things: &'t [String], text: &str) -> Option<&'t str> {
    things.iter().map(String::as_str).find(|thing| text.contains(thing))
}

/// The thing that a text names with its first clause, if that is short.
pub(super) fn thing_in(text: &str) -> Option<String> {
    let clause = text.split(|c: char| !is_han(c)).next()?;
    ((2..=8).contains(&clause.chars().count()) && !clause.contains(['他', '她'])).then(|| clause.to_owned())
}
