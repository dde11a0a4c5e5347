//! The vocabulary of the store: the repository's objects, their errors, and the things of a book that commits name.

pub(crate) use crate::domain::renumbering::Renumbering;
pub(crate) use crate::domain::{ChapterNo, Slug, VolumeNo, Work};
pub(crate) use crate::git::disk::{Wait, system};
pub(crate) use crate::git::error::{CommitId, GitContext, Identity, IoContext, Missing, Moment, StoreError};
pub(crate) use crate::git::failpoint::abort_at;
pub(crate) use crate::git::refs;
pub(crate) use crate::git::tree::{self, Blob, TreeDifference, TreeEdits};
pub(crate) use crate::store::book::change::Change;
pub(crate) use crate::store::book::repository::Book;
pub(crate) use crate::store::book::session::Session;
pub(crate) use crate::store::book::snapshot::Snapshot;
pub(crate) use crate::store::layout::BookPath;
pub(crate) use crate::store::message::{Kind, Message};
pub(crate) use crate::store::subject::Subject;
pub(crate) use git2::{Oid, Repository};
pub(crate) use std::collections::{BTreeMap, BTreeSet};
pub(crate) use std::path::{Path, PathBuf};
