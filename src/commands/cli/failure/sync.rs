//! Failures of the book's remote, and of runs that another device blocks.

use super::{Failure, again};
use crate::pipeline::sync::conflict::SyncError;
use crate::report::hooks::of_sent_key;
use crate::report::lists::quoted;
use crate::report::prelude::*;
use crate::report::sync::choice;
use crate::report::sync::of_lease;
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
