//! Why a finding was not waived.

use crate::domain::chapter::waiver::FindingId;

/// A finding that cannot be waived, or a waiver that cannot be taken back. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WaiverError {
    /// The book has neither a check nor a rule of that name.
    #[error("`{0}`: the book has neither such a check nor such a rule")]
    UnknownCheck(FindingId),
    /// A rule would be waived for every chapter. The rule itself says then what holds.
    #[error("`{0}` would switch a rule off for the whole book")]
    RuleOfBook(FindingId),
    /// The check needs a subject, or has none.
    #[error("`{finding}`: the subject is {}", if *wanted { "missing" } else { "too much" })]
    Subject {
        /// The finding as it was typed.
        finding: FindingId,
        /// Whether there has to be one.
        wanted: bool,
    },
    /// The chapter has no such finding.
    #[error("`{finding}`: {} others are found in the chapter", found.len())]
    NotFound {
        /// The finding as it was typed.
        finding: FindingId,
        /// The findings of the chapter.
        found: Vec<FindingId>,
    },
    /// There is no such waiver.
    #[error("`{0}` is not waived")]
    NotWaived(FindingId),
}
