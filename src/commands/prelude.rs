//! The vocabulary of nearly every command.

pub(crate) use super::App;
pub(crate) use super::cli::exit::Exit;
pub(crate) use super::cli::failure::Failure;
pub(crate) use super::cli::value_parsers;
pub(crate) use crate::domain::ChapterNo;
pub(crate) use crate::report::catalogue::{both, say};
pub(crate) use crate::report::lists::listed;
pub(crate) use crate::report::words::Words;
pub(crate) use crate::report::{Both, Lang, figures};
pub(crate) use crate::store::Book;
pub(crate) use serde::Serialize;
