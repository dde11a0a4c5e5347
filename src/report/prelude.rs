//! The vocabulary of nearly every report.

pub(crate) use super::catalogue::{both, say};
pub(crate) use super::commit::Commit;
pub(crate) use super::figures;
pub(crate) use super::lang::{Both, Lang};
pub(crate) use super::lists::{self, listed};
pub(crate) use super::style::{BAD, DIM, GOOD, HINT, STRONG, WARN, paint};
pub(crate) use super::table::{Cell, Table};
pub(crate) use super::words::Words;
pub(crate) use crate::domain::ChapterNo;
pub(crate) use serde::Serialize;
