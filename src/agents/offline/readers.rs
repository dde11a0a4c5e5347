//! The replies of the agents that read a text: judge, refiner, style analyzer and summarizer.
//!
//! The judge's replies are not a reading: scores drive the pipeline, and no rule is held against the text, except that a
//! rehearsed violation is reported as one. The replies say so in every reason, and quote nothing. Scores depend on the
//! chapter and on how often it has been judged: of a long book about seven chapters in ten pass, two are polished, and one
//! is revised and then does better. No chapter is paused or rewritten unless the author rehearses it.

use crate::agents::context::rules::rules_for;
use crate::agents::offline::phrases::{Stock, clip, has_speech, paragraphs, phrase, roll, seed, sentences, words};
use crate::agents::offline::scenario::{OutlineText, Scenario, ScenePerson};
use crate::agents::offline::writer::index_of;
use crate::agents::prelude::*;
use crate::agents::{ChapterContext, context};
use crate::domain::chapter::evaluation::Dimension;
use crate::domain::state::{Delta, RawOp};
use crate::domain::world::storyline::clip_memory;
use crate::text::Fingerprint;
use serde_json::Map;
use std::str::FromStr;

pub(super) fn judge(context: &ChapterContext, text: &Chapter) -> String {
    let scenario = Scenario::of(context);
    let index = index_of(&scenario, &text.body).unwrap_or(0);
    let entry = |label| {
        let entries = rehearsed(&context.brief, label, context.chapter);
        entries.get(index).or(entries.last()).cloned()
    };
    let overall = entry("离线评分").and_then(|score| score.parse().ok()).filter(|score| (1.0..=5.0).contains(score));
    let overall = overall.unwrap_or_else(|| placeholder(context, &scenario, index));
    let is_asked = |rule: &str| rules_for(context, &text.body).iter().any(|given| given.id.eq_ignore_ascii_case(rule));
    let broken = entry("离线违规").and_then(|rule| phrase(&rule, 64)).filter(|rule| is_asked(rule));
    let narration = paragraphs(&text.body).skip(1).filter(|text| !has_speech(text)).flat_map(sentences);
    let quote = narration.filter(|text| words(text) >= 6).nth(5).or_else(|| sentences(&text.body).next());
    let quote = clip(quote.unwrap_or_default(), 40);
    let check = broken.iter().map(|rule| {
        let detail = format!("离线排练：当作与 {rule} 不合");
        json!({"rule": rule, "evidence": quote, "detail": detail, "finding": "violation", "confidence": "high"})
    });
    let is_revised = overall < context.config.gate.polish || broken.is_some();
    let fix = is_revised.then(|| json!({"target": quote, "instruction": "换成人物的动作，让他做出选择"}));
    let score = json!({"evidence": "", "reason": "离线占位分，没有读正文", "score": overall});
    let scores = Dimension::ALL.iter().map(|dimension| (dimension.as_str().to_owned(), score.clone()));
    json!({
        "checks": check.collect::<Vec<_>>(),
        "scores": scores.collect::<Map<String, Value>>(), "risk_flags": [], "strengths": [],
        "required_fixes": fix.into_iter().collect::<Vec<_>>(),
        "issues": is_revised.then(|| format!("离线排练：占位分 {overall:.2}，按修订处理。")).into_iter().collect::<Vec<_>>(),
    })
    .to_string()
}

/// The overall score of a text that `index` judgements came before.
fn placeholder(context: &ChapterContext, scenario: &Scenario, index: usize) -> f64 {
    let gate = context.config.gate;
    let chance = |nth| roll(scenario.seed ^ seed(&["score"]), nth, 100);
    let place = chance(1) as f64 / 100.0;
    let (from, to) = match chance(0) {
        0..=71 => (gate.pass + 0.02, (gate.pass + 0.6).min(4.9)),
        72..=91 => (gate.polish + 0.01, gate.pass - 0.04),
        _ => (gate.revise + 0.05, gate.polish - 0.04),
    };
    // Each revision is worth half a point.
    let score = from + (to - from) * place + 0.5 * index as f64;
    (score.max(gate.revise + 0.05).clamp(1.0, 5.0) * 100.0).round() / 100.0
}

/// The entries that the brief rehearses under a label for `at`, a chapter or a volume: `离线评分(ch-005): 3.2, 4.1`. A line
/// with a place in brackets goes before one without.
pub(super) fn rehearsed<T: FromStr + PartialEq>(brief: &str, label: &str, at: T) -> Vec<String> {
    let lines = brief.lines().map(|line| line.trim().trim_start_matches(['-', '*', '>', ' ']));
    let lines = lines.filter_map(|line| line.strip_prefix(label)?.split_once([':', '：']));
    let brackets = ['(', ')', '（', '）', '*', ' '];
    let entries: Vec<(&str, &str)> = lines.map(|(place, values)| (place.trim_matches(brackets), values)).collect();
    let own = entries.iter().rfind(|(place, _)| place.parse::<T>().is_ok_and(|place| place == at));
    let entry = own.or_else(|| entries.iter().rfind(|(place, _)| place.is_empty()));
    let values = entry.map_or("", |(_, values)| values).split([',', '，', '、']).map(str::trim);
    values.filter(|value| !value.is_empty()).map(str::to_owned).collect()
}

/// Proposes edits. The first pass changes at most 8 % of the characters, the second at most 3 %.
pub(super) fn refine(context: &ChapterContext, text: &Chapter, pass: u32) -> String {
    let body = &text.body;
    let mut room = body.chars().count() * if pass > 1 { 3 } else { 8 } / 100;
    let mut edits: Vec<(&str, Value)> = Vec::new();
    // The opening tells the texts of a chapter apart and stays as it is.
    let first = paragraphs(body).next().unwrap_or_default();
    let listed: Vec<&str> = context::listed(&context.phrases).collect();
    for line in Stock::of(&context.config).pool("instead") {
        let (worn, fresh) = line.split_once(' ').unwrap_or((line, ""));
        let is_listed = listed.iter().any(|text| worn.contains(text) || text.contains(worn));
        // 一股脑 is a word of its own.
        let stands = |at: &usize| is_listed && !first.contains(worn) && !body[*at..].starts_with("一股脑");
        for (at, _) in body.match_indices(worn).filter(|(at, _)| stands(at)) {
            let clause = clause_around(body, at, worn.len());
            let cost = clause.chars().count();
            let taken = edits.iter().any(|(other, ..)| other.contains(clause) || clause.contains(other));
            if !taken && cost <= room && body.matches(clause).count() == 1 {
                room -= cost;
                let refined = clause.replacen(worn, fresh, 1);
                let reason = format!("“{worn}”用滥了");
                edits.push((clause, json!({"original": clause, "refined": refined, "reason": reason})));
            }
        }
    }
    edits.truncate(if pass > 1 { 3 } else { usize::MAX });
    json!({ "edits": edits.into_iter().map(|(_, edit)| edit).collect::<Vec<_>>() }).to_string()
}

/// The clause in which something stands, without its marks.
fn clause_around(body: &str, at: usize, length: usize) -> &str {
    const MARKS: [char; 10] = ['。', '，', '！', '？', '：', '；', '“', '”', '\n', '—'];
    let start = body[..at].char_indices().rfind(|(_, c)| MARKS.contains(c)).map_or(0, |(at, c)| at + c.len_utf8());
    let end = body[at + length..].find(MARKS).map_or(body.len(), |offset| at + length + offset);
    &body[start..end]
}

/// Describes the samples, which are the named author's where there is one.
pub(super) fn analyze(samples: &[String], author: Option<&str>) -> String {
    let measured = Fingerprint::measure(&samples.iter().map(String::as_str).collect::<Vec<_>>());
    let [short, spoken] = [&measured.short_sentences, &measured.dialogue_ratio].map(|m| (m.value * 100.0).round());
    let mut directives = vec![
        format!("平均每句约{:.0}字，短句（八字以内）占{short}%，长短照此交替。", measured.sentence_length.value),
        format!("对话约占全文{spoken}%，其余交给动作与细节。"),
    ];
    directives.extend(author.map(|author| format!("学{author}的节奏与用词习惯，不照搬句子。")));
    json!({"rhetoric_preferences": [], "forbidden_words": [], "writing_directives": directives}).to_string()
}

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

#[cfg(test)]
mod tests {
    use super::rehearsed;
    use crate::domain::ChapterNo;

    #[test]
    fn a_chapter_has_its_own_line_or_the_general_one() {
        let brief = "# 简介\n\n- 离线评分： 3.2，3.3, 4.1\n离线评分(ch-005): 2.4\n离线违规（5）：W-001, 无";
        let entries = |label, chapter| rehearsed(brief, label, ChapterNo::new(chapter).unwrap());
        assert_eq!(
            (entries("离线评分", 5), entries("离线违规", 5)),
            (vec!["2.4".into()], vec!["W-001".into(), "无".into()])
        );
        assert_eq!(entries("离线评分", 6), ["3.2", "3.3", "4.1"]);
        assert!(entries("离线违规", 6).is_empty());
    }
}
