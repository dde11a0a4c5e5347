//! Failures of the repository, and of files in it.

use super::run::in_both;
use super::{Failure, again};
use crate::commands::cli::exit::Exit;
use crate::commands::cli::quoting::quoted;
use crate::domain::world::retirement::Blocker;
use crate::report::lang::both;
use crate::report::{Both, problem};
use crate::store::{
    BeginError, Busy, CommitError, DraftError, FaultClass, HooksError, HooksFolder, HooksPlace, InitError, NotWritable,
    OLD_LOCK, OpenError, Process, RepairError, RollbackError, StoreError, way_to_leave,
};
use std::error::Error;
use std::io;
use std::path::Path;

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
                "或就在这个分支上写下去: `novel branch switch {found}`",
                "or go on with this one: `novel branch switch {found}`"
            )),
            NotWritable::Filtered { path, filter } => told(both!(
                "`{path}` 要经过 git 过滤器 {filter}，novel 运行不了它",
                "`{path}` passes through the git filter `{filter}`, which novel cannot run"
            ))
            .hint(both!(
                "在 .gitattributes 里去掉书中文件的 `filter={filter}`（大图、音频可以留着），提交后再来",
                "take `filter={filter}` off the book's files in .gitattributes (pictures and sounds may keep it), and commit that"
            )),
            NotWritable::InProgress { what } => {
                let leave = way_to_leave(what);
                told(both!("git {what} 做到一半", "a git {what} is in progress"))
                    .hint(both!("做完它，或 `{leave}`", "finish it, or `{leave}`"))
            }
        }
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
    pub(super) fn from_store(error: &(dyn Error + 'static)) -> Self {
        Self::new(Exit::NotSetUp, both!("读写这本书时出错", "the book cannot be read or written"))
            .because(error)
            .hint(both!("`novel doctor` 看哪里坏了", "`novel doctor` says what is wrong"))
    }

    /// Something that the story still needs: every reason with its place, and what to do first.
    pub(super) fn needed(message: Both, ties: &[Blocker]) -> Self {
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

    pub(super) fn locked(lock: &Path, users: &[Process]) -> Self {
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

/// Reasons why hooks were left as they are.
impl From<HooksError> for Failure {
    fn from(error: HooksError) -> Self {
        let HooksFolder { path, place } = match error {
            HooksError::NotOwn(folder) => folder,
            HooksError::Begin(error) => return error.into(),
            HooksError::Store(error) => return error.into(),
        };
        let line = "novel hooks run HOOK \"$@\"";
        let path = path.display();
        if let HooksPlace::Managed(name) = place {
            return Self::new(
                Exit::Decide,
                both!("{path} 由 {name} 管着，没有写进去", "{path} is kept by {name}: nothing was written there"),
            )
            .hint(both!(
                "在 .{name}/ 的各个钩子里加一行（HOOK 换成钩子名）: `{line}`",
                "add a line to the hooks in .{name}/ (with the hook's name for HOOK): `{line}`"
            ));
        }
        let message = both!(
            "core.hooksPath 指向 {path}，别的仓库也在用，没有写进去",
            "core.hooksPath names {path}, whose hooks run in other repositories too: nothing was written there"
        );
        Self::new(Exit::Decide, message)
            .hint(both!(
                "让这本书用自己的钩子: `git config core.hooksPath .git/hooks`，再 `novel hooks install`",
                "give this book hooks of its own: `git config core.hooksPath .git/hooks`, then `novel hooks install`"
            ))
            .hint(both!(
                "或在共用的钩子里加一行（在别的仓库里什么也不做）: `{line}`",
                "or add a line to the shared hooks, which does nothing in other repositories: `{line}`"
            ))
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
