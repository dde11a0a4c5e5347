//! Another copy of the book, reached through the user's own `git`: ssh settings, credential helpers and proxies work there,
//! and so do leases and atomic pushes, none of which libgit2 has. Everything local stays with libgit2.
//!
//! | file | contents |
//! |---|---|
//! | `error` | why a remote could not be used |
//! | `process` | one git process: arguments, environment, progress, what it said |
//! | `words` | what git said, told apart and without secrets |
//! | `name` | which remote is meant, and the settings that remember it |
//! | `listing` | the refs that a remote has |
//! | `transfer` | listing, fetching and pushing |
//! | `history` | how two lines of commits stand to each other |
//! | `lease` | the right to write the next chapter, as a ref of the remote |
//! | `clone` | a new copy of a book |
//! | `library` | the books of a worker |

pub(super) mod clone;
pub(super) mod error;
pub(super) mod history;
pub(super) mod lease;
pub mod library;
pub(super) mod listing;
pub(super) mod name;
pub(super) mod process;
pub(super) mod transfer;
mod words;
