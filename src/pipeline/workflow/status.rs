//! The status of the book: its phase, and the work that waits.

use crate::domain::book::checkpoint::Phase;
use crate::domain::chapter::stage::Next;
use crate::domain::state::cleanup;
use crate::domain::volume::ending::Recommendation;
use crate::domain::workflow::{BookStatus, InPlanning};
use crate::pipeline::book::founded::founded_in;
use crate::pipeline::book::view::BookView;
use crate::pipeline::chapter::decide;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::planning::{approval, volume};
use crate::store::{Book, layout};

/// How far the book is. Reads only.
pub fn standing(book: &Book) -> Result<BookStatus, RunError> {
    standing_in(book, &BookView::new(book.snapshot()?))
}

/// The same of a book that is open already.
pub fn standing_in(book: &Book, view: &BookView<'_>) -> Result<BookStatus, RunError> {
    let checkpoint = view.checkpoint()?;
    let next = view.plan(checkpoint.next_chapter())?;
    let volume = next.as_ref().map_or(checkpoint.volume, |(volume, _)| *volume);
    let outline = match next {
        Some((_, outline)) => outline,
        None => view.outline(volume)?.unwrap_or_default(),
    };
    let waiting = decide::in_flight(book)?.filter(|flight| matches!(flight.next, Next::Wait(_)));
    let planning = in_planning(book)?;
    // The needs of a book before its first chapter matter only before it.
    let founding = match checkpoint.phase {
        Phase::QuickStart => Some(founded_in(view)?),
        _ => None,
    };
    let reviewed = view.is_reviewed(volume)?;
    let judged = if reviewed { view.judgement(volume)? } else { None };
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
        reviewed,
        untidy: untidy && judged.as_ref().is_some_and(|judged| !judged.leftovers.is_empty()),
        course: judged.map_or(Recommendation::Continue, |judged| judged.recommended()),
    })
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
