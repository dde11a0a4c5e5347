//! One book on several devices: bringing two copies together through a remote, and the lease by which two devices do not
//! write the same chapter.
//!
//! | file | contents |
//! |---|---|
//! | `network` | how the remote is reached |
//! | `exchange` | a sync: list, fetch, decide, merge or go forward, push |
//! | `merge`, `story`, `facts` | one book from two lines: files, chapters, state |
//! | `conflict` | what an author has to choose between |
//! | `undecided` | the choice that the last sync has left to the author |
//! | `drafts` | work in flight on several devices |
//! | `lease` | taking, renewing and freeing the lease around a run |
//! | `work` | a worker: chapter after chapter, with a sync around each |
//! | `event`, `error` | what is told, and why a sync stops |

pub mod conflict;
mod drafts;
pub mod error;
pub mod event;
pub mod exchange;
mod facts;
mod lease;
mod merge;
pub mod network;
mod story;
pub mod undecided;
pub mod work;
