//! What has changed in a book, in words for the agents that bring what hangs on it up to date.

use super::measure::clip_line;
use crate::domain::contract::{CharacterContract, Rule};
use crate::domain::foreshadowing::Planned;
use crate::domain::impact::{Change, How, Picture, Thing};
use crate::domain::outline::Field;
use crate::domain::plan::Plan;
use crate::domain::{Slug, VolumeNo};

/// The longest text of a thing that is told, in characters.
const LONGEST: usize = 200;
/// How many changes and contracts are named in one wish.
const MOST: usize = 20;

/// A change: what it is, what it said, what it says.
#[must_use]
pub fn in_words(change: &Change, before: &Picture, now: &Picture) -> String {
    let thing = &change.thing;
    let sort = match thing {
        Thing::Rule(_) => "世界规则",
        Thing::CharacterContract(..) => "人物契约",
        Thing::Character(_) => "人物",
        Thing::Storyline(_) => "故事线",
        Thing::Foreshadowing(..) => "伏笔计划",
        Thing::Part(..) => "本卷的线",
        Thing::Meeting(..) => "交汇",
        Thing::Outline(_) => "章纲",
        Thing::ChapterContract(_) => "章节契约",
        Thing::Chapter(_) => "章",
    };
    let (was, is) = (text_of(thing, before), text_of(thing, now));
    match change.how {
        How::Added => format!("新添{sort} {thing}：{is}"),
        How::Removed => format!("{sort} {thing} 没有了。原来：{was}"),
        How::Changed => format!("{sort} {thing} 变了。原来：{was}。现在：{is}"),
    }
}

/// What is wanted of the character weaver: these contracts, and no others, brought in line with the rules that changed.
#[must_use]
pub fn wish(changes: &[String], contracts: &[&CharacterContract]) -> String {
    let changes: Vec<&str> = changes.iter().take(MOST).map(String::as_str).collect();
    let contracts = contracts.iter().take(MOST);
    let contracts: Vec<String> =
        contracts.map(|contract| format!("{}“{}”", contract.id, clip_line(&contract.rule, LONGEST))).collect();
    format!(
        "世界的规则变了：{}。只改这几条契约，让它们合得上现在的规则：{}。别的契约逐字照抄，顺序不变，条数不变；小传、姓名、说话的样子都不动。",
        changes.join("；"),
        contracts.join("；")
    )
}

fn text_of(thing: &Thing, picture: &Picture) -> String {
    let text = match thing {
        Thing::Rule(id) => picture.rules.iter().find(|rule| rule.id == *id).map(rule_text),
        Thing::CharacterContract(owner, id) => person(picture, owner)
            .and_then(|person| person.contracts.iter().find(|contract| contract.id == *id))
            .map(|contract| contract.rule.clone()),
        Thing::Character(id) => person(picture, id).map(|person| {
            let aliases = person.aliases.join("、");
            format!(
                "{}（又称：{aliases}），{}，{}，说话：{}",
                person.display_name, person.role, person.profile, person.speech
            )
        }),
        Thing::Storyline(id) => picture
            .storylines
            .get(id)
            .map(|line| format!("《{}》，{}，{}：{}", line.name, line.kind, line.status, line.description)),
        Thing::Foreshadowing(volume, id) => plan(picture, *volume)
            .and_then(|plan| plan.foreshadowing.iter().find(|planned| planned.id == *id))
            .map(planned_text),
        Thing::Part(volume, line) => plan(picture, *volume)
            .and_then(|plan| plan.schedule.as_ref()?.active.iter().find(|part| part.storyline == *line))
            .map(|part| format!("{}，{} 章：{}", part.role, part.target_chapters, part.goal)),
        Thing::Meeting(volume, from, to) => plan(picture, *volume)
            .and_then(|plan| plan.schedule.as_ref()?.convergences.iter().find(|met| met.chapters == (*from, *to)))
            .map(|met| {
                let lines: Vec<&str> = met.lines.iter().map(Slug::as_str).collect();
                format!("{} 在第 {from}–{to} 章交汇：{}", lines.join("、"), met.trigger)
            }),
        Thing::Outline(chapter) | Thing::ChapterContract(chapter) | Thing::Chapter(chapter) => {
            let section = picture.volumes.values().find_map(|volume| volume.plan.outline.section(*chapter));
            section.map(|section| format!("{}，{}", section.title, section.field(Field::Conflict)))
        }
    };
    clip_line(text.as_deref().unwrap_or_default().trim_end_matches('。'), LONGEST)
}

fn rule_text(rule: &Rule) -> String {
    let exceptions = if rule.exceptions.is_empty() {
        String::new()
    } else {
        format!("（例外：{}）", rule.exceptions.join("；"))
    };
    format!("【{}】{}{exceptions}", rule.strength, rule.rule)
}

fn planned_text(planned: &Planned) -> String {
    let plant = planned.plant.map_or_else(|| "早已埋下".to_owned(), |chapter| format!("第 {} 章埋", chapter.get()));
    let advance: Vec<String> = planned.advance.iter().map(u32::to_string).collect();
    let due = planned.target.map_or_else(String::new, |(from, to)| format!("，第 {from}–{to} 章收"));
    format!("{}（{plant}，第 {} 章推{due}）", planned.description, advance.join("、"))
}

fn person<'p>(picture: &'p Picture, id: &Slug) -> Option<&'p crate::domain::character::Character> {
    picture.characters.iter().find(|person| person.id == *id)
}

fn plan(picture: &Picture, volume: VolumeNo) -> Option<&Plan> {
    picture.volumes.get(&volume).map(|planned| &planned.plan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::contract::Strength;

    #[test]
    fn a_change_says_what_was_and_what_is() {
        let with = |text: &str| Picture {
            rules: vec![Rule {
                id: "W-001".into(),
                category: String::new(),
                rule: text.into(),
                strength: Strength::Hard,
                exceptions: vec!["奉召".into()],
                introduced_chapter: 0,
            }],
            ..Picture::default()
        };
        let change = |how| Change { thing: Thing::Rule("W-001".into()), how };
        let (before, now) = (with("船不夜行。"), with("船可夜行"));
        let words = in_words(&change(How::Changed), &before, &now);
        assert!(words.contains("原来：【hard】船不夜行") && words.contains("现在：【hard】船可夜行"), "{words}");
        let gone = in_words(&change(How::Removed), &before, &Picture::default());
        assert!(gone.starts_with("世界规则 W-001 没有了") && !gone.contains("现在"), "{gone}");
    }
}
