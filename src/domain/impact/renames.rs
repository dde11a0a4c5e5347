//! People whose names differ between two versions of the book.

use crate::domain::Slug;
use crate::domain::world::character::Character;

/// A new name that leaves open whom a text means, because another person is concerned too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameClash {
    pub id: Slug,
    pub was: String,
    pub is: String,
    /// The other person.
    pub by: Slug,
    /// The other one's new name; `None` for a person who has had the name in question all along.
    pub by_is: Option<String>,
}

/// The people who have another name now, each with the old and the new one.
pub fn renames(before: &[Character], now: &[Character]) -> Vec<(Slug, String, String)> {
    let rename = |person: &Character| {
        let mut names = before.iter().filter(|was| was.id == person.id).map(|was| &was.display_name);
        // Of two files of one id by mistake, one may have kept its name.
        let was = names.clone().next().filter(|_| !names.any(|was| *was == person.display_name))?;
        Some((person.id.clone(), was.clone(), person.display_name.clone()))
    };
    now.iter().filter_map(rename).collect()
}

/// The clash of one of these renames: another person has the new name, or names were exchanged or handed on.
pub fn clash(
    (id, was, is): &(Slug, String, String),
    all: &[(Slug, String, String)],
    people: &[Character],
) -> Option<NameClash> {
    let exchanged = all.iter().find(|(other, before, now)| other != id && (now == was || before == is));
    let holds = |other: &&Character| other.id != *id && other.has_name(is);
    let by = match exchanged {
        Some((other, _, now)) => (other.clone(), Some(now.clone())),
        None => (people.iter().find(holds)?.id.clone(), None),
    };
    Some(NameClash { id: id.clone(), was: was.clone(), is: is.clone(), by: by.0, by_is: by.1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_shared_or_exchanged_clash() {
        let now = |names: [&str; 3]| {
            let ids = ["a", "b", "c"].into_iter().zip(names);
            ids.map(|(id, name)| Character::sample(id, name, &[])).collect::<Vec<_>>()
        };
        let before = now(["甲", "乙", "丙"]);
        for (names, clashes) in [
            (["丁", "乙", "丙"], vec![]),
            (["丁", "戊", "丙"], vec![]),
            (["乙", "乙", "丙"], vec![("a", "b", None)]),
            (["乙", "甲", "丙"], vec![("a", "b", Some("甲")), ("b", "a", Some("乙"))]),
            (["丁", "甲", "丙"], vec![("a", "b", Some("甲")), ("b", "a", Some("丁"))]),
        ] {
            let people = now(names);
            let all = renames(&before, &people);
            let found: Vec<_> = all.iter().filter_map(|rename| clash(rename, &all, &people)).collect();
            let found: Vec<_> =
                found.iter().map(|found| (found.id.as_str(), found.by.as_str(), found.by_is.as_deref())).collect();
            assert_eq!(found, clashes, "{names:?}");
        }
    }
}
