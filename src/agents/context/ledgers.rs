//! The foreshadowings that concern a chapter, the reader's open questions and tiring habits, and the state around the
//! chapter, one fact a line, in the words of operations: `path = value`.

use crate::agents::context::{PartLimits, may_know};
use crate::agents::prelude::*;
use crate::domain::chapter::summary::{ChapterKind, Hook, OpenQuestion, PacingFlag, ReaderLedger};
use crate::domain::notation::plain;
use crate::domain::state::StatePath;
use crate::domain::volume::foreshadowing::{Foreshadowing, Scope};
use crate::domain::volume::inventory::irregular::{AgendaItem, NEXT};
use crate::domain::volume::inventory::{Inventory, InventoryBasis, VolumePlan};
use crate::domain::volume::outline::ThreadTask;
use std::cmp::Reverse;

/// Further overdue ones are left out, the youngest first.
const MAX_OVERDUE: usize = 8;
/// The most proposals for a writer: each takes room from the chapter's own plan.
const MAX_PROPOSED: usize = 3;

/// The chapter's tasks, open foreshadowings of its storyline, and all overdue ones.
pub(crate) fn ledger(context: &ChapterContext, extent: &PartLimits) -> String {
    groups(context, extent, &[])
}

/// The foreshadowings with the most urgent proposals about the chapter's line and those that it may touch.
pub(crate) fn ledger_with_proposals(context: &ChapterContext, extent: &PartLimits) -> String {
    groups(context, extent, &proposals(context))
}

fn groups(context: &ChapterContext, extent: &PartLimits, proposed: &[AgendaItem]) -> String {
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
    groups.map(|(name, lines)| format!("{name}：\n{}", crate::agents::context::bullets(lines))).collect()
}

/// The proposals that the chapter may know of, the most urgent first.
fn proposals(context: &ChapterContext) -> Vec<AgendaItem> {
    let plan = VolumePlan::of(context.volume, &context.outline, &context.planned, &context.contract);
    let inventory = Inventory::of(&InventoryBasis {
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
fn task_line(context: &ChapterContext, task: &ThreadTask) -> String {
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

/// Questions named, the youngest first; a reader remembers no more.
const MOST: usize = 5;
const LONGEST: usize = 40;

/// The question to be taken up, tiring habits, then other questions of lines that the chapter may know.
pub(crate) fn reader(context: &ChapterContext, extent: &PartLimits) -> String {
    let known: Vec<&OpenQuestion> =
        context.reader.questions.iter().filter(|question| may_know(context, &question.storyline)).collect();
    let last = known.iter().rev().find(|question| Some(question.chapter) == context.line_before);
    let first = last.map(|question| format!("{}：这一章先接住它，答了，或者让它更急，不能当没问过", asked(question)));
    let is_told = |flag: &&PacingFlag| match flag {
        PacingFlag::Unanswered(question) => may_know(context, &question.storyline),
        _ => true,
    };
    let tired = context.reader.pacing.iter().filter(is_told).map(|flag| instruction(flag, "这一章"));
    let others =
        known.iter().filter(|question| Some(question.chapter) != context.line_before && !question.is_overdue());
    let waiting: Vec<String> = others.rev().take(MOST).map(|question| asked(question)).collect();
    let waiting = (!waiting.is_empty()).then(|| format!("读者还在等：{}", waiting.join("；")));
    bullets(first.into_iter().chain(tired).chain(waiting).take(extent.reader))
}

/// The questions and worn patterns of all lines, for planners.
pub(crate) fn reader_lines(ledger: &ReaderLedger) -> String {
    let ReaderLedger { questions, pacing } = ledger;
    let tired = pacing.iter().take(MOST + 3).map(|flag| instruction(flag, "接下来"));
    let waiting = questions.iter().filter(|question| !question.is_overdue()).rev().take(MOST);
    bullets(tired.chain(waiting.map(|question| format!("读者还在等：{}", asked(question)))))
}

/// The open questions that a summarizer compares a chapter with.
pub(crate) fn open_questions(context: &ChapterContext) -> String {
    let known = context.reader.questions.iter().rev().filter(|question| may_know(context, &question.storyline));
    let mut shown: Vec<String> = known.take(2 * MOST).map(asked).collect();
    shown.reverse();
    bullets(shown)
}

/// `第12章留下的“谁敲的门”`
fn asked(question: &OpenQuestion) -> String {
    format!("第{}章留下的“{}”", question.chapter.get(), clip_line(&question.question, LONGEST))
}

/// The instruction against a habit, for the chapters that `place` names.
fn instruction(flag: &PacingFlag, place: &str) -> String {
    match flag {
        PacingFlag::SameHook { hook, chapters } => {
            format!("{}都用{}收尾：{place}换一种收法", named(chapters), hook_name(*hook))
        }
        PacingFlag::SameKind { kind, chapters } => {
            format!("{}都在写{}：{place}换一种场面", named(chapters), kind_name(*kind))
        }
        PacingFlag::NoPayoff { chapters } => {
            format!("{}没有一件读者等着的事兑现：{place}给他一件", named(chapters))
        }
        PacingFlag::Unanswered(question) => format!(
            "{}，这条线又写了 {} 章没有回音：{place}给个说法，或者让人物自己提起它",
            asked(question),
            question.later
        ),
    }
}

/// `第10到12章`; chapters in a row have no gaps but those of removed chapters.
fn named(chapters: &[ChapterNo]) -> String {
    match chapters {
        [first, .., last] => format!("第{}到{}章", first.get(), last.get()),
        _ => "最近几章".to_owned(),
    }
}

fn hook_name(hook: Hook) -> &'static str {
    match hook {
        Hook::Question => "悬念",
        Hook::Danger => "危机",
        Hook::Reversal => "反转",
        Hook::Arrival => "来人来物",
        Hook::Choice => "抉择",
        Hook::Promise => "约定",
        Hook::Rest => "收住不勾的写法",
    }
}

fn kind_name(kind: ChapterKind) -> &'static str {
    match kind {
        ChapterKind::Confrontation => "交锋",
        ChapterKind::Pursuit => "追逃",
        ChapterKind::Investigation => "查探",
        ChapterKind::Negotiation => "周旋",
        ChapterKind::Revelation => "揭底",
        ChapterKind::Preparation => "筹备",
        ChapterKind::Journey => "行路",
        ChapterKind::Respite => "喘息",
    }
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
pub(crate) fn state(context: &ChapterContext, people: &[&Character], text: &str, extent: &PartLimits) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Slug;

    fn chapter(number: u32) -> ChapterNo {
        ChapterNo::new(number).unwrap()
    }

    fn question(number: u32, later: usize) -> OpenQuestion {
        let (question, storyline) = (format!("第{number}扇门后面是谁"), Slug::new("main-arc").unwrap());
        OpenQuestion { chapter: chapter(number), storyline, question, later }
    }

    #[test]
    fn planners_read_what_tires_first_and_then_the_youngest_questions() {
        let pacing = vec![
            PacingFlag::SameHook { hook: Hook::Danger, chapters: (7..=9).map(chapter).collect() },
            PacingFlag::Unanswered(question(2, 6)),
        ];
        let questions: Vec<OpenQuestion> = (2..=9).map(|n| question(n, usize::from(n == 2) * 6)).collect();
        let text = reader_lines(&ReaderLedger { questions, pacing });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "- 第7到9章都用危机收尾：接下来换一种收法");
        assert!(lines[1].contains("第2章留下的“第2扇门后面是谁”，这条线又写了 6 章没有回音"), "{text}");
        assert_eq!((lines.len(), lines[2]), (2 + MOST, "- 读者还在等：第9章留下的“第9扇门后面是谁”"));
    }
}
