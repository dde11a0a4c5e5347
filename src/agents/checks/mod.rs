pub(super) mod chat;
pub mod completeness;
pub mod edits;
pub mod parroting;
pub mod slips;
pub mod sources;
