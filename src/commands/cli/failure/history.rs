//! Failures of going to another point of the history or to another line.

use super::Failure;
use crate::commands::cli::exit::Exit;
use crate::pipeline::engine::history_error::{HistoryError, LineError};
use crate::report::lang::both;

impl From<HistoryError> for Failure {
    fn from(error: HistoryError) -> Self {
        let no = |message| Self::new(Exit::No, message);
        match error {
            HistoryError::NoChapterIn(volume) => {
                no(both!("{volume} 还没有写成的章", "{volume} has no accepted chapter"))
                    .hint(both!("`novel log --kind chapter` 列出各章", "`novel log --kind chapter` lists the chapters"))
            }
            HistoryError::NotOnLine(name) => no(both!("主线上没有 {name}", "the book's line has no {name}"))
                .hint(both!("`novel log` 列出每一步和它的提交", "`novel log` lists every step with its commit"))
                .hint(both!("离开过主线的: `novel restore`", "what has left it: `novel restore`")),
            HistoryError::NothingToStay(path) => Self::usage(both!(
                "没有 `{path}`，无从保留",
                "there is no `{path}` to keep, neither now nor at the destination"
            )),
            HistoryError::FollowsFromChapters(path) => no(both!(
                "`{path}` 由各章推出，不能单独保留",
                "`{path}` follows from the chapters and cannot stay without them"
            ))
            .hint(both!(
                "可以保留你自己的文件，和留下来的章的正文",
                "your own files can stay, and the texts of chapters that stay"
            )),
            HistoryError::FewerSteps { possible, wanted } => {
                no(both!("只有 {possible} 步，没有 {wanted} 步", "there are {possible} steps, and not {wanted}"))
            }
            HistoryError::Uncommitted { paths } => {
                let list = paths.join(", ");
                no(both!("有没提交的手改: {list}", "there are uncommitted changes of yours: {list}")).hint(both!(
                    "先提交它们: `git commit -a`；或放弃它们: `git restore 文件`",
                    "commit them first: `git commit -a`; or drop them: `git restore FILE`"
                ))
            }
            HistoryError::NothingKept(name) => no(both!("没有留存的 {name}", "nothing kept is called {name}"))
                .hint(both!("`novel restore` 列出留存的一切", "`novel restore` lists everything that is kept")),
            HistoryError::SeveralKept { name, found } => {
                let failure = no(both!("{name} 有几份，说明要哪一份", "there are several of {name}: say which"));
                found
                    .into_iter()
                    .fold(failure, |failure, one| failure.hint(both!("`novel restore {one}`", "`novel restore {one}`")))
            }
            HistoryError::TooFarAhead { chapter, next } => {
                no(both!("{chapter} 回不来：下一章是 {next}", "{chapter} cannot come back: the next chapter is {next}"))
                    .hint(both!(
                        "先取回它前面的，或取回整条线: `novel restore`",
                        "bring back what comes before it, or the whole line: `novel restore`"
                    ))
            }
        }
    }
}

impl From<LineError> for Failure {
    fn from(error: LineError) -> Self {
        let no = |message| Self::new(Exit::No, message);
        match error {
            LineError::OtherLine(work) => no(both!(
                "{work} 的这份草稿接在另一条线上",
                "this draft of {work} goes on from another line of the book"
            ))
            .hint(both!("先取回那条线: `novel restore`", "bring that line back first: `novel restore`")),
            LineError::NotALineName(name) => {
                Self::usage(both!("`{name}` 不能作分支名", "`{name}` cannot be the name of a branch"))
                    .hint(both!("例如 `novel branch alt-ending`", "for example `novel branch alt-ending`"))
            }
            LineError::LineThere(name) => no(both!("已经有分支 {name} 了", "there is a branch {name} already"))
                .hint(both!("到那里去: `novel branch switch {name}`", "go to it: `novel branch switch {name}`"))
                .hint(both!("或换个名字", "or take another name")),
            LineError::NoSuchLine(name) => no(both!("没有分支 {name}", "the book has no branch {name}"))
                .hint(both!("`novel branch list` 列出各条线", "`novel branch list` lists the lines")),
            LineError::LineInUse { line, main } if line == main => {
                no(both!("{line} 是主线", "{line} is the main line"))
                    .hint(both!("`novel branch list` 列出各条线", "`novel branch list` lists the lines"))
            }
            LineError::LineInUse { line, main } => no(both!("书正在 {line} 上", "the book is on {line}"))
                .hint(both!("先 `novel branch switch {main}`", "first `novel branch switch {main}`")),
            LineError::NotOnMainLine { main } => {
                no(both!("书不在主线 {main} 上", "the book is not on its main line, {main}"))
                    .hint(both!("先 `novel branch switch {main}`", "first `novel branch switch {main}`"))
            }
            LineError::InFlight(chapter) => {
                no(both!("{chapter} 已经有一份稿子在写了", "{chapter} is being written as one draft already"))
                    .hint(both!("接着写它: `novel continue`", "go on with it: `novel continue`"))
                    .hint(both!(
                        "重新来过: `novel rollback` 到上一章，再用 `--candidates`",
                        "begin it again: `novel rollback` to the chapter before it, then `--candidates`"
                    ))
            }
            LineError::NoSuchCandidate { chapter, number } => {
                no(both!("{chapter} 没有第 {number} 份候选稿", "{chapter} has no candidate {number}"))
                    .hint(both!("`novel decide` 列出候选稿", "`novel decide` lists the candidates"))
            }
            LineError::CandidatesWait { chapter, count } => Self::new(
                Exit::Decide,
                both!("{chapter} 有 {count} 份候选稿等你选", "{chapter} has {count} candidates to choose from"),
            )
            .hint(both!("看看并选一份: `novel decide`", "look and choose: `novel decide`"))
            .hint(both!(
                "或取评分最高的: `novel continue --candidates {count}`",
                "or take the best: `novel continue --candidates {count}`"
            )),
        }
    }
}
