//! Drafts: the branches of work in flight, their linked work tree, and bringing them back.

pub mod archive;
pub mod closing;
pub mod draft;
pub mod gathering;
pub mod kept;
pub mod rebase;
pub mod staging;
