//! The vocabulary of a run: the book, its parts and its commits.

pub(crate) use crate::agents::{ChapterContext, ReplyFault, Task};
pub(crate) use crate::domain::book::checkpoint::{Checkpoint, Phase};
pub(crate) use crate::domain::book::config::{Agent, BookConfig, ModelRole};
pub(crate) use crate::domain::book::work::{Part, PlanStage, Step, Work};
pub(crate) use crate::domain::chapter::Chapter;
pub(crate) use crate::domain::chapter::evaluation::Evaluation;
pub(crate) use crate::domain::chapter::stage::Stage;
pub(crate) use crate::domain::id::named;
pub(crate) use crate::domain::renumbering::Renumbering;
pub(crate) use crate::domain::state::Delta;
pub(crate) use crate::domain::state::history::Chronicle;
pub(crate) use crate::domain::volume::foreshadowing::Ledger;
pub(crate) use crate::domain::volume::outline::Outline;
pub(crate) use crate::domain::world::character::Character;
pub(crate) use crate::domain::{ChapterNo, ContentId, Slug, VolumeNo};
pub(crate) use crate::pipeline::book::view::{BookView, config_now};
pub(crate) use crate::pipeline::chapter::records::ChapterPaths;
pub(crate) use crate::pipeline::engine::commits::{BookCommit, Done};
pub(crate) use crate::pipeline::engine::error::RunError;
pub(crate) use crate::pipeline::engine::event::{Event, Warning};
pub(crate) use crate::pipeline::engine::run::Run;
pub(crate) use crate::pipeline::engine::trailer::{self, STEP};
pub(crate) use crate::store::format::evaluation::RecordedEvaluation;
pub(crate) use crate::store::format::summary::SummaryPage;
pub(crate) use crate::store::format::{self, FormatError};
pub(crate) use crate::store::layout::{self, BookPath};
pub(crate) use crate::store::{
    Book, Change, CommitId, DraftFiles, Kind, Message, Snapshot, StageNote, StoreError, Subject, Transaction, key,
};
pub(crate) use crate::text;
pub(crate) use std::collections::{BTreeMap, BTreeSet};
