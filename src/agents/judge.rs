//! The judge: holds a chapter against its rules and scores it. The overall score is computed by the domain.

use super::call::prompt::{Answer, Order, Prompt, compose};
use super::call::prompt_files::{PromptError, Prompts};
use super::call::reply::{ReplyFault, items, lenient, list, name_list, read_json, schema_of, text_list};
use super::context::chapter::ChapterContext;
use super::context::rules_to_check::{Given, LEAK_RULE, rules_for, rules_with};
use super::context::{self, Extent, Section, hits};
use crate::domain::book::config::Agent;
use crate::domain::chapter::Chapter;
use crate::domain::chapter::evaluation::{Check, Confidence, Dimension, Evaluation, Finding, Fix, Score};
use crate::domain::chapter::summary::{CrossReference, LeakRisk};
use crate::domain::world::contract::{Layer, Strength};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// What is judged, and what is already known of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct JudgeInput<'a> {
    pub(super) text: &'a Chapter,
    pub(super) cross_references: &'a [CrossReference],
    pub(super) measured: &'a [String],
}

/// The most facts of the state that the judge is shown; the writer sees more.
const MAX_FACTS: usize = 60;
/// The most open foreshadowings without a task in the chapter.
const MAX_OPEN: usize = 8;
/// The most characters of the brief.
const MAX_BRIEF: usize = 1000;

pub(super) fn prompt(
    context: &ChapterContext,
    exhibits: &JudgeInput,
    second: bool,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    // The last version that is built, the smallest, is the one that is sent.
    let asked = RefCell::new(Vec::new());
    let order = Order {
        agent: Agent::Judge,
        system: "prompts/judge/system.md",
        user: &["prompts/judge/task.md"],
        context: Some(context),
        sections: &|extent| {
            let (sections, shown) = sections(context, exhibits, second, extent);
            asked.replace(shown);
            sections
        },
        answer: Answer::Json { name: "evaluation", schema: Value::Null },
        max_output_tokens: 4000,
    };
    let mut prompt = compose(order, prompts)?;
    prompt.asked = asked.into_inner();
    prompt.answer = Answer::Json { name: "evaluation", schema: report_schema(&prompt.asked) };
    Ok(prompt)
}

/// The values of the placeholders, and the ids of the rules among them that have to be answered for.
fn sections(
    context: &ChapterContext,
    exhibits: &JudgeInput,
    second: bool,
    extent: &Extent,
) -> (Vec<Section>, Vec<String>) {
    let text = exhibits.text;
    let extent = &Extent {
        facts: extent.facts.min(MAX_FACTS),
        open: extent.open.min(MAX_OPEN),
        brief: extent.brief.min(MAX_BRIEF),
        radius: Some(3),
        ..extent.clone()
    };
    let people = context::cast::cast(context, &text.body).within(extent);
    let world_rules = context::world_rules(context, extent);
    let characters = context::characters(context, &people, extent);
    let storyline_rules = context::storyline_rules(context);
    let objectives = context::objectives(context);
    // Only what is shown can be answered for; the limits may have left a rule out.
    let shown = [&world_rules, &characters, &storyline_rules, &objectives];
    let shown: BTreeSet<&str> = shown.into_iter().flat_map(|text| text.lines().filter_map(id_of)).collect();
    let rules = rules_with(context, &people).into_iter().map(|rule| rule.id);
    let asked: Vec<String> = rules.filter(|id| shown.contains(id.as_str())).collect();
    let lines = [
        format!("活跃线：{}", context::active_line(context)),
        labelled("相邻线：", context::adjacent_lines(context)),
        labelled("冻结线：\n", context::frozen_lines(context)),
    ];
    let sections = vec![
        Section::new("genre", context::genre(&context.config)),
        Section::new("world_rules", world_rules),
        Section::new("storyline_rules", storyline_rules),
        Section::new("style", context::style(context, extent)),
        Section::new("brief", context::brief(context, extent)),
        Section::new("characters", characters),
        Section::new("lines", lines.concat()),
        Section::new("overview", context::overview(context, extent)),
        Section::new("recent", context::recent(context, 1)),
        Section::new("previous_ending", context::previous_ending(context)),
        Section::new("state", context::state(context, &people, &text.body, extent)),
        Section::new("ledger", context::ledger(context, extent)),
        Section::new("objectives", objectives),
        Section::new("contract", context::contract(context, extent)),
        Section::new("section", context::section(context)),
        Section::new("cross_references", context::bullets(exhibits.cross_references.iter().take(20).map(cross_line))),
        Section::new("phrases", hits(&context.phrases, &text.body)),
        Section::new("measured", context::bullets(exhibits.measured.iter().cloned())),
        Section::new("reading", if second { "复审（独立于初审，不知道初审的结论）" } else { "初审" }),
        Section::new("chapter", context.chapter.get().to_string()),
        Section::new("title", text.title.as_str()),
        Section::new("rule_ids", asked.join("、")),
        Section::new("text", text.to_markdown()),
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

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the reply; `read` takes its parts one by one to keep what is usable")]
struct EvaluationReply {
    #[schemars(description = "写破了的规则，以及需要说明的；守住了的放进 passed 即可")]
    checks: Vec<CheckReply>,
    #[schemars(description = "守住了的规则，只列编号")]
    passed: Vec<String>,
    #[schemars(description = "本章没有涉及的规则，只列编号")]
    not_applicable: Vec<String>,
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

/// The answer for rules that a report has left out.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the reply, which is read as a report is")]
struct ChecksReply {
    #[schemars(description = "写破了的规则，以及需要说明的；守住了的放进 passed 即可")]
    checks: Vec<CheckReply>,
    #[schemars(description = "守住了的规则，只列编号")]
    passed: Vec<String>,
    #[schemars(description = "本章没有涉及的规则，只列编号")]
    not_applicable: Vec<String>,
}

/// The answer for violations whose words are not in the text.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the reply; its entries are read one by one")]
struct QuotationsReply {
    #[schemars(description = "问到的编号，一条一项")]
    quotations: Vec<QuotationReply>,
}

// Models write the fields in this order: what they see, then what it means, then the verdict.
#[derive(Deserialize, JsonSchema)]
struct CheckReply {
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "规则编号，与清单一字不差")]
    rule: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "逐字摘录的原文；缺失类的违规为空字符串")]
    evidence: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "违规时：错在哪里，或缺了什么")]
    detail: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "守住、写破、没有涉及", extend("enum" = ["pass", "violation", "not_applicable"]))]
    finding: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "把握", extend("enum" = ["high", "medium", "low"]))]
    confidence: String,
}

#[derive(Deserialize, JsonSchema)]
struct QuotationReply {
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "规则编号，与问到的一字不差")]
    rule: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "逐字摘录的原文；摘不出来为空字符串")]
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
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "逐字摘录的原文")]
    evidence: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "理由")]
    reason: String,
    #[serde(deserialize_with = "number")]
    #[schemars(description = "1 到 5，可带一位小数")]
    score: f64,
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

/// The schema of a report on these rules.
fn report_schema(rules: &[String]) -> Value {
    only(schema_of::<EvaluationReply>(), rules)
}

/// The schema of an answer for rules that a report has left out.
pub(super) fn checks_schema(rules: &[String]) -> Value {
    only(schema_of::<ChecksReply>(), rules)
}

/// The schema of an answer with the quotations for these rules.
pub(super) fn quotations_schema(rules: &[String]) -> Value {
    only(schema_of::<QuotationsReply>(), rules)
}

/// The schema with nothing but these ids wherever it takes a rule's. Without any id it stays open: an enum must not be
/// empty.
fn only(mut schema: Value, rules: &[String]) -> Value {
    if rules.is_empty() {
        return schema;
    }
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

/// A score as a number, as digits, or as `4.5/5`. What is none of these becomes a number that no check lets through.
fn number<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let text = lenient(deserializer)?;
    let digits = text.split(['/', '分']).next().unwrap_or_default().trim();
    Ok(digits.parse().unwrap_or(f64::NAN))
}

/// What the judge delivered.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The report, complete as to scores. Rules that it says nothing of are in it as not checked.
    pub evaluation: Evaluation,
    /// What had to be corrected in it.
    pub remarks: Vec<Remark>,
}

impl Judged {
    /// The rules that were asked and not answered, hard and soft, where a hard one is among them; empty where none is. Soft
    /// rules alone are not worth another call.
    #[must_use]
    pub fn unanswered(&self) -> Vec<String> {
        let unanswered = |check: &&Check| check.finding == Finding::NotChecked;
        match self.evaluation.is_complete() {
            true => Vec::new(),
            false => self.evaluation.checks.iter().filter(unanswered).map(|check| check.rule.clone()).collect(),
        }
    }

    /// The violations whose quotation is to be asked for; see [`Check::is_unproven`].
    #[must_use]
    pub fn unproven(&self) -> Vec<Check> {
        self.evaluation.unproven().cloned().collect()
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
pub struct JudgeContext<'a> {
    /// The chapter's material, for its rules and whether storylines meet in it.
    pub context: &'a ChapterContext,
    /// The text that was judged.
    pub text: &'a Chapter,
    /// The mentions that the summarizer noticed.
    pub cross_references: &'a [CrossReference],
    /// The ids of the rules that the prompt asked for: [`Prompt::asked`].
    pub asked: &'a [String],
    /// False for the offline judge, who reads nothing: rules that its reply leaves out are not checked, and that is no fault.
    pub reading: bool,
    /// Whether a quotation stands in the text.
    pub found: &'a dyn Fn(&str) -> bool,
}

impl JudgeContext<'_> {
    fn finds(&self, quote: &str) -> bool {
        !quote.trim().is_empty() && (self.found)(quote)
    }
}

/// Reads a report. Layer and strength of a check come from the rule, never from the reply; a quotation counts only if
/// it is found; the leak rule is added by us where it applies. Every rule that holds has a check in the end: one that was
/// asked and not answered as [`Finding::NotChecked`], one that was not asked as [`Finding::NotAsked`].
///
/// # Errors
/// [`ReplyFault`] when there is no object, or when a score is missing or out of range.
pub fn read(reply: &str, judge_context: &JudgeContext) -> Result<Judged, ReplyFault> {
    let value = read_json(reply)?;
    let rules = rules_for(judge_context.context, &judge_context.text.body);
    let mut remarks = Vec::new();
    let answered = answers(&value, &rules, judge_context, &mut remarks);
    let checks = rules.iter().map(|rule| {
        let answer = answered.iter().find(|check| check.rule == rule.id).cloned();
        answer.unwrap_or_else(|| silence(rule, judge_context))
    });
    let mut checks: Vec<Check> = checks.collect();
    if let Some(leak) = leak(judge_context) {
        checks.retain(|check| check.rule != leak.rule);
        checks.push(leak);
    }
    let scores = value.get("scores").filter(|scores| scores.is_object());
    let scores = scores.ok_or(ReplyFault::Field { field: "scores", wanted: "an object" })?;
    let scores = Dimension::ALL.iter().filter_map(|&dimension| {
        let ScoreReply { score, reason, evidence } = ScoreReply::deserialize(scores.get(dimension.as_str())?).ok()?;
        let evidence_found = judge_context.finds(&evidence);
        Some(Score { dimension, score, reason, evidence, evidence_found })
    });
    // `<…>` is the form's word for what belongs there.
    let is_said = |fix: &FixReply| !fix.instruction.is_empty() && !fix.instruction.starts_with('<');
    let fixes = items::<FixReply>(&value, "required_fixes").into_iter().filter(is_said);
    let evaluation = Evaluation {
        chapter: judge_context.text.number,
        reading: judge_context.reading,
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
    Ok(Judged { evaluation, remarks })
}

/// The report with what a second reply says of the rules that the first has left out. A reply that cannot be read adds
/// nothing; answers that there are stay as they are.
#[must_use]
pub fn with_answers(mut judged: Judged, reply: &str, judge_context: &JudgeContext) -> Judged {
    let Ok(value) = read_json(reply) else { return judged };
    let rules = rules_for(judge_context.context, &judge_context.text.body);
    let answered = answers(&value, &rules, judge_context, &mut judged.remarks);
    for check in judged.evaluation.checks.iter_mut().filter(|check| check.finding == Finding::NotChecked) {
        if let Some(answer) = answered.iter().find(|answer| answer.rule == check.rule) {
            *check = answer.clone();
        }
    }
    judged
}

/// The report with the quotations that a second reply gives for unproven violations. One that is not in the text either
/// changes nothing; where an objective is not met there may be nothing to quote.
#[must_use]
pub fn with_quotations(mut judged: Judged, reply: &str, judge_context: &JudgeContext) -> Judged {
    let Ok(value) = read_json(reply) else { return judged };
    // Some answer with the whole report again.
    let field = if value.get("quotations").is_some() { "quotations" } else { "checks" };
    let quotations = items::<QuotationReply>(&value, field);
    for check in judged.evaluation.checks.iter_mut().filter(|check| check.is_unproven()) {
        let Some(quotation) = quotations.iter().find(|said| said.rule.eq_ignore_ascii_case(&check.rule)) else {
            continue;
        };
        check.evidence_found = judge_context.finds(&quotation.evidence);
        if check.evidence_found || (check.layer == Layer::Chapter && quotation.evidence.trim().is_empty()) {
            check.evidence.clone_from(&quotation.evidence);
        }
    }
    judged
}

/// Whether there is anything in a text but dots and dashes.
fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// The check of a rule that the reply does not answer for.
fn silence(rule: &Given, judge_context: &JudgeContext) -> Check {
    let is_asked = || judge_context.asked.contains(&rule.id);
    let finding = match judge_context.reading {
        // Checked by code, which has found nothing.
        true if rule.id == LEAK_RULE => Finding::Pass,
        true if !is_asked() => Finding::NotAsked,
        _ => Finding::NotChecked,
    };
    bare(rule, finding)
}

/// A check that says no more than its finding.
fn bare(rule: &Given, finding: Finding) -> Check {
    Check {
        rule: rule.id.clone(),
        layer: rule.layer,
        strength: rule.strength,
        finding,
        confidence: Confidence::Low,
        detail: String::new(),
        evidence: String::new(),
        evidence_found: false,
    }
}

/// The checks of rules that the reply answers for, one a rule: a violation outweighs other findings, and what is said of a
/// rule by itself the bare lists of ids.
fn answers(value: &Value, rules: &[Given], judge_context: &JudgeContext, remarks: &mut Vec<Remark>) -> Vec<Check> {
    let mut checks = Vec::<Check>::new();
    let known = |id: &str| rules.iter().find(|rule| rule.id.eq_ignore_ascii_case(id.trim()));
    for reply in items::<CheckReply>(value, "checks") {
        let Some(rule) = known(&reply.rule) else {
            remarks.push(Remark::UnknownRule(reply.rule));
            continue;
        };
        let finding = reply.finding.to_ascii_lowercase().parse::<Finding>().ok();
        let Some(finding) = finding.filter(|finding| finding.is_checked()) else {
            remarks.push(Remark::UnknownFinding(reply.rule));
            continue;
        };
        let check = Check {
            // A judge that does not say how sure it is cannot force a revision.
            confidence: reply.confidence.to_ascii_lowercase().parse().unwrap_or(Confidence::Low),
            detail: reply.detail,
            evidence_found: judge_context.finds(&reply.evidence),
            evidence: reply.evidence,
            ..bare(rule, finding)
        };
        match checks.iter_mut().find(|known| known.rule == check.rule) {
            Some(known) if known.finding != Finding::Violation && finding == Finding::Violation => *known = check,
            Some(_) => {}
            None => checks.push(check),
        }
    }
    for (field, finding) in [("passed", Finding::Pass), ("not_applicable", Finding::NotApplicable)] {
        for id in ids(value, field) {
            match known(&id) {
                None => remarks.push(Remark::UnknownRule(id)),
                Some(rule) if checks.iter().any(|check| check.rule == rule.id) => {}
                Some(rule) => checks.push(bare(rule, finding)),
            }
        }
    }
    checks
}

/// The ids of a bare list. Some models put each into an object of its own.
fn ids(value: &Value, field: &str) -> Vec<String> {
    let named = list(value, field).iter().filter_map(|item| item.get("rule")?.as_str());
    named.map(str::to_owned).chain(name_list(value, field)).collect()
}

/// A mention of high risk that really stands in a chapter in which no storylines meet (product document §6.6.7), and that
/// belongs to another line of the book: of its own a chapter may tell everything.
fn leak(judge_context: &JudgeContext) -> Option<Check> {
    if judge_context.context.convergence().is_some() {
        return None;
    }
    let body = &judge_context.text.body;
    let own = judge_context.context.storyline();
    let others = || judge_context.context.storylines.lines.iter().filter(|line| line.id != *own);
    let is_elsewhere = |named: &str| others().any(|line| line.id.as_str() == named || line.name == named);
    let mut leaks = judge_context.cross_references.iter().filter(|cross| is_elsewhere(cross.storyline.trim()));
    let leak = leaks.find(|cross| cross.risk == LeakRisk::High && body.contains(cross.entity.trim()))?;
    let quoted = !leak.evidence.trim().is_empty() && (judge_context.found)(&leak.evidence);
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
