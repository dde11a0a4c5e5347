//! The user's own command that hears when a run is over: `notify` in the user's settings, and never in a book's, since a
//! cloned book must not run anything.

use crate::commands::prelude::*;
use std::process::{Child, ExitStatus, Stdio};
use std::time::Instant;

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
