//! The exit codes, and their meaning for scripts.

use crate::domain::named::named;
use crate::report::words::Words;

named! {
    pub enum Exit {
        /// 0: done.
        Done = "done",
        /// 1: the answer is no: a check found something, a value is not set.
        No = "no",
        /// 2: the command line is wrong.
        Usage = "usage",
        /// 3: a person has to decide.
        Decide = "decide",
        /// 4: something is not set up: no book, no key, an unsupported repository.
        NotSetUp = "not_set_up",
        /// 5: the model's side failed, after all retries.
        Model = "model",
        /// 6: the budget is spent.
        Budget = "budget",
        /// 7: another process is writing, or the book moved meanwhile.
        Busy = "busy",
        /// 70: a bug.
        Bug = "bug",
        /// 130: interrupted.
        Interrupted = "interrupted",
    }
}

impl Words for Exit {}

impl Exit {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_what_scripts_rely_on() {
        assert_eq!(Exit::ALL.iter().map(|exit| exit.code()).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6, 7, 70, 130]);
    }
}
