//! The characters that a prompt is about (orchestrator chapter §8.5).

use super::Extent;
use crate::agents::prelude::*;
use crate::domain::volume::outline::Section;
use std::cmp::Reverse;

/// The most characters beside those in the plan.
const MAX_EXTRAS: usize = 15;

pub(crate) struct Cast<'a> {
    /// Characters that the contract or the point of view names.
    named: Vec<&'a Character>,
    /// Characters that are mentioned, or, if none is named, the ones seen last.
    extras: Vec<&'a Character>,
}

impl<'a> Cast<'a> {
    /// As many as the extent allows, protagonists first, then by id: an order independent of the others present.
    pub(crate) fn within(&self, extent: &Extent) -> Vec<&'a Character> {
        // A prompt without characters would make the model invent some.
        let extras = if self.named.is_empty() { extent.extras.max(4) } else { extent.extras };
        let mut people: Vec<&Character> = self.named.iter().take(extent.named).copied().collect();
        people.extend(self.extras.iter().take(extras));
        in_order(&mut people);
        people
    }

    pub(crate) fn everyone(&self) -> Vec<&'a Character> {
        self.within(&Extent::default())
    }
}

/// Protagonists first, then by id.
fn in_order(people: &mut [&Character]) {
    people.sort_by_key(|person| (person.role != "protagonist", &person.id));
}

/// The characters of a chapter; `text` may mention some outside the plan, such as the chapter itself.
pub(crate) fn cast<'a>(context: &'a ChapterContext, text: &str) -> Cast<'a> {
    let plan = plan_text(context);
    let (mut named, mut extras) = (Vec::new(), Vec::new());
    for person in &context.characters {
        if is_planned_here(context, person) {
            named.push(person);
        } else if person.is_named_in(&plan) || person.is_named_in(text) {
            extras.push(person);
        }
    }
    if named.is_empty() && extras.is_empty() {
        extras = context.characters.iter().collect();
    }
    if extras.len() > MAX_EXTRAS {
        extras.sort_by_key(|person| (last_seen(context, person), &person.id));
        extras.truncate(MAX_EXTRAS);
    }
    Cast { named, extras }
}

/// The people of the chapter's line in the volume, at most `most`: protagonists, then those whom the line's sections
/// name most often, ordered like [`Cast::within`], so that one chapter more changes nothing. People of other lines are
/// left out.
pub(crate) fn of_line(context: &ChapterContext, most: usize) -> Vec<&Character> {
    let own = context.storyline();
    let sections: Vec<&Section> = context.outline.sections.iter().filter(|section| section.storyline == *own).collect();
    let times = |person: &Character| sections.iter().filter(|section| person.is_named_in(&section.source)).count();
    let counted = context.characters.iter().map(|person| (person, times(person)));
    let mut people: Vec<(&Character, usize)> =
        counted.filter(|(person, times)| *times > 0 || context.storylines.has_on(own, person)).collect();
    people.sort_by_key(|(person, times)| (person.role != "protagonist", Reverse(*times), &person.id));
    let mut people: Vec<&Character> = people.into_iter().take(most).map(|(person, _)| person).collect();
    in_order(&mut people);
    people
}

/// True when the chapter's contract or point of view names the person.
pub(crate) fn is_planned_here(context: &ChapterContext, person: &Character) -> bool {
    let listed = context.contract.as_ref().is_some_and(|contract| contract.characters.contains(&person.id));
    listed || person.is_named_in(context.section.field(Field::Pov))
}

/// True when `name` belongs to a person of the chapter's storyline or plan.
pub(crate) fn is_of_own_line(context: &ChapterContext, name: &str) -> bool {
    let of_line = |person: &Character| context.storylines.has_on(context.storyline(), person);
    let called = context.characters.iter().filter(|person| person.is_called(name));
    called.into_iter().any(|person| of_line(person) || is_planned_here(context, person))
}

pub(crate) fn plan_text(context: &ChapterContext) -> String {
    let mut text = context.section.source.clone() + &context.wishes.concat();
    if let Some(contract) = &context.contract {
        let objectives = contract.objectives.iter().map(|objective| &objective.description);
        for line in contract.preconditions.iter().chain(objectives).chain(&contract.postconditions) {
            text.push('\n');
            text.push_str(line);
        }
    }
    text
}

/// A sort key for the person's last appearance: in the latest summaries, then in the chapter's storyline, then in the
/// state.
fn last_seen(context: &ChapterContext, person: &Character) -> (usize, Reverse<bool>, Reverse<bool>) {
    let seen = context.recent.iter().rev().position(|recent| person.is_named_in(&recent.summary));
    let in_line = context.storylines.has_on(context.storyline(), person);
    let people = context.state.tree.get(Category::Characters.as_str());
    let in_state = people.is_some_and(|people| people.get(person.id.as_str()).is_some());
    (seen.unwrap_or(usize::MAX), Reverse(in_line), Reverse(in_state))
}
