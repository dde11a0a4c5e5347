//! People and things of the state with their names in texts.

use crate::domain::state::{Category, State};
use crate::domain::world::character::Character;
use crate::text::Named;

/// A person with all forms of the name longer than one character, those of before included.
pub(crate) fn named(person: &Character) -> Named {
    Named {
        id: person.id.to_string(),
        name: person.display_name.clone(),
        aliases: person
            .aliases
            .iter()
            .chain(&person.former_names)
            .filter(|alias| alias.chars().count() > 1)
            .cloned()
            .collect(),
        is_person: true,
    }
}

pub(crate) fn named_in(state: &State) -> impl Iterator<Item = Named> {
    let categories = [Category::Characters, Category::Items, Category::Locations, Category::Factions];
    categories.into_iter().flat_map(move |category| {
        state.entities(category).filter_map(move |(id, fields)| {
            Some(Named {
                id: id.to_owned(),
                name: fields.get("display_name").or_else(|| fields.get("name"))?.as_str()?.to_owned(),
                aliases: Vec::new(),
                is_person: category == Category::Characters,
            })
        })
    })
}
