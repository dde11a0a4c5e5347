//! The figures of a brief, read and counted from the book.

use super::drift::{self, Present};
use crate::agents::context::listed;
use crate::domain::quality::{
    BLOCK, ChapterFigures, LOOK_BACK, QualityBrief, SharedPassage, StyleFigure, StyleMeasure, Worn, WornKind,
};
use crate::domain::world::style::{AiPhrase, AiPhrases, StyleProfile, StyleSource};
use crate::domain::{ChapterNo, VolumeNo};
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::aside::Aside;
use crate::pipeline::engine::error::RunError;
use crate::store::format::style::Drift;
use crate::store::{format, id_of, layout};
use crate::text::{
    self, Comparison, Copied, MeasuredFigure, PhraseList, RECYCLED_HUMAN, SHARED_RUN_ALARM, Shingles, copied,
    longest_shared_run, style_figures,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Beats that are named.
const BEATS: usize = 10;
/// Characters of a shared passage that are shown.
const SHOWN: usize = 24;
/// Phrases that join the house list at a time …
const JOINING: usize = 3;
/// … when they stand in so many of the last twenty-five chapters …
const JOINING_FROM: usize = 10;
/// … and until the group has so many.
const GROUP_LIMIT: usize = 40;
/// The group of the list that they join.
const GROUP: &str = "本书用滥";

/// A brief, and what is written together with it.
pub(super) struct Counted {
    pub(super) brief: QualityBrief,
    /// The corrections of style, where they are written.
    pub(super) drift: Option<Drift>,
    /// The house list, where it has grown.
    pub(super) phrases: Option<AiPhrases>,
}

/// A chapter with its text.
struct Read {
    chapter: ChapterNo,
    volume: VolumeNo,
    body: String,
}

/// Counts the brief on the block that ends with `last`; `None` when a chapter of it is missing.
///
/// # Errors
/// When a chapter, a name or the house list cannot be read. Reports and logs that cannot be read count for nothing.
pub(super) fn count(view: &BookView<'_, '_>, last: ChapterNo) -> Result<Option<Counted>, RunError> {
    let Some(first) = ChapterNo::new(last.get() + 1 - BLOCK) else { return Ok(None) };
    let before = first.previous().and_then(|before| view.quality_brief(before).ok().flatten());
    let against = drift::baseline(first, before.as_ref());
    let from = first.get().saturating_sub(LOOK_BACK).max(1);
    let read = chapters(view, from, last)?;
    let Some(at) = read.iter().position(|chapter| chapter.chapter == first) else { return Ok(None) };
    if read.len() - at < BLOCK as usize {
        return Ok(None);
    }
    let style = view.style()?;
    let own: Vec<String> = style.as_ref().map(|style| style.own_phrases.clone()).unwrap_or_default();
    let phrases = view.phrases()?;
    let list = PhraseList::new(listed(&phrases.clone().without(&own)));
    let read = Arc::new(read);
    let measured = Aside::begin((Arc::clone(&read), list), |(read, list)| measured(read, list));
    let copies = copies(&read, at);
    let (comparison, file) = (compare(view, against, &read[at..])?, view.style_drift()?);
    let present = Present { before: before.as_ref(), file: file.as_ref() };
    let (check, written) = drift::check(last, against, comparison.as_ref(), present);
    let names = view.names()?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let texts: Vec<(ChapterNo, &str)> = read.iter().map(|chapter| (chapter.chapter, chapter.body.as_str())).collect();
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let worn = text::worn(&texts, &names, &own);
    let measured = measured.end();
    let block = read[at..].iter().zip(&measured[at..]).zip(&copies);
    let figures = block.map(|((chapter, measured), copied)| chapter_figures(view, chapter, measured, copied));
    let figures = figures.collect::<Result<Vec<_>, _>>()?;
    let is_judged = figures.iter().all(|chapter| chapter.score.is_some());
    let listed = if is_judged { joining(&phrases, &worn) } else { Vec::new() };
    let mut style = style_of(&measured[..at], &measured[at..], style.as_ref());
    let recycled = figures.iter().map(|chapter| chapter.recycled).sum::<f64>() / f64::from(BLOCK);
    style.push(StyleFigure {
        measure: StyleMeasure::Recycled,
        now: rounded(recycled),
        baseline: None,
        spread: None,
        human: Some(RECYCLED_HUMAN),
    });
    let (_, reader) = view.ledgers(ChapterNo::after(last.get()), 0)?;
    let brief = QualityBrief {
        first,
        last,
        mean_before: mean_before(view, first)?,
        style,
        beats: beats(&read[at..]),
        worn,
        reader,
        shared: (at..).zip(&copies).filter_map(|(n, copied)| shared(&read, n, copied)).collect(),
        drift: check,
        listed: listed.clone(),
        chapters: figures,
    };
    Ok(Some(Counted { brief, drift: written, phrases: grown(phrases, listed) }))
}

impl BookView<'_, '_> {
    /// The brief on the five chapters that end with `last`; `None` where the book has not got it.
    ///
    /// # Errors
    /// When it is not of its format.
    pub fn quality_brief(&self, last: ChapterNo) -> Result<Option<QualityBrief>, RunError> {
        let Some(volume) = self.contents()?.volume_of(last) else { return Ok(None) };
        self.read(&layout::quality_brief(volume, last), format::quality::read)
    }

    /// The corrections of style in force.
    ///
    /// # Errors
    /// When the file is not of its format.
    pub fn style_drift(&self) -> Result<Option<Drift>, RunError> {
        self.read(layout::STYLE_DRIFT, format::style::read_drift)
    }
}

/// The chapters from `from` to `last` that the book has.
fn chapters(view: &BookView<'_, '_>, from: u32, last: ChapterNo) -> Result<Vec<Read>, RunError> {
    let contents = view.contents()?;
    let numbers = (from..=last.get()).filter_map(ChapterNo::new);
    let there = numbers.filter_map(|number| Some((number, contents.volume_of(number)?)));
    there
        .map(|(chapter, volume)| {
            let body = view.chapter(chapter)?.body;
            Ok(Read { chapter, volume, body })
        })
        .collect()
}

/// The figures of style of each chapter, with the rate of its listed phrases.
fn measured(read: &[Read], list: &PhraseList) -> Vec<Vec<MeasuredFigure>> {
    let measure = |Read { body, .. }: &Read| {
        let hits = list.find(body).rate();
        let phrases = MeasuredFigure { measure: StyleMeasure::AiPhrases, value: hits, human: None };
        style_figures(body).into_iter().chain([phrases]).collect()
    };
    read.iter().map(measure).collect()
}

fn chapter_figures(
    view: &BookView<'_, '_>,
    Read { chapter, volume, .. }: &Read,
    measured: &[MeasuredFigure],
    copied: &Copied,
) -> Result<ChapterFigures, RunError> {
    let path = layout::chapter(*volume, *chapter);
    let report = view.evaluation(*volume, *chapter).ok().flatten();
    let judged = report.as_ref().filter(|report| report.evaluation.reading);
    let phrases = measured.iter().find(|figure| figure.measure == StyleMeasure::AiPhrases);
    Ok(ChapterFigures {
        chapter: *chapter,
        text: id_of(&view.bytes(&path)?.unwrap_or_default())?,
        score: judged.map(|report| report.evaluation.overall()),
        gate: report.as_ref().and_then(|report| report.gate),
        revisions: view.log(*volume, *chapter).ok().flatten().map_or(0, |log| log.revisions),
        violations: judged
            .map(|report| report.evaluation.blocking().map(|check| check.rule.clone()).collect())
            .unwrap_or_default(),
        ai_phrases: phrases.map_or(0.0, |figure| rounded(figure.value)),
        recycled: rounded(copied.share),
    })
}

/// The copies in each chapter from `at` on, out of the twenty before it.
fn copies(read: &[Read], at: usize) -> Vec<Copied> {
    let shingles: Vec<Shingles> = read.iter().map(|chapter| Shingles::of(&chapter.body)).collect();
    (at..read.len()).map(|n| copied(&read[n].body, &shingles[first_before(n)..n])).collect()
}

/// The place of the first of the twenty chapters before one.
fn first_before(at: usize) -> usize {
    at.saturating_sub(LOOK_BACK as usize)
}

/// The longest passage that a chapter shares with an earlier one, from [`SHARED_RUN_ALARM`] letters on.
fn shared(read: &[Read], at: usize, copied: &Copied) -> Option<SharedPassage> {
    if copied.longest < SHARED_RUN_ALARM {
        return None;
    }
    let source = &read[first_before(at) + copied.source];
    // 8-grams may stand in the earlier chapter in another order; the letters decide.
    let run = longest_shared_run(&read[at].body, &source.body, SHARED_RUN_ALARM)?;
    Some(SharedPassage {
        chapter: read[at].chapter,
        earlier: source.chapter,
        letters: run.letters,
        words: read[at].body[run.first].chars().filter(|c| *c != '\n').take(SHOWN).collect(),
    })
}

fn beats(block: &[Read]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for chapter in block {
        for (beat, count) in text::Panel::of(&chapter.body).beat_counts {
            *counts.entry(beat).or_default() += count;
        }
    }
    let mut beats: Vec<(String, usize)> = counts.into_iter().filter(|(_, count)| *count > 1).collect();
    beats.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    beats.truncate(BEATS);
    beats
}

/// The means of the block beside those of the chapters before, and how far these lie apart. The first block has the figures of
/// the style profile beside it, where these were measured.
fn style_of(
    before: &[Vec<MeasuredFigure>],
    block: &[Vec<MeasuredFigure>],
    profile: Option<&StyleProfile>,
) -> Vec<StyleFigure> {
    let figure = |(at, measured): (usize, &MeasuredFigure)| {
        let values = |chapters: &[Vec<MeasuredFigure>]| chapters.iter().map(|c| c[at].value).collect::<Vec<f64>>();
        let (base, now) = (values(before), values(block));
        let has_base = base.len() >= BLOCK as usize;
        StyleFigure {
            measure: measured.measure,
            now: rounded(mean(&now)),
            baseline: match has_base {
                true => Some(rounded(mean(&base))),
                false => profile.and_then(|profile| of_profile(profile, measured.measure)),
            },
            spread: has_base.then(|| rounded(text::deviation(base.iter().copied()))),
            human: measured.human,
        }
    };
    block.first().map(|first| first.iter().enumerate().map(figure).collect()).unwrap_or_default()
}

/// A figure of the profile, unless it comes from a built-in style, which has not been measured on any text.
fn of_profile(profile: &StyleProfile, measure: StyleMeasure) -> Option<f64> {
    if matches!(profile.source, StyleSource::Preset | StyleSource::Deferred) {
        return None;
    }
    let name = match measure {
        StyleMeasure::SentenceLength => return Some(profile.avg_sentence_length),
        StyleMeasure::Dialogue => return Some(profile.dialogue_ratio),
        StyleMeasure::ParagraphLength => "paragraph_length_han",
        StyleMeasure::ShortSentences => "short_sentence_share",
        StyleMeasure::Commas => "commas_per_sentence",
        StyleMeasure::ModalParticles => "modal_particles_per_thousand",
        _ => return None,
    };
    profile.measured.get(name).copied()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Four places are as many as any figure deserves, and the same on every machine.
fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

fn mean_before(view: &BookView<'_, '_>, first: ChapterNo) -> Result<Option<f64>, RunError> {
    let contents = view.contents()?;
    let numbers = (first.get().saturating_sub(BLOCK).max(1)..first.get()).filter_map(ChapterNo::new);
    let reports = numbers.filter_map(|number| {
        let report = view.evaluation(contents.volume_of(number)?, number).ok().flatten()?;
        report.evaluation.reading.then(|| report.evaluation.overall())
    });
    let scores: Vec<f64> = reports.collect();
    Ok((!scores.is_empty()).then(|| (mean(&scores) * 100.0).round() / 100.0))
}

/// Compares the block with the chapters of the baseline, which may lie further back than those that were read.
fn compare(
    view: &BookView<'_, '_>,
    against: Option<(ChapterNo, ChapterNo)>,
    block: &[Read],
) -> Result<Option<Comparison>, RunError> {
    let Some((from, to)) = against else { return Ok(None) };
    let base = chapters(view, from.get(), to)?;
    Ok(Comparison::of(&bodies(&base), &bodies(block)))
}

fn bodies(read: &[Read]) -> Vec<&str> {
    read.iter().map(|chapter| chapter.body.as_str()).collect()
}

/// The worn-out phrases that join the house list: those of most chapters that neither stand on it nor are allowed.
fn joining(phrases: &AiPhrases, worn: &[Worn]) -> Vec<String> {
    let room = GROUP_LIMIT.saturating_sub(phrases.phrases.iter().filter(|phrase| phrase.category == GROUP).count());
    let known = phrases.phrases.iter().map(|phrase| &phrase.text).chain(&phrases.allowed);
    let known: Vec<&String> = known.collect();
    let is_new = |words: &String| !known.iter().any(|known| words.contains(*known) || known.contains(words));
    let often = worn.iter().filter(|worn| worn.kind == WornKind::Phrase && worn.chapters.len() >= JOINING_FROM);
    often.filter_map(Worn::words).filter(is_new).take(JOINING.min(room)).collect()
}

fn grown(mut phrases: AiPhrases, listed: Vec<String>) -> Option<AiPhrases> {
    if listed.is_empty() {
        return None;
    }
    let group = |text: String| AiPhrase { text, category: GROUP.to_owned() };
    phrases.phrases.extend(listed.into_iter().map(group));
    Some(phrases)
}
