//! Why a command failed, as it is told to the user: what, because of what, and what to type now.
//!
//! A room's error becomes a failure by `impl From<RoomError> for Failure` in this file: one `match` from kind to exit
//! code, words and hints, with the error itself as the cause:
//!
//! ```ignore
//! impl From<BookError> for Failure {
//!     fn from(error: BookError) -> Self {
//!         match &error {
//!             BookError::NotABook(at) => Self::new(Exit::NotSetUp, both!("{at} 里没有书", "there is no book in {at}"))
//!                 .hint(both!("新建一本：`novel init 书名`", "make one: `novel init NAME`")),
//!             …
//!         }
//!         .because(&error)
//!     }
//! }
//! ```

use super::exit::Exit;
use crate::report::lang::both;
use crate::report::style::{BAD, HINT, STRONG, paint};
use crate::report::{Both, Lang};
use serde::Serialize;
use std::error::Error;
use std::io;

/// A failed command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    exit: Exit,
    message: Both,
    causes: Vec<String>,
    hints: Vec<Both>,
    quiet: bool,
}

impl Failure {
    /// A failure: lower case, no period, backticks round literals.
    pub(crate) fn new(exit: Exit, message: Both) -> Self {
        Self { exit, message, causes: Vec::new(), hints: Vec::new(), quiet: false }
    }

    /// A wrong command line.
    pub(crate) fn usage(message: Both) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// Something that cannot happen.
    pub(crate) fn bug(message: Both) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        Self::new(Exit::Bug, message).hint(both!(
            "这是 novel {version} 的缺陷，请连同上面的信息一起报告",
            "this is a bug in novel {version}: please report it with the lines above"
        ))
    }

    /// The reader of our output has gone (`novel log | head`): no reason to say anything.
    pub(crate) fn broken_pipe() -> Self {
        Self { quiet: true, ..Self::new(Exit::Done, Both::same("broken pipe")) }
    }

    /// The same failure, caused by an error and by whatever caused that.
    pub(crate) fn because(mut self, error: &dyn Error) -> Self {
        let mut cause = Some(error);
        while let Some(error) = cause {
            let text = error.to_string();
            if self.causes.last() != Some(&text) {
                self.causes.push(text);
            }
            cause = error.source();
        }
        self
    }

    /// The same failure with one more hint: what to type, with the command in backticks.
    pub(crate) fn hint(mut self, hint: Both) -> Self {
        self.hints.push(hint);
        self
    }

    /// How the program ends.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// Whether nothing is to be printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// The lines for people: `error:`, `caused by:`, `hint:`.
    pub(crate) fn text(&self, lang: Lang) -> String {
        let error = paint(BAD.bold(), lang.pick("错误:", "error:"));
        let mut out = format!("{error} {}\n", self.message.get(lang));
        let caused = paint(STRONG, lang.pick("原因:", "caused by:"));
        match &self.causes[..] {
            [] => {}
            [one] => out.push_str(&format!("{caused} {one}\n")),
            several => {
                out.push_str(&format!("{caused}\n"));
                for (n, cause) in several.iter().enumerate() {
                    out.push_str(&format!("  {}: {cause}\n", n + 1));
                }
            }
        }
        for hint in &self.hints {
            let label = paint(HINT, lang.pick("提示:", "hint:"));
            out.push_str(&format!("{label} {}\n", hint.get(lang)));
        }
        out
    }

    /// What `--json` prints in place of an answer.
    pub(crate) fn border(&self, lang: Lang) -> impl Serialize {
        #[derive(Serialize)]
        struct Border {
            error: Body,
        }
        #[derive(Serialize)]
        struct Body {
            exit: u8,
            kind: &'static str,
            message: String,
            causes: Vec<String>,
            hints: Vec<String>,
        }
        Border {
            error: Body {
                exit: self.exit.code(),
                kind: self.exit.name(),
                message: self.message.get(lang).to_owned(),
                causes: self.causes.clone(),
                hints: self.hints.iter().map(|hint| hint.get(lang).to_owned()).collect(),
            },
        }
    }
}

/// Failures of printing.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::broken_pipe();
        }
        Self::new(Exit::No, both!("输出写不出去", "the output cannot be written")).because(&error)
    }
}

/// Values that cannot be made JSON are a mistake of ours.
impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::bug(both!("结果无法写成 JSON", "the answer cannot be written as JSON")).because(&error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_what_why_and_what_now_in_both_languages() {
        let inner = io::Error::other("disk on fire");
        let failure = Failure::new(Exit::NotSetUp, both!("这里没有书", "there is no book here"))
            .because(&inner)
            .hint(both!("`novel init 书名`", "`novel init NAME`"));
        let plain = |lang| anstream::adapter::strip_str(&failure.text(lang)).to_string();
        assert_eq!(plain(Lang::En), "error: there is no book here\ncaused by: disk on fire\nhint: `novel init NAME`\n");
        assert_eq!(plain(Lang::Zh), "错误: 这里没有书\n原因: disk on fire\n提示: `novel init 书名`\n");
        let json = crate::report::json::line(&failure.border(Lang::En)).unwrap();
        assert_eq!(
            json,
            "{\"version\":1,\"error\":{\"exit\":4,\"kind\":\"not_set_up\",\"message\":\"there is no book here\",\
             \"causes\":[\"disk on fire\"],\"hints\":[\"`novel init NAME`\"]}}\n"
        );
    }

    #[test]
    fn a_reader_that_has_gone_is_no_failure() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert!(failure.is_quiet() && failure.exit() == Exit::Done);
        assert!(!Failure::from(io::Error::other("disk full")).is_quiet());
    }
}
