//! The end of a run: packing, also between its chapters, and the user's own command that hears of it, `notify` in the user's
//! settings and never in a book's, since a cloned book must not run anything.

use crate::commands::prelude::*;
use crate::commands::terminal::Verbosity;
use crate::store::{self, Packer, Packing, Wait};
use std::process::{Child, ExitStatus, Stdio};
use std::time::Instant;

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

/// The longest wait for the command, which may go on without the program.
const PATIENCE: Duration = Duration::from_secs(10);

/// The end of a run, for the command.
pub(crate) struct EndNotice {
    command: String,
    title: String,
    text: String,
    exit: Exit,
}

impl EndNotice {
    /// The notice of a command that has run agents; `None` without the setting.
    pub(crate) fn of(app: &App, settings: &Settings, result: &Result<Exit, Failure>) -> Option<Self> {
        let (command, root) = (settings.get(Key::Notify)?.to_owned(), app.ran_in.as_ref()?);
        let lang = app.ui.lang();
        let exit = result.as_ref().map_or_else(Failure::exit, |exit| *exit);
        let place = Book::open(root, wording).ok()?;
        let view = BookView::new(place.snapshot().ok()?);
        let (book, chapters) = (view.config().ok()?.title, view.checkpoint().ok()?.last_completed);
        let title = match exit {
            Exit::Done => say!(lang, notice_run_is_over(book)),
            Exit::Decide => say!(lang, notice_author_must_decide(book)),
            _ => say!(lang, notice_run_has_stopped(book)),
        };
        let text = match result {
            Err(failure) => failure.explained(lang),
            Ok(_) => say!(lang, notice_written_through(typed = app.typed.join(" "), chapters)),
        };
        Some(Self { command, title, text, exit })
    }

    /// Runs the command with title and text as `$1` and `$2` and as variables, and waits some seconds for it.
    pub(crate) fn send(&self, app: &mut App) -> Result<(), Failure> {
        let Self { command, title, text, exit } = self;
        let mut shell = system::shell_command(app.environment.folders_of_programs());
        // The words of the book are no part of the command's line, so that the shell reads nothing into them.
        shell.arg("-c").arg(command).arg("novel").arg(title).arg(text);
        let code = exit.code().to_string();
        shell.envs([("NOVEL_NOTICE_TITLE", title.as_str()), ("NOVEL_NOTICE_TEXT", text), ("NOVEL_NOTICE_EXIT", &code)]);
        let ended =
            shell.stdin(Stdio::null()).stdout(Stdio::null()).spawn().and_then(|mut child| within(PATIENCE, &mut child));
        match ended {
            Ok(None) => Ok(()),
            Ok(Some(status)) if status.success() => Ok(()),
            Ok(Some(status)) => app.ui.warn(&both!(notice_command_failed(command, status))),
            Err(error) => app.ui.warn(&both!(notice_command_failed(command, status = error))),
        }
    }
}

/// How the process ended; `None` for one that still runs after that time.
fn within(time: Duration, child: &mut Child) -> std::io::Result<Option<ExitStatus>> {
    let begun = Instant::now();
    loop {
        match child.try_wait()? {
            None if begun.elapsed() < time => std::thread::sleep(Duration::from_millis(20)),
            ended => return Ok(ended),
        }
    }
}
