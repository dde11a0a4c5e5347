use crate::agents::call::reply::{plain, schema_of};
use crate::agents::prelude::*;

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
