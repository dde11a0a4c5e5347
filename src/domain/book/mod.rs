//! The book as a whole: settings, checkpoint, and the kinds of work.

pub mod checkpoint;
pub mod config;
pub mod work;
