//! The findings of `novel doctor`: a stable name and an explanation for each, and the words for what was found. The entries
//! of `docs/doctor.md` have the same names and explanations; a test compares them.

pub mod code;
mod content;
mod provider;
mod repository;

use self::code::Code;
use super::doctor::{Finding, Severity};

pub use content::{Repair, of_content};
pub use provider::{of_memory_server, of_provider, of_setup};
pub use repository::{of_lost_content, of_obstacle, of_repository};

/// A finding that has not been repaired.
fn finding(code: Code, severity: Severity, what: String, repair: Option<String>) -> Finding {
    Finding { code, severity, what, repair, repaired: false }
}
