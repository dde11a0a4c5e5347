//! Failures of the book's remote, and of runs that another device is in the way of.

use super::{Failure, again};
use crate::commands::cli::exit::Exit;
use crate::commands::cli::quoting::quoted;
use crate::pipeline::sync::error::SyncError;
use crate::report::lang::both;
use crate::report::lease::of_lease;
use crate::report::sync::Choice;
use crate::report::{Both, Lang, figures};
use crate::store::{Lease, Moment, RemoteError};

impl From<SyncError> for Failure {
    fn from(error: SyncError) -> Self {
        match error {
            SyncError::Remote(error) => error.into(),
            SyncError::Leased(lease) => leased(&lease),
            SyncError::Behind { remote } => Self::new(
                Exit::Busy,
                both!("{remote} 上有这台设备还没有的内容", "{remote} has commits that this device lacks"),
            )
            .hint(both!("先同步: `novel sync`", "sync first: `novel sync`"))
            .hint(both!("每次自动同步: `novel sync --auto`", "to sync with every run: `novel sync --auto`")),
            SyncError::Diverged(conflicts) => {
                let choice = Choice::of(&conflicts);
                let [zh, en] = [Lang::Zh, Lang::En].map(|lang| choice.text(lang, 100).trim_end().to_owned());
                Self::new(
                    Exit::Decide,
                    both!("两台设备写得不一样，要你来选", "two devices have gone on in different ways"),
                )
                .cause(Both { zh, en })
                .hint(both!(
                    "`novel sync --take theirs`、`--take ours` 或 `--take later`",
                    "`novel sync --take theirs`, `--take ours` or `--take later`"
                ))
            }
            SyncError::Special { path, branch } => Self::new(
                Exit::Decide,
                both!(
                    "`{path}` 是链接或子模块，只有 git 能合并",
                    "`{path}` is a link or a submodule, which only git can merge"
                ),
            )
            .hint(both!("`git merge {branch}`，然后 `novel sync`", "`git merge {branch}`, then `novel sync`")),
        }
    }
}

fn leased(lease: &Lease) -> Failure {
    let now = Moment { seconds: lease.since, offset_minutes: 0 };
    let (zh, en) = (of_lease(lease, now, Lang::Zh), of_lease(lease, now, Lang::En));
    let failure = Failure::new(Exit::Busy, both!("{zh}（UTC）", "{en} (UTC)"));
    let failure = match lease.until {
        Some(_) => failure.hint(both!("等它写完或过期再来", "wait until it is done, or its time is over")),
        None => failure.hint(both!(
            "先在那台设备上 `novel sync`，再在这里 `novel sync`",
            "run `novel sync` on that device, then `novel sync` here"
        )),
    };
    failure.hint(both!(
        "确定那边不会再做，就接管: 给这条命令加 --take-lease",
        "if nothing is done there any more, take over: the same command with --take-lease"
    ))
}

impl From<RemoteError> for Failure {
    /// The failure of a remote; longer than 80 lines because each kind of error has its words here.
    fn from(error: RemoteError) -> Self {
        match error {
            RemoteError::NoGit => Self::new(Exit::NotSetUp, both!("找不到 git 程序", "there is no `git` program"))
                .hint(both!(
                    "装上 git（2.29 以上）并放进 PATH；不同步也能照常写",
                    "install git (2.29 or newer) and put it on the PATH; writing works without"
                )),
            RemoteError::NoRemote => Self::new(Exit::NotSetUp, both!("这本书还没有远端", "the book has no remote"))
                .hint(both!(
                    "`novel sync 网址或文件夹`，例如 `novel sync git@github.com:我/书.git`",
                    "`novel sync ADDRESS`: `novel sync git@github.com:me/book.git`"
                ))
                .hint(both!(
                    "U 盘、网盘也行: `git init --bare 文件夹`，再 `novel sync 文件夹`",
                    "a folder will do: `git init --bare DIR`, then `novel sync DIR`"
                )),
            RemoteError::Several(names) => {
                let list = names.join(", ");
                let first = names.first().cloned().unwrap_or_default();
                Self::new(Exit::NotSetUp, both!("有几个远端: {list}", "there are several remotes: {list}"))
                    .hint(both!("写明是哪一个: `novel sync {first}`", "say which one: `novel sync {first}`"))
            }
            RemoteError::Unknown(name) => {
                let name = quoted(&name);
                Self::new(Exit::NotSetUp, both!("git 里没有远端 {name}", "git has no remote {name}")).hint(both!(
                    "`git remote -v` 列出远端；`git remote add {name} 网址` 加一个",
                    "`git remote -v` lists them; `git remote add {name} ADDRESS` makes one"
                ))
            }
            RemoteError::NameTaken(name) => Self::new(
                Exit::NotSetUp,
                both!("远端 {name} 已经是别的地址", "the remote {name} has another address already"),
            )
            .hint(both!(
                "`git remote add 名字 网址`，再 `novel sync 名字`",
                "`git remote add NAME ADDRESS`, then `novel sync NAME`"
            )),
            RemoteError::BadAddress => Self::usage(both!("这个地址不能用", "that address cannot be used")).hint(both!(
                "要 `git clone` 能用的地址或文件夹",
                "an address or a folder that `git clone` takes is wanted"
            )),
            RemoteError::Occupied(at) => {
                let at = quoted(at.display());
                Self::new(Exit::NotSetUp, both!("{at} 不是空文件夹", "{at} is not empty"))
                    .hint(both!("换一个文件夹", "choose another folder"))
            }
            RemoteError::NotFound { remote, said } => heard(
                Self::new(
                    Exit::NotSetUp,
                    both!(
                        "{remote} 那里没有仓库，或你没有权限看",
                        "there is no repository at {remote}, or you may not see it"
                    ),
                ),
                said,
            )
            .hint(both!(
                "`git remote -v` 看地址；U 盘、网盘要先接上",
                "`git remote -v` shows the address; a drive has to be plugged in"
            )),
            RemoteError::Unreachable { remote, said } => {
                heard(Self::new(Exit::NotSetUp, both!("连不上 {remote}", "{remote} cannot be reached")), said)
                    .hint(again())
            }
            RemoteError::Denied { remote, said } => {
                heard(Self::new(Exit::NotSetUp, both!("{remote} 不认你的身份", "{remote} does not let you in")), said)
                    .hint(both!(
                        "先让 `git fetch` 能用：ssh 密钥，或 git 的凭据助手",
                        "make `git fetch` work first: an ssh key, or a credential helper of git"
                    ))
            }
            RemoteError::Refused { remote, name, reason, said } => heard(
                Self::new(Exit::No, both!("{remote} 不收 {name}：{reason}", "{remote} refuses {name}: {reason}")),
                said,
            )
            .hint(both!(
                "看那边的分支保护和配额；远端要是裸仓库",
                "look at the protection of branches and the quota there; the remote has to be a bare repository"
            )),
            RemoteError::Failed { remote, said } => {
                heard(Self::new(Exit::NotSetUp, both!("git 和 {remote} 没有说成", "git failed with {remote}")), said)
            }
            RemoteError::Moved { remote } => {
                Self::new(Exit::Busy, both!("{remote} 一直有别人在推送", "others keep pushing to {remote}"))
                    .hint(again())
            }
            RemoteError::Unrelated { remote, branch } => Self::new(
                Exit::No,
                both!(
                    "{remote} 的 {branch} 是另一本书，没有共同的历史",
                    "{branch} of {remote} is another book: the two have no history in common"
                ),
            )
            .hint(both!("换一个空的远端；什么也没有动", "use an empty remote; nothing has changed")),
            RemoteError::Shallow => Self::new(
                Exit::NotSetUp,
                both!("这是浅克隆，历史不全", "this is a shallow clone: its history is cut off"),
            )
            .hint(both!("`git fetch --unshallow` 取全历史", "`git fetch --unshallow` brings the rest")),
            RemoteError::TooLarge { path, bytes, commit } => too_large(&path, bytes, &commit),
            RemoteError::BadPath { remote, path } => Self::new(
                Exit::No,
                both!(
                    "{remote} 的提交里有不该有的路径 `{path}`，没有取用",
                    "a commit of {remote} holds `{path}`, which no book may have; it was not taken"
                ),
            ),
            RemoteError::Open(error) => error.into(),
            RemoteError::NotWritable(error) => error.into(),
            RemoteError::Busy(error) => crate::store::BeginError::Busy(error).into(),
            RemoteError::Begin(error) => error.into(),
            RemoteError::Store(error) => error.into(),
        }
    }
}

fn too_large(path: &str, bytes: u64, commit: &str) -> Failure {
    let mib = figures::count(bytes >> 20);
    Failure::new(
        Exit::No,
        both!(
            "`{path}` 有 {mib} MiB（提交 {commit}），代码托管站不收 100 MiB 以上的文件",
            "`{path}` has {mib} MiB (commit {commit}), and code hosts take no file of 100 MiB or more"
        ),
    )
    .hint(both!(
        "把它移出书，并从历史里去掉: `git rebase -i {commit}~1`",
        "move it out of the book, and take it out of the history: `git rebase -i {commit}~1`"
    ))
}

/// The failure with git's words as causes.
fn heard(failure: Failure, said: Vec<String>) -> Failure {
    said.into_iter().map(Both::same).fold(failure, Failure::cause)
}
