//! `novel demo`: writes a small book offline, to look around in.

use super::values;
use std::path::PathBuf;

/// Write a small book offline, to look around in
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct DemoArgs {
    /// Folder of the book; must not be there yet
    #[arg(value_name = "DIR", default_value = "novel-demo")]
    pub(crate) dir: PathBuf,
    /// How many chapters
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = values::count)]
    pub(crate) chapters: u32,
}
