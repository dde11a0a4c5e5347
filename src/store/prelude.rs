//! The vocabulary of the store: the repository's objects, their errors, and the things of a book that commits name.

pub(crate) use crate::domain::{ChapterNo, VolumeNo, Work};
pub(crate) use crate::git::commit_id::{CommitId, Identity, Moment};
pub(crate) use crate::git::disk::backoff::Wait;
pub(crate) use crate::git::disk::system;
pub(crate) use crate::git::error::{GitContext, IoContext, Missing, StoreError};
pub(crate) use crate::git::failpoint::abort_at;
pub(crate) use crate::git::tree::Blob;
pub(crate) use crate::git::tree_edit::Edits;
pub(crate) use crate::git::{refs, tree};
pub(crate) use git2::{Oid, Repository};
pub(crate) use std::collections::{BTreeMap, BTreeSet};
pub(crate) use std::path::{Path, PathBuf};
