//! The status of the book: its phase, the work that waits, the facts that a question is about, and orders for the plans of
//! volumes.

use crate::agents::VolumeOrder;
use crate::domain::book::checkpoint::dollars;
use crate::domain::state::cleanup;
use crate::domain::volume as ending;
use crate::domain::volume::{Judgement, Recommendation};
use crate::domain::workflow::{BookQuestion, BookStatus, CHAPTERS, InPlanning, TRIAL};
use crate::pipeline::book::estimate::Price;
use crate::pipeline::book::files;
use crate::pipeline::book::on_disk::{founded_in, plans_on_disk};
use crate::pipeline::chapter::decide::{self, InFlight};
use crate::pipeline::chapter::wishes;
use crate::pipeline::planning::approval::{self, ContractChange};
use crate::pipeline::planning::{follow, volume};
use crate::pipeline::prelude::*;
use serde::Serialize;

/// How far the book is. Reads only.
pub fn standing(book: &Book) -> Result<BookStatus, RunError> {
    standing_in(book, &BookView::new(book.snapshot()?))
}

/// How far the book of the view is. Reads only.
pub fn standing_in(book: &Book, view: &BookView<'_>) -> Result<BookStatus, RunError> {
    // A plan on disk that cannot be used is told of where it is taken up.
    let plans = plans_on_disk(book).ok();
    standing_beside(book, view, plans.as_ref().unwrap_or(view), decide::in_flight(book)?.as_ref())
}

/// How far the book of the view is, beside the chapter in flight; the next run commits the `plans` first. Reads only.
pub(super) fn standing_beside(
    book: &Book,
    view: &BookView<'_>,
    plans: &BookView<'_>,
    in_flight: Option<&InFlight>,
) -> Result<BookStatus, RunError> {
    let checkpoint = view.checkpoint()?;
    let next = view.plan(checkpoint.next_chapter())?;
    let unreviewed = match &next {
        Some(planned) => unreviewed_before(view, checkpoint.next_chapter(), planned)?,
        None => None,
    };
    let contract = match &next {
        Some((volume, _)) => follow::asks(book, plans, *volume)?,
        None => None,
    };
    let volume = next.as_ref().map_or(checkpoint.volume, |(volume, _)| *volume);
    let outline = match next {
        Some((_, outline)) => outline,
        None => match view.outline(volume)? {
            Some(outline) => outline,
            None if is_planned(view, volume)? => return Err(RunError::Missing { path: layout::outline(volume) }),
            None => Outline::default(),
        },
    };
    let waiting = in_flight.filter(|flight| flight.waits());
    let planning = in_planning(book)?;
    // The needs of a book before its first chapter matter only before it.
    let founding = match checkpoint.phase {
        Phase::QuickStart => Some(founded_in(view)?),
        _ => None,
    };
    let reviewed = view.is_reviewed(volume)?;
    let judged = if reviewed { files::judgement(view, volume)? } else { None };
    let untidy = checkpoint.pending.contains(&cleanup::pending(volume));
    Ok(BookStatus {
        phase: checkpoint.phase,
        volume,
        written: checkpoint.last_completed,
        planned: outline.range().map_or(0, |(_, last)| last.get()),
        scheduled: view.has(&layout::schedule(volume)),
        has_rules: founding.is_none_or(|founding| founding.rules),
        has_theme: founding.is_none_or(|founding| founding.theme),
        has_cast: founding.is_none_or(|founding| founding.cast),
        has_style: founding.is_none_or(|founding| founding.style),
        planning,
        proposal: approval::waiting(book)?.map(|proposal| proposal.step),
        waiting: waiting.map(|flight| flight.chapter),
        unreviewed,
        contract,
        reviewed,
        untidy: untidy && judged.as_ref().is_some_and(|judged| !judged.leftovers.is_empty()),
        course: judged.map_or(Recommendation::Continue, |judged| judged.recommended()),
    })
}

/// Whether the volume has what follows from an outline.
fn is_planned(view: &BookView<'_>, volume: VolumeNo) -> Result<bool, RunError> {
    Ok(view.has(&layout::schedule(volume))
        || !view.list(&format!("{}/{volume}/chapter-contracts", layout::VOLUMES))?.is_empty())
}

/// The volume before the one of this outline, when the chapter begins the outline's volume and the one before is planned and has no
/// review of all its chapters. Which that is follows from the outlines, so that a rollback, a plan by hand and an extended
/// volume make no difference.
pub fn unreviewed_before(
    view: &BookView<'_>,
    chapter: ChapterNo,
    (volume, outline): &(VolumeNo, Outline),
) -> Result<Option<VolumeNo>, RunError> {
    let is_first = outline.range().is_some_and(|(first, _)| first == chapter);
    let Some(before) = VolumeNo::new(volume.get() - 1).filter(|_| is_first) else { return Ok(None) };
    Ok((view.outline(before)?.is_some() && !view.is_reviewed(before)?).then_some(before))
}

/// The plan that is being made or waits, the earliest volume's first. Reads only.
pub fn in_planning(book: &Book) -> Result<Option<InPlanning>, RunError> {
    let draft = volume::drafts(book)?.into_iter().next();
    Ok(draft.map(|draft| InPlanning {
        volume: draft.order.volume,
        waits: draft.waits,
        sound: draft.is_sound(),
        trial: draft.order.trial,
    }))
}

/// A chapter that a question is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuestionChapter {
    pub chapter: ChapterNo,
    pub title: String,
    pub score: f64,
}

/// The book's position when a question is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Position {
    /// The book's title; may be empty.
    pub title: String,
    /// The phase of the author's loop.
    pub phase: Phase,
    #[serde(skip)]
    pub volume: VolumeNo,
    /// The last accepted chapter; 0 before the first.
    #[serde(rename = "last_completed")]
    pub written: u32,
    /// The last planned chapter of the volume; 0 where nothing is planned.
    pub planned: u32,
    /// The cost up to now, as far as it is known, in millionths of a US dollar.
    #[serde(rename = "known_cost_usd", serialize_with = "dollars::sum")]
    pub spent_micro_usd: u64,
}

/// Returns the book's position. Reads only.
pub fn position(book: &Book) -> Result<Position, RunError> {
    let view = BookView::new(book.snapshot()?);
    let BookStatus { phase, written, planned, .. } = standing_in(book, &view)?;
    let Checkpoint { volume, totals, .. } = view.checkpoint_with_totals()?;
    let spent_micro_usd = totals.cost_micro_usd;
    Ok(Position { title: view.config()?.title, phase, volume, written, planned, spent_micro_usd })
}

/// Returns the summary of the last chapter that has one, the newest chapter first. Reads only.
pub fn last_summary(view: &BookView<'_>) -> Result<Option<SummaryPage>, RunError> {
    for (chapter, volume) in view.contents()?.iter().rev().take(LOOKED_BACK) {
        if let Some(page) = files::summary(view, volume, chapter)? {
            return Ok(Some(page));
        }
    }
    Ok(None)
}

/// So many of the author's own chapters without a summary are passed over.
const LOOKED_BACK: usize = 10;

#[derive(Debug, Clone, PartialEq)]
pub struct QuestionFacts {
    pub position: Position,
    /// The likely cost of each answer, in their order; empty where prices were not asked for.
    pub prices: Vec<Option<Price>>,
    pub chapters: Vec<QuestionChapter>,
    /// The rules and contracts that an agent wants to change.
    pub contracts: Vec<ContractChange>,
    /// The judgement of the volume's review.
    pub judgement: Option<Judgement>,
}

/// Returns the facts of a question. Reads only.
pub fn facts(book: &Book, asked: BookQuestion) -> Result<QuestionFacts, RunError> {
    let view = BookView::new(book.snapshot()?);
    let volume = asked.volume();
    let chapters = match asked {
        BookQuestion::Trial | BookQuestion::Volume { .. } => chapters(&view, volume)?,
        _ => Vec::new(),
    };
    let contracts = match asked {
        BookQuestion::Contracts { step, .. } => {
            let proposals = approval::proposals(book)?.into_iter();
            proposals.filter(|proposal| proposal.step == step).flat_map(|proposal| proposal.changes).collect()
        }
        _ => Vec::new(),
    };
    let (position, prices) = (position(book)?, Vec::new());
    Ok(QuestionFacts { position, prices, contracts, chapters, judgement: files::judgement(&view, volume)? })
}

fn chapters(view: &BookView<'_>, volume: VolumeNo) -> Result<Vec<QuestionChapter>, RunError> {
    let outline = view.outline(volume)?.unwrap_or_default();
    let mut facts = Vec::new();
    for section in &outline.sections {
        let Some(recorded) = files::evaluation(view, volume, section.chapter)? else { continue };
        let (chapter, score) = (section.chapter, recorded.evaluation.overall());
        facts.push(QuestionChapter { chapter, title: view.chapter(chapter)?.title, score });
    }
    Ok(facts)
}

pub fn trial_order() -> VolumeOrder {
    VolumeOrder {
        volume: VolumeNo::FIRST,
        first: 1,
        chapters: TRIAL,
        wish: String::new(),
        trial: true,
        closing: false,
        fill: false,
    }
}

/// The author's wishes for a volume.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VolumeWishes {
    /// How many chapters; `None` for as many as are usual, or as the end of the book needs by the last review.
    pub chapters: Option<u32>,
    /// In the author's words.
    pub wish: String,
    /// Whether the book ends with it. It does as well when the author has said so after the last review.
    pub closing: bool,
}

/// The order for a volume's plan: what is ordered already, or the chapters from where the book stands.
pub fn volume_order(book: &Book, volume: VolumeNo, wanted: &VolumeWishes) -> Result<VolumeOrder, RunError> {
    let ordered = volume::orders(book)?.into_iter().find(|order| order.volume == volume);
    ordered.map_or_else(|| new_order(book, volume, wanted), Ok)
}

/// A new order for a volume's plan, whatever was ordered before.
/// Fails with [`RunError::TooFewChapters`] when as many are written already.
pub fn new_order(book: &Book, volume: VolumeNo, wanted: &VolumeWishes) -> Result<VolumeOrder, RunError> {
    let view = BookView::new(book.snapshot()?);
    let written = view.checkpoint()?.last_completed;
    let (chapters, closing) = length(&view, volume, wanted)?;
    let begun = view.outline(volume)?.and_then(|outline| outline.range());
    let first = begun.map_or(written + 1, |(first, _)| first.get());
    let least = (written + 1).saturating_sub(first).max(1);
    if chapters < least {
        return Err(RunError::TooFewChapters { volume, chapters, least });
    }
    let wish = wishes::with_words_for_plan(&view, first, &wanted.wish)?;
    Ok(VolumeOrder { volume, first, chapters, wish, trial: false, closing, fill: false })
}

/// Returns the length of the volume's plan unless the author gives another. Reads only.
pub fn planned_length(book: &Book, volume: VolumeNo, wanted: &VolumeWishes) -> Result<u32, RunError> {
    if let Some(order) = volume::orders(book)?.into_iter().find(|order| order.volume == volume) {
        return Ok(order.chapters);
    }
    Ok(length(&BookView::new(book.snapshot()?), volume, wanted)?.0)
}

/// The number of chapters of a volume, and whether the book ends with it: as many as the author wants, or as the last review thinks
/// that the end needs.
fn length(view: &BookView<'_>, volume: VolumeNo, wanted: &VolumeWishes) -> Result<(u32, bool), RunError> {
    let closing = wanted.closing || view.checkpoint()?.pending.contains(&ending::pending(volume));
    if let Some(chapters) = wanted.chapters {
        return Ok((chapters, closing));
    }
    let before = VolumeNo::new(volume.get().saturating_sub(1)).filter(|_| closing);
    let judged = before.map(|before| files::judgement(view, before)).transpose()?.flatten();
    Ok((judged.and_then(|judged| judged.closing_chapters()).unwrap_or(CHAPTERS), closing))
}
