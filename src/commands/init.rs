//! `novel init`: makes a book.

use super::values::WordRange;
use std::path::PathBuf;

/// Make a book: a git repository with the first volume's plan
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct InitArgs {
    /// Folder of the book; made when it is not there
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// Title [default: the folder's name]
    #[arg(long, value_name = "TITLE")]
    pub(crate) title: Option<String>,
    /// Genre, in your own words
    #[arg(long, value_name = "TEXT")]
    pub(crate) genre: Option<String>,
    /// Who the protagonist is, in a sentence
    #[arg(long, value_name = "TEXT")]
    pub(crate) protagonist: Option<String>,
    /// Central conflict, in a sentence
    #[arg(long, value_name = "TEXT")]
    pub(crate) conflict: Option<String>,
    /// Samples of your own prose, to write in your style (can be repeated)
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "style")]
    pub(crate) samples: Vec<PathBuf>,
    /// Whose prose the samples are, when they are not your own
    #[arg(long, value_name = "NAME", requires = "samples")]
    pub(crate) reference_author: Option<String>,
    /// Built-in style to begin with
    #[arg(long, value_name = "PRESET")]
    pub(crate) style: Option<String>,
    /// Outline of the first volume, in Markdown with a `## ` section a chapter
    #[arg(long, value_name = "FILE")]
    pub(crate) outline: Option<PathBuf>,
    /// Everything at once from a JSON file; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "outline")]
    pub(crate) from_json: Option<PathBuf>,
    /// Words a chapter should have, as MIN-MAX
    #[arg(long, value_name = "MIN-MAX")]
    pub(crate) words: Option<WordRange>,
    /// Write this book with the built-in offline writer: no network, no key, no cost
    #[arg(long)]
    pub(crate) offline: bool,
}
