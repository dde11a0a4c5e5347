//! Changes of a book in words for agents that update its dependents.

use crate::agents::prelude::*;
use crate::domain::impact::{BookSnapshot, ChangeKind, ChangedItem, Item};
use crate::domain::volume::foreshadowing::ThreadPlan;
use crate::domain::volume::outline::field::one_line;
use crate::domain::volume::plan::Plan;
use crate::domain::world::contract::{ChapterContract, CharacterContract, Rule};

/// The longest text of a thing, in characters.
const LONGEST: usize = 200;
/// Unchanged characters told before a difference further on.
const LEAD: usize = 40;
/// Changes and contracts named in one wish.
const MOST: usize = 20;

/// A change: the thing, the old and the new text.
pub fn in_words(change: &ChangedItem, before: &BookSnapshot, now: &BookSnapshot) -> String {
    let thing = &change.thing;
    let sort = match thing {
        Item::Rule(_) => "世界规则",
        Item::CharacterContract(..) => "人物契约",
        Item::Character(_) => "人物",
        Item::Storyline(_) => "故事线",
        Item::Foreshadowing(..) => "伏笔计划",
        Item::Part(..) => "本卷的线",
        Item::Meeting(..) => "交汇",
        Item::Outline(_) => "章纲",
        Item::ChapterContract(_) => "章节契约",
        Item::Chapter(_) => "章",
    };
    let (was, is) = told(&text_of(thing, before), &text_of(thing, now));
    match change.how {
        ChangeKind::Added => format!("新添{sort} {thing}：{is}"),
        ChangeKind::Removed => format!("{sort} {thing} 没有了。原来：{was}"),
        ChangeKind::Changed | ChangeKind::Renamed => format!("{sort} {thing} 变了。原来：{was}。现在：{is}"),
    }
}

/// Excerpts of the old and the new text: their beginnings, or, where these are equal, the surroundings of the first
/// difference.
fn told(was: &str, is: &str) -> (String, String) {
    let alike = was.chars().zip(is.chars()).take_while(|(was, is)| was == is).count();
    let skipped = if alike + LEAD < LONGEST { 0 } else { alike.saturating_sub(LEAD) };
    let from = |text: &str| {
        let mark = if skipped > 0 { "…" } else { "" };
        format!("{mark}{}", clip(&text.chars().skip(skipped).collect::<String>(), LONGEST))
    };
    (from(was), from(is))
}

/// The request to the character weaver to bring only these contracts in line with changed rules.
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

/// Everything changeable of a thing on one line: the main text first, then the rest by name.
fn text_of(thing: &Item, picture: &BookSnapshot) -> String {
    let text = match thing {
        Item::Rule(id) => picture.rules.iter().find(|rule| rule.id == *id).map(rule_text),
        Item::CharacterContract(owner, id) => person(picture, owner)
            .and_then(|person| person.contracts.iter().find(|contract| contract.id == *id))
            .map(contract_text),
        Item::Character(id) => person(picture, id).map(|person| {
            let aliases = person.aliases.join("、");
            let head = format!(
                "{}（又称：{aliases}），{}，{}，说话：{}",
                person.display_name, person.role, person.profile, person.speech
            );
            with_rest(head, [("故事线", ids(&person.storylines))])
        }),
        Item::Storyline(id) => picture.storylines.get(id).map(|line| {
            let head = format!("《{}》，{}，{}：{}", line.name, line.kind, line.status, line.description);
            let rest = [
                ("视角", line.pov_characters.join("、")),
                ("势力", line.factions.join("、")),
                ("跨度", line.reach.to_string()),
                ("时间", line.timeline.clone()),
            ];
            with_rest(head, rest)
        }),
        Item::Foreshadowing(volume, id) => plan(picture, *volume)
            .and_then(|plan| plan.foreshadowing.iter().find(|planned| planned.id == *id))
            .map(planned_text),
        Item::Part(volume, line) => plan(picture, *volume)
            .and_then(|plan| plan.schedule.as_ref()?.active.iter().find(|part| part.storyline == *line))
            .map(|part| format!("{}，{} 章：{}", part.role, part.target_chapters, part.goal)),
        Item::Meeting(volume, from, to) => plan(picture, *volume)
            .and_then(|plan| plan.schedule.as_ref()?.convergences.iter().find(|met| met.chapters == (*from, *to)))
            .map(|met| {
                let head = format!("{} 在第 {from}–{to} 章交汇：{}", ids(&met.lines), met.trigger);
                with_rest(head, [("之后", met.aftermath.clone())])
            }),
        Item::Outline(chapter) | Item::Chapter(chapter) => {
            let section = picture.volumes.values().find_map(|volume| volume.plan.outline.section(*chapter));
            section.map(|section| {
                let others = section.fields.iter().filter(|(field, _)| **field != Field::Conflict);
                let head = format!("{}，{}", section.title, section.field(Field::Conflict));
                with_rest(head, others.map(|(field, text)| (field.as_str(), text.clone())))
            })
        }
        Item::ChapterContract(chapter) => {
            let contract = picture.volumes.values().find_map(|volume| volume.plan.contracts.get(chapter));
            contract.map(chapter_contract_text)
        }
    };
    one_line(text.as_deref().unwrap_or_default().trim_end_matches('。'))
}

/// A text and its named, non-empty additions.
fn with_rest<'n>(head: String, rest: impl IntoIterator<Item = (&'n str, String)>) -> String {
    let rest = rest.into_iter().filter(|(_, text)| !text.trim().is_empty());
    rest.fold(head, |text, (name, more)| format!("{text}；{name}：{more}"))
}

fn ids(ids: &[Slug]) -> String {
    ids.iter().map(Slug::as_str).collect::<Vec<_>>().join("、")
}

fn rule_text(rule: &Rule) -> String {
    let exceptions = if rule.exceptions.is_empty() {
        String::new()
    } else {
        format!("（例外：{}）", rule.exceptions.join("；"))
    };
    with_rest(format!("【{}】{}{exceptions}", rule.strength, rule.rule), [("类别", rule.category.clone())])
}

fn contract_text(contract: &CharacterContract) -> String {
    let until = contract.valid_until.map_or_else(|| "一直".to_owned(), |chapter| format!("到第 {chapter} 章"));
    let rest = [
        ("例外", contract.exceptions.join("；")),
        ("改变它之前要先", contract.update_requires.clone().unwrap_or_default()),
        ("哪一种", contract.kind.clone()),
        ("管用", format!("从第 {} 章，{until}", contract.valid_from)),
    ];
    with_rest(contract.rule.clone(), rest)
}

fn chapter_contract_text(contract: &ChapterContract) -> String {
    let objectives = contract.objectives.iter().map(|objective| {
        let mark = if objective.required { "" } else { "（可选）" };
        format!("{}{mark}", objective.description)
    });
    let bridge = contract.transition.iter().map(|to| format!("{}，{}", to.next, to.bridge)).collect();
    let rest = [
        ("前提", contract.preconditions.join("；")),
        ("章后", contract.postconditions.join("；")),
        ("验收", contract.acceptance.join("；")),
        ("规则", contract.rules.join("、")),
        ("人物", ids(&contract.characters)),
        ("过渡", bridge),
        ("故事线", contract.storyline.to_string()),
    ];
    with_rest(objectives.collect::<Vec<_>>().join("；"), rest)
}

fn planned_text(planned: &ThreadPlan) -> String {
    let plant = planned.plant.map_or_else(|| "早已埋下".to_owned(), |chapter| format!("第 {} 章埋", chapter.get()));
    let advance: Vec<String> = planned.advance.iter().map(u32::to_string).collect();
    let due = planned.target.map_or_else(String::new, |(from, to)| format!("，第 {from}–{to} 章收"));
    let head = format!("{}（{plant}，第 {} 章推{due}）", planned.description, advance.join("、"));
    with_rest(head, [("跨度", planned.scope.to_string()), ("故事线", planned.storyline.to_string())])
}

fn person<'p>(picture: &'p BookSnapshot, id: &Slug) -> Option<&'p crate::domain::world::character::Character> {
    picture.characters.iter().find(|person| person.id == *id)
}

fn plan(picture: &BookSnapshot, volume: VolumeNo) -> Option<&Plan> {
    picture.volumes.get(&volume).map(|planned| &planned.plan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::world::character::Character;
    use crate::domain::world::contract::Strength;

    #[test]
    fn a_change_says_what_was_and_what_is() {
        let with = |text: &str| BookSnapshot {
            rules: vec![Rule {
                id: "W-001".into(),
                category: String::new(),
                rule: text.into(),
                strength: Strength::Hard,
                exceptions: vec!["奉召".into()],
                introduced_chapter: 0,
                last_verified: None,
            }],
            ..BookSnapshot::default()
        };
        let change = |how| ChangedItem { thing: Item::Rule("W-001".into()), how };
        let (before, now) = (with("船不夜行。"), with("船可夜行"));
        let words = in_words(&change(ChangeKind::Changed), &before, &now);
        assert!(words.contains("原来：【hard】船不夜行") && words.contains("现在：【hard】船可夜行"), "{words}");
        let gone = in_words(&change(ChangeKind::Removed), &before, &BookSnapshot::default());
        assert!(gone.starts_with("世界规则 W-001 没有了") && !gone.contains("现在"), "{gone}");
    }

    #[test]
    fn what_was_and_what_is_differ_wherever_the_difference_stands() {
        let contract = |exceptions: &[&str], rule: &str| CharacterContract {
            id: "C-LUO-001".into(),
            kind: "capability".into(),
            rule: rule.into(),
            exceptions: exceptions.iter().map(|text| (*text).to_owned()).collect(),
            valid_from: 1,
            valid_until: None,
            update_requires: None,
        };
        let with = |contract: CharacterContract| BookSnapshot {
            characters: vec![Character {
                id: Slug::new("luo").unwrap(),
                display_name: "罗守拙".into(),
                aliases: vec![],
                former_names: vec![],
                role: "supporting".into(),
                storylines: vec![],
                speech: String::new(),
                profile: String::new(),
                contracts: vec![contract],
            }],
            ..BookSnapshot::default()
        };
        let thing = Item::CharacterContract(Slug::new("luo").unwrap(), "C-LUO-001".into());
        let change = ChangedItem { thing, how: ChangeKind::Changed };
        let words = in_words(&change, &with(contract(&[], "不赊账")), &with(contract(&["对阿七"], "不赊账")));
        assert!(words.contains("现在：不赊账；例外：对阿七"), "{words}");
        let long = "账".repeat(900);
        let (was, is) = (with(contract(&["对阿七"], &long)), with(contract(&["对谁都"], &long)));
        let words = in_words(&change, &was, &is);
        assert!(words.contains("例外：对阿七") && words.contains("例外：对谁都"), "{words}");
        assert!(words.chars().count() < 2 * LONGEST + 60, "{words}");
        assert_eq!(told("票不过夜", "票可过夜"), ("票不过夜".into(), "票可过夜".into()));
    }
}
