//! One book on several devices: bringing two copies together through a remote, and the lease by which two devices do not
//! write the same chapter.
//!
//! | file | contents |
//! |---|---|
//! | `exchange` | a sync: list, fetch, decide, merge or go forward, push |
//! | `merge` | one book from two lines: files, chapters, state; the choice that the last sync has left to the author |
//! | `conflict` | what an author has to choose between, why a sync stops, and what is told |
//! | `drafts` | work in flight on several devices |
//! | `lease` | taking, renewing and freeing the lease around a run |
//! | `work` | a worker: chapter after chapter, with a sync around each |

pub mod conflict;
mod drafts;
pub mod exchange;
pub(crate) mod lease;
pub mod merge;
pub mod work;
