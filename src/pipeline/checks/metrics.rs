//! Reading what the book's own figures are counted from (row R48).

use crate::domain::book::config::Agent;
use crate::domain::book::log::ChapterLog;
use crate::domain::metrics::{Calls, Record, Written};
use crate::domain::volume::foreshadowing::Ledger;
use crate::domain::{ChapterNo, VolumeNo};
use crate::pipeline::book::view::BookView;
use crate::pipeline::chapter::preview;
use crate::pipeline::checks::consistency::{self, is_conflict};
use crate::pipeline::engine::error::RunError;
use crate::store::{Book, Log, Transaction};
use crate::text::Count;
use std::collections::BTreeMap;

/// The chapters at which the writer's context is measured (row R23).
const MEASURED: [u32; 2] = [30, 100];

/// The writer's context for a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Context {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its estimated tokens; `None` when the prompt cannot be made any more.
    pub tokens: Option<u32>,
    /// The most that it may have: more where lines meet.
    pub limit: Option<u32>,
}

/// Everything that the figures of the book, or of one volume, are counted from. Reads only, each file once.
///
/// # Errors
/// When a file is not of its format: a figure without it would be a lie.
pub fn record(book: &Book, volume: Option<VolumeNo>) -> Result<Record, RunError> {
    let snapshot = book.snapshot()?;
    let view = BookView::new(&snapshot);
    let (mut chapters, mut last_of): (Vec<Written>, BTreeMap<VolumeNo, Transaction>) = Default::default();
    let mut briefs = Vec::new();
    let mut last = 0;
    for (chapter, transaction) in book.chapters()? {
        let at = view.volume_of(chapter)?;
        last = chapter.get();
        if volume.is_none_or(|only| only == at) {
            chapters.push(written(&view, at, chapter, &transaction)?);
            briefs.extend(view.quality_brief(chapter)?);
        }
        last_of.insert(at, transaction);
    }
    let mut plans = BTreeMap::new();
    for volume in view.volumes()? {
        plans.insert(volume, view.plan_of(volume)?);
    }
    // Resolved threads leave the ledger with their volume; the last commit of each volume still has them.
    let mut entries = BTreeMap::new();
    for transaction in last_of.into_values() {
        let then = book.snapshot_of(transaction.id)?;
        entries.extend(BookView::new(&then).ledger()?.entries.into_iter().map(|entry| (entry.id.clone(), entry)));
    }
    entries.extend(view.ledger()?.entries.into_iter().map(|entry| (entry.id.clone(), entry)));
    let ledger = Ledger { entries: entries.into_values().collect() };
    let range = chapters.first().zip(chapters.last()).map(|(first, last)| (first.chapter, last.chapter));
    let examined = match range {
        Some((first, last)) => {
            let examination = consistency::examine(book, Some(first), Some(last))?;
            (examination.chapters, examination.findings.iter().filter(|finding| is_conflict(finding)).count())
        }
        None => (0, 0),
    };
    let first_chapter_minutes = first_chapter_minutes(book)?;
    Ok(Record { chapters, plans, ledger, volume, last, examined, first_chapter_minutes, briefs })
}

fn written(
    view: &BookView<'_, '_>,
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
        evaluation: recorded.map(|recorded| recorded.evaluation),
        storyline: page.as_ref().map(|page| page.storyline.clone()),
        cross_references: page.map(|page| page.cross_references),
        calls: log.filter(|log| !log.stages.is_empty()).map(|log| calls(&log)),
    })
}

/// Minutes between the book's first commit and its first chapter's, by their dates.
fn first_chapter_minutes(book: &Book) -> Result<Option<f64>, RunError> {
    let log = book.log(&Log::default())?;
    let accepted = log.iter().rev().find(|transaction| transaction.accepts() == Some(ChapterNo::FIRST));
    let (Some(begun), Some(accepted)) = (log.last(), accepted) else { return Ok(None) };
    let seconds = accepted.time.seconds - begun.time.seconds;
    Ok((seconds > 0).then(|| seconds as f64 / 60.0))
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

/// The writer's context at chapters 30 and 100 and at the last one of the record, as each was told it.
///
/// # Errors
/// When the repository cannot be read.
pub fn contexts(book: &Book, record: &Record) -> Result<Vec<Context>, RunError> {
    let has = |chapter: &u32| record.chapters.iter().any(|written| written.chapter.get() == *chapter);
    let last = record.chapters.last().map(|written| written.chapter.get());
    let mut wanted: Vec<u32> = MEASURED.iter().copied().filter(has).chain(last).collect();
    wanted.dedup();
    let mut contexts = Vec::new();
    for chapter in wanted.into_iter().filter_map(ChapterNo::new) {
        let breakdown = match preview::prompt(book, chapter, Agent::Writer) {
            Ok(prompt) => Some(prompt.breakdown),
            Err(RunError::Store(error)) => return Err(error.into()),
            Err(_) => None,
        };
        let tokens = breakdown.as_ref().map(|breakdown| breakdown.tokens());
        contexts.push(Context { chapter, tokens, limit: breakdown.and_then(|breakdown| breakdown.limit) });
    }
    Ok(contexts)
}
