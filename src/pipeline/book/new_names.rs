//! The names that `novel character rename` has given to people, in the trailers of its commits, and a book with the names that its people
//! have in another version of it.

use crate::agents::context::chapter::MinorPerson;
use crate::agents::context::mentions::named;
use crate::domain::state::State;
use crate::domain::volume::outline::Field;
use crate::pipeline::book::chapter_context;
use crate::pipeline::book::files;
use crate::pipeline::book::names;
use crate::pipeline::prelude::*;
use crate::store;
use crate::store::format::renumber::{RenameReach, renamed};
use crate::text::{NameIndex, NamedEntity, Renaming, Replacement, new_names};
use std::fmt;
use std::str::FromStr;

/// The names that a person has been given: the value of a trailer, `shen-du 沈渡=沈舟, 阿渡=阿舟`, the full name first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewNames {
    pub(crate) id: Slug,
    pub(crate) names: Vec<Replacement>,
}

impl NewNames {
    /// The names that change for a person who had, or already has, the new ones.
    pub(crate) fn renaming(&self, person: &Character, others: &[NamedEntity]) -> Renaming {
        let is_old = |alias: &&String| self.names.iter().all(|name| name.was != **alias);
        let new = self.names.iter().filter(|name| !name.is_full).map(|name| &name.is);
        let aliases = person.aliases.iter().filter(is_old).chain(new).filter(|alias| alias.chars().count() > 1);
        let full = self.names.iter().find(|name| name.is_full);
        let person = NamedEntity {
            id: person.id.to_string(),
            name: full.map_or_else(|| person.display_name.clone(), |name| name.is.clone()),
            aliases: aliases.cloned().collect(),
            is_person: true,
        };
        Renaming::new(person, others, &self.names)
    }

    /// The steps from one version of a person to the other, of those given to the person, the newest first, each with its place in the
    /// history. A step that was undone leads to no name that the other version has.
    fn steps(given: &[(usize, &Self)], person: &Character, other: &Character) -> Vec<(usize, Self)> {
        let (mut steps, mut sought) = (Vec::new(), &other.display_name);
        for (at, names) in given {
            let full: Vec<&Replacement> = names.names.iter().filter(|name| name.is_full).collect();
            let last = full.last();
            if last.is_some_and(|name| name.is != *sought) {
                continue;
            }
            steps.push((*at, (*names).clone()));
            if full.iter().any(|name| name.was == person.display_name) {
                break;
            }
            sought = last.map_or(sought, |name| &name.was);
        }
        steps
    }

    /// The old names again, of a person whose other version has them still.
    fn taken_back(&self, person: &Character, other: &Character) -> Option<Self> {
        let is_old = |name: &&Replacement| match name.is_full {
            true => person.display_name == name.is && other.display_name == name.was,
            false => !other.aliases.contains(&name.is) && other.aliases.contains(&name.was),
        };
        let back =
            |name: &Replacement| Replacement { was: name.is.clone(), is: name.was.clone(), is_full: name.is_full };
        let names: Vec<Replacement> = self.names.iter().filter(is_old).map(back).collect();
        (!names.is_empty()).then(|| Self { id: self.id.clone(), names })
    }
}

/// The change that gives the wanted files of a book the names that its people have as the `others`, where `novel character rename` has
/// given or taken these.
pub(crate) fn with_names_of(
    book: &Book,
    view: &BookView<'_>,
    others: &[Character],
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Change, RunError> {
    let (mut change, everybody) = (Change::default(), files::characters(view)?);
    let names = |person: &Character| (person.display_name.clone(), person.aliases.clone());
    let other = |person: &Character| others.iter().find(|other| other.id == person.id && names(other) != names(person));
    let pairs: Vec<(&Character, &Character)> =
        everybody.iter().filter_map(|person| Some((person, other(person)?))).collect();
    if pairs.is_empty() {
        return Ok(change);
    }
    let given: Vec<NewNames> = store::provenance::values_of(book, key::RENAMED)?;
    let (mut back, mut on) = (Vec::new(), Vec::new());
    for (person, other) in pairs {
        let of: Vec<(usize, &NewNames)> = given.iter().enumerate().filter(|(_, names)| names.id == person.id).collect();
        match of.iter().find_map(|(at, names)| Some((*at, names.taken_back(person, other)?))) {
            Some((at, names)) => back.push((at, person, names)),
            None => on.extend(NewNames::steps(&of, person, other).into_iter().map(|(at, names)| (at, person, names))),
        }
    }
    // In the order of the book: two people who have exchanged names had one after the other. The places count from the newest on.
    back.sort_by_key(|(at, ..)| *at);
    on.sort_by_key(|(at, ..)| std::cmp::Reverse(*at));
    for (_, person, names) in back.into_iter().chain(on) {
        let unnamed: Vec<NamedEntity> = everybody.iter().filter(|other| other.id != person.id).map(named).collect();
        let renaming = names.renaming(person, &unnamed);
        for path in view.files("")?.into_iter().filter(|path| is_wanted(path)) {
            let Some(place) = layout::classify(&path) else { continue };
            let bytes = change.puts.get(&path).cloned().or(view.bytes(&path)?).unwrap_or_default();
            let new = renamed(&place, &bytes, RenameReach::Records, &|words| renaming.apply(words));
            change = new.into_iter().fold(change, |change, bytes| change.put(&path, bytes));
        }
    }
    Ok(change)
}

impl fmt::Display for NewNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.names.iter().map(|name| format!("{}={}", name.was, name.is)).collect();
        let full = self.names.iter().filter(|name| name.is_full).count();
        write!(f, "{} {full} {}", self.id, names.join(", "))
    }
}

impl FromStr for NewNames {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || text.to_owned();
        let (id, rest) = text.split_once(' ').ok_or_else(bad)?;
        let (full, names) = rest.split_once(' ').ok_or_else(bad)?;
        let full: usize = full.parse().map_err(|_| bad())?;
        let name = |(at, name): (usize, &str)| {
            let (was, is) = name.split_once('=')?;
            Some(Replacement { was: was.to_owned(), is: is.to_owned(), is_full: at < full })
        };
        let names: Option<Vec<Replacement>> = names.split(", ").enumerate().map(name).collect();
        Ok(Self { id: Slug::new(id).map_err(|_| bad())?, names: names.ok_or_else(bad)? })
    }
}

/// So many chapters back are read. A list must not take longer as the book grows.
const LOOK_BACK: u32 = 20;
/// So many chapters are looked at together; see [`new_names`].
const BLOCK: usize = 5;
const MOST: usize = 12;

struct ChapterText {
    chapter: ChapterNo,
    text: String,
    place: String,
}

/// The minor cast of the twenty chapters before `chapter`, as far as they are on `wanted` storylines, those who were named last
/// first. Names that `state` has are no new ones. Fewer than five chapters are too little to tell names from other words.
pub(crate) fn minor_cast(
    view: &BookView<'_>,
    chapter: ChapterNo,
    wanted: &dyn Fn(&Slug) -> bool,
    state: &State,
) -> Result<Vec<MinorPerson>, RunError> {
    let told = told_before(view, chapter, wanted)?;
    if told.len() < BLOCK {
        return Ok(Vec::new());
    }
    let known = NameIndex::new(&names::named_with(view, state)?);
    let mut cast: Vec<MinorPerson> = Vec::new();
    for block in told.chunks(BLOCK) {
        let texts: Vec<&str> = block.iter().map(|told| told.text.as_str()).collect();
        for found in new_names(&texts, &known) {
            let last = block.iter().rfind(|told| told.text.contains(&found.form));
            let Some(last) = last else { continue };
            let (chapter, place) = (last.chapter, last.place.clone());
            match cast.iter_mut().find(|person| person.name == found.form) {
                Some(person) => {
                    (person.chapter, person.place, person.times) = (chapter, place, person.times + found.count)
                }
                None => cast.push(MinorPerson { name: found.form, chapter, place, times: found.count }),
            }
        }
    }
    cast.sort_by_key(|person| (std::cmp::Reverse((person.chapter, person.times)), person.name.clone()));
    cast.truncate(MOST);
    Ok(cast)
}

/// The chapters, in the order of the book. Those that no outline has are on no storyline, and are left out.
fn told_before(
    view: &BookView<'_>,
    chapter: ChapterNo,
    wanted: &dyn Fn(&Slug) -> bool,
) -> Result<Vec<ChapterText>, RunError> {
    let mut told = Vec::new();
    for (number, volume) in chapter_context::before(view, chapter, LOOK_BACK)? {
        let section = view.section(volume, number)?;
        if let Some(section) = section.filter(|section| wanted(&section.storyline)) {
            let text = view.chapter(number)?.body;
            told.push(ChapterText { chapter: number, text, place: section.field(Field::Location).trim().to_owned() });
        }
    }
    Ok(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_names_survive_a_commit_message() {
        let name = |was: &str, is: &str, is_full| Replacement { was: was.into(), is: is.into(), is_full };
        let names = vec![name("沈渡", "沈舟", true), name("老沈渡", "沈舟", true), name("阿渡", "阿舟", false)];
        let names = NewNames { id: Slug::new("shen-du").unwrap(), names };
        assert_eq!(names.to_string(), "shen-du 2 沈渡=沈舟, 老沈渡=沈舟, 阿渡=阿舟");
        assert_eq!(names.to_string().parse(), Ok(names));
        for bad in ["", "shen-du", "shen-du 1", "shen-du x 沈渡=沈舟", "shen-du 1 沈渡"] {
            assert!(bad.parse::<NewNames>().is_err(), "{bad}");
        }
    }
}
