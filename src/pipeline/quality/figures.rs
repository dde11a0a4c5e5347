//! The figures of a brief, read and counted from the book.

use crate::agents::context::listed;
use crate::domain::quality::{
    BLOCK, Beat, ChapterFigures, LOOK_BACK, QualityBrief, SharedPassage, StyleFigure, StyleMeasure, Worn, WornKind,
};
use crate::domain::world::style::{AiPhrase, AiPhrases, StyleProfile, StyleSource};
use crate::pipeline::book::chapter_context;
use crate::pipeline::book::files;
use crate::pipeline::book::names;
use crate::pipeline::prelude::*;
use crate::pipeline::quality::{self, Present};
use crate::store::format::style::Drift;
use crate::store::id_of;
use crate::text::{
    Copied, MeasuredFigure, PhraseList, RECYCLED_HUMAN, SHARED_RUN_ALARM, Shingles, StyleComparison, copied,
    longest_shared_run, style_figures,
};

/// Phrases that join the house list at a time …
const JOINING: usize = 3;
/// … when they stand in so many of the last twenty-five chapters …
const JOINING_FROM: usize = 10;
/// … and until the group has so many.
const GROUP_LIMIT: usize = 40;
/// The group of the list that they join.
const GROUP: &str = "本书用滥";

/// A brief, and what is written together with it.
pub(super) struct CountedBrief {
    pub(super) brief: QualityBrief,
    /// The corrections of style, where they are written.
    pub(super) drift: Option<Drift>,
    /// The house list, where it has grown.
    pub(super) phrases: Option<AiPhrases>,
}

/// Counts the brief on the block that ends with `last`; `None` when a chapter of it is missing.
/// Fails when a chapter, a name or the house list cannot be read. Reports and logs that cannot be read count for nothing.
pub(super) fn count(view: &BookView<'_>, last: ChapterNo) -> Result<Option<CountedBrief>, RunError> {
    let Some(block) = ChapterBlock::of(view, last)? else { return Ok(None) };
    let Measures { figures: measured, copies, comparison, worn, beats, shared } = block.measure();
    let (first, at) = (block.first(), block.at);
    let (before, file) = (brief_before(view, first), style_drift(view)?);
    let present = Present { before: before.as_ref(), file: file.as_ref() };
    let (check, written) = quality::check(last, block.against, comparison.as_ref(), present);
    let phrases = files::phrases(view)?;
    let chapters = block.read[at..].iter().zip(&measured[at..]).zip(&copies);
    let figures = chapters.map(|((chapter, measured), copied)| chapter_figures(view, chapter, measured, copied));
    let figures = figures.collect::<Result<Vec<_>, _>>()?;
    let is_judged = figures.iter().all(|chapter| chapter.score.is_some());
    let listed = if is_judged { joining(&phrases, &worn) } else { Vec::new() };
    let mut style = style_of(&measured[..at], &measured[at..], files::style_profile(view)?.as_ref());
    let recycled = figures.iter().map(|chapter| chapter.recycled).sum::<f64>() / f64::from(BLOCK);
    style.push(StyleFigure {
        measure: StyleMeasure::Recycled,
        now: rounded(recycled),
        baseline: None,
        spread: None,
        human: Some(RECYCLED_HUMAN),
    });
    let (_, reader) = chapter_context::ledgers(view, ChapterNo::after(last.get()), 0)?;
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
    Ok(Some(CountedBrief { brief, drift: written, phrases: grown(phrases, listed) }))
}

/// The brief on the five chapters that end with `last`; `None` where the book has not got it.
pub(crate) fn quality_brief(view: &BookView<'_>, last: ChapterNo) -> Result<Option<QualityBrief>, RunError> {
    let Some(volume) = view.contents()?.volume_of(last) else { return Ok(None) };
    view.read(&layout::quality_brief(volume, last), format::read)
}

/// The corrections of style in force.
pub(crate) fn style_drift(view: &BookView<'_>) -> Result<Option<Drift>, RunError> {
    view.read(layout::STYLE_DRIFT, format::read)
}

fn chapter_figures(
    view: &BookView<'_>,
    ReadChapter { chapter, volume, .. }: &ReadChapter,
    measured: &[MeasuredFigure],
    copied: &Copied,
) -> Result<ChapterFigures, RunError> {
    let path = layout::chapter(*volume, *chapter);
    let report = files::evaluation(view, *volume, *chapter).ok().flatten();
    let judged = report.as_ref().filter(|report| report.evaluation.reading);
    let phrases = measured.iter().find(|figure| figure.measure == StyleMeasure::AiPhrases);
    Ok(ChapterFigures {
        chapter: *chapter,
        text: id_of(&view.bytes(&path)?.unwrap_or_default())?,
        score: judged.map(|report| report.evaluation.overall()),
        gate: report.as_ref().and_then(|report| report.gate),
        revisions: files::chapter_log(view, *volume, *chapter).ok().flatten().map_or(0, |log| log.revisions),
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
    let reports = chapter_context::before(view, first, BLOCK)?.into_iter().filter_map(|(number, volume)| {
        let report = files::evaluation(view, volume, number).ok().flatten()?;
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

const BEATS: usize = 10;
/// Characters of a shared passage that are shown.
const SHOWN: usize = 24;

#[derive(Debug)]
pub(super) struct ReadChapter {
    pub(super) chapter: ChapterNo,
    pub(super) volume: VolumeNo,
    pub(super) body: String,
}

/// A block of chapters, and everything that its texts are measured by.
#[derive(Debug)]
pub(super) struct ChapterBlock {
    /// Its chapters behind the [`LOOK_BACK`] before them, as far as the book has these.
    pub(super) read: Vec<ReadChapter>,
    /// The place of its first chapter among them.
    pub(super) at: usize,
    /// The first and the last of the chapters that it is compared with, which may lie further back; `None` while there are too few.
    pub(super) against: Option<(ChapterNo, ChapterNo)>,
    /// Those of them that are not in `read`.
    far: Vec<ReadChapter>,
    listed: Vec<String>,
    names: Vec<String>,
    own: Vec<String>,
}

/// Everything that the texts of a block say by themselves.
#[derive(Debug)]
pub(super) struct Measures {
    /// The figures of style of each chapter, the ones before the block included, with the rate of its listed phrases.
    pub(super) figures: Vec<Vec<MeasuredFigure>>,
    /// The copies in each chapter of the block, out of the twenty before it.
    pub(super) copies: Vec<Copied>,
    pub(super) comparison: Option<StyleComparison>,
    pub(super) worn: Vec<Worn>,
    pub(super) beats: Vec<Beat>,
    pub(super) shared: Vec<SharedPassage>,
}

impl ChapterBlock {
    /// The block that ends with `last`; `None` when a chapter of it is missing.
    pub(super) fn of(view: &BookView<'_>, last: ChapterNo) -> Result<Option<Self>, RunError> {
        let Some(first) = ChapterNo::new(last.get() + 1 - BLOCK) else { return Ok(None) };
        let from = first.get().saturating_sub(LOOK_BACK).max(1);
        let read = chapters(view, from, last.get())?;
        let Some(at) = read.iter().position(|chapter| chapter.chapter == first) else { return Ok(None) };
        if read.len() - at < BLOCK as usize {
            return Ok(None);
        }
        let against = quality::baseline(first, brief_before(view, first).as_ref());
        let far = match against {
            Some((oldest, newest)) => chapters(view, oldest.get(), newest.get().min(from - 1))?,
            None => Vec::new(),
        };
        let own = files::style_profile(view)?.map(|style| style.own_phrases).unwrap_or_default();
        let listed = listed(&files::phrases(view)?.without(&own)).map(str::to_owned).collect();
        Ok(Some(Self { read, at, against, far, listed, names: names::all_names(view)?, own }))
    }

    pub(super) fn first(&self) -> ChapterNo {
        self.read[self.at].chapter
    }

    pub(super) fn measure(&self) -> Measures {
        let copies = self.copies();
        let shared = (self.at..).zip(&copies).filter_map(|(n, copied)| self.shared(n, copied)).collect();
        Measures {
            figures: self.figures(),
            copies,
            shared,
            comparison: self.comparison(),
            worn: self.worn(),
            beats: self.beats(),
        }
    }

    fn comparison(&self) -> Option<StyleComparison> {
        let (oldest, newest) = self.against?;
        let near = self.read[..self.at].iter().filter(|read| (oldest..=newest).contains(&read.chapter));
        let base: Vec<&str> = self.far.iter().chain(near).map(|read| read.body.as_str()).collect();
        let block: Vec<&str> = self.read[self.at..].iter().map(|read| read.body.as_str()).collect();
        StyleComparison::of(&base, &block)
    }

    fn figures(&self) -> Vec<Vec<MeasuredFigure>> {
        let list = PhraseList::new(&self.listed);
        let measure = |ReadChapter { body, .. }: &ReadChapter| {
            let hits = list.find(body).rate();
            let phrases = MeasuredFigure { measure: StyleMeasure::AiPhrases, value: hits, human: None };
            style_figures(body).into_iter().chain([phrases]).collect()
        };
        self.read.iter().map(measure).collect()
    }

    fn copies(&self) -> Vec<Copied> {
        let shingles: Vec<Shingles> = self.read.iter().map(|chapter| Shingles::of(&chapter.body)).collect();
        let copies = |n: usize| copied(&self.read[n].body, &shingles[first_before(n)..n]);
        (self.at..self.read.len()).map(copies).collect()
    }

    /// The longest passage that a chapter shares with an earlier one, from [`SHARED_RUN_ALARM`] letters on.
    fn shared(&self, at: usize, copied: &Copied) -> Option<SharedPassage> {
        if copied.longest < SHARED_RUN_ALARM {
            return None;
        }
        let (ReadChapter { chapter, body, .. }, source) =
            (&self.read[at], &self.read[first_before(at) + copied.source]);
        // 8-grams may stand in the earlier chapter in another order; the letters decide.
        let run = longest_shared_run(body, &source.body, SHARED_RUN_ALARM)?;
        Some(SharedPassage {
            chapter: *chapter,
            earlier: source.chapter,
            letters: run.letters,
            words: body[run.first].chars().filter(|c| *c != '\n').take(SHOWN).collect(),
        })
    }

    fn worn(&self) -> Vec<Worn> {
        let texts: Vec<(ChapterNo, &str)> =
            self.read.iter().map(|chapter| (chapter.chapter, chapter.body.as_str())).collect();
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let own: Vec<&str> = self.own.iter().map(String::as_str).collect();
        text::worn(&texts, &names, &own)
    }

    fn beats(&self) -> Vec<Beat> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for chapter in &self.read[self.at..] {
            for (beat, count) in text::Panel::of(&chapter.body).beat_counts {
                *counts.entry(beat).or_default() += count;
            }
        }
        let counts = counts.into_iter().filter(|(_, count)| *count > 1);
        let mut beats: Vec<Beat> = counts.map(|(phrase, times)| Beat { phrase, times }).collect();
        beats.sort_by_key(|beat| std::cmp::Reverse(beat.times));
        beats.truncate(BEATS);
        beats
    }
}

/// The brief on the block before the one that begins with `first`. One that cannot be read is not there.
pub(super) fn brief_before(view: &BookView<'_>, first: ChapterNo) -> Option<QualityBrief> {
    first.previous().and_then(|before| quality_brief(view, before).ok().flatten())
}

/// The chapters from `from` to `last` that the book has.
fn chapters(view: &BookView<'_>, from: u32, last: u32) -> Result<Vec<ReadChapter>, RunError> {
    let read = |(chapter, volume)| Ok(ReadChapter { chapter, volume, body: view.chapter(chapter)?.body });
    chapter_context::among(view, from..=last)?.into_iter().map(read).collect()
}

/// The place of the first of the twenty chapters before one.
fn first_before(at: usize) -> usize {
    at.saturating_sub(LOOK_BACK as usize)
}
