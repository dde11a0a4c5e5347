//! Planning from its draft branch to its commit: founding steps, volumes, reviews, changes of storylines and characters.

pub mod approval;
pub mod blurb;
pub mod cast;
pub mod create_book;
pub(super) mod draft;
pub mod fill;
pub mod follow;
pub mod impact;
pub(crate) mod own_contract;
pub mod rename;
pub mod renumber;
pub mod renumber_order;
pub mod review;
pub(crate) mod settled;
pub mod step;
pub mod storylines;
pub mod style;
mod taken_back;
pub mod volume;
mod volume_changes;
mod volume_figures;
mod volume_quality;
pub mod world;
