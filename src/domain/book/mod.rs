//! The book as a whole: its settings, its checkpoint, and the kinds of work that are done on it.

pub mod checkpoint;
pub mod config;
pub mod genre;
pub mod lang;
pub mod log;
pub mod work;
