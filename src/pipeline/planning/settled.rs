//! The book as its plans were settled, for comparisons. `novel character rename` changes names in plans and is no edit that anything
//! has to follow, so that the earlier book is read with the names of now.

use crate::agents::context::named::named;
use crate::domain::Slug;
use crate::domain::book::work::Step;
use crate::domain::world::character::Character;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::trailer::STEP;
use crate::store::format::rename::{Reach, renamed};
use crate::store::{Book, Change, CommitId, Kind, Transaction, key, layout};
use crate::text::{Named, Renaming, Replacement};
use std::fmt;
use std::str::FromStr;

/// The kinds of commits that may settle plans.
const SETTLING: [Kind; 2] = [Kind::Init, Kind::Plan];

/// The commit that `since` names, or the last one by which plans were settled.
/// Fails with [`RunError::NoSuchRevision`]; when the repository cannot be read.
pub(super) fn settled(book: &Book, since: Option<&str>) -> Result<CommitId, RunError> {
    if let Some(name) = since {
        return book.resolve(name)?.ok_or_else(|| RunError::NoSuchRevision { name: name.to_owned() });
    }
    let settles = |transaction: &Transaction| {
        let step = transaction.trailers.get(STEP);
        let planned = step.is_some_and(|step| ["volume", "trial", Step::Regenerate.as_str()].contains(&step));
        transaction.kind == Kind::Init || planned
    };
    // Without one, the first commit.
    let last = book.last_of_or_first(&SETTLING, settles)?;
    last.map_or_else(|| Ok(book.tip()?), |transaction| Ok(transaction.id))
}

/// The book as of `base`, its wanted files with the names that people have been given since.
pub(super) fn earlier<'b>(
    book: &'b Book,
    base: CommitId,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<BookView<'b>, RunError> {
    let mut view = BookView::new(book.snapshot_of(base)?);
    let mut change = Change::default();
    let since = book.in_effect_since(base, &SETTLING)?;
    for names in since.iter().rev().filter_map(|commit| commit.trailers.read::<NewNames>(key::RENAMED)) {
        let everybody = view.characters()?;
        let Some(person) = everybody.iter().find(|person| person.id == names.id) else { continue };
        let others: Vec<Named> = everybody.iter().filter(|other| other.id != names.id).map(named).collect();
        let renaming = names.renaming(person, &others);
        for path in view.files("")?.into_iter().filter(|path| is_wanted(path)) {
            let Some(place) = layout::classify(&path) else { continue };
            let bytes = view.bytes(&path)?.unwrap_or_default();
            let new = renamed(&place, &bytes, Reach::Records, &|words| renaming.apply(words));
            change = new.into_iter().fold(change, |change, bytes| change.put(&path, bytes));
        }
        view = BookView::new(book.snapshot_over(base, &change)?);
    }
    Ok(view)
}

/// The names that a person has been given: the value of a trailer, `shen-du 沈渡=沈舟, 阿渡=阿舟`, the full name first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NewNames {
    pub(super) id: Slug,
    pub(super) names: Vec<Replacement>,
}

impl NewNames {
    /// The names that change for a person who had, or already has, the new ones.
    pub(super) fn renaming(&self, person: &Character, others: &[Named]) -> Renaming {
        let is_old = |alias: &&String| self.names.iter().all(|name| name.was != **alias);
        let new = self.names.iter().filter(|name| !name.is_full).map(|name| &name.is);
        let aliases = person.aliases.iter().filter(is_old).chain(new).filter(|alias| alias.chars().count() > 1);
        let full = self.names.iter().find(|name| name.is_full);
        let person = Named {
            id: person.id.to_string(),
            name: full.map_or_else(|| person.display_name.clone(), |name| name.is.clone()),
            aliases: aliases.cloned().collect(),
            is_person: true,
        };
        Renaming::new(person, others, &self.names)
    }
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
