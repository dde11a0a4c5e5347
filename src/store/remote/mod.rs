//! Another copy of the book, reached through the user's own `git`, where ssh settings, credential helpers, proxies,
//! force-with-lease and atomic pushes work, none of which libgit2 has. Everything local stays with libgit2.

pub mod clone;
pub mod history;
pub mod name;
pub mod process;
pub mod transfer;
