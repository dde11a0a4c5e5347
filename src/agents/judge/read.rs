use crate::agents::call::reply::{fitted, list, names, read_json};
use crate::agents::context::rules::{Given, LEAK_RULE, rules_for};
use crate::agents::judge::{ChecksReply, EvaluationReply, FixReply, QuotationsReply, ScoreReply};
use crate::agents::prelude::*;
use crate::domain::chapter::evaluation::{Check, Confidence, Dimension, Evaluation, Finding, Fix, Score};
use crate::domain::chapter::summary::{CrossReference, LeakRisk};
use crate::domain::world::contract::{Layer, Strength};

#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Scores are complete; rules without an answer are not checked.
    pub evaluation: Evaluation,
    /// The corrections made to the evaluation.
    pub remarks: Vec<JudgeRemark>,
}

impl Judged {
    /// The rules without an answer, hard and soft, if a hard one is among them; otherwise empty. Soft rules alone are
    /// not worth another call.
    pub fn unanswered(&self) -> Vec<String> {
        let unanswered = |check: &&Check| check.finding == Finding::NotChecked;
        match self.evaluation.is_complete() {
            true => Vec::new(),
            false => self.evaluation.checks.iter().filter(unanswered).map(|check| check.rule.clone()).collect(),
        }
    }

    /// The violations whose quotation is asked for; see [`Check::is_unproven`].
    pub fn unproven(&self) -> Vec<Check> {
        self.evaluation.unproven().cloned().collect()
    }
}

/// A flaw of a usable report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JudgeRemark {
    /// A dropped check of an unlisted rule.
    #[error("the judge answered for `{0}`, which was not asked")]
    UnknownRule(String),
    /// A dropped check with an unknown finding.
    #[error("the judge's finding for `{0}` is none of pass, violation, not_applicable")]
    UnknownFinding(String),
}

/// The material for checking a reply.
#[derive(Clone, Copy)]
pub struct JudgeContext<'a> {
    /// For its rules, and for a crossover in the chapter.
    pub context: &'a ChapterContext,
    pub text: &'a Chapter,
    pub cross_references: &'a [CrossReference],
    /// Ids of the rules in the prompt: [`Prompt::asked`].
    pub asked: &'a [String],
    /// False for the offline judge, who reads nothing: rules missing from its reply are not checked, which is no fault.
    pub reading: bool,
    /// True when a quotation stands in the text.
    pub found: &'a dyn Fn(&str) -> bool,
}

impl JudgeContext<'_> {
    fn finds(&self, quote: &str) -> bool {
        !quote.trim().is_empty() && (self.found)(quote)
    }
}

/// Reads a report. Layer and strength of a check come from the rule, never from the reply; a quotation counts only if
/// found; the leak rule is added by code. Every rule in force gets a check: [`Finding::NotChecked`] without an answer,
/// [`Finding::NotAsked`] without a question. Fails without an object, or when a score is missing or out of range.
pub fn read(reply: &str, judge_context: &JudgeContext) -> Result<Judged, ReplyFault> {
    let reply: EvaluationReply = read_as(reply)?;
    let rules = rules_for(judge_context.context, &judge_context.text.body);
    let mut remarks = Vec::new();
    let answered = answers(reply.answers, &rules, judge_context, &mut remarks);
    let checks = rules.iter().map(|rule| {
        let answer = answered.iter().find(|check| check.rule == rule.id).cloned();
        answer.unwrap_or_else(|| silence(rule, judge_context))
    });
    let mut checks: Vec<Check> = checks.collect();
    if let Some(leak) = leak(judge_context) {
        checks.retain(|check| check.rule != leak.rule);
        checks.push(leak);
    }
    if !reply.scores.is_object() {
        return Err(ReplyFault::Field { field: "scores", wanted: FieldKind::Object });
    }
    let scores = Dimension::ALL.iter().filter_map(|&dimension| {
        let ScoreReply { score, reason, evidence } = fitted(reply.scores.get(dimension.as_str())?);
        let evidence_found = judge_context.finds(&evidence);
        Some(Score { dimension, score: score?, reason, evidence, evidence_found })
    });
    // `<…>` is a placeholder of the form.
    let is_said = |fix: &FixReply| !fix.instruction.is_empty() && !fix.instruction.starts_with('<');
    let fixes = reply.required_fixes.into_iter().filter(is_said);
    let evaluation = Evaluation {
        chapter: judge_context.text.number,
        reading: judge_context.reading,
        checks,
        scores: scores.collect(),
        risk_flags: reply.risk_flags,
        required_fixes: fixes.map(|fix| Fix { target: fix.target, instruction: fix.instruction }).collect(),
        issues: reply.issues,
        strengths: reply.strengths,
    };
    let evaluation = evaluation.checked()?.waiving(&judge_context.context.waivers);
    if evaluation.scores.iter().all(|score| !has_words(&score.reason)) {
        return Err(ReplyFault::Field { field: "reason", wanted: FieldKind::Reason });
    }
    Ok(Judged { evaluation, remarks })
}

/// Adds a second reply's answers for missing rules. An unreadable reply adds nothing; existing answers stay.
pub fn with_answers(mut judged: Judged, reply: &str, judge_context: &JudgeContext) -> Judged {
    let Ok(reply) = read_as(reply) else { return judged };
    let rules = rules_for(judge_context.context, &judge_context.text.body);
    let answered = answers(reply, &rules, judge_context, &mut judged.remarks);
    for check in judged.evaluation.checks.iter_mut().filter(|check| check.finding == Finding::NotChecked) {
        if let Some(answer) = answered.iter().find(|answer| answer.rule == check.rule) {
            *check = answer.clone();
        }
    }
    judged
}

/// Adds a second reply's quotations for unproven violations. One that is not in the text changes nothing; an unmet
/// objective may have nothing to quote.
pub fn with_quotations(mut judged: Judged, reply: &str, judge_context: &JudgeContext) -> Judged {
    let Ok(value) = read_json(reply) else { return judged };
    let QuotationsReply { mut quotations } = fitted(&value);
    if quotations.is_empty() {
        // Some models answer with the whole report again.
        quotations = fitted(&value["checks"]);
    }
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

/// True when a text has more than dots and dashes.
fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// The check of a rule without an answer.
fn silence(rule: &Given, judge_context: &JudgeContext) -> Check {
    let is_asked = || judge_context.asked.contains(&rule.id);
    let finding = match judge_context.reading {
        // Code has checked the rule and found nothing.
        true if rule.id == LEAK_RULE => Finding::Pass,
        true if !is_asked() => Finding::NotAsked,
        _ => Finding::NotChecked,
    };
    bare(rule, finding)
}

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

/// The checks of answered rules, one per rule: a violation outweighs other findings, and an answer of its own outweighs
/// the bare lists of ids.
fn answers(
    reply: ChecksReply,
    rules: &[Given],
    judge_context: &JudgeContext,
    remarks: &mut Vec<JudgeRemark>,
) -> Vec<Check> {
    let mut checks = Vec::<Check>::new();
    let known = |id: &str| rules.iter().find(|rule| rule.id.eq_ignore_ascii_case(id.trim()));
    for reply in reply.checks {
        let Some(rule) = known(&reply.rule) else {
            remarks.push(JudgeRemark::UnknownRule(reply.rule));
            continue;
        };
        let finding = reply.finding.to_ascii_lowercase().parse::<Finding>().ok();
        let Some(finding) = finding.filter(|finding| finding.is_checked()) else {
            remarks.push(JudgeRemark::UnknownFinding(reply.rule));
            continue;
        };
        let check = Check {
            // A judge without a stated confidence cannot force a revision.
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
    for (list, finding) in [(reply.passed, Finding::Pass), (reply.not_applicable, Finding::NotApplicable)] {
        for id in ids(&list) {
            match known(&id) {
                None => remarks.push(JudgeRemark::UnknownRule(id)),
                Some(rule) if checks.iter().any(|check| check.rule == rule.id) => {}
                Some(rule) => checks.push(bare(rule, finding)),
            }
        }
    }
    checks
}

/// The ids of a bare list. Some models put each into an object.
fn ids(value: &Value) -> Vec<String> {
    let named = list(value).iter().filter_map(|item| item.get("rule")?.as_str());
    named.map(str::to_owned).chain(names(value)).collect()
}

/// A high-risk mention of another storyline of the book that stands in a chapter without a crossover (product document
/// §6.6.7).
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

/// The first sentence of the text with the name.
fn sentence_with(body: &str, name: &str) -> String {
    let sentences = body.split_inclusive(['。', '！', '？', '\n']);
    sentences.map(str::trim).find(|sentence| sentence.contains(name)).unwrap_or(name).to_owned()
}
