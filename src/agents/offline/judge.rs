//! The judge's replies. They are not a reading: scores drive the pipeline, and no rule is held against the text, except
//! that a rehearsed violation is reported as one. The replies say so in every reason, and quote nothing.
//!
//! Scores depend on the chapter and on how often it has been judged, never on chance: of a long book about seven chapters
//! in ten pass, two are polished, and one is revised and then does better. No chapter is paused or rewritten unless the
//! author rehearses it (see [`super::rehearsal`]).

use super::chance::{Chance, seed};
use super::cut::{clip, has_speech, paragraphs, sentences, words};
use super::edition::{Edition, edition_of};
use super::rehearsal::Rehearsal;
use super::scenario::Scenario;
use crate::agents::context::rules_to_check::rules_for;
use crate::agents::{ChapterContext, Opinion};
use crate::domain::chapter::Chapter;
use crate::domain::chapter::evaluation::Dimension;
use crate::domain::world::contract::Strength;
use serde_json::{Map, Value, json};

pub(super) fn judge(context: &ChapterContext, text: &Chapter, opinion: Opinion) -> String {
    let scenario = Scenario::of(context);
    let edition = edition_of(&scenario, &text.body).unwrap_or(Edition { rewritten: false, round: 0 });
    let rehearsal = Rehearsal::read(&context.brief, context.chapter);
    let quotes = quotes(&text.body);
    let broken = match rehearsal.violation(edition.index()) {
        Some(asked) => asked.map(str::to_owned),
        None => stumble(context, &scenario, edition, rehearsal.score(0).is_some()),
    };
    let asked = rules_for(context, &text.body);
    let broken = broken.filter(|rule| asked.iter().any(|given| given.id.eq_ignore_ascii_case(rule)));
    let checks: Vec<Value> = broken.iter().map(|rule| accusation(rule, context, &quotes)).collect();
    let rehearsed = rehearsal.score(edition.index());
    let scores = match rehearsed {
        Some(score) => exactly(score),
        None => near(target(context, &scenario, edition, opinion), scenario.seed),
    };
    let overall: f64 = scores.iter().map(|(d, score)| score * f64::from(d.weight_percent())).sum::<f64>() / 100.0;
    let mut fixes = Vec::new();
    let mut issues = Vec::new();
    if overall < context.config.gate.polish || broken.is_some() {
        for (at, quote) in quotes.narration.iter().take(3).enumerate() {
            fixes.push(json!({"target": quote, "instruction": INSTRUCTIONS[(at + scenario.number as usize) % INSTRUCTIONS.len()]}));
        }
        if broken.is_none() {
            issues.push(format!("离线排练：占位分 {overall:.2}，按修订处理。"));
        }
        issues.extend(broken.iter().map(|rule| format!("离线排练：当作与 {rule} 相抵触。")));
    }
    let score = |(dimension, score): &(Dimension, f64)| {
        (dimension.as_str().to_owned(), json!({"evidence": "", "reason": REASON, "score": score}))
    };
    let by_dimension: Map<String, Value> = scores.iter().map(score).collect();
    let reply = json!({
        "checks": checks,
        "scores": by_dimension,
        "risk_flags": [],
        "required_fixes": fixes,
        "issues": issues,
        "strengths": [],
    });
    reply.to_string()
}

/// The reason of every score.
const REASON: &str = "离线占位分，没有读正文";

const INSTRUCTIONS: [&str; 5] = [
    "换成人物的动作，让他做出选择",
    "补一处看得见、摸得着的细节",
    "与前后的因果接上，说明为何偏在此时",
    "收紧节奏，去掉重复的观察",
    "把情绪落到一件具体的东西上",
];

/// Sentences of the text that can be quoted.
struct Quotes {
    all: Vec<String>,
    narration: Vec<String>,
}

fn quotes(body: &str) -> Quotes {
    let quote = |sentence: &str| clip(sentence, 40).to_owned();
    let fit = |sentence: &&str| words(sentence) >= 6;
    // The opening stays out: a revision replaces it anyway.
    let of = |paragraph| sentences(paragraph).into_iter().filter(fit).map(quote).collect::<Vec<_>>();
    let narration: Vec<String> =
        paragraphs(body).skip(1).filter(|p| !has_speech(p)).filter_map(|p| of(p).into_iter().next()).collect();
    let mut all: Vec<String> = paragraphs(body).filter(|p| !has_speech(p)).flat_map(of).collect();
    if all.is_empty() {
        all = paragraphs(body).map(|p| clip(p, 40).to_owned()).collect();
    }
    // Those that will be blamed lie in the middle of the chapter.
    let middle = narration.len() / 3;
    let narration = narration.into_iter().skip(middle).step_by(2).collect();
    Quotes { all, narration }
}

/// A sure violation of a rule, with words of the text.
fn accusation(rule: &str, context: &ChapterContext, quotes: &Quotes) -> Value {
    let evidence = quotes.narration.first().or(quotes.all.first()).cloned().unwrap_or_default();
    let known = context.rules.iter().chain(&context.storyline_rules).find(|known| known.id == rule);
    let words = known.map_or(rule, |rule| clip(&rule.rule, 40));
    json!({
        "rule": rule, "evidence": evidence, "detail": format!("离线排练：当作与“{words}”不合"),
        "finding": "violation", "confidence": "high",
    })
}

/// The hard rule that a first draft breaks: about one draft in sixty does.
fn stumble(context: &ChapterContext, scenario: &Scenario, edition: Edition, rehearsed: bool) -> Option<String> {
    let mut chance = Chance::new(scenario.seed ^ seed(&["stumble"]));
    if edition.index() > 0 || rehearsed || chance.below(60) != 0 {
        return None;
    }
    let holds = |from: u32| from <= context.chapter.get();
    let rules = context.rules.iter().chain(&context.storyline_rules);
    let hard: Vec<&str> = rules
        .filter(|rule| rule.strength == Strength::Hard && holds(rule.introduced_chapter))
        .map(|rule| rule.id.as_str())
        .collect();
    let objective = || format!("OBJ-{:03}-1", context.chapter.get());
    Some(chance.pick(&hard).map_or_else(objective, |rule| (*rule).to_owned()))
}

/// The overall score to aim at.
fn target(context: &ChapterContext, scenario: &Scenario, edition: Edition, opinion: Opinion) -> f64 {
    let gate = context.config.gate;
    let mut chance = Chance::new(scenario.seed ^ seed(&["score"]));
    let band = chance.below(100);
    let place = chance.below(100) as f64 / 100.0;
    let within = |from: f64, to: f64| from + (to - from) * place;
    let first = match band {
        0..=71 => within(gate.pass + 0.08, (gate.pass + 0.65).min(4.9)),
        72..=91 => within(gate.polish + 0.05, gate.pass),
        _ => within(gate.revise + 0.09, gate.polish),
    };
    // A revision is worth half a point, each further one a little more.
    let index = edition.index() as f64;
    let better = if index > 0.0 { 0.45 + 0.1 * index + 0.15 * place } else { 0.0 };
    let mut score = first + better;
    if opinion == Opinion::Second && chance.percent(50) {
        score -= 0.1 + chance.below(21) as f64 / 100.0;
    }
    score.max(gate.revise + 0.09).clamp(1.0, 5.0)
}

/// Eight scores in steps of a half whose overall score is at most `target` and less than 0.08 below it.
fn near(target: f64, chapter_seed: u64) -> Vec<(Dimension, f64)> {
    let base = (target * 2.0).floor() / 2.0;
    let mut scores: Vec<(Dimension, f64)> = Dimension::ALL.iter().map(|dimension| (*dimension, base)).collect();
    let mut order: Vec<usize> = (0..scores.len()).collect();
    Chance::new(chapter_seed ^ seed(&["dimensions"])).shuffle(&mut order);
    let mut room = ((target - base) * 100.0).round();
    // Heavy dimensions first where they fit, so that what is left is smaller than half of the lightest weight.
    for at in order {
        let worth = f64::from(scores[at].0.weight_percent()) / 2.0;
        if worth <= room && base < 5.0 {
            scores[at].1 += 0.5;
            room -= worth;
        }
    }
    scores
}

/// Eight scores that differ a little and weigh exactly `overall`: dimensions of the same weight are moved against each
/// other.
fn exactly(overall: f64) -> Vec<(Dimension, f64)> {
    let room = (5.0 - overall).min(overall - 1.0).clamp(0.0, 0.25);
    let shift = |dimension| match dimension {
        Dimension::PlotLogic | Dimension::Immersion | Dimension::Pacing => room,
        Dimension::Character | Dimension::StyleNaturalness | Dimension::EmotionalImpact => -room,
        Dimension::Foreshadowing | Dimension::StorylineCoherence => 0.0,
    };
    Dimension::ALL.iter().map(|&dimension| (dimension, overall + shift(dimension))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weigh(scores: &[(Dimension, f64)]) -> f64 {
        scores.iter().map(|(d, score)| score * f64::from(d.weight_percent())).sum::<f64>().round() / 100.0
    }

    #[test]
    fn scores_weigh_what_they_should() {
        for hundredths in 100..=500 {
            let target = f64::from(hundredths) / 100.0;
            assert!((weigh(&exactly(target)) - target).abs() < 1e-9, "{target}");
            for seed in 0..20 {
                let got = weigh(&near(target, seed));
                assert!(got <= target + 0.006 && got > target - 0.081, "{target} became {got}");
            }
        }
    }
}
