//! `novel redo`: repeats undone transactions.

use super::undo::step;
use crate::commands::prelude::*;
use crate::pipeline::book::going_back::Direction;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct RedoArgs {
    #[arg(value_name = "COUNT", default_value_t = 1, value_parser = value_parsers::count)]
    pub(crate) count: u32,
}

pub(crate) fn run(app: &mut App, args: &RedoArgs) -> Result<Exit, Failure> {
    step(app, Direction::Redo, args.count)
}
