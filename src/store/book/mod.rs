//! The book on git: what is in it, transactions of it, and everything that leads back from an interruption.

pub(super) mod cache;
pub(super) mod change;
pub(super) mod commit_walk;
pub(super) mod copies;
pub(super) mod doctor;
pub(super) mod finding;
pub(super) mod hand_edits;
pub(super) mod history;
pub(super) mod index_bytes;
pub(super) mod init;
pub(super) mod line_names;
pub(super) mod lines;
pub(super) mod lock;
pub(super) mod not_writable;
pub(super) mod pending_command;
pub(super) mod provenance;
pub(super) mod recover;
pub(super) mod repack;
pub(super) mod repository;
pub(super) mod rescue;
pub(super) mod rollback;
mod search_index;
pub(super) mod search_ranking;
pub(super) mod session;
pub(super) mod set_aside;
pub(super) mod snapshot;
pub(super) mod transaction;
