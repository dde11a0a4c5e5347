//! The vocabulary of nearly every command.

pub(crate) use crate::commands::answers::AskingArgs;
pub(crate) use crate::commands::cli::failure::{Exit, Failure};
pub(crate) use crate::commands::cli::{environment, value_parsers};
pub(crate) use crate::commands::settings::keys::Key;
pub(crate) use crate::commands::settings::{Flags, Settings};
pub(crate) use crate::commands::terminal::prompt::DefaultAnswer;
pub(crate) use crate::commands::{App, run_context, system};
pub(crate) use crate::domain::book::config::Agent;
pub(crate) use crate::domain::book::work::Step;
pub(crate) use crate::domain::{ChapterNo, VolumeNo};
pub(crate) use crate::pipeline::BookView;
pub(crate) use crate::report::catalogue::{both, say};
pub(crate) use crate::report::subject::wording;
pub(crate) use crate::report::words::{Words, listed, quoted};
pub(crate) use crate::report::{Both, Lang, figures};
pub(crate) use crate::store::Book;
pub(crate) use serde::Serialize;
pub(crate) use std::collections::{BTreeMap, BTreeSet};
pub(crate) use std::path::{Path, PathBuf};
pub(crate) use std::time::Duration;
