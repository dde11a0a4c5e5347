//! The texts of a block and what they say by themselves, without the reports on them.

use super::drift;
use crate::agents::context::listed;
use crate::domain::quality::{BLOCK, LOOK_BACK, QualityBrief, SharedPassage, StyleMeasure, Worn};
use crate::domain::{ChapterNo, VolumeNo};
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::error::RunError;
use crate::text::{
    self, Comparison, Copied, MeasuredFigure, PhraseList, SHARED_RUN_ALARM, Shingles, copied, longest_shared_run,
    style_figures,
};
use std::collections::BTreeMap;

/// Beats that are named.
const BEATS: usize = 10;
/// Characters of a shared passage that are shown.
const SHOWN: usize = 24;

/// A chapter with its text.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) chapter: ChapterNo,
    pub(super) volume: VolumeNo,
    pub(super) body: String,
}

/// A block of chapters, and everything that its texts are measured by.
#[derive(Debug)]
pub(super) struct Block {
    /// Its chapters behind the [`LOOK_BACK`] before them, as far as the book has these.
    pub(super) read: Vec<Read>,
    /// The place of its first chapter among them.
    pub(super) at: usize,
    /// The first and the last of the chapters that it is compared with, which may lie further back; `None` while there are too few.
    pub(super) against: Option<(ChapterNo, ChapterNo)>,
    /// Those of them that are not in `read`.
    far: Vec<Read>,
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
    pub(super) comparison: Option<Comparison>,
    pub(super) worn: Vec<Worn>,
    pub(super) beats: Vec<(String, usize)>,
    pub(super) shared: Vec<SharedPassage>,
}

impl Block {
    /// The block that ends with `last`; `None` when a chapter of it is missing.
    pub(super) fn of(view: &BookView<'_>, last: ChapterNo) -> Result<Option<Self>, RunError> {
        let Some(first) = ChapterNo::new(last.get() + 1 - BLOCK) else { return Ok(None) };
        let from = first.get().saturating_sub(LOOK_BACK).max(1);
        let read = chapters(view, from, last.get())?;
        let Some(at) = read.iter().position(|chapter| chapter.chapter == first) else { return Ok(None) };
        if read.len() - at < BLOCK as usize {
            return Ok(None);
        }
        let against = drift::baseline(first, brief_before(view, first).as_ref());
        let far = match against {
            Some((oldest, newest)) => chapters(view, oldest.get(), newest.get().min(from - 1))?,
            None => Vec::new(),
        };
        let own = view.style()?.map(|style| style.own_phrases).unwrap_or_default();
        let listed = listed(&view.phrases()?.without(&own)).map(str::to_owned).collect();
        Ok(Some(Self { read, at, against, far, listed, names: view.names()?, own }))
    }

    pub(super) fn first(&self) -> ChapterNo {
        self.read[self.at].chapter
    }

    /// Measures it.
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

    fn comparison(&self) -> Option<Comparison> {
        let (oldest, newest) = self.against?;
        let near = self.read[..self.at].iter().filter(|read| (oldest..=newest).contains(&read.chapter));
        let base: Vec<&str> = self.far.iter().chain(near).map(|read| read.body.as_str()).collect();
        let block: Vec<&str> = self.read[self.at..].iter().map(|read| read.body.as_str()).collect();
        Comparison::of(&base, &block)
    }

    fn figures(&self) -> Vec<Vec<MeasuredFigure>> {
        let list = PhraseList::new(&self.listed);
        let measure = |Read { body, .. }: &Read| {
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
        let (Read { chapter, body, .. }, source) = (&self.read[at], &self.read[first_before(at) + copied.source]);
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

    fn beats(&self) -> Vec<(String, usize)> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for chapter in &self.read[self.at..] {
            for (beat, count) in text::Panel::of(&chapter.body).beat_counts {
                *counts.entry(beat).or_default() += count;
            }
        }
        let mut beats: Vec<(String, usize)> = counts.into_iter().filter(|(_, count)| *count > 1).collect();
        beats.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        beats.truncate(BEATS);
        beats
    }
}

/// The brief on the block before the one that begins with `first`. One that cannot be read is not there.
pub(super) fn brief_before(view: &BookView<'_>, first: ChapterNo) -> Option<QualityBrief> {
    first.previous().and_then(|before| view.quality_brief(before).ok().flatten())
}

/// The chapters from `from` to `last` that the book has.
fn chapters(view: &BookView<'_>, from: u32, last: u32) -> Result<Vec<Read>, RunError> {
    let read = |(chapter, volume)| Ok(Read { chapter, volume, body: view.chapter(chapter)?.body });
    view.among(from..=last)?.into_iter().map(read).collect()
}

/// The place of the first of the twenty chapters before one.
fn first_before(at: usize) -> usize {
    at.saturating_sub(LOOK_BACK as usize)
}
