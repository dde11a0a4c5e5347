//! A person's new name: the old one is known from then on, plans and records have the new one, and chapters on request. One
//! transaction.

use crate::domain::impact::{NameClash, clash, renames};
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits::{self, MissingChapters};
use crate::pipeline::book::names;
use crate::pipeline::book::new_names::NewNames;
use crate::pipeline::book::on_disk::{refuse_unsound, view_on_disk};
use crate::pipeline::chapter::candidates::refuse_beside_candidates;
use crate::pipeline::engine::error::RenameError;
use crate::pipeline::planning::settled::{earlier, settled};
use crate::pipeline::prelude::*;
use crate::store::format::renumber::{RenameReach, renamed};
use crate::store::{self, id_of};
use crate::text::{NameIndex, NamedEntity, Renaming, Replacement};
use serde::Serialize;
use std::cell::RefCell;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenameOrder {
    /// The person, by id or by a name.
    pub person: String,
    pub to: String,
    /// Aliases, each with the one that takes its place. The others stay.
    pub aliases: Vec<(String, String)>,
    pub reach: RenameReach,
}

/// Old names in a chapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Occurrences {
    pub chapter: ChapterNo,
    pub count: usize,
    /// How many of them stay, because the text may mean something else.
    pub doubtful: usize,
    pub doubtful_quotations: Vec<String>,
    /// The sentence with the first one.
    pub quotation: String,
}

/// The outcome, or what it would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenameResult {
    pub id: Slug,
    pub was: String,
    pub to: String,
    pub aliases: Vec<String>,
    /// Every name that is no longer used.
    pub former_names: Vec<String>,
    pub reach: RenameReach,
    /// The written chapters that have old names, before the change.
    pub chapters: Vec<Occurrences>,
    /// Longer names that hold an old one and stay.
    pub longer: Vec<String>,
    /// Old names that are ordinary words too, with the places that change.
    pub common_words: Vec<CommonWord>,
    pub files: usize,
    /// The commit; `None` for a preview, and where nothing changes.
    pub done: Option<Done>,
}

/// An old name that is an ordinary word too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommonWord {
    pub word: String,
    /// The number of places that change.
    pub count: usize,
    /// Some of their sentences.
    pub quotations: Vec<String>,
}

/// A change of a name by hand that the plans have not followed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenamedByHand {
    pub id: Slug,
    pub was: String,
    pub is: String,
    /// Whether one of the last chapters has the old name.
    pub in_chapters: bool,
    /// Another person whom the new name concerns: no text can follow then.
    pub clash: Option<NameClash>,
}

/// The outcome of the order on the book as it is on disk. Reads only.
pub fn preview(book: &Book, order: &RenameOrder) -> Result<RenameResult, RunError> {
    refuse_unsound(book, MissingChapters::Stop)?;
    let view = view_on_disk(book)?;
    RenameOperation::of(book, &view, order)?.outcome().map(|(_, outcome)| outcome)
}

/// Chapters back in which an old name is looked for: a look must not take longer as the book grows.
const LOOK_BACK: usize = 90;

/// The people whose names have changed by hand since the plans were settled, and not by `novel character rename`. Reads only.
pub(crate) fn by_hand(book: &Book, now: &BookView<'_>) -> Result<Vec<RenamedByHand>, RunError> {
    let mut found = Vec::new();
    let (all, people) = (since_settled(book, now)?, files::characters(now)?);
    for renamed in &all {
        let (clash, (id, was, is)) = (clash(renamed, &all, &people), renamed.clone());
        // An exchange is told once.
        let is_told =
            |other: &RenamedByHand| clash.as_ref().is_some_and(|clash| clash.by == other.id) && other.clash.is_some();
        if found.iter().any(is_told) {
            continue;
        }
        let mut in_chapters = false;
        for (chapter, _) in now.contents()?.iter().rev().take(LOOK_BACK) {
            in_chapters = in_chapters || now.chapter(chapter)?.body.contains(&was);
        }
        found.push(RenamedByHand { id, was, is, in_chapters, clash });
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
    Ok(renames(&files::characters(&earlier)?, &files::characters(now)?))
}

impl Run<'_> {
    /// Notes the old names of people whom the author has renamed by hand, so that they are known as the same people.
    /// Fails with [`RenameError::Clash`]; nothing has changed then.
    pub(crate) fn keep_old_names(&self) -> Result<(), RunError> {
        let book = self.session.book();
        let view = BookView::new(book.snapshot()?);
        let all = since_settled(book, &view)?;
        let people = if all.is_empty() { Vec::new() } else { files::characters(&view)? };
        if let Some(clash) = all.iter().find_map(|renamed| clash(renamed, &all, &people)) {
            return Err(RenameError::Clash(clash).into());
        }
        for (id, was, is) in all {
            let view = BookView::new(book.snapshot()?);
            let everybody = files::characters(&view)?;
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

/// Carries the order out. Nothing is committed where nothing changes, but that a name changed by hand is settled.
/// Fails with [`RunError::Rename`], [`RunError::NoSuchCharacter`], [`RunError::NameAmbiguous`]; nothing has changed then.
pub fn rename_character(run: &Run<'_>, order: &RenameOrder) -> Result<RenameResult, RunError> {
    hand_edits::commit_local_changes(run)?;
    let book = run.session.book();
    let view = BookView::new(book.snapshot()?);
    let operation = RenameOperation::of(book, &view, order)?;
    let (mut change, outcome) = operation.outcome()?;
    if change == Change::default() && !operation.settles {
        return Ok(outcome);
    }
    if order.reach == RenameReach::Chapters {
        let after = BookView::new(store::change::snapshot_with(book, &change)?);
        let recorded = after.recorded_checkpoint()?;
        let checkpoint = Checkpoint { time: run.calls.clock.rfc3339(), ..after.corrected(recorded)? };
        change = after.put_checkpoint(change, &checkpoint)?;
    }
    let subject = Subject::Renamed(operation.was.clone(), order.to.clone());
    let message = Message::new(Kind::Plan, subject)
        .trailer(STEP, Step::Characters)
        .trailer(key::CHARACTER, &operation.person.id)
        .trailer(key::RENAMED, &operation.names);
    let commit = BookCommit::new(run, Work::Step(Step::Characters), message, change, &view).make()?;
    Ok(RenameResult { done: Some(commit.into()), ..outcome })
}

/// The order on one version of the book.
struct RenameOperation<'v, 'b> {
    view: &'v BookView<'b>,
    reach: RenameReach,
    path: String,
    /// The name that the person had.
    was: String,
    person: Character,
    names: NewNames,
    renaming: Renaming,
    /// True when the name was changed by hand, and plans are to follow.
    settles: bool,
    /// The others whose earlier names the person takes over.
    freed: Vec<Character>,
}

impl<'v, 'b> RenameOperation<'v, 'b> {
    fn of(book: &'b Book, view: &'v BookView<'b>, order: &RenameOrder) -> Result<Self, RunError> {
        if let Some((work, _)) = store::closing::drafts(book)?.into_iter().next() {
            return Err(RenameError::DraftOpen(work).into());
        }
        refuse_beside_candidates(book)?;
        let active = files::characters(view)?;
        let by_hand = since_settled(book, view)?;
        let retired = !active.iter().any(|person| person.is_called(&order.person));
        let everybody = [active, files::retired_characters(view)?].concat();
        let mut person = names::character(&everybody, &order.person)?.clone();
        let before = by_hand.iter().find(|(id, ..)| *id == person.id);
        let clash = before.and_then(|renamed| clash(renamed, &by_hand, &everybody));
        if let Some(exchanged) = clash.filter(|clash| clash.by_is.is_some() || clash.is == order.to) {
            return Err(RenameError::Clash(exchanged).into());
        }
        let before = before.map(|(_, was, _)| was.clone());
        person.former_names.extend(before.clone().filter(|was| !person.is_called(was)));
        let new: Vec<&String> = order.aliases.iter().map(|(_, is)| is).chain([&order.to]).collect();
        let freed = freed(view, &person, &everybody, &new)?;
        let was = person.former_names.last().filter(|_| person.display_name == order.to).cloned();
        let was = was.unwrap_or_else(|| person.display_name.clone());
        if person.display_name != order.to {
            person.rename(&order.to);
        }
        let known = person.aliases.clone();
        for (alias, is) in &order.aliases {
            if person.aliases.contains(alias) {
                person.rename_alias(alias, is);
            } else if !person.former_names.contains(alias) {
                return Err(RenameError::NoAlias { name: alias.clone(), aliases: known }.into());
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
        let is_others = |name: &String| everybody.iter().any(|other| other.id != person.id && other.has_name(name));
        let former = person.former_names.iter().filter(|former| !is_others(former) || before.as_ref() == Some(former));
        let mut names: Vec<Replacement> = former.map(replacement).collect();
        names.sort_by_key(|name| !name.is_full);
        person.former_names.retain(|former| !is_others(former));
        let mut others = names::named_with(view, &view.state()?)?;
        others.retain(|named| named.id != person.id.as_str());
        for named in &mut others {
            named
                .aliases
                .retain(|alias| !freed.iter().any(|other| other.id.as_str() == named.id) || !new.contains(&alias));
        }
        let longer = unregistered(view, &others, &names)?;
        others.extend(longer.into_iter().filter(|named| !person.is_called(&named.name)));
        let path = BookPath::Character { id: person.id.clone(), retired }.path();
        let names = NewNames { id: person.id.clone(), names };
        let renaming = names.renaming(&person, &others);
        Ok(Self { view, reach: order.reach, path, was, person, names, renaming, settles: before.is_some(), freed })
    }

    fn outcome(&self) -> Result<(Change, RenameResult), RunError> {
        // Reading the book with the change makes it forget the author's uncommitted texts.
        let chapters = self.occurrences()?;
        let (change, common_words) = self.change()?;
        let outcome = RenameResult {
            id: self.person.id.clone(),
            was: self.was.clone(),
            to: self.person.display_name.clone(),
            aliases: self.person.aliases.clone(),
            former_names: self.person.former_names.clone(),
            reach: self.reach,
            chapters,
            longer: self.renaming.longer().map(str::to_owned).collect(),
            common_words,
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
            let doubtful_quotations: Vec<String> =
                (old.iter().filter(|old| old.to.is_none())).map(|old| sentence_at(&body, old.range.start)).collect();
            let (doubtful, quotation) = (doubtful_quotations.len(), sentence_at(&body, first.range.start));
            found.push(Occurrences { chapter, count: old.len(), doubtful, doubtful_quotations, quotation });
        }
        Ok(found)
    }

    fn change(&self) -> Result<(Change, Vec<CommonWord>), RunError> {
        let mut change = Change::default();
        let common = RefCell::new(BTreeMap::<String, CommonWord>::new());
        let apply = |words: &str| {
            for old in self.renaming.find(words) {
                let form = &words[old.range.clone()];
                if old.to.is_some() && text::is_common(form) && words.trim() != form {
                    let mut common = common.borrow_mut();
                    let new = || CommonWord { word: form.to_owned(), count: 0, quotations: Vec::new() };
                    let found = common.entry(form.to_owned()).or_insert_with(new);
                    found.count += 1;
                    if found.quotations.len() < EXAMPLES {
                        found.quotations.push(sentence_at(words, old.range.start));
                    }
                }
            }
            self.renaming.apply(words)
        };
        for other in &self.freed {
            let active = layout::character(&other.id);
            let retired = self.view.bytes(&active)?.is_none();
            let path = BookPath::Character { id: other.id.clone(), retired }.path();
            change = self.view.put(change, &path, |bytes| format::character::write(other, bytes))?;
        }
        for path in self.view.files("")? {
            let Some(place) = layout::classify(&path) else { continue };
            let bytes = match change.puts.get(&path) {
                Some(bytes) => bytes.clone(),
                None => self.view.bytes(&path)?.unwrap_or_default(),
            };
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
        Ok((self.deltas(change)?, common.into_inner().into_values().collect()))
    }

    /// Deltas that were made of a chapter's text are made of the text with other names.
    fn deltas(&self, mut change: Change) -> Result<Change, RunError> {
        let mut made_of = Vec::new();
        for (chapter, volume) in self.view.contents()?.iter() {
            let (path, delta) = (layout::chapter(volume, chapter), layout::delta(volume, chapter));
            let was = self.view.content_id(&path).filter(|_| change.puts.contains_key(&path));
            let bytes = if was.is_some() { self.view.bytes(&delta)? } else { None };
            let read = bytes.and_then(|bytes| Some((format::delta::read(&bytes).ok()?, bytes)));
            made_of.extend(read.filter(|(read, _)| read.text == was).map(|(read, bytes)| (path, delta, read, bytes)));
        }
        for (path, delta, read, bytes) in made_of {
            let text = change.puts.get(&path).map(|text| id_of(text)).transpose()?;
            change = change.put(&delta, format::delta::write(&Delta { text, ..read }, Some(&bytes)));
        }
        Ok(change)
    }
}

/// The others whose earlier names are taken over, without those names. Fails with [`RenameError::Taken`] for a name of
/// now, and with [`RenameError::StillUsed`] where files still mean the other one.
fn freed(
    view: &BookView<'_>,
    person: &Character,
    everybody: &[Character],
    names: &[&String],
) -> Result<Vec<Character>, RunError> {
    let mut freed: Vec<Character> = Vec::new();
    for name in names {
        for other in everybody.iter().filter(|other| other.id != person.id && other.is_called(name)) {
            if other.has_name(name) || other.id.as_str() == name.as_str() {
                return Err(RenameError::Taken { name: (*name).clone(), by: other.display_name.clone() }.into());
            }
            if let Some(path) = file_with_old_name(view, other, name)? {
                let (by, is) = (other.id.clone(), other.display_name.clone());
                return Err(RenameError::StillUsed { name: (*name).clone(), by, is, path }.into());
            }
            let at = freed.iter().position(|known| known.id == other.id).unwrap_or(freed.len());
            if at == freed.len() {
                freed.push(other.clone());
            }
            freed[at].former_names.retain(|former| former.trim() != name.trim());
        }
    }
    Ok(freed)
}

/// A file in which an earlier name of a person stands.
fn file_with_old_name(view: &BookView<'_>, person: &Character, name: &str) -> Result<Option<String>, RunError> {
    let replacement = Replacement { was: name.to_owned(), is: person.display_name.clone(), is_full: true };
    let names = NewNames { id: person.id.clone(), names: vec![replacement] };
    let mut others = names::named_with(view, &view.state()?)?;
    others.retain(|named| named.id != person.id.as_str());
    let renaming = names.renaming(person, &others);
    for path in view.files("")? {
        let Some(place) = layout::classify(&path) else { continue };
        let is_own = matches!(&place, BookPath::Character { id, .. } if *id == person.id);
        let bytes = view.bytes(&path)?.unwrap_or_default();
        if !is_own && renamed(&place, &bytes, RenameReach::Chapters, &|words| renaming.apply(words)).is_some() {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Longer names that chapters have and no file of the book: 赵云龙, where 赵云 is renamed.
fn unregistered(
    view: &BookView<'_>,
    others: &[NamedEntity],
    names: &[Replacement],
) -> Result<Vec<NamedEntity>, RunError> {
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
    let named = |name: String| NamedEntity { id: format!("?{name}"), name, aliases: Vec::new(), is_person: false };
    Ok(found.into_iter().map(named).collect())
}

/// Chapters in which names are looked for together.
const AT_A_TIME: usize = 5;
/// Sentences shown of an ordinary word.
const EXAMPLES: usize = 3;
const SHOWN: usize = 60;

fn sentence_at(text: &str, at: usize) -> String {
    let sentences = text::sentences(text);
    let around = sentences.iter().rev().find(|sentence| sentence.start <= at);
    let sentence = around.map(|sentence| sentence.text()).unwrap_or_default();
    let cut = sentence.char_indices().nth(SHOWN).map(|(end, _)| format!("{}……", &sentence[..end]));
    cut.unwrap_or_else(|| sentence.to_owned())
}
