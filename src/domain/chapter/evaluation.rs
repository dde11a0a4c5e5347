//! The judge's report: eight scores and the contract checks. The overall score is computed here, never taken from a
//! model. Trials of a judge, who has to notice a planted flaw and score one text alike twice.

use crate::domain::chapter::Waivers;
use crate::domain::prelude::*;
use crate::domain::world::contract::{Layer, Strength};
use std::collections::{BTreeMap, BTreeSet};

named! {
    /// The dimensions of quality (product document §6.6.5).
    pub enum Dimension {
        PlotLogic = "plot_logic",
        Character = "character",
        Immersion = "immersion",
        Foreshadowing = "foreshadowing",
        Pacing = "pacing",
        StyleNaturalness = "style_naturalness",
        EmotionalImpact = "emotional_impact",
        StorylineCoherence = "storyline_coherence",
    }
}

impl Dimension {
    /// The share in the overall score in hundredths, which add up to 100 (product document §6.6.5).
    pub const fn weight_percent(self) -> u32 {
        match self {
            Self::PlotLogic | Self::Character => 18,
            Self::Immersion | Self::StyleNaturalness => 15,
            Self::Foreshadowing => 10,
            Self::Pacing | Self::EmotionalImpact | Self::StorylineCoherence => 8,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    pub dimension: Dimension,
    /// 1 to 5.
    pub score: f64,
    pub reason: String,
    /// A quotation of the chapter.
    pub evidence: String,
    /// True when the quotation stands in the chapter.
    pub evidence_found: bool,
}

named! {
    pub enum Finding {
        Pass = "pass",
        Violation = "violation",
        /// Broken or left out with the author's consent.
        Waived = "waived",
        /// The chapter does not touch the rule.
        NotApplicable = "not_applicable",
        /// Unknown: the judge gave no answer, or did not read the chapter.
        NotChecked = "not_checked",
        /// Unknown: the rule did not fit into the judge's prompt.
        NotAsked = "not_asked",
    }
}

impl Finding {
    /// True when the rule was held against the chapter.
    pub const fn is_checked(self) -> bool {
        matches!(self, Self::Pass | Self::Violation | Self::Waived | Self::NotApplicable)
    }
}

named! {
    pub enum Confidence {
        /// Sure enough to force a revision.
        High = "high",
        /// Reported only.
        Medium = "medium",
        /// Reported only.
        Low = "low",
    }
}

/// The result of one rule for the chapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// The id: `W-001`, `C-LINFENG-001`, `OBJ-048-1`, `LS-005`.
    #[serde(rename = "id")]
    pub rule: String,
    #[serde(skip, default = "of_the_world")]
    pub layer: Layer,
    #[serde(rename = "status")]
    pub finding: Finding,
    #[serde(rename = "constraint_type")]
    pub strength: Strength,
    pub confidence: Confidence,
    #[serde(default)]
    pub detail: String,
    /// A quotation of the chapter; may be empty where the chapter lacks something.
    #[serde(default)]
    pub evidence: String,
    /// True when the quotation stands in the chapter.
    #[serde(default)]
    pub evidence_found: bool,
}

const fn of_the_world() -> Layer {
    Layer::World
}

impl Check {
    /// True when the finding forces a revision: a hard rule, broken with high confidence, proven by words of the
    /// chapter. A *missing* thing (an objective of the chapter contract) cannot be quoted, so a chapter contract's
    /// violation counts without a quotation, but never with a false one.
    pub fn blocks(&self) -> bool {
        self.accuses() && self.is_shown()
    }

    /// True for a violation that would force a revision if its quotation stood in the chapter. The author is told, and
    /// nothing is forced.
    pub fn is_unproven(&self) -> bool {
        self.accuses() && !self.is_shown()
    }

    /// True for a hard rule without an answer. Code checks the leak rule, so it is never unanswered.
    pub fn is_unanswered(&self) -> bool {
        self.finding == Finding::NotChecked && self.strength == Strength::Hard
    }

    fn accuses(&self) -> bool {
        self.finding == Finding::Violation && self.confidence == Confidence::High && self.strength == Strength::Hard
    }

    fn is_shown(&self) -> bool {
        self.evidence_found || (self.layer == Layer::Chapter && self.evidence.trim().is_empty())
    }

    /// The weight of the check; where two judges differ, the larger one stands.
    fn weight(&self) -> u8 {
        match self {
            check if check.blocks() => 3,
            check if check.is_unproven() => 2,
            check if check.is_unanswered() => 1,
            _ => 0,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// The passage: a quotation or a description.
    #[serde(default)]
    pub target: String,
    pub instruction: String,
}

/// A judge's report on one version of a chapter.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    pub chapter: ChapterNo,
    /// False for the offline judge, whose scores follow from the chapter's number without reading the text.
    pub reading: bool,
    /// One check for each rule of the four layers that holds, unknown results included.
    pub checks: Vec<Check>,
    /// In the order of [`Dimension::ALL`].
    pub scores: Vec<Score>,
    /// Machine-readable remarks such as `character_speech_missing:lin-feng`.
    pub risk_flags: Vec<String>,
    pub required_fixes: Vec<Fix>,
    pub issues: Vec<String>,
    pub strengths: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    #[error("no score: `{0}`")]
    Missing(Dimension),
    #[error("two scores: `{0}`")]
    Twice(Dimension),
    #[error("score out of range: `{0}`")]
    OutOfRange(Dimension),
}

impl Evaluation {
    /// True when a judge has read the chapter and found that it keeps the rule of the world.
    pub fn verifies(&self, rule: &str) -> bool {
        let mut checks = self.checks.iter().filter(|check| check.layer == Layer::World && check.rule == rule);
        self.reading && checks.any(|check| check.finding == Finding::Pass)
    }

    pub fn score_of(&self, dimension: Dimension) -> Option<f64> {
        self.scores.iter().find(|score| score.dimension == dimension).map(|score| score.score)
    }

    /// Checks that each dimension is scored once, between 1 and 5, and sorts the scores.
    pub fn checked(mut self) -> Result<Self, Unusable> {
        for &dimension in Dimension::ALL {
            let mut of_it = self.scores.iter().filter(|score| score.dimension == dimension);
            let score = of_it.next().ok_or(Unusable::Missing(dimension))?;
            if of_it.next().is_some() {
                return Err(Unusable::Twice(dimension));
            }
            if !(1.0..=5.0).contains(&score.score) {
                return Err(Unusable::OutOfRange(dimension));
            }
        }
        self.scores.sort_by_key(|score| score.dimension);
        Ok(self)
    }

    /// The weighted mean of the scores, 1.00 to 5.00, rounded to two places.
    pub fn overall(&self) -> f64 {
        let sum: f64 = self.scores.iter().map(|s| s.score * f64::from(s.dimension.weight_percent())).sum();
        sum.round() / 100.0
    }

    pub fn blocking(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.blocks())
    }

    /// The violations without proof; see [`Check::is_unproven`].
    pub fn unproven(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.is_unproven())
    }

    /// The hard rules without the judge's answer.
    pub fn unanswered(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.is_unanswered())
    }

    /// The rules with an unknown result, hard and soft.
    pub fn unchecked(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| !check.finding.is_checked())
    }

    /// True when the gate may use the report: the judge has answered for every hard rule, or there was no judge (an
    /// offline verdict only drives the pipeline).
    pub fn is_complete(&self) -> bool {
        !self.reading || self.unanswered().next().is_none()
    }

    /// The report with violations of waived rules marked as waived.
    #[must_use]
    pub fn waiving(mut self, waivers: &Waivers) -> Self {
        for check in &mut self.checks {
            let is_kept = matches!(check.finding, Finding::Pass | Finding::NotApplicable);
            if !is_kept && waivers.of_rule(self.chapter, &check.rule).is_some() {
                check.finding = Finding::Waived;
            }
        }
        self
    }

    /// Merges two judges' reports (row R16). The one with the lower overall score counts, or at equal scores the one
    /// with more blocking violations. It takes over the blocking and unproven violations and the unanswered hard rules
    /// that only the other judge has, because each report has to be complete; if one of those violations blocks, it
    /// takes over the other's fixes too. Scores are opinions; a violation is proven by the text.
    #[must_use]
    pub fn stricter(self, other: Self) -> Self {
        let rank = |e: &Self| (e.overall(), -(e.blocking().count() as f64));
        let lower = rank(&other).partial_cmp(&rank(&self)) == Some(std::cmp::Ordering::Less);
        let (mut counts, other) = if lower { (other, self) } else { (self, other) };
        let own_weight = |rule: &str| counts.checks.iter().filter(|own| own.rule == rule).map(Check::weight).max();
        let more = other.checks.iter().filter(|check| check.weight() > own_weight(&check.rule).unwrap_or(0));
        let more: Vec<Check> = more.cloned().collect();
        if more.iter().any(Check::blocks) {
            counts.required_fixes.extend(other.required_fixes);
        }
        counts.checks.retain(|own| more.iter().all(|check| check.rule != own.rule));
        counts.checks.extend(more);
        counts.reading &= other.reading;
        counts
    }
}

/// A planted flaw has to lower the score of its dimension by at least so many points.
pub const LEAST_DROP: f64 = 0.5;
/// The most points between the highest and the lowest score in repeated readings of one text.
pub const MOST_SPREAD: f64 = 0.2;
/// Readings of a text without a flaw.
const CLEAN_READINGS: u32 = 3;

/// Scores have one decimal; the error of their sums is below this.
const ROUNDING: f64 = 1e-9;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reading {
    /// The unchanged text; readings are counted from 1.
    Clean(u32),
    Flawed(Dimension),
}

impl Reading {
    /// All readings of a text in order. Readings of the clean text stand apart, so that a server's cache does not give
    /// one answer three times.
    pub fn all() -> Vec<Self> {
        let flawed: Vec<Self> = Dimension::ALL.iter().copied().map(Self::Flawed).collect();
        let apart = flawed.len().div_ceil(CLEAN_READINGS as usize);
        let parts = flawed.chunks(apart).zip(1..);
        parts.flat_map(|(part, n)| [&[Self::Clean(n)], part].concat()).collect()
    }
}

/// The scores of one text; a reading without a usable report is missing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextScores {
    pub readings: BTreeMap<Reading, BTreeMap<Dimension, f64>>,
}

impl TextScores {
    /// The scores of the clean text in the order of the readings.
    pub fn clean(&self, dimension: Dimension) -> Vec<f64> {
        let clean = self.readings.iter().filter(|(reading, _)| matches!(reading, Reading::Clean(_)));
        clean.filter_map(|(_, scores)| scores.get(&dimension).copied()).collect()
    }

    pub fn flawed(&self, dimension: Dimension) -> Option<f64> {
        self.readings.get(&Reading::Flawed(dimension))?.get(&dimension).copied()
    }

    /// Points from the mean of the clean text down to the flawed one; `None` where a score is missing.
    pub fn drop(&self, dimension: Dimension) -> Option<f64> {
        let clean = self.clean(dimension);
        let mean = clean.iter().sum::<f64>() / clean.len() as f64;
        self.flawed(dimension).filter(|_| !clean.is_empty()).map(|flawed| mean - flawed)
    }

    /// Points between the highest and the lowest score of the clean text; `None` with fewer than two readings.
    pub fn spread(&self, dimension: Dimension) -> Option<f64> {
        let clean = self.clean(dimension);
        let (low, high) = (clean.iter().copied().reduce(f64::min)?, clean.iter().copied().reduce(f64::max)?);
        (clean.len() > 1).then_some(high - low)
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trust {
    pub dimension: Dimension,
    /// The smallest drop that a planted flaw caused; `None` where a reading is missing.
    pub drop: Option<f64>,
    /// The largest spread of repeated readings; `None` where readings are missing.
    pub spread: Option<f64>,
}

impl Trust {
    pub fn of_all(texts: &[TextScores]) -> Vec<Self> {
        let of = |&dimension: &Dimension| {
            let worst = |figure: fn(&TextScores, Dimension) -> Option<f64>, pick: fn(f64, f64) -> f64| {
                let figures: Option<Vec<f64>> = texts.iter().map(|text| figure(text, dimension)).collect();
                figures?.into_iter().reduce(pick)
            };
            Self { dimension, drop: worst(TextScores::drop, f64::min), spread: worst(TextScores::spread, f64::max) }
        };
        Dimension::ALL.iter().map(of).collect()
    }

    /// True when every planted flaw was noticed.
    pub fn notices(&self) -> bool {
        self.drop.is_some_and(|drop| drop >= LEAST_DROP - ROUNDING)
    }

    /// True when repeated readings agree.
    pub fn is_steady(&self) -> bool {
        self.spread.is_some_and(|spread| spread <= MOST_SPREAD + ROUNDING)
    }

    /// True when the dimension's scores mean something.
    pub fn is_trusted(&self) -> bool {
        self.notices() && self.is_steady()
    }
}

/// The readings that gave no usable report.
pub fn missing(text: &TextScores) -> BTreeSet<Reading> {
    Reading::all().into_iter().filter(|reading| !text.readings.contains_key(reading)).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// An evaluation with the same score everywhere.
    pub(crate) fn flat(score: f64) -> Evaluation {
        let one = |&dimension: &Dimension| Score {
            dimension,
            score,
            reason: String::new(),
            evidence: String::new(),
            evidence_found: false,
        };
        Evaluation {
            chapter: ChapterNo::FIRST,
            reading: true,
            checks: Vec::new(),
            scores: Dimension::ALL.iter().map(one).collect(),
            risk_flags: Vec::new(),
            required_fixes: Vec::new(),
            issues: Vec::new(),
            strengths: Vec::new(),
        }
    }

    fn violation(layer: Layer, strength: Strength, confidence: Confidence, evidence: &str, found: bool) -> Check {
        Check {
            rule: "W-001".into(),
            layer,
            strength,
            finding: Finding::Violation,
            confidence,
            detail: String::new(),
            evidence: evidence.into(),
            evidence_found: found,
        }
    }

    #[test]
    fn the_weights_make_a_whole_and_the_sources_example_scores_3_82() {
        assert_eq!(Dimension::ALL.iter().map(|d| d.weight_percent()).sum::<u32>(), 100);
        let mut evaluation = flat(4.0);
        for score in &mut evaluation.scores {
            if matches!(score.dimension, Dimension::Foreshadowing | Dimension::EmotionalImpact) {
                score.score = 3.0;
            }
        }
        assert!((evaluation.overall() - 3.82).abs() < 1e-9, "{}", evaluation.overall());
    }

    #[test]
    fn only_a_sure_and_shown_break_of_a_hard_rule_blocks() {
        use Confidence::{High, Medium};
        use Strength::{Hard, Soft};
        let cases = [
            (violation(Layer::World, Hard, High, "他御剑而起", true), true),
            (violation(Layer::World, Hard, High, "从未写过的话", false), false),
            (violation(Layer::World, Hard, High, "", false), false),
            (violation(Layer::World, Soft, High, "他御剑而起", true), false),
            (violation(Layer::World, Hard, Medium, "他御剑而起", true), false),
            (violation(Layer::Chapter, Hard, High, "", false), true),
            (violation(Layer::Chapter, Hard, High, "从未写过的话", false), false),
        ];
        for (check, blocks) in cases {
            assert_eq!(check.blocks(), blocks, "{check:?}");
        }
    }

    #[test]
    fn a_missing_double_or_absurd_score_is_refused() {
        assert!(flat(3.0).checked().is_ok());
        let mut missing = flat(3.0);
        missing.scores.pop();
        assert_eq!(missing.checked(), Err(Unusable::Missing(Dimension::StorylineCoherence)));
        let mut twice = flat(3.0);
        twice.scores.push(twice.scores[0].clone());
        assert_eq!(twice.checked(), Err(Unusable::Twice(Dimension::PlotLogic)));
        assert_eq!(flat(9.0).checked(), Err(Unusable::OutOfRange(Dimension::PlotLogic)));
        assert_eq!(flat(f64::NAN).checked(), Err(Unusable::OutOfRange(Dimension::PlotLogic)));
    }

    #[test]
    fn a_violation_that_one_judge_shows_counts_whatever_the_scores() {
        let broken = violation(Layer::World, Strength::Hard, Confidence::High, "他御剑而起", true);
        let fix = Fix { target: "他御剑而起".into(), instruction: "改成翻墙".into() };
        let strict = Evaluation { checks: vec![broken], required_fixes: vec![fix], ..flat(4.5) };
        let kept = Check { finding: Finding::Pass, ..strict.checks[0].clone() };
        let lenient = Evaluation { checks: vec![kept], ..flat(4.2) };
        for both in [strict.clone().stricter(lenient.clone()), lenient.stricter(strict)] {
            let seen = (both.overall(), both.checks.len(), both.blocking().count(), both.required_fixes.len());
            assert_eq!(seen, (4.2, 1, 1, 1));
        }
    }

    #[test]
    fn what_is_unproven_or_unanswered_neither_blocks_nor_is_lost_beside_another_report() {
        let broken = violation(Layer::World, Strength::Hard, Confidence::High, "从未写过的话", false);
        let of = |finding, strength| Check { finding, strength, evidence: String::new(), ..broken.clone() };
        assert!(broken.is_unproven() && !broken.blocks() && !broken.is_unanswered());
        let silent = of(Finding::NotChecked, Strength::Hard);
        assert!(silent.is_unanswered() && !silent.is_unproven() && !silent.finding.is_checked());
        assert!(!of(Finding::NotChecked, Strength::Soft).is_unanswered());
        assert!(!of(Finding::NotAsked, Strength::Hard).is_unanswered());
        let report = |check: &Check, score| Evaluation { checks: vec![check.clone()], ..flat(score) };
        let kept = of(Finding::Pass, Strength::Hard);
        for (check, complete) in [(&broken, true), (&silent, false)] {
            for (a, b) in [(4.5, 4.0), (4.0, 4.5)] {
                let both = report(check, a).stricter(report(&kept, b));
                assert_eq!((&both.checks[..], both.is_complete()), (&[check.clone()][..], complete));
            }
        }
        let offline = Evaluation { reading: false, ..report(&silent, 4.0) };
        assert!(offline.is_complete() && !offline.clone().stricter(flat(4.5)).reading);
    }

    proptest! {
        #[test]
        fn of_two_judges_the_lower_counts_whatever_their_order(a in 1.0f64..=5.0, b in 1.0f64..=5.0) {
            let lower = flat(a.min(b)).overall();
            prop_assert_eq!(flat(a).stricter(flat(b)).overall(), lower);
            prop_assert_eq!(flat(b).stricter(flat(a)).overall(), lower);
        }
    }

    #[test]
    fn the_checks_of_a_report_are_told_apart() {
        let check = |rule: &str, finding, found| Check {
            rule: rule.into(),
            finding,
            ..violation(Layer::World, Strength::Hard, Confidence::High, "他下了水", found)
        };
        let checks = vec![
            check("W-001", Finding::Pass, true),
            check("W-002", Finding::Violation, true),
            check("W-003", Finding::Violation, false),
            check("W-004", Finding::NotChecked, false),
        ];
        let report = Evaluation { checks, ..flat(4.0) };
        let rules =
            |checks: &mut dyn Iterator<Item = &Check>| checks.map(|check| check.rule.clone()).collect::<Vec<_>>();
        assert_eq!(rules(&mut report.blocking()), ["W-002"]);
        assert_eq!(rules(&mut report.unproven()), ["W-003"]);
        assert_eq!(rules(&mut report.unchecked()), ["W-004"]);
        assert_eq!(rules(&mut report.unanswered()), ["W-004"]);
    }

    #[test]
    fn a_waived_rule_is_set_apart_in_its_chapter_unless_it_is_kept() {
        use crate::domain::chapter::{Waiver, Waivers};
        let mut waivers = Waivers::default();
        for finding in ["ch-001/W-001", "ch-001/W-002", "ch-002/W-003"] {
            waivers.add(Waiver { finding: finding.parse().unwrap(), reason: "有意".into() });
        }
        let check = |rule: &str, finding| Check {
            rule: rule.into(),
            finding,
            ..violation(Layer::World, Strength::Hard, Confidence::High, "他下了水", true)
        };
        let checks =
            vec![check("W-001", Finding::Violation), check("W-002", Finding::Pass), check("W-003", Finding::Violation)];
        let found: Vec<Finding> =
            Evaluation { checks, ..flat(4.0) }.waiving(&waivers).checks.iter().map(|check| check.finding).collect();
        assert_eq!(found, [Finding::Waived, Finding::Pass, Finding::Violation]);
    }

    #[test]
    fn each_dimension_has_its_own_score() {
        let mut report = flat(4.0);
        report.scores[1].score = 2.5;
        let [first, second] = [0, 1].map(|at| report.score_of(Dimension::ALL[at]));
        assert_eq!((first, second), (Some(4.0), Some(2.5)));
        report.scores.remove(0);
        assert_eq!(report.score_of(Dimension::ALL[0]), None);
    }

    #[test]
    fn of_two_equal_scores_the_one_with_more_violations_counts() {
        let broken = violation(Layer::World, Strength::Hard, Confidence::High, "他下了水", true);
        let report = |name: &str, checks: &[Check]| Evaluation {
            strengths: vec![name.to_owned()],
            checks: checks.to_vec(),
            ..flat(4.0)
        };
        let (mild, strict) = (report("mild", &[]), report("strict", &[broken]));
        for merged in [mild.clone().stricter(strict.clone()), strict.stricter(mild)] {
            assert_eq!((merged.strengths.as_slice(), merged.blocking().count()), (&["strict".to_owned()][..], 1));
        }
    }

    /// A text whose clean readings score `clean` everywhere, and whose flawed ones are `flawed` in their own dimension.
    fn text(clean: [f64; 3], flawed: f64) -> TextScores {
        let even = |score: f64| Dimension::ALL.iter().map(|dimension| (*dimension, score)).collect::<BTreeMap<_, _>>();
        let readings = Reading::all().into_iter().map(|reading| match reading {
            Reading::Clean(n) => (reading, even(clean[n as usize - 1])),
            Reading::Flawed(dimension) => {
                let mut scores = even(clean[0]);
                scores.insert(dimension, flawed);
                (reading, scores)
            }
        });
        TextScores { readings: readings.collect() }
    }

    fn all(texts: &[TextScores], of: fn(&Trust) -> bool) -> bool {
        Trust::of_all(texts).iter().all(of)
    }

    #[test]
    fn a_judge_is_trusted_who_notices_flaws_and_repeats_itself() {
        assert!(all(&[text([4.2, 4.1, 4.3], 3.7), text([4.0, 4.0, 4.0], 3.5)], Trust::is_trusted));
        assert!(
            !Trust::of_all(&[text([4.2; 3], 3.0), text([4.0; 3], 3.6)]).iter().any(Trust::notices),
            "the worst text counts"
        );
        assert!(!Trust::of_all(&[text([4.0, 4.0, 4.3], 2.0)]).iter().any(Trust::is_steady));
        assert!(!Trust::of_all(&[text([4.0; 3], 4.0)]).iter().any(Trust::is_trusted), "a judge who scores all alike");
    }

    #[test]
    fn a_missing_reading_is_no_reason_for_trust() {
        let mut lacking = text([4.0; 3], 3.0);
        lacking.readings.remove(&Reading::Flawed(Dimension::Pacing));
        assert_eq!(missing(&lacking), BTreeSet::from([Reading::Flawed(Dimension::Pacing)]));
        let trust = Trust::of_all(&[lacking, text([4.0; 3], 3.0)]);
        let distrusted: Vec<Dimension> = trust.iter().filter(|of| !of.is_trusted()).map(|of| of.dimension).collect();
        assert_eq!(distrusted, [Dimension::Pacing]);
        assert!(Trust::of_all(&[]).iter().all(|of| !of.is_trusted()), "nothing was read");
    }

    #[test]
    fn readings_of_one_text_do_not_follow_each_other() {
        let all = Reading::all();
        assert_eq!(all.len(), Dimension::ALL.len() + CLEAN_READINGS as usize);
        let clean = |reading: &Reading| matches!(reading, Reading::Clean(_));
        assert!(all.windows(2).all(|pair| !(clean(&pair[0]) && clean(&pair[1]))));
    }

    #[test]
    fn one_reading_has_no_spread() {
        let mut scores = text([4.0, 4.5, 4.2], 3.0);
        assert_eq!(scores.spread(Dimension::ALL[0]), Some(0.5));
        scores.readings.retain(|reading, _| *reading == Reading::Clean(1));
        assert_eq!(scores.spread(Dimension::ALL[0]), None);
    }
}
