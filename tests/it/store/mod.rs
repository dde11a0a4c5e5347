//! The git half of the store, with git itself as a witness.

pub mod bench;
mod init;
mod transaction;
