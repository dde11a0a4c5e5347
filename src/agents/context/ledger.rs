//! The foreshadowings that concern a chapter.
//! The part of the state around a chapter, one fact a line, in the words of operations: `path = value`.
//! The ledger of chapters: a line for each chapter before the last summaries, and open threads.
//! Passages of earlier chapters, pages and samples of the author related to the chapter, so that the writer meets the words
//! themselves.

use crate::agents::context::cast::plan_text;
use crate::agents::context::chapter::Recent;
use crate::agents::context::{Extent, may_know};
use crate::agents::prelude::*;
use crate::domain::chapter::summary::{ChapterMemory, Entry, PersonStatus};
use crate::domain::state::StatePath;
use crate::domain::volume::foreshadowing::{Foreshadowing, Scope};
use crate::domain::volume::inventory::irregular::{AgendaItem, NEXT};
use crate::domain::volume::inventory::{Basis, Inventory, VolumePlan};
use crate::domain::volume::outline::Task;
use crate::text::{Excerpt, ExcerptKind, common};
use std::cmp::Reverse;

/// Further overdue ones are left out, the youngest first.
const MAX_OVERDUE: usize = 8;
/// The most proposals for a writer: each takes room from the chapter's own plan.
const MAX_PROPOSED: usize = 3;

/// The chapter's tasks, open foreshadowings of its storyline, and all overdue ones.
pub(crate) fn ledger(context: &ChapterContext, extent: &Extent) -> String {
    groups(context, extent, &[])
}

/// The foreshadowings with the most urgent proposals about the chapter's line and those that it may touch.
pub(crate) fn ledger_with_proposals(context: &ChapterContext, extent: &Extent) -> String {
    groups(context, extent, &proposals(context))
}

fn groups(context: &ChapterContext, extent: &Extent, proposed: &[AgendaItem]) -> String {
    let tasks = &context.section.tasks;
    let is_named = |id: &Slug| tasks.iter().any(|task| task.id == *id) || proposed.iter().any(|item| item.id == *id);
    let chapter = context.chapter.get();
    let unnamed = context.ledger.open().filter(|entry| !is_named(&entry.id));
    let (overdue, open): (Vec<_>, Vec<_>) = unnamed.partition(|entry| entry.overdue(chapter - 1));
    let mut open: Vec<_> = open.into_iter().filter(|entry| entry.storyline == *context.storyline()).collect();
    if open.len() > extent.open {
        open.sort_by_key(|entry| (Reverse(entry.last_updated_chapter()), &entry.id));
        open.truncate(extent.open);
        open.sort_by_key(|entry| (entry.planted_chapter(), &entry.id));
    }
    let line = |entry: &Foreshadowing| format!("{}：{}", entry.id, about(entry, chapter));
    let groups = [
        ("本章任务", tasks.iter().map(|task| task_line(context, task)).collect::<Vec<_>>()),
        ("章纲之外，合得上情节才做", proposed.iter().map(|item| proposal_line(context, item)).collect()),
        ("本线未收", open.into_iter().map(line).collect()),
        ("已超期", overdue.into_iter().take(MAX_OVERDUE).map(line).collect()),
    ];
    let groups = groups.into_iter().filter(|(_, lines)| !lines.is_empty());
    groups.map(|(name, lines)| format!("{name}：\n{}", super::bullets(lines))).collect()
}

/// The proposals that the chapter may know of, the most urgent first.
fn proposals(context: &ChapterContext) -> Vec<AgendaItem> {
    let plan = VolumePlan::of(context.volume, &context.outline, &context.planned, &context.contract);
    let inventory = Inventory::of(&Basis {
        ledger: &context.ledger,
        volumes: &[plan],
        present: context.volume,
        last_completed: context.chapter.get() - 1,
    });
    let knows = |id: &Slug| inventory.get(id).is_some_and(|thread| may_know(context, &thread.storyline));
    let proposed = inventory.agenda(NEXT).into_iter().filter(|item| !item.planned && knows(&item.id));
    proposed.take(MAX_PROPOSED).collect()
}

/// `sealed-letter：第12章埋下，最迟第20章回收，这一章推进：…（原为：…）`
fn task_line(context: &ChapterContext, task: &Task) -> String {
    let entry = context.ledger.get(&task.id);
    let line = format!("{}：{}：{}", task.id, orders(context, &task.id, task.action), clip_line(&task.detail, 80));
    match entry {
        Some(entry) => format!("{line}（原为：{}）", subject(entry)),
        None => line,
    }
}

fn proposal_line(context: &ChapterContext, item: &AgendaItem) -> String {
    let planned = || context.planned.iter().find(|planned| planned.id == item.id);
    let subject = match context.ledger.get(&item.id) {
        Some(entry) => subject(entry),
        None => planned().map(|planned| clip_line(&planned.description, 60)).unwrap_or_default(),
    };
    format!("{}：{}：{subject}", item.id, orders(context, &item.id, item.action))
}

/// `第12章埋下，最迟第20章回收，这一章推进`
fn orders(context: &ChapterContext, id: &Slug, action: Action) -> String {
    let chapter = context.chapter.get();
    let orders = format!("这一章{}", action.verb());
    let dates = match context.ledger.get(id) {
        Some(entry) => dates(entry, chapter),
        None => {
            let planned = context.planned.iter().find(|planned| planned.id == *id);
            planned.and_then(|planned| due(planned.target?, planned.scope, chapter)).into_iter().collect()
        }
    };
    dates.into_iter().chain([orders]).collect::<Vec<_>>().join("，")
}

/// The subject and the due range, for foreshadowings that the chapter does not touch.
fn about(entry: &Foreshadowing, chapter: u32) -> String {
    let due = entry.target.and_then(|target| due(target, entry.scope, chapter));
    due.map_or_else(|| subject(entry), |due| format!("{}；{due}", subject(entry)))
}

fn dates(entry: &Foreshadowing, chapter: u32) -> Vec<String> {
    let planted = format!("第{}章埋下", entry.planted_chapter().get());
    let due = entry.target.and_then(|target| due(target, entry.scope, chapter));
    std::iter::once(planted).chain(due).collect()
}

/// A due range in words for a chapter. A long one has no fixed date, so a past range says nothing.
fn due((from, to): (u32, u32), scope: Scope, chapter: u32) -> Option<String> {
    match chapter {
        _ if chapter > to => (scope != Scope::Long).then(|| format!("原定最迟第{to}章回收，已经过了")),
        _ if chapter >= from => Some(format!("最迟第{to}章回收")),
        _ => Some(format!("宜在第{from}至{to}章回收")),
    }
}

/// The description, and the last step after the planting.
fn subject(entry: &Foreshadowing) -> String {
    let mut text = clip_line(&entry.description, 60);
    if let [_, .., last] = &entry.history[..] {
        text.push_str(&format!("；第{}章{}：{}", last.chapter.get(), last.action.verb(), clip_line(&last.detail, 60)));
    }
    text
}

/// Further world facts are left out, the oldest first.
const MAX_WORLD: usize = 20;
/// Relationships in words, by the lower end of their range; see
/// [`MAX_RELATIONSHIP`](crate::domain::state::MAX_RELATIONSHIP).
const RELATIONSHIPS: [(f64, &str); 7] = [
    (60.0, "生死相托"),
    (20.0, "信得过"),
    (1.0, "略有好感"),
    (0.0, "谈不上亲疏"),
    (-19.0, "心有芥蒂"),
    (-59.0, "敌视"),
    (f64::NEG_INFINITY, "势不两立"),
];
const MAX_VALUE: usize = 80;

/// The world's time and events, facts about these people, and the places, things and groups named by the plan, the
/// `text` or these people's facts.
pub(crate) fn state(context: &ChapterContext, people: &[&Character], text: &str, extent: &Extent) -> String {
    let tree = &context.state.tree;
    let mut facts = Vec::new();
    if let Some(world) = tree.get(Category::WorldState.as_str()) {
        flatten(Category::WorldState.as_str(), world, &mut facts);
        facts.drain(..facts.len().saturating_sub(MAX_WORLD));
    }
    let known = tree.get(Category::Characters.as_str());
    let before = facts.len();
    for person in people {
        if let Some(value) = known.and_then(|known| known.get(person.id.as_str())) {
            flatten(&format!("{}.{}", Category::Characters, person.id), value, &mut facts);
        }
    }
    let names = format!("{}\n{text}\n{}", crate::agents::context::cast::plan_text(context), facts[before..].join("\n"));
    for category in [Category::Locations, Category::Items, Category::Factions] {
        for (key, value) in tree.get(category.as_str()).and_then(Value::as_object).into_iter().flatten() {
            let name = value.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
            if names.contains(key.as_str()) || name.is_some_and(|name| names.contains(name)) {
                flatten(&format!("{category}.{key}"), value, &mut facts);
            }
        }
    }
    facts.truncate(extent.facts);
    facts.join("\n")
}

fn flatten(path: &str, value: &Value, facts: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| flatten(&format!("{path}.{key}"), value, facts)),
        Value::Array(list) => {
            let entries: Vec<String> = list.iter().map(plain).collect();
            facts.push(format!("{path} = [{}]", clip_line(&entries.join("、"), MAX_VALUE)));
        }
        Value::Number(number) if is_relationship(path) => {
            let value = number.as_f64().unwrap_or_default();
            let words = RELATIONSHIPS.iter().find(|(from, _)| value >= *from).map_or("", |(_, words)| words);
            facts.push(format!("{path} = {number}（{words}）"));
        }
        single => facts.push(format!("{path} = {}", clip_line(&plain(single), MAX_VALUE))),
    }
}

fn is_relationship(path: &str) -> bool {
    path.parse().is_ok_and(|path: StatePath| path.is_relationship())
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Characters of a chapter's line.
const MAX_LINE: usize = 120;
/// Further open threads are left out, the oldest first.
const MAX_THREADS: usize = 8;
const MAX_THREAD: usize = 36;
const MAX_PEOPLE: usize = 3;

/// The ledger as far as this chapter may know it: entries of other lines are treated like their summaries.
pub(crate) fn chapter_memory(context: &ChapterContext, extent: &Extent) -> String {
    memory_lines(&known(context, extent), &context.recent, &context.characters)
}

/// The lines of chapters on the storylines that `is_told` accepts, without the open threads.
pub(crate) fn chapter_lines(context: &ChapterContext, extent: &Extent, is_told: &dyn Fn(&Slug) -> bool) -> String {
    let mut known = known(context, extent);
    known.retain(|memory| is_told(&memory.storyline));
    lines(&known, &context.recent, &context.characters)
}

pub(crate) fn open_threads(context: &ChapterContext, extent: &Extent) -> String {
    bullets(threads(&known(context, extent)))
}

fn known<'a>(context: &'a ChapterContext, extent: &Extent) -> Vec<&'a ChapterMemory> {
    let known =
        context.chapter_memories.iter().filter(|memory| crate::agents::context::may_know(context, &memory.storyline));
    let known: Vec<&ChapterMemory> = known.collect();
    let skipped = known.len().saturating_sub(extent.memories);
    known[skipped..].to_vec()
}

/// A line for each chapter without a summary beside it, and the open threads of all.
pub(crate) fn memory_lines(memories: &[&ChapterMemory], recent: &[Recent], people: &[Character]) -> String {
    let lines = lines(memories, recent, people);
    let threads = bullets(threads(memories));
    if threads.is_empty() { lines } else { format!("{lines}各章末悬着的事：\n{threads}") }
}

fn lines(memories: &[&ChapterMemory], recent: &[Recent], people: &[Character]) -> String {
    let summarized = |memory: &ChapterMemory| recent.iter().any(|recent| recent.chapter == memory.chapter);
    let older = memories.iter().filter(|memory| !summarized(memory));
    older.filter_map(|memory| line(memory, people)).collect()
}

/// `第5章（main-arc）雨季第九日，城北废墟：林枫赚开北门；管十收了玉｜林枫左手带伤`
fn line(memory: &ChapterMemory, people: &[Character]) -> Option<String> {
    let Entry { time, places, events, people: standings, .. } = &memory.entry;
    let scene: Vec<&str> = [time.as_str()].into_iter().chain(places.iter().map(String::as_str)).collect();
    let scene = scene.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("，");
    let named = |who: &str| {
        let known = people.iter().find(|person| person.id.as_str() == who);
        known.map_or_else(|| who.to_owned(), |person| person.display_name.clone())
    };
    let standing = |person: &PersonStatus| {
        let name = named(&person.who);
        if person.state.starts_with(&name) { person.state.clone() } else { format!("{name}{}", person.state) }
    };
    let standings: Vec<String> = standings.iter().take(MAX_PEOPLE).map(standing).collect();
    let parts = [scene, events.join("；"), standings.join("；")];
    if parts.iter().all(String::is_empty) {
        return None;
    }
    let [scene, events, standings] = parts;
    let standings = if standings.is_empty() { String::new() } else { format!("｜{standings}") };
    let text = format!("第{}章（{}）{scene}：{events}{standings}", memory.chapter.get(), memory.storyline);
    Some(format!("{}\n", clip_line(&text, MAX_LINE)))
}

/// The open threads, the oldest first, each once with the last chapter that left it open.
fn threads(memories: &[&ChapterMemory]) -> Vec<String> {
    let mut found: Vec<(&str, u32)> = Vec::new();
    for memory in memories.iter().rev() {
        for thread in memory.entry.threads.iter().map(|thread| thread.trim()) {
            if !thread.is_empty() && found.len() < MAX_THREADS && found.iter().all(|(known, _)| *known != thread) {
                found.push((thread, memory.chapter.get()));
            }
        }
    }
    found.reverse();
    found.into_iter().map(|(thread, chapter)| format!("{}（第{chapter}章）", clip_line(thread, MAX_THREAD))).collect()
}

const MAX_PASSAGE: usize = 150;

/// A line per passage, without passages of lines that the chapter may not know.
pub(crate) fn passages(context: &ChapterContext, extent: &Extent) -> String {
    let known = context.passages.iter().filter(|passage| crate::agents::context::may_know(context, &passage.storyline));
    crate::agents::context::bullets(known.take(extent.passages).map(|passage| {
        let (chapter, text) = (passage.chapter.get(), clip_line(&passage.text, MAX_PASSAGE));
        format!("第{chapter}章：{text}")
    }))
}

/// A line per passage: `liuyin-station：…`.
pub(crate) fn pages(context: &ChapterContext, extent: &Extent) -> String {
    crate::agents::context::bullets(context.pages.iter().take(extent.pages).map(|page| {
        let name = page.path.rsplit('/').next().unwrap_or(&page.path).trim_end_matches(".md");
        format!("{}：{}", clip_line(name, 20), clip_line(&page.text, MAX_PASSAGE))
    }))
}

/// One excerpt of each kind: the one with most in common with the chapter's plan, and among equals another for each
/// chapter.
pub(crate) fn excerpts(context: &ChapterContext, extent: &Extent) -> String {
    let kinds = [ExcerptKind::Dialogue, ExcerptKind::Action, ExcerptKind::Ending];
    let plan = plan_text(context);
    let chosen = kinds.into_iter().filter_map(|kind| best(context, kind, &plan)).take(extent.samples);
    let texts = chosen.map(|Excerpt { kind, text }| format!("【{}】\n{text}\n", name(*kind)));
    texts.collect::<Vec<_>>().join("\n")
}

fn best<'a>(context: &'a ChapterContext, kind: ExcerptKind, plan: &str) -> Option<&'a Excerpt> {
    let of_kind: Vec<&Excerpt> = context.samples.iter().filter(|excerpt| excerpt.kind == kind).collect();
    let texts: Vec<String> = of_kind.iter().map(|excerpt| excerpt.text.clone()).collect();
    let shared = common(plan, &texts);
    let most = shared.iter().max()?;
    let equals: Vec<&Excerpt> =
        of_kind.into_iter().zip(&shared).filter(|(_, found)| *found == most).map(|(excerpt, _)| excerpt).collect();
    equals.get(context.chapter.get() as usize % equals.len()).copied()
}

const fn name(kind: ExcerptKind) -> &'static str {
    match kind {
        ExcerptKind::Dialogue => "写对话时",
        ExcerptKind::Action => "写动作时",
        ExcerptKind::Ending => "收尾时",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ChapterNo;

    fn memory(chapter: u32, entry: Entry) -> ChapterMemory {
        let storyline = Slug::new("main-arc").unwrap();
        ChapterMemory { chapter: ChapterNo::new(chapter).unwrap(), storyline, entry }
    }

    #[test]
    fn chapters_with_a_summary_only_say_what_they_left_open() {
        let entry = |n: u32| Entry {
            time: format!("第{n}夜"),
            places: vec!["北门".into()],
            events: vec!["门开了".into(), "灯灭了".into()],
            people: vec![PersonStatus { who: "路人".into(), state: "走了".into() }],
            threads: vec!["谁送的信".into(), format!("第{n}盏灯")],
            ..Entry::default()
        };
        let memories = [memory(4, entry(4)), memory(5, Entry::default()), memory(6, entry(6))];
        let summary = Recent {
            chapter: ChapterNo::new(6).unwrap(),
            title: String::new(),
            storyline: Slug::new("main-arc").unwrap(),
            summary: String::new(),
        };
        let text = memory_lines(&memories.iter().collect::<Vec<_>>(), &[summary], &[]);
        let expected = "第4章（main-arc）第4夜，北门：门开了；灯灭了｜路人走了\n各章末悬着的事：\n\
                        - 第4盏灯（第4章）\n- 第6盏灯（第6章）\n- 谁送的信（第6章）\n";
        assert_eq!(text, expected);
        assert_eq!(memory_lines(&[], &[], &[]), "");
    }

    #[test]
    fn a_long_entry_takes_no_more_room_than_a_short_one() {
        let long = || "此事说来话长。".repeat(60);
        let threads: Vec<String> = (0..40).map(|n| format!("{n}{}", long())).collect();
        let entry = Entry { time: long(), events: vec![long(); 9], threads, ..Entry::default() };
        let text = memory_lines(&[&memory(1, entry)], &[], &[]);
        assert!(text.lines().next().unwrap().chars().count() <= MAX_LINE, "{text}");
        assert!(text.chars().count() <= MAX_LINE + 20 + MAX_THREADS * (MAX_THREAD + 10), "{}", text.chars().count());
    }
}
