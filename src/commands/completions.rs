//! `novel completions`: prints a shell's completion script.

use crate::commands::prelude::*;
use clap_complete::Shell;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CompletionsArgs {
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: Shell,
}

pub(crate) fn run(app: &mut App, args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    // English in every language: scripts are installed for all users.
    clap_complete::generate(args.shell, &mut (app.tree)(Lang::En, "novel"), "novel", &mut script);
    app.ui.verbatim(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
