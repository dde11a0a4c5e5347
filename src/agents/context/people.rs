//! Characters as text, and the ids that a summary may use.

use super::rules::waived;
use super::{Extent, bullets};
use crate::agents::context::chapter::ChapterContext;
use crate::agents::context::measure::{clip, clip_line};
use crate::domain::state::Category;
use crate::domain::world::character::Character;

/// The most entries of the list of ids.
const MAX_IDS: usize = 60;

/// Profiles, ways of speaking and contracts.
pub(crate) fn characters(context: &ChapterContext, people: &[&Character], extent: &Extent) -> String {
    people.iter().map(|person| profile(context, person, extent)).collect::<Vec<_>>().join("\n")
}

/// The people without a file of their own, so that they keep their names and callings; empty without any.
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

fn profile(context: &ChapterContext, person: &Character, extent: &Extent) -> String {
    let aliases = match person.aliases.is_empty() {
        true => String::new(),
        false => format!("，又称{}", clip_line(&person.aliases.join("、"), 40)),
    };
    let mut text = format!("## {}（{}{aliases}）\n", person.display_name, person.id);
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

/// Ids with the names that stand in the text: people whom the text mentions, then what else the state knows.
pub(crate) fn entities(context: &ChapterContext, text: &str) -> String {
    let people = context.characters.iter().filter(|person| person.is_named_in(text)).map(|person| {
        let names = [&person.display_name].into_iter().chain(&person.aliases).map(String::as_str);
        format!("characters.{} = {}", person.id, clip_line(&names.collect::<Vec<_>>().join("、"), 40))
    });
    let mut lines: Vec<String> = people.take(MAX_IDS).collect();
    for category in [Category::Locations, Category::Items, Category::Factions] {
        let Some(things) = context.state.tree.get(category.as_str()).and_then(|things| things.as_object()) else {
            continue;
        };
        // The latest ones: the state keeps the order in which things came up.
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
