//! Packing between the chapters of a run, and at the end of every writing command.

use crate::commands::prelude::*;
use crate::commands::terminal::Verbosity;
use crate::store::{self, Packer, Packing, Wait};

/// Gathers kept drafts, and has git pack the written book in the background.
pub(super) fn pack(app: &mut App) -> Result<(), Failure> {
    // A command may have removed the book that it failed to make.
    let Some(book) = app.written.take().and_then(|root| Book::open(&root, wording).ok()) else { return Ok(()) };
    // Before git packs the refs. Remaining refs cost little, and the command has done its work.
    let _ = store::pending_command::gather_drafts(&book, &app.holder("gc"), Wait::sleeping());
    if store::repack::pack_if_due(&book, &packer(app)) == Packing::NoGit {
        app.ui.detail(Verbosity::Calls, &both!(git_was_not_found_so_repository))?;
    }
    Ok(())
}

/// The user's git, and the folder that marks the turn of packing.
pub(super) fn packer(app: &App) -> Packer {
    let turn = app.environment.cache_folder().map(|folder| folder.join("packing"));
    Packer { git: "git".into(), turn }
}
