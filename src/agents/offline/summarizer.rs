//! The summarizer's replies: what the text says, found in the text, and the operations that follow from it.

use super::chance::{Chance, seed};
use super::cut::{clip, has_speech, paragraphs, sentences, words};
use super::patterns::pool;
use super::people::Person;
use super::scenario::Scenario;
use super::told::Told;
use crate::agents::ChapterContext;
use crate::agents::context::cast::is_planned_here;
use crate::domain::Slug;
use crate::domain::chapter::Chapter;
use crate::domain::state::{Category, Delta, RawOp};
use crate::domain::volume::foreshadowing::Action;
use crate::domain::world::storyline::clip_memory;
use serde_json::{Value, json};

/// About how long a summary is, in characters.
const SUMMARY: usize = 300;
/// A character carries at most this many things; the oldest is left behind.
const BELONGINGS: usize = 8;

/// Summarises a text.
pub(super) fn summarize(context: &ChapterContext, text: &Chapter) -> String {
    let scenario = Scenario::of(context);
    let ops = ops(context, &scenario, &text.body);
    let raw: Vec<RawOp> = ops.iter().map(read).collect();
    let (_, dropped) = Delta::screen(context.chapter, context.storyline(), &raw, &context.state, &context.ledger);
    let refused = |index: usize| dropped.iter().any(|op| op.index == index);
    let ops: Vec<&Value> = ops.iter().enumerate().filter(|(index, _)| !refused(*index)).map(|(_, op)| op).collect();
    let summary = summary(&scenario, &text.body);
    let first = sentences(&summary).first().copied().unwrap_or_default().trim_end_matches('。').to_owned();
    let reply = json!({
        "summary": summary,
        "ops": ops,
        "memory": memory(context, &scenario, &text.body),
        "line_status": format!("{}。", clip(&first, 60)),
        "cross_references": cross_references(context, &text.body),
        "chapter_memory": entry(context, &scenario, &text.body),
    });
    reply.to_string()
}

/// The people of the chapter who really stand in the text.
fn present<'a>(scenario: &'a Scenario, body: &str) -> Vec<&'a Person> {
    scenario.others.iter().filter(|person| body.contains(&person.name)).collect()
}

fn summary(scenario: &Scenario, body: &str) -> String {
    let pov = &scenario.pov.name;
    let mut facts = Vec::new();
    if !scenario.conflict.plan.is_empty() && scenario.conflict.is_in(body) {
        facts.push(head(scenario, body));
    } else {
        let day = if body.contains(&scenario.day) { format!("{}，", scenario.day) } else { String::new() };
        let first = paragraphs(body).find(|p| p.contains(pov.as_str())).or_else(|| paragraphs(body).next());
        let first = first.and_then(|p| sentences(p).into_iter().next()).unwrap_or("这一章没有正文。");
        facts.push(format!("{day}{}。", clip(first, 60).trim_end_matches(['。', '”'])));
    }
    let names: Vec<&str> = present(scenario, body).iter().map(|person| person.name.as_str()).collect();
    if !names.is_empty() {
        facts.push(format!("同场的有{}。", names.join("、")));
    }
    for (action, verb) in
        [(Action::Planted, "露出线头"), (Action::Advanced, "又进一步"), (Action::Resolved, "有了结果")]
    {
        let of_kind = scenario.hints.iter().filter(|hint| hint.action == action && hint.told.is_in(body));
        let words: Vec<&str> = of_kind.map(|hint| hint.told.plan.as_str()).collect();
        if !words.is_empty() {
            facts.push(format!("伏笔{verb}：{}。", words.join("；")));
        }
    }
    let changes = scenario.changes.iter().filter(|change| change.is_in(body));
    facts.extend(changes.map(|change| format!("{}。", change.plan)));
    let mut text = facts.concat();
    // The rest of the room goes to narration from all over the text, in its own words.
    let told: Vec<&str> = paragraphs(body).filter(|p| !has_speech(p) && p.contains(pov.as_str())).collect();
    let told = if told.is_empty() { paragraphs(body).collect() } else { told };
    for place in [2, 6, 10, 12, 4, 8, 0, 1, 3, 5] {
        if text.chars().count() > SUMMARY - 40 {
            break;
        }
        let Some(paragraph) = told.get(told.len() * place / 14) else { continue };
        let sentence = sentences(paragraph).into_iter().find(|s| words(s) >= 8 && s.ends_with('。') && !has_speech(s));
        let known = |sentence: &str| text.contains(sentence);
        if let Some(sentence) = sentence.filter(|sentence| !known(sentence))
            && text.chars().count() + sentence.chars().count() <= SUMMARY + 40
        {
            text.push_str(sentence);
        }
    }
    text
}

/// The first sentence, which is all that a reader of the history sees: when, where, and what it was about.
fn head(scenario: &Scenario, body: &str) -> String {
    let told = |words: &String| body.contains(words.as_str());
    let mut parts: Vec<&str> =
        [&scenario.day, &scenario.place].into_iter().filter(|words| told(words)).map(String::as_str).collect();
    // Outlines call people by their given names as well.
    let name: Vec<char> = scenario.pov.name.chars().collect();
    let given: String = name[name.len().saturating_sub(2)..].iter().collect();
    let subject = format!("{}遇上了难处", scenario.pov.name);
    if !scenario.conflict.plan.contains(&given) {
        parts.push(&subject);
    }
    let colon = if parts.is_empty() { "" } else { "：" };
    format!("{}{colon}{}。", parts.join("，"), scenario.conflict.plan)
}

fn memory(context: &ChapterContext, scenario: &Scenario, body: &str) -> String {
    let chapter = context.chapter.get();
    let told = scenario.changes.iter().chain(scenario.hints.iter().map(|hint| &hint.told));
    let mut facts: Vec<String> = told.filter(|told| told.is_in(body)).map(|told| told.plan.clone()).collect();
    if facts.is_empty() {
        facts.push(format!("{}在{}遇上的事还没有完", scenario.pov.name, scenario.place));
    }
    let new = format!("第{chapter}章：{}。", facts.join("；"));
    // The oldest facts go first.
    let old = context.memories.get(context.storyline()).map_or("", |memory| memory.facts.as_str());
    let mut lines: Vec<&str> = old.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let room = 480usize.saturating_sub(new.chars().count());
    while lines.iter().map(|line| line.chars().count() + 1).sum::<usize>() > room {
        lines.remove(0);
    }
    lines.push(&new);
    clip_memory(&lines.join("\n"))
}

/// The chapter's entry in the ledger: what of the plan the text tells.
fn entry(context: &ChapterContext, scenario: &Scenario, body: &str) -> Value {
    let stands = |words: &&String| body.contains(words.as_str());
    let told = |told: &&Told| !told.plan.is_empty() && told.is_in(body);
    let open = scenario.hints.iter().filter(|hint| hint.action != Action::Resolved).map(|hint| &hint.told);
    let who = scenario.pov.id.as_ref().map_or_else(|| scenario.pov.name.clone(), ToString::to_string);
    let of_pov = |change: &&Told| told(change) && change.plan.starts_with(&scenario.pov.name);
    let people = scenario.changes.iter().find(of_pov).map(|change| {
        let state = change.plan.trim_start_matches(&scenario.pov.name);
        json!({"who": who, "state": state})
    });
    let events = std::iter::once(&scenario.conflict).chain(&scenario.changes);
    json!({
        "time": Some(&scenario.day).filter(stands),
        "places": Some(&scenario.place).filter(stands).into_iter().collect::<Vec<_>>(),
        "events": events.filter(told).map(|told| &told.plan).collect::<Vec<_>>(),
        "people": people.into_iter().collect::<Vec<_>>(),
        "threads": open.filter(told).map(|told| &told.plan).collect::<Vec<_>>(),
        "reader": reader_note(context, scenario, body),
    })
}

/// The entry in the reader's ledger. The plan says what is asked and what is answered. The sort of chapter cannot be seen
/// without reading, and the hook only where the last sentence leaves something open.
fn reader_note(context: &ChapterContext, scenario: &Scenario, body: &str) -> Value {
    let told = |action| scenario.hints.iter().filter(move |hint| hint.action == action && hint.told.is_in(body));
    let planted = |id: &Slug| context.ledger.get(id).map(|entry| entry.planted_chapter().get());
    let resolved = context.section.tasks.iter().filter(|task| task.action == Action::Resolved);
    let asked = told(Action::Planted).chain(told(Action::Advanced)).last().map(|hint| hint.told.plan.as_str());
    let ends_open = body.trim_end().ends_with(['？', '…', '—']);
    json!({
        "hook": if ends_open { "question" } else { "" },
        "question": asked.unwrap_or_default(),
        "payoffs": told(Action::Resolved).map(|hint| &hint.told.plan).collect::<Vec<_>>(),
        "answers": resolved.filter_map(|task| planted(&task.id)).collect::<Vec<_>>(),
    })
}

fn ops(context: &ChapterContext, scenario: &Scenario, body: &str) -> Vec<Value> {
    let mut chance = Chance::new(scenario.seed ^ seed(&["ops"]));
    let mut ops = Vec::new();
    let op = |op: &str, path: String, value: Value| json!({"op": op, "path": path, "value": value});
    if let Some(id) = &scenario.pov.id {
        let at = |key: &str| format!("characters.{id}.{key}");
        if context.state.get(&at("display_name")).is_none() {
            ops.push(op("set", at("display_name"), json!(scenario.pov.name)));
        }
        if body.contains(&scenario.place) {
            ops.push(op("set", at("location"), json!(scenario.place)));
        }
        let feelings: Vec<&str> = pool("心情").iter().flat_map(|line| line.split('|')).collect();
        if let Some(feeling) = chance.pick(&feelings) {
            ops.push(op("set", at("emotional_state"), json!(feeling)));
        }
        for person in present(scenario, body).into_iter().take(2) {
            if let Some(other) = &person.id {
                let by = [5, 3, -3, 2, -2, 4][chance.below(6)];
                ops.push(op("inc", format!("{}.{other}", at("relationships")), json!(by)));
            }
        }
    }
    let changes: Vec<&Told> = scenario.changes.iter().filter(|change| change.is_in(body)).collect();
    for (at, change) in changes.iter().enumerate() {
        // Of two changes of hands in a chapter the later one holds.
        let thing = change.names.get("物");
        if !changes[at + 1..].iter().any(|later| later.names.get("物") == thing) {
            ops.extend(handed_over(context, scenario, change));
        }
    }
    if body.contains(&scenario.day) {
        ops.push(op("set", "world_state.time_marker".into(), json!(scenario.day)));
    }
    for task in &context.section.tasks {
        let planted = task.action == Action::Planted;
        let scope = if planted { json!(scope(context, task.id.as_str())) } else { Value::Null };
        let detail = clip(&task.detail, 190);
        ops.push(json!({
            "op": "foreshadow", "path": task.id.as_str(), "value": task.action.as_str(), "detail": detail, "scope": scope,
        }));
    }
    ops
}

/// Whether the state has the thing among a person's belongings.
fn holds(fields: &Value, thing: &str) -> bool {
    fields.get("inventory").and_then(Value::as_array).is_some_and(|list| list.iter().any(|item| item == thing))
}

/// The operations for a thing that a change puts into other hands. A thing has one owner: its former one has it no more.
fn handed_over(context: &ChapterContext, scenario: &Scenario, change: &Told) -> Vec<Value> {
    let Some((pattern, thing)) = change.pattern.zip(change.names.get("物")) else { return Vec::new() };
    let owner = match pattern {
        "[主]拿到了[物]" => Some(&scenario.pov),
        "[物]落到了[客]手里" => Some(scenario.partner(0)),
        "[主]把[物]藏在了[地]" => None,
        _ => return Vec::new(),
    };
    let owner = owner.and_then(|person| person.id.as_ref()).map(|id| id.as_str());
    let op = |op: &str, id: &str, thing: &Value| json!({"op": op, "path": format!("characters.{id}.inventory"), "value": thing});
    let name = json!(thing);
    let people = context.state.entities(Category::Characters);
    let former = people.filter(|(id, fields)| Some(*id) != owner && holds(fields, thing));
    let mut ops: Vec<Value> = former.map(|(id, _)| op("remove", id, &name)).collect();
    let Some(owner) = owner else { return ops };
    let carried = context.state.get(&format!("characters.{owner}.inventory")).and_then(Value::as_array);
    if carried.is_some_and(|list| list.contains(&name)) {
        return ops;
    }
    let oldest = carried.filter(|list| list.len() >= BELONGINGS).and_then(|list| list.first());
    ops.extend(oldest.map(|oldest| op("remove", owner, oldest)));
    ops.push(op("add", owner, &name));
    ops
}

/// How far a foreshadowing reaches, as the outline shows: short when it is resolved within ten chapters, medium when
/// later in the volume, else long.
fn scope(context: &ChapterContext, id: &str) -> &'static str {
    let resolves = context.outline.sections.iter().find(|section| {
        section.chapter > context.chapter
            && section.tasks.iter().any(|task| task.id.as_str() == id && task.action == Action::Resolved)
    });
    match resolves.map(|section| section.chapter.get() - context.chapter.get()) {
        Some(0..=10) => "short",
        Some(_) => "medium",
        None => "long",
    }
}

fn read(op: &Value) -> RawOp {
    let text = |key: &str| op[key].as_str().map(str::to_owned);
    RawOp {
        op: text("op").unwrap_or_default(),
        path: text("path").unwrap_or_default(),
        value: op["value"].clone(),
        detail: text("detail"),
        scope: text("scope"),
    }
}

/// Characters of other storylines who are named in the text.
fn cross_references(context: &ChapterContext, body: &str) -> Vec<Value> {
    let line = context.storyline();
    let foreign = context.characters.iter().filter(|character| {
        let home = context.storylines.home_of(character);
        let own = context.storylines.has_on(line, character) || is_planned_here(context, character);
        home.is_some() && !own && body.contains(&character.display_name)
    });
    let mention = |character: &crate::domain::world::character::Character| {
        let evidence =
            paragraphs(body).flat_map(sentences).find(|sentence| sentence.contains(&character.display_name))?;
        let planned = context.section.source.contains(&character.display_name) || context.convergence().is_some();
        Some(json!({
            "entity": character.display_name,
            "storyline": context.storylines.home_of(character)?.as_str(),
            "leak_risk": if planned { "none" } else { "low" },
            "evidence": clip(evidence, 60),
        }))
    };
    foreign.filter(|character| !character.display_name.trim().is_empty()).filter_map(mention).take(5).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::slug_of;

    #[test]
    fn a_name_becomes_an_id_that_the_state_accepts() {
        let id = slug_of("慕容 雪").unwrap();
        let op = read(&json!({"op": "set", "path": format!("characters.{id}.location"), "value": "渡口"}));
        assert!(op.check().is_ok(), "{id}");
    }
}
