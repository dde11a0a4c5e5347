//! The characters, made and changed by the character weaver.
//! The people of the book, and their retirement from the story.

use crate::agents::context::chapter::MinorPerson;
use crate::agents::planners::character_weaver;
use crate::agents::{CastRequest, PlanningContext};
use crate::domain::state::Category;
use crate::domain::world::character::Relationship;
use crate::domain::world::contract::CharacterContract;
use crate::domain::world::retirement::{Blocker, Sought, Ties, blockers_of_person, chapters_with};
use crate::domain::world::storyline::Storylines;
use crate::pipeline::book::direct_commit;
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::names;
use crate::pipeline::book::new_names;
use crate::pipeline::book::planning_context;
use crate::pipeline::planning::step::{self, Existing, StepOutcome, closing_of, noted, request_key, require};
use crate::pipeline::planning::volume;
use crate::pipeline::prelude::*;
use crate::store::{self, Body, Remark};
use crate::text::free_slug;
use serde::Serialize;

/// Lets the character weaver make or change characters.
pub async fn make_characters(
    run: &Run<'_>,
    request: &CastRequest,
    existing: Existing,
) -> Result<StepOutcome, RunError> {
    let words = match request {
        CastRequest::First { protagonist } => format!("first\n{protagonist}"),
        CastRequest::Add { wish } => format!("add\n{wish}"),
        CastRequest::Update { id, wish } => format!("update {id}\n{wish}"),
    };
    let (stage, words) = (PlanStage::Characters, request_key(&words, existing));
    let check = |book: &_| may_cast(book, request);
    let taken = step::take_step(run, Work::Step(Step::Characters), &words, check, async |draft| {
        if !draft.has(stage)? {
            let view = BookView::new(draft.snapshot()?);
            let context = planning_context::of_book(&view)?;
            let result = |reading| {
                let (change, words) = cast_change(&view, &context, request, existing, reading)?;
                Ok((noted(change, &context, request.wish()), words))
            };
            let task = Task::Cast { context: &context, request };
            draft.ask(stage, &task, character_weaver::read, result).await?;
        }
        let mut names = draft.words_of(stage)?;
        if names == run.session.book().notation(&StageNote::NobodyNew) {
            names.clear();
        }
        closing_of(draft, Kind::World, Step::Characters, Subject::Characters(names), "")
    });
    taken.await
}

fn may_cast(book: &Book, request: &CastRequest) -> Result<(), RunError> {
    match request {
        CastRequest::First { .. } => require(book, Step::Characters),
        CastRequest::Add { .. } => Ok(()),
        CastRequest::Update { id, .. } => {
            let is_known = files::characters(&BookView::new(book.snapshot()?))?.iter().any(|person| person.id == *id);
            if is_known { Ok(()) } else { Err(RunError::NoSuchCharacter { name: id.to_string(), nearest: None }) }
        }
    }
}

fn cast_change(
    view: &BookView<'_>,
    context: &PlanningContext,
    request: &CastRequest,
    existing: Existing,
    reading: character_weaver::CastReading,
) -> Result<(Change, StageNote), RunError> {
    let first = matches!(request, CastRequest::First { .. });
    let updated = match request {
        CastRequest::Update { id, .. } => Some(id),
        _ => None,
    };
    let most = if first { 3 } else { 1 };
    let retired = files::retired(view)?;
    let mut people = context.characters.clone();
    let mut changed: Vec<Slug> = Vec::new();
    for person in reading.people.into_iter().take(most) {
        let known = people.iter().position(|known| match updated {
            Some(id) => known.id == *id,
            None => known.display_name == person.name || known.former_names.contains(&person.name),
        });
        // A new person never takes the place of one whom the author has described.
        if let (Some(at), None) = (known, updated)
            && !(existing == Existing::Replaced || is_stub(&people[at]))
        {
            continue;
        }
        let taken = |id: &Slug| people.iter().any(|known| known.id == *id) || retired.contains(id);
        let id = match known {
            Some(at) => people[at].id.clone(),
            None => match free_slug(&person.name, &taken) {
                Some(id) => id,
                None => continue,
            },
        };
        let main = context.storylines.lines.first().map(|line| line.id.clone());
        let old = known.map(|at| people[at].clone());
        let contracts = contracts_of(&id, &person.contracts, old.as_ref(), context.last_completed);
        let character = Character {
            id: id.clone(),
            display_name: old.as_ref().map_or_else(|| person.name.clone(), |old| old.display_name.clone()),
            aliases: person.aliases,
            former_names: old.as_ref().map_or_else(Vec::new, |old| old.former_names.clone()),
            role: person
                .role
                .or_else(|| old.as_ref().map(|old| old.role.clone()))
                .unwrap_or_else(|| "supporting".into()),
            storylines: old
                .filter(|old| !old.storylines.is_empty())
                .map_or_else(|| main.into_iter().collect(), |old| old.storylines),
            speech: person.speech,
            profile: format!("# {}\n\n{}", person.name, person.profile.trim()),
            contracts,
        };
        changed.push(id);
        match known {
            Some(at) => people[at] = character,
            None => people.push(character),
        }
    }
    let files = cast_files(view, context, &people, &changed, &reading.relations)?;
    let names: Vec<&str> = people
        .iter()
        .filter(|person| changed.contains(&person.id))
        .map(|person| person.display_name.as_str())
        .collect();
    Ok((files, if names.is_empty() { StageNote::NobodyNew } else { StageNote::Name(names.join("、")) }))
}

/// The files of the changed people, and those of relationships and storylines where they differ from the book's.
fn cast_files(
    view: &BookView<'_>,
    context: &PlanningContext,
    people: &[Character],
    changed: &[Slug],
    relations: &[character_weaver::RelationReading],
) -> Result<Change, RunError> {
    let mut change = Change::default();
    for person in people.iter().filter(|person| changed.contains(&person.id)) {
        let path = layout::character(&person.id);
        change = view
            .put(change, &path, |was| format::character::write(person, was))?
            .put(&layout::profile(&person.id), format::character::write_profile(person));
    }
    let relationships = related(&context.relationships, people, relations);
    if relationships != context.relationships {
        change =
            view.put(change, layout::RELATIONSHIPS, |was| format::character::write_relationships(&relationships, was))?;
    }
    let seen = seen_through(&context.storylines, people);
    if seen != context.storylines {
        change = view.put(change, layout::STORYLINES, |was| format::storylines::write(&seen, was))?;
    }
    Ok(change)
}

/// A character of whom nothing is known but the name and what the author said at `init`.
fn is_stub(person: &Character) -> bool {
    person.contracts.is_empty() && person.speech.trim().is_empty()
}

/// Contracts with their ids: one whose words stay has the id that it had.
fn contracts_of(
    id: &Slug,
    readings: &[character_weaver::ContractReading],
    old: Option<&Character>,
    last_completed: u32,
) -> Vec<CharacterContract> {
    let stem: String = id.as_str().chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_uppercase();
    let known: &[CharacterContract] = old.map_or(&[], |old| &old.contracts);
    let used: BTreeSet<&str> = known.iter().map(|contract| contract.id.as_str()).collect();
    let mut free = (1u32..).map(|n| format!("C-{stem}-{n:03}")).filter(|id| !used.contains(id.as_str()));
    let contract = |reading: &character_weaver::ContractReading| {
        let same = known.iter().find(|contract| contract.rule == reading.rule);
        let reading = same.map_or_else(|| reading.clone(), |contract| reading.of_known(contract));
        CharacterContract {
            id: same.map_or_else(|| free.next().unwrap_or_default(), |contract| contract.id.clone()),
            kind: reading.kind,
            rule: reading.rule,
            exceptions: reading.exceptions,
            valid_from: same
                .map_or(if last_completed == 0 { 1 } else { last_completed + 1 }, |contract| contract.valid_from),
            valid_until: same.and_then(|contract| contract.valid_until),
            update_requires: reading.update_requires,
        }
    };
    readings.iter().map(contract).collect()
}

/// The relationships with those that the agent names, by the names of people whom the book knows.
fn related(
    known: &[Relationship],
    people: &[Character],
    readings: &[character_weaver::RelationReading],
) -> Vec<Relationship> {
    let id = |name: &str| {
        let named = people.iter().find(|person| person.names().any(|own| own == name));
        named.map(|person| person.id.clone())
    };
    let mut all = known.to_vec();
    for reading in readings {
        let (Some(from), Some(to)) = (id(&reading.from), id(&reading.to)) else { continue };
        if from == to {
            continue;
        }
        let new = Relationship { from, to, kind: reading.kind.clone(), note: reading.note.clone() };
        match all.iter_mut().find(|old| old.from == new.from && old.to == new.to) {
            Some(old) => *old = new,
            None => all.push(new),
        }
    }
    all
}

/// The main line is told through the protagonist unless the book says otherwise.
fn seen_through(storylines: &Storylines, people: &[Character]) -> Storylines {
    let mut storylines = storylines.clone();
    let protagonist = people.iter().find(|person| person.role == "protagonist");
    if let (Some(line), Some(protagonist)) = (storylines.lines.first_mut(), protagonist)
        && line.pov_characters.is_empty()
    {
        line.pov_characters.push(protagonist.display_name.clone());
    }
    storylines
}

/// How many chapters back people are looked for: two or three volumes. A list must not take longer as the book grows.
const LOOK_BACK: u32 = 90;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CastMember {
    pub id: Slug,
    pub name: String,
    /// `active`, or `retired` for one who has left the story.
    pub status: &'static str,
    /// Names that the person had before.
    pub former_names: Vec<String>,
    /// `protagonist`, `antagonist`, `supporting`, or the author's word.
    pub role: String,
    /// The last chapter whose text names the person, among the last ninety chapters.
    pub last_seen: Option<ChapterNo>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retired {
    pub done: Done,
    /// Planned chapters that still name the person.
    pub named_in: Vec<Blocker>,
}

/// All characters: the active first, then the retired, each ordered by id. Reads only.
pub fn people(book: &Book) -> Result<Vec<CastMember>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let active = files::characters(&view)?;
    let here = active.len();
    let everybody: Vec<Character> = active.into_iter().chain(files::retired_characters(&view)?).collect();
    let last_seen = last_seen(&view, &everybody)?;
    let people = everybody.into_iter().zip(last_seen).enumerate();
    let person = |(at, (person, last_seen)): (usize, (Character, Option<ChapterNo>))| CastMember {
        id: person.id,
        name: person.display_name,
        status: if at < here { "active" } else { "retired" },
        former_names: person.former_names,
        role: person.role,
        last_seen,
    };
    Ok(people.map(person).collect())
}

/// The people whom the last twenty chapters name and who have no file, those who were named last first. Reads only.
pub fn minor_cast(book: &Book) -> Result<Vec<MinorPerson>, RunError> {
    let view = BookView::new(book.snapshot()?);
    new_names::minor_cast(&view, view.checkpoint()?.next_chapter(), &|_| true, &view.state()?)
}

fn last_seen(view: &BookView<'_>, everybody: &[Character]) -> Result<Vec<Option<ChapterNo>>, RunError> {
    let sought: Vec<Sought<'_>> = everybody.iter().map(|person| Sought::new(person, everybody)).collect();
    let mut seen = vec![None; everybody.len()];
    for (chapter, _) in view.contents()?.iter().rev().take(LOOK_BACK as usize) {
        if seen.iter().all(Option::is_some) {
            break;
        }
        let text = view.chapter(chapter)?.body;
        for (at, sought) in sought.iter().enumerate() {
            if seen[at].is_none() && sought.is_in(&text) {
                seen[at] = Some(chapter);
            }
        }
    }
    Ok(seen)
}

/// The book as far as it is still to be told, the plans that wait for the author included. Reads only.
pub(crate) fn basis(book: &Book, view: &BookView<'_>) -> Result<Ties, RunError> {
    let mut ahead = planning_context::ahead(view)?;
    for (tip, draft) in volume::drafts_at(book)? {
        let storylines = files::storylines(&BookView::new(book.snapshot_of(tip)?))?;
        let (volume, plan) = (draft.order.volume, draft.plan);
        ahead.push(crate::domain::world::retirement::ComingPlan { volume, waiting: true, plan, storylines });
    }
    Ok(Ties {
        ledger: view.ledger()?,
        storylines: files::storylines(view)?,
        ahead,
        written: view.checkpoint()?.last_completed,
    })
}

/// The id of the active character that is called so, the author's changes that are in no commit included.
pub fn character_called(run: &Run<'_>, typed: &str) -> Result<Slug, RunError> {
    hand_edits::commit_local_changes(run)?;
    let active = files::characters(&BookView::new(run.session.book().snapshot()?))?;
    Ok(names::character(&active, typed)?.id.clone())
}

/// Retires the character that is called so from the story: the files move to those of the retired, and the person's state and
/// relationships are removed. Mentions in the state of others stay.
/// Fails with [`RunError::NoSuchCharacter`], [`RunError::NameAmbiguous`], [`RunError::RetiredAlready`], or
/// [`RunError::PersonNeeded`] with every reason; nothing has changed then.
pub fn retire(run: &Run<'_>, typed: &str, reason: &str) -> Result<Retired, RunError> {
    hand_edits::commit_local_changes(run)?;
    let book = run.session.book();
    let view = BookView::new(book.snapshot()?);
    let (active, retired) = (files::characters(&view)?, files::retired_characters(&view)?);
    let basis = basis(book, &view)?;
    let everybody: Vec<Character> = active.iter().chain(&retired).cloned().collect();
    let named = names::character(&everybody, typed)?;
    let id = &named.id;
    let request = format!("retire {id}\n{reason}");
    let Some(person) = active.iter().find(|person| person.id == *id) else {
        let done = step::done_already(run, Step::Characters, &request)?;
        let done = done.ok_or_else(|| RunError::RetiredAlready { id: id.clone() })?;
        return Ok(Retired { done, named_in: chapters_with(&Sought::new(named, &everybody), &basis) });
    };
    let sought = Sought::new(person, &everybody);
    let mut ties = blockers_of_person(&sought, &basis);
    if is_being_changed(book, &view, id)? {
        ties.push(Blocker::Change { id: id.clone() });
    }
    if !ties.is_empty() {
        return Err(RunError::PersonNeeded { id: id.clone(), name: person.display_name.clone(), ties });
    }
    let (change, changed, fewer) = farewell(&view, id)?;
    let body = Body::from(format!("{}\n\n{changed}", reason.trim())).with(fewer);
    let message = Message::new(Kind::Retire, Subject::Retire(person.display_name.clone())).body(body);
    let message = message.trailer(key::CHARACTER, id);
    let done = direct_commit::commit_step(run, (Step::Characters, &request), message, change, &view)?;
    Ok(Retired { done, named_in: chapters_with(&sought, &basis) })
}

/// Whether a draft that waits for the author has a change of the person.
fn is_being_changed(book: &Book, snapshot: &Snapshot<'_>, id: &Slug) -> Result<bool, RunError> {
    let path = BookPath::Character { id: id.clone(), retired: false }.path();
    let now = snapshot.read(&path)?;
    for (work, tip) in store::closing::drafts(book)? {
        if matches!(work, Work::Step(_)) && book.snapshot_of(tip)?.read(&path)? != now {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The change that retires a character, and the same in words, one file a line.
fn farewell(view: &BookView<'_>, id: &Slug) -> Result<(Change, String, Option<Remark>), RunError> {
    let (mut change, mut words, mut fewer) = (Change::default(), String::new(), None);
    let moved = [
        (BookPath::Character { id: id.clone(), retired: false }, BookPath::Character { id: id.clone(), retired: true }),
        (BookPath::Profile { id: id.clone(), retired: false }, BookPath::Profile { id: id.clone(), retired: true }),
    ];
    for (from, to) in moved.map(|(from, to)| (from.path(), to.path())) {
        if let Some(bytes) = view.bytes(&from)? {
            words.push_str(&format!("- {from} -> {to}\n"));
            change = change.remove(&from).put(&to, bytes);
        }
    }
    let mut state = view.state()?;
    let people = state.tree.get_mut(Category::Characters.as_str()).and_then(|people| people.as_object_mut());
    if people.is_some_and(|people| people.shift_remove(id.as_str()).is_some()) {
        words.push_str(&format!("- {}: {}.{id}\n", layout::STATE, Category::Characters));
        change = change.put(layout::STATE, format::state::write(&state));
    }
    let before = files::relationships(view)?;
    let stays = |relation: &&Relationship| relation.from != *id && relation.to != *id;
    let after: Vec<Relationship> = before.iter().filter(stays).cloned().collect();
    if after.len() < before.len() {
        fewer = Some(Remark::Fewer(layout::RELATIONSHIPS.to_owned(), before.len() - after.len()));
        change = view.put(change, layout::RELATIONSHIPS, |was| format::character::write_relationships(&after, was))?;
    }
    Ok((change, words, fewer))
}
