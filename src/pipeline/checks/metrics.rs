//! Reading what the book's own figures are counted from (row R48), in one pass over its files.
//! The material of the page of `novel report` (row R47), read in one pass over the book's files.

use crate::domain::book::checkpoint::ChapterLog;
use crate::domain::metrics::{
    BookRecords, CallFigures, ChapterMetrics, LineFigures, PlanFigures, ReportFigures, ThreadFigures,
};
use crate::domain::state::history::HistoryStep;
use crate::domain::state::history::fact::{Cause, Fact};
use crate::domain::state::{Category, MAX_RELATIONSHIP};
use crate::domain::volume::inventory::Inventory;
use crate::domain::volume::outline::Section;
use crate::domain::volume::plan::{VOLUMES_BACK, left_standing};
use crate::domain::world::storyline::{Convergence, Storyline};
use crate::pipeline::book::files;
use crate::pipeline::book::foreshadowing::inventory_of;
use crate::pipeline::book::planning_context;
use crate::pipeline::book::timeline::Timeline;
use crate::pipeline::chapter::preview;
use crate::pipeline::checks::consistency;
use crate::pipeline::prelude::*;
use crate::pipeline::quality;
use crate::store::{self, Log};
use crate::text::Count;
use serde::Serialize;
use std::collections::VecDeque;

/// The chapters at which the writer's context is measured (row R23).
const MEASURED: [u32; 2] = [30, 100];

/// The writer's context for a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Context {
    pub chapter: ChapterNo,
    /// Its estimated tokens; `None` when the prompt cannot be made any more.
    pub tokens: Option<u32>,
    /// The most that it may have: more where lines meet.
    pub limit: Option<u32>,
    pub met: Option<bool>,
}

/// Everything that the figures of the book, or of one volume, are counted from, and the writer's context at chapters 30 and 100
/// and at the last one, as each was told it. Changes nothing in the book.
pub fn record(book: &Book, volume: Option<VolumeNo>) -> Result<(BookRecords, Vec<Context>), RunError> {
    let view = BookView::new(book.snapshot()?);
    let commits = store::history::chapters(book)?;
    let last = commits.keys().next_back().map_or(0, |chapter| chapter.get());
    let mut record = BookRecords { volume, last, ..BookRecords::default() };
    let mut last_of_volume: BTreeMap<VolumeNo, &Transaction> = BTreeMap::new();
    for (chapter, transaction) in &commits {
        let at = view.volume_of(*chapter)?;
        last_of_volume.insert(at, transaction);
        if volume.is_none_or(|only| only == at) {
            let page = files::summary(&view, at, *chapter)?;
            record.chapters.push(written(&view, at, (*chapter, transaction), page.as_ref())?);
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
        let plan = planning_context::plan_of(view, volume)?;
        figures.insert(volume, PlanFigures::of(&plan, left_standing(before.iter())));
        before.push_front(plan);
        before.truncate(VOLUMES_BACK);
    }
    Ok(figures)
}

/// Minutes between the book's first commit and its first chapter's, by their dates.
fn first_chapter_minutes(book: &Book) -> Result<Option<f64>, RunError> {
    let log = store::history::log(book, &Log::default())?;
    let accepted = log.iter().rev().find(|transaction| transaction.accepts() == Some(ChapterNo::FIRST));
    let Some((begun, accepted)) = log.last().zip(accepted) else { return Ok(None) };
    let seconds = accepted.time.seconds - begun.time.seconds;
    Ok((seconds > 0).then(|| seconds as f64 / 60.0))
}

/// The writer's contexts that are measured.
fn contexts(book: &Book, record: &BookRecords) -> Result<Vec<Context>, RunError> {
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
    let limit = breakdown.and_then(|breakdown| breakdown.limit);
    Ok(Context { chapter, tokens, limit, met: tokens.zip(limit).map(|(tokens, limit)| tokens <= limit) })
}

fn threads_of(ledger: &Ledger) -> impl Iterator<Item = (Slug, ThreadFigures)> {
    ledger.entries.iter().map(|entry| (entry.id.clone(), ThreadFigures::of(entry)))
}

pub(super) fn written(
    view: &BookView<'_>,
    volume: VolumeNo,
    (chapter, transaction): (ChapterNo, &Transaction),
    page: Option<&SummaryPage>,
) -> Result<ChapterMetrics, RunError> {
    let recorded = files::evaluation(view, volume, chapter)?;
    let log = files::chapter_log(view, volume, chapter)?;
    Ok(ChapterMetrics {
        chapter,
        words: match transaction.trailers.read("Novel-Words") {
            Some(words) if transaction.accepts() == Some(chapter) => Some(words),
            _ => Some(Count::of_prose(&view.chapter(chapter)?.body).words as u64),
        },
        gate: recorded.as_ref().and_then(|recorded| recorded.gate).or_else(|| log.as_ref()?.gate),
        report: recorded.map(|recorded| ReportFigures::of(&recorded.evaluation)),
        lines: page.map(|page| LineFigures::of(&page.storyline, &page.cross_references)),
        calls: log.filter(|log| !log.stages.is_empty()).map(|log| calls(&log)),
        style: quality::figures::quality_brief(view, chapter)?.map(|brief| brief.style).unwrap_or_default(),
    })
}

fn calls(log: &ChapterLog) -> CallFigures {
    let said = log.stages.iter().filter_map(|stage| Some((stage.input_tokens?, stage.cached_tokens?)));
    let said = said.reduce(|(sent, cached), (s, c)| (sent + s, cached + c));
    CallFigures {
        // Nothing takes no time at all: the clock stood still.
        duration_ms: Some(log.duration_ms()).filter(|ms| *ms > 0),
        cost_micro_usd: log.cost_micro_usd(),
        revisions: log.revisions,
        cached: said,
    }
}

/// Bytes of text that are read for a page: as many as a phone opens and a messenger sends.
pub const TEXTS: usize = 2_900_000;

#[derive(Debug)]
pub struct Portrait {
    pub title: String,
    /// The commit that everything is read from.
    pub commit: CommitId,
    pub lines: Vec<Storyline>,
    pub chapters: Vec<Pictured>,
    /// The sections of outlines whose chapters are not written, in order.
    pub ahead: Vec<Section>,
    /// The crossovers that volumes plan.
    pub meetings: Vec<Convergence>,
    pub threads: Inventory,
    /// The places to which people move, by their ids and by the chapters after which they are there.
    pub places: BTreeMap<String, BTreeMap<u32, String>>,
    pub relations: Vec<Bond>,
}

#[derive(Debug)]
pub struct Pictured {
    pub figures: ChapterMetrics,
    pub title: String,
    pub line: Option<Slug>,
    pub summary: String,
    /// Empty for a chapter before the last ones with [`TEXTS`] bytes.
    pub text: String,
    /// The text before a later change; `None` for a chapter that stands as it was accepted.
    pub before: Option<String>,
}

/// How someone stands to someone else now.
#[derive(Debug)]
pub struct Bond {
    pub from: String,
    pub to: String,
    /// From −100 to 100.
    pub value: i64,
}

/// Reads the book as it is committed. Changes nothing.
pub fn portrait(book: &Book) -> Result<Portrait, RunError> {
    let view = BookView::new(book.snapshot()?);
    let (mut outlines, mut meetings) = (BTreeMap::new(), Vec::new());
    for volume in view.volumes()? {
        meetings.extend(files::schedule(&view, volume)?.into_iter().flat_map(|schedule| schedule.convergences));
        // An outline with mistakes is the business of other commands.
        outlines.extend(view.outline(volume).ok().flatten().map(|outline| (volume, outline)));
    }
    let commits = store::history::chapters(book)?;
    let mut room = TEXTS;
    let chapters = commits.iter().rev().map(|(chapter, commit)| {
        let pictured = pictured((book, &view), &outlines, (*chapter, commit), room > 0)?;
        room = room.saturating_sub(pictured.text.len());
        Ok(pictured)
    });
    let mut chapters: Vec<Pictured> = chapters.collect::<Result<_, RunError>>()?;
    chapters.reverse();
    let last = chapters.last().map_or(0, |chapter| chapter.figures.chapter.get());
    let sections = outlines.into_values().flat_map(|outline| outline.sections);
    let mut ahead: Vec<Section> = sections.filter(|section| section.chapter.get() > last).collect();
    ahead.sort_by_key(|section| section.chapter);
    let chronicle = Timeline::of(book)?.chronicle;
    Ok(Portrait {
        title: view.config()?.title,
        commit: view.commit_id(),
        lines: files::storylines(&view)?.lines,
        chapters,
        ahead,
        meetings,
        threads: inventory_of(&view, &chronicle)?,
        places: places(&chronicle),
        relations: relations(&view)?,
    })
}

fn pictured(
    (book, view): (&Book, &BookView<'_>),
    outlines: &BTreeMap<VolumeNo, Outline>,
    (chapter, commit): (ChapterNo, &Transaction),
    has_room: bool,
) -> Result<Pictured, RunError> {
    let volume = view.volume_of(chapter)?;
    let path = layout::chapter(volume, chapter);
    let summary = files::summary(view, volume, chapter)?;
    let is_as_accepted = book.snapshot_of(commit.id)?.content_id(&path) == view.content_id(&path);
    let (title, text) = match &summary {
        Some(summary) if is_as_accepted && !has_room => (summary.title.clone(), String::new()),
        _ => view.chapter(chapter).map(|now| (now.title, if has_room { now.body } else { String::new() }))?,
    };
    // Only what was changed after its acceptance is worth the way through the history.
    let before = match is_as_accepted || !has_room {
        true => None,
        false => store::history::earlier_text(book, chapter, (view, &path))?,
    };
    let before = before.map(|commit| BookView::new(book.snapshot_of(commit)?).chapter(chapter)).transpose()?;
    let planned = || outlines.get(&volume)?.section(chapter).map(|section| section.storyline.clone());
    Ok(Pictured {
        figures: written(view, volume, (chapter, commit), summary.as_ref())?,
        line: summary.as_ref().map(|summary| summary.storyline.clone()).or_else(planned),
        summary: summary.map(|summary| summary.text).unwrap_or_default(),
        title,
        text,
        before: before.map(|chapter| chapter.body),
    })
}

/// The places of people. A place that an edit gave them counts from the chapter before the edit.
fn places(chronicle: &Chronicle) -> BTreeMap<String, BTreeMap<u32, String>> {
    let (mut last, mut edits) = (0, Vec::new());
    for step in chronicle.steps() {
        match step {
            HistoryStep::Chapter { delta, .. } => last = delta.chapter.get(),
            HistoryStep::Edit(_) => edits.push(last),
        }
    }
    let mut places: BTreeMap<String, BTreeMap<u32, String>> = BTreeMap::new();
    for change in chronicle.changes(&Fact::Value(vec![Category::Characters.as_str().to_owned()])) {
        let [_, who, field] = &change.keys[..] else { continue };
        let (true, Some(place)) = (field == "location", change.new.as_ref().and_then(|place| place.as_str())) else {
            continue;
        };
        let chapter = match change.cause {
            Cause::Chapter(chapter) => chapter.get(),
            Cause::Edit(edit) => edits.get(edit).copied().unwrap_or(0),
        };
        places.entry(who.clone()).or_default().insert(chapter, place.to_owned());
    }
    places
}

fn relations(view: &BookView<'_>) -> Result<Vec<Bond>, RunError> {
    let state = view.state()?;
    let mut bonds = Vec::new();
    for (from, fields) in state.entities(Category::Characters) {
        let others = fields.get("relationships").and_then(|others| others.as_object());
        bonds.extend(others.into_iter().flatten().filter_map(|(to, value)| {
            let value = value.as_i64()?.clamp(-MAX_RELATIONSHIP, MAX_RELATIONSHIP);
            Some(Bond { from: from.to_owned(), to: to.clone(), value })
        }));
    }
    bonds.sort_by_key(|bond| std::cmp::Reverse(bond.value.abs()));
    Ok(bonds)
}
