//! The vocabulary of nearly every report.

pub(crate) use crate::domain::ChapterNo;
pub(crate) use crate::domain::book::checkpoint::dollars;
pub(crate) use crate::report::catalogue::{both, say};
pub(crate) use crate::report::cost::Estimate;
pub(crate) use crate::report::figures;
pub(crate) use crate::report::lang::{Both, Lang};
pub(crate) use crate::report::lines::Commit;
pub(crate) use crate::report::style::{BAD, DIM, GOOD, HINT, STRONG, WARN, paint};
pub(crate) use crate::report::table::{Cell, Table};
pub(crate) use crate::report::words::{self, Extent, Names, Words, listed};
pub(crate) use serde::Serialize;
pub(crate) use std::collections::BTreeMap;
