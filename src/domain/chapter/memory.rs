//! The ledger of chapters: what each one leaves to be looked up, in short entries.

use crate::domain::chapter::reader_note::ReaderNote;
use crate::domain::world::character::Character;
use crate::domain::{ChapterNo, Slug};

/// One chapter's entry in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChapterMemory {
    pub chapter: ChapterNo,
    pub storyline: Slug,
    /// The notes on the chapter.
    pub entry: Entry,
}

/// The notes on a chapter. Each part may be empty: a chapter without an entry is worth no second call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// When it takes place, in the story's own words.
    pub time: String,
    pub places: Vec<String>,
    /// Its events, one phrase each.
    pub events: Vec<String>,
    /// How people stand at its end.
    pub people: Vec<PersonStatus>,
    /// The threads that are open at its end.
    pub threads: Vec<String>,
    /// Its promises to the reader, and its payoffs.
    pub reader: ReaderNote,
}

/// The state of a person at the end of a chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonStatus {
    /// The character's id; the name where the book has no such character.
    pub who: String,
    /// In a phrase.
    pub state: String,
}

impl Entry {
    /// The entries with ids in place of the names of these characters.
    #[must_use]
    pub fn with_ids(mut self, characters: &[Character]) -> Self {
        for standing in &mut self.people {
            if let Some(person) = characters.iter().find(|person| person.is_called(&standing.who)) {
                standing.who = person.id.to_string();
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_go_by_their_ids_where_the_book_knows_them() {
        let person = Character {
            id: Slug::new("guan-shi").unwrap(),
            display_name: "管十".into(),
            aliases: vec!["老管".into()],
            role: String::new(),
            storylines: Vec::new(),
            speech: String::new(),
            profile: String::new(),
            contracts: Vec::new(),
        };
        let people = ["老管", "guan-shi", "管十的女儿"];
        let people = people.map(|who| PersonStatus { who: who.into(), state: "在北门".into() });
        let entry = Entry { people: people.to_vec(), ..Entry::default() }.with_ids(&[person]);
        let who: Vec<&str> = entry.people.iter().map(|standing| standing.who.as_str()).collect();
        assert_eq!(who, ["guan-shi", "guan-shi", "管十的女儿"]);
    }
}
