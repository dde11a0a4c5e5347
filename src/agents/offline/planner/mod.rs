//! The planning agents' replies: a world, a theme, people, a storyline, a volume's schedule and its chapters, its review, and
//! a blurb.

mod outline;
mod volume;

pub(super) use outline::{amend, cast, outline};
pub(super) use volume::{line, review, schedule};

use crate::agents::context::{answered, genre};
use crate::agents::offline::phrases::{Stock, clip, expand, phrase};
use crate::agents::planners::context::PlanningContext;
use serde_json::{Value, json};

struct OfflinePlanner<'a> {
    context: &'a PlanningContext,
    stock: Stock,
}

impl<'a> OfflinePlanner<'a> {
    fn new(context: &'a PlanningContext) -> Self {
        Self { context, stock: Stock::of(&context.config) }
    }

    fn pick(&self, name: &str, turn: usize) -> &'static str {
        self.stock.pick(&format!("plan {name}"), turn)
    }

    /// A pattern of a pool with these words in its slots, as one entry of an outline's field.
    fn fill(&self, name: &str, turn: usize, slots: &[(&str, &str)]) -> String {
        let own = |slot: &str| slots.iter().find(|(name, _)| *name == slot).map(|(_, words)| *words);
        expand(self.pick(name, turn), turn, &mut |slot| own(slot).unwrap_or("什么").to_owned())
    }

    /// The thing of a foreshadowing: the word of its id, and its name.
    fn thing(&self, turn: usize) -> (&'static str, &'static str) {
        self.pick("thing", turn).split_once(' ').unwrap_or(("token", "旧物"))
    }

    /// The text under a heading of the brief; `None` for an empty section.
    fn brief(&self, heading: &str) -> Option<String> {
        let text = answered(&self.context.brief);
        let lines =
            text.lines().skip_while(|line| line.trim_start_matches('#').trim() != heading || !line.starts_with('#'));
        let body = lines.skip(1).take_while(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
        let text = clip(body.trim().trim_start_matches(['-', '*', ' ']), 160);
        text.chars().any(char::is_alphanumeric).then(|| text.to_owned())
    }

    /// The name of the main character: as the book has it, as the brief begins with it, or an invented one.
    fn hero(&self) -> String {
        let people = self.context.characters.iter().filter(|person| !person.display_name.is_empty());
        let known = people.min_by_key(|person| !person.role.contains("protagonist"));
        let known = known.map(|person| person.display_name.clone());
        let written = || self.brief("主角").and_then(|text| crate::agents::offline::planner::outline::name_in(&text));
        known.or_else(written).unwrap_or_else(|| self.pick("name", 0).split(' ').next().unwrap_or_default().to_owned())
    }
}

/// Theme and conflict: the author's own words where the brief has them.
pub(super) fn theme(context: &PlanningContext) -> String {
    let desk = OfflinePlanner::new(context);
    let (hero, brief) = (desk.hero(), |heading: &str| desk.brief(heading));
    let rule = context.rules.first().map_or("这里的规矩不认人情", |rule| rule.rule.trim_end_matches('。'));
    json!({
        "logline": brief("一句话").unwrap_or_else(|| format!("{hero}想讨回一句实话，挡在面前的是{rule}。")),
        "theme": brief("主题").unwrap_or_else(|| format!("{}？", desk.pick("question", 0))),
        "conflict": brief("核心冲突").unwrap_or_else(|| format!("{hero}要揭开一桩众人都靠它安稳的旧事，而{rule}。")),
        "ending": brief("结局方向").unwrap_or_else(|| format!("{}。", desk.pick("ending", 0))),
    })
    .to_string()
}

/// Texts that sell the book, from its title and its brief.
pub(super) fn blurb(context: &PlanningContext) -> String {
    let desk = OfflinePlanner::new(context);
    let (hero, title) = (desk.hero(), context.config.title.as_str());
    let brief = |heading: &str| desk.brief(heading);
    let own = if title.is_empty() { format!("{hero}的旧账") } else { title.to_owned() };
    let rules = context.rules.iter().take(3).map(|rule| rule.rule.clone());
    let blurb =
        ["一句话", "核心冲突", "主题"].into_iter().filter_map(brief).chain([format!("{hero}的路，从第一章开始。")]);
    json!({
        "titles": [own, format!("{hero}记"), format!("问{hero}")],
        "blurb": blurb.collect::<Vec<_>>(),
        "tags": [genre(&context.config), "连载"],
        "selling_points": rules.collect::<Vec<_>>(),
    })
    .to_string()
}

/// A first world, with rules and pages that the book does not have yet, or one rule that was asked for.
pub(super) fn world(context: &PlanningContext, request: &str) -> String {
    let desk = OfflinePlanner::new(context);
    let is_new = |text: &str| !context.rules.iter().any(|rule| rule.rule.trim() == text);
    let rule = |sort: &str, text: &str, but: &[&str]| json!({"category": sort, "rule": text, "exceptions": but});
    let asked = |topic: &str| {
        let worded = |turn: usize| {
            let days = if turn < 6 { String::new() } else { format!("，违者罚期{turn}日") };
            desk.fill("rule asked", turn, &[("愿", topic)]) + &days
        };
        rule("补充", &(0..).map(worded).find(|text| is_new(text)).unwrap_or_default(), &[])
    };
    if !request.trim().is_empty() {
        let topic = request.split_once("关于").map_or(request, |(_, topic)| topic);
        let topic = topic.split_once("的规").map_or(topic, |(topic, _)| topic);
        let rule = asked(&phrase(topic, 40).unwrap_or_default());
        return json!({"rules": [rule], "documents": [], "storyline": {"name": "", "description": ""}}).to_string();
    }
    let own = desk.stock.shuffled("plan rule").into_iter().filter_map(|line| {
        let parts: Vec<&str> = line.split(" >> ").filter(|part| *part != "无").collect();
        is_new(parts[1]).then(|| rule(parts[0], parts[1], &parts[2..]))
    });
    let rules: Vec<Value> = own.chain((0..).map(|turn| asked(desk.thing(turn).1))).take(3).collect();
    let pages = desk.stock.pool("plan page").into_iter().filter_map(|page| page.split_once(" >> "));
    let pages = pages.filter(|(name, _)| !context.world.iter().any(|note| note.name.trim_end_matches(".md") == *name));
    let description = desk.brief("核心冲突");
    let description = description.unwrap_or_else(|| format!("{}里的寻常人揭开了一桩旧事。", genre(&context.config)));
    json!({
        "rules": rules,
        "documents": pages.map(|(name, text)| json!({"name": name, "text": text})).collect::<Vec<_>>(),
        "storyline": {"name": desk.pick("mainline", 0), "description": description},
    })
    .to_string()
}

#[cfg(test)]
mod tests;
