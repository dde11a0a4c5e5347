//! `evaluations/vol-01/chapter-001-eval.json`: the judge's findings and the gate's decision (formats chapter §9.2).

use crate::domain::ChapterNo;
use crate::domain::chapter::Gate;
use crate::domain::chapter::evaluation::{Check, Dimension, Evaluation, Finding, Fix, Score};
use crate::domain::notation::{self, yes};
use crate::domain::world::contract::Layer;
use crate::store::format::json::{self, Disk};
use crate::store::format::{FormatError, Mistake, Problem};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq)]
pub struct RecordedEvaluation {
    /// The checks are ordered by layer.
    pub evaluation: Evaluation,
    /// `None` before a decision.
    pub gate: Option<Gate>,
}

#[derive(Serialize, Deserialize)]
struct EvaluationDisk {
    chapter: ChapterNo,
    /// Written only where false, for an offline verdict.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    reading: bool,
    #[serde(default)]
    contract_verification: ChecksDisk,
    scores: ScoresDisk,
    /// Computed here for people who open the file; never read back.
    #[serde(default, with = "notation::figure")]
    overall: f64,
    recommendation: Option<Gate>,
    #[serde(default)]
    risk_flags: Vec<String>,
    #[serde(default)]
    required_fixes: Vec<Fix>,
    #[serde(default)]
    issues: Vec<String>,
    #[serde(default)]
    strengths: Vec<String>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct ChecksDisk {
    l1_checks: Vec<Check>,
    l2_checks: Vec<Check>,
    l3_checks: Vec<Check>,
    ls_checks: Vec<Check>,
    has_violations: bool,
    /// The ids of unchecked rules, derived from the checks; never read back, nor is `unproven`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_checked: Vec<String>,
    /// The ids of violations whose quotation is not in the chapter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unproven: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn is_true(value: &bool) -> bool {
    *value
}

/// One field per dimension, so that the reader names a missing one.
#[derive(Serialize, Deserialize)]
struct ScoresDisk {
    plot_logic: ScoreDisk,
    character: ScoreDisk,
    immersion: ScoreDisk,
    foreshadowing: ScoreDisk,
    pacing: ScoreDisk,
    style_naturalness: ScoreDisk,
    emotional_impact: ScoreDisk,
    storyline_coherence: ScoreDisk,
}

#[derive(Clone, Default, Serialize, Deserialize)]
struct ScoreDisk {
    #[serde(with = "notation::figure")]
    score: f64,
    /// For people who open the file; the program has its own weights.
    #[serde(default)]
    weight: f64,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    evidence: String,
    #[serde(default)]
    evidence_found: bool,
}

impl Disk for EvaluationDisk {}

impl ScoresDisk {
    fn into_scores(self) -> Vec<Score> {
        let of = |dimension, disk: ScoreDisk| Score {
            dimension,
            score: disk.score,
            reason: disk.reason,
            evidence: disk.evidence,
            evidence_found: disk.evidence_found,
        };
        vec![
            of(Dimension::PlotLogic, self.plot_logic),
            of(Dimension::Character, self.character),
            of(Dimension::Immersion, self.immersion),
            of(Dimension::Foreshadowing, self.foreshadowing),
            of(Dimension::Pacing, self.pacing),
            of(Dimension::StyleNaturalness, self.style_naturalness),
            of(Dimension::EmotionalImpact, self.emotional_impact),
            of(Dimension::StorylineCoherence, self.storyline_coherence),
        ]
    }

    fn from_scores(scores: &[Score]) -> Self {
        let of = |dimension: Dimension| {
            let score = scores.iter().find(|score| score.dimension == dimension);
            let weight = f64::from(dimension.weight_percent()) / 100.0;
            score.map_or_else(ScoreDisk::default, |score| ScoreDisk {
                score: score.score,
                weight,
                reason: score.reason.clone(),
                evidence: score.evidence.clone(),
                evidence_found: score.evidence_found,
            })
        };
        Self {
            plot_logic: of(Dimension::PlotLogic),
            character: of(Dimension::Character),
            immersion: of(Dimension::Immersion),
            foreshadowing: of(Dimension::Foreshadowing),
            pacing: of(Dimension::Pacing),
            style_naturalness: of(Dimension::StyleNaturalness),
            emotional_impact: of(Dimension::EmotionalImpact),
            storyline_coherence: of(Dimension::StorylineCoherence),
        }
    }
}

fn into_checks(layer: Layer, list: Vec<Check>) -> impl Iterator<Item = Check> {
    list.into_iter().map(move |check| Check { layer, ..check })
}

fn from_checks(layer: Layer, checks: &[Check]) -> Vec<Check> {
    checks.iter().filter(|check| check.layer == layer).cloned().collect()
}

/// Fails also for a dimension without a score or with one outside 1 to 5.
pub fn read(bytes: &[u8]) -> Result<RecordedEvaluation, FormatError> {
    let disk: EvaluationDisk = json::read(bytes)?;
    let checks = disk.contract_verification;
    let evaluation = Evaluation {
        chapter: disk.chapter,
        reading: disk.reading,
        checks: into_checks(Layer::World, checks.l1_checks)
            .chain(into_checks(Layer::Character, checks.l2_checks))
            .chain(into_checks(Layer::Chapter, checks.l3_checks))
            .chain(into_checks(Layer::Storyline, checks.ls_checks))
            .collect(),
        scores: disk.scores.into_scores(),
        risk_flags: disk.risk_flags,
        required_fixes: disk.required_fixes,
        issues: disk.issues,
        strengths: disk.strengths,
    };
    let evaluation =
        evaluation.checked().map_err(|error| FormatError::of_file(Problem::Value(Mistake::Scores(error))))?;
    Ok(RecordedEvaluation { evaluation, gate: disk.recommendation })
}

/// Writes an evaluation, with the weights, the overall score and the sum of violations.
pub fn write(recorded: &RecordedEvaluation, previous: Option<&[u8]>) -> Vec<u8> {
    let evaluation = &recorded.evaluation;
    let checks = &evaluation.checks;
    let ids = |is: fn(&Check) -> bool| -> Vec<String> {
        checks.iter().filter(|check| is(check)).map(|check| check.rule.clone()).collect()
    };
    let disk = EvaluationDisk {
        chapter: evaluation.chapter,
        reading: evaluation.reading,
        contract_verification: ChecksDisk {
            l1_checks: from_checks(Layer::World, checks),
            l2_checks: from_checks(Layer::Character, checks),
            l3_checks: from_checks(Layer::Chapter, checks),
            ls_checks: from_checks(Layer::Storyline, checks),
            has_violations: checks.iter().any(|check| check.finding == Finding::Violation),
            not_checked: ids(|check| !check.finding.is_checked()),
            unproven: ids(Check::is_unproven),
        },
        scores: ScoresDisk::from_scores(&evaluation.scores),
        overall: evaluation.overall(),
        recommendation: recorded.gate,
        risk_flags: evaluation.risk_flags.clone(),
        required_fixes: evaluation.required_fixes.clone(),
        issues: evaluation.issues.clone(),
        strengths: evaluation.strengths.clone(),
    };
    json::write(&disk, previous)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::chapter::evaluation::Confidence;
    use crate::domain::world::contract::Strength;
    use crate::store::format::samples;
    use proptest::prelude::*;

    #[test]
    fn the_overall_score_in_the_file_is_ours() {
        let scores: String = Dimension::ALL
            .iter()
            .map(|d| format!(r#""{d}": {{"score": 4, "weight": 0.9, "reason": "好", "evidence": "雨停了"}}, "#))
            .collect();
        let text = format!(
            r#"{{"chapter": 47, "contract_verification": {{"l1_checks": [], "has_violations": false}},
            "scores": {{{}}}, "overall": 1.2, "recommendation": "pass", "risk_flags": [], "required_fixes": [],
            "issues": [], "strengths": ["张弛得当"]}}"#,
            scores.trim_end_matches(", ")
        );
        let recorded = read(text.as_bytes()).unwrap();
        assert_eq!((recorded.gate, recorded.evaluation.overall()), (Some(Gate::Pass), 4.0));
        let written = String::from_utf8(write(&recorded, Some(text.as_bytes()))).unwrap();
        assert!(written.contains(r#""overall": 4,"#), "{written}");
        assert!(written.contains(r#""weight": 0.18,"#) && written.contains(r#""score": 4,"#), "{written}");
        let missing = text.replace("\"pacing\"", "\"pace\"");
        assert!(read(missing.as_bytes()).unwrap_err().to_string().contains("pacing"));
        assert!(read(text.replace("\"score\": 4", "\"score\": 11").as_bytes()).is_err());
    }

    #[test]
    fn what_was_not_checked_is_listed_and_a_file_from_before_was_read() {
        let old = r#"{"chapter": 1, "scores": {SCORES}}"#;
        let scores: Vec<String> = Dimension::ALL.iter().map(|d| format!(r#""{d}": {{"score": 4}}"#)).collect();
        let old = old.replace("SCORES", &scores.join(", "));
        let mut recorded = read(old.as_bytes()).unwrap();
        assert!(recorded.evaluation.reading && !String::from_utf8(write(&recorded, None)).unwrap().contains("reading"));
        let check = |rule: &str, finding| Check {
            rule: rule.into(),
            layer: Layer::World,
            strength: Strength::Hard,
            finding,
            confidence: Confidence::High,
            detail: String::new(),
            evidence: "没有的话".into(),
            evidence_found: false,
        };
        recorded.evaluation.checks = vec![check("W-001", Finding::NotChecked), check("W-002", Finding::Violation)];
        recorded.evaluation.reading = false;
        let written = write(&recorded, None);
        assert_eq!(read(&written).unwrap(), recorded);
        let value: serde_json::Value = serde_json::from_slice(&written).unwrap();
        let verification = &value["contract_verification"];
        assert_eq!(verification["not_checked"], serde_json::json!(["W-001"]));
        assert_eq!(verification["unproven"], serde_json::json!(["W-002"]));
        assert_eq!(value["reading"], false);
    }

    proptest! {
        #[test]
        fn any_evaluation_survives(recorded in samples::recorded()) {
            samples::survives(&recorded, read, write, &[])?;
        }
    }
}
