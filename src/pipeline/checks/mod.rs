//! What is checked and counted over a whole book.

pub mod diagnose;
pub mod metrics;
