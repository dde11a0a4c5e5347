//! `novel doctor`: finds what is wrong with the book.

use super::cli::exit::Exit;
use super::cli::failure::Failure;
use super::cli::value_parsers;
use super::{App, run_context};
use crate::domain::ChapterNo;
use crate::pipeline::checks::diagnose::{self, BookProblem};
use crate::report::change::Change;
use crate::report::doctor::{Diagnosis, Examined, Finding, Severity};
use crate::report::lang::{both, say};
use crate::report::{Lang, problem};
use crate::store::{self, Book, Moment, OpenError, Process, Wait};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Find what is wrong with the book
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct DoctorArgs {
    /// Repair what can be repaired, from history; nothing is lost
    #[arg(long)]
    pub(crate) repair: bool,
    /// Confirm that a chapter which has been deleted by hand stays out of the book
    #[arg(long, value_name = "CHAPTER", num_args = 1.., value_parser = value_parsers::chapter, conflicts_with = "repair")]
    pub(crate) remove: Vec<ChapterNo>,
    /// Do not ask before a repair
    #[arg(short, long, requires = "repair")]
    pub(crate) yes: bool,
}

/// Examines the repository, then the content, and repairs what it may.
pub(crate) fn run(app: &mut App, args: &DoctorArgs) -> Result<Exit, Failure> {
    let lang = app.ui.lang();
    if let Err(nowhere @ OpenError::NoRepository(_)) = Book::open(&app.folder()?) {
        return Err(nowhere.into());
    }
    if !args.remove.is_empty() {
        return remove(app, args.remove.iter().copied().collect());
    }
    let root = root(&app.folder()?);
    let now = Moment::from(&app.environment.now());
    let broken = store::examine(&root, now)?;
    let readable = !broken.iter().any(|finding| {
        matches!(
            finding,
            store::Finding::BrokenObject { .. }
                | store::Finding::BrokenPack { .. }
                | store::Finding::LostBranch { .. }
                | store::Finding::MissingObject { .. }
                | store::Finding::BadIndex
        )
    });
    let repair = args.repair && may_repair(app, args, &broken)?;
    let mut findings = Vec::new();
    for finding in &broken {
        let mut report = of_repository(lang, finding);
        if repair && report.repair.is_some() {
            match store::repair(&root, finding, &app.holder("doctor"), Wait::sleeping()) {
                Ok(()) => report.repaired = true,
                Err(error) => {
                    let failed = Failure::from(error);
                    app.ui.warn(&crate::report::Both::same(failed.text(lang).trim_end().to_owned()))?;
                }
            }
        }
        findings.push(report);
    }
    let mut examined = vec![Examined::Repository];
    if readable || findings.iter().all(|finding| finding.repaired) {
        let book = Book::open(&root)?;
        examined.extend([Examined::Formats, Examined::Numbering, Examined::State]);
        findings.extend(content(app, &book, repair, args.yes)?);
    }
    let well = findings.iter().all(|finding| finding.repaired || finding.severity != Severity::Problem);
    let curable = findings.iter().any(|finding| !finding.repaired && finding.repair.is_some());
    let next = if curable { "novel doctor --repair" } else { "novel status" }.to_owned();
    let diagnosis = Diagnosis { examined, findings, next };
    app.ui.show(&diagnosis, |lang, _| diagnosis.text(lang))?;
    Ok(if well { Exit::Done } else { Exit::No })
}

/// Takes chapters out of the book that the author has deleted.
fn remove(app: &mut App, chapters: BTreeSet<ChapterNo>) -> Result<Exit, Failure> {
    let book = app.book()?;
    let commit = app.write(&book, "doctor", |run| run.remove(&chapters))?;
    let named: Vec<String> = chapters.iter().map(ChapterNo::to_string).collect();
    let named = named.join(" ");
    let lang = app.ui.lang();
    let change = Change {
        what: say!(lang, "{named} 不再属于这本书", "{named} is out of the book"),
        commit: commit.short(),
        undo: None,
    };
    app.ui.show(&change, |lang, _| change.text(lang))?;
    Ok(Exit::Done)
}

fn may_repair(app: &mut App, args: &DoctorArgs, broken: &[store::Finding]) -> Result<bool, Failure> {
    // What only puts settings or tags right needs no question; what touches another program's locks does.
    let touchy = broken.iter().any(|finding| {
        matches!(
            finding,
            store::Finding::StrayLock { .. }
                | store::Finding::LostBranch { .. }
                | store::Finding::BrokenObject { .. }
                | store::Finding::BrokenPack { .. }
        )
    });
    if args.yes || !touchy {
        return Ok(true);
    }
    app.ui.confirm(
        &both!(
            "有锁或损坏的对象要移开（只移开，不删除），继续？",
            "locks or damaged objects will be put aside, never deleted: go on?"
        ),
        false,
        "--repair --yes",
    )
}

/// The folder of the repository, also when the book in it cannot be opened.
fn root(start: &Path) -> PathBuf {
    let here = start
        .ancestors()
        .find(|folder| folder.join(".git").exists() && folder.file_name().is_none_or(|name| name != "staging"));
    here.unwrap_or(start).to_owned()
}

/// A repair is followed by another examination at most so many times.
const ROUNDS: usize = 4;

fn content(app: &mut App, book: &Book, repair: bool, yes: bool) -> Result<Vec<Finding>, Failure> {
    let lang = app.ui.lang();
    let mut found = diagnose::examine(book)?;
    let mut left = found.clone();
    // One repair may let another finding appear: a replay needs files that can be read.
    for _ in 0..ROUNDS {
        let may = |problem: &&BookProblem| problem.is_curable() && (yes || !problem.is_asked_about());
        if !repair || !left.iter().any(|problem| may(&problem)) {
            break;
        }
        let session = app.begin_as_it_is(book, "doctor")?;
        let author = app.identity(book)?;
        let moved = run_context::run_without_model(app, &session, author, |run| run.repair(yes))?;
        for (from, to) in moved {
            app.ui.say(&both!("{from} 改名为 {to}", "{from} is now {to}"))?;
        }
        let now = diagnose::examine(book)?;
        found.extend(now.iter().filter(|problem| !found.contains(problem)).cloned().collect::<Vec<_>>());
        if std::mem::replace(&mut left, now) == left {
            break;
        }
    }
    Ok(found.iter().map(|problem| of_content(lang, problem, !left.contains(problem))).collect())
}

/// A finding of the repository, in words.
fn of_repository(lang: Lang, finding: &store::Finding) -> Finding {
    use store::Finding as F;
    let (code, severity, what, repair): (&str, Severity, String, Option<String>) = match finding {
        F::BrokenObject { id, why, .. } => (
            "broken_object",
            Severity::Problem,
            say!(lang, "对象 {id} 损坏: {why}", "the object {id} is damaged: {why}"),
            Some(say!(lang, "移开它，从包文件或工作区找回", "put it aside and take it from a pack or the work tree")),
        ),
        F::BrokenPack { name, why } => (
            "broken_pack",
            Severity::Problem,
            say!(lang, "对象包 {name} 损坏: {why}", "{name} is damaged: {why}"),
            Some(say!(
                lang,
                "移开它，留下其中完好的对象，其余从工作区找回",
                "put it aside, keep what is whole in it, and take the rest from the work tree"
            )),
        ),
        F::MissingObject { id, needed_for } => (
            "missing_object",
            Severity::Problem,
            say!(lang, "缺对象 {id}（{needed_for}）", "the object {id} is missing ({needed_for})"),
            Some(say!(
                lang,
                "从工作区找回；没有就从别的副本 git fetch",
                "take it from the work tree; failing that, git fetch from another copy"
            )),
        ),
        F::LostBranch { name, at, last_whole } => (
            "lost_branch",
            Severity::Problem,
            say!(
                lang,
                "分支 {name} 指向读不出来的提交 {at}",
                "the branch {name} names the commit {at}, which cannot be read"
            ),
            last_whole.map(|commit| {
                let commit = commit.short();
                say!(lang, "移到最近的完好提交 {commit}", "move it to the last whole commit, {commit}")
            }),
        ),
        F::StrayLock { path, age, users, ours } => {
            let (path, age) = (path.display(), age.unwrap_or(0));
            let put_aside = || {
                Some(say!(
                    lang,
                    "移开它（先确认没有别的 git 在用）",
                    "put it aside (make sure no other git is at work)"
                ))
            };
            let (what, repair) = match users.first() {
                _ if *ours => {
                    (say!(lang, "有上次中断留下的锁 {path}", "an interrupted novel has left {path}"), put_aside())
                }
                Some(Process { pid, command }) => (
                    say!(
                        lang,
                        "锁 {path} 可能正由 {command}（进程 {pid}）持有",
                        "the lock {path} may be held by `{command}` (process {pid})"
                    ),
                    None,
                ),
                None if age < store::OLD_LOCK => (
                    say!(
                        lang,
                        "锁 {path} 刚出现 {age} 秒，持有它的 git 也许还在",
                        "the lock {path} is {age} seconds old, and its git may still be at work"
                    ),
                    None,
                ),
                None => {
                    (say!(lang, "有锁 {path}，已 {age} 秒", "the lock {path} is there, {age} seconds old"), put_aside())
                }
            };
            ("stray_lock", Severity::Warning, what, repair)
        }
        F::WrongTag { name, .. } => (
            "wrong_tag",
            Severity::Warning,
            say!(lang, "标签 {name} 不对", "the tag {name} is wrong"),
            Some(say!(lang, "按提交重建标签", "make the tags what the commits say")),
        ),
        F::WrongSetting { name, should } => (
            "wrong_setting",
            Severity::Warning,
            say!(lang, "git 设置 {name} 应为 {should}", "git's setting {name} should be {should}"),
            Some(say!(lang, "改过来", "set it")),
        ),
        F::NotExcluded => (
            "not_excluded",
            Severity::Warning,
            say!(lang, "staging/ 没有被 git 忽略", "staging/ is not ignored by git"),
            Some(say!(lang, "写进 .git/info/exclude", "write it to .git/info/exclude")),
        ),
        F::Unfinished { what } => (
            "unfinished",
            Severity::Note,
            say!(lang, "上次的命令被打断了: {what}", "an interrupted command left something to finish: {what}"),
            Some(say!(lang, "补完它（下一条写作命令也会）", "finish it (so does the next command that writes)")),
        ),
        F::BadIndex => (
            "bad_index",
            Severity::Problem,
            say!(lang, "git 的索引不见了，或读不出来", "git's index is missing or cannot be read"),
            Some(say!(
                lang,
                "按最后一次提交重建；文件不动",
                "make it again from the last commit; files stay as they are"
            )),
        ),
    };
    Finding { code: code.to_owned(), severity, what, repair, repaired: false }
}

/// A finding of the content, in words.
fn of_content(lang: Lang, problem: &BookProblem, repaired: bool) -> Finding {
    let from_history = || say!(lang, "从历史里找回完好的版本", "bring the last whole version back from history");
    let aside = || {
        say!(
            lang,
            "留底，换回上一个好的版本；只是编码不对就转成 UTF-8",
            "keep it aside and go back to the last good version, or convert it to UTF-8 where that is all"
        )
    };
    let (code, what, repair) = match problem {
        BookProblem::BadFile { path, error, whole_in, .. } => {
            let error = problem::of_format(error, lang);
            ("bad_file", say!(lang, "{path} {error}", "{path}: {error}"), whole_in.map(|_| from_history()))
        }
        BookProblem::BrokenEdit { path, error } => {
            let error = problem::of_format(error, lang);
            let what = say!(
                lang,
                "{path} {error}（没提交的改动，也可以自己改好）",
                "{path}: {error} (a change that is not committed; you may correct it yourself)"
            );
            ("broken_edit", what, problem.is_curable().then(aside))
        }
        BookProblem::Deleted { path } => {
            let what = say!(lang, "{path} 没有了", "{path} is deleted");
            ("deleted", what, Some(say!(lang, "按最后一次提交放回来", "put it back from the last commit")))
        }
        BookProblem::Gone { path, whole_in, .. } => {
            let commit = whole_in.short();
            let what = say!(
                lang,
                "最后一次提交里没有 {path}（{commit} 里还有）",
                "the last commit lacks {path} ({commit} has it)"
            );
            let repair = match problem.is_asked_about() {
                true => {
                    say!(lang, "要找回来: novel doctor --repair --yes", "to bring it back: novel doctor --repair --yes")
                }
                false => from_history(),
            };
            ("gone", what, Some(repair))
        }
        BookProblem::InTheWay(found) => {
            let (path, what) = (found.full.display(), problem::of_obstruction(found, lang));
            let repair = say!(
                lang,
                "换成真的，原来的改名留在旁边: novel doctor --repair --yes",
                "put the real thing there, and keep the old one beside it: novel doctor --repair --yes"
            );
            let what = say!(lang, "{path}：{what}", "{path}: {what}");
            ("in_the_way", what, problem.is_curable().then_some(repair))
        }
        BookProblem::Missing { chapter, path, .. } => {
            ("missing_file", say!(lang, "{chapter} 缺 {path}", "{chapter} lacks {path}"), Some(from_history()))
        }
        BookProblem::Gap { chapter, whole_in } => {
            let what = say!(
                lang,
                "书里缺 {chapter}（有意去掉的: novel doctor --remove {chapter}）",
                "{chapter} is missing from the book (if that is meant: novel doctor --remove {chapter})"
            );
            ("gap", what, whole_in.map(|_| from_history()))
        }
        BookProblem::NoDelta { chapter } => {
            let what = say!(
                lang,
                "{chapter} 还没有摘要和状态变更，状态里没有它",
                "{chapter} has no summary and no delta yet: the state knows nothing of it"
            );
            ("no_delta", what, None)
        }
        BookProblem::SameTitle(a, b) => {
            ("same_title", say!(lang, "{a} 和 {b} 同名", "{a} and {b} have the same title"), None)
        }
        BookProblem::SameText(a, b) => {
            ("same_text", say!(lang, "{a} 和 {b} 正文相同", "{a} and {b} have the same text"), None)
        }
        BookProblem::StateDiffers { chapter, path } => (
            "state_differs",
            match chapter {
                Some(chapter) => say!(
                    lang,
                    "从 {chapter} 起，{path} 与逐章重放的结果不符",
                    "from {chapter} on, {path} is not what replaying the chapters gives"
                ),
                None => say!(lang, "{path} 与逐章重放的结果不符", "{path} is not what replaying the chapters gives"),
            },
            Some(say!(lang, "按重放的结果重建", "make it what the replay gives")),
        ),
        BookProblem::CheckpointDiffers { says: (says, recorded), is: (is, count) } => (
            "checkpoint_differs",
            say!(
                lang,
                "断点写着到第 {says} 章、共 {recorded} 章，书里是到第 {is} 章、共 {count} 章",
                "the checkpoint says that {recorded} chapters end with number {says}, and the book has {count} that end with {is}"
            ),
            Some(say!(lang, "按书里的章重写断点", "derive it from the chapters")),
        ),
    };
    let severity = match problem {
        BookProblem::NoDelta { .. } => Severity::Note,
        _ if problem.is_harmless() => Severity::Warning,
        _ => Severity::Problem,
    };
    Finding { code: code.to_owned(), severity, what, repair, repaired }
}
