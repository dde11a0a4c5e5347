//! Storylines: the active one in full, those that touch this chapter with their memory, the others in one sentence each.
//! A frozen line's memory is never shown: what a writer does not know cannot leak (product document §6.6.7).

use super::bullets;
use super::cast::is_planned_here;
use crate::agents::context::chapter::ChapterContext;
use crate::agents::context::measure::{clip, clip_line};
use crate::domain::Slug;
use crate::domain::volume::outline::Section;
use crate::domain::world::character::Character;
use crate::domain::world::storyline::{self, MAX_MEMORY, Status};
use std::collections::BTreeSet;

/// Frozen lines beyond these are left out.
const MAX_FROZEN: usize = 8;
/// Adjacent lines beyond these are left out.
const MAX_ADJACENT: usize = 4;
/// Lines of a volume beyond these are left out of its overview.
const MAX_LINES: usize = 8;

fn name(context: &ChapterContext, id: &Slug) -> String {
    context.storylines.get(id).map_or_else(|| id.to_string(), |line| format!("{id}（{}）", clip_line(&line.name, 20)))
}

fn memory(context: &ChapterContext, id: &Slug) -> String {
    let facts = context.memories.get(id).map_or("", |memory| memory.facts.as_str());
    if facts.trim().is_empty() { super::NOTHING.to_owned() } else { clip(facts, MAX_MEMORY) }
}

/// The chapter's own line: what it is, what it should reach in this volume, where it stands and what it remembers.
pub(crate) fn active_line(context: &ChapterContext) -> String {
    format!("{}{}", definition(context, context.storyline()), standing(context))
}

/// The chapter's own line where [`volume_lines`] has told what it is: its name, where it stands and what it remembers.
pub(crate) fn active_line_now(context: &ChapterContext) -> String {
    format!("{}\n{}", name(context, context.storyline()), standing(context))
}

/// The lines of the volume: what each is and what it should reach. It stays the same from chapter to chapter.
pub(crate) fn volume_lines(context: &ChapterContext) -> String {
    let scheduled = context.schedule.active.iter().map(|line| &line.storyline);
    scheduled.take(MAX_LINES).map(|id| definition(context, id)).collect::<Vec<_>>().join("\n")
}

/// Name, description, and the goal in this volume, a line each.
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

/// How long the chapter's own line has rested, how far it is, and its memory.
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

/// The lines that this chapter may touch: those it meets in a convergence, and the one it leads over to.
fn adjacent(context: &ChapterContext) -> Vec<&Slug> {
    let transition = context.contract.as_ref().and_then(|contract| contract.transition.as_ref());
    adjacent_in(context, &context.section, transition.map(|transition| &transition.next))
}

/// The adjacent lines of any chapter of the volume. The outline is what the next chapter is written from; `next` is the line of the
/// contract's transition, which may be older.
fn adjacent_in<'a>(context: &'a ChapterContext, section: &'a Section, next: Option<&'a Slug>) -> Vec<&'a Slug> {
    let planned = context.outline.section(section.chapter.next()).map(|section| &section.storyline);
    let meeting = context.schedule.convergence_at(section.chapter);
    let mut lines = storyline::adjacent_lines(&section.storyline, meeting, planned.or(next));
    lines.truncate(MAX_ADJACENT);
    lines
}

/// The lines that the chapters right before and after this one may know as well, or else the chapter's own. Told before all
/// others and in the order of the book, they stand alike in the prompts of chapters that take turns between lines.
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

/// Whether a line's chapters may be known in this chapter: its own and the adjacent ones.
pub(crate) fn may_know(context: &ChapterContext, line: &Slug) -> bool {
    context.storyline() == line || adjacent(context).into_iter().any(|known| known == line)
}

/// The lines this chapter may touch, with their memories, and the convergence itself.
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

/// One sentence for each line that runs or rests elsewhere.
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

/// The other lines with the people who belong only to them, so that mentions of them can be recognised.
pub(crate) fn other_lines(context: &ChapterContext) -> String {
    let own = context.storyline();
    let others = context.storylines.lines.iter().filter(|line| line.id != *own && line.status != Status::Ended);
    bullets(others.take(MAX_FROZEN).map(|line| {
        let foreign = |person: &&Character| {
            line.includes(person) && !context.storylines.has_on(own, person) && !is_planned_here(context, person)
        };
        let people = context.characters.iter().filter(foreign);
        let people: Vec<&str> = people.take(12).map(|person| person.display_name.as_str()).collect();
        let people = if people.is_empty() { super::NOTHING.to_owned() } else { people.join("、") };
        format!("{}：独有人物 {people}", name(context, &line.id))
    }))
}
