//! The author's loop: how far the book is, the questions that wait, and the transactions between its phases.

mod overview;
mod status;
pub(crate) mod step;

pub use crate::pipeline::book::on_disk::{founded, said_under};
pub use overview::{BrokenFile, FileFault, NextCommand, Overview, overview};
pub use status::{
    Position, QuestionChapter, QuestionFacts, VolumeWishes, facts, in_planning, last_summary, new_order,
    planned_length, position, standing, standing_in, trial_order, unreviewed_before, volume_order,
};
pub use step::{AnswerDetails, AnswerOutcome, answered, just_answered};
