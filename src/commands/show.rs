//! `novel show`: prints a chapter and what belongs to it.

use super::values::{self, Revision};
use crate::domain::stage::Stage;

/// Print a chapter, or what belongs to it
#[derive(Debug, Clone, clap::Args)]
#[command(group(clap::ArgGroup::new("what").args(["summary", "evaluation", "calls", "delta", "log"])))]
pub(crate) struct ShowArgs {
    /// The chapter, or a commit
    #[arg(value_name = "REV")]
    pub(crate) rev: Revision,
    /// Its summary
    #[arg(long)]
    pub(crate) summary: bool,
    /// The judge's report
    #[arg(long)]
    pub(crate) evaluation: bool,
    /// Every request to a model and its reply
    #[arg(long)]
    pub(crate) calls: bool,
    /// What it changes in the state
    #[arg(long)]
    pub(crate) delta: bool,
    /// What each stage took and cost
    #[arg(long)]
    pub(crate) log: bool,
    /// As it was after this stage of its draft
    #[arg(long, value_name = "STAGE", value_parser = values::stage)]
    pub(crate) stage: Option<Stage>,
}
