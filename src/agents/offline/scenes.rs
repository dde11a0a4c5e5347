//! Scenes: the chapter that a draft would be, divided. So it has the same length and repeats nothing, whichever way it is
//! written.

use super::cut::{has_speech, is_break, paragraphs, sentences, words};
use super::scenario::Scenario;
use super::writer;
use crate::agents::{ChapterContext, SceneOrder};
use crate::domain::chapter::scene::{FEWEST, MOST};
use serde_json::{Value, json};

/// Divides the chapter into the scenes that it will have.
pub(super) fn plan(context: &ChapterContext) -> String {
    let scenario = Scenario::of(context);
    let body = writer::first_body(context, &scenario);
    let breaks = body.split('\n').filter(|line| !line.trim().is_empty() && is_break(line)).count();
    let parts = divided(&body, (breaks + 1).clamp(FEWEST, MOST));
    let total = parts.iter().map(|part| words(part)).sum::<u32>().max(1);
    let last = parts.len() - 1;
    let scenes = parts.iter().enumerate().map(|(at, part)| {
        let named = |name: &&str| part.contains(*name);
        let people = std::iter::once(&scenario.pov).chain(&scenario.others).map(|person| person.name.as_str());
        let goals = std::iter::once(&scenario.conflict).chain(scenario.hints.iter().map(|hint| &hint.told));
        let goals: Vec<&str> = goals.filter(|told| told.is_in(part)).map(|told| told.plan.as_str()).collect();
        let turn = scenario.changes.iter().find(|change| change.is_in(part));
        let turn = turn.map_or_else(|| closing(part), |change| change.plan.clone());
        json!({
            "goal": if goals.is_empty() { format!("{}往前走一步", scenario.pov.name) } else { goals.join("；") },
            "place": scenario.place,
            "people": people.filter(named).collect::<Vec<_>>(),
            "conflict": if at == 0 || at == last { scenario.conflict.plan.as_str() } else { "" },
            "turn": turn,
            "share": words(part) * 100 / total,
        })
    });
    let scenes: Vec<Value> = scenes.collect();
    json!({ "scenes": scenes }).to_string()
}

/// The last thing that is told in a part.
fn closing(part: &str) -> String {
    let told = paragraphs(part).filter(|paragraph| !has_speech(paragraph)).flat_map(sentences);
    told.last().unwrap_or_default().trim_end_matches('。').to_owned()
}

/// One scene: with the chapter's heading before the first and the remarks after the last.
pub(super) fn scene(context: &ChapterContext, order: &SceneOrder) -> String {
    let scenario = Scenario::of(context);
    let parts = divided(&writer::first_body(context, &scenario), order.plan.scenes.len());
    let at = order.number.saturating_sub(1) as usize;
    let part = parts.get(at).map_or("", String::as_str);
    let whole = writer::reply(context, &scenario, part);
    let (heading, rest) = whole.split_once("\n\n").unwrap_or_default();
    let (text, hints) = rest.split_once("\n\n【状态提示】").unwrap_or((rest, ""));
    let heading = if at == 0 { format!("{heading}\n\n") } else { String::new() };
    let hints = if at + 1 == parts.len() { format!("\n\n【状态提示】{hints}") } else { String::new() };
    format!("{heading}{text}{hints}")
}

/// The text in so many parts: at its own breaks where it has as many as that, else of about the same length.
fn divided(body: &str, count: usize) -> Vec<String> {
    let joined = |paragraphs: &[&str]| paragraphs.join("\n\n");
    let lines: Vec<&str> = body.split('\n').map(str::trim).filter(|line| !line.is_empty()).collect();
    let own: Vec<String> = lines.split(|line| is_break(line)).filter(|part| !part.is_empty()).map(joined).collect();
    if own.len() == count {
        return own;
    }
    let told: Vec<&str> = lines.into_iter().filter(|line| !is_break(line)).collect();
    (0..count).map(|at| joined(&told[told.len() * at / count..told.len() * (at + 1) / count])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_divided_where_it_divides_itself() {
        let body = "甲。\n\n乙。\n\n* * *\n\n丙。\n\n丁。";
        assert_eq!(divided(body, 2), ["甲。\n\n乙。", "丙。\n\n丁。"]);
        assert_eq!(divided(body, 4), ["甲。", "乙。", "丙。", "丁。"]);
        assert_eq!(divided(body, 3).concat().replace("\n\n", ""), "甲。乙。丙。丁。");
    }
}
