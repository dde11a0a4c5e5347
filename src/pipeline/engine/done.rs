//! Outcomes of work that is one commit of the book.

use crate::pipeline::prelude::*;
use crate::store::Committed;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    pub commit: CommitId,
    /// The first line of its message.
    pub subject: String,
}

impl From<Transaction> for Done {
    fn from(Transaction { id, subject, .. }: Transaction) -> Self {
        Self { commit: id, subject }
    }
}

impl From<Committed> for Done {
    fn from(Committed { id, subject, .. }: Committed) -> Self {
        Self { commit: id, subject }
    }
}

/// The outcome of a change that may have been there before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Applied {
    Done(Done),
    /// It was so already; nothing has changed.
    Already,
}
