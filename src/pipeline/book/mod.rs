//! The book as the pipeline sees it: what is in it, what is damaged, what was spent, and changes that no agent makes.

pub mod call_log;
mod chapter_context;
mod characters;
pub mod compare;
pub mod damage;
pub mod destination;
pub(super) mod direct_commit;
mod earlier_passages;
pub mod estimate;
pub mod facts;
pub mod founded;
pub mod going_back;
pub mod hand_edits;
pub mod kept;
pub mod lines;
pub(super) mod migrate;
pub mod newer;
pub(super) mod on_disk;
pub(super) mod phase_change;
mod planning_context;
pub mod replay;
pub(super) mod requests;
pub mod search;
pub mod settings;
pub mod state_gaps;
pub(crate) mod timeline;
pub mod view;
