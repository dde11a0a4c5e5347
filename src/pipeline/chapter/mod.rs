//! A chapter from its draft branch to its commit.

pub(super) mod accept;
mod ahead;
pub(super) mod attempt;
pub(super) mod before;
pub mod candidates;
pub mod decide;
pub mod draft;
pub mod existing;
pub(super) mod inputs;
pub mod preview;
pub mod records;
pub mod restore;
pub mod revision;
pub mod run;
pub mod scenes;
pub(super) mod summaries;
pub(super) mod texts;
pub mod wishes;
pub mod write;
