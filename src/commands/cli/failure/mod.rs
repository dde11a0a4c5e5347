//! Failures of commands for the user: what failed, why, and what to type now. An error of a room becomes a failure by
//! an `impl From` in `store`, `model` or `run`: one `match` from its kind to exit code, words and hints, with the error
//! itself as the cause.
//!
//! The exit codes, and their meaning for scripts.

mod run;
mod store;
mod sync;

use crate::commands::prelude::*;
use crate::domain::id::named;
use crate::report::catalogue::HINTS;
use crate::report::mistake;
use crate::report::prelude::*;
use crate::report::style::ALARM;
use std::error::Error;
use std::io;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    exit: Exit,
    message: Both,
    causes: Vec<Both>,
    hints: Vec<Both>,
    quiet: bool,
}

/// Chapters named before they are only counted.
const NAMED: usize = 5;
/// Causes told before they are only counted.
const TOLD: usize = 8;

impl Failure {
    /// Accepted chapters that are gone: the author says whether on purpose.
    pub(super) fn lost(chapters: &[ChapterNo], paths: &[String], later: Option<ChapterNo>) -> Self {
        let message = Both::of(|lang| {
            let chapters = crate::report::hooks::first_of(chapters, NAMED, lang);
            if paths.is_empty() {
                say!(lang, is_missing_from_book_and_no(chapters))
            } else {
                say!(lang, files_of_are_gone_deletion_is(chapters))
            }
        });
        let mut failure = Self::decide(message).hint(both!(to_bring_it_back_novel_doctor_repair));
        if !paths.is_empty() {
            let list: Vec<String> = paths.iter().map(|path| quoted(format!(":/{path}"))).collect();
            failure = failure.hint(both!(to_bring_it_back_git_restore(list = list.join(" "))));
        }
        let all: Vec<String> = chapters.iter().map(ChapterNo::to_string).collect();
        let all = all.join(" ");
        match later {
            Some(_) => failure.hint(both!(to_close_the_gap)).hint(both!(to_leave_it_out_on_purpose(all))),
            None => failure.hint(both!(to_write_it_again(all))),
        }
    }

    /// The message is in lower case, without a period, with backticks round literals; its hints come with it from the catalogue.
    pub(crate) fn new(exit: Exit, message: Both) -> Self {
        let Both { zh, en } = message;
        let mut parts =
            zh.split(HINTS).zip(en.split(HINTS)).map(|(zh, en)| Both { zh: zh.to_owned(), en: en.to_owned() });
        let message = parts.next().unwrap_or_else(|| Both::same(""));
        Self { exit, message, causes: Vec::new(), hints: parts.collect(), quiet: false }
    }

    pub(crate) fn no(message: Both) -> Self {
        Self::new(Exit::No, message)
    }

    pub(crate) fn set_up(message: Both) -> Self {
        Self::new(Exit::NotSetUp, message)
    }

    pub(crate) fn decide(message: Both) -> Self {
        Self::new(Exit::Decide, message)
    }

    pub(crate) fn busy(message: Both) -> Self {
        Self::new(Exit::Busy, message)
    }

    pub(crate) fn usage(message: Both) -> Self {
        Self::new(Exit::Usage, message)
    }

    pub(crate) fn bug(message: Both) -> Self {
        Self::new(Exit::Bug, message).hint(both!(this_is_bug_in_novel_please(version = env!("NOVEL_VERSION"))))
    }

    /// The reader of the output has gone (`novel log | head`): nothing is printed.
    pub(crate) fn broken_pipe() -> Self {
        Self { quiet: true, ..Self::new(Exit::Done, Both::same("broken pipe")) }
    }

    /// The end of a command that has already explained itself.
    pub(crate) fn told(exit: Exit) -> Self {
        Self { quiet: true, ..Self::new(exit, Both::same(String::new())) }
    }

    /// A file of the author's that cannot be read.
    pub(crate) fn unreadable(path: &Path) -> Self {
        Self::no(both!(init_cannot_be_read(shown = path.display())))
    }

    /// Adds an error and its causes as causes.
    pub(crate) fn because(mut self, error: &(dyn Error + 'static)) -> Self {
        let mut cause = Some(error);
        while let Some(error) = cause {
            let (text, is_all) = mistake::of_error(error);
            if self.causes.last() != Some(&text) {
                self.causes.push(text);
            }
            cause = error.source().filter(|_| !is_all);
        }
        self
    }

    /// Adds a cause in our own words.
    pub(crate) fn cause(mut self, cause: Both) -> Self {
        self.causes.push(cause);
        self
    }

    /// Adds the first causes, and the number of the others.
    pub(crate) fn causes(mut self, causes: Vec<Both>) -> Self {
        let more = causes.len().saturating_sub(TOLD);
        self.causes.extend(causes.into_iter().take(TOLD));
        if more > 0 { self.cause(both!(hooks_and_more(more))) } else { self }
    }

    pub(crate) fn without_hints(mut self) -> Self {
        self.hints.clear();
        self
    }

    /// Adds a hint: what to type, with the command in backticks.
    pub(crate) fn hint(mut self, hint: Both) -> Self {
        self.hints.push(hint);
        self
    }

    /// Adds a hint at the name that was perhaps meant.
    fn meant(self, nearest: Option<String>) -> Self {
        match nearest {
            Some(nearest) => self.hint(both!(perhaps(nearest))),
            None => self,
        }
    }

    pub(crate) fn message(&self, lang: Lang) -> &str {
        self.message.get(lang)
    }

    /// The message with its first cause.
    pub(crate) fn explained(&self, lang: Lang) -> String {
        let cause = self.causes.first().map(|cause| format!("{}{}", say!(lang, colon), cause.get(lang)));
        format!("{}{}", self.message(lang), cause.unwrap_or_default())
    }

    pub(crate) fn words(&self) -> &Both {
        &self.message
    }

    pub(crate) fn hints(&self, lang: Lang) -> Vec<&str> {
        self.hints.iter().map(|hint| hint.get(lang)).collect()
    }

    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// True when nothing is to be printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// The lines for people: `error:`, `because:`, `hint:`.
    pub(crate) fn text(&self, lang: Lang) -> String {
        format!("{}{}", paint(ALARM, say!(lang, error)), self.unlabelled(lang))
    }

    /// The text without `error:`, for a failure shown as a warning.
    pub(crate) fn unlabelled(&self, lang: Lang) -> String {
        let mut out = format!("{}\n", self.message.get(lang));
        let caused = paint(STRONG, say!(lang, caused_by));
        match &self.causes[..] {
            [] => {}
            [one] => out.push_str(&format!("{caused}{}\n", one.get(lang))),
            several => {
                out.push_str(&format!("{}\n", paint(STRONG, say!(lang, caused_by).trim_end())));
                for (n, cause) in several.iter().enumerate() {
                    out.push_str(&format!("  {}. {}\n", n + 1, cause.get(lang)));
                }
            }
        }
        for hint in &self.hints {
            let label = paint(HINT, say!(lang, hint));
            out.push_str(&format!("{label}{}\n", hint.get(lang)));
        }
        out
    }

    /// The JSON document in place of an answer.
    pub(crate) fn to_json(&self, lang: Lang) -> impl Serialize {
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
                kind: self.exit.as_str(),
                message: self.message.get(lang).to_owned(),
                causes: self.causes.iter().map(|cause| cause.get(lang).to_owned()).collect(),
                hints: self.hints.iter().map(|hint| hint.get(lang).to_owned()).collect(),
            },
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::broken_pipe();
        }
        Self::no(both!(output_cannot_be_written)).because(&error)
    }
}

/// Values that cannot become JSON are a bug.
impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::bug(both!(answer_cannot_be_written_as_json)).because(&error)
    }
}

pub(super) fn again() -> Both {
    both!(run_same_command_again_to_go)
}

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
    use crate::llm::{self, Disruption, Fault};

    #[test]
    fn a_failure_says_what_why_and_what_now_in_both_languages() {
        let inner = io::Error::other("disk on fire");
        let failure =
            Failure::set_up(Both { zh: "这里没有书".to_owned(), en: "there is no book here".to_owned() })
                .because(&inner)
                .hint(Both { zh: "`novel init 书名`".to_owned(), en: "`novel init NAME`".to_owned() });
        let plain = |lang| crate::report::style::render(&failure.text(lang), crate::report::style::Colour::Off);
        assert_eq!(plain(Lang::En), "error: there is no book here\nbecause: disk on fire\nhint: `novel init NAME`\n");
        assert_eq!(plain(Lang::Zh), "错误：这里没有书\n原因：disk on fire\n提示：`novel init 书名`\n");
        let json = crate::report::lang::line(&failure.to_json(Lang::En)).unwrap();
        assert_eq!(
            json,
            "{\"version\":1,\"error\":{\"exit\":4,\"kind\":\"not_set_up\",\"message\":\"there is no book here\",\
             \"causes\":[\"disk on fire\"],\"hints\":[\"`novel init NAME`\"]}}\n"
        );
    }

    #[test]
    fn a_fault_of_the_models_side_keeps_its_cause_and_says_what_to_do() {
        let told = |fault: Fault| {
            Failure::from(&llm::Failure {
                fault,
                attempts: 3,
                asked_wait: None,
                key_source: None,
                usage: llm::Usage::default(),
                leaves_rest: false,
            })
        };
        let bad_key = told(Fault::Unauthorized { message: "no such key".into() });
        assert_eq!(bad_key.exit(), Exit::NotSetUp);
        let network = told(Fault::Network { why: Disruption::NoRoute });
        let text = crate::report::style::render(&network.text(Lang::En), crate::report::style::Colour::Off);
        assert_eq!(network.exit(), Exit::Model);
        assert_eq!(
            text,
            "error: no connection to the server\nbecause: the server cannot be reached: the network does not lead to it\n\
             hint: check the network; start the server of a local model, whose address `novel config get base_url` shows\n\
             hint: run the same command again to resume\n"
        );
    }

    #[test]
    fn a_reader_that_has_gone_is_no_failure() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert!(failure.is_quiet() && failure.exit() == Exit::Done);
        assert!(!Failure::from(io::Error::other("disk full")).is_quiet());
    }
}

#[cfg(test)]
mod exit_tests {
    use super::*;

    #[test]
    fn codes_are_what_scripts_rely_on() {
        assert_eq!(Exit::ALL.iter().map(|exit| exit.code()).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6, 7, 70, 130]);
    }
}
