//! The characters of a book, read from it.

use crate::domain::Slug;
use crate::domain::world::character::{Character, Relationship};
use crate::pipeline::engine::error::RunError;
use crate::store::format;
use crate::store::layout::{self, BookPath};
use std::collections::BTreeSet;

use super::view::BookView;

impl BookView<'_> {
    /// The active characters, ordered by id.
    pub fn characters(&self) -> Result<Vec<Character>, RunError> {
        self.people(false)
    }

    /// Those who have left the story, ordered by id.
    pub fn retired_characters(&self) -> Result<Vec<Character>, RunError> {
        self.people(true)
    }

    fn people(&self, retired: bool) -> Result<Vec<Character>, RunError> {
        let folder = if retired { layout::RETIRED_CHARACTERS } else { layout::ACTIVE_CHARACTERS };
        let mut characters = Vec::new();
        for name in self.list(folder)? {
            let Some(id) = name.name.strip_suffix(".json").and_then(|stem| Slug::new(stem).ok()) else { continue };
            let path = BookPath::Character { id: id.clone(), retired }.path();
            let profile = self.bytes(&BookPath::Profile { id: id.clone(), retired }.path())?.unwrap_or_default();
            characters.push(self.need(&path, |bytes| format::character::read(&id, bytes, &profile))?);
        }
        Ok(characters)
    }

    /// The relationships at the outset.
    pub fn relationships(&self) -> Result<Vec<Relationship>, RunError> {
        Ok(self.read(layout::RELATIONSHIPS, format::relationships::read)?.unwrap_or_default())
    }

    /// The ids of the characters who have left the story.
    pub fn retired(&self) -> Result<BTreeSet<Slug>, RunError> {
        let names = self.list(layout::RETIRED_CHARACTERS)?.into_iter();
        Ok(names.filter_map(|name| Slug::new(name.name.strip_suffix(".json")?).ok()).collect())
    }
}
