//! The reasons for which an agent is asked again.

use super::reply::ReplyFault;
use crate::agents::checks::completeness::Break;
use crate::llm::{Fault, RequestPart};

/// Why an agent is asked again.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Why {
    /// The reply cannot be used.
    #[error(transparent)]
    Reply(#[from] ReplyFault),
    /// The call failed in a way that another request may cure.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The server does not take a part of the request, and is asked without.
    #[error("{what:?}: {why}")]
    Adjusted {
        /// The part of the request that it does not take.
        what: RequestPart,
        why: Fault,
    },
    /// The text is not finished, and is continued from its last whole sentence.
    #[error("unfinished: {0:?}")]
    BrokenOff(Break),
    /// The chapter is too short.
    #[error("{words} of {wanted} words")]
    Short {
        /// Words of the chapter.
        words: u32,
        /// Words that the book wants.
        wanted: u32,
    },
}
