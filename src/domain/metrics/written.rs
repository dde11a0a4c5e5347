//! Extracts of the book's files for its figures, small enough to keep for every chapter.

use crate::domain::chapter::Gate;
use crate::domain::chapter::evaluation::{Check, Confidence, Dimension, Evaluation, Finding};
use crate::domain::chapter::summary::{CrossReference, LeakRisk, lines_seen};
use crate::domain::prelude::*;
use crate::domain::quality::StyleFigure;
use crate::domain::volume::foreshadowing::{Action, Foreshadowing};
use crate::domain::volume::plan::{Flaw, Plan, PlanBasis};
use crate::domain::world::contract::{Layer, Strength};
use crate::domain::world::storyline::Convergence;

#[derive(Debug, Clone, PartialEq)]
pub struct ChapterMetrics {
    pub chapter: ChapterNo,
    pub words: Option<u64>,
    pub report: Option<ReportFigures>,
    pub gate: Option<Gate>,
    /// `None` without a summary.
    pub lines: Option<LineFigures>,
    pub calls: Option<CallFigures>,
    /// The style of the quality brief that ends with the chapter; empty without one.
    pub style: Vec<StyleFigure>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ReportFigures {
    /// False for the offline judge, whose scores are placeholders.
    pub reading: bool,
    pub overall: f64,
    pub scores: BTreeMap<Dimension, f64>,
    /// True when every hard rule was checked without a certain violation; `None` when nothing was found and something
    /// was not checked.
    pub clean: Option<bool>,
    /// The number of blocking violations; `None` when nothing was found and something was not checked.
    pub blocking: Option<usize>,
    /// Character contracts that the chapter touches: kept, broken, not checked.
    pub conduct: (usize, usize, usize),
}

impl ReportFigures {
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

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineFigures {
    /// The storylines that the chapter is on or speaks of.
    pub seen: BTreeSet<String>,
    /// True when the chapter gives away a secret of another storyline.
    pub leaks: bool,
}

impl LineFigures {
    /// The storylines of a chapter on `own`, with those in its summary.
    pub fn of(own: &Slug, references: &[CrossReference]) -> Self {
        Self {
            seen: lines_seen(Some(own), references).map(str::to_owned).collect(),
            leaks: references.iter().any(|reference| reference.risk == LeakRisk::High),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CallFigures {
    /// Milliseconds; `None` where the clock stood still.
    pub duration_ms: Option<u64>,
    /// Millionths of a US dollar.
    pub cost_micro_usd: Option<u64>,
    pub revisions: u32,
    /// Tokens sent by calls that report cache use, and the cached part.
    pub cached: Option<(u64, u64)>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanFigures {
    /// The plot threads to plant or to advance.
    pub threads: Vec<PlannedThread>,
    /// Crossovers without their words.
    pub convergences: Vec<Convergence>,
    /// For each chapter with a contract, whether its preconditions have been brought about.
    pub chained: BTreeMap<ChapterNo, bool>,
}

impl PlanFigures {
    /// The figures of a plan, where earlier plans have left `standing`.
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

/// For each chapter with a contract, whether its preconditions have been brought about. A rule is no precondition once
/// the chapter is written, and other chapters have none.
fn chained(plan: &Plan, standing: BTreeMap<Slug, Vec<String>>) -> BTreeMap<ChapterNo, bool> {
    let Some((first, _)) = plan.outline.range() else { return BTreeMap::new() };
    let rules = plan.contracts.values().flat_map(|contract| contract.rules.iter().cloned()).collect();
    let basis = PlanBasis { first: first.get(), standing, rules, ..PlanBasis::default() };
    let flaws = plan.flaws(&basis);
    let loose: BTreeSet<ChapterNo> =
        flaws.iter().filter(|flaw| matches!(flaw, Flaw::Unfounded { .. })).filter_map(Flaw::chapter).collect();
    plan.contracts.keys().map(|chapter| (*chapter, !loose.contains(chapter))).collect()
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedThread {
    pub id: Slug,
    /// The chapter that plants the thread; `None` for a thread of an earlier volume.
    pub plant: Option<ChapterNo>,
    /// First and last chapter of the resolution.
    pub target: Option<(u32, u32)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadFigures {
    pub planted: ChapterNo,
    /// The last chapter that touched the thread.
    pub updated: ChapterNo,
    pub is_resolved: bool,
    /// First and last chapter of the resolution.
    pub target: Option<(u32, u32)>,
    /// `None` for a thread that is never overdue.
    pub overdue_after: Option<u32>,
}

impl ThreadFigures {
    pub fn of(thread: &Foreshadowing) -> Self {
        Self {
            planted: thread.planted_chapter(),
            updated: thread.last_updated_chapter(),
            is_resolved: thread.status() == Action::Resolved,
            target: thread.target,
            overdue_after: thread.target.map(|(_, latest)| latest).filter(|_| thread.overdue(u32::MAX)),
        }
    }

    /// True when the thread is still open after its range.
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
