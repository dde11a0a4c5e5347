//! Failures of the book's remote, and of runs that another device blocks.
//!
//! Failures of the model's side.

use crate::commands::cli::failure::{Exit, Failure, again};
use crate::llm::mismatch::Mismatch;
use crate::llm::{self, Fault, Limit};
use crate::pipeline::sync::conflict::SyncError;
use crate::report::hooks::of_sent_key;
use crate::report::prelude::*;
use crate::report::reply;
use crate::report::sync::{choice, of_lease};
use crate::report::words::quoted;
use crate::store::{Lease, Moment, RemoteError, kept_name};

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
            RemoteError::NameTaken(name) => Self::set_up(both!(remote_has_another_address_already(name))),
            RemoteError::BadAddress => Self::usage(both!(that_address_cannot_be_used)),
            RemoteError::Occupied(at) => Self::set_up(both!(is_not_empty(at = quoted(at.display())))),
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
            RemoteError::TooLarge { path, bytes, commit } => too_large(&path, bytes, &commit),
            RemoteError::BadPath { remote, path } => Self::no(both!(commit_of_holds_which_no_book(remote, path))),
            RemoteError::Open(error) => error.into(),
            RemoteError::NotWritable(error) => error.into(),
            RemoteError::Busy(error) => crate::store::BeginError::Busy(error).into(),
            RemoteError::Begin(error) => error.into(),
            RemoteError::Store(error) => error.into(),
        }
    }
}

fn too_large(path: &str, bytes: u64, commit: &str) -> Failure {
    Failure::no(both!(has_mib_commit_and_code_hosts(path, mib = figures::count(bytes >> 20), commit)))
}

/// The failure with git's words as causes.
fn heard(failure: Failure, said: Vec<String>) -> Failure {
    said.iter().map(|line| both!(git_said(line))).fold(failure, Failure::cause)
}

impl From<&llm::Failure> for Failure {
    fn from(failure: &llm::Failure) -> Self {
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
        let told = told.cause(Both::of(|lang| reply::of_fault(&failure.fault, lang)));
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
        Self::new(exit, message).cause(Both::of(|lang| reply::of_fault(fault, lang))).hint(hint).hint(without)
    }
}
