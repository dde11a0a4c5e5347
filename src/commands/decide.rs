//! `novel decide`: answers the question that a paused chapter asks.

use super::values;
use crate::domain::ChapterNo;
use crate::domain::stage::Decision;

/// Show the pending decision, or decide
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct DecideArgs {
    /// What is to become of the chapter; without it the question is shown
    #[arg(value_name = "DECISION", value_parser = values::one_of::<Decision>(Decision::ALL.iter().map(|d| d.as_str())))]
    pub(crate) decision: Option<Decision>,
    /// The chapter meant, so that an answer never reaches another one
    #[arg(long, value_name = "CHAPTER", value_parser = values::chapter)]
    pub(crate) chapter: Option<ChapterNo>,
}
