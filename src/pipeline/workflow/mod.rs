//! The author's loop: how far the book is, the questions that wait, and the transactions between its phases.

mod answers;
mod facts;
mod orders;
mod overview;
mod respond;
mod status;
mod step;

pub use super::book::founded::{founded, said_under};
pub use answers::{answered, just_answered};
pub use facts::{Fact, Facts, Position, facts, last_summary, position};
pub use orders::{Wanted, new_order, planned_length, trial_order, volume_order};
pub use overview::{BrokenFile, FileFault, NextCommand, Overview, overview};
pub use respond::{AnswerDetails, AnswerOutcome};
pub use status::{in_planning, standing, standing_in};
