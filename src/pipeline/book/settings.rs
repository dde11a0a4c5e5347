//! The settings of the book as the author has them now.

use super::view::BookView;
use crate::pipeline::prelude::*;
use crate::store::format::{At, FormatError, Mistake, Problem};

/// The settings of the book as the author has them now: a change in the work tree counts, because it is committed before
/// anything is written.
/// Fails when they are missing or not of their format.
pub fn config_now(book: &Book) -> Result<BookConfig, RunError> {
    Ok(settings_now(book, &BookView::new(book.snapshot()?))?.0)
}

/// As [`config_now`], for a run that may spend: a misspelt setting, which would have its default without a word, is an
/// error. Settings of other programs stay where they are.
pub fn sound_config(book: &Book) -> Result<BookConfig, RunError> {
    sound_settings(book, &BookView::new(book.snapshot()?))
}

/// As [`sound_config`]; `view` shows the last commit.
pub(crate) fn sound_settings(book: &Book, view: &BookView<'_>) -> Result<BookConfig, RunError> {
    let (config, unknown, edited) = settings_now(book, view)?;
    let Some(slip) = unknown.iter().find(|unknown| unknown.is_ours()) else { return Ok(config) };
    let problem = Problem::Value(Mistake::UnknownSetting { key: slip.key.clone(), meant: slip.meant });
    let (path, source) = (layout::CONFIG, FormatError { at: At::Line(slip.line), problem });
    Err(match edited {
        false => RunError::of_file(path)(source),
        true => RunError::BrokenEdit { path: path.to_owned(), source },
    })
}

/// The settings, the keys that are not known, and whether the author has changed them since the last commit.
fn settings_now(
    book: &Book,
    view: &BookView<'_>,
) -> Result<(BookConfig, Vec<format::config::Unknown>, bool), RunError> {
    let path = layout::CONFIG;
    let was = view.bytes(path)?;
    let Some(bytes) = book.on_disk(path)?.filter(|bytes| was.as_ref() != Some(bytes)) else {
        let (config, unknown) = view.settings()?;
        return Ok((config, unknown, false));
    };
    let read = format::check::settings(&bytes, was.as_deref());
    let (config, unknown) = read.map_err(|source| RunError::BrokenEdit { path: path.to_owned(), source })?;
    Ok((config, unknown, true))
}
