//! The exit codes, and their meaning for scripts.

use crate::report::Lang;
use crate::report::catalogue::say;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: done.
    Done,
    /// 1: the answer is no: a check found something, a value is not set.
    No,
    /// 2: the command line is wrong.
    Usage,
    /// 3: a person has to decide.
    Decide,
    /// 4: something is not set up: no book, no key, an unsupported repository.
    NotSetUp,
    /// 5: the model's side failed, after all retries.
    Model,
    /// 6: the budget is spent.
    Budget,
    /// 7: another process is writing, or the book moved meanwhile.
    Busy,
    /// 70: a bug.
    Bug,
    /// 130: interrupted.
    Interrupted,
}

impl Exit {
    pub const ALL: [Self; 10] = [
        Self::Done,
        Self::No,
        Self::Usage,
        Self::Decide,
        Self::NotSetUp,
        Self::Model,
        Self::Budget,
        Self::Busy,
        Self::Bug,
        Self::Interrupted,
    ];

    /// The number for the shell.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::No => 1,
            Self::Usage => 2,
            Self::Decide => 3,
            Self::NotSetUp => 4,
            Self::Model => 5,
            Self::Budget => 6,
            Self::Busy => 7,
            Self::Bug => 70,
            Self::Interrupted => 130,
        }
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::No => "no",
            Self::Usage => "usage",
            Self::Decide => "decide",
            Self::NotSetUp => "not_set_up",
            Self::Model => "model",
            Self::Budget => "budget",
            Self::Busy => "busy",
            Self::Bug => "bug",
            Self::Interrupted => "interrupted",
        }
    }

    /// The meaning and the remedy, for the help and the manual.
    #[must_use]
    pub fn meaning(self, lang: Lang) -> &'static str {
        match self {
            Self::Done => say!(lang, done),
            Self::No => say!(lang, answer_is_no_check_found_something),
            Self::Usage => say!(lang, command_line_is_wrong),
            Self::Decide => say!(lang, person_has_to_decide_novel_decide),
            Self::NotSetUp => say!(lang, not_set_up_no_book_no),
            Self::Model => say!(lang, models_side_failed_after_retries_run),
            Self::Budget => say!(lang, budget_is_spent),
            Self::Busy => say!(lang, somebody_else_is_writing_or_book),
            Self::Bug => say!(lang, bug_in_novel_please_report_it),
            Self::Interrupted => say!(lang, interrupted_running_again_goes_on_from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_what_scripts_rely_on() {
        assert_eq!(Exit::ALL.map(Exit::code), [0, 1, 2, 3, 4, 5, 6, 7, 70, 130]);
    }
}
