//! The ledger of chapters: short entries for later look-ups.

use crate::domain::chapter::reader_note::ReaderNote;
use crate::domain::world::character::Character;
use crate::domain::{ChapterNo, Slug};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChapterMemory {
    pub chapter: ChapterNo,
    pub storyline: Slug,
    pub entry: Entry,
}

/// The notes on a chapter. Parts may be empty, since the notes are not worth a second call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// The time of the chapter, in the story's words.
    pub time: String,
    pub places: Vec<String>,
    /// Events, one phrase each.
    pub events: Vec<String>,
    /// The state of people at the end.
    pub people: Vec<PersonStatus>,
    /// Threads that are open at the end.
    pub threads: Vec<String>,
    pub reader: ReaderNote,
}

/// The state of a person at the end of a chapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonStatus {
    /// The character's id; the name where the book has no such character.
    #[serde(rename = "character")]
    pub who: String,
    #[serde(default)]
    pub state: String,
}

impl Entry {
    /// Replaces the names of these characters by ids.
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
            former_names: vec![],
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
