//! The novel as values. No IO, no clock, no chance, nothing asynchronous.
pub mod foreshadowing;
pub mod id;
pub(crate) mod named;
pub mod state;
pub use id::{ChapterNo, IdError, Slug, VolumeNo};
pub use named::UnknownName;
