//! Failures of moving to another point of the history or to another branch.

use super::Failure;
use crate::pipeline::engine::error::{HistoryError, LineError};
use crate::report::prelude::*;

impl From<HistoryError> for Failure {
    fn from(error: HistoryError) -> Self {
        let no = Self::no;
        match error {
            HistoryError::NoChapterIn(volume) => {
                no(both!(has_no_accepted_chapter(volume))).hint(both!(novel_log_kind_chapter_lists_chapters))
            }
            HistoryError::NotOnLine(name) => no(both!(books_line_has_no(name))),
            HistoryError::NothingToStay(path) => Self::usage(both!(there_is_no_to_keep_neither(path))),
            HistoryError::FollowsFromChapters(path) => no(both!(follows_from_chapters_and_cannot_stay(path))),
            HistoryError::FewerSteps { possible, wanted } => no(both!(there_are_steps_and_not(possible, wanted))),
            HistoryError::Uncommitted { paths } => {
                let message = both!(lang, there_are_uncommitted_changes_of_yours(list = listed(&paths, lang)));
                no(message).hint(both!(commit_them_first_git_commit_or))
            }
            HistoryError::NothingKept(name) => no(both!(nothing_kept_is_called(name))),
            HistoryError::CallsNotKept { chapter, keep } => no(both!(calls_are_no_longer_kept(chapter, keep))),
            HistoryError::CallsNotHere(name) => no(both!(calls_are_not_in_this_copy(name))),
            HistoryError::SeveralKept { name, found } => {
                let failure = no(both!(there_are_several_of_say_which(name)));
                found.into_iter().fold(failure, |failure, one| failure.hint(both!(novel_restore(one))))
            }
            HistoryError::OtherNumber { kept, chapter, now: Some(now) } => {
                no(both!(kept_text_is_of_other_number(chapter, now))).hint(both!(look_at_kept_text(kept)))
            }
            HistoryError::OtherNumber { kept, chapter, now: None } => {
                no(both!(kept_text_is_of_no_chapter(chapter))).hint(both!(look_at_kept_text(kept)))
            }
            HistoryError::TooFarAhead { chapter, next } => no(both!(cannot_come_back_next_chapter_is(chapter, next))),
        }
    }
}

impl From<LineError> for Failure {
    fn from(error: LineError) -> Self {
        let no = Self::no;
        match error {
            LineError::OtherLine(work) => no(both!(this_draft_of_goes_on_from(work))),
            LineError::NotALineName(name) => Self::usage(both!(cannot_be_name_of_branch(name))),
            LineError::LineThere(name) => no(both!(there_is_branch_already(name))),
            LineError::NoSuchLine(name) => {
                no(both!(book_has_no_branch(name))).hint(both!(novel_branch_list_lists_lines))
            }
            LineError::LineInUse { line, main } if line == main => {
                no(both!(is_main_line(line))).hint(both!(novel_branch_list_lists_lines))
            }
            LineError::LineInUse { line, main } => {
                no(both!(book_is_on(line))).hint(both!(first_novel_branch_switch(main)))
            }
            LineError::NotOnMainLine { main } => {
                no(both!(book_is_not_on_its_main(main))).hint(both!(first_novel_branch_switch(main)))
            }
            LineError::InFlight(chapter) => no(both!(is_being_written_as_one_draft(chapter))),
            LineError::NoSuchCandidate { chapter, number } => no(both!(has_no_candidate(chapter, number))),
            LineError::CandidatesWait { chapter, count } => {
                Self::decide(both!(has_candidates_to_choose_from(chapter, count)))
            }
        }
    }
}
