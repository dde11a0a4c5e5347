//! The quality gate: the next step after a judgement (orchestrator chapter §8.2, row R15).

use super::evaluation::Evaluation;
use crate::domain::prelude::*;

/// The least scores of the gate's decisions. A score equal to a threshold is above it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    pub pass: f64,
    /// The chapter is polished once more and accepted.
    pub polish: f64,
    /// The strong model revises the chapter.
    pub revise: f64,
    /// The author decides; below, the whole chapter is rewritten.
    pub pause: f64,
    /// The most revisions by the strong model.
    pub max_revisions: u32,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { pass: 4.0, polish: 3.5, revise: 3.0, pause: 2.0, max_revisions: 2 }
    }
}

named! {
    pub enum Gate {
        /// Accept as it is.
        Pass = "pass",
        /// Polish a second time, then accept.
        Polish = "polish",
        /// Revise with the strong model, then judge again.
        Revise = "revise",
        /// Write the whole chapter again.
        Rewrite = "rewrite",
        Pause = "pause",
        /// Accept although the revisions did not reach the threshold.
        ForcePass = "force_passed",
        AuthorPass = "author_accepted",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tries {
    pub revisions: u32,
    /// Complete rewrites by the gate.
    pub rewrites: u32,
    /// True when a revision of the present text could not be used, which is the writer's: the same order is not paid for again.
    pub futile: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mode {
    /// The chapter has two judges.
    pub key: bool,
    /// The chapter is written scene by scene. A draft in progress keeps its mode.
    pub by_scenes: bool,
}

/// The most rewrites by the gate alone before it asks the author: a second failure of that size is the plan's fault
/// rather than the draft's, and each rewrite costs four calls.
pub const MAX_REWRITES: u32 = 1;

/// Decides on a judged chapter. A report that leaves hard rules unanswered waits for the author, whatever its scores.
pub fn decide(evaluation: &Evaluation, tries: Tries, borders: &Thresholds) -> Gate {
    let overall = evaluation.overall();
    let blocked = evaluation.blocking().next().is_some();
    let exhausted = tries.futile || tries.revisions >= borders.max_revisions;
    if !evaluation.is_complete() {
        return Gate::Pause;
    }
    if overall < borders.pause {
        return if tries.rewrites < MAX_REWRITES && tries.revisions == 0 { Gate::Rewrite } else { Gate::Pause };
    }
    if overall < borders.revise {
        return Gate::Pause;
    }
    if blocked || overall < borders.polish {
        return if exhausted { Gate::ForcePass } else { Gate::Revise };
    }
    if overall < borders.pass { Gate::Polish } else { Gate::Pass }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::chapter::evaluation::tests::flat;
    use crate::domain::chapter::evaluation::{Check, Confidence, Finding};
    use crate::domain::world::contract::{Layer, Strength};
    use proptest::prelude::*;

    fn blocked(score: f64) -> Evaluation {
        let check = Check {
            rule: "LS-005".into(),
            layer: Layer::Storyline,
            strength: Strength::Hard,
            finding: Finding::Violation,
            confidence: Confidence::High,
            detail: String::new(),
            evidence: "他想起城北的事".into(),
            evidence_found: true,
        };
        Evaluation { checks: vec![check], ..flat(score) }
    }

    #[test]
    fn every_row_of_the_table() {
        let after = |revisions| Tries { revisions, ..Tries::default() };
        let rewritten = Tries { rewrites: 1, ..Tries::default() };
        let table = [
            (flat(4.0), after(0), Gate::Pass),
            (flat(3.99), after(0), Gate::Polish),
            (flat(3.5), after(0), Gate::Polish),
            (flat(3.49), after(0), Gate::Revise),
            (flat(3.0), after(1), Gate::Revise),
            (flat(3.0), after(2), Gate::ForcePass),
            (flat(2.99), after(0), Gate::Pause),
            (flat(2.99), after(2), Gate::Pause),
            (flat(2.0), after(0), Gate::Pause),
            (flat(1.99), after(0), Gate::Rewrite),
            (flat(1.99), rewritten, Gate::Pause),
            (flat(1.99), after(1), Gate::Pause),
            (blocked(4.6), after(0), Gate::Revise),
            (blocked(4.6), after(2), Gate::ForcePass),
            (blocked(2.5), after(0), Gate::Pause),
            (flat(4.2), after(2), Gate::Pass),
            (flat(3.7), after(2), Gate::Polish),
        ];
        for (evaluation, tries, gate) in table {
            let violations = evaluation.blocking().count();
            let got = decide(&evaluation, tries, &Thresholds::default());
            assert_eq!(got, gate, "{} with {violations} violations after {tries:?}", evaluation.overall());
        }
    }

    #[test]
    fn a_report_that_leaves_out_hard_rules_never_passes() {
        let silent = Check { finding: Finding::NotChecked, ..blocked(4.0).checks[0].clone() };
        for score in [1.5, 2.5, 3.2, 3.7, 4.8] {
            let report = Evaluation { checks: vec![silent.clone()], ..flat(score) };
            assert_eq!(decide(&report, Tries::default(), &Thresholds::default()), Gate::Pause, "{score}");
            // The offline judge is asked for no rule at all.
            let offline = Evaluation { reading: false, ..report };
            let same = decide(&flat(score), Tries::default(), &Thresholds::default());
            assert_eq!(decide(&offline, Tries::default(), &Thresholds::default()), same, "{score}");
        }
        let soft = Check { strength: Strength::Soft, ..silent };
        let report = Evaluation { checks: vec![soft], ..flat(4.2) };
        assert_eq!(decide(&report, Tries::default(), &Thresholds::default()), Gate::Pass);
    }

    proptest! {
        #[test]
        fn the_gate_never_asks_for_more_than_is_allowed(score in 1.0f64..=5.0, revisions in 0u32..4, rewrites in 0u32..3) {
            for evaluation in [flat(score), blocked(score)] {
                let gate = decide(&evaluation, Tries { revisions, rewrites, futile: false }, &Thresholds::default());
                prop_assert!(gate != Gate::Revise || revisions < 2);
                prop_assert!(gate != Gate::Rewrite || rewrites < MAX_REWRITES);
                prop_assert!(gate != Gate::ForcePass || evaluation.overall() >= 3.0);
            }
        }
    }
}
