//! The book as a git repository: snapshots, transactions, drafts, history.
//! Below [`mod@format`] and [`layout`], which know the book's files, everything works on paths and bytes. The folder that
//! the author sees is a work tree of the repository; every change to the book is one commit on the book's branch, and
//! that branch moves by one compare-and-swap, after everything that it needs is on the disk.
//! Reading order: [`Book`] opens and reads, [`Session`] is the right to write, [`Proposal`] becomes one commit,
//! [`Draft`] is the chapter in flight, [`Transaction`] is the past.

pub mod format;
pub mod layout;
pub mod template;

pub mod book;
pub mod drafts;
pub mod hooks;
mod message;
mod prelude;
pub mod remote;
mod subject;

pub use crate::git::disk::{Process, Wait};
pub use crate::git::error::{
    CommitId, CommitSource, FaultClass, GitFeature, GivenAuthor, Identity, Moment, NotACommitId, ObjectFault,
    StoreError, SystemFault,
};
pub use crate::git::filtered::use_users_file;
pub use crate::git::index::IndexBusy;
pub use crate::git::tree::merge_lines;
pub use crate::git::work_tree::Unfiltered;
pub use crate::store::book::change::SentKey;
pub use crate::store::book::hand_edits::StrayCopy;
pub use crate::store::book::index_bytes::{EntryFilter, Staged, StagedFile};
pub use crate::store::book::line_names::{is_line_name, is_new_line_name};
pub use crate::store::book::lock::OLD_LOCK;
pub use crate::store::book::not_writable::{Obstacle, Obstruction};
pub use crate::store::book::rescue::{self, Instead, SetAside};
pub use crate::store::book::snapshot::Contents;
pub use crate::store::drafts::staging::shown::DraftFiles;
pub use crate::store::remote::clone;
pub use crate::store::remote::history::{CLOCK_SKEW, Held, Lease, LeaseRequest, NotHeld};
pub use crate::store::remote::name::Listing;
pub use crate::store::remote::process::RemoteError;
pub use book::change::{Change, id_of};
pub use book::commit_walk::Transaction;
pub use book::doctor::{RepairError, examine, in_progress, newest_whole, put_ref_aside, repair, restore_missing};
pub use book::finding::{NeededFor, RepoFinding, UnfinishedThing};
pub use book::hand_edits::{Edit, EditKind, GitOnlyReason, HandEdit, HandEdits};
pub use book::history::Log;
pub use book::init::{InitError, InitOptions, Initialised};
pub use book::lines::Line;
pub use book::lock::{Busy, Holder};
pub use book::not_writable::{NotWritable, UnmergedHead, way_to_leave};
pub use book::repack::{Packer, Packing};
pub use book::repository::{Book, Notice, OpenError};
pub use book::rollback::{CommitInfo, ReturnTo, RollbackError, RollbackResult};
pub use book::search_ranking::{SearchMatch, SearchMatches, SearchedFiles};
pub use book::session::{BeginError, Closed, Recovered, Session};
pub use book::snapshot::{FolderEntry, Snapshot};
pub use book::transaction::{CommitError, Committed, Proposal};
pub use book::{
    cache, change, hand_edits, history, index_bytes, lines, not_writable, pending_command, provenance, recover, repack,
    rollback, search_index, transaction,
};
pub use drafts::draft::{Adopted, Draft, DraftError, StageCommit};
pub use drafts::kept::{kept_name, kept_ref};
pub(crate) use drafts::rebase::closes;
pub use drafts::rebase::{Rebased, ReopenError, Reopened};
pub use drafts::staging::StagingEdit;
pub use drafts::{closing, draft, gathering, kept, rebase, staging};
pub use hooks::{
    AssistantFile, AssistantState, GitHook, HookState, HooksError, HooksFolder, HooksPlace, InstalledHook,
};
pub use message::{Kind, Message, Trailers, key};
pub use remote::history::{HistoryRelation, LARGEST_FILE};
pub use remote::name::{RemoteName, is_address};
pub use remote::process::{GitProgram, Transfer};
pub use remote::transfer::{Pushed, RefMove, Remote};
pub use subject::{
    Body, BodyLine, Course, QualitySubject, Remark, ReportSubject, StageNote, StyleSubject, Subject, Wording,
    WorldCount,
};
