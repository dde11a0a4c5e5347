//! `novel continue`: writes the next chapters.

use super::settings::Flags;
use super::settings::keys::Key;
use super::values::{self, Money};
use crate::domain::ChapterNo;

/// Write the next chapters, each one commit
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ContinueArgs {
    /// How many chapters [default: 1]
    #[arg(value_name = "N", value_parser = values::count, conflicts_with_all = ["to", "volume"])]
    pub(crate) count: Option<u32>,
    /// Write up to and with this chapter
    #[arg(long, value_name = "CHAPTER", value_parser = values::chapter, conflicts_with = "volume")]
    pub(crate) to: Option<ChapterNo>,
    /// Write to the end of the volume
    #[arg(long)]
    pub(crate) volume: bool,
    /// Stop before the run has cost more than this
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) budget: Option<Money>,
    /// Write with the built-in offline writer: no network, no key, no cost
    #[arg(long, conflicts_with_all = ["model", "provider", "revise_model"])]
    pub(crate) offline: bool,
    /// Model for the bulk of the work
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Model for revisions
    #[arg(long, value_name = "NAME")]
    pub(crate) revise_model: Option<String>,
    /// Whose models (see `novel config providers`)
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<String>,
    /// Show the text while it is written
    #[arg(long)]
    pub(crate) stream: bool,
    /// Show what would be asked and what it would cost; connect to nothing, write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

impl ContinueArgs {
    /// What its flags say of the settings.
    pub(crate) fn flags(&self) -> Flags {
        Flags::default()
            .with(Key::Budget, "--budget", self.budget.map(|budget| budget.to_string()))
            .with(Key::Offline, "--offline", self.offline.then(|| "true".to_owned()))
            .with(Key::Provider, "--provider", self.provider.clone())
            .with(Key::Model, "--model", self.model.clone())
            .with(Key::ReviseModel, "--revise-model", self.revise_model.clone())
    }
}
