//! The success figures of the product document (§14), counted from the book's records. Missing records are unknown,
//! never zero.

use crate::domain::chapter::Gate;
use crate::domain::chapter::evaluation::Dimension;
use crate::domain::prelude::*;
use crate::domain::quality::{StyleFigure, StyleMeasure};
use crate::domain::world::storyline::Convergence;

mod written;

pub use written::{CallFigures, ChapterMetrics, LineFigures, PlanFigures, PlannedThread, ReportFigures, ThreadFigures};

/// Consistency errors are counted per this many chapters.
const SCALE: f64 = 100.0;

named! {
    pub enum Measure {
        /// Mean overall score.
        Score = "score",
        Style = "style_naturalness",
        /// Share of chapters without a certain violation of contracts or storyline rules.
        Compliance = "compliance",
        /// Share of the checked character contracts that were kept.
        Conduct = "character_conduct",
        /// Blocking violations in accepted chapters per hundred chapters.
        Errors = "consistency_errors",
        /// Share of due foreshadowings that are resolved.
        Foreshadowing = "foreshadowing_resolved",
        /// Share of planned crossovers that happened where planned.
        Convergence = "convergence_met",
        /// Share of chapters whose conditions an earlier chapter has all brought about.
        Chained = "conditions_chained",
        /// Share of chapters, crossovers apart, that give away secrets of another storyline.
        Leaks = "leak_rate",
        /// Mean minutes of the calls for a chapter.
        Minutes = "minutes_per_chapter",
        /// Mean US dollars of the calls for a chapter.
        Cost = "cost_per_chapter",
        /// Mean revisions by the strong model.
        Revisions = "revisions_per_chapter",
        /// Share of sent tokens read from a provider's cache.
        Cached = "cached_share",
        /// Contradictions to the records found by code per hundred chapters.
        Contradictions = "record_contradictions",
        /// Share of chapters that the gate held and the author accepted.
        Author = "author_accepted",
        /// Minutes from the book's first commit to its first chapter.
        FirstChapter = "minutes_to_first_chapter",
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    AtLeast(f64),
    Above(f64),
    AtMost(f64),
    Below(f64),
}

impl Target {
    /// True when a value is in the range.
    pub fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtLeast(bound) => value >= bound,
            Self::Above(bound) => value > bound,
            Self::AtMost(bound) => value <= bound,
            Self::Below(bound) => value < bound,
        }
    }

    pub fn bound(self) -> f64 {
        match self {
            Self::AtLeast(bound) | Self::Above(bound) | Self::AtMost(bound) | Self::Below(bound) => bound,
        }
    }
}

impl Measure {
    /// The target of the product document (§14), if any.
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

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    pub measure: Measure,
    /// `None` when unknown.
    pub value: Option<f64>,
    /// The number of chapters, checks, foreshadowings or meetings behind the value.
    pub over: usize,
    /// The chapters or checks missing from `over` because the judge has not read or answered.
    pub not_checked: usize,
}

impl Figure {
    /// `None` when unknown or without a target.
    pub fn is_met(&self) -> Option<bool> {
        Some(self.measure.target()?.is_met(self.value?))
    }
}

/// The fate of a plot thread that a volume planned to plant or to advance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ThreadFate {
    pub id: Slug,
    /// The last volume with the thread in its plan.
    pub volume: VolumeNo,
    pub planted: Option<ChapterNo>,
    /// True when the chapter that was to plant the thread is written and has not done so.
    pub missed: bool,
    pub resolved: Option<ChapterNo>,
    /// First and last chapter of the planned resolution.
    pub due: Option<(u32, u32)>,
    /// True when `due` is past.
    pub overdue: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Meeting {
    pub volume: VolumeNo,
    /// First and last planned chapter.
    pub chapters: (u32, u32),
    #[serde(rename = "storylines")]
    pub lines: Vec<Slug>,
    /// `None` while the last chapter is not written.
    pub met: Option<bool>,
}

/// The records of a book, or of one volume, behind the figures.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BookRecords {
    pub chapters: Vec<ChapterMetrics>,
    pub plans: BTreeMap<VolumeNo, PlanFigures>,
    pub threads: BTreeMap<Slug, ThreadFigures>,
    /// The volume in question; `None` for the book.
    pub volume: Option<VolumeNo>,
    pub last: u32,
    /// The number of chapters examined against the records, and of contradictions found.
    pub examined: (usize, usize),
    /// Minutes from the book's first commit to its first chapter; `None` before the first chapter, and where the clock
    /// stood still.
    pub first_chapter_minutes: Option<f64>,
}

impl BookRecords {
    fn plans(&self) -> impl Iterator<Item = (VolumeNo, &PlanFigures)> {
        let wanted = |volume: VolumeNo| self.volume.is_none_or(|only| only == volume);
        self.plans.iter().map(|(volume, plan)| (*volume, plan)).filter(move |(volume, _)| wanted(*volume))
    }

    /// All figures in the order of [`Measure::ALL`].
    pub fn figures(&self) -> Vec<Figure> {
        Measure::ALL.iter().map(|measure| self.figure(*measure)).collect()
    }

    fn figure(&self, measure: Measure) -> Figure {
        let (value, over) = match measure {
            Measure::Score => mean(self.readings().map(|report| report.overall)),
            Measure::Style => {
                mean(self.readings().filter_map(|report| report.scores.get(&Dimension::StyleNaturalness).copied()))
            }
            Measure::Compliance => share(self.reports().filter_map(|report| report.clean)),
            Measure::Conduct => {
                let sum = |(kept, over): (usize, usize), (is, not)| (kept + is, over + is + not);
                let (kept, over) = self.reports().map(|report| (report.conduct.0, report.conduct.1)).fold((0, 0), sum);
                ((over > 0).then(|| kept as f64 / over as f64), over)
            }
            Measure::Errors => {
                let (mean, over) = mean(self.reports().filter_map(|report| Some(report.blocking? as f64)));
                (mean.map(|mean| mean * SCALE), over)
            }
            Measure::Foreshadowing => self.resolved(),
            Measure::Convergence => share(self.meetings().iter().filter_map(|meeting| meeting.met)),
            Measure::Chained => {
                let chained: BTreeMap<_, _> = self.plans().flat_map(|(_, plan)| &plan.chained).collect();
                let written = chained.into_iter().filter(|(chapter, _)| chapter.get() <= self.last);
                share(written.map(|(_, holds)| *holds))
            }
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

    /// The chapters or checks that a figure leaves out, because the judge has not read or not answered.
    fn not_checked(&self, measure: Measure) -> usize {
        match measure {
            Measure::Score | Measure::Style => self.reports().filter(|report| !report.reading).count(),
            Measure::Compliance => self.reports().filter(|report| report.clean.is_none()).count(),
            Measure::Conduct => self.reports().map(|report| report.conduct.2).sum(),
            Measure::Errors => self.reports().filter(|report| report.blocking.is_none()).count(),
            _ => 0,
        }
    }

    /// Reports of judges that have read the chapter: others have placeholder scores.
    fn readings(&self) -> impl Iterator<Item = &ReportFigures> {
        self.reports().filter(|report| report.reading)
    }

    fn reports(&self) -> impl Iterator<Item = &ReportFigures> {
        self.chapters.iter().filter_map(|chapter| chapter.report.as_ref())
    }

    fn calls(&self) -> impl Iterator<Item = CallFigures> {
        self.chapters.iter().filter_map(|chapter| chapter.calls)
    }

    /// The words of all chapters; `None` when those of a chapter are unknown.
    pub fn words(&self) -> Option<u64> {
        self.chapters.iter().map(|chapter| chapter.words).sum()
    }

    /// The number of chapters by the gate's decision that accepted them.
    pub fn gates(&self) -> BTreeMap<Gate, usize> {
        let mut gates = BTreeMap::new();
        for gate in self.chapters.iter().filter_map(|chapter| chapter.gate) {
            *gates.entry(gate).or_default() += 1;
        }
        gates
    }

    /// The share of due plot threads that are resolved. A thread without a last chapter in the ledger or a plan, like
    /// most long ones, is never due.
    fn resolved(&self) -> (Option<f64>, usize) {
        let planned: BTreeMap<&Slug, &PlannedThread> =
            self.plans().flat_map(|(_, plan)| &plan.threads).map(|planned| (&planned.id, planned)).collect();
        let asked = |id: &Slug| self.volume.is_none() || planned.contains_key(id);
        let is_due = |id: &Slug, thread: &ThreadFigures| {
            let target = thread.target.or(planned.get(id).and_then(|planned| planned.target));
            target.is_some_and(|(_, latest)| latest <= self.last)
        };
        let due = self.threads.iter().filter(|(id, thread)| asked(id) && is_due(id, thread));
        share(due.map(|(_, thread)| thread.is_resolved))
    }

    /// Overdue threads of the ledger; for a volume those of its plan.
    pub fn overdue(&self) -> impl Iterator<Item = &Slug> {
        let own: BTreeSet<&Slug> =
            self.plans().flat_map(|(_, plan)| &plan.threads).map(|planned| &planned.id).collect();
        let overdue = self.threads.iter().filter(|(_, thread)| thread.overdue(self.last));
        overdue.map(|(id, _)| id).filter(move |id| self.volume.is_none() || own.contains(id))
    }

    /// The fates of all planned plot threads by id; the last plan decides about a thread of several volumes.
    pub fn fates(&self) -> Vec<ThreadFate> {
        let mut planned: BTreeMap<&Slug, (VolumeNo, &PlannedThread)> = BTreeMap::new();
        for (volume, plan) in self.plans() {
            planned.extend(plan.threads.iter().map(|planned| (&planned.id, (volume, planned))));
        }
        let fate = |(id, (volume, planned)): (&Slug, (VolumeNo, &PlannedThread))| {
            let entry = self.threads.get(id);
            let resolved = entry.filter(|entry| entry.is_resolved);
            ThreadFate {
                id: id.clone(),
                volume,
                planted: entry.map(|entry| entry.planted),
                missed: entry.is_none() && planned.plant.is_some_and(|plant| plant.get() <= self.last),
                resolved: resolved.map(|entry| entry.updated),
                due: entry.and_then(|entry| entry.target).or(planned.target),
                overdue: entry.is_some_and(|entry| entry.overdue(self.last)),
            }
        };
        planned.into_iter().map(fate).collect()
    }

    /// Planned crossovers. One has happened when chapters in its range are on two of its storylines, or are on one and
    /// speak of another.
    pub fn meetings(&self) -> Vec<Meeting> {
        let planned =
            self.plans().flat_map(|(volume, plan)| plan.convergences.iter().map(move |planned| (volume, planned)));
        let seen = || {
            self.chapters.iter().flat_map(|chapter| {
                let lines = chapter.lines.iter().flat_map(|lines| &lines.seen);
                lines.map(|line| (chapter.chapter, line.as_str()))
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

    /// True when the chapter gives away a secret of another storyline; `None` in a crossover, or without a summary.
    fn leaks(&self, chapter: &ChapterMetrics) -> Option<bool> {
        let number = chapter.chapter.get();
        let lines = chapter.lines.as_ref()?;
        let mut planned = self.plans.values().flat_map(|plan| &plan.convergences);
        (!planned.any(|planned| (planned.chapters.0..=planned.chapters.1).contains(&number))).then_some(lines.leaks)
    }

    fn cached(&self) -> (Option<f64>, usize) {
        let known: Vec<(u64, u64)> = self.calls().filter_map(|calls| calls.cached).collect();
        let (sent, cached) = known.iter().fold((0, 0), |(sent, cached), (s, c)| (sent + s, cached + c));
        ((sent > 0).then(|| cached as f64 / sent as f64), known.len())
    }
}

fn mean(values: impl Iterator<Item = f64>) -> (Option<f64>, usize) {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    ((count > 0).then(|| sum / count as f64), count)
}

fn share(values: impl Iterator<Item = bool>) -> (Option<f64>, usize) {
    mean(values.map(|holds| f64::from(u8::from(holds))))
}

/// With fewer chapters a spread says nothing.
const LEAST: usize = 5;
/// The least spread, in points, of a judge who tells chapters apart.
const TELLING: f64 = 0.2;

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DimensionScores {
    pub name: Dimension,
    /// 1 to 5, in hundredths.
    pub mean: f64,
    /// Standard deviation in points, in hundredths.
    pub spread: f64,
    /// The number of chapters.
    pub over: usize,
    /// True when the judge gives nearly one score to all chapters: at least five differ by less than 0.2 points.
    pub flat: bool,
}

impl BookRecords {
    /// The scores of each dimension in the order of [`Dimension::ALL`].
    pub fn dimensions(&self) -> Vec<DimensionScores> {
        let of = |dimension: &Dimension| {
            let scores: Vec<f64> = self.readings().filter_map(|report| report.scores.get(dimension).copied()).collect();
            let (middle, over) = mean(scores.iter().copied());
            let middle = middle?;
            let (variance, _) = mean(scores.iter().map(|score| (score - middle).powi(2)));
            let (spread, hundredths) = (variance?.sqrt(), |value: f64| (value * 100.0).round() / 100.0);
            let flat = over >= LEAST && spread < TELLING;
            Some(DimensionScores { name: *dimension, mean: hundredths(middle), spread: hundredths(spread), over, flat })
        };
        Dimension::ALL.iter().filter_map(of).collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StyleLevel {
    pub name: StyleMeasure,
    /// The mean over all briefs, with four places.
    pub mean: f64,
    pub last: f64,
    /// The range of nine tenths of the passages from books by people, if known.
    pub human: Option<(f64, f64)>,
}

impl BookRecords {
    /// The figures of the briefs, in the order of [`StyleMeasure::ALL`].
    pub fn style(&self) -> Vec<StyleLevel> {
        let of = |measure: &StyleMeasure| {
            let figures =
                self.chapters.iter().filter_map(|chapter| chapter.style.iter().find(|one| one.measure == *measure));
            let figures: Vec<&StyleFigure> = figures.collect();
            let (middle, _) = mean(figures.iter().map(|figure| figure.now));
            let last = figures.last()?;
            let mean = (middle? * 10_000.0).round() / 10_000.0;
            Some(StyleLevel { name: *measure, mean, last: last.now, human: last.human })
        };
        StyleMeasure::ALL.iter().filter_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::chapter::evaluation::tests::flat;
    use crate::domain::chapter::evaluation::{Check, Confidence, Evaluation, Finding};
    use crate::domain::chapter::summary::{CrossReference, LeakRisk};
    use crate::domain::volume::foreshadowing::{Action, ForeshadowOp, Ledger, Scope, ThreadPlan};
    use crate::domain::volume::outline::Outline;
    use crate::domain::volume::plan::{Plan, PlanBasis};
    use crate::domain::world::contract::{Layer, Strength};
    use crate::domain::world::storyline::Schedule;

    fn slug(text: &str) -> Slug {
        Slug::new(text).unwrap()
    }

    fn at(n: u32) -> ChapterNo {
        ChapterNo::new(n).unwrap()
    }

    fn written(n: u32, line: &str, score: f64) -> ChapterMetrics {
        ChapterMetrics {
            chapter: at(n),
            words: Some(3000),
            report: Some(ReportFigures::of(&Evaluation { chapter: at(n), ..flat(score) })),
            gate: Some(if score < 4.0 { Gate::Polish } else { Gate::Pass }),
            lines: Some(LineFigures::of(&slug(line), &[])),
            calls: Some(CallFigures {
                duration_ms: Some(90_000),
                cost_micro_usd: Some(600_000),
                revisions: 1,
                cached: Some((1000, 400)),
            }),
            style: Vec::new(),
        }
    }

    fn reference(line: &str, risk: LeakRisk) -> CrossReference {
        CrossReference { entity: "某人".into(), storyline: line.into(), risk, evidence: String::new() }
    }

    fn meeting(from: u32, to: u32) -> Convergence {
        let lines = vec![slug("main-arc"), slug("side")];
        Convergence { chapters: (from, to), lines, trigger: String::new(), aftermath: String::new() }
    }

    /// A plan of six chapters on two lines.
    fn plan() -> Plan {
        let section = |n: u32| {
            let line = if n.is_multiple_of(2) { "side" } else { "main-arc" };
            format!(
                "## 第{n}章 题{n}\n\n- 故事线: {line}\n- 视角: 沈渡\n- 地点: 渡口\n- 冲突: 争{n}\n- 人物弧光: 无\n- 伏笔: 无\n- 状态变化: 事{n}\n\n"
            )
        };
        let planned = |id: &str, plant: u32, target| ThreadPlan {
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
        plan
    }

    /// Four of the six chapters.
    fn record() -> BookRecords {
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
        BookRecords {
            chapters: (1..=4)
                .map(|n| written(n, if n.is_multiple_of(2) { "side" } else { "main-arc" }, 3.0 + f64::from(n) * 0.5))
                .collect(),
            plans: BTreeMap::from([(VolumeNo::FIRST, PlanFigures::of(&plan(), BTreeMap::new()))]),
            threads: ledger.entries.iter().map(|entry| (entry.id.clone(), ThreadFigures::of(entry))).collect(),
            volume: None,
            last: 4,
            examined: (0, 0),
            first_chapter_minutes: None,
        }
    }

    fn figure(record: &BookRecords, measure: Measure) -> (Option<f64>, usize) {
        let figure = record.figures().into_iter().find(|figure| figure.measure == measure).unwrap();
        (figure.value.map(|value| (value * 1000.0).round() / 1000.0), figure.over)
    }

    #[test]
    fn a_judge_who_gives_every_chapter_the_same_is_found_out() {
        let scores = |scores: &[f64]| {
            let chapters = (1..).zip(scores).map(|(n, score)| written(n, "main-arc", *score)).collect();
            BookRecords { chapters, ..BookRecords::default() }.dimensions()
        };
        let flat = scores(&[4.0, 4.1, 4.0, 4.1, 4.0]);
        assert_eq!(flat.len(), 8);
        assert!(flat.iter().all(|scores| scores.flat) && (flat[0].mean - 4.04).abs() < 1e-9);
        assert!(!scores(&[4.0, 4.1, 4.0, 4.1]).iter().any(|scores| scores.flat), "four chapters say too little");
        assert!(!scores(&[4.0, 3.5, 4.5, 4.1, 4.0]).iter().any(|scores| scores.flat));
        assert_eq!(scores(&[]), []);
    }

    #[test]
    fn contradictions_and_the_authors_word_are_counted() {
        let mut record = BookRecords { examined: (40, 3), ..BookRecords::default() };
        record.chapters =
            (1..=4).map(|n| ChapterMetrics { gate: Some(Gate::Pass), ..written(n, "main-arc", 4.0) }).collect();
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
        record.chapters[3].lines = Some(LineFigures::of(&slug("side"), &[reference("main-arc", LeakRisk::High)]));
        assert_eq!(figure(&record, Measure::Leaks), (Some(1.0), 1));
        // A chapter that speaks of the other line is a meeting of both.
        record.chapters[2].lines = Some(LineFigures::of(&slug("main-arc"), &[reference("side", LeakRisk::None)]));
        assert_eq!(figure(&record, Measure::Convergence), (Some(1.0), 2));
        let mut plan = plan();
        plan.contracts.get_mut(&at(3)).unwrap().preconditions.push("他会飞".into());
        record.plans.insert(VolumeNo::FIRST, PlanFigures::of(&plan, BTreeMap::new()));
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
        let bare = ChapterMetrics {
            chapter: at(1),
            words: None,
            report: None,
            gate: None,
            lines: None,
            calls: None,
            style: Vec::new(),
        };
        let record = BookRecords { chapters: vec![bare], last: 1, ..BookRecords::default() };
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
            let report = Evaluation { checks, reading, chapter: at(n), ..flat(4.0) };
            ChapterMetrics { report: Some(ReportFigures::of(&report)), ..written(n, "main-arc", 4.0) }
        };
        let open = || check(Layer::Character, Finding::NotChecked);
        let offline = |n| with(n, vec![open(), open()], false);
        let of = |record: &BookRecords, measure| {
            let figure = record.figure(measure);
            (figure.value, figure.over, figure.not_checked)
        };
        let mut record = BookRecords { chapters: vec![offline(1), offline(2)], last: 2, ..BookRecords::default() };
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

    #[test]
    fn a_bound_belongs_to_its_side() {
        let met = |target: Target| [1.9, 2.0, 2.1].map(|value| target.is_met(value));
        assert_eq!(met(Target::AtLeast(2.0)), [false, true, true]);
        assert_eq!(met(Target::Above(2.0)), [false, false, true]);
        assert_eq!(met(Target::AtMost(2.0)), [true, true, false]);
        assert_eq!(met(Target::Below(2.0)), [true, false, false]);
        let all = [Target::AtLeast(2.5), Target::Above(2.5), Target::AtMost(2.5), Target::Below(2.5)];
        assert_eq!(all.map(Target::bound), [2.5; 4]);
    }

    #[test]
    fn the_threads_of_a_volume_are_those_of_its_plan() {
        let stray = ThreadFigures {
            planted: at(1),
            updated: at(1),
            is_resolved: false,
            target: Some((2, 3)),
            overdue_after: Some(3),
        };
        let mut book = record();
        book.threads.insert(slug("stray"), stray);
        let of_volume = BookRecords { volume: Some(VolumeNo::FIRST), ..book.clone() };
        let overdue = |record: &BookRecords| record.overdue().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!((overdue(&book), overdue(&of_volume)), (vec!["ring".into(), "stray".into()], vec!["ring".into()]));
        let resolved = |record: &BookRecords| record.resolved();
        assert_eq!(resolved(&book), (Some(1.0 / 3.0), 3));
        assert_eq!(resolved(&of_volume), (Some(0.5), 2));
        // The plan's range counts where the ledger has none.
        let mut open = of_volume.clone();
        open.threads.get_mut(&slug("ring")).unwrap().target = None;
        assert_eq!(resolved(&open), (Some(0.5), 2));
        let of_another = BookRecords { volume: Some(VolumeNo::FIRST.next()), ..book };
        assert_eq!((overdue(&of_another), resolved(&of_another).1), (vec![], 0));
    }

    #[test]
    fn conduct_is_the_share_of_contracts_that_were_kept() {
        let chapters = vec![written(1, "main-arc", 4.0), written(2, "main-arc", 4.0)];
        let mut record = BookRecords { chapters, ..BookRecords::default() };
        for (chapter, conduct) in record.chapters.iter_mut().zip([(3, 1, 2), (2, 2, 0)]) {
            chapter.report.as_mut().unwrap().conduct = conduct;
        }
        assert_eq!(figure(&record, Measure::Conduct), (Some(0.625), 8));
    }

    #[test]
    fn a_figure_of_style_is_the_mean_of_the_briefs_and_the_last_of_them() {
        use crate::domain::quality::{StyleFigure, StyleMeasure};
        let one = |measure, now| StyleFigure { measure, now, baseline: None, spread: None, human: Some((1.0, 2.0)) };
        let chapters = [5, 6, 10].map(|n| written(n, "main-arc", 4.0)).to_vec();
        let mut record = BookRecords { chapters, ..BookRecords::default() };
        record.chapters[0].style = vec![one(StyleMeasure::Commas, 1.0), one(StyleMeasure::Dialogue, 0.5)];
        record.chapters[2].style = vec![one(StyleMeasure::Commas, 3.0)];
        let levels: Vec<_> = record.style().into_iter().map(|level| (level.name, level.mean, level.last)).collect();
        let wanted = [(StyleMeasure::Dialogue, 0.5, 0.5), (StyleMeasure::Commas, 2.0, 3.0)];
        assert_eq!(levels, wanted);
    }
}
