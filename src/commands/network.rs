//! The connection to the book's remote: the user's git, the device name, and progress.

use super::cli::environment;
use super::terminal::progress::Progress;
use crate::commands::prelude::*;
use crate::pipeline::engine::run::Network;
use crate::pipeline::sync::event::SyncEvent;
use crate::report::sync::{self, SyncLine};
use crate::store::GitProgram;
use std::path::{Path, PathBuf};

/// Flags about the book's remote.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct RemoteArgs {
    #[arg(long, conflicts_with = "no_sync")]
    pub(crate) take_lease: bool,
    #[arg(long)]
    pub(crate) no_sync: bool,
}

impl App {
    pub(crate) fn git(&self) -> GitProgram {
        GitProgram {
            program: PathBuf::from("git"),
            may_ask: self.ui.can_ask(),
            progress: self.environment.stderr_is_terminal && !self.ui.is_json() && !self.globals.quiet,
        }
    }

    /// `None` where a flag forbids the remote.
    pub(crate) fn network(&self) -> Option<Network> {
        let RemoteArgs { take_lease, no_sync } = self.remote_args;
        (!no_sync).then(|| Network { git: self.git(), device: self.device(), take_lease })
    }

    fn device(&self) -> String {
        let named = self.environment.var("HOSTNAME").or(self.environment.var("COMPUTERNAME")).map(str::to_owned);
        let written = || environment::read_text(Path::new("/etc/hostname")).ok().flatten();
        let name = named.or_else(written).unwrap_or_default();
        match name.trim() {
            "" => "localhost".to_owned(),
            name => name.to_owned(),
        }
    }
}

pub(crate) fn tell(app: &mut App, progress: &mut Progress, event: &SyncEvent) -> Result<(), Failure> {
    let lang = app.ui.lang();
    if let SyncEvent::Transfer(transfer) = event {
        progress.note(&format!("{} {}%", sync::of_phase(&transfer.phase, lang), transfer.percent));
        return Ok(());
    }
    let Some(line) = SyncLine::of(event) else { return Ok(()) };
    if app.ui.is_json() {
        return if app.streams { app.ui.event(&line, |_, _| String::new()).map(|_| ()) } else { Ok(()) };
    }
    let Some(text) = line.text(lang) else { return Ok(()) };
    progress.clear();
    let text = Both::same(text);
    if line.is_warning() { app.ui.warn(&text) } else { app.ui.say(&text) }
}
