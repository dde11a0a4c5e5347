//! Drafts: the branches of work in flight, their linked work tree, and bringing them back.

pub(super) mod closed;
pub(super) mod draft;
pub(super) mod link;
pub(super) mod parking;
pub(super) mod restore;
pub(super) mod staging;
pub(super) mod synced;
