//! Findings of the content, in words.

use crate::llm::Fault;
use crate::pipeline::checks::diagnose::ProviderProblem;
use crate::pipeline::checks::story::BookProblem;
use crate::pipeline::workflow::FileFault;
use crate::report::doctor::{Code, Finding, Severity};
use crate::report::findings::finding;
use crate::report::prelude::*;
use crate::report::{problem, reply};
use crate::store::format::{FormatError, Problem};
use crate::store::layout::{self, BookPath};
use crate::store::{Block, Obstruction, StrayCopy};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    Made,
    Open,
}

/// A finding of the content. After a repair it gives no advice.
pub fn of_content(found: &BookProblem, state: Repair, lang: Lang) -> Finding {
    let (code, what, repair) = said(found, lang);
    let repaired = state == Repair::Made;
    let what = repaired.then(|| past(found, lang)).flatten().unwrap_or(what);
    let severity = match found {
        BookProblem::NoDelta { .. } | BookProblem::Outdated { .. } => Severity::Note,
        _ if found.is_harmless() => Severity::Warning,
        _ => Severity::Problem,
    };
    Finding { repaired, ..finding(code, severity, what, repair) }
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
        BookProblem::Gap { chapter, whole_in } => {
            (Code::Gap, say!(lang, is_missing_from_book_if_that(chapter)), whole_in.map(|_| from_history()))
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
    if let (Block::Untracked, Some(BookPath::Chapter(..))) = (found.block, layout::classify(&found.path)) {
        let own = problem::to_make_it_chapter(found, lang);
        repair = [own, repair].join(say!(lang, clause_semicolon));
    }
    (Code::InTheWay, say!(lang, hooks_path_what(path, what)), is_curable.then_some(repair))
}

pub fn of_provider(found: &ProviderProblem, lang: Lang) -> Finding {
    match found {
        ProviderProblem::Silent { provider, fault } => finding(
            Code::ProviderSilent,
            Severity::Problem,
            say!(lang, does_not_answer(provider, fault = reply::of_fault(fault, lang))),
            Some(say!(lang, check_network_proxy_and_address_novel).to_owned()),
        ),
        ProviderProblem::KeyRefused { provider, fault } => {
            // Another key does not fill an account.
            let repair = match fault {
                Fault::Billing { .. } | Fault::SpendLimit { .. } => say!(lang, look_at_your_account_on_providers),
                _ => say!(lang, copy_key_from_providers_site_again_novel),
            };
            let fault = reply::of_fault(fault, lang);
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
pub fn of_setup(what: &str, hints: &[&str], lang: Lang) -> Finding {
    let repair = hints.join(say!(lang, clause_semicolon));
    finding(Code::ProviderNotSetUp, Severity::Warning, what.to_owned(), Some(repair).filter(|text| !text.is_empty()))
}

pub fn of_memory_server(what: &str, hints: &[&str], lang: Lang) -> Finding {
    let repair = hints.join(say!(lang, clause_semicolon));
    finding(Code::MemoryServer, Severity::Problem, what.to_owned(), Some(repair).filter(|text| !text.is_empty()))
}
