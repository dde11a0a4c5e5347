//! Checks and figures of a whole book.

pub mod commit;
pub mod consistency;
pub mod diagnose;
pub mod doctor;
pub mod judge_trial;
pub mod metrics;
pub mod story;
