//! Flags that every command has.

use crate::commands::prelude::*;
use clap::{ArgAction, ValueEnum};

/// Flags that every command has.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Globals {
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(crate) directory: Option<PathBuf>,
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub(crate) color: Color,
    #[arg(
        long,
        value_name = "LANG",
        value_parser = value_parsers::one_of::<Lang>(Lang::ALL.iter().map(|lang| lang.as_str())),
        global = true
    )]
    pub(crate) lang: Option<Lang>,
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub(crate) verbose: u8,
    #[arg(long, global = true)]
    pub(crate) no_input: bool,
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,
    #[arg(long, global = true)]
    pub(crate) ids: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    #[value(help = None::<&str>)]
    Auto,
    #[value(help = None::<&str>)]
    Always,
    #[value(help = None::<&str>)]
    Never,
}
