//! Likely costs, told before the work is begun.

use crate::agents::planners::plot_architect::outline::BATCH;
use crate::domain::workflow::{Answer, BookStatus, NextStep, TRIAL};
use crate::pipeline::book::files;
use crate::pipeline::engine::responder::Responder;
use crate::pipeline::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Price {
    /// Nothing: no model is asked, or one whose calls cost nothing.
    Free,
    /// About this much, in millionths of a US dollar; above 0.
    About(u64),
    /// Nothing can be said: the model's price is not known, or no model is set up.
    Unknown,
}

/// A kind of call: who is asked, and about how many tokens go and come.
type Usual = (Agent, u64, u64);

/// A chapter's calls apart from the writer's and the refiner's answers, which follow from its length. Tokens sent are the
/// middle of the ranges of the orchestrator chapter (§8.4); tokens received are those of the answers' formats.
const SENT: [(Agent, u64); 4] =
    [(Agent::Writer, 22_000), (Agent::Summarizer, 11_000), (Agent::Refiner, 8_000), (Agent::Judge, 15_000)];
/// Tokens of a summary with its operations, of a judgement, and of the edits of a refiner.
pub(crate) const RECEIVED: u64 = 2_000;
const RETELLING: Usual = (Agent::Summarizer, 5_000, 600);
const WORLD: Usual = (Agent::WorldBuilder, 4_000, 3_000);
const THEME: Usual = (Agent::PlotArchitect, 4_000, 800);
const CAST: Usual = (Agent::CharacterWeaver, 5_000, 3_000);
const SCHEDULE: Usual = (Agent::PlotArchitect, 12_000, 3_000);
const SECTIONS: Usual = (Agent::PlotArchitect, 14_000, 4_000);
const REVIEW: Usual = (Agent::PlotArchitect, 14_000, 2_000);
const STYLE: Usual = (Agent::StyleAnalyzer, 10_000, 1_500);
const BLURB: Usual = (Agent::PlotArchitect, 10_000, 1_200);
/// So many of the last chapters say what a chapter of this book costs.
const LAST: u32 = 5;

/// Prices for a book as it stands.
#[derive(Debug)]
pub struct Prices<'v> {
    /// The models of a run; `None` where none is set up.
    responder: Option<&'v Responder>,
    config: BookConfig,
    /// The mean cost of the last chapters, where all of it is known and it is not nothing.
    chapter: Option<u64>,
}

impl<'v> Prices<'v> {
    /// Reads what the book's last chapters cost. Reads only.
    pub fn of(view: &BookView<'_>, responder: Option<&'v Responder>) -> Result<Self, RunError> {
        let mut costs: Vec<Option<u64>> = Vec::new();
        for (chapter, volume) in view.contents()?.iter().rev().take(LAST as usize) {
            let log = files::chapter_log(view, volume, chapter)?;
            costs.push(log.and_then(|log| log.cost_micro_usd()));
        }
        let (n, sum) = (costs.len() as u64, costs.into_iter().sum::<Option<u64>>());
        let chapter = sum.and_then(|sum| sum.checked_div(n)).filter(|mean| *mean > 0);
        Ok(Self { responder, config: view.config()?, chapter })
    }

    /// Returns the likely cost of an answer; `None` for one after which no model is asked. `chapters` is the length of a
    /// volume that is planned.
    pub fn of_answer(&self, answer: Answer, standing: &BookStatus, now: NextStep, chapters: u32) -> Option<Price> {
        let left = u64::from(standing.planned.saturating_sub(standing.written));
        let mut calls: Vec<Usual> = Vec::new();
        let mut written = 0;
        let missing = [(standing.has_rules, WORLD), (standing.has_theme, THEME), (standing.has_cast, CAST)];
        match answer {
            Answer::Found | Answer::FoundOnly => {
                calls.extend(missing.into_iter().filter(|(there, _)| !there).map(|(_, call)| call));
                if answer == Answer::Found {
                    calls.push(SECTIONS);
                    written = u64::from(TRIAL);
                }
            }
            Answer::Style => (calls, written) = (vec![SECTIONS], u64::from(TRIAL)),
            Answer::WriteOne | Answer::WriteFive => written = answer.chapters().map_or(0, u64::from).min(left),
            Answer::WriteVolume => written = left,
            Answer::Plan | Answer::GoOn | Answer::NextVolume | Answer::WrapUp => {
                calls.push(SCHEDULE);
                calls.extend(std::iter::repeat_n(SECTIONS, chapters.div_ceil(BATCH) as usize));
            }
            Answer::Review => calls.push(REVIEW),
            Answer::Samples | Answer::Reference | Answer::ExtractLater if now == NextStep::Style => calls.push(STYLE),
            _ => return None,
        }
        Some(self.sum(&calls, written))
    }

    /// Returns the likely cost of so many summaries.
    pub fn of_summaries(&self, count: u64) -> Price {
        let (agent, sent) = SENT[1];
        let calls = vec![(agent, sent, RECEIVED); usize::try_from(count).unwrap_or(usize::MAX)];
        self.sum(&calls, 0)
    }

    /// Returns the likely cost of new contracts of so many people, and of so many sections.
    pub fn of_plans(&self, people: usize, sections: usize) -> Price {
        let mut calls = vec![CAST; people];
        calls.extend(std::iter::repeat_n(SECTIONS, sections.div_ceil(BATCH as usize)));
        self.sum(&calls, 0)
    }

    /// Prices for a book that is still to be made.
    pub fn of_new(responder: Option<&'v Responder>) -> Self {
        Self { responder, config: BookConfig::default(), chapter: None }
    }

    /// Returns the likely cost of so many summaries and of drawing a style.
    pub fn of_reading(&self, summaries: u64) -> Price {
        let (agent, sent) = SENT[1];
        let mut calls = vec![(agent, sent, RECEIVED); usize::try_from(summaries).unwrap_or(usize::MAX)];
        calls.push(STYLE);
        self.sum(&calls, 0)
    }

    /// Returns the likely cost of so many chapters retold.
    pub fn of_retelling(&self, chapters: u64) -> Price {
        self.sum(&vec![RETELLING; usize::try_from(chapters).unwrap_or(usize::MAX)], 0)
    }

    /// Returns the likely cost of a blurb.
    pub fn of_blurb(&self) -> Price {
        self.sum(&[BLURB], 0)
    }

    /// Returns the likely cost of so many chapters, written from their first draft to their acceptance.
    pub fn of_chapters(&self, count: u64) -> Price {
        self.sum(&[], count)
    }

    fn sum(&self, calls: &[Usual], chapters: u64) -> Price {
        let Some(responder) = self.responder else { return Price::Unknown };
        if !responder.asks_models() {
            return Price::Free;
        }
        let planned: Option<u64> = calls.iter().map(|call| self.call(responder, *call)).sum();
        let chapter = match chapters {
            0 => Some(0),
            _ => self.chapter.or_else(|| self.usual_chapter(responder)),
        };
        match planned.zip(chapter).map(|(planned, chapter)| planned + chapter * chapters) {
            None => Price::Unknown,
            Some(0) => Price::Free,
            Some(about) => Price::About(about),
        }
    }

    fn call(&self, responder: &Responder, (agent, sent, received): Usual) -> Option<u64> {
        responder.model_for(agent, self.config.role(agent)).likely(sent, received)
    }

    /// A chapter by the price table: a token for a Han character, which errs on the dear side.
    fn usual_chapter(&self, responder: &Responder) -> Option<u64> {
        let words = u64::from(self.config.min_words + self.config.max_words) / 2;
        let received = |agent| if agent == Agent::Writer { words } else { RECEIVED };
        SENT.iter().map(|(agent, sent)| self.call(responder, (*agent, *sent, received(*agent)))).sum()
    }
}
