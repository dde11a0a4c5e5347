//! `novel log`: lists the transactions.

use super::values::{self, ChapterRange};
use clap::builder::PossibleValuesParser;

/// The kinds of transactions, as commits name them.
const KINDS: [&str; 14] = [
    "init",
    "plan",
    "chapter",
    "review",
    "retire",
    "world",
    "rebuild",
    "rollback",
    "undo",
    "redo",
    "hand-edit",
    "import",
    "sync-merge",
    "config",
];

/// List what happened to the book, newest first
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct LogArgs {
    /// Only these chapters: 40-48 or ch-48
    #[arg(value_name = "CHAPTERS")]
    pub(crate) chapters: Option<ChapterRange>,
    /// At most so many
    #[arg(short = 'n', long = "number", value_name = "N", value_parser = values::count)]
    pub(crate) number: Option<u32>,
    /// Only this kind (can be repeated)
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(KINDS))]
    pub(crate) kind: Vec<String>,
}
