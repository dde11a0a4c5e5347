use crate::domain::chapter::Gate;
use crate::domain::chapter::evaluation::{Check, Evaluation, Finding, Score};
use crate::report::prelude::*;
use serde::Serializer;
use serde_json::json;

#[derive(Debug, Clone, PartialEq)]
pub struct EvaluationReport {
    pub evaluation: Evaluation,
    /// The gate's decision; null before one.
    pub gate: Option<Gate>,
    pub names: Names,
}

impl Serialize for EvaluationReport {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Evaluation { chapter, reading, checks, scores, risk_flags, required_fixes, issues, strengths } =
            &self.evaluation;
        let score = |Score { dimension, score, reason, evidence, evidence_found }: &Score| {
            let weight = f64::from(dimension.weight_percent()) / 100.0;
            json!({"dimension": dimension, "score": score, "weight": weight, "reason": reason, "evidence": evidence,
                "evidence_found": evidence_found})
        };
        let check = |check: &Check| {
            let Check { rule, layer, finding, strength, confidence, detail, evidence, evidence_found } = check;
            json!({"rule": rule, "layer": layer, "strength": strength, "finding": finding, "confidence": confidence,
                "detail": detail, "evidence": evidence, "evidence_found": evidence_found, "blocks": check.blocks(),
                "unproven": check.is_unproven()})
        };
        let (scores, checks): (Vec<_>, Vec<_>) =
            (scores.iter().map(score).collect(), checks.iter().map(check).collect());
        let not_checked: Vec<_> = self.evaluation.unchecked().map(|check| &check.rule).collect();
        let unproven: Vec<_> = self.evaluation.unproven().map(|check| &check.rule).collect();
        json!({"chapter": chapter, "reading": reading, "overall": self.evaluation.overall(), "gate": self.gate,
            "scores": scores, "checks": checks, "not_checked": not_checked, "unproven": unproven,
            "required_fixes": required_fixes, "issues": issues, "strengths": strengths, "risk_flags": risk_flags})
        .serialize(to)
    }
}

const BAR: usize = 10;

impl EvaluationReport {
    /// Scores with their weights, checks, and fixes.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let Evaluation { chapter, required_fixes, issues, strengths, risk_flags, .. } = &self.evaluation;
        let overall = figures::score(self.evaluation.overall());
        let gate = self.gate.map(|gate| format!(" · {}", gate.say(lang))).unwrap_or_default();
        let mut out = format!("{}\n", paint(STRONG, &say!(lang, overall(chapter, overall, gate))));
        if !self.evaluation.reading {
            out.push_str(&format!("{}\n", paint(WARN, say!(lang, offline_judge_has_not_read_text))));
        }
        out.push_str(&self.scores_text(lang, columns));
        out.push_str(&self.names.within(&self.checks_text(lang), lang));
        let fixes = required_fixes.iter().map(|fix| {
            let (target, instruction) = (&fix.target, &fix.instruction);
            say!(lang, fix_of_target(target, instruction))
        });
        let fixes: Vec<String> = fixes.collect();
        section(&mut out, say!(lang, to_fix), &fixes);
        section(&mut out, say!(lang, problems), issues);
        section(&mut out, say!(lang, strengths), strengths);
        section(&mut out, say!(lang, flags), risk_flags);
        out
    }

    fn scores_text(&self, lang: Lang, columns: usize) -> String {
        let mut table = Table::bare("lrrll", 4).indented(2);
        for score in &self.evaluation.scores {
            let style = match score.score {
                low if low < 3.0 => BAD,
                fair if fair < 4.0 => WARN,
                _ => GOOD,
            };
            let mut reason = if self.evaluation.reading { score.reason.clone() } else { String::new() };
            if !score.evidence.is_empty() && !score.evidence_found {
                reason.push_str(say!(lang, quotation_is_not_in_text));
            }
            table.row([
                score.dimension.say(lang).into(),
                format!("{:.1}", score.score).into(),
                Cell::painted(DIM, format!("×{}%", score.dimension.weight_percent())),
                Cell::painted(style, figures::bar(score.score, 5.0, BAR)),
                reason.into(),
            ]);
        }
        table.text(columns)
    }

    fn checks_text(&self, lang: Lang) -> String {
        if self.evaluation.checks.is_empty() {
            return String::new();
        }
        let count = |finding| self.evaluation.checks.iter().filter(|check| check.finding == finding).count();
        let (kept, broken, apart) = (count(Finding::Pass), count(Finding::Violation), count(Finding::NotApplicable));
        let (unknown, waived) = (self.evaluation.unchecked().count(), count(Finding::Waived));
        let counts = [
            (kept, say!(lang, kept(kept))),
            (broken, say!(lang, evaluation_broken(broken))),
            (waived, say!(lang, evaluation_waived(waived))),
            (apart, say!(lang, not_touched(apart))),
            (unknown, say!(lang, evaluation_not_checked(unknown))),
        ];
        let counts: Vec<String> = counts.into_iter().filter_map(|(n, words)| (n > 0).then_some(words)).collect();
        let counts = counts.join(say!(lang, clause_comma));
        let mut out = say!(lang, contracts(counts));
        for check in self.evaluation.checks.iter().filter(|check| check.finding == Finding::Violation) {
            let Check { rule, detail, evidence, .. } = check;
            let (layer, strength) = (check.layer.say(lang), check.strength.say(lang));
            let confidence = check.confidence.say(lang);
            let mark = if check.blocks() { paint(BAD, "✗") } else { paint(WARN, "!") };
            let blocks = match (check.blocks(), check.is_unproven()) {
                (true, _) => say!(lang, has_to_be_revised),
                (_, true) => say!(lang, unproven),
                _ => "",
            };
            out.push_str(&say!(lang, evaluation_mark_rule(mark, rule, layer, strength, confidence, blocks, detail)));
            if !evidence.is_empty() {
                let found = match check.evidence_found {
                    true => "",
                    false => say!(lang, not_in_text),
                };
                out.push_str(&format!("    {}\n", paint(DIM, &format!("“{evidence}”{found}"))));
            }
        }
        let listed = |finding, words: &str| {
            let of_it = self.evaluation.checks.iter().filter(|check| check.finding == finding);
            let ids: Vec<&str> = of_it.map(|check| check.rule.as_str()).collect();
            let list = ids.join(say!(lang, list_comma));
            if ids.is_empty() { String::new() } else { format!("  {}\n", paint(WARN, &format!("{words}{list}"))) }
        };
        out.push_str(&match self.evaluation.reading {
            true => listed(Finding::NotChecked, say!(lang, not_checked_left_out_by_judge)),
            false => listed(Finding::NotChecked, say!(lang, not_checked_list)),
        });
        out.push_str(&listed(Finding::Waived, say!(lang, waived_list)));
        out.push_str(&listed(Finding::NotAsked, say!(lang, not_asked_list)));
        out
    }
}

fn section(out: &mut String, heading: &str, lines: &[String]) {
    if !lines.is_empty() {
        out.push_str(&format!("{}\n", paint(STRONG, heading)));
        for line in lines {
            out.push_str(&format!("  - {line}\n"));
        }
    }
}
