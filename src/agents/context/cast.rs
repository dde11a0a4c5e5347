//! The characters that a prompt is about (orchestrator chapter §8.5), as text, and how they speak.
//! Storylines: the active one in full, adjacent ones with their memory, others in one sentence each. The memory of a
//! frozen line is never shown: a writer cannot leak what the prompt lacks (product document §6.6.7).

use crate::agents::context::{PartLimits, waived};
use crate::agents::prelude::*;
use crate::domain::volume::outline::Section;
use crate::domain::world::character::{TicKind, VoiceNote};
use crate::domain::world::storyline::{self, MAX_MEMORY, Status};
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
    pub(crate) fn within(&self, extent: &PartLimits) -> Vec<&'a Character> {
        // A prompt without characters would make the model invent some.
        let extras = if self.named.is_empty() { extent.extras.max(4) } else { extent.extras };
        let mut people: Vec<&Character> = self.named.iter().take(extent.named).copied().collect();
        people.extend(self.extras.iter().take(extras));
        in_order(&mut people);
        people
    }

    pub(crate) fn everyone(&self) -> Vec<&'a Character> {
        self.within(&PartLimits::default())
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

/// Further frozen lines are left out.
const MAX_FROZEN: usize = 8;
/// Further adjacent lines are left out.
const MAX_ADJACENT: usize = 4;
/// Further lines are left out of the volume's overview.
const MAX_LINES: usize = 8;

fn name(context: &ChapterContext, id: &Slug) -> String {
    context.storylines.get(id).map_or_else(|| id.to_string(), |line| format!("{id}（{}）", clip_line(&line.name, 20)))
}

fn memory(context: &ChapterContext, id: &Slug) -> String {
    let facts = context.memories.get(id).map_or("", |memory| memory.facts.as_str());
    if facts.trim().is_empty() { crate::agents::context::NOTHING.to_owned() } else { clip(facts, MAX_MEMORY) }
}

/// The chapter's line: definition, goal in this volume, status and memory.
pub(crate) fn active_line(context: &ChapterContext) -> String {
    format!("{}{}", definition(context, context.storyline()), standing(context))
}

/// The chapter's line after [`volume_lines`]: name, status and memory.
pub(crate) fn active_line_now(context: &ChapterContext) -> String {
    format!("{}\n{}", name(context, context.storyline()), standing(context))
}

/// The lines of the volume with their goals, equal for all its chapters.
pub(crate) fn volume_lines(context: &ChapterContext) -> String {
    let scheduled = context.schedule.active.iter().map(|line| &line.storyline);
    scheduled.take(MAX_LINES).map(|id| definition(context, id)).collect::<Vec<_>>().join("\n")
}

/// Name, description and goal in this volume, a line each.
fn definition(context: &ChapterContext, id: &Slug) -> String {
    let mut text = format!("{}\n", name(context, id));
    if let Some(line) = context.storylines.get(id) {
        text.push_str(&format!("{}\n", clip_line(&line.description, 200)));
    }
    if let Some(scheduled) = context.schedule.active.iter().find(|line| line.storyline == *id)
        && !scheduled.goal.trim().is_empty()
    {
        text.push_str(&format!("本卷目标：{}\n", clip_line(&scheduled.goal, 120)));
    }
    text
}

/// The line's pause, progress and memory.
fn standing(context: &ChapterContext) -> String {
    let id = context.storyline();
    let mut text = String::new();
    let line = context.contract.as_ref().and_then(|contract| contract.context.as_ref());
    if let Some(line) = line
        && let (Some(last), Some(away)) = (line.last, line.away(context.chapter))
        && away > 0
    {
        let told = line.progress.map_or_else(String::new, |share| format!("；写完本章，本卷里它走到 {share}%"));
        text.push_str(&format!("上次写到这条线是第{}章，隔了 {away} 章{told}\n", last.get()));
    }
    if let Some(line) = line
        && line.last.is_none()
        && context.schedule.newly_activated.contains(id)
    {
        text.push_str("这条线从这一卷起才走到台前：先让读者认得人和来由\n");
    }
    text.push_str(&format!("记忆：{}\n", memory(context, id)));
    text
}

/// The lines that this chapter may touch: those of a crossover, and the one it leads over to.
fn adjacent(context: &ChapterContext) -> Vec<&Slug> {
    let transition = context.contract.as_ref().and_then(|contract| contract.transition.as_ref());
    adjacent_in(context, &context.section, transition.map(|transition| &transition.next))
}

/// The adjacent lines of any chapter of the volume. The next chapter is written from the outline; `next` is the line of
/// the contract's transition, which may be older.
fn adjacent_in<'a>(context: &'a ChapterContext, section: &'a Section, next: Option<&'a Slug>) -> Vec<&'a Slug> {
    let planned = context.outline.section(section.chapter.next()).map(|section| &section.storyline);
    let meeting = context.schedule.convergence_at(section.chapter);
    let mut lines = storyline::adjacent_lines(&section.storyline, meeting, planned.or(next));
    lines.truncate(MAX_ADJACENT);
    lines
}

/// The lines that the chapters right before and after this one may know too, or else the chapter's own. Told first and
/// in book order, they make equal prompt beginnings for chapters that alternate between lines.
pub(crate) fn shared_lines(context: &ChapterContext) -> BTreeSet<&Slug> {
    let own = context.storyline();
    let mut shared: BTreeSet<&Slug> = adjacent(context).into_iter().chain([own]).collect();
    for neighbour in [context.chapter.previous(), Some(context.chapter.next())].into_iter().flatten() {
        if let Some(section) = context.outline.section(neighbour) {
            let known = adjacent_in(context, section, None);
            shared.retain(|line| *line == &section.storyline || known.contains(line));
        }
    }
    if shared.is_empty() { BTreeSet::from([own]) } else { shared }
}

/// True for the chapter's own and its adjacent lines.
pub(crate) fn may_know(context: &ChapterContext, line: &Slug) -> bool {
    context.storyline() == line || adjacent(context).into_iter().any(|known| known == line)
}

/// The adjacent lines with their memories, and the crossover.
pub(crate) fn adjacent_lines(context: &ChapterContext) -> String {
    let mut text = String::new();
    if let Some(meeting) = context.convergence() {
        let (from, to) = meeting.chapters;
        let (trigger, aftermath) = (clip_line(&meeting.trigger, 120), clip_line(&meeting.aftermath, 120));
        text.push_str(&format!("交汇（第{from}至{to}章）：{trigger}；其后：{aftermath}\n"));
    }
    for id in adjacent(context) {
        text.push_str(&format!("{}\n记忆：{}\n", name(context, id), memory(context, id)));
    }
    text
}

/// One sentence for each other line that runs or rests.
pub(crate) fn frozen_lines(context: &ChapterContext) -> String {
    let near = adjacent(context);
    let frozen = context.storylines.lines.iter().filter(|line| {
        let alive = matches!(line.status, Status::Active | Status::Dormant);
        alive && line.id != *context.storyline() && !near.contains(&&line.id)
    });
    // A line's memory is newer than the expectation in the contract.
    let expected = context.contract.as_ref().and_then(|contract| contract.context.as_ref());
    let known = frozen.filter_map(|line| {
        let status = context.memories.get(&line.id).map(|memory| &memory.status);
        let status = status.filter(|status| !status.trim().is_empty());
        let status = status.or_else(|| expected?.concurrent.get(&line.id))?;
        (!status.trim().is_empty()).then(|| format!("{}：{}", name(context, &line.id), clip_line(status, 80)))
    });
    bullets(known.take(MAX_FROZEN))
}

/// The other lines with the people who belong only to them, to recognise mentions.
pub(crate) fn other_lines(context: &ChapterContext) -> String {
    let own = context.storyline();
    let others = context.storylines.lines.iter().filter(|line| line.id != *own && line.status != Status::Ended);
    bullets(others.take(MAX_FROZEN).map(|line| {
        let foreign = |person: &&Character| {
            line.includes(person) && !context.storylines.has_on(own, person) && !is_planned_here(context, person)
        };
        let people = context.characters.iter().filter(foreign);
        let people: Vec<&str> = people.take(12).map(|person| person.display_name.as_str()).collect();
        let people = if people.is_empty() { crate::agents::context::NOTHING.to_owned() } else { people.join("、") };
        format!("{}：独有人物 {people}", name(context, &line.id))
    }))
}

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
            let (first, second) = (display_name(context, one), display_name(context, other));
            format!(
                "{first}和{second}近来口吻分不开，盖住名字认不出是谁：这一章{}，{}，句子长短、问法和语气词各走各的",
                manner(context, one),
                manner(context, other)
            )
        }
        VoiceNote::Tic { person, words, kind, times, lines } => {
            let name = display_name(context, person);
            let often = format!("近来 {lines} 句里有 {times} 句");
            match kind {
                TicKind::Phrase => format!("{name}{often}带“{words}”：这一章至多一次，换成别的说法或手上的动作"),
                TicKind::Opening => format!("{name}{often}以“{words}”起头：这一章至多一次，直接说事"),
                TicKind::Particle => format!("{name}{often}以“{words}”收尾：这一章大半句子不带它"),
            }
        }
    }
}

fn display_name<'a>(context: &'a ChapterContext, id: &'a Slug) -> &'a str {
    let person = context.characters.iter().find(|person| person.id == *id);
    person.map_or(id.as_str(), |person| person.display_name.as_str())
}

/// `林枫按“先说石头，答非所问”来说`
fn manner(context: &ChapterContext, id: &Slug) -> String {
    let name = display_name(context, id);
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
