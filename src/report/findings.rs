//! The findings of `novel doctor`: for each a stable name, an explanation and words. `docs/doctor.md` has the same
//! names and explanations; a test compares them.

use crate::llm::Fault;
use crate::pipeline::checks::diagnose::ProviderProblem;
use crate::pipeline::checks::story::BookProblem;
use crate::pipeline::workflow::FileFault;
use crate::report::doctor::{Code, DoctorFinding, Severity};
use crate::report::prelude::*;
use crate::report::{faults, problem};
use crate::store::format::{FormatError, Problem};
use crate::store::layout::{self, BookPath};
use crate::store::{
    self, CommitId, NeededFor, NotWritable, OLD_LOCK, ObjectFault, Obstacle, Obstruction, Process, StrayCopy,
    UnfinishedThing,
};
use std::path::Path;

fn finding(code: Code, severity: Severity, what: String, repair: Option<String>) -> DoctorFinding {
    DoctorFinding { code, severity, what, repair, repaired: false }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    Made,
    Open,
}

/// A finding of the content. After a repair it gives no advice.
pub fn of_content(found: &BookProblem, state: Repair, lang: Lang) -> DoctorFinding {
    let (code, what, repair) = said(found, lang);
    let repaired = state == Repair::Made;
    let what = repaired.then(|| past(found, lang)).flatten().unwrap_or(what);
    let severity = match found {
        BookProblem::NoDelta { .. } | BookProblem::Outdated { .. } => Severity::Note,
        _ if found.is_harmless() => Severity::Warning,
        _ => Severity::Problem,
    };
    DoctorFinding { repaired, ..finding(code, severity, what, repair) }
}

/// The words after a repair; `None` where they stay.
fn past(found: &BookProblem, lang: Lang) -> Option<String> {
    match found {
        BookProblem::Gap { chapter, .. } => Some(say!(lang, was_missing_from_book(chapter))),
        BookProblem::BrokenEdit { path, error } => {
            Some(say!(lang, content_path_error(path, error = problem::of_format(error, lang))))
        }
        _ => None,
    }
}

/// A code, the words, and the effect of a repair.
type Said = (Code, String, Option<String>);

fn said(found: &BookProblem, lang: Lang) -> Said {
    let from_history = || say!(lang, bring_last_whole_version_back_from).to_owned();
    match found {
        BookProblem::BadFile { path, error, whole_in, .. } => {
            let repair = if is_encoding(error) { say!(lang, convert_it_to_utf).to_owned() } else { from_history() };
            let error = problem::of_format(error, lang);
            (Code::BadFile, say!(lang, content_path_error(path, error)), whole_in.map(|_| repair))
        }
        BookProblem::BrokenEdit { path, error } => broken_edit(path, error, found.is_curable(), lang),
        BookProblem::Deleted { path } => {
            (Code::Deleted, say!(lang, is_deleted(path)), Some(say!(lang, put_it_back_from_last_commit).to_owned()))
        }
        BookProblem::Gone { path, whole_in, .. } => {
            let what = say!(lang, last_commit_lacks_has_it(path, commit = whole_in.short()));
            let asked = || say!(lang, to_bring_it_back_novel_doctor_repair_yes).to_owned();
            (Code::Gone, what, Some(if found.is_asked_about() { asked() } else { from_history() }))
        }
        BookProblem::InTheWay(there) => in_the_way(there, found.is_curable(), lang),
        BookProblem::Missing { chapter, path, .. } => {
            (Code::MissingFile, say!(lang, lacks(chapter, path)), Some(from_history()))
        }
        BookProblem::Gap { chapter, .. } => {
            let repair = found.is_curable().then(from_history);
            (Code::Gap, say!(lang, is_missing_from_book_if_that(chapter)), repair)
        }
        BookProblem::NoDelta { chapter } => (Code::NoDelta, say!(lang, has_no_summary_and_no_delta(chapter)), None),
        BookProblem::Outdated { chapter } => {
            (Code::Outdated, say!(lang, has_been_edited_and_its_summary(chapter)), None)
        }
        BookProblem::SameTitle(a, b) => (Code::SameTitle, say!(lang, and_have_same_title(a, b)), None),
        BookProblem::SameText { one: a, other: b, earlier } => {
            let repair = earlier.as_ref().map(|(chapter, _)| say!(lang, to_bring_back_text_before(chapter)));
            (Code::SameText, say!(lang, and_have_same_text(a, b)), repair)
        }
        BookProblem::Refused(file) => {
            let (path, error) = (&file.path, problem::of_fault(&file.fault, lang));
            let is_named = matches!(file.fault, FileFault::Prompt(_));
            (Code::BadFile, if is_named { error } else { say!(lang, content_path_error(path, error)) }, None)
        }
        BookProblem::UnknownLine { line, nearest, chapters } => {
            let list = words::chapters(chapters, lang);
            let nearest = nearest.as_ref().map(|nearest| say!(lang, content_did_you_mean(nearest))).unwrap_or_default();
            (Code::UnknownStoryline, say!(lang, chapters_on_unknown_line(list, line, nearest)), None)
        }
        BookProblem::SameName { name, files } => {
            (Code::SameName, say!(lang, several_have_name(name, files = words::listed(files, lang))), None)
        }
        BookProblem::PlansBehind { volume, things } => {
            (Code::PlansBehind, say!(lang, plans_behind(volume, things)), None)
        }
        BookProblem::StrayCopy(copy) => (Code::StrayCopy, stray_copy(copy, lang), None),
        BookProblem::StateDiffers { chapter, path } => state_differs(*chapter, path, lang),
        BookProblem::CheckpointDiffers { says, is } => checkpoint_differs(*says, *is, lang),
    }
}

fn stray_copy(copy: &StrayCopy, lang: Lang) -> String {
    let path = &copy.path;
    match &copy.of {
        Some(of) if of.rsplit('/').next() == path.rsplit('/').next() => say!(lang, stray_copy_of_chapter(path, of)),
        Some(of) => say!(lang, stray_copy_of(path, of)),
        None if path.starts_with(layout::CHAPTERS) => say!(lang, stray_text(path)),
        None if path.starts_with(".git") => say!(lang, stray_in_git(path)),
        None => say!(lang, stray_copy_alone(path)),
    }
}

fn state_differs(chapter: Option<ChapterNo>, path: &str, lang: Lang) -> Said {
    let what = match chapter {
        Some(chapter) => say!(lang, from_on_is_not_what_replaying(chapter, path)),
        None if path.starts_with(layout::DELTAS) => say!(lang, names_other_state_version(path)),
        None => say!(lang, is_not_what_replaying_chapters_gives(path)),
    };
    (Code::StateDiffers, what, Some(say!(lang, make_it_what_replay_gives).to_owned()))
}

fn checkpoint_differs((says, recorded): (u32, u32), (is, count): (u32, u32), lang: Lang) -> Said {
    let what = match says == is {
        true => say!(lang, checkpoint_records_other_count(recorded, count)),
        false => say!(lang, checkpoint_says_that_chapters_end_with(recorded, says, count, is)),
    };
    (Code::CheckpointDiffers, what, Some(say!(lang, derive_it_from_chapters).to_owned()))
}

fn broken_edit(path: &str, error: &FormatError, is_curable: bool, lang: Lang) -> Said {
    let repair = if is_encoding(error) { say!(lang, convert_it_to_utf) } else { say!(lang, keep_it_aside_and_go_back) };
    let error = problem::of_format(error, lang);
    (Code::BrokenEdit, say!(lang, change_that_is_not_committed_you(path, error)), is_curable.then(|| repair.to_owned()))
}

/// True when only the encoding of the text is wrong.
fn is_encoding(error: &FormatError) -> bool {
    matches!(error.problem, Problem::Encoding(_))
}

fn in_the_way(found: &Obstruction, is_curable: bool, lang: Lang) -> Said {
    let (path, what) = (found.full.display(), problem::of_obstruction(found, lang));
    let mut repair = say!(lang, put_real_thing_there_and_keep).to_owned();
    if let (Obstacle::Untracked, Some(BookPath::Chapter(..))) = (found.block, layout::classify(&found.path)) {
        let own = problem::to_make_it_chapter(found, lang);
        repair = [own, repair].join(say!(lang, clause_semicolon));
    }
    (Code::InTheWay, say!(lang, hooks_path_what(path, what)), is_curable.then_some(repair))
}

pub fn of_provider(found: &ProviderProblem, lang: Lang) -> DoctorFinding {
    match found {
        ProviderProblem::Silent { provider, fault } => finding(
            Code::ProviderSilent,
            Severity::Problem,
            say!(lang, does_not_answer(provider, fault = faults::of_fault(fault, lang))),
            Some(say!(lang, check_network_proxy_and_address_novel).to_owned()),
        ),
        ProviderProblem::KeyRefused { provider, fault } => {
            // Another key does not fill an account.
            let repair = match fault {
                Fault::Billing { .. } | Fault::SpendLimit { .. } => say!(lang, look_at_your_account_on_providers),
                _ => say!(lang, copy_key_from_providers_site_again_novel),
            };
            let fault = faults::of_fault(fault, lang);
            let what = say!(lang, provider_provider_fault(provider, fault));
            finding(Code::KeyRefused, Severity::Problem, what, Some(repair.to_owned()))
        }
        ProviderProblem::NotListed { provider } => {
            finding(Code::ModelsNotListed, Severity::Note, say!(lang, answers_and_does_not_list_its(provider)), None)
        }
        ProviderProblem::UnknownModel { provider, model, near } => {
            let repair = match near {
                None => say!(lang, choose_another_novel_config_set_model).to_owned(),
                Some(near) => say!(lang, is_meant_novel_config_set_model(near)),
            };
            finding(Code::ModelUnknown, Severity::Problem, say!(lang, has_no_model(provider, model)), Some(repair))
        }
    }
}

/// Why no model can be called, and what to do.
pub fn of_setup(what: &str, hints: &[&str], lang: Lang) -> DoctorFinding {
    let repair = hints.join(say!(lang, clause_semicolon));
    finding(Code::ProviderNotSetUp, Severity::Warning, what.to_owned(), Some(repair).filter(|text| !text.is_empty()))
}

pub fn of_memory_server(what: &str, hints: &[&str], lang: Lang) -> DoctorFinding {
    let repair = hints.join(say!(lang, clause_semicolon));
    finding(Code::MemoryServer, Severity::Problem, what.to_owned(), Some(repair).filter(|text| !text.is_empty()))
}

pub fn of_repository(found: &store::RepoFinding, lang: Lang) -> DoctorFinding {
    use store::RepoFinding as F;
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

fn lost_branch(name: &str, at: &str, last_whole: Option<CommitId>, lang: Lang) -> DoctorFinding {
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
pub fn of_unfinished(command: &str, lang: Lang) -> DoctorFinding {
    finding(Code::InProgress, Severity::Warning, say!(lang, git_of_yours_is_not_finished(command)), None)
}

/// Why nothing could be written now, in the words of the refusal.
pub fn of_obstacle(obstacle: &NotWritable, words: String) -> DoctorFinding {
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
pub fn of_cut_history(lang: Lang) -> DoctorFinding {
    finding(Code::Shallow, Severity::Note, say!(lang, history_is_cut).to_owned(), None)
}

/// Chapters that the author has moved, with the records of others.
pub fn of_rearranged(said: &str, ways: &[&str]) -> DoctorFinding {
    finding(Code::Rearranged, Severity::Warning, said.to_owned(), ways.first().map(|way| (*way).to_owned()))
}

/// Lost objects, with the things that need them and the newest intact commit.
pub fn of_lost_content(needed_for: &[NeededFor], whole: Option<&(CommitId, String)>, lang: Lang) -> DoctorFinding {
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
