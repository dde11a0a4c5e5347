//! `novel diff`: compares two texts.

use super::values::{Revision, StageSpan};

/// Compare two versions by sentence and character
#[derive(Debug, Clone, clap::Args)]
#[command(group(clap::ArgGroup::new("detail").args(["words", "sentences", "files"])))]
pub(crate) struct DiffArgs {
    /// A chapter or a commit; alone, against its previous version or the chapter before
    #[arg(value_name = "A")]
    pub(crate) a: Revision,
    /// What to compare with
    #[arg(value_name = "B", conflicts_with = "stage")]
    pub(crate) b: Option<Revision>,
    /// Two stages of the chapter's draft, as FROM..TO
    #[arg(long, value_name = "FROM..TO")]
    pub(crate) stage: Option<StageSpan>,
    /// Mark changed words inside sentences (the default)
    #[arg(long)]
    pub(crate) words: bool,
    /// Show whole sentences, the old above the new
    #[arg(long)]
    pub(crate) sentences: bool,
    /// Only list the files that differ
    #[arg(long)]
    pub(crate) files: bool,
}
