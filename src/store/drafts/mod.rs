//! Drafts: the branches of work in flight, their linked work tree, and bringing them back.

pub(super) mod archive;
pub(super) mod closed;
mod closing;
pub(super) mod draft;
pub(super) mod ending;
pub(super) mod gathering;
pub(super) mod link;
pub(super) mod parking;
pub(super) mod rebase;
pub(super) mod records;
pub(super) mod restore;
mod retention;
pub(super) mod scope;
pub(super) mod staging;
pub(super) mod synced;
