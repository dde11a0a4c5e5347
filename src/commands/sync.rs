//! `novel sync`: brings this copy of the book and another one together.

use super::run_context;
use super::terminal::prompt::DefaultAnswer;
use crate::commands::prelude::*;
use crate::pipeline::sync::conflict::Take;
use crate::pipeline::sync::exchange::SyncRequest;
use crate::report::lists::quoted;
use crate::report::sync::SyncReport;
use crate::store::{is_address, library};
use std::path::Path;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct SyncArgs {
    #[arg(value_name = "REMOTE")]
    pub(crate) remote: Option<String>,
    #[arg(long, value_name = "SIDE", value_parser = clap::builder::PossibleValuesParser::new(["theirs", "ours", "later"]))]
    pub(crate) take: Option<String>,
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) auto: bool,
}

pub(crate) fn run(app: &mut App, args: &SyncArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let take: Option<Take> = args.take.as_ref().and_then(|take| take.parse().ok());
    let remote = address(app, args.remote.as_deref())?;
    let empty = remote.as_deref().map(Path::new).filter(|folder| library::is_empty(folder));
    if let Some(folder) = empty.filter(|_| !args.dry_run) {
        make_remote(app, folder, book.branch())?;
    }
    let request = SyncRequest { remote, take, dry_run: args.dry_run };
    app.streams = true;
    let session = app.begin(&book, "sync")?;
    let author = app.identity(&book)?;
    let outcome = run_context::run_with_remote(app, &session, author, |run| {
        if args.auto {
            run.sync_from_now_on()?;
        }
        run.sync(&request)
    })?;
    let report = SyncReport::of(&request, &outcome);
    app.ui.event(&report, |lang, columns| report.text(lang, columns))?;
    if args.auto {
        app.ui.say(&both!(auto_sync_is_on))?;
    }
    Ok(if report.is_undecided() { Exit::Decide } else { Exit::Done })
}

/// Makes a repository in an empty folder, if the author agrees: a drive that is not connected looks the same.
fn make_remote(app: &mut App, folder: &Path, branch: &str) -> Result<(), Failure> {
    let shown = quoted(folder.display());
    if app.ui.can_ask()
        && app.ui.confirm(&both!(folder_is_empty_make_repository(shown)), DefaultAnswer::Yes, "novel sync")?
    {
        return Ok(library::make(folder, branch)?);
    }
    Err(Failure::set_up(both!(folder_is_empty(shown))))
}

/// The remote as typed; a folder as its absolute path, because git resolves it from the book.
fn address(app: &App, typed: Option<&str>) -> Result<Option<String>, Failure> {
    let Some(typed) = typed else { return Ok(None) };
    let folder = app.folder()?.join(typed);
    let is_folder = is_address(typed) && folder.is_dir();
    Ok(Some(if is_folder { folder.to_string_lossy().into_owned() } else { typed.to_owned() }))
}
