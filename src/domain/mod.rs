//! The novel as values. No IO, no clock, no chance, nothing asynchronous.
pub mod id;
pub use id::{ChapterNo, IdError, Slug, VolumeNo};
