//! The git hooks of a book, and their messages.

use super::problem;
use crate::pipeline::checks::commit::{CommitProblem, StaleParts};
use crate::report::prelude::*;
use crate::store::{AssistantFile, AssistantState, HookState, HooksFolder, HooksPlace, InstalledHook, SentKey};

/// The line that an author adds to hooks which are not the book's own.
pub const LINE_OF_OTHERS: &str = "novel hooks run HOOK \"$@\"";

/// The answer of `novel hooks status`, `install` and `remove`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HooksReport {
    /// The folder that git runs the hooks from.
    pub folder: String,
    /// The folder's owner: `repository`, `work_tree`, `shared` or `managed`.
    pub place: &'static str,
    pub hooks: Vec<InstalledHook>,
    pub next: String,
}

impl HooksReport {
    pub fn of(folder: &HooksFolder, hooks: Vec<InstalledHook>) -> Self {
        let place = match folder.place {
            HooksPlace::Repository => "repository",
            HooksPlace::WorkTree => "work_tree",
            HooksPlace::Shared => "shared",
            HooksPlace::Managed(_) => "managed",
        };
        let is_whole = hooks.iter().all(|hook| hook.state == HookState::Installed);
        let next = match folder.place {
            _ if is_whole => "novel hooks remove",
            // Nothing is installed for other repositories.
            HooksPlace::Shared => "git config core.hooksPath .git/hooks",
            HooksPlace::Managed(_) => LINE_OF_OTHERS,
            _ => "novel hooks install",
        };
        Self { folder: folder.path.display().to_string(), place, hooks, next: next.to_owned() }
    }

    /// A line per hook.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let folder = &self.folder;
        let mut out = match self.place {
            "work_tree" => say!(lang, named_by_core_hookspath_inside_book(folder)),
            _ => format!("{folder}\n"),
        };
        let mut table = Table::bare("lll", 2).indented(2);
        for hook in &self.hooks {
            let (style, state) = match hook.state {
                HookState::Installed => (GOOD, say!(lang, installed)),
                HookState::Outdated => (WARN, say!(lang, to_be_updated)),
                HookState::Edited => (WARN, say!(lang, installed_and_changed_by_you_left)),
                HookState::Foreign => (DIM, say!(lang, your_own)),
                HookState::Absent => (DIM, say!(lang, not_installed)),
            };
            let behind = match (hook.chained, hook.manager) {
                (_, Some(name)) => say!(lang, that_of_runs_first_after_installing(name)),
                (true, None) => say!(lang, your_own_runs_first).to_owned(),
                (false, None) => String::new(),
            };
            table.row([hook.hook.as_str().into(), Cell::painted(style, state), Cell::painted(DIM, behind)]);
        }
        out.push_str(&table.text(columns));
        let next = paint(HINT, &self.next);
        match self.next.as_str() {
            LINE_OF_OTHERS => out.push_str(&say!(lang, line_to_add_to_hooks(next))),
            next_is if next_is.ends_with("remove") => out.push_str(&say!(lang, to_take_them_out(next))),
            _ => out.push_str(&say!(lang, doctor_next(next))),
        }
        out
    }
}

/// The answer of `novel hooks install --assistant`, `status` and `remove`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AssistantFiles {
    pub assistant_files: Vec<FileForAssistant>,
    pub next: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileForAssistant {
    pub path: &'static str,
    pub state: AssistantState,
    /// The content that belongs into a file of the author's own; null otherwise.
    pub add: Option<&'static str>,
}

impl AssistantFiles {
    pub fn of(files: &[AssistantFile]) -> Self {
        let file = |&AssistantFile { path, text, state }: &AssistantFile| FileForAssistant {
            path,
            state,
            add: (state == AssistantState::Other).then_some(text),
        };
        let is_absent = files.iter().any(|file| file.state == AssistantState::Absent);
        let next = if is_absent { "novel hooks install --assistant" } else { "novel hooks remove --assistant" };
        Self { assistant_files: files.iter().map(file).collect(), next }
    }

    /// A line per file, and what belongs into a file of the author's own.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let mut table = Table::bare("ll", 2);
        for file in &self.assistant_files {
            let (style, state) = match file.state {
                AssistantState::Installed => (GOOD, say!(lang, installed)),
                AssistantState::Other => (DIM, say!(lang, your_own)),
                AssistantState::Absent => (DIM, say!(lang, not_installed)),
            };
            table.row([file.path.into(), Cell::painted(style, state)]);
        }
        let mut out = table.text(columns);
        for FileForAssistant { path, add, .. } in &self.assistant_files {
            if let Some(text) = add {
                out.push_str(&say!(lang, assistant_file_is_your_own(path, text)));
            }
        }
        let next = paint(HINT, self.next);
        match self.next.ends_with("remove --assistant") {
            true => out + &say!(lang, to_take_them_out(next)),
            false => out + &say!(lang, doctor_next(next)),
        }
    }
}

/// Why a commit or a push should not be made.
pub fn of_problem(problem: &CommitProblem) -> Both {
    match problem {
        CommitProblem::Format { path, error } => {
            both!(lang, hooks_path_what(path, what = problem::of_format(error, lang)))
        }
        CommitProblem::Key { path, line } => both!(line_key(path, line)),
        CommitProblem::Sent(key) => of_sent_key(key),
        CommitProblem::Lacks { chapter, path } => both!(would_lack_its(chapter, path)),
        CommitProblem::LeftOver { chapter, path } => both!(text_of_is_gone_and_stays(chapter, path)),
        CommitProblem::State { of, last } => both!(state_is_that_after_chapter_and(of, last)),
        CommitProblem::Accepting { pid: 0 } => both!(interrupted_command_has_not_finished),
        CommitProblem::Accepting { pid } => both!(novel_process_is_accepting_chapter(pid)),
    }
}

/// The place of a key in a commit that would be sent.
pub fn of_sent_key(key: &SentKey) -> Both {
    let (commit, line) = (key.commit.short(), key.line);
    match &key.path {
        Some(path) => both!(commit_line_key(commit, path, line)),
        None => both!(commit_message_key(commit, line)),
    }
}

/// The author's remedy.
pub fn advice(problem: &CommitProblem) -> Both {
    match problem {
        CommitProblem::Format { .. } => both!(correct_file_and_git_add_it),
        CommitProblem::Key { .. } => both!(remove_key_and_keep_it_in),
        CommitProblem::Sent(_) => both!(revoke_key_first_then_rewrite_commits),
        CommitProblem::Lacks { .. } => both!(commit_files_of_chapter_together_git),
        CommitProblem::LeftOver { chapter, .. } => both!(to_bring_text_back_novel_doctor(chapter)),
        CommitProblem::State { .. } => both!(commit_chapters_with_their_state_or),
        CommitProblem::Accepting { pid: 0 } => both!(finish_it_first_novel_doctor_repair),
        CommitProblem::Accepting { .. } => both!(push_when_it_is_done),
    }
}

/// Chapters named before they are only counted.
const NAMED: usize = 8;

/// The first `limit` chapters by name, with the number of all if that is more.
pub(crate) fn first_of<'a>(
    chapters: impl IntoIterator<Item = &'a ChapterNo, IntoIter: ExactSizeIterator>,
    limit: usize,
    lang: Lang,
) -> String {
    let chapters = chapters.into_iter();
    let n = chapters.len();
    let names = chapters.take(limit).map(ToString::to_string).collect::<Vec<_>>().join(" ");
    match n.checked_sub(limit) {
        None | Some(0) => names,
        Some(more) => say!(lang, and_more_chapters(names, n, more)),
    }
}

/// The parts of the book that no longer fit each other, each with the command that helps.
pub fn of_moved(moved: &StaleParts) -> Vec<Both> {
    let mut lines = Vec::new();
    if !moved.edited.is_empty() {
        lines.push(both!(lang, text_of_has_changed_and_summary(chapters = first_of(&moved.edited, NAMED, lang))));
    }
    if !moved.bare.is_empty() {
        lines.push(both!(lang, came_without_delta_novel_rebuild(chapters = first_of(&moved.bare, NAMED, lang))));
    }
    if !moved.gone.is_empty() {
        lines.push(both!(lang, is_no_longer_in_book_novel(chapters = first_of(&moved.gone, NAMED, lang))));
    }
    if moved.state {
        lines.push(both!(state_does_not_fit_chapters_and));
    }
    if moved.plans {
        lines.push(both!(rules_people_or_plans_have_changed));
    }
    lines
}
