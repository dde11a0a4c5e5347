//! Characters as text, and the ids for a summary.

use super::rules::waived;
use super::{Extent, bullets};
use crate::agents::context::measure::clip;
use crate::agents::prelude::*;

const MAX_IDS: usize = 60;
/// Further relationships are left out.
const MAX_RELATIONS: usize = 12;

/// Profiles, ways of speaking and contracts.
pub(crate) fn characters(context: &ChapterContext, people: &[&Character], extent: &Extent) -> String {
    people.iter().map(|person| profile(context, person, extent)).collect::<Vec<_>>().join("\n")
}

/// People without a file, so that they keep their names and callings.
pub(crate) fn minor_cast(context: &ChapterContext, extent: &Extent) -> String {
    let lines = context.minor_cast.iter().take(extent.minor_cast).map(|person| {
        let place = match person.place.is_empty() {
            true => String::new(),
            false => format!("（{}）", clip_line(&person.place, 30)),
        };
        format!("{}：最近在第{}章{place}", clip_line(&person.name, 8), person.chapter.get())
    });
    bullets(lines)
}

/// The people of the line in this volume with their relationships: a part of the prompt that is equal for consecutive
/// chapters of the line.
pub(crate) fn line_cast(context: &ChapterContext, cast: &[&Character], extent: &Extent) -> String {
    let relations = relations(context, cast);
    let relations = if relations.is_empty() { relations } else { format!("\n起初的关系：\n{relations}") };
    characters(context, cast, extent) + &relations
}

/// The people of the chapter: names of those whom [`line_cast`] describes, full texts of the others.
pub(crate) fn present(context: &ChapterContext, people: &[&Character], cast: &[&Character], extent: &Extent) -> String {
    let (known, others): (Vec<&Character>, Vec<&Character>) =
        people.iter().copied().partition(|person| cast.iter().any(|known| known.id == person.id));
    let known: Vec<String> = known.iter().map(|person| format!("{}（{}）", person.display_name, person.id)).collect();
    let known =
        if known.is_empty() { String::new() } else { format!("写到的本线人物：{}\n\n", known.join("、")) };
    known + &characters(context, &others, extent)
}

/// The initial relationships of those people; present feelings are in the state.
fn relations(context: &ChapterContext, people: &[&Character]) -> String {
    let name = |id: &Slug| people.iter().find(|person| person.id == *id).map(|person| person.display_name.as_str());
    let lines = context.relationships.iter().filter_map(|relation| {
        let (from, to) = (name(&relation.from)?, name(&relation.to)?);
        let note = clip_line(&relation.note, 60);
        let note = if note.is_empty() { note } else { format!("，{note}") };
        Some(format!("{from} → {to}：{}{note}", clip_line(&relation.kind, 20)))
    });
    bullets(lines.take(MAX_RELATIONS))
}

fn profile(context: &ChapterContext, person: &Character, extent: &Extent) -> String {
    let others = clip_line(&person.other_names(), 80);
    let mut text = format!("## {}（{}{others}）\n", person.display_name, person.id);
    for (label, words) in [("", clip(&person.profile, extent.profile)), ("说话：", clip_line(&person.speech, 120))] {
        if !words.is_empty() {
            text.push_str(&format!("{label}{words}\n"));
        }
    }
    let contracts = person.contracts_in(context.chapter).take(extent.contracts).map(|contract| {
        let mut line = format!("{}【硬】{}", contract.id, clip_line(&contract.rule, 120));
        if !contract.exceptions.is_empty() {
            line.push_str(&format!("（例外：{}）", clip_line(&contract.exceptions.join("；"), 80)));
        }
        if let Some(requires) = &contract.update_requires {
            line.push_str(&format!("（改变的前提：{}）", clip_line(requires, 60)));
        }
        line + &waived(context, &contract.id)
    });
    text + &bullets(contracts)
}

/// Ids with their names in the text: mentioned people, then other things of the state.
pub(crate) fn entities(context: &ChapterContext, text: &str) -> String {
    let people = context.characters.iter().filter(|person| person.is_named_in(text)).map(|person| {
        let names = [&person.display_name].into_iter().chain(&person.aliases).chain(&person.former_names);
        let names = names.map(String::as_str);
        format!("characters.{} = {}", person.id, clip_line(&names.collect::<Vec<_>>().join("、"), 40))
    });
    let mut lines: Vec<String> = people.take(MAX_IDS).collect();
    for category in [Category::Locations, Category::Items, Category::Factions] {
        let Some(things) = context.state.tree.get(category.as_str()).and_then(|things| things.as_object()) else {
            continue;
        };
        // The latest ones: the state keeps the order of appearance.
        let skipped = things.len().saturating_sub(MAX_IDS / 3);
        lines.extend(things.iter().skip(skipped).map(|(key, thing)| {
            let name = thing.get("name").and_then(|name| name.as_str());
            name.map_or_else(
                || format!("{category}.{key}"),
                |name| format!("{category}.{key} = {}", clip_line(name, 20)),
            )
        }));
    }
    bullets(lines)
}
