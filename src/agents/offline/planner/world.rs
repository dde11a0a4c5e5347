//! The world: rules with a price, a page or two, and the line that goes with them.

use super::super::patterns::pool;
use super::{Desk, brief, first_chars, steps};
use crate::agents::context;
use crate::agents::planners::context::PlanningContext;
use serde_json::{Value, json};

/// How many rules a new world has at least and at most.
const FIRST: (usize, usize) = (2, 3);

/// A first world, or one rule that was asked for.
pub(in super::super) fn world(context: &PlanningContext, request: &str) -> String {
    let desk = Desk::new(context);
    if !request.trim().is_empty() {
        let rule =
            json!({"category": "补充", "rule": asked(&desk, request), "constraint_type": "hard", "exceptions": []});
        return json!({"rules": [rule], "documents": [], "storyline": {"name": "", "description": ""}}).to_string();
    }
    let conflict = brief::section(&context.brief, "核心冲突");
    let name = desk.word_aged("plan mainline", 0);
    let genre = context::genre(&context.config);
    let description = conflict
        .unwrap_or_else(|| format!("{genre}里的一个寻常人揭开了众人都靠它安稳的旧事，从此和定规矩的人站到了两边。"));
    let storyline = json!({"name": name, "description": description});
    json!({"rules": rules(&desk), "documents": pages(&desk), "storyline": storyline}).to_string()
}

/// Rules of the genre that the book does not have yet.
fn rules(desk: &Desk<'_>) -> Vec<Value> {
    let name = desk.aged("plan rule");
    let all = (0..pool(&name).len()).map(|turn| steps(desk.deal(&name, turn)));
    let mut rules: Vec<Value> = all
        .filter(|rule| rule.get(1).is_some_and(|text| !is_known(desk, text)))
        .take(if desk.seed.is_multiple_of(2) { FIRST.0 } else { FIRST.1 })
        .map(|rule| rule_of(rule[0], rule[1], rule.get(2).copied().filter(|text| *text != "无")))
        .collect();
    for turn in rules.len()..FIRST.0 {
        let thing = desk.deal_aged("plan thing", turn).split_once(' ').map_or("旧物", |(_, name)| name);
        rules.push(rule_of("旧物", &asked(desk, thing), None));
    }
    rules
}

fn rule_of(category: &str, rule: &str, exception: Option<&str>) -> Value {
    json!({"category": category, "rule": rule, "constraint_type": "hard", "exceptions": exception.iter().collect::<Vec<_>>()})
}

fn is_known(desk: &Desk<'_>, text: &str) -> bool {
    desk.context.rules.iter().any(|rule| rule.rule.trim() == text)
}

/// A new rule about what the request names.
fn asked(desk: &Desk<'_>, request: &str) -> String {
    let topic = topic(request);
    let start = desk.context.rules.len();
    let worded = |turn: usize| desk.fill(desk.deal("plan rule asked", turn), turn, &[("愿", &topic)]);
    let known = pool("plan rule asked").len();
    let fresh = (start..start + known).map(worded).find(|text| !is_known(desk, text));
    fresh.unwrap_or_else(|| {
        let limits = (2u32..).map(|days| format!("{}，违者罚期{days}日", worded(start)));
        limits.take(desk.context.rules.len() + 1).find(|text| !is_known(desk, text)).unwrap_or_default()
    })
}

/// The subject of a request, without the words that ask for it.
fn topic(request: &str) -> String {
    const BEFORE: [&str; 17] = [
        "请", "帮我", "再", "给我", "补充", "补上", "补", "新增", "增加", "加", "写", "一条", "一个", "关于", "有关",
        "对于", "说明",
    ];
    const AFTER: [&str; 6] = ["的规则", "的规矩", "的设定", "的限制", "规则", "规矩"];
    let line = super::one_field(request);
    let mut topic = line.trim();
    while let Some(rest) = BEFORE.iter().find_map(|word| topic.strip_prefix(word)) {
        topic = rest.trim_start();
    }
    topic = topic.trim_end_matches(['。', '！', '？', '.', '!', ' ']);
    if let Some(rest) = AFTER.iter().find_map(|word| topic.strip_suffix(word)).filter(|rest| !rest.is_empty()) {
        topic = rest;
    }
    let topic = if topic.is_empty() { line.trim() } else { topic };
    first_chars(topic, 40)
}

/// One or two pages that the book does not have yet; where it has both, the first one again.
fn pages(desk: &Desk<'_>) -> Vec<Value> {
    let name = desk.aged("plan page");
    let pages: Vec<Vec<&str>> = pool(&name).iter().copied().map(steps).collect();
    let fresh = |page: &&Vec<&str>| !desk.context.world.iter().any(|note| note.name.trim_end_matches(".md") == page[0]);
    let mut chosen: Vec<&Vec<&str>> = pages.iter().filter(|page| page.len() > 1).filter(fresh).collect();
    if chosen.is_empty() {
        chosen.extend(pages.iter().find(|page| page.len() > 1));
    }
    chosen.into_iter().map(|page| json!({"name": page[0], "text": page[1]})).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_cut_to_its_subject() {
        assert_eq!(topic("补一条关于船票的规则"), "船票");
        assert_eq!(topic("请新增规则"), "规则");
        assert_eq!(topic("夜里不许点灯。"), "夜里不许点灯");
    }
}
