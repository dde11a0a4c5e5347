//! The book as the pipeline sees it: what is in it, what is damaged, what was spent, and changes that no agent makes.

pub mod call_log;
pub mod damage;
pub(super) mod direct_commit;
pub mod estimate;
pub mod hand_edits;
pub(super) mod migrate;
pub mod rebuild;
pub mod state_gaps;
pub mod view;
