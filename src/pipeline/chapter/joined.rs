//! The delta of a chapter joined with the book: the operations that fit, and the state and the ledger that follow.

use super::existing::ExistingChapter;
use crate::domain::VolumeNo;
use crate::domain::state::Delta;
use crate::domain::state::history::{AffectedChapter, Facts};
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::error::RunError;
use crate::store::layout;

/// A delta and its effect on the book.
pub(crate) struct Joined {
    /// The delta without the operations that do not fit: the deltas alone give the state.
    pub(crate) delta: Delta,
    /// The facts of the whole book with it.
    pub(crate) now: Facts,
    /// Later chapters that rest on what is different.
    pub(crate) affected: Vec<AffectedChapter>,
    /// The versions of the state before and after the chapter: `47 -> 48`.
    pub(crate) reached: String,
    /// The operations that do not fit, each with the reason.
    pub(crate) dropped: Vec<String>,
}

/// Joins `delta` with the book as the view has it; `present` is the chapter that it takes the place of.
pub(crate) fn join(
    view: &BookView<'_>,
    volume: VolumeNo,
    mut delta: Delta,
    present: Option<&ExistingChapter>,
) -> Result<Joined, RunError> {
    let number = delta.chapter;
    let Facts { state, ledger } = match present {
        Some(present) => present.before.clone(),
        None => Facts { state: view.state()?, ledger: view.ledger_for(volume, number)? },
    };
    delta.base_version = state.version;
    let missing = || RunError::Missing { path: layout::delta(volume, number) };
    let merged = delta.merge(&state, &ledger).map_err(|_| missing())?;
    let dropped = merged.dropped.iter().map(|dropped| format!("{}: {}", dropped.path, dropped.reason)).collect();
    let lost: Vec<usize> = merged.dropped.iter().map(|dropped| dropped.index).collect();
    let ops = delta.ops.into_iter().enumerate().filter(|(index, _)| !lost.contains(index));
    delta.ops = ops.map(|(_, op)| op).collect();
    let reached = format!("{} -> {}", state.version, merged.state.version);
    let (now, affected) = match present {
        Some(present) => present.with(view, &delta)?,
        None => (Facts { state: merged.state, ledger: merged.ledger }, Vec::new()),
    };
    Ok(Joined { delta, now, affected, reached, dropped })
}
