//! `novel undo`: takes back the last transactions.

use super::App;
use super::exit::Exit;
use super::failure::Failure;
use super::rollback::{Direction, step};
use super::values;

/// Take back the last transactions, by a new commit
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct UndoArgs {
    /// How many
    #[arg(value_name = "N", default_value_t = 1, value_parser = values::count)]
    pub(crate) count: u32,
}

/// Takes transactions back, one commit each.
pub(crate) fn run(app: &mut App, args: &UndoArgs) -> Result<Exit, Failure> {
    step(app, Direction::Undo, args.count)
}
