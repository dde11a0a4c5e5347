use crate::report::doctor::{Code, Finding, Severity};
use crate::report::findings::finding;
use crate::report::prelude::*;
use crate::store::{self, CommitId, NeededFor, NotWritable, OLD_LOCK, ObjectFault, Process, UnfinishedThing};
use std::path::Path;

pub fn of_repository(found: &store::Finding, lang: Lang) -> Finding {
    use store::Finding as F;
    let problem = |code, what, repair| finding(code, Severity::Problem, what, repair);
    let warning = |code, what, repair| finding(code, Severity::Warning, what, Some(repair));
    match found {
        F::BrokenObject { id, why, .. } => {
            problem(Code::BrokenObject, say!(lang, object_is_damaged(id, why = why.say(lang))), Some(elsewhere(lang)))
        }
        F::BrokenPack { name, why } => {
            let repair = say!(lang, put_it_aside_keep_what_is).to_owned();
            problem(Code::BrokenPack, say!(lang, is_damaged(name, why = why.say(lang))), Some(repair))
        }
        F::MissingObject { id, needed_for } => {
            let needed_for = needer(needed_for, lang);
            let repair = say!(lang, take_it_from_work_tree_draft).to_owned();
            problem(Code::MissingObject, say!(lang, object_is_missing(id, needed_for)), Some(repair))
        }
        F::LostBranch { name, at, last_whole } => lost_branch(name, at, *last_whole, lang),
        F::StrayLock { path, age, users, ours } => {
            let (what, can_go) = lock(path, age.unwrap_or(0), users, *ours, lang);
            let aside = || say!(lang, put_it_aside_make_sure_no).to_owned();
            finding(Code::StrayLock, Severity::Warning, what, can_go.then(aside))
        }
        F::WrongTag { name, .. } => {
            warning(Code::WrongTag, say!(lang, tag_is_wrong(name)), say!(lang, make_tags_what_commits_say).to_owned())
        }
        F::WrongSetting { name, should } => {
            warning(Code::WrongSetting, say!(lang, gits_setting_should_be(name, should)), say!(lang, set_it).to_owned())
        }
        F::NotExcluded => warning(
            Code::NotExcluded,
            say!(lang, staging_is_not_ignored_by_git).to_owned(),
            say!(lang, write_it_to_git_info_exclude).to_owned(),
        ),
        F::Unfinished { what } => {
            let repair = say!(lang, finish_it_so_does_next_command).to_owned();
            let interrupted = |what| say!(lang, interrupted_command_left_something_to_finish(what));
            let what = match what {
                UnfinishedThing::Transaction => interrupted(say!(lang, unfinished_transaction)),
                UnfinishedThing::Draft => interrupted(say!(lang, unfinished_draft)),
                UnfinishedThing::Staging => say!(lang, staging_differs_from_draft).to_owned(),
            };
            finding(Code::Unfinished, Severity::Note, what, Some(repair))
        }
        F::NullEntry { path } => {
            let repair = say!(lang, take_entry_from_last_commit).to_owned();
            problem(Code::NullEntry, say!(lang, index_entry_is_null(path)), Some(repair))
        }
        F::BadIndex => problem(
            Code::BadIndex,
            say!(lang, gits_index_is_missing_or_cannot).to_owned(),
            Some(say!(lang, make_it_again_from_last_commit).to_owned()),
        ),
    }
}

fn elsewhere(lang: Lang) -> String {
    say!(lang, put_it_aside_and_take_object).to_owned()
}

fn lost_branch(name: &str, at: &str, last_whole: Option<CommitId>, lang: Lang) -> Finding {
    let what = say!(lang, branch_names_commit_which_cannot_be(name, at));
    let repair = match last_whole.map(|commit| commit.short()) {
        Some(commit) => say!(lang, take_it_from_remote_failing_that(commit)),
        None => say!(lang, take_it_from_remote).to_owned(),
    };
    finding(Code::LostBranch, Severity::Problem, what, Some(repair))
}

/// The words for a lock, and whether it can be put aside.
fn lock(path: &Path, age: i64, users: &[Process], ours: bool, lang: Lang) -> (String, bool) {
    let path = path.display();
    match users.first() {
        _ if ours => (say!(lang, interrupted_novel_has_left(path)), true),
        Some(Process { pid, command }) => (say!(lang, lock_may_be_held_by_process(path, command, pid)), false),
        None if age < OLD_LOCK => (say!(lang, lock_is_seconds_old_and_its(path, age)), false),
        None => (say!(lang, lock_is_there_seconds_old(path, age)), true),
    }
}

/// The author's unfinished merge, rebase or the like, by the git command that began it.
pub fn of_unfinished(command: &str, lang: Lang) -> Finding {
    finding(Code::InProgress, Severity::Warning, say!(lang, git_of_yours_is_not_finished(command)), None)
}

/// Why nothing could be written now, in the words of the refusal.
pub fn of_obstacle(obstacle: &NotWritable, words: String) -> Finding {
    let code = match obstacle {
        NotWritable::InProgress { .. } => Code::InProgress,
        NotWritable::LeftOut { .. } => Code::LeftOut,
        NotWritable::Detached { .. } | NotWritable::OtherBranch { .. } | NotWritable::Filtered { .. } => {
            Code::NotWritable
        }
    };
    finding(code, Severity::Problem, words, None)
}

/// A history that is cut, as in a shallow clone.
pub fn of_cut_history(lang: Lang) -> Finding {
    finding(Code::Shallow, Severity::Note, say!(lang, history_is_cut).to_owned(), None)
}

/// Chapters that the author has moved, with the records of others.
pub fn of_rearranged(said: &str, ways: &[&str]) -> Finding {
    finding(Code::Rearranged, Severity::Warning, said.to_owned(), ways.first().map(|way| (*way).to_owned()))
}

/// Lost objects, with the things that need them and the newest intact commit.
pub fn of_lost_content(needed_for: &[NeededFor], whole: Option<&(CommitId, String)>, lang: Lang) -> Finding {
    const NAMED: usize = 5;
    let first = needed_for.iter().take(NAMED).map(|needed_for| needer(needed_for, lang));
    let mut named = first.collect::<Vec<_>>().join(say!(lang, list_comma));
    let more = needed_for.len().saturating_sub(NAMED);
    if more > 0 {
        named.push_str(&say!(lang, repository_and_more(more)));
    }
    let what = match whole {
        Some((commit, subject)) => say!(lang, not_to_be_had_here_newest(named, commit = commit.short(), subject)),
        None => say!(lang, not_to_be_had_here_no(named)),
    };
    let repair = say!(lang, take_it_from_another_copy_or).to_owned();
    finding(Code::LostContent, Severity::Problem, what, Some(repair))
}

fn needer(needed_for: &NeededFor, lang: Lang) -> String {
    match needed_for {
        NeededFor::History => say!(lang, needed_for_history).to_owned(),
        NeededFor::Folder(path, commit) => say!(lang, needed_for_folder(path, commit = commit.short())),
        NeededFor::File(path, commit) => say!(lang, needed_for_file(path, commit = commit.short())),
        NeededFor::Ref(name) => name.clone(),
    }
}

impl Words for ObjectFault {}
