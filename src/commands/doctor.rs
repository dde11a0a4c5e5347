//! `novel doctor`: finds what is wrong with the book.

/// Find what is wrong with the book
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct DoctorArgs {
    /// Repair what can be repaired, from history; nothing is lost
    #[arg(long)]
    pub(crate) repair: bool,
    /// Do not ask before a repair
    #[arg(short, long, requires = "repair")]
    pub(crate) yes: bool,
}
