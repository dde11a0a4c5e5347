//! Failures of the store, and about things that a command names: facts, findings to waive, people to rename.
//! Failures of moving to another point of the history or to another branch.

use crate::commands::cli::failure::again;
use crate::commands::prelude::*;
use crate::domain::chapter::FindingId;
use crate::domain::state::history::fact::Unresolved;
use crate::domain::world::retirement::Blocker;
use crate::pipeline::book::facts::FactError;
use crate::pipeline::engine::error::{HistoryError, LineError, RenameError, WaiverError};
use crate::report::hooks::LINE_OF_OTHERS;
use crate::report::prelude::*;
use crate::report::{problem, renaming};
use crate::store::{
    BeginError, Busy, CommitError, CommitSource, DraftError, FaultClass, GitFeature, HooksError, HooksFolder,
    HooksPlace, InitError, NotWritable, OLD_LOCK, OpenError, Process, RepairError, RollbackError, StoreError,
    Unfiltered, UnmergedHead, is_line_name, way_to_leave,
};
use crate::text::consistency::Sort;
use std::error::Error;
use std::io;

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        let set_up = Self::set_up;
        match &error {
            OpenError::NoFolder(at) => {
                set_up(both!(folder_does_not_exist(at = at.display(), quoted = quoted(at.display()))))
            }
            OpenError::NoRepository(at) => set_up(both!(store_is_not_in_book_at(at = at.display()))),
            OpenError::NotABook(at) => {
                let at = quoted(at.display());
                set_up(both!(repository_at_is_not_book(at)))
            }
            OpenError::OtherBranch(at, branch) => {
                let (at, branch) = (quoted(at.display()), quoted(branch));
                set_up(both!(branch_checked_out_is_no_book(at, branch)))
            }
            OpenError::NoBranch(at) => set_up(both!(book_has_no_branch_here(at = at.display()))),
            OpenError::Unfinished(at) => set_up(both!(novel_init_was_interrupted_at(at = at.display()))),
            OpenError::Bare(at) => {
                let at = quoted(at.display());
                set_up(both!(repository_at_has_no_work_tree(at)))
            }
            OpenError::Unsupported { root, feature } => {
                let (feature, remedy) = unsupported(*feature);
                let message =
                    both!(lang, repository_at_uses_what_novel_cannot(at = root.display(), feature = feature.get(lang)));
                set_up(message).hint(remedy)
            }
            OpenError::ForeignOwner(at) => set_up(both!(belongs_to_another_user(at = at.display()))),
            OpenError::Store(_) => match error {
                OpenError::Store(inner) => inner.into(),
                other => Self::from_store(&other),
            },
        }
    }
}

/// An unsupported feature of git, and the way out.
fn unsupported(feature: GitFeature) -> (Both, Both) {
    match feature {
        GitFeature::RefStorage => (both!(ref_storage_is_not_files), both!(migrate_refs_to_files)),
        GitFeature::Sha256 => (both!(object_format_is_sha), both!(make_new_book_and_bring_chapters)),
        GitFeature::PartialClone => (both!(clone_is_partial), both!(fetch_all_or_clone_again)),
        GitFeature::SplitIndex => (both!(index_is_split), both!(join_split_index)),
        GitFeature::SparseIndex => (both!(index_is_sparse), both!(expand_sparse_index)),
    }
}

/// Why doctor left something unrepaired.
impl From<RepairError> for Failure {
    fn from(error: RepairError) -> Self {
        match error {
            RepairError::Begin(error) => error.into(),
            RepairError::Open(error) => error.into(),
            RepairError::Store(error) => error.into(),
            RepairError::LockInUse { path, user } => {
                let (path, Process { pid, command }) = (path.display(), user);
                Self::busy(both!(may_be_held_by_process_and(path, command, pid)))
            }
            RepairError::LockTooNew { path, age } => Self::busy(both!(is_seconds_old_and_its_git(
                path = path.display(),
                age,
                left = (OLD_LOCK - age).max(1)
            ))),
            RepairError::NotHere(what) => Self::no(both!(is_nowhere_in_this_folder(what))),
        }
    }
}

impl From<BeginError> for Failure {
    fn from(error: BeginError) -> Self {
        match error {
            BeginError::Busy(busy) => busy.into(),
            BeginError::NotWritable(state) => state.into(),
            BeginError::IndexBusy(busy) => Self::locked(&busy.path, &busy.users),
            BeginError::Store(error) => error.into(),
        }
    }
}

impl From<Busy> for Failure {
    fn from(busy: Busy) -> Self {
        let Busy { pid, host, what, .. } = &busy;
        Self::busy(both!(somebody_is_writing_in_this_book(what, pid, host)))
    }
}

impl From<NotWritable> for Failure {
    fn from(state: NotWritable) -> Self {
        let told = Self::set_up;
        match &state {
            NotWritable::Detached { branch, ahead: None } => {
                told(both!(commit_is_checked_out_and_no)).hint(both!(git_switch(branch)))
            }
            NotWritable::Detached { branch, ahead: Some(UnmergedHead { commits, .. }) } => {
                told(both!(commit_ahead_is_checked_out(commits, branch, way = state.way_out())))
            }
            NotWritable::LeftOut { path } => told(both!(sparse_checkout_leaves_out(path))),
            NotWritable::OtherBranch { found, branch } => {
                let failure =
                    told(both!(branch_is_checked_out_and_books(found, branch))).hint(both!(git_switch(branch)));
                // The book cannot continue on a draft's branch.
                if is_line_name(found) { failure.hint(both!(or_go_on_with_this_one(found))) } else { failure }
            }
            NotWritable::Filtered { path, filter, file } => {
                // An encoding comes with the name of its attribute.
                let attribute = if filter.contains('=') { filter.clone() } else { format!("filter={filter}") };
                told(both!(passes_through_git_filter_which_novel(path, filter, attribute, file)))
            }
            NotWritable::InProgress { what } => told(both!(git_is_in_progress(what, leave = way_to_leave(what)))),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::DiskFull { .. } => Self::set_up(both!(disk_is_full_book_is_whole))
                .because(&error)
                .hint(both!(make_room_then_run_same_command)),
            StoreError::Io { path, source, .. }
                if matches!(source.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) =>
            {
                Self::set_up(both!(there_is_no_permission_to_write(path = path.display())))
                    .because(source)
                    .hint(both!(look_at_folders_permissions_and_owner))
            }
            error if error.fault().class == FaultClass::Failing => {
                let told = both!(disk_fails_book_is_at_its);
                Self::set_up(told).because(error).hint(both!(look_at_disk_or_network_drive)).hint(again())
            }
            StoreError::Keys { place, files } => keys(*place, files),
            StoreError::TooDeep { folder } => Self::set_up(both!(folders_are_nested_too_deeply(folder))),
            StoreError::Git { .. } | StoreError::Io { .. } | StoreError::BadPath(_) | StoreError::Damaged { .. } => {
                Self::from_store(&error)
            }
        }
    }
}

/// A commit that was not made because of the keys in its files.
fn keys(place: CommitSource, files: &[(String, usize)]) -> Failure {
    let lines = files.iter().map(|(path, line)| both!(line_key(path, line)));
    let failure = Failure::no(both!(nothing_was_committed_key)).causes(lines.collect());
    let paths: BTreeSet<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    let list = |root: &str| {
        let below = paths.iter().map(|path| quoted(path.strip_prefix(root).unwrap_or(path)));
        below.collect::<Vec<_>>().join(" ")
    };
    let (paths, git) = match place {
        CommitSource::Index => {
            return failure.hint(both!(staged_version_has_key(paths = list(""))));
        }
        CommitSource::Folder => (list(""), "git".to_owned()),
        CommitSource::Linked(folder) => (list(&format!("{folder}/")), format!("git -C {folder}")),
    };
    failure.hint(both!(remove_key_and_keep_it_in)).hint(both!(no_key_commit_it_yourself(git, paths)))
}

impl Failure {
    pub(super) fn from_store(error: &(dyn Error + 'static)) -> Self {
        Self::set_up(both!(book_cannot_be_read_or_written)).because(error).hint(both!(novel_doctor_says_what_is_wrong))
    }

    /// Something is still needed by the story: every reason with its place, and what to do first.
    pub(super) fn needed(message: Both, ties: &[Blocker]) -> Self {
        let failure = Self::no(message);
        let failure = ties.iter().map(|tie| Both::of(|lang| problem::of_tie(tie, lang))).fold(failure, Self::cause);
        let mut hints: Vec<Both> = Vec::new();
        for tie in ties {
            let hint = match tie {
                Blocker::Foreshadowing { id, .. } => both!(resolve_foreshadowing_in_chapter_first_put(id)),
                Blocker::PointOfView { line, draft: None, .. } => both!(novel_storyline_end_first_or_give(line)),
                Blocker::Shared { .. } => both!(end_what_is_left_of_these),
                Blocker::PointOfView { draft: Some(_), .. }
                | Blocker::Meeting { waiting: true, .. }
                | Blocker::Chapters { waiting: true, .. } => both!(change_plan_that_waits_then_novel),
                Blocker::Change { .. } => both!(decide_on_change_first),
                Blocker::Meeting { .. } | Blocker::Chapters { .. } => both!(write_these_chapters_first_novel_continue),
            };
            if !hints.contains(&hint) {
                hints.push(hint);
            }
        }
        hints.into_iter().fold(failure, Self::hint)
    }

    pub(super) fn locked(lock: &Path, users: &[Process]) -> Self {
        let failure =
            Self::busy(both!(another_git_is_using_this_book)).cause(both!(lock_is_there(lock = lock.display())));
        let told = |failure: Self, user: &Process| {
            let Process { pid, command } = user;
            failure.cause(both!(at_work_process(command, pid)))
        };
        users.iter().fold(failure, told).hint(both!(close_it_open_commit_editor_say)).hint(both!(if_no_git_is_at_work))
    }
}

/// Failures of a transaction, which change nothing.
impl From<CommitError> for Failure {
    fn from(error: CommitError) -> Self {
        match &error {
            CommitError::Store(_) => match error {
                CommitError::Store(inner) => inner.into(),
                other => Self::from_store(&other),
            },
            CommitError::Moved { .. } => Self::busy(both!(book_has_moved_on_meanwhile)).because(&error).hint(again()),
            CommitError::AuthorEdited { paths } => {
                let message = both!(lang, you_are_changing(list = listed(paths, lang)));
                Self::busy(message).hint(both!(save_then_run_again_your_changes))
            }
            CommitError::Unfiltered(Unfiltered { path, filter, is_edited: true }) => {
                Self::busy(both!(filtered_file_has_edits(path, filter)))
            }
            CommitError::Unfiltered(Unfiltered { path, filter, is_edited: false }) => {
                Self::set_up(both!(git_cannot_run_filter(path, filter)))
            }
            CommitError::NotWritable(state) => state.clone().into(),
            CommitError::IndexBusy(busy) => Self::locked(&busy.path, &busy.users),
            CommitError::RefBusy(lock) => Self::locked(lock, &[]),
            CommitError::Unmerged => Self::set_up(both!(merge_has_left_conflicts)),
        }
    }
}

impl From<DraftError> for Failure {
    fn from(error: DraftError) -> Self {
        match error {
            DraftError::Occupied(at) => {
                Self::set_up(both!(is_in_way_drafts_are_shown(at = at.display()))).hint(both!(move_it_elsewhere))
            }
            DraftError::Moved { .. } => Self::busy(both!(draft_has_moved_on_in_staging)).because(&error).hint(again()),
            DraftError::Store(error) => error.into(),
        }
    }
}

impl From<InitError> for Failure {
    fn from(error: InitError) -> Self {
        match error {
            InitError::AlreadyBook(at) => {
                let at = quoted(at.display());
                Self::no(both!(is_book_already(at)))
            }
            InitError::Occupied(at) => Self::no(both!(is_in_way(at = at.display()))).hint(both!(move_it_elsewhere)),
            InitError::NoMark => Self::bug(both!(new_book_lacks_novel_toml)),
            InitError::Open(error) => error.into(),
            InitError::NotWritable(state) => state.into(),
            InitError::Busy(busy) => busy.into(),
            InitError::Commit(error) => error.into(),
            InitError::Store(error) => error.into(),
        }
    }
}

/// Why hooks were left unchanged.
impl From<HooksError> for Failure {
    fn from(error: HooksError) -> Self {
        let HooksFolder { path, place } = match error {
            HooksError::NotOwn(folder) => folder,
            HooksError::Begin(error) => return error.into(),
            HooksError::Store(error) => return error.into(),
        };
        let line = LINE_OF_OTHERS;
        let path = path.display();
        if let HooksPlace::Managed(name) = place {
            return Self::decide(both!(is_kept_by_nothing_was_written(path, name, line)));
        }
        let message = both!(core_hookspath_names_whose_hooks_run(path));
        Self::decide(message).hint(both!(give_this_book_hooks_of_its)).hint(both!(or_add_line_to_shared_hooks(line)))
    }
}

/// Failures of rollback, undo and redo.
impl From<RollbackError> for Failure {
    fn from(error: RollbackError) -> Self {
        let no = Self::no;
        match error {
            RollbackError::NoSuchChapter(chapter) => {
                no(both!(store_is_not_in_book_chapter(chapter))).hint(both!(novel_log_kind_chapter_lists_chapters))
            }
            RollbackError::NotTheBook(commit) => no(both!(is_not_commit_of_this_book(commit))),
            RollbackError::AlreadyThere => no(both!(book_is_there_already_nothing_has)),
            RollbackError::NothingToUndo => no(both!(there_is_nothing_to_undo)),
            RollbackError::NothingToRedo => no(both!(there_is_nothing_to_redo)),
            RollbackError::Commit(error) => error.into(),
            RollbackError::Store(error) => error.into(),
        }
    }
}

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
