//! One more storyline, from the author's wish.

use super::{Desk, brief, first_chars, one_field};
use crate::agents::planners::context::PlanningContext;
use crate::domain::world::storyline::{Status, Storyline};
use serde_json::json;

/// The longest name that is taken from a wish, in characters.
const NAME: usize = 6;
/// Words of a wish that tell the kind of line.
const KINDS: [(&str, &[&str]); 4] = [
    ("conspiracy", &["阴谋", "内鬼", "卧底", "密谋"]),
    ("faction_conflict", &["门派", "帮", "势力", "家族", "朝廷", "公司"]),
    ("mystery", &["案", "谜", "真相", "失踪", "查"]),
    ("parallel_timeline", &["当年", "从前", "过去", "年前"]),
];

/// The line that the wish describes.
pub(in super::super) fn line(context: &PlanningContext, wish: &str) -> String {
    let desk = Desk::new(context);
    let wish = one_field(wish);
    let wish = brief::bare(&wish);
    let name = name(&desk, wish);
    let kind = KINDS.iter().find(|(_, words)| words.iter().any(|word| wish.contains(word)));
    let kind = kind.map_or("character_arc", |(kind, _)| kind);
    let hero = desk.protagonist();
    let eyes = context.characters.iter().find(|person| person.is_named_in(wish));
    let eyes = eyes.or_else(|| context.characters.iter().find(|person| person.display_name != hero));
    let eyes = eyes.map_or(hero.as_str(), |person| person.display_name.as_str());
    let said = if wish.is_empty() { "一件没有了结的旧事又有了动静" } else { wish };
    let main = context.storylines.lines.iter().find(|line| line.status != Status::Ended);
    let relations: Vec<_> = main
        .map(|main| {
            json!({
                "with": main.id.as_str(), "type": "entangled", "shared_characters": [hero.as_str()],
                "convergence": format!("{eyes}和{hero}为同一件东西撞在一处"),
                "function": format!("《{}》里的人从此不能只顾自己", first_chars(&main.name, 12)),
            })
        })
        .into_iter()
        .collect();
    json!({
        "storyline": {
            "id": "", "name": name, "type": kind, "scope": "multi_volume",
            "description": format!("{said}。{eyes}想弄清它从哪里开始，知道的人都不肯先开口。"),
            "pov_characters": [eyes],
        },
        "relations": relations,
    })
    .to_string()
}

/// The words in title marks, or the first words of the wish; with a number if a line has that name.
fn name(desk: &Desk<'_>, wish: &str) -> String {
    let titled = ["《》", "“”", "「」"].iter().find_map(|marks| {
        let mut marks = marks.chars();
        let (open, close) = (marks.next()?, marks.next()?);
        let (_, rest) = wish.split_once(open)?;
        rest.split_once(close).map(|(title, _)| title.trim().to_owned())
    });
    let first = wish.split(|c: char| !c.is_alphanumeric()).find(|part| !part.is_empty()).unwrap_or_default();
    let name = titled.filter(|title| !title.is_empty()).unwrap_or_else(|| first_chars(first, NAME));
    let name = if name.chars().count() < 2 { "旧事".to_owned() } else { name };
    let is_free = |name: &str| !desk.context.storylines.lines.iter().any(|line: &Storyline| line.name == name);
    let numbered = ["", "（二）", "（三）", "（四）", "（五）"].into_iter().map(|number| format!("{name}{number}"));
    numbered
        .into_iter()
        .find(|name| is_free(name))
        .unwrap_or_else(|| format!("{name}（{}）", desk.context.storylines.lines.len()))
}
