//! A person's new name: the old one is known from then on, plans and records have the new one, and chapters on request. One
//! transaction.

use super::settled::{earlier, settled};
use crate::domain::book::checkpoint::Checkpoint;
use crate::domain::book::work::{Step, Work};
use crate::domain::impact::renames;
use crate::domain::state::Delta;
use crate::domain::world::character::Character;
use crate::domain::{ChapterNo, Slug};
use crate::pipeline::book::names;
use crate::pipeline::book::new_names::NewNames;
use crate::pipeline::book::on_disk::view_on_disk;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::commits::BookCommit;
use crate::pipeline::engine::done::Done;
use crate::pipeline::engine::error::{RenameError, RunError};
use crate::pipeline::engine::event::{Event, Warning};
use crate::pipeline::engine::run::Run;
use crate::pipeline::engine::trailer::STEP;
use crate::store::format::rename::{Reach, renamed};
use crate::store::layout::{self, BookPath};
use crate::store::{Book, Change, Kind, Message, Subject, format, key};
use crate::text::{self, NameIndex, Named, Renaming, Replacement};
use std::collections::BTreeSet;

/// The order to rename a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenameOrder {
    /// The person, by id or by a name.
    pub person: String,
    pub to: String,
    /// Aliases, each with the one that takes its place. The others stay.
    pub aliases: Vec<(String, String)>,
    pub reach: Reach,
}

/// Old names in a chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrences {
    pub chapter: ChapterNo,
    pub count: usize,
    /// Occurrences among them that stay, because the text may mean something else.
    pub doubtful: usize,
    /// The sentence with the first one.
    pub quotation: String,
}

/// The outcome, or what it would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    pub id: Slug,
    /// The name before.
    pub was: String,
    pub to: String,
    /// Aliases, which stay.
    pub aliases: Vec<String>,
    /// Every name that is no longer used.
    pub former_names: Vec<String>,
    pub reach: Reach,
    /// The written chapters that have old names, before the change.
    pub chapters: Vec<Occurrences>,
    /// Longer names that hold an old one and stay.
    pub longer: Vec<String>,
    /// Files that change.
    pub files: usize,
    /// The commit; `None` for a preview, and where nothing changes.
    pub done: Option<Done>,
}

/// A change of a name by hand that the plans have not followed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenamedByHand {
    pub id: Slug,
    pub was: String,
    pub is: String,
    /// Whether one of the last chapters has the old name.
    pub in_chapters: bool,
}

/// The outcome of the order on the book as it is on disk. Reads only.
pub fn preview(book: &Book, order: &RenameOrder) -> Result<Renamed, RunError> {
    let view = view_on_disk(book)?;
    Operation::of(book, &view, order)?.outcome().map(|(_, outcome)| outcome)
}

/// Chapters back in which an old name is looked for: a look must not take longer as the book grows.
const LOOK_BACK: usize = 90;

/// The people whose names have changed by hand since the plans were settled, and not by `novel character rename`. Reads only.
pub(crate) fn by_hand(book: &Book, now: &BookView<'_>) -> Result<Vec<RenamedByHand>, RunError> {
    let mut found = Vec::new();
    for (id, was, is) in since_settled(book, now)? {
        let mut in_chapters = false;
        for (chapter, _) in now.contents()?.iter().rev().take(LOOK_BACK) {
            in_chapters = in_chapters || now.chapter(chapter)?.body.contains(&was);
        }
        found.push(RenamedByHand { id, was, is, in_chapters });
    }
    Ok(found)
}

/// The people whose names have changed since the plans were settled, each with the old and the new name.
fn since_settled(book: &Book, now: &BookView<'_>) -> Result<Vec<(Slug, String, String)>, RunError> {
    let base = settled(book, None)?;
    let of_people = |path: &str| path.starts_with(layout::ACTIVE_CHARACTERS);
    if !now.changed_in(&["characters"], Some(&book.snapshot_of(base)?))?.iter().any(|path| of_people(path)) {
        return Ok(Vec::new());
    }
    let earlier = earlier(book, base, &of_people, now)?;
    Ok(renames(&earlier.characters()?, &now.characters()?))
}

impl Run<'_> {
    /// Carries the order out. Nothing is committed where nothing changes.
    /// Fails with [`RunError::Rename`], [`RunError::NoSuchCharacter`], [`RunError::NameAmbiguous`]; nothing has changed then.
    pub fn rename(&self, order: &RenameOrder) -> Result<Renamed, RunError> {
        self.commit_local_changes()?;
        let book = self.session.book();
        let view = BookView::new(book.snapshot()?);
        let operation = Operation::of(book, &view, order)?;
        let (mut change, outcome) = operation.outcome()?;
        if change == Change::default() {
            return Ok(outcome);
        }
        if order.reach == Reach::Chapters {
            let after = BookView::new(book.snapshot_with(&change)?);
            let recorded = after.recorded_checkpoint()?;
            let checkpoint = Checkpoint { time: self.calls.clock.rfc3339(), ..after.corrected(recorded)? };
            change = after.put_checkpoint(change, &checkpoint)?;
        }
        let subject = Subject::Renamed(operation.was.clone(), order.to.clone());
        let message = Message::new(Kind::Plan, subject)
            .trailer(STEP, Step::Characters)
            .trailer(key::CHARACTER, &operation.person.id)
            .trailer(key::RENAMED, &operation.names);
        let commit = BookCommit::new(self, Work::Step(Step::Characters), message, change, &view).make()?;
        Ok(Renamed { done: Some(commit.into()), ..outcome })
    }

    /// Notes the old names of people whom the author has renamed by hand, so that they are known as the same people.
    pub(crate) fn keep_old_names(&self) -> Result<(), RunError> {
        let book = self.session.book();
        for (id, was, is) in since_settled(book, &BookView::new(book.snapshot()?))? {
            let view = BookView::new(book.snapshot()?);
            let everybody = view.characters()?;
            // The old name may be another person's now.
            if everybody.iter().any(|person| person.is_called(&was)) {
                continue;
            }
            let Some(mut person) = everybody.into_iter().find(|person| person.id == id) else { continue };
            person.former_names.push(was.clone());
            let path = layout::character(&id);
            let change = view.put(Change::default(), &path, |bytes| format::character::write(&person, bytes))?;
            let message = Message::new(Kind::Plan, Subject::Renamed(was.clone(), is.clone()));
            let message = message.trailer(key::CHARACTER, &id);
            let _ = BookCommit::new(self, Work::Step(Step::Characters), message, change, &view).make()?;
            self.tell(Event::Warning { work: Work::Step(Step::Characters), warning: Warning::Renamed { id, was, is } });
        }
        Ok(())
    }
}

/// The order on one version of the book.
struct Operation<'v, 'b> {
    book: &'b Book,
    view: &'v BookView<'b>,
    reach: Reach,
    path: String,
    /// The name that the person had.
    was: String,
    /// The person with the new names.
    person: Character,
    names: NewNames,
    renaming: Renaming,
}

impl<'v, 'b> Operation<'v, 'b> {
    fn of(book: &'b Book, view: &'v BookView<'b>, order: &RenameOrder) -> Result<Self, RunError> {
        if let Some((work, _)) = book.drafts()?.into_iter().next() {
            return Err(RenameError::DraftOpen(work).into());
        }
        let active = view.characters()?;
        let by_hand = since_settled(book, view)?;
        let retired = !active.iter().any(|person| person.is_called(&order.person));
        let everybody = [active, view.retired_characters()?].concat();
        let mut person = names::character(&everybody, &order.person)?.clone();
        let before = by_hand.into_iter().find(|(id, ..)| *id == person.id).map(|(_, was, _)| was);
        person.former_names.extend(before.filter(|was| !person.is_called(was)));
        let new = order.aliases.iter().map(|(_, is)| is).chain([&order.to]);
        for name in new {
            if let Some(other) = everybody.iter().find(|other| other.id != person.id && other.is_called(name)) {
                return Err(RenameError::Taken { name: name.clone(), by: other.display_name.clone() }.into());
            }
        }
        let was = person.former_names.last().filter(|_| person.display_name == order.to).cloned();
        let was = was.unwrap_or_else(|| person.display_name.clone());
        if person.display_name != order.to {
            person.rename(&order.to);
        }
        for (alias, is) in &order.aliases {
            if person.aliases.contains(alias) {
                person.rename_alias(alias, is);
            } else if !person.former_names.contains(alias) {
                return Err(RenameError::NoAlias { name: alias.clone(), aliases: person.aliases }.into());
            }
        }
        let replacement = |former: &String| {
            let alias = order.aliases.iter().find(|(was, _)| was == former);
            Replacement {
                was: former.clone(),
                is: alias.map_or_else(|| order.to.clone(), |(_, is)| is.clone()),
                is_full: alias.is_none(),
            }
        };
        // A name of one character is in every text.
        let former = person.former_names.iter().filter(|former| former.chars().count() > 1);
        let mut names: Vec<Replacement> = former.map(replacement).collect();
        names.sort_by_key(|name| !name.is_full);
        let mut others = view.named_with(&view.state()?)?;
        others.retain(|named| named.id != person.id.as_str());
        let longer = unregistered(view, &others, &names)?;
        others.extend(longer.into_iter().filter(|named| !person.is_called(&named.name)));
        let path = BookPath::Character { id: person.id.clone(), retired }.path();
        let names = NewNames { id: person.id.clone(), names };
        let renaming = names.renaming(&person, &others);
        Ok(Self { book, view, reach: order.reach, path, was, person, names, renaming })
    }

    fn outcome(&self) -> Result<(Change, Renamed), RunError> {
        let change = self.change()?;
        let outcome = Renamed {
            id: self.person.id.clone(),
            was: self.was.clone(),
            to: self.person.display_name.clone(),
            aliases: self.person.aliases.clone(),
            former_names: self.person.former_names.clone(),
            reach: self.reach,
            chapters: self.occurrences()?,
            longer: self.renaming.longer().map(str::to_owned).collect(),
            files: change.puts.len(),
            done: None,
        };
        Ok((change, outcome))
    }

    fn occurrences(&self) -> Result<Vec<Occurrences>, RunError> {
        let mut found = Vec::new();
        for (chapter, _) in self.view.contents()?.iter() {
            let body = self.view.chapter(chapter)?.to_markdown();
            let old = self.renaming.find(&body);
            let Some(first) = old.first() else { continue };
            let doubtful = old.iter().filter(|old| old.to.is_none()).count();
            let quotation = sentence_at(&body, first.range.start);
            found.push(Occurrences { chapter, count: old.len(), doubtful, quotation });
        }
        Ok(found)
    }

    fn change(&self) -> Result<Change, RunError> {
        let mut change = Change::default();
        let apply = |words: &str| self.renaming.apply(words);
        for path in self.view.files("")? {
            let Some(place) = layout::classify(&path) else { continue };
            let bytes = self.view.bytes(&path)?.unwrap_or_default();
            let mut new = renamed(&place, &bytes, self.reach, &apply);
            if path == self.path {
                let now = new.as_deref().unwrap_or(&bytes);
                let read = format::character::read(&self.person.id, now, b"").map_err(RunError::of_file(&path))?;
                let Character { display_name, aliases, former_names, .. } = self.person.clone();
                let person = Character { display_name, aliases, former_names, ..read };
                let written = format::character::write(&person, Some(now));
                new = (written != bytes).then_some(written);
            }
            change = new.into_iter().fold(change, |change, bytes| change.put(&path, bytes));
        }
        self.deltas(change)
    }

    /// Deltas that were made of a chapter's text are made of the text with other names.
    fn deltas(&self, mut change: Change) -> Result<Change, RunError> {
        let after = self.book.snapshot_over(self.view.commit_id(), &change)?;
        for (chapter, volume) in self.view.contents()?.iter() {
            let path = layout::chapter(volume, chapter);
            let (was, is) = (self.view.content_id(&path), after.content_id(&path));
            let delta = layout::delta(volume, chapter);
            let bytes = self.view.bytes(&delta)?.filter(|_| change.puts.contains_key(&path));
            let Some((bytes, read)) = bytes.and_then(|bytes| Some((bytes.clone(), format::delta::read(&bytes).ok()?)))
            else {
                continue;
            };
            if was.is_some() && read.text == was {
                let new = Delta { text: is, ..read };
                change = change.put(&delta, format::delta::write(&new, Some(&bytes)));
            }
        }
        Ok(change)
    }
}

/// Longer names that chapters have and no file of the book: 赵云龙, where 赵云 is renamed.
fn unregistered(view: &BookView<'_>, others: &[Named], names: &[Replacement]) -> Result<Vec<Named>, RunError> {
    let index = NameIndex::new(others);
    let is_longer = |form: &str| names.iter().any(|name| form.len() > name.was.len() && form.contains(&name.was));
    let mut texts = Vec::new();
    for (chapter, _) in view.contents()?.iter() {
        let body = view.chapter(chapter)?.body;
        texts.extend(names.iter().any(|name| body.contains(&name.was)).then_some(body));
    }
    let mut found = BTreeSet::new();
    for some in texts.chunks(AT_A_TIME) {
        let some: Vec<&str> = some.iter().map(String::as_str).collect();
        found.extend(text::new_names(&some, &index).into_iter().map(|name| name.form).filter(|form| is_longer(form)));
    }
    let named = |name: String| Named { id: format!("?{name}"), name, aliases: Vec::new(), is_person: false };
    Ok(found.into_iter().map(named).collect())
}

/// Chapters in which names are looked for together.
const AT_A_TIME: usize = 5;
/// Characters of a quotation.
const SHOWN: usize = 60;

fn sentence_at(text: &str, at: usize) -> String {
    let sentences = text::sentences(text);
    let around = sentences.iter().rev().find(|sentence| sentence.start <= at);
    let sentence = around.map(|sentence| sentence.text()).unwrap_or_default();
    let cut = sentence.char_indices().nth(SHOWN).map(|(end, _)| format!("{}……", &sentence[..end]));
    cut.unwrap_or_else(|| sentence.to_owned())
}
