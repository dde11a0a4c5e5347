//! Drafts: the branches of work in flight, their linked work tree, and bringing them back.

pub(super) mod archive;
pub(super) mod closing;
pub(super) mod draft;
pub(super) mod gathering;
pub(super) mod kept;
pub(super) mod rebase;
pub(super) mod scope;
pub(super) mod staging;
