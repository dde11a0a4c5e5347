//! `novel status`: says where the book stands.

/// Show where the book stands and what to type next
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StatusArgs {}
