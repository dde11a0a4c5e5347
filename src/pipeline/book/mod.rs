//! The book as the pipeline sees it: what is in it, what is damaged, what was spent, and changes that no agent makes.

pub mod call_log;
mod chapter_context;
pub mod compare;
pub mod damage;
pub mod direct_commit;
pub(crate) mod earlier_passages;
pub mod estimate;
pub mod facts;
pub mod files;
pub mod foreshadowing;
pub mod going_back;
pub mod hand_edits;
pub mod import;
pub mod kept;
pub mod lines;
pub(crate) mod memories;
pub mod names;
pub(crate) mod new_names;
pub mod on_disk;
mod peer;
mod planning_context;
pub(crate) mod rearranged;
pub mod replay;
pub mod search;
pub(crate) mod timeline;
pub mod view;
