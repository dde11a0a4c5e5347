//! The git hooks of a book, and what they say.

use super::lang::{Both, Lang, both, say};
use super::problem;
use super::style::{DIM, GOOD, HINT, WARN, paint};
use super::table::{Align, Cell, Table};
use crate::domain::ChapterNo;
use crate::pipeline::checks::commit::CommitProblem;
use crate::pipeline::checks::moved::Moved;
use crate::store::{HookState, HooksFolder, HooksPlace, InstalledHook};
use serde::Serialize;
use std::collections::BTreeSet;

/// The hooks of a book: the answer of `novel hooks status`, `install` and `remove`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hooks {
    /// The folder that git takes them from.
    pub folder: String,
    /// The folder's owner: `repository`, `work_tree`, `shared` or `managed`.
    pub place: &'static str,
    /// Each hook.
    pub hooks: Vec<Hook>,
    /// The command to type next.
    pub next: String,
}

/// A hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hook {
    /// Its name in git.
    pub hook: &'static str,
    /// `absent`, `installed`, `outdated`, `edited` or `foreign`.
    pub state: &'static str,
    /// Whether a hook of the author's runs first.
    pub chained: bool,
    /// The manager of hooks that wrote the author's hook.
    pub manager: Option<&'static str>,
}

impl Hooks {
    /// The report on hooks in their folder.
    #[must_use]
    pub fn of(folder: &HooksFolder, hooks: &[InstalledHook]) -> Self {
        let place = match folder.place {
            HooksPlace::Repository => "repository",
            HooksPlace::WorkTree => "work_tree",
            HooksPlace::Shared => "shared",
            HooksPlace::Managed(_) => "managed",
        };
        let is_whole = hooks.iter().all(|hook| hook.state == HookState::Installed);
        let hook = |hook: &InstalledHook| Hook {
            hook: hook.hook.as_str(),
            state: match hook.state {
                HookState::Absent => "absent",
                HookState::Installed => "installed",
                HookState::Outdated => "outdated",
                HookState::Edited => "edited",
                HookState::Foreign => "foreign",
            },
            chained: hook.chained,
            manager: hook.manager,
        };
        let next = if is_whole { "novel hooks remove" } else { "novel hooks install" };
        Self {
            folder: folder.path.display().to_string(),
            place,
            hooks: hooks.iter().map(hook).collect(),
            next: next.to_owned(),
        }
    }

    /// A line a hook.
    #[must_use]
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let folder = &self.folder;
        let mut out = match self.place {
            "work_tree" => say!(
                lang,
                "{folder}（core.hooksPath 指到了书的文件夹里，钩子会出现在 git status 里）\n",
                "{folder} (named by core.hooksPath, inside the book: hooks show up in `git status`)\n"
            ),
            _ => format!("{folder}\n"),
        };
        let mut table = Table::new([("", Align::Left), ("", Align::Left), ("", Align::Left)], 2).indented(2);
        for hook in &self.hooks {
            let (style, state) = match hook.state {
                "installed" => (GOOD, lang.pick("已装", "installed")),
                "outdated" => (WARN, lang.pick("要更新", "to be updated")),
                "edited" => (WARN, lang.pick("装过，你又改了它：不动", "installed, and changed by you: left alone")),
                "foreign" => (DIM, lang.pick("是你自己的", "your own")),
                _ => (DIM, lang.pick("没有", "not installed")),
            };
            let behind = match (hook.chained, hook.manager) {
                (_, Some(name)) => say!(
                    lang,
                    "{name} 的钩子先运行；重装 {name} 之后再 novel hooks install",
                    "that of {name} runs first; after installing {name} again: novel hooks install"
                ),
                (true, None) => lang.pick("你自己的钩子先运行", "your own runs first").to_owned(),
                (false, None) => String::new(),
            };
            table.row([hook.hook.into(), Cell::painted(style, state), Cell::painted(DIM, behind)]);
        }
        out.push_str(&table.text(columns));
        let next = paint(HINT, &self.next);
        match self.next.ends_with("remove") {
            true => out.push_str(&say!(lang, "要去掉: {next}\n", "to take them out: {next}\n")),
            false => out.push_str(&say!(lang, "下一步: {next}\n", "next: {next}\n")),
        }
        out
    }
}

/// A reason why a commit or a push should not be made.
#[must_use]
pub fn of_problem(problem: &CommitProblem) -> Both {
    let each = |say: &dyn Fn(Lang) -> String| Both { zh: say(Lang::Zh), en: say(Lang::En) };
    match problem {
        CommitProblem::Format { path, error } => each(&|lang| {
            let what = problem::of_format(error, lang);
            say!(lang, "{path}：{what}", "{path}: {what}")
        }),
        CommitProblem::Key { path, line, commit: None } => {
            both!("{path} 第 {line} 行有密钥", "{path}, line {line}: a key")
        }
        CommitProblem::Key { path, line, commit: Some(commit) } => {
            let commit = commit.short();
            both!("提交 {commit} 的 {path} 第 {line} 行有密钥", "commit {commit}, {path}, line {line}: a key")
        }
        CommitProblem::Lacks { chapter, path } => {
            both!("{chapter} 缺它的 {path}", "{chapter} would lack its {path}")
        }
        CommitProblem::LeftOver { chapter, path } => {
            both!("{chapter} 的正文没有了，{path} 却还在", "the text of {chapter} is gone, and {path} stays")
        }
        CommitProblem::State { of, last } => both!(
            "状态是第 {of} 章之后的，最后一章却是第 {last} 章",
            "the state is that after chapter {of}, and the last chapter is {last}"
        ),
        CommitProblem::Accepting { pid: 0 } => {
            both!("上次的命令被打断了，还有一次收录没有做完", "an interrupted command has not finished a transaction")
        }
        CommitProblem::Accepting { pid } => {
            both!("novel（进程 {pid}）正在收录一章", "novel (process {pid}) is accepting a chapter")
        }
    }
}

/// The way out for the author.
#[must_use]
pub fn advice(problem: &CommitProblem) -> Both {
    match problem {
        CommitProblem::Format { .. } => both!(
            "改好文件，再 `git add`；`novel doctor` 说明每一处",
            "correct the file and `git add` it; `novel doctor` explains each problem"
        ),
        CommitProblem::Key { commit: None, .. } => both!(
            "把密钥删掉，放进环境变量或你自己的配置: `novel config path`",
            "remove the key and keep it in a variable or in your own configuration: `novel config path`"
        ),
        CommitProblem::Key { .. } => both!(
            "先作废这把密钥，再改写还没有推送的提交: `git rebase -i`",
            "revoke the key first, then rewrite the commits that are not pushed yet: `git rebase -i`"
        ),
        CommitProblem::Lacks { .. } => both!(
            "把一章的文件一起提交: `git add -A`；找回缺的: `novel doctor --repair`",
            "commit the files of a chapter together: `git add -A`; to bring back what is missing: `novel doctor --repair`"
        ),
        CommitProblem::LeftOver { chapter, .. } => both!(
            "找回正文: `novel doctor --repair`；真要去掉这一章: `novel doctor --remove {chapter}`",
            "to bring the text back: `novel doctor --repair`; to take the chapter out: `novel doctor --remove {chapter}`"
        ),
        CommitProblem::State { .. } => both!(
            "把章和状态一起提交；或先按各章重建状态: `novel doctor --repair`",
            "commit the chapters with their state; or derive the state again first: `novel doctor --repair`"
        ),
        CommitProblem::Accepting { pid: 0 } => {
            both!("先补完它: `novel doctor --repair`", "finish it first: `novel doctor --repair`")
        }
        CommitProblem::Accepting { .. } => both!("等它做完再推送", "push when it is done"),
    }
}

/// So many chapters are named before they are only counted.
const NAMED: usize = 8;

/// The parts of the book that no longer fit each other, each with the command that helps; empty where all fit.
#[must_use]
pub fn of_moved(moved: &Moved) -> Vec<Both> {
    let mut lines = Vec::new();
    let named = |chapters: &BTreeSet<ChapterNo>| {
        let names: Vec<String> = chapters.iter().take(NAMED).map(ToString::to_string).collect();
        let (names, n) = (names.join(" "), chapters.len());
        if n > NAMED {
            (format!("{names} 等 {n} 章"), format!("{names} and {} more", n - NAMED))
        } else {
            (names.clone(), names)
        }
    };
    if !moved.edited.is_empty() {
        let (zh, en) = named(&moved.edited);
        lines.push(both!(
            "{zh} 的正文变了，摘要和状态变更还是旧的: `novel rebuild`",
            "the text of {en} has changed, and the summary and the delta have not: `novel rebuild`"
        ));
    }
    if !moved.bare.is_empty() {
        let (zh, en) = named(&moved.bare);
        lines.push(both!("{zh} 还没有状态变更: `novel rebuild`", "{en} came without a delta: `novel rebuild`"));
    }
    if !moved.gone.is_empty() {
        let (zh, en) = named(&moved.gone);
        lines.push(both!("{zh} 不在书里了: `novel doctor`", "{en} is no longer in the book: `novel doctor`"));
    }
    if moved.state {
        lines.push(both!(
            "状态和各章对不上，要重建: `novel doctor --repair`",
            "the state does not fit the chapters and is to be derived again: `novel doctor --repair`"
        ));
    }
    if moved.plans {
        lines.push(both!(
            "规则、人物或计划变了，看影响: `novel impact`",
            "rules, people or plans have changed; what that affects: `novel impact`"
        ));
    }
    lines
}
