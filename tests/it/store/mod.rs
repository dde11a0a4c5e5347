//! The git half of the store, with git itself as a witness.

pub mod archive;
pub mod bench;
mod doctor;
mod draft;
mod hand_edits;
mod init;
mod objects;
mod pending_command;
mod rollback;
mod speed;
mod transaction;
mod undo;
