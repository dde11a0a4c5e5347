//! A new storyline and its relations to the others.

use crate::agents::call::reply::{fitted, read_json};
use crate::agents::context::PromptSection;
use crate::agents::planners::context::PlanningContext;
use crate::agents::planners::plot_architect::{PlotQuestion, id_of};
use crate::agents::prelude::*;
use crate::domain::world::storyline::{Bridges, Reach, Relation, Status, Storyline, Storylines};

/// The longest name of a line, in characters.
const NAME: usize = 20;
/// The longest description, in characters.
const DESCRIPTION: usize = 400;
/// The most people who tell a line, and the most that it shares with another.
const MAX_PEOPLE: usize = 6;
/// The most relations of a new line.
const MAX_RELATIONS: usize = 6;

pub(in crate::agents) fn prompt(
    context: &PlanningContext,
    wish: &str,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let own = || vec![PromptSection::new("wish", clip_line(wish, 600))];
    let answer = ReplyForm::Json { name: "storyline", schema: schema_of::<StorylineReply>() };
    let file = "prompts/plot-architect/storyline.md";
    PlotQuestion { file, wish, sections: &own, answer, max_output_tokens: 1500 }.prompt(context, prompts)
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct NewLineReply {
    #[schemars(description = "英文小写的 id")]
    id: String,
    #[schemars(description = "名字")]
    name: String,
    #[serde(rename = "type")]
    #[schemars(description = "哪一种线", extend("enum" = ["main_arc", "faction_conflict", "conspiracy", "mystery", "character_arc", "parallel_timeline"]))]
    kind: String,
    #[schemars(description = "跨多远", extend("enum" = ["novel", "multi_volume", "single_volume"]))]
    scope: String,
    #[schemars(description = "讲什么")]
    description: String,
    #[schemars(description = "从谁的眼睛看，姓名", extend("x-read" = "names"))]
    pov_characters: Vec<String>,
}

/// The line of a reply; `None` when no id can be made for it.
pub(super) fn new_line(line: NewLineReply) -> Option<Storyline> {
    Some(Storyline {
        id: id_of(if line.id.is_empty() { &line.name } else { &line.id })?,
        name: line.name,
        kind: if line.kind.is_empty() { "character_arc".to_owned() } else { line.kind },
        reach: line.scope.parse().unwrap_or(Reach::MultiVolume),
        status: Status::Active,
        pov_characters: line.pov_characters,
        factions: Vec::new(),
        timeline: "present".to_owned(),
        description: line.description,
        introduced: None,
    })
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct StorylineReply {
    #[schemars(description = "新的故事线")]
    storyline: NewLineReply,
    #[schemars(description = "它和已有的线怎样相关；没有就给空列表")]
    relations: Vec<RelationReply>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct RelationReply {
    #[schemars(description = "哪一条已有的线，写 id")]
    with: String,
    #[serde(rename = "type")]
    #[schemars(description = "怎样相关：entangled、mirror……")]
    kind: String,
    #[schemars(description = "两条线里都有的人，姓名", extend("x-read" = "names"))]
    shared_characters: Vec<String>,
    #[schemars(description = "什么事会让它们碰头")]
    convergence: String,
    #[schemars(description = "碰头对故事的用处")]
    function: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorylineReading {
    /// The id may be taken; the caller sets the status.
    pub line: Storyline,
    /// Relations from the new line to existing ones.
    pub relations: Vec<Relation>,
}

/// Reads a new line. Fails when the line has no name or description, or the book has a line of that name.
pub fn read(reply: &str, known: &Storylines) -> Result<StorylineReading, ReplyFault> {
    let value = read_json(reply)?;
    let StorylineReply { mut storyline, relations } = fitted(&value);
    if !value["storyline"].is_object() {
        // Some models leave the outer object out.
        storyline = fitted(&value);
    }
    let line = new_line(storyline).filter(|line| !line.name.is_empty() && !line.description.is_empty());
    let line = line.ok_or(ReplyFault::Field { field: "storyline", wanted: FieldKind::Storyline })?;
    if known.lines.iter().any(|other| other.name == line.name) {
        return Err(ReplyFault::Field { field: "name", wanted: FieldKind::NewName });
    }
    let relations =
        relations.into_iter().filter_map(|reply| relation(reply, &line.id, known)).take(MAX_RELATIONS).collect();
    let line = Storyline {
        name: clip_line(&line.name, NAME),
        description: clip_line(&line.description, DESCRIPTION),
        pov_characters: people(&line.pov_characters),
        ..line
    };
    Ok(StorylineReading { line, relations })
}

/// A relation to an existing line, by its id or its name.
fn relation(reply: RelationReply, from: &Slug, known: &Storylines) -> Option<Relation> {
    let id = id_of(&reply.with)?;
    let to = known.lines.iter().find(|line| line.id == id || line.name == reply.with)?;
    Some(Relation {
        from: from.clone(),
        to: to.id.clone(),
        kind: if reply.kind.is_empty() { "entangled".to_owned() } else { clip_line(&reply.kind, NAME) },
        bridges: Bridges { shared_characters: people(&reply.shared_characters), ..Bridges::default() },
        convergence: clip_line(&reply.convergence, DESCRIPTION),
        function: clip_line(&reply.function, DESCRIPTION),
    })
}

fn people(names: &[String]) -> Vec<String> {
    let names = names.iter().map(|name| clip_line(name, NAME)).filter(|name| !name.is_empty());
    names.take(MAX_PEOPLE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Storylines {
        let line = |id: &str, name: &str| Storyline {
            id: Slug::new(id).unwrap(),
            name: name.into(),
            kind: "main_arc".into(),
            reach: Reach::Novel,
            status: Status::Active,
            pov_characters: vec![],
            factions: vec![],
            timeline: "present".into(),
            description: String::new(),
            introduced: None,
        };
        Storylines { lines: vec![line("main-arc", "赎灯"), line("chen-chuan", "沉船")], relations: vec![] }
    }

    #[test]
    fn a_line_needs_a_name_of_its_own_and_a_description_and_touches_only_lines_that_there_are() {
        let reply = r#"{"storyline": {"id": "Night Ferry!", "name": "夜渡", "type": "", "scope": "整本", "description": "船上\n少了一个人", "pov_characters": ["阿七", ""]},
            "relations": [{"with": "沉船", "shared_characters": ["阿七"]}, {"with": "nowhere"}, {"type": "mirror"}, 3]}"#;
        let reading = read(reply, &known()).unwrap();
        let line = &reading.line;
        assert_eq!(
            (line.id.as_str(), line.kind.as_str(), line.reach),
            ("night-ferry", "character_arc", Reach::MultiVolume)
        );
        assert_eq!(
            (line.description.as_str(), &line.pov_characters[..]),
            ("船上；少了一个人", &["阿七".to_owned()][..])
        );
        let [relation] = &reading.relations[..] else { panic!("{reading:?}") };
        assert_eq!(
            (relation.from.as_str(), relation.to.as_str(), relation.kind.as_str()),
            ("night-ferry", "chen-chuan", "entangled")
        );
        for unusable in [
            r#"{"storyline": {"name": "夜渡"}, "relations": []}"#,
            r#"{"storyline": {"description": "有名无实"}}"#,
            r#"{"storyline": {"name": "沉船", "description": "重名"}}"#,
            r#"{"relations": []}"#,
            "好的",
        ] {
            assert!(read(unusable, &known()).is_err(), "{unusable}");
        }
        let bare = r#"{"name": "夜渡", "description": "少了一个人"}"#;
        assert_eq!(read(bare, &known()).unwrap().line.id.as_str(), "ye-du");
    }
}
