//! The facts that a question to the author is about.

use super::status::standing_in;
use crate::domain::book::checkpoint::Phase;
use crate::domain::volume::ending::Judgement;
use crate::domain::workflow::{BookQuestion, BookStatus};
use crate::domain::{ChapterNo, VolumeNo};
use crate::pipeline::book::estimate::Price;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::planning::approval::{self, ContractChange};
use crate::store::Book;
use crate::store::format::summary::SummaryPage;

/// A chapter that a question is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    pub chapter: ChapterNo,
    pub title: String,
    pub score: f64,
}

/// The book's position when a question is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The book's title; may be empty.
    pub title: String,
    /// The phase of the author's loop.
    pub phase: Phase,
    pub volume: VolumeNo,
    /// The last accepted chapter; 0 before the first.
    pub written: u32,
    /// The last planned chapter of the volume; 0 where nothing is planned.
    pub planned: u32,
    /// The cost up to now, as far as it is known, in millionths of a US dollar.
    pub spent_micro_usd: u64,
}

/// Returns the book's position. Reads only.
pub fn position(book: &Book) -> Result<Position, RunError> {
    let view = BookView::new(book.snapshot()?);
    let BookStatus { phase, volume, written, planned, .. } = standing_in(book, &view)?;
    let spent_micro_usd = view.checkpoint_with_totals()?.totals.cost_micro_usd;
    Ok(Position { title: view.config()?.title, phase, volume, written, planned, spent_micro_usd })
}

/// Returns the summary of the last chapter that has one, the newest chapter first. Reads only.
pub fn last_summary(view: &BookView<'_>) -> Result<Option<SummaryPage>, RunError> {
    for (chapter, volume) in view.contents()?.iter().rev().take(LOOKED_BACK) {
        if let Some(page) = view.summary(volume, chapter)? {
            return Ok(Some(page));
        }
    }
    Ok(None)
}

/// So many of the author's own chapters without a summary are passed over.
const LOOKED_BACK: usize = 10;

/// The facts of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    pub position: Position,
    /// The likely cost of each answer, in their order; empty where prices were not asked for.
    pub prices: Vec<Option<Price>>,
    /// The chapters that are written.
    pub chapters: Vec<Fact>,
    /// The rules and contracts that an agent wants to change.
    pub contracts: Vec<ContractChange>,
    /// The judgement of the volume's review.
    pub judgement: Option<Judgement>,
}

/// Returns the facts of a question. Reads only.
pub fn facts(book: &Book, asked: BookQuestion) -> Result<Facts, RunError> {
    let view = BookView::new(book.snapshot()?);
    let volume = asked.volume();
    let chapters = match asked {
        BookQuestion::Trial | BookQuestion::Volume { .. } => chapters(&view, volume)?,
        BookQuestion::Plan { .. } | BookQuestion::Contracts { .. } | BookQuestion::Cleanup(_) => Vec::new(),
    };
    let contracts = match asked {
        BookQuestion::Contracts { step, .. } => {
            let proposals = approval::proposals(book)?.into_iter();
            proposals.filter(|proposal| proposal.step == step).flat_map(|proposal| proposal.changes).collect()
        }
        _ => Vec::new(),
    };
    let (position, prices) = (position(book)?, Vec::new());
    Ok(Facts { position, prices, contracts, chapters, judgement: view.judgement(volume)? })
}

fn chapters(view: &BookView<'_>, volume: VolumeNo) -> Result<Vec<Fact>, RunError> {
    let outline = view.outline(volume)?.unwrap_or_default();
    let mut facts = Vec::new();
    for section in &outline.sections {
        let Some(recorded) = view.evaluation(volume, section.chapter)? else { continue };
        let (chapter, score) = (section.chapter, recorded.evaluation.overall());
        facts.push(Fact { chapter, title: view.chapter(chapter)?.title, score });
    }
    Ok(facts)
}
