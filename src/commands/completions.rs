//! `novel completions`: prints a shell's completion script.

use super::App;
use super::cli::exit::Exit;
use super::cli::failure::Failure;
use clap_complete::Shell;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CompletionsArgs {
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: Shell,
}

pub(crate) fn run(app: &mut App, args: &CompletionsArgs, mut tree: clap::Command) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut tree, "novel", &mut script);
    app.ui.verbatim(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
