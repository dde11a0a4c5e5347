//! Characters as text, and the ids for a summary.
//! Instructions for the writer to change how the people of a chapter speak.

use crate::agents::context::PartLimits;
use crate::agents::context::rules::waived;
use crate::agents::prelude::*;
use crate::domain::world::character::{TicKind, VoiceNote};

const MAX_IDS: usize = 60;
/// Further relationships are left out.
const MAX_RELATIONS: usize = 12;

/// Profiles, ways of speaking and contracts.
pub(crate) fn characters(context: &ChapterContext, people: &[&Character], extent: &PartLimits) -> String {
    people.iter().map(|person| profile(context, person, extent)).collect::<Vec<_>>().join("\n")
}

/// People without a file, so that they keep their names and callings.
pub(crate) fn minor_cast(context: &ChapterContext, extent: &PartLimits) -> String {
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
pub(crate) fn line_cast(context: &ChapterContext, cast: &[&Character], extent: &PartLimits) -> String {
    let relations = relations(context, cast);
    let relations = if relations.is_empty() { relations } else { format!("\n起初的关系：\n{relations}") };
    characters(context, cast, extent) + &relations
}

/// The people of the chapter: names of those whom [`line_cast`] describes, full texts of the others.
pub(crate) fn present(
    context: &ChapterContext,
    people: &[&Character],
    cast: &[&Character],
    extent: &PartLimits,
) -> String {
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

fn profile(context: &ChapterContext, person: &Character, extent: &PartLimits) -> String {
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

const MOST: usize = 4;
/// The most characters of a person's habits of speech.
const SPEECH: usize = 30;

/// A line per note, those on two people first: telling two people apart takes more than leaving a word out. A prompt
/// that is too large loses the notes together with worn-out patterns.
pub(crate) fn voices(context: &ChapterContext, extent: &PartLimits) -> String {
    let (alike, tics): (Vec<&VoiceNote>, Vec<&VoiceNote>) =
        context.voices.iter().partition(|note| matches!(note, VoiceNote::Alike { .. }));
    bullets(alike.into_iter().chain(tics).take(MOST.min(extent.worn)).map(|note| line(context, note)))
}

fn line(context: &ChapterContext, note: &VoiceNote) -> String {
    match note {
        VoiceNote::Alike { people: (one, other) } => {
            let (first, second) = (name(context, one), name(context, other));
            format!(
                "{first}和{second}近来口吻分不开，盖住名字认不出是谁：这一章{}，{}，句子长短、问法和语气词各走各的",
                manner(context, one),
                manner(context, other)
            )
        }
        VoiceNote::Tic { person, words, kind, times, lines } => {
            let name = name(context, person);
            let often = format!("近来 {lines} 句里有 {times} 句");
            match kind {
                TicKind::Phrase => format!("{name}{often}带“{words}”：这一章至多一次，换成别的说法或手上的动作"),
                TicKind::Opening => format!("{name}{often}以“{words}”起头：这一章至多一次，直接说事"),
                TicKind::Particle => format!("{name}{often}以“{words}”收尾：这一章大半句子不带它"),
            }
        }
    }
}

fn name<'a>(context: &'a ChapterContext, id: &'a Slug) -> &'a str {
    let person = context.characters.iter().find(|person| person.id == *id);
    person.map_or(id.as_str(), |person| person.display_name.as_str())
}

/// `林枫按“先说石头，答非所问”来说`
fn manner(context: &ChapterContext, id: &Slug) -> String {
    let name = name(context, id);
    let person = context.characters.iter().find(|person| person.id == *id);
    match person.map(|person| person.speech.trim()).filter(|speech| !speech.is_empty()) {
        Some(speech) => format!("{name}按“{}”来说", clip_line(speech, SPEECH)),
        None => format!("给{name}定一种自己的说法"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::calibration::specimens;
    use crate::domain::book::config::BookConfig;

    #[test]
    fn each_note_is_an_instruction_and_there_are_few() {
        let mut context = specimens(&BookConfig::default()).swap_remove(0).context;
        let slug = |id: &str| Slug::new(id).unwrap();
        assert_eq!(voices(&context, &PartLimits::default()), "");
        let tic = |words: &str, kind| VoiceNote::Tic {
            person: slug("qingwen"),
            words: words.into(),
            kind,
            times: 12,
            lines: 60,
        };
        context.voices = vec![
            tic("蝎蝎螫螫", TicKind::Phrase),
            tic("哼", TicKind::Opening),
            tic("呢", TicKind::Particle),
            VoiceNote::Alike { people: (slug("qingwen"), slug("sheyue")) },
            tic("多余的", TicKind::Phrase),
        ];
        let told = voices(&context, &PartLimits::default());
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines.len(), MOST, "{told}");
        assert!(lines[0].contains("晴雯和麝月") && lines[0].contains("麝月按“稳当，就事论事”来说"), "{told}");
        assert!(lines[1].contains("晴雯近来 60 句里有 12 句带“蝎蝎螫螫”"), "{told}");
        assert!(lines[2].contains("以“哼”起头") && lines[3].contains("以“呢”收尾"), "{told}");
        assert_eq!(voices(&context, &PartLimits { worn: 0, ..PartLimits::default() }), "");
    }
}
