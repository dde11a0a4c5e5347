//! Figures as they are kept: lists without names, because there is one for every chapter.

use super::kept::Figures;
use crate::domain::metrics::{Calls, LineFigures, PlanFigures, PlannedThread, ReportFigures, ThreadFigures, Written};
use crate::domain::quality::{StyleFigure, StyleMeasure};
use crate::domain::world::storyline::Convergence;
use crate::domain::{ChapterNo, Slug};
use std::collections::{BTreeMap, BTreeSet};

impl Figures for Vec<Written> {
    type Row = Vec<ChapterRow>;

    fn row(&self) -> Self::Row {
        self.iter().map(of_chapter).collect()
    }

    fn read(rows: Self::Row) -> Option<Self> {
        rows.into_iter().map(chapter).collect()
    }
}

impl Figures for PlanFigures {
    type Row = PlanRow;

    fn row(&self) -> Self::Row {
        of_plan(self)
    }

    fn read(row: Self::Row) -> Option<Self> {
        plan(row)
    }
}

impl Figures for BTreeMap<Slug, ThreadFigures> {
    type Row = Vec<ThreadRow>;

    fn row(&self) -> Self::Row {
        self.iter().map(of_thread).collect()
    }

    fn read(rows: Self::Row) -> Option<Self> {
        rows.into_iter().map(thread).collect()
    }
}

/// First and last chapter.
type Range = (u32, u32);
/// Reading, overall score, scores, clean, blocking, conduct.
type ReportRow = (bool, f64, Vec<(String, f64)>, Option<bool>, Option<usize>, (usize, usize, usize));
/// Duration, cost, revisions, sent and cached.
type CallsRow = (Option<u64>, Option<u64>, u32, Option<(u64, u64)>);
/// A figure of style: measure, mean, the range of books by people.
type StyleRow = (String, f64, Option<(f64, f64)>);
/// A chapter: number, words, report, gate, lines, calls, style.
type ChapterRow = (
    u32,
    Option<u64>,
    Option<ReportRow>,
    Option<String>,
    Option<(BTreeSet<String>, bool)>,
    Option<CallsRow>,
    Vec<StyleRow>,
);
/// A thread: id, planted, updated, resolved, target, overdue.
type ThreadRow = (String, u32, u32, bool, Option<Range>, Option<u32>);
/// A volume's plan: threads, convergences, chapters with contracts.
type PlanRow = (Vec<(String, Option<u32>, Option<Range>)>, Vec<(Range, Vec<String>)>, Vec<(u32, bool)>);

fn of_chapter(written: &Written) -> ChapterRow {
    let report = written.report.as_ref().map(|report| {
        let scores = report.scores.iter().map(|(dimension, score)| (dimension.to_string(), *score)).collect();
        (report.reading, report.overall, scores, report.clean, report.blocking, report.conduct)
    });
    let lines = written.lines.as_ref().map(|lines| (lines.seen.clone(), lines.leaks));
    let calls = |calls: Calls| (calls.duration_ms, calls.cost_micro_usd, calls.revisions, calls.cached);
    let gate = written.gate.map(|gate| gate.to_string());
    let style = |figure: &StyleFigure| (figure.measure.to_string(), figure.now, figure.human);
    let style = written.style.iter().map(style).collect();
    (written.chapter.get(), written.words, report, gate, lines, written.calls.map(calls), style)
}

/// `None` for a row that no chapter has.
fn chapter((number, words, report, gate, lines, calls, style): ChapterRow) -> Option<Written> {
    let calls_of =
        |(duration_ms, cost_micro_usd, revisions, cached)| Calls { duration_ms, cost_micro_usd, revisions, cached };
    Some(Written {
        chapter: ChapterNo::new(number)?,
        words,
        report: match report {
            Some(row) => Some(report_of(row)?),
            None => None,
        },
        gate: match gate {
            Some(gate) => Some(gate.parse().ok()?),
            None => None,
        },
        lines: lines.map(|(seen, leaks)| LineFigures { seen, leaks }),
        calls: calls.map(calls_of),
        style: style.into_iter().map(style_of).collect::<Option<_>>()?,
    })
}

fn report_of((reading, overall, scores, clean, blocking, conduct): ReportRow) -> Option<ReportFigures> {
    let scores = scores.into_iter().map(|(name, score)| Some((name.parse().ok()?, score))).collect::<Option<_>>()?;
    Some(ReportFigures { reading, overall, scores, clean, blocking, conduct })
}

/// The figure of a brief without what it was compared with.
fn style_of((measure, now, human): StyleRow) -> Option<StyleFigure> {
    let measure: StyleMeasure = measure.parse().ok()?;
    Some(StyleFigure { measure, now, baseline: None, spread: None, human })
}

fn of_plan(plan: &PlanFigures) -> PlanRow {
    let thread = |thread: &PlannedThread| (thread.id.to_string(), thread.plant.map(ChapterNo::get), thread.target);
    let meeting = |planned: &Convergence| (planned.chapters, planned.lines.iter().map(Slug::to_string).collect());
    (
        plan.threads.iter().map(thread).collect(),
        plan.convergences.iter().map(meeting).collect(),
        plan.chained.iter().map(|(chapter, holds)| (chapter.get(), *holds)).collect(),
    )
}

/// `None` for a row that no plan has.
fn plan((threads, convergences, chained): PlanRow) -> Option<PlanFigures> {
    let thread = |(id, plant, target): (String, Option<u32>, Option<Range>)| {
        let plant = match plant {
            Some(plant) => Some(ChapterNo::new(plant)?),
            None => None,
        };
        Some(PlannedThread { id: Slug::new(&id).ok()?, plant, target })
    };
    let meeting = |(chapters, lines): (Range, Vec<String>)| {
        let lines = lines.iter().map(|line| Slug::new(line).ok()).collect::<Option<_>>()?;
        Some(Convergence { chapters, lines, trigger: String::new(), aftermath: String::new() })
    };
    Some(PlanFigures {
        threads: threads.into_iter().map(thread).collect::<Option<_>>()?,
        convergences: convergences.into_iter().map(meeting).collect::<Option<_>>()?,
        chained: chained.into_iter().map(|(n, holds)| Some((ChapterNo::new(n)?, holds))).collect::<Option<_>>()?,
    })
}

fn of_thread((id, thread): (&Slug, &ThreadFigures)) -> ThreadRow {
    let (planted, updated) = (thread.planted.get(), thread.updated.get());
    (id.to_string(), planted, updated, thread.is_resolved, thread.target, thread.overdue_after)
}

/// `None` for a row that no thread has.
fn thread(row: ThreadRow) -> Option<(Slug, ThreadFigures)> {
    let (id, planted, updated, is_resolved, target, overdue_after) = row;
    let (planted, updated) = (ChapterNo::new(planted)?, ChapterNo::new(updated)?);
    Some((Slug::new(&id).ok()?, ThreadFigures { planted, updated, is_resolved, target, overdue_after }))
}
