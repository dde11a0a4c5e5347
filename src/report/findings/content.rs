//! Findings of the content, in words.

use super::code::Code;
use super::finding;
use crate::domain::ChapterNo;
use crate::pipeline::checks::diagnose::BookProblem;
use crate::report::doctor::{Finding, Severity};
use crate::report::lang::say;
use crate::report::{Lang, problem};
use crate::store::Obstruction;
use crate::store::format::FormatError;

/// A finding of the content.
#[must_use]
pub fn of_content(found: &BookProblem, lang: Lang) -> Finding {
    let (code, what, repair) = said(found, lang);
    let severity = match found {
        BookProblem::NoDelta { .. } | BookProblem::Outdated { .. } => Severity::Note,
        _ if found.is_harmless() => Severity::Warning,
        _ => Severity::Problem,
    };
    finding(code, severity, what, repair)
}

/// A code, the words, and what a repair does.
type Said = (Code, String, Option<String>);

fn said(found: &BookProblem, lang: Lang) -> Said {
    let from_history = || say!(lang, "从历史里找回完好的版本", "bring the last whole version back from history");
    match found {
        BookProblem::BadFile { path, error, whole_in, .. } => {
            let error = problem::of_format(error, lang);
            (Code::BadFile, say!(lang, "{path} {error}", "{path}: {error}"), whole_in.map(|_| from_history()))
        }
        BookProblem::BrokenEdit { path, error } => broken_edit(path, error, found.is_curable(), lang),
        BookProblem::Deleted { path } => {
            let what = say!(lang, "{path} 没有了", "{path} is deleted");
            (Code::Deleted, what, Some(say!(lang, "按最后一次提交放回来", "put it back from the last commit")))
        }
        BookProblem::Gone { path, whole_in, .. } => {
            let commit = whole_in.short();
            let what = say!(
                lang,
                "最后一次提交里没有 {path}（{commit} 里还有）",
                "the last commit lacks {path} ({commit} has it)"
            );
            let asked =
                || say!(lang, "要找回来: novel doctor --repair --yes", "to bring it back: novel doctor --repair --yes");
            (Code::Gone, what, Some(if found.is_asked_about() { asked() } else { from_history() }))
        }
        BookProblem::InTheWay(there) => in_the_way(there, found.is_curable(), lang),
        BookProblem::Missing { chapter, path, .. } => {
            (Code::MissingFile, say!(lang, "{chapter} 缺 {path}", "{chapter} lacks {path}"), Some(from_history()))
        }
        BookProblem::Gap { chapter, whole_in } => {
            let what = say!(
                lang,
                "书里缺 {chapter}（有意去掉的: novel doctor --remove {chapter}）",
                "{chapter} is missing from the book (if that is meant: novel doctor --remove {chapter})"
            );
            (Code::Gap, what, whole_in.map(|_| from_history()))
        }
        BookProblem::NoDelta { chapter } => {
            let what = say!(
                lang,
                "{chapter} 还没有摘要和状态变更，状态里没有它",
                "{chapter} has no summary and no delta yet: the state knows nothing of it"
            );
            (Code::NoDelta, what, None)
        }
        BookProblem::Outdated { chapter } => {
            let what = say!(
                lang,
                "{chapter} 的正文改过，摘要和状态还是照旧稿来的: novel rebuild",
                "{chapter} has been edited, and its summary and state changes are of the older text: novel rebuild"
            );
            (Code::Outdated, what, None)
        }
        BookProblem::SameTitle(a, b) => {
            (Code::SameTitle, say!(lang, "{a} 和 {b} 同名", "{a} and {b} have the same title"), None)
        }
        BookProblem::SameText(a, b) => {
            (Code::SameText, say!(lang, "{a} 和 {b} 正文相同", "{a} and {b} have the same text"), None)
        }
        BookProblem::StateDiffers { chapter, path } => state_differs(*chapter, path, lang),
        BookProblem::CheckpointDiffers { says, is } => checkpoint_differs(*says, *is, lang),
    }
}

fn state_differs(chapter: Option<ChapterNo>, path: &str, lang: Lang) -> Said {
    let what = match chapter {
        Some(chapter) => say!(
            lang,
            "从 {chapter} 起，{path} 与逐章重放的结果不符",
            "from {chapter} on, {path} is not what replaying the chapters gives"
        ),
        None => say!(lang, "{path} 与逐章重放的结果不符", "{path} is not what replaying the chapters gives"),
    };
    (Code::StateDiffers, what, Some(say!(lang, "按重放的结果重建", "make it what the replay gives")))
}

fn checkpoint_differs((says, recorded): (u32, u32), (is, count): (u32, u32), lang: Lang) -> Said {
    let what = say!(
        lang,
        "断点写着到第 {says} 章、共 {recorded} 章，书里是到第 {is} 章、共 {count} 章",
        "the checkpoint says that {recorded} chapters end with number {says}, and the book has {count} that end with {is}"
    );
    (Code::CheckpointDiffers, what, Some(say!(lang, "按书里的章重写断点", "derive it from the chapters")))
}

fn broken_edit(path: &str, error: &FormatError, is_curable: bool, lang: Lang) -> Said {
    let error = problem::of_format(error, lang);
    let what = say!(
        lang,
        "{path} {error}（没提交的改动，也可以自己改好）",
        "{path}: {error} (a change that is not committed; you may correct it yourself)"
    );
    let aside = || {
        say!(
            lang,
            "留底，换回上一个好的版本；只是编码不对就转成 UTF-8",
            "keep it aside and go back to the last good version, or convert it to UTF-8 where that is all"
        )
    };
    (Code::BrokenEdit, what, is_curable.then(aside))
}

fn in_the_way(found: &Obstruction, is_curable: bool, lang: Lang) -> Said {
    let (path, what) = (found.full.display(), problem::of_obstruction(found, lang));
    let repair = say!(
        lang,
        "换成真的，原来的改名留在旁边: novel doctor --repair --yes",
        "put the real thing there, and keep the old one beside it: novel doctor --repair --yes"
    );
    (Code::InTheWay, say!(lang, "{path}：{what}", "{path}: {what}"), is_curable.then_some(repair))
}
