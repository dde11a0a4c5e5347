use super::reply::ReplyFault;
use crate::agents::checks::completeness::Break;
use crate::llm::{Fault, RequestPart};

/// Why an agent is asked again.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Why {
    #[error(transparent)]
    Reply(#[from] ReplyFault),
    /// The call failed, and another request may succeed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The server rejects a part of the request, which is left out.
    #[error("{what:?}: {why}")]
    Adjusted { what: RequestPart, why: Fault },
    /// The text is unfinished and is continued from its last whole sentence.
    #[error("unfinished: {0:?}")]
    BrokenOff(Break),
    #[error("{words} of {wanted} words")]
    Short { words: u32, wanted: u32 },
    #[error("{words} of at most {most} words")]
    Long { words: u32, most: u32 },
}

impl Why {
    /// True when the same question would very likely meet the same fault.
    pub fn lasts(&self) -> bool {
        match self {
            Self::Fault(fault) => fault.is_of_question(),
            Self::Adjusted { .. } => false,
            Self::Reply(_) | Self::BrokenOff(_) | Self::Short { .. } | Self::Long { .. } => true,
        }
    }
}
