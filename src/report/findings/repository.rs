//! Findings of the repository, in words.

use super::code::Code;
use super::finding;
use crate::report::Lang;
use crate::report::doctor::{Finding, Severity};
use crate::report::lang::say;
use crate::store::{self, CommitId, OLD_LOCK, Process};
use std::path::Path;

/// A finding of the repository.
#[must_use]
pub fn of_repository(found: &store::Finding, lang: Lang) -> Finding {
    use store::Finding as F;
    let problem = |code, what, repair| finding(code, Severity::Problem, what, repair);
    let warning = |code, what, repair| finding(code, Severity::Warning, what, Some(repair));
    match found {
        F::BrokenObject { id, why, .. } => problem(
            Code::BrokenObject,
            say!(lang, "对象 {id} 损坏：{why}", "the object {id} is damaged: {why}"),
            Some(elsewhere(lang)),
        ),
        F::BrokenPack { name, why } => problem(
            Code::BrokenPack,
            say!(lang, "对象包 {name} 损坏：{why}", "{name} is damaged: {why}"),
            Some(say!(
                lang,
                "移开它，留下其中完好的对象，其余从工作区或远端找回",
                "put it aside, keep what is whole in it, and take the rest from the work tree or a remote"
            )),
        ),
        F::MissingObject { id, needed_for } => problem(
            Code::MissingObject,
            say!(lang, "缺对象 {id}（{needed_for}）", "the object {id} is missing ({needed_for})"),
            Some(say!(lang, "从工作区、草稿或远端找回", "take it from the work tree, a draft or a remote")),
        ),
        F::LostBranch { name, at, last_whole } => lost_branch(name, at, *last_whole, lang),
        F::StrayLock { path, age, users, ours } => {
            let (what, can_go) = lock(path, age.unwrap_or(0), users, *ours, lang);
            let aside =
                || say!(lang, "移开它（先确认没有别的 git 在用）", "put it aside (make sure no other git is at work)");
            finding(Code::StrayLock, Severity::Warning, what, can_go.then(aside))
        }
        F::WrongTag { name, .. } => warning(
            Code::WrongTag,
            say!(lang, "标签 {name} 不对", "the tag {name} is wrong"),
            say!(lang, "按提交重建标签", "make the tags what the commits say"),
        ),
        F::WrongSetting { name, should } => warning(
            Code::WrongSetting,
            say!(lang, "git 设置 {name} 应为 {should}", "git's setting {name} should be {should}"),
            say!(lang, "改过来", "set it"),
        ),
        F::NotExcluded => warning(
            Code::NotExcluded,
            say!(lang, "staging/ 没有被 git 忽略", "staging/ is not ignored by git"),
            say!(lang, "写进 .git/info/exclude", "write it to .git/info/exclude"),
        ),
        F::Unfinished { what } => finding(
            Code::Unfinished,
            Severity::Note,
            say!(lang, "上次的命令被打断了：{what}", "an interrupted command left something to finish: {what}"),
            Some(say!(lang, "补完它（下一条写作命令也会）", "finish it (so does the next command that writes)")),
        ),
        F::BadIndex => problem(
            Code::BadIndex,
            say!(lang, "git 的索引不见了，或读不出来", "git's index is missing or cannot be read"),
            Some(say!(
                lang,
                "按最后一次提交重建；文件不动",
                "make it again from the last commit; files stay as they are"
            )),
        ),
    }
}

fn elsewhere(lang: Lang) -> String {
    say!(
        lang,
        "移开它，从包文件、工作区或远端找回",
        "put it aside and take the object from a pack, the work tree or a remote"
    )
}

fn lost_branch(name: &str, at: &str, last_whole: Option<CommitId>, lang: Lang) -> Finding {
    let what = say!(
        lang,
        "分支 {name} 指向读不出来的提交 {at}",
        "the branch {name} names the commit {at}, which cannot be read"
    );
    let repair = match last_whole.map(|commit| commit.short()) {
        Some(commit) => say!(
            lang,
            "先从远端找回；找不回就移到最近的完好提交 {commit}",
            "take it from a remote; failing that, move the branch to the last whole commit, {commit}"
        ),
        None => say!(lang, "从远端找回", "take it from a remote"),
    };
    finding(Code::LostBranch, Severity::Problem, what, Some(repair))
}

/// The words for a lock, and whether it can be put aside.
fn lock(path: &Path, age: i64, users: &[Process], ours: bool, lang: Lang) -> (String, bool) {
    let path = path.display();
    match users.first() {
        _ if ours => (say!(lang, "有上次中断留下的锁 {path}", "an interrupted novel has left {path}"), true),
        Some(Process { pid, command }) => (
            say!(
                lang,
                "锁 {path} 可能正由 {command}（进程 {pid}）持有",
                "the lock {path} may be held by `{command}` (process {pid})"
            ),
            false,
        ),
        None if age < OLD_LOCK => (
            say!(
                lang,
                "锁 {path} 刚出现 {age} 秒，持有它的 git 也许还在",
                "the lock {path} is {age} seconds old, and its git may still be at work"
            ),
            false,
        ),
        None => (say!(lang, "有锁 {path}，已 {age} 秒", "the lock {path} is there, {age} seconds old"), true),
    }
}

/// The author's own merge, rebase or the like that is not finished, by the git command that began it.
#[must_use]
pub fn of_obstacle(command: &str, lang: Lang) -> Finding {
    let what = say!(
        lang,
        "你的 git {command} 还没有做完：`git {command} --continue` 做完它，`git {command} --abort` 放弃它；在那之前什么也不修",
        "a git {command} of yours is not finished: `git {command} --continue` ends it, `git {command} --abort` gives it up; until then nothing is repaired"
    );
    finding(Code::InProgress, Severity::Warning, what, None)
}

/// Objects that are nowhere to be had, `paths` being what they are needed for, with the newest commit that is whole.
#[must_use]
pub fn of_lost_content(paths: &[String], whole: Option<&(CommitId, String)>, lang: Lang) -> Finding {
    /// So many paths are named.
    const NAMED: usize = 5;
    let mut named = paths.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(lang.pick("、", ", "));
    let more = paths.len().saturating_sub(NAMED);
    if more > 0 {
        named.push_str(&say!(lang, "，另有 {more} 处", " and {more} more"));
    }
    let what = match whole {
        Some((commit, subject)) => {
            let commit = commit.short();
            say!(
                lang,
                "找不回的有：{named}；完好的最近提交是 {commit}（{subject}），文件夹里的文件都没有动",
                "not to be had here: {named}; the newest whole commit is {commit} ({subject}), and no file in the folder was touched"
            )
        }
        None => say!(
            lang,
            "找不回的有：{named}；没有一个提交是完好的，文件夹里的文件都没有动",
            "not to be had here: {named}; no commit is whole, and no file in the folder was touched"
        ),
    };
    let repair = say!(
        lang,
        "从别的副本或备份取: `git remote add backup 路径`，再 novel doctor --repair",
        "take it from another copy or a backup: `git remote add backup PATH`, then novel doctor --repair"
    );
    finding(Code::LostContent, Severity::Problem, what, Some(repair))
}
