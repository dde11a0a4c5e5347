//! The things of the book by what the author types: an id or a name. A name that several things have is refused with all of them.
//! The names of the book: those of its people, and those that the state has.
//! How the people of the book speak, by the lines of the last chapters.

use crate::agents::context::cast::cast;
use crate::agents::context::mentions::{named, named_in};
use crate::domain::id::{Reference, called, called_or_part};
use crate::domain::quality::LOOK_BACK;
use crate::domain::state::{Category, State};
use crate::domain::volume::inventory::Inventory;
use crate::domain::world::character::VoiceNote;
use crate::domain::world::storyline::Storylines;
use crate::pipeline::book::files;
use crate::pipeline::prelude::*;
use crate::text::{Lines, NameIndex, NamedEntity, Voice};
use serde_json::Value;

pub fn character<'p>(people: &'p [Character], typed: &str) -> Result<&'p Character, RunError> {
    let things = people.iter().map(|person| (person, person.id.as_str(), person.names().collect()));
    match called(typed, things) {
        Reference::One(person) => Ok(person),
        Reference::Several(people) => {
            Err(ambiguous(typed, people.into_iter().map(|person| (person.id.to_string(), person.display_name.clone()))))
        }
        Reference::Nothing => {
            let known = people.iter().flat_map(|person| person.names().chain([person.id.as_str()]));
            Err(RunError::NoSuchCharacter { name: typed.to_owned(), nearest: nearest(typed, known) })
        }
    }
}

pub fn storyline(storylines: &Storylines, typed: &str) -> Result<Slug, RunError> {
    match storylines.reference(typed) {
        Reference::One(line) => Ok(line.id.clone()),
        Reference::Several(lines) => {
            Err(ambiguous(typed, lines.into_iter().map(|line| (line.id.to_string(), line.name.clone()))))
        }
        Reference::Nothing => {
            let known = storylines.lines.iter().flat_map(|line| [line.name.as_str(), line.id.as_str()]);
            Err(RunError::NoSuchStoryline { name: typed.to_owned(), nearest: nearest(typed, known) })
        }
    }
}

/// The foreshadowing that is called so, or that a part of its description stands for; `None` when there is no such thing.
pub fn foreshadowing(inventory: &Inventory, typed: &str) -> Result<Option<Slug>, RunError> {
    let threads: Vec<_> = inventory
        .threads
        .iter()
        .map(|thread| (thread, thread.id.as_str(), vec![thread.description.as_str()]))
        .collect();
    match called_or_part(typed, &threads) {
        Reference::One(thread) => Ok(Some(thread.id.clone())),
        Reference::Nothing => Ok(None),
        Reference::Several(threads) => {
            let candidates = threads.into_iter().map(|thread| (thread.id.to_string(), thread.description.clone()));
            Err(ambiguous(typed, candidates))
        }
    }
}

/// The volume with that number (`2`, `vol-02`) or with that theme.
/// Fails with [`RunError::UnknownVolume`], [`RunError::NameAmbiguous`]; when the repository cannot be read.
pub fn volume(book: &Book, typed: &str) -> Result<VolumeNo, RunError> {
    if let Ok(volume) = typed.trim().parse() {
        return Ok(volume);
    }
    let view = BookView::new(book.snapshot()?);
    let mut volumes = Vec::new();
    for volume in view.volumes()? {
        // A schedule that cannot be read has no theme; `doctor` reports the file.
        let theme = files::schedule(&view, volume).ok().flatten().map(|schedule| schedule.theme).unwrap_or_default();
        volumes.push((volume, volume.to_string(), theme));
    }
    let things = volumes.iter().map(|(volume, id, theme)| (volume, id.as_str(), vec![theme.as_str()]));
    match called(typed, things) {
        Reference::One(volume) => Ok(*volume),
        Reference::Several(several) => {
            let candidates = volumes.iter().filter(|(volume, ..)| several.contains(&volume));
            Err(ambiguous(typed, candidates.map(|(_, id, theme)| (id.clone(), theme.clone()))))
        }
        Reference::Nothing => {
            let known = volumes.iter().map(|(.., theme)| theme.as_str());
            Err(RunError::UnknownVolume { name: typed.to_owned(), nearest: nearest(typed, known) })
        }
    }
}

fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    text::nearest(typed, known).map(str::to_owned)
}

fn ambiguous(typed: &str, candidates: impl Iterator<Item = (String, String)>) -> RunError {
    RunError::NameAmbiguous { name: typed.trim().to_owned(), candidates: candidates.collect() }
}

/// Everything of the story that has a name: its people, retired ones too, and what this state has.
pub(crate) fn named_with(view: &BookView<'_>, state: &State) -> Result<Vec<NamedEntity>, RunError> {
    let people = files::characters(view)?.into_iter().chain(files::retired_characters(view)?);
    Ok(people.map(|person| named(&person)).chain(named_in(state)).collect())
}

/// The names of people, of storylines and of what the state has, by id; plot threads, rules and contracts by the beginning
/// of their text. A file that cannot be read gives none; `doctor` reports it.
pub fn names_by_id(view: &BookView<'_>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    if let Ok(state) = view.state() {
        for category in Category::ALL {
            let entities = state.entities(*category).map(|(id, _)| (id, state.display_name(*category, id)));
            names.extend(entities.filter(|(id, name)| id != name).map(|(id, name)| (id.to_owned(), name.to_owned())));
        }
    }
    let threads = view.ledger().map(|ledger| ledger.entries).unwrap_or_default();
    names.extend(threads.into_iter().map(|thread| (thread.id.to_string(), thread_name(&thread.description))));
    let volumes = view.volumes().unwrap_or_default().into_iter();
    let planned = volumes.flat_map(|volume| files::planned_foreshadowing(view, volume).unwrap_or_default());
    names.extend(planned.map(|thread| (thread.id.to_string(), thread_name(&thread.description))));
    let rules =
        files::rules(view).unwrap_or_default().into_iter().chain(files::storyline_rules(view).unwrap_or_default());
    names.extend(rules.map(|rule| (rule.id, rule_name(&rule.rule))));
    let lines = files::storylines(view).map(|storylines| storylines.lines).unwrap_or_default();
    names.extend(lines.into_iter().map(|line| (line.id.to_string(), line.name)));
    let people = files::retired_characters(view).unwrap_or_default().into_iter();
    let people = people.chain(files::characters(view).unwrap_or_default());
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
pub(crate) fn all_names(view: &BookView<'_>) -> Result<Vec<String>, RunError> {
    names_with(view, &view.state()?)
}

pub(super) fn names_with(view: &BookView<'_>, state: &State) -> Result<Vec<String>, RunError> {
    let index = NameIndex::new(&named_with(view, state)?);
    let entities = Category::ALL.iter().flat_map(|category| state.entities(*category));
    let at_hand = entities.flat_map(|(_, fields)| things(fields)).filter(|thing| thing.chars().count() > 1);
    Ok(index.forms().map(str::to_owned).chain(at_hand).collect())
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

#[derive(Debug, Clone, PartialEq)]
pub struct PersonVoice {
    pub id: String,
    /// The name in the text.
    pub name: String,
    pub voice: Voice,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Voices {
    /// First and last chapter that were read; `None` without any.
    pub chapters: Option<(ChapterNo, ChapterNo)>,
    /// All lines of these chapters.
    pub lines: usize,
    /// The lines whose speaker is known.
    pub attributed: usize,
    /// The people, those with the most lines first.
    pub people: Vec<PersonVoice>,
    /// The ids of two people who cannot be told apart with the names covered.
    pub alike: Vec<(String, String)>,
}

/// The voices of the last `count` chapters. Reads only.
pub fn voices(book: &Book, count: u32) -> Result<Voices, RunError> {
    let view = BookView::new(book.snapshot()?);
    let everybody: Vec<Character> =
        files::characters(&view)?.into_iter().chain(files::retired_characters(&view)?).collect();
    let next = view.checkpoint()?.next_chapter();
    let texts = view.texts_before(next, count)?;
    let lines = lines_in(&texts, &everybody);
    let of = |person: &Character| {
        let id = person.id.to_string();
        Some(PersonVoice { voice: lines.voice(&id)?, name: person.display_name.clone(), id })
    };
    let mut people: Vec<PersonVoice> = everybody.iter().filter_map(of).collect();
    people.sort_by_key(|person| (std::cmp::Reverse(person.voice.lines), person.id.clone()));
    let ids: Vec<&str> = people.iter().map(|person| person.id.as_str()).collect();
    let alike = lines.alike(&ids).into_iter().map(|(one, other)| (one.to_owned(), other.to_owned())).collect();
    let attributed = people.iter().map(|person| person.voice.lines).sum();
    let chapters = texts.first().zip(texts.last()).map(|((first, _), (last, _))| (*first, *last));
    Ok(Voices { chapters, lines: lines.all, attributed, people, alike })
}

/// The lines of the people in these texts.
fn lines_in(texts: &[(ChapterNo, String)], everybody: &[Character]) -> Lines {
    let named: Vec<NamedEntity> = everybody.iter().map(named).collect();
    let index = NameIndex::new(&named);
    let mut lines = Lines::default();
    texts.iter().for_each(|(_, text)| lines.add(text, &index));
    lines
}

/// Habits of speech of the people of a chapter that come too often in the chapters before it, and pairs of them who cannot be
/// told apart.
pub(super) fn voice_notes(view: &BookView<'_>, context: &ChapterContext) -> Result<Vec<VoiceNote>, RunError> {
    let everybody: Vec<Character> =
        context.characters.iter().cloned().chain(files::retired_characters(view)?).collect();
    Ok(notes_on(context, &lines_in(&view.texts_before(context.chapter, LOOK_BACK)?, &everybody)))
}

/// Habits of speech of the people of a chapter that come too often in these `lines` of the chapters before it, the most frequent of
/// each person first, and pairs of them who cannot be told apart.
fn notes_on(context: &ChapterContext, lines: &Lines) -> Vec<VoiceNote> {
    let here: Vec<Slug> = cast(context, "").everyone().into_iter().map(|person| person.id.clone()).collect();
    let mut notes = Vec::new();
    for person in &here {
        let Some(voice) = lines.voice(person.as_str()) else { continue };
        notes.extend(voice.tics.iter().map(|tic| VoiceNote::Tic {
            person: person.clone(),
            words: tic.words.clone(),
            kind: tic.kind,
            times: tic.times,
            lines: voice.lines,
        }));
    }
    let ids: Vec<&str> = here.iter().map(Slug::as_str).collect();
    let slug = |id: &str| here.iter().find(|person| person.as_str() == id).cloned();
    let alike = lines.alike(&ids).into_iter().filter_map(|(one, other)| Some((slug(one)?, slug(other)?)));
    notes.extend(alike.map(|people| VoiceNote::Alike { people }));
    notes
}
