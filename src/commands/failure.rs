//! Why a command failed, as it is told to the user: what, because of what, and what to type now.
//!
//! A room's error becomes a failure by `impl From<RoomError> for Failure` in this file: one `match` from kind to exit
//! code, words and hints, with the error itself as the cause:
//!
//! ```text
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
use crate::llm::{self, Fault};
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

/// Failures of the model's side.
impl From<&llm::Failure> for Failure {
    fn from(failure: &llm::Failure) -> Self {
        let model = |zh: &str, en: &str| Self::new(Exit::Model, both!("{zh}", "{en}"));
        let again = both!("再运行同一条命令就接着做", "run the same command again to go on from here");
        let account = both!("到服务商的网站查看账户", "look at your account on the provider's site");
        let told = match &failure.fault {
            Fault::Unauthorized { .. } | Fault::Forbidden { .. } => {
                Self::new(Exit::NotSetUp, both!("服务商不接受这把密钥", "the provider does not accept the key")).hint(
                    both!("`novel config providers` 看用的是哪家", "`novel config providers` shows whose key is used"),
                )
            }
            Fault::UnknownModel { .. } => {
                Self::new(Exit::NotSetUp, both!("服务商没有这个模型", "the provider does not have this model"))
                    .hint(both!("`novel config set model 模型名`", "`novel config set model NAME`"))
            }
            Fault::Protocol { .. } | Fault::BadRequest { .. } => {
                model("服务器听不懂请求，或不按约定回答", "the server and this program do not understand each other")
                    .hint(both!("检查设置 base_url 和 wire", "check the settings `base_url` and `wire`"))
            }
            Fault::Billing { .. } => model("账户余额不足", "the account has no balance left").hint(account).hint(again),
            Fault::SpendLimit { .. } => {
                model("账户的花费上限到了", "the account's spending limit is reached").hint(account).hint(again)
            }
            Fault::ContextTooLong { .. } => {
                model("提示词超出模型的上下文", "the prompt does not fit the model's context").hint(both!(
                    "`novel context 章号` 看它的构成，或换一个上下文更长的模型",
                    "`novel context CHAPTER` shows what it is made of; or choose a model with a larger context"
                ))
            }
            Fault::Truncated { .. } => model("回复没写完就断了", "the answer ended before it was complete").hint(again),
            Fault::Refused { .. } => model("模型拒绝回答", "the model declined to answer")
                .hint(both!("换个模型: `--model 模型名`", "try another model: `--model NAME`")),
            Fault::Network { .. } => model("连不上服务器", "no connection to the server").hint(again),
            Fault::Timeout { .. } => model("等不到回复", "no answer came in time")
                .hint(again)
                .hint(both!("等待时长可调: timeouts.*", "the settings `timeouts.*` say how long to wait")),
            Fault::RateLimited { .. }
            | Fault::Overloaded { .. }
            | Fault::Server { .. }
            | Fault::CutStream { .. }
            | Fault::Empty => {
                model("模型的服务现在不可用", "the model's server does not work at the moment").hint(again)
            }
        };
        told.because(&failure.fault)
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
    fn a_fault_of_the_models_side_keeps_its_cause_and_says_what_to_do() {
        let told = |fault: Fault| Failure::from(&llm::Failure { fault, attempts: 3, usage: llm::Usage::default() });
        let bad_key = told(Fault::Unauthorized { message: "no such key".into() });
        assert_eq!(bad_key.exit(), Exit::NotSetUp);
        let network = told(Fault::Network { message: "no route".into() });
        let text = anstream::adapter::strip_str(&network.text(Lang::En)).to_string();
        assert_eq!(network.exit(), Exit::Model);
        assert_eq!(
            text,
            "error: no connection to the server\ncaused by: the server cannot be reached: no route\n\
             hint: run the same command again to go on from here\n"
        );
    }

    #[test]
    fn a_reader_that_has_gone_is_no_failure() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert!(failure.is_quiet() && failure.exit() == Exit::Done);
        assert!(!Failure::from(io::Error::other("disk full")).is_quiet());
    }
}
