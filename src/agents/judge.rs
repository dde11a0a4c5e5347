//! The judge: holds a chapter against its rules and scores it. The overall score is computed by the domain.

use super::context::{self, Section, hits};
use super::material::Material;
use super::prompt::{Answer, Order, Prompt, compose};
use super::prompts::{PromptError, Prompts};
use super::reply::{ReplyFault, items, lenient, read_json, schema_of, text_list};
use super::rulebook::{Given, LEAK_RULE, rules_for, rules_with};
use crate::domain::chapter::Chapter;
use crate::domain::config::Agent;
use crate::domain::contract::{Layer, Strength};
use crate::domain::evaluation::{Check, Confidence, Dimension, Evaluation, Finding, Fix, Score};
use crate::domain::summary::{CrossReference, LeakRisk};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// What is judged, and what is already known of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exhibits<'a> {
    pub(super) text: &'a Chapter,
    pub(super) cross_references: &'a [CrossReference],
    pub(super) measured: &'a [String],
}

pub(super) fn prompt(
    material: &Material,
    exhibits: &Exhibits,
    second: bool,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let text = exhibits.text;
    let order = Order {
        agent: Agent::Judge,
        system: "prompts/judge/system.md",
        user: &["prompts/judge/task.md"],
        material: Some(material),
        sections: &|extent| {
            let people = context::cast::cast(material, &text.body).within(extent);
            let world_rules = context::world_rules(material, extent);
            let characters = context::characters(material, &people, extent);
            let storyline_rules = context::storyline_rules(material);
            let objectives = context::objectives(material);
            // Only what is shown can be answered for; the limits may have left a rule out.
            let shown = [&world_rules, &characters, &storyline_rules, &objectives];
            let shown: BTreeSet<&str> = shown.into_iter().flat_map(|text| text.lines().filter_map(id_of)).collect();
            let rules = rules_with(material, &people);
            let rules = rules.iter().map(|rule| rule.id.as_str()).filter(|id| shown.contains(id));
            let rule_ids = rules.collect::<Vec<_>>().join("、");
            let lines = [
                format!("活跃线：{}", context::active_line(material)),
                labelled("相邻线：", context::adjacent_lines(material)),
                labelled("冻结线：\n", context::frozen_lines(material)),
            ];
            vec![
                Section::new("genre", context::genre(&material.config)),
                Section::new("world_rules", world_rules),
                Section::new("storyline_rules", storyline_rules),
                Section::new("style", context::style(material, extent)),
                Section::new("characters", characters),
                Section::new("lines", lines.concat()),
                Section::new(
                    "overview",
                    context::overview(material, &context::Extent { radius: Some(3), ..extent.clone() }),
                ),
                Section::new("recent", context::recent(material, 1)),
                Section::new("objectives", objectives),
                Section::new("contract", context::contract(material, extent)),
                Section::new("section", context::section(material)),
                Section::new(
                    "cross_references",
                    context::bullets(exhibits.cross_references.iter().take(20).map(cross_line)),
                ),
                Section::new("phrases", hits(&material.phrases, &text.body)),
                Section::new("measured", context::bullets(exhibits.measured.iter().cloned())),
                Section::new("reading", if second { "复审（独立于初审，不知道初审的结论）" } else { "初审" }),
                Section::new("chapter", material.chapter.get().to_string()),
                Section::new("title", text.title.as_str()),
                Section::new("rule_ids", rule_ids),
                Section::new("text", text.to_markdown()),
            ]
        },
        answer: Answer::Json { name: "evaluation", schema: schema_of::<EvaluationReply>() },
        max_output_tokens: 4000,
    };
    compose(order, prompts)
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

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the reply; `read` takes its parts one by one to keep what is usable")]
struct EvaluationReply {
    #[schemars(description = "清单上的编号逐条回答")]
    checks: Vec<CheckReply>,
    #[schemars(description = "八个方面的分数，一个不少")]
    scores: ScoresReply,
    #[schemars(description = "风险标记，形如 种类:对象id")]
    risk_flags: Vec<String>,
    #[schemars(description = "修订要求；全章合格则为空列表")]
    required_fixes: Vec<FixReply>,
    #[schemars(description = "具体的毛病")]
    issues: Vec<String>,
    #[schemars(description = "值得保留的长处")]
    strengths: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
struct CheckReply {
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "规则编号，与清单一字不差")]
    rule: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "守住、写破、没有涉及", extend("enum" = ["pass", "violation", "not_applicable"]))]
    finding: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "把握", extend("enum" = ["high", "medium", "low"]))]
    confidence: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "违规时：错在哪里，或缺了什么")]
    detail: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "逐字摘录的原文；缺失类的违规为空字符串")]
    evidence: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the scores, which are looked up by name")]
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

#[derive(Deserialize, JsonSchema)]
struct ScoreReply {
    #[serde(deserialize_with = "number")]
    #[schemars(description = "1 到 5，可带一位小数")]
    score: f64,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "理由")]
    reason: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "逐字摘录的原文")]
    evidence: String,
}

#[derive(Deserialize, JsonSchema)]
struct FixReply {
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "摘一小段原文指明位置")]
    target: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "怎么改")]
    instruction: String,
}

/// A score as a number, as digits, or as `4.5/5`. What is none of these becomes a number that no check lets through.
fn number<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let text = lenient(deserializer)?;
    let digits = text.split(['/', '分']).next().unwrap_or_default().trim();
    Ok(digits.parse().unwrap_or(f64::NAN))
}

/// A report that answers for so many hard rules has not been filled in carelessly.
const ENOUGH: usize = 10;

/// What the judge delivered.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The report, complete as to scores.
    pub evaluation: Evaluation,
    /// What had to be corrected in it.
    pub remarks: Vec<Remark>,
    /// The hard rules that it says nothing of.
    pub unchecked: Vec<String>,
    /// How many hard rules there are.
    pub hard: usize,
}

impl Judged {
    /// Whether it says nothing of more than half of the hard rules, and not even of [`ENOUGH`]: of a long book's many rules
    /// a prompt shows a part.
    #[must_use]
    pub fn leaves_most_out(&self) -> bool {
        self.unchecked.len() * 2 > self.hard && self.hard - self.unchecked.len() < ENOUGH
    }
}

/// Something odd about a report that can be used all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Remark {
    /// A check of a rule that was not on the list; it was dropped.
    #[error("the judge answered for `{0}`, which was not asked")]
    UnknownRule(String),
    /// A check whose finding is none of the three words; it was dropped.
    #[error("the judge's finding for `{0}` is none of pass, violation, not_applicable")]
    UnknownFinding(String),
}

/// What a reply is read against.
#[derive(Clone, Copy)]
pub struct Hearing<'a> {
    /// The chapter's material, for its rules and whether storylines meet in it.
    pub material: &'a Material,
    /// The text that was judged.
    pub text: &'a Chapter,
    /// The mentions that the summarizer noticed.
    pub cross_references: &'a [CrossReference],
    /// Whether a quotation stands in the text.
    pub found: &'a dyn Fn(&str) -> bool,
}

/// Reads a report. Layer and strength of a check come from the rule, never from the reply; a quotation counts only if
/// it is found; the leak rule is added by us where it applies.
///
/// # Errors
/// [`ReplyFault`] when there is no object, or when a score is missing or out of range.
pub fn read(reply: &str, hearing: &Hearing) -> Result<Judged, ReplyFault> {
    let value = read_json(reply)?;
    let found = |quote: &str| !quote.trim().is_empty() && (hearing.found)(quote);
    let rules = rules_for(hearing.material, &hearing.text.body);
    let mut remarks = Vec::new();
    let mut checks = checks(&value, &rules, &found, &mut remarks);
    if let Some(leak) = leak(hearing) {
        checks.retain(|check| check.rule != leak.rule);
        checks.push(leak);
    }
    let hard = || rules.iter().filter(|rule| rule.strength == Strength::Hard && rule.id != LEAK_RULE);
    let unchecked = hard().filter(|rule| checks.iter().all(|check| check.rule != rule.id));
    let (unchecked, hard) = (unchecked.map(|rule| rule.id.clone()).collect(), hard().count());
    let scores = value.get("scores").filter(|scores| scores.is_object());
    let scores = scores.ok_or(ReplyFault::Field { field: "scores", wanted: "an object" })?;
    let scores = Dimension::ALL.iter().filter_map(|&dimension| {
        let ScoreReply { score, reason, evidence } = ScoreReply::deserialize(scores.get(dimension.as_str())?).ok()?;
        let evidence_found = found(&evidence);
        Some(Score { dimension, score, reason, evidence, evidence_found })
    });
    // `<…>` is the form's word for what belongs there.
    let is_said = |fix: &FixReply| !fix.instruction.is_empty() && !fix.instruction.starts_with('<');
    let fixes = items::<FixReply>(&value, "required_fixes").into_iter().filter(is_said);
    let evaluation = Evaluation {
        chapter: hearing.text.number,
        checks,
        scores: scores.collect(),
        risk_flags: text_list(&value, "risk_flags"),
        required_fixes: fixes.map(|fix| Fix { target: fix.target, instruction: fix.instruction }).collect(),
        issues: text_list(&value, "issues"),
        strengths: text_list(&value, "strengths"),
    };
    let evaluation = evaluation.checked()?;
    if evaluation.scores.iter().all(|score| !has_words(&score.reason)) {
        return Err(ReplyFault::Field { field: "reason", wanted: "a reason in words for the scores" });
    }
    Ok(Judged { evaluation, remarks, unchecked, hard })
}

/// Whether there is anything in a text but dots and dashes.
fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// The checks of rules that were asked for, in the order of the rules, one a rule: a violation outweighs other findings.
fn checks(value: &Value, rules: &[Given], found: &dyn Fn(&str) -> bool, remarks: &mut Vec<Remark>) -> Vec<Check> {
    let mut checks = Vec::<(usize, Check)>::new();
    for reply in items::<CheckReply>(value, "checks") {
        let Some(at) = rules.iter().position(|rule| rule.id.eq_ignore_ascii_case(&reply.rule)) else {
            remarks.push(Remark::UnknownRule(reply.rule));
            continue;
        };
        let Ok(finding) = reply.finding.to_ascii_lowercase().parse::<Finding>() else {
            remarks.push(Remark::UnknownFinding(reply.rule));
            continue;
        };
        let check = Check {
            rule: rules[at].id.clone(),
            layer: rules[at].layer,
            strength: rules[at].strength,
            finding,
            // A judge that does not say how sure it is cannot force a revision.
            confidence: reply.confidence.to_ascii_lowercase().parse().unwrap_or(Confidence::Low),
            detail: reply.detail,
            evidence_found: found(&reply.evidence),
            evidence: reply.evidence,
        };
        match checks.iter_mut().find(|(rule, _)| *rule == at) {
            Some((_, known)) if known.finding != Finding::Violation && finding == Finding::Violation => *known = check,
            Some(_) => {}
            None => checks.push((at, check)),
        }
    }
    checks.sort_by_key(|(at, _)| *at);
    checks.into_iter().map(|(_, check)| check).collect()
}

/// A mention of high risk that really stands in a chapter in which no storylines meet (product document §6.6.7), and that
/// belongs to another line of the book: of its own a chapter may tell everything.
fn leak(hearing: &Hearing) -> Option<Check> {
    if hearing.material.convergence().is_some() {
        return None;
    }
    let body = &hearing.text.body;
    let own = hearing.material.storyline();
    let others = || hearing.material.storylines.lines.iter().filter(|line| line.id != *own);
    let is_elsewhere = |named: &str| others().any(|line| line.id.as_str() == named || line.name == named);
    let mut leaks = hearing.cross_references.iter().filter(|cross| is_elsewhere(cross.storyline.trim()));
    let leak = leaks.find(|cross| cross.risk == LeakRisk::High && body.contains(cross.entity.trim()))?;
    let quoted = !leak.evidence.trim().is_empty() && (hearing.found)(&leak.evidence);
    let evidence = if quoted { leak.evidence.clone() } else { sentence_with(body, leak.entity.trim()) };
    Some(Check {
        rule: LEAK_RULE.into(),
        layer: Layer::Storyline,
        strength: Strength::Hard,
        finding: Finding::Violation,
        confidence: Confidence::High,
        detail: format!("“{}”属于故事线 {}，本章不是交汇章，不该出现", leak.entity, leak.storyline),
        evidence,
        evidence_found: true,
    })
}

/// The sentence of the text in which the name stands first.
fn sentence_with(body: &str, name: &str) -> String {
    let sentences = body.split_inclusive(['。', '！', '？', '\n']);
    sentences.map(str::trim).find(|sentence| sentence.contains(name)).unwrap_or(name).to_owned()
}
