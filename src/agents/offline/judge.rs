//! The judge's replies. They are not a reading: scores drive the pipeline, and no rule is held against the text,
//! except that a rehearsed violation is reported as one. The replies say so in every reason, and quote nothing.
//!
//! Scores depend on the chapter and on how often it has been judged: of a long book about seven chapters in ten pass,
//! two are polished, and one is revised and then does better. No chapter is paused or rewritten unless the author
//! rehearses it.

use crate::agents::ChapterContext;
use crate::agents::context::rules_to_check::rules_for;
use crate::agents::offline::phrases::{clip, has_speech, paragraphs, phrase, roll, seed, sentences, words};
use crate::agents::offline::scenario::Scenario;
use crate::agents::offline::writer::index_of;
use crate::agents::prelude::*;
use crate::domain::chapter::evaluation::Dimension;
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
