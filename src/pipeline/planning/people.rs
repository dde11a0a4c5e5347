//! The people of the book, and their retirement from the story.

use super::volume;
use crate::agents::context::chapter::MinorPerson;
use crate::domain::state::Category;
use crate::domain::world::character::Relationship;
use crate::domain::world::retirement::{Blocker, Sought, Ties, blockers_of_person, chapters_with};
use crate::pipeline::book::names;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::done::Done;
use crate::pipeline::engine::run::Run;
use crate::pipeline::prelude::*;
use crate::store::{Body, Remark, key};

/// How many chapters back people are looked for: two or three volumes. A list must not take longer as the book grows.
const LOOK_BACK: u32 = 90;

#[derive(Debug, Clone, PartialEq)]
pub struct Person {
    pub character: Character,
    /// Whether the person has left the story.
    pub retired: bool,
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
pub fn people(book: &Book) -> Result<Vec<Person>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let active = view.characters()?;
    let here = active.len();
    let everybody: Vec<Character> = active.into_iter().chain(view.retired_characters()?).collect();
    let last_seen = last_seen(&view, &everybody)?;
    let people = everybody.into_iter().zip(last_seen).enumerate();
    Ok(people.map(|(at, (character, last_seen))| Person { character, retired: at >= here, last_seen }).collect())
}

/// The people whom the last twenty chapters name and who have no file, those who were named last first. Reads only.
pub fn minor_cast(book: &Book) -> Result<Vec<MinorPerson>, RunError> {
    let view = BookView::new(book.snapshot()?);
    view.minor_cast(view.checkpoint()?.next_chapter(), &|_| true, &view.state()?)
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
    let mut ahead = view.ahead()?;
    for (tip, draft) in volume::drafts_at(book)? {
        let storylines = BookView::new(book.snapshot_of(tip)?).storylines()?;
        let (volume, plan) = (draft.order.volume, draft.plan);
        ahead.push(crate::domain::world::retirement::Ahead { volume, waiting: true, plan, storylines });
    }
    Ok(Ties {
        ledger: view.ledger()?,
        storylines: view.storylines()?,
        ahead,
        written: view.checkpoint()?.last_completed,
    })
}

impl Run<'_> {
    /// The id of the active character that is called so, the author's changes that are in no commit included.
    pub fn character_called(&self, typed: &str) -> Result<Slug, RunError> {
        self.commit_local_changes()?;
        let active = BookView::new(self.session.book().snapshot()?).characters()?;
        Ok(names::character(&active, typed)?.id.clone())
    }

    /// Retires the character that is called so from the story: the files move to those of the retired, and the person's state and
    /// relationships are removed. Mentions in the state of others stay.
    /// Fails with [`RunError::NoSuchCharacter`], [`RunError::NameAmbiguous`], [`RunError::RetiredAlready`], or
    /// [`RunError::PersonNeeded`] with every reason; nothing has changed then.
    pub fn retire(&self, typed: &str, reason: &str) -> Result<Retired, RunError> {
        self.commit_local_changes()?;
        let book = self.session.book();
        let view = BookView::new(book.snapshot()?);
        let (active, retired) = (view.characters()?, view.retired_characters()?);
        let basis = basis(book, &view)?;
        let everybody: Vec<Character> = active.iter().chain(&retired).cloned().collect();
        let named = names::character(&everybody, typed)?;
        let id = &named.id;
        let request = format!("retire {id}\n{reason}");
        let Some(person) = active.iter().find(|person| person.id == *id) else {
            let done = self.done_already(Step::Characters, &request)?;
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
        let done = self.step((Step::Characters, &request), message, change, &view)?;
        Ok(Retired { done, named_in: chapters_with(&sought, &basis) })
    }
}

/// Whether a draft that waits for the author has a change of the person.
fn is_being_changed(book: &Book, snapshot: &Snapshot<'_>, id: &Slug) -> Result<bool, RunError> {
    let path = BookPath::Character { id: id.clone(), retired: false }.path();
    let now = snapshot.read(&path)?;
    for (work, tip) in book.drafts()? {
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
    let before = view.relationships()?;
    let stays = |relation: &&Relationship| relation.from != *id && relation.to != *id;
    let after: Vec<Relationship> = before.iter().filter(stays).cloned().collect();
    if after.len() < before.len() {
        fewer = Some(Remark::Fewer(layout::RELATIONSHIPS.to_owned(), before.len() - after.len()));
        change = view.put(change, layout::RELATIONSHIPS, |was| format::relationships::write(&after, was))?;
    }
    Ok((change, words, fewer))
}
