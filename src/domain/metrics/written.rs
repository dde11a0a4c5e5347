//! The part of each of the book's files that its figures are counted from: small enough to be kept for every chapter.

use crate::domain::chapter::evaluation::{Check, Confidence, Dimension, Evaluation, Finding};
use crate::domain::chapter::gate::Gate;
use crate::domain::chapter::summary::{CrossReference, LeakRisk, lines_seen};
use crate::domain::quality::StyleFigure;
use crate::domain::volume::foreshadowing::{Action, Foreshadowing};
use crate::domain::volume::plan::{Flaw, Plan, PlanBasis};
use crate::domain::world::contract::{Layer, Strength};
use crate::domain::world::storyline::Convergence;
use crate::domain::{ChapterNo, Slug};
use std::collections::{BTreeMap, BTreeSet};

/// The records of an accepted chapter.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    pub chapter: ChapterNo,
    pub words: Option<u64>,
    pub report: Option<ReportFigures>,
    pub gate: Option<Gate>,
    /// Its lines; `None` without a summary.
    pub lines: Option<LineFigures>,
    /// The log's figures for its calls.
    pub calls: Option<Calls>,
    /// The figures of style of the quality brief that ends with it; empty without one.
    pub style: Vec<StyleFigure>,
}

/// The figures of a judge's report.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportFigures {
    /// False for the offline judge's verdict, whose scores are placeholders.
    pub reading: bool,
    pub overall: f64,
    /// The score of each dimension that has one.
    pub scores: BTreeMap<Dimension, f64>,
    /// True when every hard rule was checked and no violation found that the judge is sure of; `None` when nothing was found and
    /// something was not checked.
    pub clean: Option<bool>,
    /// How many violations block; `None` when none does and something was not checked.
    pub blocking: Option<usize>,
    /// The character contracts that the chapter touches: how many were kept, were broken, and were not checked.
    pub conduct: (usize, usize, usize),
}

impl ReportFigures {
    /// The figures of that report.
    #[must_use]
    pub fn of(report: &Evaluation) -> Self {
        let is_open = |check: &Check| check.strength == Strength::Hard && !check.finding.is_checked();
        let is_checked = report.reading && !report.checks.iter().any(is_open);
        let is_sure = |check: &Check| check.finding == Finding::Violation && check.confidence == Confidence::High;
        let is_broken = report.checks.iter().any(is_sure);
        let blocking = report.blocking().count();
        let mut conduct = (0, 0, 0);
        for check in report.checks.iter().filter(|check| check.layer == Layer::Character) {
            match check.finding {
                Finding::NotApplicable => {}
                Finding::Pass => conduct.0 += 1,
                finding if finding.is_checked() => conduct.1 += 1,
                _ => conduct.2 += 1,
            }
        }
        let score = |dimension: &Dimension| Some((*dimension, report.score_of(*dimension)?));
        Self {
            reading: report.reading,
            overall: report.overall(),
            scores: Dimension::ALL.iter().filter_map(score).collect(),
            clean: (is_broken || is_checked).then_some(!is_broken),
            blocking: (blocking > 0 || is_checked).then_some(blocking),
            conduct,
        }
    }
}

/// The storylines of a chapter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineFigures {
    /// Those that it is on or speaks of.
    pub seen: BTreeSet<String>,
    /// Whether it gives away what belongs to another line.
    pub leaks: bool,
}

impl LineFigures {
    /// The lines of a chapter that is on `own`, by what its summary says of others.
    #[must_use]
    pub fn of(own: &Slug, references: &[CrossReference]) -> Self {
        Self {
            seen: lines_seen(Some(own), references).map(str::to_owned).collect(),
            leaks: references.iter().any(|reference| reference.risk == LeakRisk::High),
        }
    }
}

/// The calls for a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Calls {
    /// How long they took, in milliseconds; `None` where the clock stood still.
    pub duration_ms: Option<u64>,
    /// Their cost, in millionths of a US dollar.
    pub cost_micro_usd: Option<u64>,
    /// Revisions by the strong model.
    pub revisions: u32,
    /// Tokens sent by calls that say what came from a cache, and what did.
    pub cached: Option<(u64, u64)>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanFigures {
    /// The plot threads that it is to plant or to go on with.
    pub threads: Vec<PlannedThread>,
    /// Its crossovers, without their words.
    pub convergences: Vec<Convergence>,
    /// For each chapter with a contract, whether what it presupposes has been brought about.
    pub chained: BTreeMap<ChapterNo, bool>,
}

impl PlanFigures {
    /// The figures of that plan, after plans that have left this standing.
    #[must_use]
    pub fn of(plan: &Plan, standing: BTreeMap<Slug, Vec<String>>) -> Self {
        let threads = plan.foreshadowing.iter().map(|planned| PlannedThread {
            id: planned.id.clone(),
            plant: planned.plant,
            target: planned.target,
        });
        let convergences = plan.schedule.iter().flat_map(|schedule| &schedule.convergences);
        let bare = |convergence: &Convergence| Convergence {
            trigger: String::new(),
            aftermath: String::new(),
            ..convergence.clone()
        };
        Self {
            threads: threads.collect(),
            convergences: convergences.map(bare).collect(),
            chained: chained(plan, standing),
        }
    }
}

/// For each chapter with a contract, whether what it presupposes has been brought about. A rule is not among that once the chapter
/// is written, and of other chapters nothing is asked.
fn chained(plan: &Plan, standing: BTreeMap<Slug, Vec<String>>) -> BTreeMap<ChapterNo, bool> {
    let Some((first, _)) = plan.outline.range() else { return BTreeMap::new() };
    let basis = PlanBasis { first: first.get(), standing, written: u32::MAX, ..PlanBasis::default() };
    let flaws = plan.flaws(&basis);
    let loose: BTreeSet<ChapterNo> =
        flaws.iter().filter(|flaw| matches!(flaw, Flaw::Unfounded { .. })).filter_map(Flaw::chapter).collect();
    plan.contracts.keys().map(|chapter| (*chapter, !loose.contains(chapter))).collect()
}

/// A plot thread of a volume's plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedThread {
    pub id: Slug,
    /// The chapter that plants it; `None` for one that an earlier volume planted.
    pub plant: Option<ChapterNo>,
    /// First and last chapter in which it should be resolved.
    pub target: Option<(u32, u32)>,
}

/// A plot thread of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadFigures {
    pub planted: ChapterNo,
    /// The chapter that last touched it.
    pub updated: ChapterNo,
    /// Whether it is resolved.
    pub is_resolved: bool,
    /// First and last chapter in which it should be resolved.
    pub target: Option<(u32, u32)>,
    /// The chapter after which it is overdue; `None` for one that never is.
    pub overdue_after: Option<u32>,
}

impl ThreadFigures {
    /// The figures of that thread.
    #[must_use]
    pub fn of(thread: &Foreshadowing) -> Self {
        Self {
            planted: thread.planted_chapter(),
            updated: thread.last_updated_chapter(),
            is_resolved: thread.status() == Action::Resolved,
            target: thread.target,
            overdue_after: thread.target.map(|(_, latest)| latest).filter(|_| thread.overdue(u32::MAX)),
        }
    }

    /// Whether it is still open although `last` is past its range.
    #[must_use]
    pub fn overdue(&self, last: u32) -> bool {
        self.overdue_after.is_some_and(|latest| last > latest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::chapter::evaluation::tests::flat;

    fn check(layer: Layer, strength: Strength, finding: Finding, confidence: Confidence) -> Check {
        Check {
            rule: "R-1".into(),
            layer,
            strength,
            finding,
            confidence,
            detail: String::new(),
            evidence: String::new(),
            evidence_found: false,
        }
    }

    fn figures(checks: &[Check]) -> ReportFigures {
        ReportFigures::of(&Evaluation { checks: checks.to_vec(), ..flat(4.0) })
    }

    #[test]
    fn a_report_is_clean_broken_or_silent() {
        use Confidence::{High, Low};
        use Finding::{NotChecked, Pass, Violation};
        use Strength::{Hard, Soft};
        let of = |checks: &[(Strength, Finding, Confidence)]| {
            let checks: Vec<Check> =
                checks.iter().map(|(strength, found, sure)| check(Layer::World, *strength, *found, *sure)).collect();
            figures(&checks).clean
        };
        assert_eq!(of(&[(Hard, Pass, High)]), Some(true));
        assert_eq!(of(&[(Hard, Pass, High), (Hard, NotChecked, High)]), None);
        assert_eq!(of(&[(Soft, NotChecked, High)]), Some(true), "only hard rules have to be answered");
        assert_eq!(of(&[(Hard, Violation, High), (Hard, NotChecked, High)]), Some(false));
        assert_eq!(of(&[(Hard, Violation, Low)]), Some(true), "the judge is not sure of it");
    }

    #[test]
    fn the_conduct_of_people_is_counted_by_what_was_found() {
        let of = |finding| check(Layer::Character, Strength::Hard, finding, Confidence::High);
        let world = check(Layer::World, Strength::Hard, Finding::Violation, Confidence::High);
        let found = [
            of(Finding::Pass),
            of(Finding::Pass),
            of(Finding::Violation),
            of(Finding::Violation),
            of(Finding::Violation),
            of(Finding::NotChecked),
            of(Finding::NotApplicable),
            world,
        ];
        assert_eq!(figures(&found).conduct, (2, 3, 1));
    }

    #[test]
    fn an_open_thread_is_overdue_after_its_range() {
        let thread = ThreadFigures {
            planted: ChapterNo::FIRST,
            updated: ChapterNo::FIRST,
            is_resolved: false,
            target: Some((4, 9)),
            overdue_after: Some(9),
        };
        assert_eq!([8, 9, 10].map(|last| thread.overdue(last)), [false, false, true]);
        assert!(!ThreadFigures { overdue_after: None, ..thread }.overdue(99));
    }
}
