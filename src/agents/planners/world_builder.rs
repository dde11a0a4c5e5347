//! The world builder: rules that can be checked, world pages, and a storyline.

use super::context::{self, PlanningContext};
use crate::agents::call::prompt::{Answer, Order, Prompt, compose};
use crate::agents::call::prompt_files::{PromptError, Prompts};
use crate::agents::call::reply::{
    FieldKind, ReplyFault, items, lenient, list, read_json, schema_of, text_field, text_list,
};
use crate::agents::context::Section;
use crate::domain::book::config::Agent;
use crate::domain::world::contract::{Rule, Strength};
use schemars::JsonSchema;
use serde_json::Value;

/// The most rules of a new world (product document §6).
pub const FIRST_RULES: usize = 3;
/// The most pages in one answer.
const MAX_PAGES: usize = 6;

pub(crate) fn prompt(context: &PlanningContext, request: &str, prompts: &Prompts) -> Result<Prompt, PromptError> {
    let order = Order {
        agent: Agent::WorldBuilder,
        system: "prompts/world-builder/system.md",
        user: &["prompts/world-builder/task.md"],
        context: None,
        sections: &|_| {
            let shared = context::sections(context, request).into_iter().filter(|section| section.name != "storylines");
            let request = if request.trim().is_empty() { FIRST } else { request };
            shared.chain([context::genre(context), Section::new("request", request)]).collect()
        },
        answer: Answer::Json { name: "world", schema: schema_of::<WorldReply>() },
        max_output_tokens: 5000,
    };
    compose(order, prompts)
}

const FIRST: &str = "首次搭建：写不超过三条硬规则，一到三篇文档，以及一条主线。只写这个故事马上用得着的。";

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the reply; `read` takes its parts one by one to keep what is usable")]
struct WorldReply {
    #[schemars(description = "新增的规则")]
    rules: Vec<RuleReply>,
    #[schemars(description = "新增或改写的文档")]
    documents: Vec<PageReply>,
    #[schemars(description = "这个世界最自然的主线；不要时两个字段都给空字符串")]
    storyline: LineReply,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes a rule")]
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

#[derive(JsonSchema, serde::Deserialize)]
struct PageReply {
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "英文小写的名字，如 history")]
    name: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "三百到八百字的散文")]
    text: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes a storyline")]
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
    let value = read_json(reply)?;
    let rules = list(&value, "rules").iter().filter_map(rule).collect::<Vec<_>>();
    let pages = items::<PageReply>(&value, "documents").into_iter();
    let pages: Vec<_> = pages
        .filter_map(|page| Some((page_name(&page.name)?, page.text)))
        .filter(|(_, text)| !text.is_empty())
        .take(MAX_PAGES)
        .collect();
    let line = value.get("storyline");
    let storyline = line.and_then(|line| Some((text_field(line, "name")?, text_field(line, "description")?)));
    if rules.is_empty() && pages.is_empty() {
        return Err(ReplyFault::Field { field: "rules", wanted: FieldKind::Rules });
    }
    Ok(WorldReading { rules, pages, storyline })
}

fn rule(value: &Value) -> Option<Rule> {
    let strength = text_field(value, "constraint_type").and_then(|word| word.parse().ok());
    Some(Rule {
        id: String::new(),
        category: text_field(value, "category").unwrap_or_default(),
        rule: text_field(value, "rule")?,
        strength: strength.unwrap_or(Strength::Hard),
        exceptions: text_list(value, "exceptions"),
        introduced_chapter: 0,
        last_verified: None,
    })
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
