//! The figures of a brief, read and counted from the book.

use super::block::{Block, Measures, Read, brief_before};
use super::drift::{self, Present};
use crate::domain::ChapterNo;
use crate::domain::quality::{BLOCK, ChapterFigures, QualityBrief, StyleFigure, StyleMeasure, Worn, WornKind};
use crate::domain::world::style::{AiPhrase, AiPhrases, StyleProfile, StyleSource};
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::error::RunError;
use crate::store::format::style::Drift;
use crate::store::{format, id_of, layout};
use crate::text::{self, Copied, MeasuredFigure, RECYCLED_HUMAN};

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

/// Counts the brief on the block that ends with `last`; `None` when a chapter of it is missing.
/// Fails when a chapter, a name or the house list cannot be read. Reports and logs that cannot be read count for nothing.
pub(super) fn count(view: &BookView<'_>, last: ChapterNo) -> Result<Option<Counted>, RunError> {
    let Some(block) = Block::of(view, last)? else { return Ok(None) };
    let Measures { figures: measured, copies, comparison, worn, beats, shared } = block.measure();
    let (first, at) = (block.first(), block.at);
    let (before, file) = (brief_before(view, first), view.style_drift()?);
    let present = Present { before: before.as_ref(), file: file.as_ref() };
    let (check, written) = drift::check(last, block.against, comparison.as_ref(), present);
    let phrases = view.phrases()?;
    let chapters = block.read[at..].iter().zip(&measured[at..]).zip(&copies);
    let figures = chapters.map(|((chapter, measured), copied)| chapter_figures(view, chapter, measured, copied));
    let figures = figures.collect::<Result<Vec<_>, _>>()?;
    let is_judged = figures.iter().all(|chapter| chapter.score.is_some());
    let listed = if is_judged { joining(&phrases, &worn) } else { Vec::new() };
    let mut style = style_of(&measured[..at], &measured[at..], view.style()?.as_ref());
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
        beats,
        worn,
        reader,
        shared,
        drift: check,
        listed: listed.clone(),
        threads: Vec::new(),
        chapters: figures,
    };
    Ok(Some(Counted { brief, drift: written, phrases: grown(phrases, listed) }))
}

impl BookView<'_> {
    /// The brief on the five chapters that end with `last`; `None` where the book has not got it.
    pub fn quality_brief(&self, last: ChapterNo) -> Result<Option<QualityBrief>, RunError> {
        let Some(volume) = self.contents()?.volume_of(last) else { return Ok(None) };
        self.read(&layout::quality_brief(volume, last), format::quality::read)
    }

    /// The corrections of style in force.
    pub fn style_drift(&self) -> Result<Option<Drift>, RunError> {
        self.read(layout::STYLE_DRIFT, format::style::read_drift)
    }
}

fn chapter_figures(
    view: &BookView<'_>,
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

fn mean_before(view: &BookView<'_>, first: ChapterNo) -> Result<Option<f64>, RunError> {
    let reports = view.before(first, BLOCK)?.into_iter().filter_map(|(number, volume)| {
        let report = view.evaluation(volume, number).ok().flatten()?;
        report.evaluation.reading.then(|| report.evaluation.overall())
    });
    let scores: Vec<f64> = reports.collect();
    Ok((!scores.is_empty()).then(|| (mean(&scores) * 100.0).round() / 100.0))
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
