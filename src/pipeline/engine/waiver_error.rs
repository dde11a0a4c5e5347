//! Why a finding was not waived.

use crate::domain::chapter::waiver::FindingId;

/// A finding that cannot be waived, or a waiver that cannot be taken back. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum WaiverError {
    /// The book has neither a check nor a rule of that name.
    UnknownCheck(FindingId),
    /// A rule would be waived for every chapter. The rule itself says then what holds.
    RuleOfBook(FindingId),
    /// The check needs a subject, or has none.
    Subject {
        /// The finding as it was typed.
        finding: FindingId,
        /// Whether there has to be one.
        wanted: bool,
    },
    /// The chapter has no such finding.
    NotFound {
        /// The finding as it was typed.
        finding: FindingId,
        /// The findings of the chapter.
        found: Vec<FindingId>,
    },
    /// There is no such waiver.
    NotWaived(FindingId),
}
