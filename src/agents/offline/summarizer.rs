//! The summarizer's replies: what the text tells of its outline, and the operations that follow from it.

use crate::agents::ChapterContext;
use crate::agents::offline::phrases::{clip, has_speech, paragraphs, phrase, roll, seed, sentences};
use crate::agents::offline::scenario::{OutlineText, Scenario, ScenePerson};
use crate::agents::prelude::*;
use crate::domain::state::{Delta, RawOp};
use crate::domain::world::storyline::clip_memory;

/// A retelling in sentences of the chapter.
pub(super) fn retell(text: &Chapter) -> String {
    json!({"summary": crate::agents::summarizer::excerpt(text).text}).to_string()
}

pub(super) fn summarize(context: &ChapterContext, text: &Chapter) -> String {
    let (scenario, body) = (Scenario::of(context), text.body.as_str());
    let pov = &scenario.people[0];
    let told = |told: &&OutlineText| !told.plan.is_empty() && told.is_in(body);
    let hints = |resolved: bool| {
        let hints = scenario.hints.iter().filter(|(action, _)| (*action == Action::Resolved) == resolved);
        hints.map(|(_, hint)| hint).filter(told).map(|hint| hint.plan.as_str()).collect::<Vec<_>>()
    };
    let changes: Vec<&str> = scenario.changes.iter().filter(told).map(|change| change.plan.as_str()).collect();
    let conflict = Some(&scenario.conflict).filter(told).map(|conflict| conflict.plan.as_str());
    let mut facts = [conflict.into_iter().collect(), hints(false), hints(true), changes.clone()].concat();
    facts.dedup();

    let first = conflict.unwrap_or_else(|| clip(sentences(body).next().unwrap_or("这一章没有正文"), 60));
    let first = first.trim_end_matches(['。', '”']);
    // Outlines call people by their given names as well.
    let given: String = pov.name.chars().skip(1).collect();
    let pov_apart = (!first.contains(&given)).then_some(pov.name.as_str());
    let [day, place] =
        [scenario.day.as_str(), &scenario.place].map(|words| Some(words).filter(|words| body.contains(*words)));
    let opening: Vec<&str> = [day, place, pov_apart, Some(first)].into_iter().flatten().collect();
    let mut summary = opening.join("，") + "。";
    let others: Vec<&ScenePerson> = scenario.people[1..].iter().filter(|person| body.contains(&person.name)).collect();
    others.iter().for_each(|person| summary += &format!("{}也在。", person.name));
    facts.iter().skip(usize::from(conflict.is_some())).for_each(|fact| summary += &format!("{}。", clip(fact, 26)));
    // The ending is what the next chapter goes on from, and is left to it.
    let narration: Vec<&str> = paragraphs(body).filter(|text| !has_speech(text)).collect();
    let places = [5, 4, 2, 1].map(|sixth| narration.iter().rev().nth(1 + narration.len() / 6 * sixth));
    let told = places.into_iter().flatten().filter(|_| narration.len() > 5);
    summary.extend(told.filter_map(|text| sentences(text).next()));

    let old = context.memories.get(context.storyline()).map_or("", |memory| memory.facts.as_str());
    // Two chapters are remembered beside the new one.
    let mut memory: Vec<&str> = old.lines().filter(|line| !line.trim().is_empty()).collect();
    memory.drain(..memory.len().saturating_sub(2));
    let fact = phrase(&facts.join("；"), 120).unwrap_or_else(|| "遇上的事还没有完".to_owned());
    let new = format!("第{}章，{}在{}：{fact}。", context.chapter.get(), pov.name, scenario.place);
    memory.push(&new);

    let resolved = context.section.tasks.iter().filter(|task| task.action == Action::Resolved);
    let planted = resolved.filter_map(|task| context.ledger.get(&task.id)).map(|entry| entry.planted_chapter().get());
    let ops = ops(context, &scenario, &others, body);
    let (_, dropped) = Delta::screen(context.chapter, context.storyline(), &ops, &context.state, &context.ledger);
    let ops = ops.iter().enumerate().filter(|(index, _)| !dropped.iter().any(|op| op.index == *index));
    let op = |o: &RawOp| json!({"op": o.op, "path": o.path, "value": o.value, "detail": o.detail, "scope": o.scope});
    json!({
        "summary": clip(&summary, 320), "ops": ops.map(|(_, raw)| op(raw)).collect::<Vec<_>>(),
        "memory": clip_memory(&memory.join("\n")), "cross_references": [], "line_status": format!("{}。", clip(first, 60)),
        "chapter_memory": {
            "time": day, "places": place.into_iter().collect::<Vec<_>>(),
            "events": conflict.into_iter().chain(changes).collect::<Vec<_>>(), "threads": hints(false),
            // Whether the end is a hook cannot be seen without reading.
            "reader": {"question": hints(false).last(), "payoffs": hints(true), "answers": planted.collect::<Vec<_>>()},
        },
    })
    .to_string()
}

fn op(op: &str, path: String, value: impl Into<Value>) -> RawOp {
    RawOp { op: op.to_owned(), path, value: value.into(), ..RawOp::default() }
}

fn ops(context: &ChapterContext, scenario: &Scenario, others: &[&ScenePerson], body: &str) -> Vec<RawOp> {
    let chance = |nth, limit| roll(scenario.seed ^ seed(&["ops"]), nth, limit);
    let mut ops = Vec::new();
    if let Some(id) = &scenario.people[0].id {
        let at = |key: &str| format!("characters.{id}.{key}");
        let is_new = context.state.get(&at("display_name")).is_none();
        ops.extend(is_new.then(|| op("set", at("display_name"), scenario.people[0].name.as_str())));
        ops.extend(body.contains(&scenario.place).then(|| op("set", at("location"), scenario.place.as_str())));
        let feelings = scenario.stock.pool("心情");
        ops.push(op("set", at("emotional_state"), feelings[chance(0, feelings.len())]));
        for (person, nth) in others.iter().take(2).zip(1..) {
            let by = [5, 3, -3, 2, -2, 4][chance(nth, 6)];
            ops.extend(person.id.as_ref().map(|other| op("inc", format!("{}.{other}", at("relationships")), by)));
        }
    }
    ops.extend(body.contains(&scenario.day).then(|| op("set", "world_state.time_marker".into(), &*scenario.day)));
    for task in &context.section.tasks {
        let planned = context.planned.iter().find(|planned| planned.id == task.id);
        let scope = planned.map_or("short", |planned| planned.scope.as_str());
        let scope = (task.action == Action::Planted).then(|| scope.to_owned());
        let detail = Some(clip(&task.detail, 190).to_owned());
        ops.push(RawOp { detail, scope, ..op("foreshadow", task.id.to_string(), task.action.as_str()) });
    }
    ops
}
