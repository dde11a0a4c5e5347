//! Failures about things that a command names: facts, findings to waive, people to rename.

use super::Failure;
use crate::commands::cli::exit::Exit;
use crate::domain::chapter::waiver::FindingId;
use crate::domain::state::history::subjects::Unresolved;
use crate::pipeline::book::facts::FactError;
use crate::pipeline::engine::error::{RenameError, WaiverError};
use crate::report::prelude::*;
use crate::report::renaming;
use crate::text::consistency::Sort;

impl From<FactError> for Failure {
    fn from(error: FactError) -> Self {
        match error {
            FactError::Run(error) => error.into(),
            FactError::Unresolved(Unresolved::Unknown(fact)) | FactError::NeverNoted { fact, nearest: None } => {
                Self::no(both!(book_has_never_noted(fact))).hint(both!(what_is_noted_novel_state_plot))
            }
            FactError::NeverNoted { fact, nearest } => Self::no(both!(book_has_never_noted(fact))).meant(nearest),
            FactError::NoForeshadowing { typed, nearest: None } => {
                Self::no(both!(there_is_no_foreshadowing(typed))).hint(both!(novel_foreshadow_lists_them))
            }
            FactError::NoForeshadowing { typed, nearest } => {
                Self::no(both!(there_is_no_foreshadowing(typed))).meant(nearest)
            }
            FactError::Unresolved(Unresolved::Ambiguous { name, paths }) => {
                Self::new(Exit::Usage, both!(stands_for_several_things(name)))
                    .hint(both!(lang, write_which_one(paths = paths.join(&format!("`{}`", say!(lang, list_comma))))))
            }
        }
    }
}

impl From<WaiverError> for Failure {
    fn from(error: WaiverError) -> Self {
        let no = Self::no;
        match error {
            WaiverError::UnknownCheck(finding) => {
                let check = &finding.check;
                let known = Both::of(|lang| {
                    let sorts = listed(Sort::ALL.iter().map(|sort| sort.as_str()), lang);
                    say!(lang, checks(sorts))
                });
                no(both!(book_has_neither_check_nor_rule(check))).hint(known).hint(both!(rules_have_their_ids_in_world))
            }
            WaiverError::RuleOfBook(finding) => no(both!(cannot_be_waived_for_whole_book(rule = &finding.check))),
            WaiverError::Subject { finding, wanted: true } => no(both!(does_not_say_about_whom_or(finding))),
            WaiverError::Subject { finding, wanted: false } => {
                let whole = FindingId { subject: String::new(), ..finding.clone() };
                no(both!(has_part_too_many(finding))).hint(both!(write(whole)))
            }
            WaiverError::NotFound { finding, found } => {
                let failure = no(both!(there_is_no_finding(finding)));
                if found.is_empty() {
                    return failure.hint(both!(nothing_in_chapter_contradicts_records));
                }
                found.into_iter().fold(failure, |failure, one| failure.hint(both!(chapter_has(one))))
            }
            WaiverError::NotWaived(finding) => no(both!(is_not_waived(finding))),
        }
    }
}

impl From<RenameError> for Failure {
    fn from(error: RenameError) -> Self {
        let no = Self::no;
        match error {
            RenameError::DraftOpen(work) => {
                no(both!(draft_has_old_name(work))).hint(both!(finish_or_put_aside_draft_first))
            }
            RenameError::Taken { name, by } => {
                no(both!(name_is_taken(name, by))).hint(both!(novel_character_list_lists_them))
            }
            RenameError::StillUsed { name, by, is, path } => no(both!(earlier_name_is_still_used(name, is, path)))
                .hint(both!(let_files_follow_first(command = renaming::command((by.as_str(), &is), " --in-chapters")))),
            RenameError::Clash(clash) => no(Both::of(|lang| renaming::clash(&clash, lang)))
                .hint(Both::of(|lang| renaming::out_of_clash(&clash, lang))),
            RenameError::NoAlias { name, aliases } => {
                no(both!(lang, person_has_no_such_alias(name, aliases = listed(aliases.iter(), lang))))
            }
        }
    }
}
