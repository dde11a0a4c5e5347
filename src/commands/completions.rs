//! `novel completions`: prints what a shell needs to complete command lines.

use super::App;
use super::cli::args;
use super::cli::exit::Exit;
use super::cli::failure::Failure;
use crate::report::Lang;
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: Shell,
}

/// Prints the script for `novel`. In English, whatever the language: scripts are installed for everybody.
pub(crate) fn run(app: &mut App, args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::tree(Lang::En, "novel"), "novel", &mut script);
    app.ui.answer(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
