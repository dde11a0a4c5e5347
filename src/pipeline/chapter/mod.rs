//! A chapter from its draft branch to its commit.

pub(super) mod accept;
mod ahead;
pub(super) mod attempt;
pub(super) mod before;
pub mod candidates;
pub mod decide;
pub mod draft;
pub(super) mod existing;
pub(super) mod inputs;
pub mod overtaken;
pub mod paths;
pub mod preview;
mod records;
pub(super) mod reports;
pub mod restore;
pub mod revision;
pub mod run;
pub mod scenes;
pub(super) mod summaries;
mod texts;
pub mod wishes;
pub mod write;
