//! `novel redo`: does again what was taken back.

use super::values;

/// Do again what was taken back
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct RedoArgs {
    /// How many
    #[arg(value_name = "N", default_value_t = 1, value_parser = values::count)]
    pub(crate) count: u32,
}
