//! Another copy of the book, reached through the user's own `git`, where ssh settings, credential helpers, proxies,
//! force-with-lease and atomic pushes work, none of which libgit2 has. Everything local stays with libgit2.

pub mod clone;
pub(super) mod error;
pub(super) mod history;
pub(super) mod name;
pub(super) mod process;
pub(super) mod transfer;
