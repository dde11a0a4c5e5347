//! The judge holds a chapter against its rules and scores it. The overall score is computed by the domain.

mod read;

pub use read::{JudgeContext, JudgeRemark, Judged, read, with_answers, with_quotations};

use crate::agents::call::prompt::{PromptOrder, compose};
use crate::agents::call::reply::plain;
use crate::agents::call::task::Opinion;
use crate::agents::context::rules::rules_with;
use crate::agents::context::{self, PartLimits, PromptSection, over_cap};
use crate::agents::prelude::*;
use crate::domain::chapter::summary::CrossReference;
use std::cell::RefCell;

/// A text with the known facts about it.
#[derive(Debug, Clone, Copy)]
pub(super) struct JudgeInput<'a> {
    pub(super) text: &'a Chapter,
    pub(super) cross_references: &'a [CrossReference],
    pub(super) measured: &'a [String],
}

/// The most facts of the state for the judge; the writer sees more.
const MAX_FACTS: usize = 60;
/// The most open foreshadowings without a task in the chapter.
const MAX_OPEN: usize = 8;
const MAX_BRIEF: usize = 1000;

pub(super) fn prompt(
    context: &ChapterContext,
    exhibits: &JudgeInput,
    opinion: Opinion,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    // The last version built, the smallest, is the one sent.
    let asked = RefCell::new(Vec::new());
    let order = PromptOrder {
        agent: Agent::Judge,
        system: "prompts/judge/system.md",
        user: &["prompts/judge/task.md"],
        context: Some(context),
        sections: &|extent| {
            let (mut sections, shown) = sections(context, exhibits, opinion, extent);
            let scale = if extent.whole_scale { "prompts/judge/scale.md" } else { "prompts/judge/short-scale.md" };
            sections.push(PromptSection::new("scale", prompts.text(scale).1.trim_end()));
            asked.replace(shown);
            sections
        },
        answer: ReplyForm::Json { name: "evaluation", schema: schema_of::<EvaluationReply>() },
        max_output_tokens: 4000,
    };
    let mut prompt = compose(order, prompts)?;
    prompt.asked = asked.into_inner();
    Ok(prompt)
}

fn reading_of(opinion: Opinion) -> &'static str {
    match opinion {
        Opinion::First => "初审",
        Opinion::Second => "复审（独立于初审，不知道初审的结论）",
    }
}

/// The values of the placeholders, and the ids of the rules to answer for.
fn sections(
    context: &ChapterContext,
    exhibits: &JudgeInput,
    opinion: Opinion,
    extent: &PartLimits,
) -> (Vec<PromptSection>, Vec<String>) {
    let text = exhibits.text;
    let extent = &PartLimits {
        facts: extent.facts.min(MAX_FACTS),
        open: extent.open.min(MAX_OPEN),
        brief: extent.brief.min(MAX_BRIEF),
        radius: extent.radius.map_or(Some(3), |radius| Some(radius.min(3))),
        ..extent.clone()
    };
    let people = context::cast::cast(context, &text.body).within(extent);
    let world_rules = context::world_rules(context, extent);
    let characters = context::characters(context, &people, extent);
    let storyline_rules = context::storyline_rules(context);
    let objectives = context::objectives_section(context);
    // Only shown rules can be answered for; the limits may have left one out. A waived rule is shown with the reason
    // and not asked about.
    let shown = [&world_rules, &characters, &storyline_rules, &objectives];
    let shown: BTreeSet<&str> = shown.into_iter().flat_map(|text| text.lines().filter_map(id_of)).collect();
    let rules = rules_with(context, &people).into_iter().map(|rule| rule.id);
    let is_waived = |id: &str| context.waivers.of_rule(context.chapter, id).is_some();
    let asked: Vec<String> = rules.filter(|id| shown.contains(id.as_str()) && !is_waived(id)).collect();
    let mut lines = format!("活跃线：{}", context::active_line(context));
    if extent.recent > 0 {
        lines += &labelled("相邻线：", context::adjacent_lines(context));
        lines += &labelled("冻结线：\n", context::frozen_lines(context));
    }
    let last_summary = if extent.recent > 0 { context::last_summary(context) } else { String::new() };
    let sections = vec![
        PromptSection::new("genre", context::genre(&context.config)),
        PromptSection::new("world_rules", world_rules),
        PromptSection::new("storyline_rules", storyline_rules),
        PromptSection::new("style", context::style(context, extent)),
        PromptSection::new("brief", context::brief(context, extent)),
        PromptSection::new("characters", characters),
        PromptSection::new("lines", lines),
        PromptSection::new("overview", context::overview(context, extent)),
        PromptSection::new("recent", last_summary),
        PromptSection::new("previous_ending", context::previous_ending(context, extent)),
        PromptSection::new("state", context::state(context, &people, &text.body, extent)),
        PromptSection::new("ledger", context::ledger(context, extent)),
        PromptSection::new("objectives", objectives),
        PromptSection::new("contract", context::contract(context, extent)),
        PromptSection::new("section", context::section(context)),
        PromptSection::new(
            "cross_references",
            context::bullets(exhibits.cross_references.iter().take(20).map(cross_line)),
        ),
        PromptSection::new("phrases", over_cap(context, &text.body)),
        PromptSection::new("measured", context::bullets(exhibits.measured.iter().cloned())),
        PromptSection::new("reading", reading_of(opinion)),
        PromptSection::new("chapter", context.chapter.get().to_string()),
        PromptSection::new("title", text.title.as_str()),
        PromptSection::new("rule_ids", asked.join("、")),
        PromptSection::new("text", text.to_markdown()),
    ];
    (sections, asked)
}

/// The id in a rule's line: `- W-001【硬】…`.
fn id_of(line: &str) -> Option<&str> {
    line.strip_prefix("- ")?.split_once('【').map(|(id, _)| id)
}

fn labelled(label: &str, text: String) -> String {
    if text.is_empty() { text } else { format!("{label}{text}") }
}

fn cross_line(cross: &CrossReference) -> String {
    format!("{}（{}，风险 {}）：{}", cross.entity, cross.storyline, cross.risk, cross.evidence)
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct EvaluationReply {
    #[serde(flatten)]
    pub(super) answers: ChecksReply,
    #[schemars(description = "八个方面的分数，一个不少", with = "ScoresReply", extend("x-read" = "raw"))]
    pub(super) scores: Value,
    #[schemars(description = "风险标记，形如 种类:对象id")]
    pub(super) risk_flags: Vec<String>,
    #[schemars(description = "修订要求；全章合格则为空列表")]
    pub(super) required_fixes: Vec<FixReply>,
    #[schemars(description = "具体的毛病")]
    pub(super) issues: Vec<String>,
    #[schemars(description = "值得保留的长处")]
    pub(super) strengths: Vec<String>,
}

// The answers of a report, also alone for rules that a report has left out. Some models put each id into an object.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct ChecksReply {
    #[schemars(description = "写破了的规则，以及需要说明的；守住了的放进 passed 即可")]
    pub(super) checks: Vec<CheckReply>,
    #[schemars(description = "守住了的规则，只列编号", with = "Vec<String>", extend("x-read" = "raw"))]
    pub(super) passed: Value,
    #[schemars(description = "本章没有涉及的规则，只列编号", with = "Vec<String>", extend("x-read" = "raw"))]
    pub(super) not_applicable: Value,
}

// The answer for violations whose words are not in the text.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct QuotationsReply {
    #[schemars(description = "问到的编号，一条一项")]
    pub(super) quotations: Vec<QuotationReply>,
}

// Models write the fields in this order: observation, meaning, verdict.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct CheckReply {
    #[schemars(description = "规则编号，与清单一字不差")]
    pub(super) rule: String,
    #[schemars(description = "逐字摘录的原文；缺失类的违规为空字符串")]
    pub(super) evidence: String,
    #[schemars(description = "违规时：错在哪里，或缺了什么")]
    pub(super) detail: String,
    #[schemars(description = "守住、写破、没有涉及", extend("enum" = ["pass", "violation", "not_applicable"]))]
    pub(super) finding: String,
    #[schemars(description = "把握", extend("enum" = ["high", "medium", "low"]))]
    pub(super) confidence: String,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct QuotationReply {
    #[schemars(description = "规则编号，与问到的一字不差")]
    pub(super) rule: String,
    #[schemars(description = "逐字摘录的原文；摘不出来为空字符串")]
    pub(super) evidence: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema of the scores, which are looked up by name")]
struct ScoresReply {
    #[schemars(description = "情节")]
    plot_logic: ScoreReply,
    #[schemars(description = "人物")]
    character: ScoreReply,
    #[schemars(description = "代入")]
    immersion: ScoreReply,
    #[schemars(description = "伏笔")]
    foreshadowing: ScoreReply,
    #[schemars(description = "节奏")]
    pacing: ScoreReply,
    #[schemars(description = "文笔")]
    style_naturalness: ScoreReply,
    #[schemars(description = "情感")]
    emotional_impact: ScoreReply,
    #[schemars(description = "故事线")]
    storyline_coherence: ScoreReply,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct ScoreReply {
    #[schemars(description = "逐字摘录的原文")]
    pub(super) evidence: String,
    #[schemars(description = "理由")]
    pub(super) reason: String,
    #[serde(deserialize_with = "number")]
    #[schemars(description = "1 到 5，可带一位小数", with = "f64")]
    pub(super) score: Option<f64>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct FixReply {
    #[schemars(description = "摘一小段原文指明位置")]
    pub(super) target: String,
    #[schemars(description = "怎么改")]
    pub(super) instruction: String,
}

/// The schema of an answer for rules missing from a report.
pub(in crate::agents) fn checks_schema(rules: &[String]) -> Value {
    only(schema_of::<ChecksReply>(), rules)
}

/// The schema of an answer with quotations for these rules.
pub(in crate::agents) fn quotations_schema(rules: &[String]) -> Value {
    only(schema_of::<QuotationsReply>(), rules)
}

/// Restricts a rule's id to these. The schema of a report names none: providers put a schema before the prompt, so that one
/// with the ids of a chapter would be a cache miss for each.
fn only(mut schema: Value, rules: &[String]) -> Value {
    let places = [
        "/$defs/CheckReply/properties/rule",
        "/$defs/QuotationReply/properties/rule",
        "/properties/passed/items",
        "/properties/not_applicable/items",
    ];
    for place in places {
        if let Some(Value::Object(id)) = schema.pointer_mut(place) {
            id.insert("enum".into(), json!(rules));
        }
    }
    schema
}

/// A score as a number, as digits, or as `4.5/5`. Anything else becomes a number that no check accepts.
fn number<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let text = plain(&Value::deserialize(deserializer)?);
    let digits = text.split(['/', '分']).next().unwrap_or_default().trim();
    Ok(Some(digits.parse().unwrap_or(f64::NAN)))
}
