//! `novel redo`: does again what was taken back.

use super::App;
use super::exit::Exit;
use super::failure::Failure;
use super::rollback::{Direction, step};
use super::values;

/// Do again what was taken back
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct RedoArgs {
    /// How many
    #[arg(value_name = "N", default_value_t = 1, value_parser = values::count)]
    pub(crate) count: u32,
}

/// Does again what was taken back, one commit each.
pub(crate) fn run(app: &mut App, args: &RedoArgs) -> Result<Exit, Failure> {
    step(app, Direction::Redo, args.count)
}
