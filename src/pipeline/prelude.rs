//! The vocabulary of a run: the book, its parts and its commits.

pub(crate) use crate::agents::Task;
pub(crate) use crate::domain::book::checkpoint::Checkpoint;
pub(crate) use crate::domain::book::config::{Agent, BookConfig};
pub(crate) use crate::domain::book::work::{Part, PlanStage, Step, Work};
pub(crate) use crate::domain::chapter::Chapter;
pub(crate) use crate::domain::state::Delta;
pub(crate) use crate::domain::volume::outline::Outline;
pub(crate) use crate::domain::world::character::Character;
pub(crate) use crate::domain::{ChapterNo, Slug, VolumeNo};
pub(crate) use crate::pipeline::engine::error::RunError;
pub(crate) use crate::store::layout::{self, BookPath};
pub(crate) use crate::store::{
    Book, Change, CommitId, Kind, Message, Scope, Snapshot, StageNote, Subject, Transaction, format,
};
pub(crate) use std::collections::{BTreeMap, BTreeSet};
