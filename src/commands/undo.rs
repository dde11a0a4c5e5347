//! `novel undo`: takes back the last transactions.

use super::App;
use super::cli::exit::Exit;
use super::cli::failure::Failure;
use super::cli::value_parsers;
use super::rollback::{Direction, step};

/// Take back the last transactions, by a new commit
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct UndoArgs {
    /// How many
    #[arg(value_name = "N", default_value_t = 1, value_parser = value_parsers::count)]
    pub(crate) count: u32,
}

/// Takes transactions back, one commit each.
pub(crate) fn run(app: &mut App, args: &UndoArgs) -> Result<Exit, Failure> {
    step(app, Direction::Undo, args.count)
}
