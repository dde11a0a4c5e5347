//! The book as a git repository: snapshots, transactions, drafts, history. The only user of git and of files.
//!
//! Below [`mod@format`] and [`layout`], which know the book's files, everything works on paths and bytes. The folder that
//! the author sees is a work tree of the repository; every change to the book is one commit on the book's branch, and
//! that branch moves by one compare-and-swap, after everything that it needs is on the disk.
//!
//! Reading order: [`Book`] opens and reads, [`Session`] is the right to write, [`Proposal`] becomes one commit,
//! [`Draft`] is the chapter in flight, [`Transaction`] is the past.

pub mod failpoint;

pub mod format;
pub mod layout;
pub mod template;

mod backoff;
mod book;
mod commit_id;
mod contents;
mod doctor;
mod draft;
mod durability;
mod error;
mod files;
mod hand_edits;
mod history;
mod index;
mod index_diff;
mod index_file;
mod init;
mod lock;
mod loose_object;
mod message;
mod objects;
mod obstruction;
mod pack;
mod pack_file;
mod pending_command;
mod processes;
mod provenance;
mod recover;
mod refs;
mod restore_drafts;
mod rollback;
mod session;
mod set_aside;
mod snapshot;
mod staging;
mod transaction;
mod tree;
mod work_tree;

pub use backoff::Wait;
pub use book::{Book, NotWritable, OpenError};
pub use commit_id::{CommitId, Identity, Moment, NotACommitId};
pub use contents::Contents;
pub use doctor::{Finding, OLD_LOCK, RepairError, examine, repair};
pub use draft::{Adopted, Closed, Draft, DraftError, Rebased, StageCommit};
pub use error::{FaultClass, StoreError, SystemFault};
pub use hand_edits::{Edit, EditKind, HandEdit, HandEdits, Left, Wanted};
pub use history::{Log, Transaction};
pub use index::IndexBusy;
pub use init::{InitError, InitOptions, Initialised};
pub use lock::{Busy, Holder};
pub use message::{Kind, Message, Trailers, key};
pub use obstruction::{Block, Obstruction};
pub use pack::Packing;
pub use processes::Process;
pub use recover::Recovered;
pub use rollback::{Returned, RollbackError, Target, Telling};
pub use session::{BeginError, Session};
pub use set_aside::{Instead, SetAside};
pub use snapshot::{Name, Snapshot};
pub use staging::{Scope, StagingEdit};
pub use transaction::{Change, CommitError, Committed, Proposal};
