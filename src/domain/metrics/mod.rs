//! How well a book is doing, by the success figures of the product document (§14). Every figure is counted from what the
//! book has written down; what it has not is unknown and never zero.

mod dimensions;
mod style;

pub use dimensions::DimensionScores;
pub use style::StyleLevel;

use super::chapter::evaluation::{Check, Confidence, Dimension, Evaluation, Finding};
use super::chapter::gate::Gate;
use super::chapter::summary::{CrossReference, LeakRisk, lines_seen};
use super::named::named;
use super::quality::QualityBrief;
use super::volume::foreshadowing::{Action, Ledger, Planned};
use super::volume::plan::{Flaw, Plan, PlanBasis, left_standing};
use super::world::storyline::{Convergence, Schedule};
use super::{ChapterNo, Slug, VolumeNo};
use crate::domain::world::contract::{Layer, Strength};
use std::collections::{BTreeMap, BTreeSet};

/// Consistency errors are counted on this many chapters.
const SCALE: f64 = 100.0;

named! {
    /// A figure.
    pub enum Measure {
        /// Mean of the overall scores.
        Score = "score",
        /// Mean of the naturalness of style.
        Style = "style_naturalness",
        /// Share of chapters without a violation that the judge is sure of, contracts and storyline rules alike.
        Compliance = "compliance",
        /// Share of the character contracts held against chapters that were kept.
        Conduct = "character_conduct",
        /// Violations that block, in accepted chapters, on a hundred chapters.
        Errors = "consistency_errors",
        /// Share of what was due that is resolved.
        Foreshadowing = "foreshadowing_resolved",
        /// Share of the planned meetings of lines that came about where they were planned.
        Convergence = "convergence_met",
        /// Share of the chapters all of whose conditions an earlier chapter has brought about.
        Chained = "conditions_chained",
        /// Share of the chapters, meetings apart, that give away what belongs to another line.
        Leaks = "leak_rate",
        /// Minutes that the calls for a chapter took, in the mean.
        Minutes = "minutes_per_chapter",
        /// US dollars that the calls for a chapter cost, in the mean.
        Cost = "cost_per_chapter",
        /// Revisions by the strong model a chapter, in the mean.
        Revisions = "revisions_per_chapter",
        /// Share of the tokens sent that came from a provider's cache.
        Cached = "cached_share",
        /// Contradictions to the records that code finds, on a hundred chapters.
        Contradictions = "record_contradictions",
        /// Share of the chapters that are in the book by the author's word, because the gate let them wait.
        Author = "author_accepted",
        /// Minutes from the book's first commit to its first chapter.
        FirstChapter = "minutes_to_first_chapter",
    }
}

/// The range in which a figure should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// At this or above.
    AtLeast(f64),
    /// Above this.
    Above(f64),
    /// At this or below.
    AtMost(f64),
    /// Below this.
    Below(f64),
}

impl Target {
    /// Whether a value is where it should be.
    #[must_use]
    pub fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtLeast(bound) => value >= bound,
            Self::Above(bound) => value > bound,
            Self::AtMost(bound) => value <= bound,
            Self::Below(bound) => value < bound,
        }
    }

    /// The bound.
    #[must_use]
    pub fn bound(self) -> f64 {
        match self {
            Self::AtLeast(bound) | Self::Above(bound) | Self::AtMost(bound) | Self::Below(bound) => bound,
        }
    }
}

impl Measure {
    /// Its target (product document §14); `None` for figures that have no target.
    #[must_use]
    pub const fn target(self) -> Option<Target> {
        Some(match self {
            Self::Score | Self::Style => Target::AtLeast(3.5),
            Self::Compliance => Target::Above(0.95),
            Self::Conduct => Target::Above(0.85),
            Self::Errors => Target::Below(10.0),
            Self::Foreshadowing => Target::Above(0.75),
            Self::Convergence => Target::Above(0.8),
            Self::Chained => Target::AtLeast(1.0),
            Self::Leaks => Target::AtMost(0.03),
            Self::Minutes => Target::Below(3.0),
            Self::Cost => Target::AtMost(0.75),
            Self::Revisions | Self::Cached | Self::Contradictions | Self::Author | Self::FirstChapter => return None,
        })
    }
}

/// A figure as it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    /// Which.
    pub measure: Measure,
    /// Its value; `None` when it cannot be known.
    pub value: Option<f64>,
    /// Over how many chapters, checks, foreshadowings or meetings.
    pub over: usize,
    /// How many more chapters or checks it would rest on if the judge had read or answered for them.
    pub not_checked: usize,
}

impl Figure {
    /// Whether it meets its target; `None` when it is unknown or has no target.
    #[must_use]
    pub fn is_met(&self) -> Option<bool> {
        Some(self.measure.target()?.is_met(self.value?))
    }
}

/// The records of an accepted chapter.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its words.
    pub words: Option<u64>,
    /// The judge's report.
    pub evaluation: Option<Evaluation>,
    /// The gate's decision.
    pub gate: Option<Gate>,
    /// Mentions of what belongs to other lines; `None` without a summary.
    pub cross_references: Option<Vec<CrossReference>>,
    /// The storyline, by the summary.
    pub storyline: Option<Slug>,
    /// The log's figures for its calls.
    pub calls: Option<Calls>,
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

/// The fate of a plot thread that a volume planned to plant or to go on with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadFate {
    /// Its id.
    pub id: Slug,
    /// The volume whose plan has it last.
    pub volume: VolumeNo,
    /// The chapter that planted it.
    pub planted: Option<ChapterNo>,
    /// Whether the plan is behind: the chapter that was to plant it is written and has not.
    pub missed: bool,
    /// The chapter that resolved it.
    pub resolved: Option<ChapterNo>,
    /// First and last chapter in which it should be resolved.
    pub due: Option<(u32, u32)>,
    /// Whether that has passed.
    pub overdue: bool,
}

/// The fate of a planned crossover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// The volume.
    pub volume: VolumeNo,
    /// First and last chapter in which it was planned.
    pub chapters: (u32, u32),
    /// The lines.
    pub lines: Vec<Slug>,
    /// Whether it came about there; `None` while its last chapter is not written.
    pub met: Option<bool>,
}

/// A book, or a volume of it, as far as figures need it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// The accepted chapters, in order.
    pub chapters: Vec<Written>,
    /// The plans of all volumes.
    pub plans: BTreeMap<VolumeNo, Plan>,
    /// Everything that was ever planted.
    pub ledger: Ledger,
    /// The volume that is asked about; `None` for the book.
    pub volume: Option<VolumeNo>,
    /// The last accepted chapter of the book.
    pub last: u32,
    /// How many of the chapters were examined against the records, and how many contradictions that gave.
    pub examined: (usize, usize),
    /// Minutes from the book's first commit to its first chapter; `None` before there is one, and where the clock stood still.
    pub first_chapter_minutes: Option<f64>,
    /// The quality briefs of the chapters, the oldest first.
    pub briefs: Vec<QualityBrief>,
}

impl Record {
    /// The plans that are asked about.
    fn plans(&self) -> impl Iterator<Item = (VolumeNo, &Plan)> {
        let wanted = |volume: VolumeNo| self.volume.is_none_or(|only| only == volume);
        self.plans.iter().map(|(volume, plan)| (*volume, plan)).filter(move |(volume, _)| wanted(*volume))
    }

    /// Every figure, in the order of [`Measure::ALL`].
    #[must_use]
    pub fn figures(&self) -> Vec<Figure> {
        Measure::ALL.iter().map(|measure| self.figure(*measure)).collect()
    }

    fn figure(&self, measure: Measure) -> Figure {
        let (value, over) = match measure {
            Measure::Score => mean(self.readings().map(Evaluation::overall)),
            Measure::Style => mean(self.readings().filter_map(|report| report.score_of(Dimension::StyleNaturalness))),
            Measure::Compliance => share(self.reports().filter_map(is_clean)),
            Measure::Conduct => share(self.reports().flat_map(conduct).flatten()),
            Measure::Errors => {
                let (mean, over) = mean(self.reports().filter_map(errors));
                (mean.map(|mean| mean * SCALE), over)
            }
            Measure::Foreshadowing => self.resolved(),
            Measure::Convergence => share(self.meetings().iter().filter_map(|meeting| meeting.met)),
            Measure::Chained => share(self.chained().into_values()),
            Measure::Leaks => share(self.chapters.iter().filter_map(|chapter| self.leaks(chapter))),
            Measure::Minutes => mean(self.calls().filter_map(|calls| Some(calls.duration_ms? as f64 / 60_000.0))),
            Measure::Cost => mean(self.calls().filter_map(|calls| Some(calls.cost_micro_usd? as f64 / 1e6))),
            Measure::Revisions => mean(self.calls().map(|calls| f64::from(calls.revisions))),
            Measure::Cached => self.cached(),
            Measure::Contradictions => {
                let (examined, found) = self.examined;
                ((examined > 0).then(|| found as f64 * SCALE / examined as f64), examined)
            }
            Measure::Author => {
                share(self.chapters.iter().filter_map(|chapter| Some(chapter.gate? == Gate::AuthorPass)))
            }
            Measure::FirstChapter => mean(self.first_chapter_minutes.into_iter()),
        };
        Figure { measure, value, over, not_checked: self.not_checked(measure) }
    }

    /// The number of chapters or checks that a figure leaves out, because the judge has not read or not answered.
    fn not_checked(&self, measure: Measure) -> usize {
        match measure {
            Measure::Score | Measure::Style => self.reports().filter(|report| !report.reading).count(),
            Measure::Compliance => self.reports().filter(|report| is_clean(report).is_none()).count(),
            Measure::Conduct => self.reports().flat_map(conduct).filter(Option::is_none).count(),
            Measure::Errors => self.reports().filter(|report| errors(report).is_none()).count(),
            Measure::Foreshadowing
            | Measure::Convergence
            | Measure::Chained
            | Measure::Leaks
            | Measure::Minutes
            | Measure::Cost
            | Measure::Revisions
            | Measure::Cached
            | Measure::Contradictions
            | Measure::Author
            | Measure::FirstChapter => 0,
        }
    }

    /// The reports of a judge that has read the chapter: the scores of others are placeholders.
    fn readings(&self) -> impl Iterator<Item = &Evaluation> {
        self.reports().filter(|report| report.reading)
    }

    fn reports(&self) -> impl Iterator<Item = &Evaluation> {
        self.chapters.iter().filter_map(|chapter| chapter.evaluation.as_ref())
    }

    fn calls(&self) -> impl Iterator<Item = Calls> {
        self.chapters.iter().filter_map(|chapter| chapter.calls)
    }

    /// The words of all chapters; `None` when some chapter's are not known.
    #[must_use]
    pub fn words(&self) -> Option<u64> {
        self.chapters.iter().map(|chapter| chapter.words).sum()
    }

    /// How many chapters each decision of the gate has let in.
    #[must_use]
    pub fn gates(&self) -> BTreeMap<Gate, usize> {
        let mut gates = BTreeMap::new();
        for gate in self.chapters.iter().filter_map(|chapter| chapter.gate) {
            *gates.entry(gate).or_default() += 1;
        }
        gates
    }

    /// The share of due plot threads that are resolved. A thread without a last chapter for its resolution, like most
    /// long ones, is never due.
    fn resolved(&self) -> (Option<f64>, usize) {
        let own: BTreeSet<&Slug> =
            self.plans().flat_map(|(_, plan)| &plan.foreshadowing).map(|planned| &planned.id).collect();
        let asked = |id: &Slug| self.volume.is_none() || own.contains(id);
        let due = self
            .ledger
            .entries
            .iter()
            .filter(|entry| asked(&entry.id) && entry.target.is_some_and(|(_, latest)| latest <= self.last));
        share(due.map(|entry| entry.status() == Action::Resolved))
    }

    /// The fates of all planned plot threads, by id; a thread of several volumes goes by the last plan.
    #[must_use]
    pub fn fates(&self) -> Vec<ThreadFate> {
        let mut planned: BTreeMap<&Slug, (VolumeNo, &Planned)> = BTreeMap::new();
        for (volume, plan) in self.plans() {
            planned.extend(plan.foreshadowing.iter().map(|planned| (&planned.id, (volume, planned))));
        }
        let fate = |(id, (volume, planned)): (&Slug, (VolumeNo, &Planned))| {
            let entry = self.ledger.get(id);
            let resolved = entry.filter(|entry| entry.status() == Action::Resolved);
            ThreadFate {
                id: id.clone(),
                volume,
                planted: entry.map(|entry| entry.planted_chapter()),
                missed: entry.is_none() && planned.plant.is_some_and(|plant| plant.get() <= self.last),
                resolved: resolved.map(|entry| entry.last_updated_chapter()),
                due: entry.and_then(|entry| entry.target).or(planned.target),
                overdue: entry.is_some_and(|entry| entry.overdue(self.last)),
            }
        };
        planned.into_iter().map(fate).collect()
    }

    /// The planned meetings of lines. One has come about when the chapters in its range are on two of its lines, or are on
    /// one and speak of another.
    #[must_use]
    pub fn meetings(&self) -> Vec<Meeting> {
        let planned = self.plans().flat_map(|(volume, plan)| {
            plan.schedule.iter().flat_map(|schedule| &schedule.convergences).map(move |planned| (volume, planned))
        });
        let seen = || {
            self.chapters.iter().flat_map(|chapter| {
                let lines = lines_seen(chapter.storyline.as_ref(), chapter.cross_references.iter().flatten());
                lines.map(|line| (chapter.chapter, line))
            })
        };
        let meeting = |(volume, planned): (VolumeNo, &Convergence)| Meeting {
            volume,
            chapters: planned.chapters,
            lines: planned.lines.clone(),
            met: (planned.chapters.1 <= self.last).then(|| planned.has_met(seen())),
        };
        planned.map(meeting).collect()
    }

    /// For each chapter with a contract, whether what it presupposes has been brought about.
    fn chained(&self) -> BTreeMap<ChapterNo, bool> {
        let mut chained = BTreeMap::new();
        for (volume, plan) in self.plans() {
            let Some((first, _)) = plan.outline.range() else { continue };
            let earlier = self.plans.range(..volume).rev().map(|(_, plan)| plan);
            let basis = PlanBasis {
                first: first.get(),
                standing: left_standing(earlier),
                written: self.last,
                ..PlanBasis::default()
            };
            let flaws = plan.flaws(&basis);
            let loose: BTreeSet<ChapterNo> =
                flaws.iter().filter(|flaw| matches!(flaw, Flaw::Unfounded { .. })).filter_map(Flaw::chapter).collect();
            let written = plan.contracts.keys().filter(|chapter| chapter.get() <= self.last);
            chained.extend(written.map(|chapter| (*chapter, !loose.contains(chapter))));
        }
        chained
    }

    /// Whether the chapter gives away what belongs to another line; `None` where lines meet, or without a summary.
    fn leaks(&self, chapter: &Written) -> Option<bool> {
        let number = chapter.chapter;
        let mut schedules = self.plans.values().filter_map(|plan| plan.schedule.as_ref());
        let meets = |schedule: &Schedule| schedule.convergence_at(number).is_some();
        let references = chapter.cross_references.as_ref().filter(|_| !schedules.any(meets))?;
        Some(references.iter().any(|reference| reference.risk == LeakRisk::High))
    }

    fn cached(&self) -> (Option<f64>, usize) {
        let known: Vec<(u64, u64)> = self.calls().filter_map(|calls| calls.cached).collect();
        let (sent, cached) = known.iter().fold((0, 0), |(sent, cached), (s, c)| (sent + s, cached + c));
        ((sent > 0).then(|| cached as f64 / sent as f64), known.len())
    }
}

/// True when every hard rule was checked and no violation found that the judge is sure of; `None` when nothing was found and
/// something was not checked.
fn is_clean(report: &Evaluation) -> Option<bool> {
    let is_sure = |check: &Check| check.finding == Finding::Violation && check.confidence == Confidence::High;
    let is_broken = report.checks.iter().any(is_sure);
    (is_broken || is_checked(report)).then_some(!is_broken)
}

/// How many violations block; `None` when none does and something was not checked.
fn errors(report: &Evaluation) -> Option<f64> {
    let blocking = report.blocking().count();
    (blocking > 0 || is_checked(report)).then_some(blocking as f64)
}

/// True when every hard rule that holds was held against the chapter.
fn is_checked(report: &Evaluation) -> bool {
    let is_open = |check: &Check| check.strength == Strength::Hard && !check.finding.is_checked();
    report.reading && !report.checks.iter().any(is_open)
}

/// Whether each character contract that the chapter touches was kept; `None` for one that was not checked.
fn conduct(report: &Evaluation) -> impl Iterator<Item = Option<bool>> {
    let checks = report.checks.iter().filter(|check| check.layer == Layer::Character);
    let touched = checks.filter(|check| check.finding != Finding::NotApplicable);
    touched.map(|check| check.finding.is_checked().then_some(check.finding == Finding::Pass))
}

fn mean(values: impl Iterator<Item = f64>) -> (Option<f64>, usize) {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    ((count > 0).then(|| sum / count as f64), count)
}

fn share(values: impl Iterator<Item = bool>) -> (Option<f64>, usize) {
    mean(values.map(|holds| f64::from(u8::from(holds))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::chapter::evaluation::tests::flat;
    use crate::domain::volume::foreshadowing::{ForeshadowOp, Scope};
    use crate::domain::volume::outline::Outline;

    fn slug(text: &str) -> Slug {
        Slug::new(text).unwrap()
    }

    fn at(n: u32) -> ChapterNo {
        ChapterNo::new(n).unwrap()
    }

    fn written(n: u32, line: &str, score: f64) -> Written {
        Written {
            chapter: at(n),
            words: Some(3000),
            evaluation: Some(Evaluation { chapter: at(n), ..flat(score) }),
            gate: Some(if score < 4.0 { Gate::Polish } else { Gate::Pass }),
            cross_references: Some(vec![]),
            storyline: Some(slug(line)),
            calls: Some(Calls {
                duration_ms: Some(90_000),
                cost_micro_usd: Some(600_000),
                revisions: 1,
                cached: Some((1000, 400)),
            }),
        }
    }

    fn reference(line: &str, risk: LeakRisk) -> CrossReference {
        CrossReference { entity: "某人".into(), storyline: line.into(), risk, evidence: String::new() }
    }

    fn meeting(from: u32, to: u32) -> Convergence {
        let lines = vec![slug("main-arc"), slug("side")];
        Convergence { chapters: (from, to), lines, trigger: String::new(), aftermath: String::new() }
    }

    /// Six chapters, four written, on two lines.
    fn record() -> Record {
        let section = |n: u32| {
            let line = if n.is_multiple_of(2) { "side" } else { "main-arc" };
            format!(
                "## 第{n}章 题{n}\n\n- 故事线: {line}\n- 视角: 沈渡\n- 地点: 渡口\n- 冲突: 争{n}\n- 人物弧光: 无\n- 伏笔: 无\n- 状态变化: 事{n}\n\n"
            )
        };
        let planned = |id: &str, plant: u32, target| Planned {
            id: slug(id),
            description: String::new(),
            scope: Scope::Short,
            storyline: slug("main-arc"),
            plant: Some(at(plant)),
            advance: vec![],
            target,
        };
        let schedule = Schedule {
            volume: VolumeNo::FIRST,
            theme: String::new(),
            active: vec![],
            interleaving: None,
            convergences: vec![meeting(1, 2), meeting(3, 3), meeting(5, 6)],
            dormant: vec![],
            closing: false,
            newly_activated: Vec::new(),
        };
        let mut plan = Plan {
            outline: Outline::parse(&(1..=6).map(section).collect::<String>()).unwrap(),
            schedule: Some(schedule),
            foreshadowing: vec![
                planned("lamp", 1, Some((2, 3))),
                planned("ring", 1, Some((2, 3))),
                planned("late", 2, None),
            ],
            ..Plan::default()
        };
        plan.contracts = plan.derived(&PlanBasis { first: 1, ..PlanBasis::default() });
        let mut ledger = Ledger::default();
        let op = |id: &str, action| ForeshadowOp {
            id: slug(id),
            action,
            detail: String::new(),
            scope: None,
            target: Some((2, 3)),
        };
        ledger.apply(&op("lamp", Action::Planted), at(1), &slug("main-arc")).unwrap();
        ledger.apply(&op("ring", Action::Planted), at(1), &slug("main-arc")).unwrap();
        ledger.apply(&op("lamp", Action::Resolved), at(3), &slug("main-arc")).unwrap();
        Record {
            chapters: (1..=4)
                .map(|n| written(n, if n.is_multiple_of(2) { "side" } else { "main-arc" }, 3.0 + f64::from(n) * 0.5))
                .collect(),
            plans: BTreeMap::from([(VolumeNo::FIRST, plan)]),
            ledger,
            volume: None,
            last: 4,
            examined: (0, 0),
            first_chapter_minutes: None,
            briefs: Vec::new(),
        }
    }

    fn figure(record: &Record, measure: Measure) -> (Option<f64>, usize) {
        let figure = record.figures().into_iter().find(|figure| figure.measure == measure).unwrap();
        (figure.value.map(|value| (value * 1000.0).round() / 1000.0), figure.over)
    }

    #[test]
    fn a_judge_who_gives_every_chapter_the_same_is_found_out() {
        let scores = |scores: &[f64]| {
            let chapters = (1..).zip(scores).map(|(n, score)| written(n, "main-arc", *score)).collect();
            Record { chapters, ..Record::default() }.dimensions()
        };
        let flat = scores(&[4.0, 4.1, 4.0, 4.1, 4.0]);
        assert_eq!(flat.len(), 8);
        assert!(flat.iter().all(DimensionScores::is_flat) && (flat[0].mean - 4.04).abs() < 1e-9);
        assert!(!scores(&[4.0, 4.1, 4.0, 4.1]).iter().any(DimensionScores::is_flat), "four chapters say too little");
        assert!(!scores(&[4.0, 3.5, 4.5, 4.1, 4.0]).iter().any(DimensionScores::is_flat));
        assert_eq!(scores(&[]), []);
    }

    #[test]
    fn contradictions_and_the_authors_word_are_counted() {
        let mut record = Record { examined: (40, 3), ..Record::default() };
        record.chapters = (1..=4).map(|n| Written { gate: Some(Gate::Pass), ..written(n, "main-arc", 4.0) }).collect();
        record.chapters[3].gate = Some(Gate::AuthorPass);
        let value = |measure| record.figures().into_iter().find(|figure| figure.measure == measure).unwrap().value;
        assert_eq!(value(Measure::Contradictions), Some(7.5));
        assert_eq!((value(Measure::Author), value(Measure::FirstChapter)), (Some(0.25), None));
    }

    #[test]
    fn figures_are_counted_from_what_is_written_down() {
        let mut record = record();
        assert_eq!(figure(&record, Measure::Score), (Some(4.25), 4));
        assert_eq!(figure(&record, Measure::Foreshadowing), (Some(0.5), 2));
        assert_eq!(figure(&record, Measure::Convergence), (Some(0.5), 2), "the third is still ahead");
        assert_eq!(figure(&record, Measure::Chained), (Some(1.0), 4));
        assert_eq!(figure(&record, Measure::Minutes), (Some(1.5), 4));
        assert_eq!(figure(&record, Measure::Cost), (Some(0.6), 4));
        assert_eq!(figure(&record, Measure::Cached), (Some(0.4), 4));
        assert_eq!((record.words(), record.gates()[&Gate::Polish]), (Some(12_000), 1));
        // Chapters 1 to 3 are meetings; only the fourth can leak.
        assert_eq!(figure(&record, Measure::Leaks), (Some(0.0), 1));
        record.chapters[3].cross_references = Some(vec![reference("main-arc", LeakRisk::High)]);
        assert_eq!(figure(&record, Measure::Leaks), (Some(1.0), 1));
        // A chapter that speaks of the other line is a meeting of both.
        record.chapters[2].cross_references = Some(vec![reference("side", LeakRisk::None)]);
        assert_eq!(figure(&record, Measure::Convergence), (Some(1.0), 2));
        let plan = record.plans.get_mut(&VolumeNo::FIRST).unwrap();
        plan.contracts.get_mut(&at(3)).unwrap().preconditions.push("他会飞".into());
        assert_eq!(figure(&record, Measure::Chained), (Some(0.75), 4));
    }

    #[test]
    fn the_fate_of_every_planned_foreshadowing_is_told() {
        let fates = record().fates();
        let of = |id: &str| fates.iter().find(|fate| fate.id.as_str() == id).unwrap();
        assert_eq!((of("lamp").resolved, of("lamp").overdue), (Some(at(3)), false));
        assert_eq!((of("ring").planted, of("ring").overdue, of("ring").due), (Some(at(1)), true, Some((2, 3))));
        assert_eq!((of("late").planted, of("late").missed), (None, true));
    }

    #[test]
    fn what_is_not_known_is_not_nought() {
        let bare = Written {
            chapter: at(1),
            words: None,
            evaluation: None,
            gate: None,
            cross_references: None,
            storyline: None,
            calls: None,
        };
        let record = Record { chapters: vec![bare], last: 1, ..Record::default() };
        assert!(record.figures().iter().all(|figure| figure.value.is_none() && figure.is_met().is_none()));
        assert_eq!(record.words(), None);
    }

    #[test]
    fn what_was_not_checked_is_neither_kept_nor_broken() {
        let check = |layer, finding| Check {
            rule: "C-1".into(),
            layer,
            strength: Strength::Hard,
            finding,
            confidence: Confidence::High,
            detail: String::new(),
            evidence: "他御剑而起".into(),
            evidence_found: true,
        };
        let with = |n: u32, checks: Vec<Check>, reading: bool| {
            let mut chapter = written(n, "main-arc", 4.0);
            let evaluation = chapter.evaluation.take().map(|report| Evaluation { checks, reading, ..report });
            Written { evaluation, ..chapter }
        };
        let open = || check(Layer::Character, Finding::NotChecked);
        let offline = |n| with(n, vec![open(), open()], false);
        let of = |record: &Record, measure| {
            let figure = record.figure(measure);
            (figure.value, figure.over, figure.not_checked)
        };
        let mut record = Record { chapters: vec![offline(1), offline(2)], last: 2, ..Record::default() };
        for (measure, left_out) in [
            (Measure::Score, 2),
            (Measure::Style, 2),
            (Measure::Compliance, 2),
            (Measure::Conduct, 4),
            (Measure::Errors, 2),
        ] {
            assert_eq!(of(&record, measure), (None, 0, left_out), "{measure}");
            assert_eq!(record.figure(measure).is_met(), None);
        }
        record.chapters.push(with(3, vec![check(Layer::Character, Finding::Pass)], true));
        record.chapters.push(with(4, vec![check(Layer::World, Finding::Violation), open()], true));
        assert_eq!(of(&record, Measure::Score), (Some(4.0), 2, 2));
        assert_eq!(of(&record, Measure::Compliance), (Some(0.5), 2, 2));
        assert_eq!(of(&record, Measure::Conduct), (Some(1.0), 1, 5));
        assert_eq!(of(&record, Measure::Errors), (Some(50.0), 2, 2));
    }

    #[test]
    fn a_target_is_met_at_its_bound_or_beyond_it() {
        let met = |measure: Measure, value| Figure { measure, value: Some(value), over: 1, not_checked: 0 }.is_met();
        assert_eq!([met(Measure::Score, 3.5), met(Measure::Score, 3.49)], [Some(true), Some(false)]);
        assert_eq!([met(Measure::Compliance, 0.95), met(Measure::Leaks, 0.03)], [Some(false), Some(true)]);
        assert_eq!([met(Measure::Errors, 9.9), met(Measure::Errors, 10.0)], [Some(true), Some(false)]);
        assert_eq!(met(Measure::Revisions, 2.0), None);
    }
}
