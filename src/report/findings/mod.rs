//! The findings of `novel doctor`: for each a stable name, an explanation and words. `docs/doctor.md` has the same
//! names and explanations; a test compares them.

mod content;

pub use content::{Repair, of_content};
pub use content::{of_cut_history, of_lost_content, of_obstacle, of_rearranged, of_repository, of_unfinished};
pub use content::{of_memory_server, of_provider, of_setup};

use crate::report::doctor::{Code, DoctorFinding, Severity};

fn finding(code: Code, severity: Severity, what: String, repair: Option<String>) -> DoctorFinding {
    DoctorFinding { code, severity, what, repair, repaired: false }
}
