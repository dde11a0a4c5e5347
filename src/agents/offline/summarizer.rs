//! The summarizer's replies: what the text says, found in the text, and the operations that follow from it.

use super::chance::{Chance, seed};
use super::cut::{clip, has_speech, paragraphs, sentences, words};
use super::patterns::pool;
use super::people::Person;
use super::scenario::Scenario;
use crate::agents::ChapterContext;
use crate::agents::context::cast::is_planned_here;
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
        "chapter_memory": entry(&scenario, &text.body),
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
    if body.contains(&scenario.conflict) {
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
        let of_kind = scenario.hints.iter().filter(|hint| hint.action == action && body.contains(&hint.words));
        let words: Vec<&str> = of_kind.map(|hint| hint.words.as_str()).collect();
        if !words.is_empty() {
            facts.push(format!("伏笔{verb}：{}。", words.join("；")));
        }
    }
    let changes = scenario.changes.iter().filter(|change| body.contains(change.as_str()));
    facts.extend(changes.map(|change| format!("{change}。")));
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
        let planned = std::iter::once(&scenario.conflict)
            .chain(&scenario.changes)
            .chain(scenario.hints.iter().map(|hint| &hint.words));
        let known = |sentence: &str| text.contains(sentence) || planned.clone().any(|words| sentence.contains(words));
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
    if !scenario.conflict.contains(&given) {
        parts.push(&subject);
    }
    let colon = if parts.is_empty() { "" } else { "：" };
    format!("{}{colon}{}。", parts.join("，"), scenario.conflict)
}

fn memory(context: &ChapterContext, scenario: &Scenario, body: &str) -> String {
    let chapter = context.chapter.get();
    let mut facts: Vec<String> =
        scenario.changes.iter().filter(|change| body.contains(change.as_str())).cloned().collect();
    facts.extend(scenario.hints.iter().filter(|hint| body.contains(&hint.words)).map(|hint| hint.words.clone()));
    if facts.is_empty() {
        facts.push(format!("{}在{}遇上的事还没有完", scenario.pov.name, scenario.place));
    }
    let new = format!("第{chapter}章：{}。", facts.join("；"));
    // What is oldest goes first.
    let old = context.memories.get(context.storyline()).map_or("", |memory| memory.facts.as_str());
    let mut lines: Vec<&str> = old.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let room = 480usize.saturating_sub(new.chars().count());
    while lines.iter().map(|line| line.chars().count() + 1).sum::<usize>() > room {
        lines.remove(0);
    }
    lines.push(&new);
    clip_memory(&lines.join("\n"))
}

/// The chapter's entry in the ledger: what of the plan stands in the text.
fn entry(scenario: &Scenario, body: &str) -> Value {
    let told = |words: &&String| body.contains(words.as_str());
    let open = scenario.hints.iter().filter(|hint| hint.action != Action::Resolved);
    let who = scenario.pov.id.as_ref().map_or_else(|| scenario.pov.name.clone(), ToString::to_string);
    let standing = scenario.changes.iter().filter(told).find(|change| change.contains(&scenario.pov.name));
    let people = standing.map(|change| {
        let state = change.trim_start_matches(&scenario.pov.name);
        json!({"who": who, "state": state})
    });
    json!({
        "time": Some(&scenario.day).filter(told),
        "places": Some(&scenario.place).filter(told).into_iter().collect::<Vec<_>>(),
        "events": std::iter::once(&scenario.conflict).chain(&scenario.changes).filter(told).collect::<Vec<_>>(),
        "people": people.into_iter().collect::<Vec<_>>(),
        "threads": open.map(|hint| &hint.words).filter(told).collect::<Vec<_>>(),
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
        if taken(body, scenario.motif.name) {
            let carried = context.state.get(&at("inventory")).and_then(Value::as_array);
            if let Some(oldest) = carried.filter(|list| list.len() >= BELONGINGS).and_then(|list| list.first()) {
                ops.push(op("remove", at("inventory"), oldest.clone()));
            }
            // A thing is in one hand: its former owner has it no more.
            let former = context.state.entities(Category::Characters).filter(|(other, _)| *other != id.as_str());
            let former = former.filter(|(_, fields)| holds(fields, scenario.motif.name));
            for (other, _) in former {
                ops.push(op("remove", format!("characters.{other}.inventory"), json!(scenario.motif.name)));
            }
            ops.push(op("add", at("inventory"), json!(scenario.motif.name)));
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

/// Whether somebody puts the thing away.
fn taken(body: &str, thing: &str) -> bool {
    let puts_away = |sentence: &&str| {
        sentence.contains(thing) && ["收进", "收好", "收起", "归了"].iter().any(|verb| sentence.contains(verb))
    };
    paragraphs(body).flat_map(sentences).any(|sentence| puts_away(&sentence))
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

    #[test]
    fn a_thing_is_taken_only_where_the_text_says_so() {
        assert!(taken("雨停了。陆尘把半枚铜符收进怀里。", "半枚铜符"));
        assert!(!taken("半枚铜符还在桌上。陆尘把信收好。", "半枚铜符"));
    }
}
