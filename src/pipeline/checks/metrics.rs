//! Reading what the book's own figures are counted from (row R48), in one pass over its files.

use crate::domain::book::checkpoint::ChapterLog;
use crate::domain::metrics::{Calls, LineFigures, PlanFigures, Record, ReportFigures, ThreadFigures, Written};
use crate::domain::volume::plan::{VOLUMES_BACK, left_standing};
use crate::pipeline::chapter::preview;
use crate::pipeline::checks::consistency;
use crate::pipeline::prelude::*;
use crate::store::Log;
use crate::text::Count;
use std::collections::VecDeque;

/// The chapters at which the writer's context is measured (row R23).
const MEASURED: [u32; 2] = [30, 100];

/// The writer's context for a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Context {
    pub chapter: ChapterNo,
    /// Its estimated tokens; `None` when the prompt cannot be made any more.
    pub tokens: Option<u32>,
    /// The most that it may have: more where lines meet.
    pub limit: Option<u32>,
}

/// Everything that the figures of the book, or of one volume, are counted from, and the writer's context at chapters 30 and 100
/// and at the last one, as each was told it. Changes nothing in the book.
pub fn record(book: &Book, volume: Option<VolumeNo>) -> Result<(Record, Vec<Context>), RunError> {
    let view = BookView::new(book.snapshot()?);
    let commits = book.chapters()?;
    let last = commits.keys().next_back().map_or(0, |chapter| chapter.get());
    let mut record = Record { volume, last, ..Record::default() };
    let mut last_of_volume: BTreeMap<VolumeNo, &Transaction> = BTreeMap::new();
    for (chapter, transaction) in &commits {
        let at = view.volume_of(*chapter)?;
        last_of_volume.insert(at, transaction);
        if volume.is_none_or(|only| only == at) {
            record.chapters.push(written(&view, at, *chapter, transaction)?);
        }
    }
    // Resolved threads leave the ledger with their volume; the last commit of each volume still has them.
    for transaction in last_of_volume.values() {
        record.threads.extend(threads_of(&BookView::new(book.snapshot_of(transaction.id)?).ledger()?));
    }
    record.threads.extend(threads_of(&view.ledger()?));
    record.plans = plans(&view)?;
    let range = record.chapters.first().zip(record.chapters.last());
    if let Some((first, last)) = range.map(|(first, last)| (first.chapter, last.chapter)) {
        record.examined = consistency::count_conflicts(book, (first, last))?;
    }
    record.first_chapter_minutes = first_chapter_minutes(book)?;
    let contexts = contexts(book, &record)?;
    Ok((record, contexts))
}

fn plans(view: &BookView<'_>) -> Result<BTreeMap<VolumeNo, PlanFigures>, RunError> {
    let mut volumes = view.volumes()?;
    // The folders come in the order of their names, in which vol-100 stands before vol-11.
    volumes.sort_unstable();
    let (mut figures, mut before) = (BTreeMap::new(), VecDeque::new());
    for volume in volumes {
        let plan = view.plan_of(volume)?;
        figures.insert(volume, PlanFigures::of(&plan, left_standing(before.iter())));
        before.push_front(plan);
        before.truncate(VOLUMES_BACK);
    }
    Ok(figures)
}

/// Minutes between the book's first commit and its first chapter's, by their dates.
fn first_chapter_minutes(book: &Book) -> Result<Option<f64>, RunError> {
    let log = book.log(&Log::default())?;
    let accepted = log.iter().rev().find(|transaction| transaction.accepts() == Some(ChapterNo::FIRST));
    let Some((begun, accepted)) = log.last().zip(accepted) else { return Ok(None) };
    let seconds = accepted.time.seconds - begun.time.seconds;
    Ok((seconds > 0).then(|| seconds as f64 / 60.0))
}

/// The writer's contexts that are measured.
fn contexts(book: &Book, record: &Record) -> Result<Vec<Context>, RunError> {
    let has = |chapter: &u32| record.chapters.iter().any(|written| written.chapter.get() == *chapter);
    let last = record.chapters.last().map(|written| written.chapter.get());
    let mut wanted: Vec<u32> = MEASURED.iter().copied().filter(has).chain(last).collect();
    wanted.dedup();
    wanted.into_iter().filter_map(ChapterNo::new).map(|chapter| context(book, chapter)).collect()
}

fn context(book: &Book, chapter: ChapterNo) -> Result<Context, RunError> {
    let breakdown = match preview::prompt(book, chapter, Agent::Writer) {
        Ok(prompt) => Some(prompt.breakdown),
        Err(RunError::Store(error)) => return Err(error.into()),
        Err(_) => None,
    };
    let tokens = breakdown.as_ref().map(|breakdown| breakdown.tokens());
    Ok(Context { chapter, tokens, limit: breakdown.and_then(|breakdown| breakdown.limit) })
}

fn threads_of(ledger: &Ledger) -> impl Iterator<Item = (Slug, ThreadFigures)> {
    ledger.entries.iter().map(|entry| (entry.id.clone(), ThreadFigures::of(entry)))
}

pub(super) fn written(
    view: &BookView<'_>,
    volume: VolumeNo,
    chapter: ChapterNo,
    transaction: &Transaction,
) -> Result<Written, RunError> {
    let recorded = view.evaluation(volume, chapter)?;
    let page = view.summary(volume, chapter)?;
    let log = view.log(volume, chapter)?;
    Ok(Written {
        chapter,
        words: match transaction.trailers.read("Novel-Words") {
            Some(words) if transaction.accepts() == Some(chapter) => Some(words),
            _ => Some(Count::of_prose(&view.chapter(chapter)?.body).words as u64),
        },
        gate: recorded.as_ref().and_then(|recorded| recorded.gate).or_else(|| log.as_ref()?.gate),
        report: recorded.map(|recorded| ReportFigures::of(&recorded.evaluation)),
        lines: page.map(|page| LineFigures::of(&page.storyline, &page.cross_references)),
        calls: log.filter(|log| !log.stages.is_empty()).map(|log| calls(&log)),
        style: view.quality_brief(chapter)?.map(|brief| brief.style).unwrap_or_default(),
    })
}

fn calls(log: &ChapterLog) -> Calls {
    let said = log.stages.iter().filter_map(|stage| Some((stage.input_tokens?, stage.cached_tokens?)));
    let said = said.reduce(|(sent, cached), (s, c)| (sent + s, cached + c));
    Calls {
        // Nothing takes no time at all: the clock stood still.
        duration_ms: Some(log.duration_ms()).filter(|ms| *ms > 0),
        cost_micro_usd: log.cost_micro_usd(),
        revisions: log.revisions,
        cached: said,
    }
}
