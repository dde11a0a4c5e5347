//! The world builder: rules that can be checked, world pages, and a storyline.

use crate::agents::call::prompt::{PromptOrder, compose};
use crate::agents::context::PromptSection;
use crate::agents::planners::context::{self, PlanningContext};
use crate::agents::prelude::*;
use crate::domain::world::contract::{Rule, Strength};

/// The most rules of a new world (product document §6).
pub const FIRST_RULES: usize = 3;
const MAX_PAGES: usize = 6;

pub(crate) fn prompt(context: &PlanningContext, request: &str, prompts: &Prompts) -> Result<Prompt, PromptError> {
    let order = PromptOrder {
        agent: Agent::WorldBuilder,
        system: "prompts/world-builder/system.md",
        user: &["prompts/world-builder/task.md"],
        context: None,
        sections: &|_| {
            let shared = context::sections(context, request).into_iter().filter(|section| section.name != "storylines");
            let request = if request.trim().is_empty() { FIRST } else { request };
            shared.chain([context::genre(context), PromptSection::new("request", request)]).collect()
        },
        answer: ReplyForm::Json { name: "world", schema: schema_of::<WorldReply>() },
        max_output_tokens: 5000,
    };
    compose(order, prompts)
}

const FIRST: &str = "首次搭建：写不超过三条硬规则，一到三篇文档，以及一条主线。只写这个故事马上用得着的。";

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct WorldReply {
    #[schemars(description = "新增的规则")]
    rules: Vec<RuleReply>,
    #[schemars(description = "新增或改写的文档")]
    documents: Vec<PageReply>,
    #[schemars(description = "这个世界最自然的主线；不要时两个字段都给空字符串")]
    storyline: LineReply,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct RuleReply {
    #[schemars(description = "哪一类：契约、修行、地理……")]
    category: String,
    #[schemars(description = "一句能对着正文核对的规矩，写明代价或限度")]
    rule: String,
    #[schemars(description = "硬或软", extend("enum" = ["hard", "soft"]))]
    constraint_type: String,
    #[schemars(description = "例外")]
    exceptions: Vec<String>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct PageReply {
    #[schemars(description = "英文小写的名字，如 history")]
    name: String,
    #[schemars(description = "三百到八百字的散文")]
    text: String,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct LineReply {
    #[schemars(description = "主线的名字")]
    name: String,
    #[schemars(description = "主线讲什么，一两句")]
    description: String,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct WorldReading {
    /// New rules, without ids.
    pub rules: Vec<Rule>,
    /// Pages by name: lower-case ASCII, for a file name.
    pub pages: Vec<(String, String)>,
    /// Name and description of the suggested line.
    pub storyline: Option<(String, String)>,
}

/// Fails when neither a rule nor a page is in the reply.
pub fn read(reply: &str) -> Result<WorldReading, ReplyFault> {
    let reply: WorldReply = read_as(reply)?;
    let rules: Vec<Rule> = reply.rules.into_iter().filter(|rule| !rule.rule.is_empty()).map(rule).collect();
    let pages: Vec<_> = reply
        .documents
        .into_iter()
        .filter_map(|page| Some((page_name(&page.name)?, page.text)))
        .filter(|(_, text)| !text.is_empty())
        .take(MAX_PAGES)
        .collect();
    let LineReply { name, description } = reply.storyline;
    let storyline = (!name.is_empty() && !description.is_empty()).then_some((name, description));
    if rules.is_empty() && pages.is_empty() {
        return Err(ReplyFault::Field { field: "rules", wanted: FieldKind::Rules });
    }
    Ok(WorldReading { rules, pages, storyline })
}

fn rule(reply: RuleReply) -> Rule {
    Rule {
        id: String::new(),
        category: reply.category,
        rule: reply.rule,
        strength: reply.constraint_type.parse().unwrap_or(Strength::Hard),
        exceptions: reply.exceptions,
        introduced_chapter: 0,
        last_verified: None,
    }
}

/// The stem of a file name, which cannot lead to another folder.
fn page_name(name: &str) -> Option<String> {
    let name = name.trim().trim_end_matches(".md").to_ascii_lowercase();
    crate::domain::Slug::new(&name).ok().or_else(|| crate::text::slug_of(&name)).map(|slug| slug.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_needs_a_rule_or_a_page_and_names_become_files() {
        let reply = r#"{"rules": [{"category": "契约", "rule": "过了子时不能再赎", "constraint_type": "hard", "exceptions": []},
            {"rule": ""}, {"rule": "灯不灭", "constraint_type": "看情况"}],
            "documents": [{"name": "../History.md", "text": "从前"}, {"name": "势力", "text": "两家"}, {"name": "x", "text": ""}],
            "storyline": {"name": "赎灯", "description": "一盏灯"}}"#;
        let reading = read(reply).unwrap();
        assert_eq!(reading.rules.len(), 2);
        assert_eq!(reading.rules[1].strength, Strength::Hard, "a rule is hard unless it says otherwise");
        let names: Vec<&str> = reading.pages.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["history", "shi-li"]);
        assert_eq!(reading.storyline, Some(("赎灯".to_owned(), "一盏灯".to_owned())));
        assert!(read(r#"{"rules": [], "documents": []}"#).is_err());
    }
}
