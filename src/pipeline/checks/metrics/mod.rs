//! Reading what the book's own figures are counted from (row R48). The figures of a volume are kept until a file of it changes.

mod kept;
mod rows;

use crate::domain::book::config::Agent;
use crate::domain::book::log::ChapterLog;
use crate::domain::metrics::{Calls, LineFigures, PlanFigures, Record, ReportFigures, ThreadFigures, Written};
use crate::domain::volume::foreshadowing::Ledger;
use crate::domain::volume::plan::{Plan, VOLUMES_BACK, left_standing};
use crate::domain::{ChapterNo, Slug, VolumeNo};
use crate::pipeline::book::view::BookView;
use crate::pipeline::chapter::preview;
use crate::pipeline::checks::consistency;
use crate::pipeline::engine::error::RunError;
use crate::store::{Book, CommitId, Log, Snapshot, Transaction, layout};
use crate::text::Count;
use kept::Kept;
use std::collections::BTreeMap;

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
    let snapshot = book.snapshot()?;
    let mut reading = Reading {
        book,
        snapshot: &snapshot,
        view: BookView::new(&snapshot),
        commits: book.chapter_commits()?,
        kept: Kept::open(book)?,
        plans: BTreeMap::new(),
    };
    let record = reading.record(volume)?;
    let contexts = if record.chapters.is_empty() { Vec::new() } else { reading.contexts(&record)? };
    reading.kept.keep();
    Ok((record, contexts))
}

struct Reading<'s, 'b> {
    book: &'b Book,
    snapshot: &'s Snapshot<'b>,
    view: BookView<'s, 'b>,
    /// The commit of each chapter.
    commits: BTreeMap<ChapterNo, CommitId>,
    kept: Kept<'b>,
    /// The plans that were read last.
    plans: BTreeMap<VolumeNo, Plan>,
}

impl Reading<'_, '_> {
    fn record(&mut self, volume: Option<VolumeNo>) -> Result<Record, RunError> {
        let mut volumes: BTreeMap<VolumeNo, Vec<(ChapterNo, CommitId)>> = BTreeMap::new();
        for (chapter, commit) in &self.commits {
            volumes.entry(self.view.volume_of(*chapter)?).or_default().push((*chapter, *commit));
        }
        let last = self.commits.keys().next_back().map_or(0, |chapter| chapter.get());
        let mut record = Record { volume, last, ..Record::default() };
        // Resolved threads leave the ledger with their volume; the last commit of each volume still has them.
        for (at, chapters) in volumes {
            if volume.is_none_or(|only| only == at) {
                record.chapters.extend(self.chapters(at, &chapters)?);
            }
            if let Some((_, commit)) = chapters.last() {
                record.threads.extend(self.threads(at, *commit)?);
            }
        }
        record.chapters.sort_by_key(|written| written.chapter);
        record.threads.extend(threads_of(&self.view.ledger()?));
        record.plans = self.plans()?;
        let range = record.chapters.first().zip(record.chapters.last());
        if let Some((first, last)) = range.map(|(first, last)| (first.chapter, last.chapter)) {
            let name = volume.map_or_else(|| "conflicts".to_owned(), |volume| format!("conflicts {volume}"));
            let key = [self.snapshot.commit_id().to_string(), first.to_string(), last.to_string()];
            let count = || consistency::count_conflicts(self.book, (first, last));
            record.examined = self.kept.figures(&name, &key, count)?;
        }
        record.first_chapter_minutes = self.first_chapter_minutes()?;
        Ok(record)
    }

    fn chapters(&mut self, volume: VolumeNo, chapters: &[(ChapterNo, CommitId)]) -> Result<Vec<Written>, RunError> {
        let mut key = vec![self.snapshot.print_of(layout::WAIVERS)?];
        for folder in [layout::CHAPTERS, layout::EVALUATIONS, layout::SUMMARIES, layout::LOGS, layout::QUALITY] {
            key.push(self.snapshot.print_of(&format!("{folder}/{volume}"))?);
        }
        key.extend(chapters.iter().map(|(chapter, commit)| format!("{} {commit}", chapter.get())));
        let (book, view) = (self.book, &self.view);
        self.kept.figures(&format!("chapters {volume}"), &key, || {
            let written = |(chapter, commit): &(ChapterNo, CommitId)| {
                written(view, volume, *chapter, &book.transaction(*commit)?)
            };
            chapters.iter().map(written).collect()
        })
    }

    /// The plot threads of the ledger as of that commit.
    fn threads(&mut self, volume: VolumeNo, commit: CommitId) -> Result<BTreeMap<Slug, ThreadFigures>, RunError> {
        let book = self.book;
        self.kept.figures(&format!("threads {volume}"), &[commit.to_string()], || {
            let then = book.snapshot_of(commit)?;
            let ledger = BookView::new(&then).ledger()?;
            Ok(threads_of(&ledger).collect())
        })
    }

    /// The plans of all volumes.
    fn plans(&mut self) -> Result<BTreeMap<VolumeNo, PlanFigures>, RunError> {
        let mut figures = BTreeMap::new();
        let mut prints: Vec<(VolumeNo, String)> = Vec::new();
        let mut volumes = self.view.volumes()?;
        // The folders come in the order of their names, in which vol-100 stands before vol-11.
        volumes.sort_unstable();
        for volume in volumes {
            prints.push((volume, self.snapshot.print_of(&format!("{}/{volume}", layout::VOLUMES))?));
            let basis = &prints[prints.len().saturating_sub(VOLUMES_BACK + 1)..];
            let key: Vec<String> = basis.iter().map(|(volume, print)| format!("{volume} {print}")).collect();
            let (view, plans) = (&self.view, &mut self.plans);
            let plan = self.kept.figures(&format!("plan {volume}"), &key, || {
                plans.retain(|known, _| basis.iter().any(|(volume, _)| volume == known));
                for (volume, _) in basis {
                    if !plans.contains_key(volume) {
                        plans.insert(*volume, view.plan_of(*volume)?);
                    }
                }
                let Some(plan) = plans.get(&volume) else { return Ok(PlanFigures::default()) };
                Ok(PlanFigures::of(plan, left_standing(plans.range(..volume).rev().map(|(_, plan)| plan))))
            })?;
            figures.insert(volume, plan);
        }
        Ok(figures)
    }

    /// Minutes between the book's first commit and its first chapter's, by their dates.
    fn first_chapter_minutes(&mut self) -> Result<Option<f64>, RunError> {
        const NAME: &str = "begun";
        type Begun = (i64, Option<i64>);
        let known = self.kept.last::<Begun>(NAME).and_then(|(at, begun)| Some((at.parse().ok()?, begun)));
        let since = match known {
            Some((at, begun)) => self.book.log_since(at)?.map(|log| (log, Some(begun))),
            None => None,
        };
        let (log, known) = match since {
            Some(since) => since,
            None => (self.book.log(&Log::default())?, None),
        };
        let mut accepted = log.iter().rev().filter(|transaction| transaction.accepts() == Some(ChapterNo::FIRST));
        let accepted = accepted.next().map(|transaction| transaction.time.seconds);
        let begun = match known {
            Some((begun, known)) => Some((begun, known.or(accepted))),
            None => log.last().map(|first| (first.time.seconds, accepted)),
        };
        let Some((begun, accepted)) = begun else { return Ok(None) };
        if !log.is_empty() {
            self.kept.note(NAME, self.snapshot.commit_id().to_string(), &(begun, accepted));
        }
        let seconds = accepted.map_or(0, |accepted| accepted - begun);
        Ok((seconds > 0).then(|| seconds as f64 / 60.0))
    }

    fn contexts(&mut self, record: &Record) -> Result<Vec<Context>, RunError> {
        let has = |chapter: &u32| record.chapters.iter().any(|written| written.chapter.get() == *chapter);
        let last = record.chapters.last().map(|written| written.chapter.get());
        let mut wanted: Vec<u32> = MEASURED.iter().copied().filter(has).chain(last).collect();
        wanted.dedup();
        let mut contexts = Vec::new();
        for chapter in wanted.into_iter().filter_map(ChapterNo::new) {
            let Some(commit) = self.commits.get(&chapter) else { continue };
            let mut key = vec![commit.to_string()];
            // A chapter that was written again was told of the text before, which the book of today leads to.
            if self.book.transaction(*commit)?.replaces().is_some() {
                key.push(self.snapshot.commit_id().to_string());
            }
            let book = self.book;
            let name = format!("context {}", chapter.get());
            let (tokens, limit) = self.kept.figures(&name, &key, || context(book, chapter))?;
            contexts.push(Context { chapter, tokens, limit });
        }
        Ok(contexts)
    }
}

/// The tokens of the writer's context and the most that it may have.
fn context(book: &Book, chapter: ChapterNo) -> Result<(Option<u32>, Option<u32>), RunError> {
    let breakdown = match preview::prompt(book, chapter, Agent::Writer) {
        Ok(prompt) => Some(prompt.breakdown),
        Err(RunError::Store(error)) => return Err(error.into()),
        Err(_) => None,
    };
    let tokens = breakdown.as_ref().map(|breakdown| breakdown.tokens());
    Ok((tokens, breakdown.and_then(|breakdown| breakdown.limit)))
}

fn threads_of(ledger: &Ledger) -> impl Iterator<Item = (Slug, ThreadFigures)> {
    ledger.entries.iter().map(|entry| (entry.id.clone(), ThreadFigures::of(entry)))
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
