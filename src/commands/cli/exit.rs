//! How the program ends: every exit code and what a script should make of it.

use crate::report::Lang;

/// An exit code.
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
    /// 7: somebody else is writing, or the book moved meanwhile.
    Busy,
    /// 70: a bug.
    Bug,
    /// 130: interrupted.
    Interrupted,
}

impl Exit {
    /// Every code, in order.
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

    /// The number that the shell sees.
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

    /// The name in `--json`.
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

    /// What it means and what to do, for the help and the manual.
    #[must_use]
    pub fn meaning(self, lang: Lang) -> &'static str {
        match self {
            Self::Done => lang.pick("完成", "done"),
            Self::No => lang.pick("答案是否：检查发现了问题", "the answer is no: a check found something"),
            Self::Usage => lang.pick("命令写错了", "the command line is wrong"),
            Self::Decide => lang.pick("需要人来决定（novel decide）", "a person has to decide (novel decide)"),
            Self::NotSetUp => lang.pick(
                "还没准备好：没有书、没有密钥，或仓库不受支持",
                "not set up: no book, no key, or an unsupported repository",
            ),
            Self::Model => {
                lang.pick("模型一侧失败，重试无效；稍后再来", "the model's side failed after retries; run again later")
            }
            Self::Budget => lang.pick("预算用完", "the budget is spent"),
            Self::Busy => lang
                .pick("别人正在写，或书已变动；再运行一次", "somebody else is writing, or the book moved; run again"),
            Self::Bug => lang.pick("novel 的缺陷，请报告", "a bug in novel: please report it"),
            Self::Interrupted => {
                lang.pick("被中断；再运行一次就接着做", "interrupted; running again goes on from there")
            }
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
