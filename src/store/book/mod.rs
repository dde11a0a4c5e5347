//! The book on git: what is in it, transactions of it, and everything that leads back from an interruption.

pub mod cache;
pub mod change;
pub mod commit_walk;
pub mod doctor;
pub mod finding;
pub mod hand_edits;
pub mod history;
pub mod index_bytes;
pub mod init;
pub mod line_names;
pub mod lines;
pub mod lock;
pub mod not_writable;
pub mod pending_command;
pub mod provenance;
pub mod recover;
pub mod repack;
pub mod repository;
pub mod rescue;
pub mod rollback;
pub mod search_index;
pub mod search_ranking;
pub mod session;
pub mod snapshot;
pub mod transaction;
