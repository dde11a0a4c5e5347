//! The things of the book by what the author types: an id or a name. A name that several things have is refused with all of them.

use super::view::BookView;
use crate::domain::reference::{Reference, called, called_or_part};
use crate::domain::volume::inventory::Inventory;
use crate::domain::world::storyline::Storylines;
use crate::pipeline::prelude::*;
use crate::text;

pub fn character<'p>(people: &'p [Character], typed: &str) -> Result<&'p Character, RunError> {
    let things = people.iter().map(|person| (person, person.id.as_str(), person.names().collect()));
    match called(typed, things) {
        Reference::One(person) => Ok(person),
        Reference::Several(people) => {
            Err(ambiguous(typed, people.into_iter().map(|person| (person.id.to_string(), person.display_name.clone()))))
        }
        Reference::Nothing => {
            let known = people.iter().flat_map(|person| person.names().chain([person.id.as_str()]));
            Err(RunError::NoSuchCharacter { name: typed.to_owned(), nearest: nearest(typed, known) })
        }
    }
}

pub fn storyline(storylines: &Storylines, typed: &str) -> Result<Slug, RunError> {
    match storylines.reference(typed) {
        Reference::One(line) => Ok(line.id.clone()),
        Reference::Several(lines) => {
            Err(ambiguous(typed, lines.into_iter().map(|line| (line.id.to_string(), line.name.clone()))))
        }
        Reference::Nothing => {
            let known = storylines.lines.iter().flat_map(|line| [line.name.as_str(), line.id.as_str()]);
            Err(RunError::NoSuchStoryline { name: typed.to_owned(), nearest: nearest(typed, known) })
        }
    }
}

/// The foreshadowing that is called so, or that a part of its description stands for; `None` when there is no such thing.
pub fn foreshadowing(inventory: &Inventory, typed: &str) -> Result<Option<Slug>, RunError> {
    let threads: Vec<_> = inventory
        .threads
        .iter()
        .map(|thread| (thread, thread.id.as_str(), vec![thread.description.as_str()]))
        .collect();
    match called_or_part(typed, &threads) {
        Reference::One(thread) => Ok(Some(thread.id.clone())),
        Reference::Nothing => Ok(None),
        Reference::Several(threads) => {
            let candidates = threads.into_iter().map(|thread| (thread.id.to_string(), thread.description.clone()));
            Err(ambiguous(typed, candidates))
        }
    }
}

/// The volume with that number (`2`, `vol-02`) or with that theme.
/// Fails with [`RunError::UnknownVolume`], [`RunError::NameAmbiguous`]; when the repository cannot be read.
pub fn volume(book: &Book, typed: &str) -> Result<VolumeNo, RunError> {
    if let Ok(volume) = typed.trim().parse() {
        return Ok(volume);
    }
    let view = BookView::new(book.snapshot()?);
    let mut volumes = Vec::new();
    for volume in view.volumes()? {
        // A schedule that cannot be read has no theme; `doctor` reports the file.
        let theme = view.schedule(volume).ok().flatten().map(|schedule| schedule.theme).unwrap_or_default();
        volumes.push((volume, volume.to_string(), theme));
    }
    let things = volumes.iter().map(|(volume, id, theme)| (volume, id.as_str(), vec![theme.as_str()]));
    match called(typed, things) {
        Reference::One(volume) => Ok(*volume),
        Reference::Several(several) => {
            let candidates = volumes.iter().filter(|(volume, ..)| several.contains(&volume));
            Err(ambiguous(typed, candidates.map(|(_, id, theme)| (id.clone(), theme.clone()))))
        }
        Reference::Nothing => {
            let known = volumes.iter().map(|(.., theme)| theme.as_str());
            Err(RunError::UnknownVolume { name: typed.to_owned(), nearest: nearest(typed, known) })
        }
    }
}

fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    text::nearest(typed, known).map(str::to_owned)
}

fn ambiguous(typed: &str, candidates: impl Iterator<Item = (String, String)>) -> RunError {
    RunError::NameAmbiguous { name: typed.trim().to_owned(), candidates: candidates.collect() }
}
