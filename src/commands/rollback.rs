//! `novel rollback`: takes the book back to a chapter.

use super::values::Target;

/// Take the book back to a chapter, by a new commit; nothing is lost
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct RollbackArgs {
    /// The last chapter, or the volume, that stays
    #[arg(value_name = "TARGET")]
    pub(crate) target: Target,
    /// Take your own inputs and the plans back as well
    #[arg(long)]
    pub(crate) exact: bool,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Show what would leave the book and what would stay
    #[arg(long)]
    pub(crate) dry_run: bool,
}
