//! Checks and figures of a whole book.

pub mod diagnose;
pub mod metrics;
