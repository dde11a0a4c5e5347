//! `novel undo`: takes back the last transactions.

use super::values;

/// Take back the last transactions, by a new commit
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct UndoArgs {
    /// How many
    #[arg(value_name = "N", default_value_t = 1, value_parser = values::count)]
    pub(crate) count: u32,
}
