//! Why a command failed, as it is told to the user: what, because of what, and what to type now.
//!
//! A room's error becomes a failure by `impl From<RoomError> for Failure` in this file: one `match` from kind to exit
//! code, words and hints, with the error itself as the cause:
//!
//! ```text
//! impl From<BookError> for Failure {
//!     fn from(error: BookError) -> Self {
//!         match &error {
//!             BookError::NotABook(at) => Self::new(Exit::NotSetUp, both!("{at} 里没有书", "there is no book in {at}"))
//!                 .hint(both!("新建一本：`novel init 书名`", "make one: `novel init NAME`")),
//!             …
//!         }
//!         .because(&error)
//!     }
//! }
//! ```

use super::exit::Exit;
use crate::agents::Breakdown;
use crate::commands::terminal::quoted;
use crate::domain::ChapterNo;
use crate::domain::book::config::Agent;
use crate::domain::book::work::{Part, Step};
use crate::domain::volume::outline;
use crate::domain::volume::outline::Field;
use crate::domain::volume::plan::Flaw;
use crate::domain::world::retirement::Blocker;
use crate::llm::{self, Fault};
use crate::pipeline::{RunError, Why};
use crate::report::lang::both;
use crate::report::style::{ALARM, HINT, STRONG, paint};
use crate::report::words::Words;
use crate::report::{Both, Lang};
use crate::report::{context, figures, problem, system};
use crate::store::format::{FormatError, Problem};
use crate::store::{
    BeginError, Block, Busy, CommitError, DraftError, FaultClass, InitError, NotWritable, OLD_LOCK, Obstruction,
    OpenError, Process, RepairError, RollbackError, StoreError, layout, template,
};
use serde::Serialize;
use std::error::Error;
use std::io;
use std::path::Path;

/// A failed command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    exit: Exit,
    message: Both,
    causes: Vec<Both>,
    hints: Vec<Both>,
    quiet: bool,
}

/// So many chapters are named before they are only counted.
const NAMED: usize = 5;

impl Failure {
    /// Accepted chapters that are gone: the author says whether that was meant.
    fn lost(chapters: &[ChapterNo], paths: &[String], back_to: Option<ChapterNo>) -> Self {
        let named: Vec<String> = chapters.iter().take(NAMED).map(ChapterNo::to_string).collect();
        let named = named.join(" ");
        let more = chapters.len().saturating_sub(NAMED);
        let (zh, en) = if more > 0 {
            (format!("{named} 等 {} 章", chapters.len()), format!("{named} and {more} more"))
        } else {
            (named.clone(), named.clone())
        };
        let message = if paths.is_empty() {
            both!(
                "书里缺 {zh}，没有记录说是有意去掉的",
                "{en} is missing from the book, and no record says that this was meant"
            )
        } else {
            both!("{zh} 的文件不见了（删除还没提交）", "the files of {en} are gone (the deletion is not committed)")
        };
        let failure = Self::new(Exit::Decide, message)
            .hint(both!("要找回: `novel doctor --repair`", "to bring it back: `novel doctor --repair`"));
        let all: Vec<String> = chapters.iter().map(ChapterNo::to_string).collect();
        let all = all.join(" ");
        match back_to {
            Some(back) => failure
                .hint(both!("真要去掉: `novel rollback {back}`", "to take it out on purpose: `novel rollback {back}`")),
            None => failure.hint(both!(
                "真要去掉: `novel doctor --remove {all}`",
                "to leave it out on purpose: `novel doctor --remove {all}`"
            )),
        }
    }

    /// A failure: lower case, no period, backticks round literals.
    pub(crate) fn new(exit: Exit, message: Both) -> Self {
        Self { exit, message, causes: Vec::new(), hints: Vec::new(), quiet: false }
    }

    /// A wrong command line.
    pub(crate) fn usage(message: Both) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// Something that cannot happen.
    pub(crate) fn bug(message: Both) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        Self::new(Exit::Bug, message).hint(both!(
            "这是 novel {version} 的缺陷，请连同上面的信息一起报告",
            "this is a bug in novel {version}: please report it with the lines above"
        ))
    }

    /// The reader of our output has gone (`novel log | head`): no reason to say anything.
    pub(crate) fn broken_pipe() -> Self {
        Self { quiet: true, ..Self::new(Exit::Done, Both::same("broken pipe")) }
    }

    /// The same failure, caused by an error and by whatever caused that.
    pub(crate) fn because(mut self, error: &(dyn Error + 'static)) -> Self {
        let mut cause = Some(error);
        while let Some(error) = cause {
            let (text, is_all) = system::of_error(error);
            if self.causes.last() != Some(&text) {
                self.causes.push(text);
            }
            cause = error.source().filter(|_| !is_all);
        }
        self
    }

    /// The same failure with one more cause, in words of ours.
    pub(crate) fn cause(mut self, cause: Both) -> Self {
        self.causes.push(cause);
        self
    }

    /// The same failure with one more hint: what to type, with the command in backticks.
    pub(crate) fn hint(mut self, hint: Both) -> Self {
        self.hints.push(hint);
        self
    }

    /// What went wrong.
    pub(crate) fn message(&self, lang: Lang) -> &str {
        self.message.get(lang)
    }

    /// The message in both languages.
    pub(crate) fn words(&self) -> &Both {
        &self.message
    }

    /// How the program ends.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// Whether nothing is to be printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// The lines for people: `error:`, `caused by:`, `hint:`.
    pub(crate) fn text(&self, lang: Lang) -> String {
        let error = paint(ALARM, lang.pick("错误:", "error:"));
        let mut out = format!("{error} {}\n", self.message.get(lang));
        let caused = paint(STRONG, lang.pick("原因:", "caused by:"));
        match &self.causes[..] {
            [] => {}
            [one] => out.push_str(&format!("{caused} {}\n", one.get(lang))),
            several => {
                out.push_str(&format!("{caused}\n"));
                for (n, cause) in several.iter().enumerate() {
                    out.push_str(&format!("  {}: {}\n", n + 1, cause.get(lang)));
                }
            }
        }
        for hint in &self.hints {
            let label = paint(HINT, lang.pick("提示:", "hint:"));
            out.push_str(&format!("{label} {}\n", hint.get(lang)));
        }
        out
    }

    /// What `--json` prints in place of an answer.
    pub(crate) fn to_json(&self, lang: Lang) -> impl Serialize {
        #[derive(Serialize)]
        struct Border {
            error: Body,
        }
        #[derive(Serialize)]
        struct Body {
            exit: u8,
            kind: &'static str,
            message: String,
            causes: Vec<String>,
            hints: Vec<String>,
        }
        Border {
            error: Body {
                exit: self.exit.code(),
                kind: self.exit.name(),
                message: self.message.get(lang).to_owned(),
                causes: self.causes.iter().map(|cause| cause.get(lang).to_owned()).collect(),
                hints: self.hints.iter().map(|hint| hint.get(lang).to_owned()).collect(),
            },
        }
    }
}

/// Failures of the model's side.
impl From<&llm::Failure> for Failure {
    fn from(failure: &llm::Failure) -> Self {
        let model = |zh: &str, en: &str| Self::new(Exit::Model, both!("{zh}", "{en}"));
        let again = both!("再运行同一条命令就接着做", "run the same command again to go on from here");
        let account = both!("到服务商的网站查看账户", "look at your account on the provider's site");
        let told = match &failure.fault {
            Fault::Unauthorized { .. } | Fault::Forbidden { .. } => {
                Self::new(Exit::NotSetUp, both!("服务商不接受这把密钥", "the provider does not accept the key")).hint(
                    both!("`novel config providers` 看用的是哪家", "`novel config providers` shows whose key is used"),
                )
            }
            Fault::UnknownModel { .. } => {
                Self::new(Exit::NotSetUp, both!("服务商没有这个模型", "the provider does not have this model"))
                    .hint(both!("`novel config set model 模型名`", "`novel config set model NAME`"))
            }
            Fault::Protocol { .. } | Fault::BadRequest { .. } => {
                model("服务器听不懂请求，或不按约定回答", "the server and this program do not understand each other")
                    .hint(both!("检查设置 base_url 和 wire", "check the settings `base_url` and `wire`"))
            }
            Fault::Billing { .. } => model("账户余额不足", "the account has no balance left").hint(account).hint(again),
            Fault::SpendLimit { .. } => {
                model("账户的花费上限到了", "the account's spending limit is reached").hint(account).hint(again)
            }
            Fault::ContextTooLong { .. } => {
                model("提示词超出模型的上下文", "the prompt does not fit the model's context").hint(both!(
                    "`novel context 章号` 看它的构成，或换一个上下文更长的模型",
                    "`novel context CHAPTER` shows what it is made of; or choose a model with a larger context"
                ))
            }
            Fault::Truncated { .. } => model("回复没写完就断了", "the answer ended before it was complete").hint(again),
            Fault::Circling { .. } => model("模型一直在重复同一段话", "the model goes round in circles")
                .hint(again)
                .hint(both!("换个模型: `--model 模型名`", "try another model: `--model NAME`")),
            Fault::Refused { .. } => model("模型拒绝回答", "the model declined to answer")
                .hint(both!("换个模型: `--model 模型名`", "try another model: `--model NAME`")),
            Fault::Network { .. } => model("连不上服务器", "no connection to the server").hint(again),
            Fault::Stopped { .. } => Self::new(Exit::Interrupted, both!("已中断", "stopped")).hint(again),
            Fault::Timeout { .. } => model("等不到回复", "no answer came in time")
                .hint(again)
                .hint(both!("等待时长可调: timeouts.*", "the settings `timeouts.*` say how long to wait")),
            Fault::RateLimited { .. }
            | Fault::Overloaded { .. }
            | Fault::Server { .. }
            | Fault::CutStream { .. }
            | Fault::Empty => {
                model("模型的服务现在不可用", "the model's server does not work at the moment").hint(again)
            }
        };
        let told = told.cause(in_both(|lang| problem::of_fault(&failure.fault, lang)));
        match failure.asked_wait.filter(|_| failure.fault.is_overload()) {
            None => told,
            Some(wait) => {
                let wait = figures::duration(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
                told.cause(both!("服务器要求等 {wait}", "the server asks for a wait of {wait}"))
                    .hint(both!("等得更久: `--retry-for 2h`", "to wait longer: `--retry-for 2h`"))
            }
        }
    }
}

/// Failures of printing.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::broken_pipe();
        }
        Self::new(Exit::No, both!("输出写不出去", "the output cannot be written")).because(&error)
    }
}

/// Values that cannot be made JSON are a mistake of ours.
impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::bug(both!("结果无法写成 JSON", "the answer cannot be written as JSON")).because(&error)
    }
}

fn again() -> Both {
    both!("再运行同一条命令就接着做", "run the same command again to go on from here")
}

/// Failures of opening a book.
impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        let set_up = |message: Both| Self::new(Exit::NotSetUp, message);
        match &error {
            OpenError::NoRepository(at) => {
                let at = at.display();
                set_up(both!("{at} 不在一本书里", "{at} is not in a book"))
                    .hint(both!("新建一本: `novel init 文件夹`", "make one: `novel init DIR`"))
                    .hint(both!("先看样书: `novel demo`", "look at a sample first: `novel demo`"))
            }
            OpenError::NotABook(at) => {
                let at = quoted(at.display());
                set_up(both!("{at} 是 git 仓库，但不是书", "the repository at {at} is not a book"))
                    .hint(both!("把它变成书: `novel init {at}`", "make it one: `novel init {at}`"))
            }
            OpenError::Unfinished(at) => {
                let at = at.display();
                set_up(both!("{at} 的 `novel init` 上次没有做完", "`novel init` was interrupted at {at}"))
                    .hint(both!("原样再运行一次那条 init 命令", "run the same init command again"))
            }
            OpenError::Bare(at) => {
                let at = quoted(at.display());
                set_up(both!("{at} 是裸仓库，没有工作区", "the repository at {at} has no work tree"))
                    .hint(both!("`git clone {at} 书`，在克隆里写", "`git clone {at} book`, and write in the clone"))
            }
            OpenError::Unsupported { root, feature, remedy } => {
                let at = root.display();
                let (zh, zh_remedy) = unsupported(feature, remedy);
                set_up(both!(
                    "{at} 的仓库用了 novel 读不了的功能: {zh}",
                    "the repository at {at} uses what novel cannot read: {feature}"
                ))
                .hint(Both { zh: zh_remedy, en: (*remedy).to_owned() })
            }
            OpenError::ForeignOwner(at) => {
                let at = at.display();
                set_up(both!("{at} 属于别的用户", "{at} belongs to another user")).hint(both!(
                    "如果信得过: `git config --global --add safe.directory '{at}'`",
                    "if you trust it: `git config --global --add safe.directory '{at}'`"
                ))
            }
            OpenError::Store(_) => match error {
                OpenError::Store(inner) => inner.into(),
                other => Self::from_store(&other),
            },
        }
    }
}

/// A feature of git that cannot be read, and what to do about it, in Chinese.
fn unsupported(feature: &str, remedy: &str) -> (String, String) {
    let run = |command: &str| format!("运行 `{command}`");
    let (feature, remedy) = match feature {
        "ref storage other than files" => ("引用不是以文件存放的", run("git refs migrate --ref-format=files")),
        "SHA-256 object format" => ("SHA-256 对象格式", "`novel init` 新建一本书，再把各章搬过去".to_owned()),
        "partial clone" => (
            "不完整的克隆（--filter）",
            format!(
                "{}，或不带 `--filter` 重新克隆一份",
                remedy.split(", or").next().unwrap_or(remedy).replace("type", "运行")
            ),
        ),
        "split index" => ("拆开的索引", run("git update-index --no-split-index")),
        "sparse index" => ("稀疏索引", run("git sparse-checkout reapply --no-sparse-index")),
        other => (other, remedy.to_owned()),
    };
    (feature.to_owned(), remedy)
}

/// Reasons why doctor left something as it was.
impl From<RepairError> for Failure {
    fn from(error: RepairError) -> Self {
        match error {
            RepairError::Begin(error) => error.into(),
            RepairError::Open(error) => error.into(),
            RepairError::Store(error) => error.into(),
            RepairError::LockInUse { path, user } => {
                let (path, Process { pid, command }) = (path.display(), user);
                Self::new(
                    Exit::Busy,
                    both!(
                        "{path} 可能正由 {command}（进程 {pid}）持有，没有动它",
                        "{path} may be held by `{command}` (process {pid}) and was left alone"
                    ),
                )
                .hint(both!("先让它做完或关掉它", "let it finish, or close it"))
            }
            RepairError::LockTooNew { path, age } => {
                let (path, left) = (path.display(), (OLD_LOCK - age).max(1));
                Self::new(
                    Exit::Busy,
                    both!(
                        "{path} 刚出现 {age} 秒，持有它的 git 也许还在，没有动它",
                        "{path} is {age} seconds old, and its git may still be at work: it was left alone"
                    ),
                )
                .hint(both!("{left} 秒后再运行", "run it again in {left} seconds"))
            }
            RepairError::NotHere(what) => {
                Self::new(Exit::No, both!("{what}：这里找不到另一份", "{what} is nowhere in this folder")).hint(both!(
                    "从这本书的别的副本取: `git fetch`，或恢复备份",
                    "fetch it from another copy of the book (`git fetch`), or restore a backup"
                ))
            }
        }
    }
}

/// Failures of beginning to write.
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
        Self::new(
            Exit::Busy,
            both!(
                "有人正在写这本书: {what}（{host} 上的进程 {pid}）",
                "somebody is writing in this book: {what} (process {pid} on {host})"
            ),
        )
        .hint(both!("等它做完再来", "wait until it is done"))
    }
}

impl From<NotWritable> for Failure {
    fn from(state: NotWritable) -> Self {
        let told = |message: Both| Self::new(Exit::NotSetUp, message);
        match &state {
            NotWritable::Detached { branch } => {
                told(both!("现在检出的是某次提交，不是分支", "a commit is checked out, and no branch"))
                    .hint(both!("`git switch {branch}`", "`git switch {branch}`"))
            }
            NotWritable::OtherBranch { found, branch } => told(both!(
                "现在检出的是 {found}，书在 {branch} 上",
                "the branch {found} is checked out, and the book's is {branch}"
            ))
            .hint(both!("`git switch {branch}`", "`git switch {branch}`"))
            .hint(both!(
                "或就在这个分支上写下去: `git config novel.branch {found}`",
                "or go on with this one: `git config novel.branch {found}`"
            )),
            NotWritable::Filtered { path, filter } => told(both!(
                "`{path}` 要经过 git 过滤器 {filter}，novel 运行不了它",
                "`{path}` passes through the git filter `{filter}`, which novel cannot run"
            ))
            .hint(both!(
                "在 .gitattributes 里去掉书中文件的 `filter={filter}`（大图、音频可以留着），提交后再来",
                "take `filter={filter}` off the book's files in .gitattributes (pictures and sounds may keep it), and commit that"
            )),
            NotWritable::InProgress { what } => told(both!("git {what} 做到一半", "a git {what} is in progress"))
                .hint(both!("做完它，或 `git {what} --abort`", "finish it, or `git {what} --abort`")),
        }
    }
}

/// The command that makes the book writable again.
pub(crate) fn way_out(state: &NotWritable) -> String {
    match state {
        NotWritable::Detached { branch } | NotWritable::OtherBranch { branch, .. } => format!("git switch {branch}"),
        NotWritable::InProgress { what } => format!("git {what} --continue"),
        NotWritable::Filtered { .. } => "git diff .gitattributes".to_owned(),
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::DiskFull { .. } => {
                Self::new(Exit::NotSetUp, both!("磁盘满了，什么也没有丢", "the disk is full; nothing is lost"))
                    .because(&error)
                    .hint(both!("腾出空间，然后原样再运行", "make room, then run the same command again"))
            }
            StoreError::Io { path, source, .. }
                if matches!(source.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) =>
            {
                let path = path.display();
                Self::new(Exit::NotSetUp, both!("没有权限写 {path}", "there is no permission to write {path}"))
                    .because(source)
                    .hint(both!("检查文件夹的权限和所有者", "look at the folder's permissions and owner"))
            }
            error if error.fault().class == FaultClass::Failing => {
                let told = both!(
                    "磁盘读写失败，书停在最后一次完整的提交",
                    "the disk fails; the book is at its last whole commit"
                );
                Self::new(Exit::NotSetUp, told)
                    .because(error)
                    .hint(both!(
                        "检查磁盘或网络盘，先备份这个文件夹",
                        "look at the disk or the network drive, and back this folder up"
                    ))
                    .hint(again())
            }
            StoreError::Git { .. } | StoreError::Io { .. } | StoreError::BadPath(_) | StoreError::Damaged { .. } => {
                Self::from_store(&error)
            }
        }
    }
}

impl Failure {
    fn from_store(error: &(dyn Error + 'static)) -> Self {
        Self::new(Exit::NotSetUp, both!("读写这本书时出错", "the book cannot be read or written"))
            .because(error)
            .hint(both!("`novel doctor` 看哪里坏了", "`novel doctor` says what is wrong"))
    }

    /// Something that the story still needs: every reason with its place, and what to do first.
    fn needed(message: Both, ties: &[Blocker]) -> Self {
        let failure = Self::new(Exit::No, message);
        let failure = ties.iter().map(|tie| in_both(|lang| problem::of_tie(tie, lang))).fold(failure, Self::cause);
        let mut hints: Vec<Both> = Vec::new();
        for tie in ties {
            let hint = match tie {
                Blocker::Foreshadowing { id, .. } => both!(
                    "伏笔先在后面的章里回收: 那一章的章纲写上「回收 {id}」",
                    "resolve the foreshadowing in a chapter first: put `回收 {id}` into its section of the outline"
                ),
                Blocker::PointOfView { line, draft: None, .. } => both!(
                    "先 `novel storyline end {line}`，或在 storylines/storylines.json 里换个视角",
                    "`novel storyline end {line}` first, or give it other eyes in storylines/storylines.json"
                ),
                Blocker::Shared { .. } => both!(
                    "先了结其中还在的故事线，或在 storylines/storylines.json 里改它们的关系",
                    "end what is left of these storylines first, or change their relation in storylines/storylines.json"
                ),
                Blocker::PointOfView { draft: Some(_), .. }
                | Blocker::Meeting { waiting: true, .. }
                | Blocker::Chapters { waiting: true, .. } => both!(
                    "先改在审的计划再 `novel plan edit`，或 `novel plan reject`",
                    "change the plan that waits, then `novel plan edit`; or `novel plan reject`"
                ),
                Blocker::Meeting { .. } | Blocker::Chapters { .. } => both!(
                    "先把这些章写完: `novel continue`，或改这份计划",
                    "write these chapters first: `novel continue`; or change the plan"
                ),
            };
            if !hints.contains(&hint) {
                hints.push(hint);
            }
        }
        hints.into_iter().fold(failure, Self::hint)
    }

    fn locked(lock: &Path, users: &[Process]) -> Self {
        let lock = lock.display();
        let failure = Self::new(Exit::Busy, both!("另一个 git 正在用这本书", "another git is using this book"))
            .cause(both!("锁文件 {lock} 在", "the lock {lock} is there"));
        let told = |failure: Self, user: &Process| {
            let Process { pid, command } = user;
            failure.cause(both!("正在运行: {command}（进程 {pid}）", "at work: `{command}` (process {pid})"))
        };
        users
            .iter()
            .fold(failure, told)
            .hint(both!(
                "关掉它（比如打开着的提交编辑器）再运行；什么也没有丢",
                "close it (an open commit editor, say) and run again; nothing is lost"
            ))
            .hint(both!(
                "确定没有 git 在用，就 `novel doctor --repair` 移开这把锁",
                "if no git is at work, `novel doctor --repair` puts the lock aside"
            ))
    }
}

/// Failures of a transaction: nothing has changed.
impl From<CommitError> for Failure {
    fn from(error: CommitError) -> Self {
        match &error {
            CommitError::Store(_) => match error {
                CommitError::Store(inner) => inner.into(),
                other => Self::from_store(&other),
            },
            CommitError::Moved { .. } => {
                Self::new(Exit::Busy, both!("这本书刚刚被别处改动了", "the book has moved on meanwhile"))
                    .because(&error)
                    .hint(again())
            }
            CommitError::AuthorEdited { paths } => {
                let list = paths.join(", ");
                Self::new(Exit::Busy, both!("你正在改: {list}", "you are changing: {list}")).hint(both!(
                    "存盘后再运行；你的改动会先单独提交",
                    "save, then run again: your changes are committed first"
                ))
            }
            CommitError::IndexBusy(busy) => Self::locked(&busy.path, &busy.users),
            CommitError::RefBusy(lock) => Self::locked(lock, &[]),
            CommitError::Unmerged => {
                Self::new(Exit::NotSetUp, both!("有没解决的合并冲突", "a merge has left conflicts"))
                    .hint(both!("改好冲突的文件，再 `git add` 它们", "resolve the files, then `git add` them"))
            }
        }
    }
}

impl From<DraftError> for Failure {
    fn from(error: DraftError) -> Self {
        match error {
            DraftError::Occupied(at) => {
                let at = at.display();
                Self::new(
                    Exit::NotSetUp,
                    both!("{at} 被占用了，草稿要放在那里", "{at} is in the way: drafts are shown there"),
                )
                .hint(both!("把它移到别处", "move it elsewhere"))
            }
            DraftError::Moved { .. } => Self::new(
                Exit::Busy,
                both!("草稿刚刚在 staging/ 里被改动了", "the draft has moved on in staging/ meanwhile"),
            )
            .because(&error)
            .hint(again()),
            DraftError::Store(error) => error.into(),
        }
    }
}

impl From<InitError> for Failure {
    fn from(error: InitError) -> Self {
        match error {
            InitError::AlreadyBook(at) => {
                let at = quoted(at.display());
                Self::new(Exit::NotSetUp, both!("{at} 已经是一本书", "{at} is a book already"))
                    .hint(both!("接着写: `novel -C {at} continue`", "go on with it: `novel -C {at} continue`"))
            }
            InitError::Occupied(at) => {
                let at = at.display();
                Self::new(Exit::NotSetUp, both!("{at} 挡住了路", "{at} is in the way"))
                    .hint(both!("把它移到别处", "move it elsewhere"))
            }
            InitError::NoMark => Self::bug(both!("新书缺 novel.toml", "a new book lacks novel.toml")),
            InitError::Open(error) => error.into(),
            InitError::NotWritable(state) => state.into(),
            InitError::Busy(busy) => busy.into(),
            InitError::Commit(error) => error.into(),
            InitError::Store(error) => error.into(),
        }
    }
}

/// Failures of going back and forth.
impl From<RollbackError> for Failure {
    fn from(error: RollbackError) -> Self {
        let no = |message: Both| Self::new(Exit::No, message);
        match error {
            RollbackError::NoSuchChapter(chapter) => no(both!("书里没有 {chapter}", "{chapter} is not in the book"))
                .hint(both!("`novel log --kind chapter` 列出各章", "`novel log --kind chapter` lists the chapters")),
            RollbackError::NotTheBook(commit) => {
                no(both!("{commit} 不是这本书的提交", "{commit} is not a commit of this book"))
            }
            RollbackError::AlreadyThere => {
                no(both!("已经在那里了，什么也没变", "the book is there already; nothing has changed"))
            }
            RollbackError::NothingToUndo => no(both!("没有可撤销的", "there is nothing to undo")),
            RollbackError::NothingToRedo => no(both!("没有可重做的", "there is nothing to redo")),
            RollbackError::Commit(error) => error.into(),
            RollbackError::Store(error) => error.into(),
        }
    }
}

/// Reasons why a run stopped.
impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Begin(error) => error.into(),
            RunError::Init(error) => error.into(),
            RunError::Commit(error) => error.into(),
            RunError::Draft(error) => error.into(),
            RunError::Store(error) => error.into(),
            RunError::Format { path, source } => Self::of_file(&path, &source, true),
            RunError::BrokenEdit { path, source } => Self::of_file(&path, &source, false),
            RunError::Deleted { paths } => Self::deleted(&paths),
            RunError::InTheWay(found) => Self::in_the_way(&found),
            RunError::Outline { path, errors } => {
                let n = errors.len();
                let count = figures::of(n as u64, "mistake");
                let failure = Self::new(Exit::No, both!("`{path}` 有 {n} 处不对", "`{path}` has {count}"));
                let said = |error| in_both(|lang| problem::of_outline(error, lang));
                let failure = errors.iter().map(said).fold(failure, Self::cause);
                if errors.iter().all(|error| matches!(error.problem, outline::Problem::Lacks { .. })) {
                    return failure.hint(both!(
                        "自己补上，或交给规划师: `novel plan fill`",
                        "fill them in, or leave them to the planner: `novel plan fill`"
                    ));
                }
                let needed = Field::ALL.iter().filter(|field| field.is_required());
                let fields: Vec<&str> = needed.map(|field| field.as_str()).collect();
                let (zh, en) = (fields.join("、"), fields.join(", "));
                failure.hint(both!(
                    "每章一个 `## 第N章 标题`，下面写全 `- 字段: 内容`: {zh}",
                    "a section `## 第N章 TITLE` a chapter, with a line `- FIELD: TEXT` for each of {en}"
                ))
            }
            RunError::Lost { chapters, paths, back_to } => Self::lost(&chapters, &paths, back_to),
            RunError::NotLost(chapter) => Self::new(Exit::No, both!("{chapter} 还在书里", "{chapter} is in the book"))
                .hint(both!(
                    "只有被删掉的章才用 --remove 确认；要退回用 `novel rollback`",
                    "--remove confirms a chapter that has been deleted; to go back, use `novel rollback`"
                )),
            RunError::Missing { path } => Self::new(Exit::NotSetUp, both!("缺 `{path}`", "`{path}` is missing")).hint(
                both!("`novel doctor --repair` 从历史里找回", "`novel doctor --repair` brings it back from history"),
            ),
            RunError::NoSuchStyle { name } => {
                let names: Vec<&str> = template::PRESETS.iter().map(|preset| preset.id).collect();
                let names = names.join(", ");
                Self::usage(both!("没有内置文风 `{name}`", "there is no built-in style `{name}`"))
                    .hint(both!("可以是 {names}", "it may be {names}"))
            }
            RunError::NotPlanned { chapter, volume } => {
                let n = chapter.get();
                Self::new(Exit::Decide, both!("{chapter} 还没有大纲", "{chapter} is not planned yet")).hint(both!(
                    "`novel plan make` 规划下一卷；自己写大纲就在 volumes/{volume}/outline.md（或下一卷的）里加一节 `## 第{n}章 标题`",
                    "`novel plan make` plans the next volume; to write the outline yourself, add a section `## 第{n}章 TITLE` to volumes/{volume}/outline.md, or to the next volume's"
                ))
            }
            RunError::NotReviewed(volume) => Self::new(
                Exit::Decide,
                both!(
                    "{volume} 写完了，还没有回顾；回顾之后再写、再规划下一卷",
                    "{volume} is written and not reviewed yet; its review comes before the next volume"
                ),
            )
            .hint(both!("先回顾: `novel review {volume}`", "review it first: `novel review {volume}`"))
            .hint(both!("或由 `novel start` 带着走", "or let `novel start` lead through it")),
            RunError::PlanWaits { volume, sound } => {
                let failure = Self::new(
                    Exit::Decide,
                    both!("{volume} 的计划在等你批准", "the plan of {volume} waits for your approval"),
                );
                let look = both!("先看一遍: `novel plan`", "look at it first: `novel plan`");
                match sound {
                    true => {
                        failure.hint(both!("批准: `novel plan approve`", "approve it: `novel plan approve`")).hint(look)
                    }
                    false => failure.hint(look).hint(both!(
                        "里面还有要改的地方：改好 staging/ 里的文件，再 `novel plan approve`",
                        "it has flaws: mend the files in staging/, then `novel plan approve`"
                    )),
                }
            }
            RunError::Lacks { step, first } => {
                let command = match first {
                    Step::World => "novel world update",
                    Step::Theme => "novel world theme",
                    _ => "novel character first",
                };
                let ((what, a), (before, b)) = (step.words(), first.words());
                Self::new(Exit::No, both!("{what}之前要先有{before}", "first {b}, then {a}")).hint(both!(
                    "先 `{command}`；`novel start` 会按次序做",
                    "first `{command}`; `novel start` takes the steps in order"
                ))
            }
            RunError::NotNext { chapter, first } => Self::new(
                Exit::No,
                both!("还写不到 {chapter}：{first} 还没有", "{chapter} cannot be written yet: {first} comes first"),
            )
            .hint(both!(
                "从它写起: `novel continue --to {chapter}`",
                "write up to it: `novel continue --to {chapter}`"
            )),
            RunError::Prompt(error) => {
                Self::new(Exit::No, both!("书里的提示词有错", "a prompt file of the book has a mistake"))
                    .cause(in_both(|lang| problem::of_prompt(&error, lang)))
            }
            RunError::DoesNotFit { stage, model, needed, limit, breakdown } => {
                Self::does_not_fit(stage, &model, needed, limit, &breakdown)
            }
            RunError::Budget { spent, next, limit } => {
                let (spent, next, limit) = (figures::money(spent), figures::money(next), figures::budget(limit));
                Self::new(
                    Exit::Budget,
                    both!(
                        "预算 {limit} 快用完: 已花 {spent}，下一次调用最多 {next}",
                        "the budget of {limit} is nearly spent: {spent} so far, and the next call may cost {next}"
                    ),
                )
                .hint(both!(
                    "加预算再来: 同一条命令加 `--budget 金额`；书里付过钱的都留着",
                    "run the same command with more: `--budget AMOUNT`; what a book has paid for is kept"
                ))
            }
            RunError::UnknownPrice { model } => Self::new(
                Exit::NotSetUp,
                both!("{model} 没有价目，无法控制预算", "a budget needs a price, and that of {model} is not known"),
            )
            .hint(both!(
                "给出价格: `novel config set prices 文件`；或不设预算",
                "name a price table: `novel config set prices FILE`; or go without a budget"
            ))
            .hint(both!(
                "是自己的模型、不花钱: `novel config set price free`",
                "for a model of your own that costs nothing: `novel config set price free`"
            )),
            RunError::Model { stage, model, source } => {
                let mut failure = Self::from(&*source);
                let Both { zh, en } = spoken(stage);
                let said = both!("{model} 没有答出「{zh}」", "{model} gave no answer for `{en}`");
                failure.causes.insert(0, said);
                failure
            }
            RunError::Unusable { stage, model, problem } => {
                let Both { zh, en } = spoken(stage);
                Self::new(
                    Exit::Model,
                    both!("{model} 为「{zh}」给的回答用不了", "the answers of {model} for `{en}` cannot be used"),
                )
                .cause(in_both(|lang| problem::of_reply(&Why::Reply(problem.clone()), lang)))
                .hint(match stage.parse() {
                    Ok(Part::Chapter(_)) => {
                        both!("回答都留着: `novel show 章号 --calls`", "they are kept: `novel show CHAPTER --calls`")
                    }
                    _ => both!(
                        "回答都留在草稿分支里: `git branch --list 'draft/*'`",
                        "they are kept on the draft branch: `git branch --list 'draft/*'`"
                    ),
                })
                .hint(again())
            }
            RunError::BrokenOff { chapter, words, path, source } => {
                let inner = Self::from(*source);
                let words = figures::count(u64::from(words));
                let mut failure = Self::new(
                    Exit::Model,
                    both!(
                        "{chapter} 没有写完：已写的 {words} 字留在 {path}",
                        "{chapter} is not finished: the {words} words that are there stay in {path}"
                    ),
                )
                .hint(both!(
                    "`novel continue` 从断处接着写；`novel decide` 看别的办法",
                    "`novel continue` goes on where it broke off; `novel decide` shows the other choices"
                ));
                failure.causes = std::iter::once(inner.message).chain(inner.causes).collect();
                let again = again();
                failure.hints.extend(inner.hints.into_iter().filter(|hint| *hint != again));
                failure
            }
            RunError::Interrupted => Self::new(Exit::Interrupted, both!("已停下", "stopped")).hint(again()),
            RunError::NothingToDecide => Self::new(Exit::No, both!("没有待定的事", "nothing waits for a decision"))
                .hint(both!("`novel status` 看下一步", "`novel status` says what comes next")),
            RunError::NotOffered { chapter, decision, overall, options } => {
                let options: Vec<&str> = options.iter().map(|option| option.as_str()).collect();
                let options = options.join(" | ");
                let Both { zh, en } = match overall.map(figures::score) {
                    Some(score) => both!("评分 {score}", "it scores {score}"),
                    None => both!("正文没写完", "its text is not finished"),
                };
                Self::new(
                    Exit::No,
                    both!(
                        "{chapter} 现在不能选 {decision}（{zh}）",
                        "`{decision}` cannot be chosen for {chapter} now ({en})"
                    ),
                )
                .hint(both!("可以选 {options}", "it may be {options}"))
            }
            RunError::NotEdited { chapter, path } => {
                Self::new(Exit::No, both!("{chapter} 的正文没有改过", "the text of {chapter} has not been changed"))
                    .hint(both!(
                        "先改 `{path}`，存盘，再 `novel decide edit`",
                        "change `{path}` and save it, then `novel decide edit`"
                    ))
            }
            RunError::Back(error) => error.into(),
            RunError::IsAccepted(chapter) => {
                let failure = Self::new(
                    Exit::No,
                    both!(
                        "{chapter} 已经入册，不能退回其中的一场",
                        "{chapter} is accepted: it has no scenes to go back to"
                    ),
                );
                match chapter.previous() {
                    Some(before) => failure.hint(both!(
                        "整章重写: `novel rollback {before}`",
                        "to write the whole chapter again: `novel rollback {before}`"
                    )),
                    None => failure,
                }
            }
            RunError::NotInFlight { chapter, in_flight } => {
                let failure =
                    Self::new(Exit::No, both!("{chapter} 没有正在写的稿子", "{chapter} has no draft in flight"));
                match in_flight {
                    Some(other) => {
                        failure.hint(both!("正在写的是 {other}", "{other} is the one that is being written"))
                    }
                    None => {
                        failure.hint(both!("`novel status` 看写到哪了", "`novel status` says where the book stands"))
                    }
                }
            }
            RunError::NotInScenes(chapter) => {
                Self::new(Exit::No, both!("{chapter} 不是一场一场写的", "{chapter} is not written scene by scene"))
                    .hint(both!(
                        "下一章这样写: `novel continue --scenes`",
                        "to write the next one so: `novel continue --scenes`"
                    ))
            }
            RunError::RevisedSince { chapter, stage } => {
                let (zh, en) = stage.words();
                Self::new(
                    Exit::No,
                    both!(
                        "{chapter} 写完各场以后整章{zh}过，退不回单独一场",
                        "{chapter} has been through `{en}` as a whole since its scenes were written"
                    ),
                )
                .hint(both!(
                    "各场写完时的样子: `novel show {chapter} --stage scene`",
                    "the text as the scenes left it: `novel show {chapter} --stage scene`"
                ))
            }
            RunError::NoSuchScene { chapter, scene, written } => {
                let failure =
                    Self::new(Exit::No, both!("{chapter} 还没有第 {scene} 场", "{chapter} has no scene {scene}"));
                match written {
                    0 => failure.hint(both!("一场都还没写成", "no scene is written yet")),
                    _ => failure.hint(both!(
                        "写成的有 {written} 场: `novel rollback {chapter}/scene-{written}`",
                        "{written} are written: `novel rollback {chapter}/scene-{written}`"
                    )),
                }
            }
            RunError::NoSuchCharacter { id } => {
                Self::new(Exit::No, both!("没有 id 为 `{id}` 的在场人物", "no active character has the id `{id}`"))
                    .hint(both!("`novel character list` 看有谁", "`novel character list` lists them"))
            }
            RunError::RetiredAlready { id } => {
                Self::new(Exit::No, both!("`{id}` 已经退场了", "`{id}` has left the story already"))
                    .hint(both!("`novel character list` 看有谁", "`novel character list` lists everybody"))
            }
            RunError::PersonNeeded { id, name, ties } => {
                Self::needed(both!("{name}（{id}）还不能退场", "{name} (`{id}`) cannot leave the story yet"), &ties)
            }
            RunError::NoSuchStoryline { id } => {
                Self::new(Exit::No, both!("没有 id 为 `{id}` 的故事线", "no storyline has the id `{id}`"))
                    .hint(both!("`novel storyline list` 看有哪些", "`novel storyline list` lists them"))
            }
            RunError::LineEnded { id, name } => {
                Self::new(Exit::No, both!("《{name}》（{id}）已经收了", "{name} (`{id}`) has ended already")).hint(
                    both!(
                        "要重新写它: `novel storyline resume {id}`",
                        "to take it up again: `novel storyline resume {id}`"
                    ),
                )
            }
            RunError::NobodyCalled { name } => {
                Self::new(Exit::No, both!("书里没有叫“{name}”的人", "nobody in the book is called `{name}`")).hint(
                    both!(
                        "`novel character list` 看有谁；新人物用 `novel character add`",
                        "`novel character list` lists them; `novel character add` makes a new one"
                    ),
                )
            }
            RunError::StorylineThere { id, name } => Self::new(
                Exit::No,
                both!("已经有故事线《{name}》（{id}）", "there is a storyline {name} (`{id}`) already"),
            )
            .hint(both!(
                "换个名字，或让它进行: `novel storyline resume {id}`",
                "choose another name, or let it run: `novel storyline resume {id}`"
            )),
            RunError::NoIdIn { name } => {
                Self::new(Exit::No, both!("从「{name}」取不出 id", "no id can be made of `{name}`"))
                    .hint(both!("用 `--id` 给一个，如 night-ferry", "give one with `--id`, such as night-ferry"))
            }
            RunError::TooManyActive { active } => {
                let n = active.len();
                let list = active.iter().map(|(id, name)| format!("{id} {name}")).collect::<Vec<_>>().join(", ");
                Self::new(
                    Exit::No,
                    both!("已经有 {n} 条故事线在进行，再多会混", "{n} storylines run already; more get mixed up"),
                )
                .cause(both!("在进行的: {list}", "these run: {list}"))
                .hint(both!(
                    "先让一条休眠: `novel storyline pause ID`",
                    "let one rest first: `novel storyline pause ID`"
                ))
            }
            RunError::LineNeeded { id, name, ties } => Self::needed(
                both!("故事线《{name}》（{id}）还停不下来", "the storyline {name} (`{id}`) cannot stop yet"),
                &ties,
            ),
            RunError::LinesDrafted { volume } => Self::new(
                Exit::No,
                both!(
                    "{volume} 在审的计划里有新的故事线",
                    "the plan of {volume} that waits begins storylines of its own"
                ),
            )
            .hint(both!(
                "先 `novel plan approve`，或 `novel plan reject`",
                "`novel plan approve` it first, or `novel plan reject`"
            )),
            RunError::TooLittleProse { han, least } => Self::new(
                Exit::No,
                both!(
                    "样本只有 {han} 个汉字，看不出文风",
                    "the samples have {han} Han characters, too few to know a style by"
                ),
            )
            .hint(both!(
                "至少要 {least} 字，两三章最好",
                "at least {least} are needed; two or three chapters are best"
            )),
            RunError::FlawedPlan { volume, flaws, folder } => {
                let n = flaws.iter().filter(|flaw| flaw.blocks()).count();
                let Both { zh, en } = list_of(&flaws);
                Self::new(
                    Exit::Decide,
                    Both {
                        zh: format!("{volume} 的计划还有 {n} 处不能用：\n{zh}"),
                        en: format!("the plan of {volume} cannot be used yet, {n} of its flaws must go:\n{en}"),
                    },
                )
                .hint(both!(
                    "改 {folder}/outline.md 再 `novel plan approve`，或 `novel plan reject` 重来",
                    "correct {folder}/outline.md and `novel plan approve`, or `novel plan reject` and plan again"
                ))
            }
            RunError::FlawedRevision { volume, flaws } => {
                let Both { zh, en } = list_of(&flaws);
                Self::new(
                    Exit::Decide,
                    Both {
                        zh: format!("这样一改，{volume} 的计划就不成立了，书没有动：\n{zh}"),
                        en: format!(
                            "with this the plan of {volume} would not hold together, and nothing was changed:\n{en}"
                        ),
                    },
                )
                .hint(both!(
                    "改 volumes/{volume}/ 里的 outline.md 或契约，再 `novel impact --regenerate`",
                    "correct outline.md or the contracts in volumes/{volume}/, then `novel impact --regenerate`"
                ))
            }
            RunError::NoSuchRevision { name } => {
                Self::new(Exit::No, both!("没有 `{name}` 这个提交", "there is no commit `{name}`"))
                    .hint(both!("`novel log` 列出各次提交", "`novel log` lists the commits"))
            }
            RunError::TooFewChapters { volume, chapters, least } => Self::new(
                Exit::No,
                both!(
                    "{volume} 不能只有 {chapters} 章：已经写了的就有 {least} 章",
                    "{volume} cannot have {chapters} chapters: at least {least} are written"
                ),
            )
            .hint(both!("给 {least} 章或更多", "give it {least} chapters or more")),
            RunError::NoSuchVolume(volume) => {
                Self::new(Exit::No, both!("{volume} 还没有大纲", "{volume} is not planned"))
                    .hint(both!("`novel status` 看走到哪了", "`novel status` says how far the book is"))
            }
            RunError::Unfinished { volume, written, planned } => Self::new(
                Exit::No,
                both!(
                    "{volume} 还没写完：{planned} 章写了 {written} 章，写完才能回顾",
                    "{volume} is reviewed when it is written: {written} of {planned} chapters are"
                ),
            )
            .hint(both!(
                "`novel continue --volume` 写到卷末；`novel review N` 看前面的卷",
                "`novel continue --volume` writes it to its end; `novel review N` shows an earlier one"
            )),
            RunError::OnTrial(volume) => Self::new(
                Exit::No,
                both!(
                    "{volume} 只有试写的几章，没有可回顾的",
                    "of {volume} there are only trial chapters to look back on"
                ),
            )
            .hint(both!("`novel start` 接着走", "`novel start` goes on")),
            RunError::Ended(volume) => {
                Self::new(Exit::No, both!("全书完，到 {volume} 为止", "the book is complete and ends with {volume}"))
                    .hint(both!(
                        "要接着写: `novel start --answer next-volume`",
                        "to go on all the same: `novel start --answer next-volume`"
                    ))
            }
            RunError::NoSuchChapter(chapter) => {
                Self::new(Exit::No, both!("{chapter} 还没有写", "{chapter} is not written yet"))
                    .hint(both!("`novel status` 看写到哪了", "`novel status` says how far the book is"))
            }
        }
    }
}

/// The name of a stage or an agent, in words.
fn spoken(name: &str) -> Both {
    in_both(|lang| {
        let stage = name.parse::<Part>().map(|part| part.say(lang));
        stage
            .or_else(|_| name.parse::<Agent>().map(|agent| agent.say(lang)))
            .map_or_else(|_| name.to_owned(), str::to_owned)
    })
}

/// Flaws of a plan, one a line.
fn list_of(flaws: &[Flaw]) -> Both {
    in_both(|lang| {
        let lines = flaws.iter().map(|flaw| format!("  - {}\n", problem::of_flaw(flaw, lang)));
        lines.collect::<String>().trim_end().to_owned()
    })
}

/// What a function says in each language.
fn in_both(say: impl Fn(Lang) -> String) -> Both {
    Both { zh: say(Lang::Zh), en: say(Lang::En) }
}

impl Failure {
    /// A file that cannot be used, in the last commit or as a change that is in no commit yet.
    fn of_file(path: &str, error: &FormatError, committed: bool) -> Self {
        let exit = if path.starts_with("staging/") { Exit::No } else { Exit::NotSetUp };
        let told = match (path, &error.problem) {
            // Budget and models depend on it: with a bad setting the book is not set up.
            (layout::CONFIG, Problem::Value(_)) => {
                Self::new(exit, both!("`{path}` 里有不能用的设置", "`{path}` has a setting that cannot be used"))
            }
            _ => Self::new(exit, both!("`{path}` 读不出来", "`{path}` cannot be read")),
        };
        told.cause(in_both(|lang| problem::of_format(error, lang))).hint(problem::advice(error, path, committed))
    }

    /// Files that the book needs are gone: they come back, or the author says that they are to go.
    fn deleted(paths: &[String]) -> Self {
        let (zh, en) = (paths.join("、"), paths.join(", "));
        let list: Vec<String> = paths.iter().map(|path| quoted(format!(":/{path}"))).collect();
        let list = list.join(" ");
        Self::new(Exit::Decide, both!("书里要用的文件没有了: {zh}", "deleted, and the book needs it: {en}"))
            .hint(both!("找回来: `novel doctor --repair`", "to bring it back: `novel doctor --repair`"))
            .hint(both!(
                "真要删就自己提交: `git commit -m 删除 -- {list}`",
                "to delete it on purpose, commit that yourself: `git commit -m deleted -- {list}`"
            ))
    }

    /// Things that stand where the book is about to write, each with the command that gives way.
    fn in_the_way(found: &[Obstruction]) -> Self {
        let is_own = found.iter().any(|found| matches!(found.block, Block::Untracked | Block::Committed));
        let exit = if is_own { Exit::Decide } else { Exit::NotSetUp };
        let mut failure = Self::new(
            exit,
            both!(
                "要写的地方被占着，还没有开始写",
                "something stands where the book is to be written; nothing is begun"
            ),
        );
        for found in found {
            let shown = if found.path.is_empty() { found.full.display().to_string() } else { found.path.clone() };
            let colon = |lang: Lang| lang.pick("：", ": ");
            failure = failure
                .cause(in_both(|lang| format!("{shown}{}{}", colon(lang), problem::of_obstruction(found, lang))));
        }
        let mut hints: Vec<Both> = Vec::new();
        for found in found {
            let full = quoted(found.full.display());
            match found.block {
                Block::Untracked => {
                    let aside = quoted(format!("{}.aside", found.full.display()));
                    hints.push(both!("让开: `mv {full} {aside}`", "to make way: `mv {full} {aside}`"));
                }
                Block::Committed => {
                    let aside = quoted(format!("{}.aside", found.full.display()));
                    hints.push(both!(
                        "让开: `mv {full} {aside} && git commit -m 让开 -- {full}`",
                        "to make way: `mv {full} {aside} && git commit -m aside -- {full}`"
                    ));
                }
                Block::ReadOnly => {
                    hints.push(both!("给写权限: `chmod u+w {full}`", "to allow writing: `chmod u+w {full}`"));
                }
                Block::LinkedFolder | Block::Link | Block::File | Block::Folder => hints.push(both!(
                    "`novel doctor --repair --yes` 换成真的，原来的改名留在旁边",
                    "`novel doctor --repair --yes` puts the real thing there; the old one stays beside it under another name"
                )),
            }
        }
        let text = found.iter().find(|found| {
            let place = layout::classify(&found.path);
            found.block == Block::Untracked && matches!(place, Some(layout::BookPath::Chapter(..)))
        });
        if let Some(text) = text {
            let (full, name) = (quoted(text.full.display()), text.full.file_stem().unwrap_or_default());
            let name = name.to_string_lossy();
            hints.push(both!(
                "要用它作这一章: `git add {full} && git commit -m {name}`",
                "to make it the chapter: `git add {full} && git commit -m {name}`"
            ));
        }
        hints.dedup();
        hints.into_iter().fold(failure, Self::hint)
    }

    /// The prompt is too large for its model: what takes the room, the largest parts first.
    fn does_not_fit(stage: &str, model: &str, needed: u64, limit: u64, breakdown: &Breakdown) -> Self {
        let mut parts: Vec<_> = breakdown.entries.iter().collect();
        parts.sort_by_key(|entry| std::cmp::Reverse(entry.tokens));
        let (needed, limit) = (figures::count(needed), figures::count(limit));
        let Both { zh, en } = spoken(stage);
        let mut failure = Self::new(
            Exit::NotSetUp,
            both!(
                "「{zh}」的提示词连同回答约 {needed} token，{model} 只装得下 {limit}；没有发送",
                "the prompt of `{en}` needs about {needed} tokens with its answer, and {model} holds {limit}; nothing was sent"
            ),
        );
        failure.causes = parts
            .iter()
            .take(5)
            .map(|entry| {
                in_both(|lang| {
                    let (name, tokens) = (context::part(&entry.name, lang), figures::count(entry.tokens.into()));
                    format!("{name}: {tokens}")
                })
            })
            .collect();
        failure
            .hint(both!(
                "换一个上下文更长的模型，或用 `novel config set context_window 数字` 说明它其实有多大",
                "use a model with a larger context, or say how large it really is: `novel config set context_window NUMBER`"
            ))
            .hint(both!(
                "或在 novel.toml 里调小 chapter.max_words 和 context.tokens",
                "or make chapter.max_words and context.tokens in novel.toml smaller"
            ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_what_why_and_what_now_in_both_languages() {
        let inner = io::Error::other("disk on fire");
        let failure = Failure::new(Exit::NotSetUp, both!("这里没有书", "there is no book here"))
            .because(&inner)
            .hint(both!("`novel init 书名`", "`novel init NAME`"));
        let plain = |lang| crate::report::style::render(&failure.text(lang), false);
        assert_eq!(plain(Lang::En), "error: there is no book here\ncaused by: disk on fire\nhint: `novel init NAME`\n");
        assert_eq!(plain(Lang::Zh), "错误: 这里没有书\n原因: disk on fire\n提示: `novel init 书名`\n");
        let json = crate::report::json::line(&failure.to_json(Lang::En)).unwrap();
        assert_eq!(
            json,
            "{\"version\":1,\"error\":{\"exit\":4,\"kind\":\"not_set_up\",\"message\":\"there is no book here\",\
             \"causes\":[\"disk on fire\"],\"hints\":[\"`novel init NAME`\"]}}\n"
        );
    }

    #[test]
    fn a_fault_of_the_models_side_keeps_its_cause_and_says_what_to_do() {
        let told = |fault: Fault| {
            Failure::from(&llm::Failure { fault, attempts: 3, asked_wait: None, usage: llm::Usage::default() })
        };
        let bad_key = told(Fault::Unauthorized { message: "no such key".into() });
        assert_eq!(bad_key.exit(), Exit::NotSetUp);
        let network = told(Fault::Network { message: "no route".into() });
        let text = crate::report::style::render(&network.text(Lang::En), false);
        assert_eq!(network.exit(), Exit::Model);
        assert_eq!(
            text,
            "error: no connection to the server\ncaused by: the server cannot be reached: no route\n\
             hint: run the same command again to go on from here\n"
        );
    }

    #[test]
    fn a_reader_that_has_gone_is_no_failure() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert!(failure.is_quiet() && failure.exit() == Exit::Done);
        assert!(!Failure::from(io::Error::other("disk full")).is_quiet());
    }
}
