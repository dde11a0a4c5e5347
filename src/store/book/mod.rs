//! The book on git: what is in it, transactions of it, and everything that leads back from an interruption.

pub(super) mod begin;
pub(super) mod change;
pub(super) mod commit_walk;
pub(super) mod content;
pub(super) mod contents;
pub(super) mod doctor;
pub(super) mod hand_edits;
pub(super) mod history;
pub(super) mod index_bytes;
pub(super) mod init;
pub(super) mod line_names;
pub(super) mod lines;
pub(super) mod lock;
pub(super) mod obstruction;
pub(super) mod pending_command;
pub(super) mod pending_switch;
pub(super) mod provenance;
pub(super) mod recover;
pub(super) mod repository;
pub(super) mod rollback;
pub(super) mod session;
pub(super) mod set_aside;
pub(super) mod snapshot;
pub(super) mod switch;
pub(super) mod transaction;
pub(super) mod undo;
