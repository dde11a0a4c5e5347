//! Orders for the plans of volumes.

use crate::agents::VolumeOrder;
use crate::domain::VolumeNo;
use crate::domain::volume::ending;
use crate::domain::workflow::{CHAPTERS, TRIAL};
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::planning::volume;
use crate::store::Book;

/// The order for the three trial chapters.
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
pub struct Wanted {
    /// How many chapters; `None` for as many as are usual, or as the end of the book needs by the last review.
    pub chapters: Option<u32>,
    /// In the author's words.
    pub wish: String,
    /// Whether the book ends with it. It does as well when the author has said so after the last review.
    pub closing: bool,
}

/// The order for a volume's plan: what is ordered already, or the chapters from where the book stands.
pub fn volume_order(book: &Book, volume: VolumeNo, wanted: &Wanted) -> Result<VolumeOrder, RunError> {
    let ordered = volume::orders(book)?.into_iter().find(|order| order.volume == volume);
    ordered.map_or_else(|| new_order(book, volume, wanted), Ok)
}

/// A new order for a volume's plan, whatever was ordered before.
/// Fails with [`RunError::TooFewChapters`] when as many are written already.
pub fn new_order(book: &Book, volume: VolumeNo, wanted: &Wanted) -> Result<VolumeOrder, RunError> {
    let view = BookView::new(book.snapshot()?);
    let checkpoint = view.checkpoint()?;
    let (written, closing) = (checkpoint.last_completed, checkpoint.pending.contains(&ending::pending(volume)));
    let closing = closing || wanted.closing;
    let chapters = match wanted.chapters {
        Some(chapters) => chapters,
        None => usual_length(&view, volume, closing)?,
    };
    let begun = view.outline(volume)?.and_then(|outline| outline.range());
    let first = begun.map_or(written + 1, |(first, _)| first.get());
    let least = (written + 1).saturating_sub(first).max(1);
    if chapters < least {
        return Err(RunError::TooFewChapters { volume, chapters, least });
    }
    Ok(VolumeOrder { volume, first, chapters, wish: wanted.wish.trim().to_owned(), trial: false, closing, fill: false })
}

/// Returns the length of the volume's plan unless the author gives another. Reads only.
pub fn planned_length(book: &Book, volume: VolumeNo, wanted: &Wanted) -> Result<u32, RunError> {
    if let Some(order) = volume::orders(book)?.into_iter().find(|order| order.volume == volume) {
        return Ok(order.chapters);
    }
    let view = BookView::new(book.snapshot()?);
    let closing = wanted.closing || view.checkpoint()?.pending.contains(&ending::pending(volume));
    wanted.chapters.map_or_else(|| usual_length(&view, volume, closing), Ok)
}

/// The number of chapters of a volume unless the author gives one: as many as the last review thinks that the end needs, where it ends.
fn usual_length(view: &BookView<'_>, volume: VolumeNo, closing: bool) -> Result<u32, RunError> {
    let before = VolumeNo::new(volume.get().saturating_sub(1)).filter(|_| closing);
    let judged = before.map(|before| view.judgement(before)).transpose()?.flatten();
    Ok(judged.and_then(|judged| judged.closing_chapters()).unwrap_or(CHAPTERS))
}
