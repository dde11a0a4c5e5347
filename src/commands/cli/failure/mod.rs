//! Failures of commands for the user: what failed, why, and what to type now. An error of a room becomes a failure by
//! an `impl From` here, in `store` or in `run`: one `match` from its kind to exit code, words and hints, with the error
//! itself as the cause.
//! The exit codes, and their meaning for scripts.
//! Failures of the book's remote, and of runs that another device blocks.
//! Failures of the model's side.

mod run;
mod store;

use crate::commands::prelude::*;
use crate::domain::id::named;
use crate::llm::causes::Mismatch;
use crate::llm::{self, Fault, Limit};
use crate::pipeline::sync::conflict::SyncError;
use crate::report::catalogue::HINTS;
use crate::report::faults;
use crate::report::hooks::of_sent_key;
use crate::report::prelude::*;
use crate::report::style::ALARM;
use crate::report::sync::{choice, of_lease};
use crate::store::{Lease, Moment, RemoteError, kept_name};
use serde_json::json;
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
            let (text, is_all) = faults::of_error(error);
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
        let in_words = |texts: &[Both]| texts.iter().map(|text| text.get(lang).to_owned()).collect::<Vec<_>>();
        json!({"error": {"exit": self.exit.code(), "kind": self.exit.as_str(), "message": self.message.get(lang),
            "causes": in_words(&self.causes), "hints": in_words(&self.hints)}})
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
mod exit_tests {
    use super::*;

    #[test]
    fn codes_are_what_scripts_rely_on() {
        assert_eq!(Exit::ALL.iter().map(|exit| exit.code()).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6, 7, 70, 130]);
    }
}

impl From<SyncError> for Failure {
    fn from(error: SyncError) -> Self {
        match error {
            SyncError::Remote(error) => error.into(),
            SyncError::Leased(lease) => leased(&lease),
            SyncError::Behind { remote } => Self::busy(both!(has_commits_that_this_device_lacks(remote))),
            SyncError::Diverged(conflicts) => Self::decide(both!(two_devices_have_gone_on_in))
                .cause(Both::of(|lang| choice(&conflicts, lang, 100).trim_end().to_owned()))
                .hint(both!(novel_sync_take_theirs_take_ours)),
            SyncError::Special { path, branch } => Self::decide(both!(is_link_or_submodule_which_only(path, branch))),
        }
    }
}

fn leased(lease: &Lease) -> Failure {
    let now = Moment { seconds: lease.since, offset_minutes: 0 };
    let failure = Failure::busy(both!(lang, utc(lease = of_lease(lease, now, lang))));
    let failure = match lease.until {
        Some(_) => failure.hint(both!(wait_until_it_is_done_or)),
        None => failure.hint(both!(run_novel_sync_on_that_device)),
    };
    failure.hint(both!(if_nothing_is_done_there_any))
}

impl From<RemoteError> for Failure {
    /// The failure of a remote; longer than 80 lines because each kind of error has its words here.
    fn from(error: RemoteError) -> Self {
        match error {
            RemoteError::NoGit => Self::set_up(both!(there_is_no_git_program)),
            RemoteError::NoRemote => Self::set_up(both!(book_has_no_remote)),
            RemoteError::Several(names) => {
                let message = both!(lang, there_are_several_remotes(list = listed(&names, lang)));
                let first = names.first().cloned().unwrap_or_default();
                Self::set_up(message).hint(both!(say_which_one_novel_sync(first)))
            }
            RemoteError::Unknown(name) => {
                let name = quoted(&name);
                Self::set_up(both!(git_has_no_remote(name)))
            }
            RemoteError::NameTaken(name) => Self::no(both!(remote_has_another_address_already(name))),
            RemoteError::BadAddress => Self::usage(both!(that_address_cannot_be_used)),
            RemoteError::Occupied(at) => Self::no(both!(is_not_empty(at = quoted(at.display())))),
            RemoteError::NotFound { remote, said } => {
                heard(Self::set_up(both!(there_is_no_repository_at_or(remote))), said)
            }
            RemoteError::NoBook { remote } => Self::set_up(both!(remote_has_no_book(remote)))
                .hint(both!(send_book_to_empty_remote(address = quoted(&remote)))),
            RemoteError::OldGit { said } => heard(Self::set_up(both!(git_is_too_old_for_repository)), said),
            RemoteError::ReadOnly { remote } => Self::set_up(both!(remote_cannot_be_pushed_to(remote))),
            RemoteError::OtherHash { remote, .. } => Self::set_up(both!(remote_has_other_hash(remote))),
            RemoteError::Unreachable { remote, said } => {
                heard(Self::set_up(both!(cannot_be_reached(remote))), said).hint(again())
            }
            RemoteError::Denied { remote, said } => heard(Self::set_up(both!(does_not_let_you_in(remote))), said),
            RemoteError::Refused { remote, name, reason, said } => {
                heard(Self::no(both!(refuses(remote, name, reason))), said)
                    .hint(both!(look_at_protection_of_branches_and))
            }
            RemoteError::Keys { remote, keys, name } => Self::no(both!(nothing_was_sent_key(remote)))
                .causes(keys.iter().map(of_sent_key).collect())
                .hint(match kept_name(&name) {
                    Some(_) => both!(revoke_key_and_let_kept_ref_go(name)),
                    None => both!(revoke_key_first_then_rewrite_commits),
                })
                .hint(both!(revoked_or_no_key_push_it(command = format!("git push --no-verify {remote} {name}")))),
            RemoteError::Hook { remote, said } => heard(Self::no(both!(hook_stopped_push(remote))), said),
            RemoteError::Failed { remote, said } => heard(Self::set_up(both!(git_failed_with(remote))), said),
            RemoteError::Moved { remote } => Self::busy(both!(others_keep_pushing_to(remote))).hint(again()),
            RemoteError::Unrelated { remote, branch } => Self::no(both!(of_is_another_book_two_have(branch, remote))),
            RemoteError::Shallow => Self::set_up(both!(this_is_shallow_clone_its_history)),
            RemoteError::TooLarge { path, bytes, commit } => {
                Self::no(both!(has_mib_commit_and_code_hosts(path, mib = figures::count(bytes >> 20), commit)))
            }
            RemoteError::BadPath { remote, path } => Self::no(both!(commit_of_holds_which_no_book(remote, path))),
            RemoteError::Open(error) => error.into(),
            RemoteError::NotWritable(error) => error.into(),
            RemoteError::Busy(error) => crate::store::BeginError::Busy(error).into(),
            RemoteError::Begin(error) => error.into(),
            RemoteError::Store(error) => error.into(),
        }
    }
}

/// The failure with git's words as causes.
fn heard(failure: Failure, said: Vec<String>) -> Failure {
    said.iter().map(|line| both!(git_said(line))).fold(failure, Failure::cause)
}

impl From<&llm::CallFailure> for Failure {
    fn from(failure: &llm::CallFailure) -> Self {
        let model = |words: Both| Self::new(Exit::Model, words);
        let again = both!(run_same_command_again_to_go);
        let account = both!(look_at_your_account_on_providers);
        let told = match failure.fault.cause() {
            Fault::Unauthorized { .. } | Fault::MalformedKey | Fault::Forbidden { .. } => {
                let told = Self::set_up(both!(provider_does_not_accept_key));
                match &failure.key_source {
                    Some(source) => told.hint(both!(key_is_from(source))),
                    None => told.hint(both!(no_key_was_sent)),
                }
            }
            Fault::UnknownModel { .. } => Self::set_up(both!(provider_does_not_have_this_model)),
            Fault::Protocol { mismatch: Mismatch::UnknownEnd { .. } } => {
                model(both!(model_answer_ended_strangely)).hint(again).hint(both!(try_another_model_model_name))
            }
            Fault::Protocol { .. } | Fault::BadRequest { .. } => model(both!(model_server_and_this_program_do)),
            Fault::Billing { .. } => model(both!(model_account_has_no_balance_left)).hint(account).hint(again),
            Fault::SpendLimit { .. } => {
                model(both!(model_accounts_spending_limit_is_reached)).hint(account).hint(again)
            }
            Fault::ContextTooLong { .. } => {
                model(both!(model_prompt_does_not_fit_models)).hint(both!(novel_context_chapter_shows_what_it))
            }
            Fault::Truncated { limit: Limit::Thinking, .. } => model(both!(model_only_thought)),
            Fault::Truncated { limit: Limit::Context, .. } => {
                model(both!(model_context_is_full)).hint(both!(novel_context_chapter_shows_what_it))
            }
            Fault::Empty => model(both!(model_answers_nothing)).hint(again).hint(both!(try_another_model_model_name)),
            Fault::Truncated { .. } => {
                model(both!(model_answer_ended_before_it_was)).hint(again).hint(both!(try_another_model_model_name))
            }
            Fault::Circling { .. } => {
                model(both!(model_model_goes_round_in_circles)).hint(again).hint(both!(try_another_model_model_name))
            }
            Fault::Refused { .. } => {
                model(both!(model_model_declined_to_answer)).hint(both!(try_another_model_model_name))
            }
            Fault::Network { .. } => model(both!(model_no_connection_to_server)).hint(again),
            Fault::Stopped { .. } => Self::new(Exit::Interrupted, both!(model_stopped)).hint(again),
            Fault::Timeout { .. } => {
                model(both!(model_no_answer_came_in_time)).hint(again).hint(both!(settings_timeouts_say_how_long_to))
            }
            Fault::RateLimited { .. }
            | Fault::Overloaded { .. }
            | Fault::Server { .. }
            | Fault::CutStream { .. }
            | Fault::Midway { .. } => model(both!(model_models_server_does_not_work)).hint(again),
        };
        let told = told.cause(Both::of(|lang| faults::of_fault(&failure.fault, lang)));
        match failure.asked_wait.filter(|_| failure.fault.is_overload()) {
            None => told,
            Some(wait) => {
                let wait = figures::duration(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
                told.cause(both!(server_asks_for_wait_of(wait))).hint(both!(to_wait_longer_retry_for_h))
            }
        }
    }
}

impl Failure {
    /// The failure of the Mem0 server at an address.
    pub(super) fn of_memory_server(server: &str, fault: &Fault) -> Self {
        let without = both!(to_do_without_it_with_embedded);
        let message = both!(mem0_server_at_cannot_be_used(server));
        let (exit, hint) = match fault {
            Fault::Unauthorized { .. } | Fault::Forbidden { .. } => {
                (Exit::NotSetUp, both!(correct_key_which_is_in_variable))
            }
            Fault::Network { .. } | Fault::Timeout { .. } => (Exit::Model, both!(see_whether_it_is_running_and)),
            _ => (Exit::Model, both!(address_is_that_of_self_hosted)),
        };
        Self::new(exit, message).cause(Both::of(|lang| faults::of_fault(fault, lang))).hint(hint).hint(without)
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
            Failure::from(&llm::CallFailure {
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
