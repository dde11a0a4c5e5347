//! Failures of a remote.

use crate::git::error::StoreError;
use crate::store::book::keys::SentKey;
use crate::store::book::lock::Busy;
use crate::store::book::not_writable::NotWritable;
use crate::store::book::repository::OpenError;
use crate::store::book::session::BeginError;

/// The failure of a remote, without any change of the book.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// There is no `git` program.
    #[error("there is no `git` program")]
    NoGit,
    /// The book has no remote.
    #[error("the book has no remote")]
    NoRemote,
    /// The book has several remotes, and none is chosen.
    #[error("the book has several remotes: {}", .0.join(", "))]
    Several(Vec<String>),
    #[error("there is no remote `{0}`")]
    Unknown(String),
    /// The address cannot be given to git.
    #[error("the address of the remote cannot be used")]
    BadAddress,
    /// The name for a new address belongs to another one.
    #[error("the remote `{0}` has another address")]
    NameTaken(String),
    /// The target folder of a clone is not empty.
    #[error("`{}` is not empty", .0.display())]
    Occupied(std::path::PathBuf),
    /// There is no repository at the address, or the user may not see it.
    #[error("there is no repository at the remote {remote}")]
    NotFound { remote: String, said: Vec<String> },
    /// The repository at the remote is empty, or is no book.
    #[error("there is no book at the remote {remote}")]
    NoBook { remote: String },
    /// The user's git does not know an extension that the book's repository has.
    #[error("git is too old for this repository")]
    OldGit { said: Vec<String> },
    /// The remote can be read from alone, such as a bundle.
    #[error("the remote {remote} cannot be pushed to")]
    ReadOnly { remote: String },
    /// The remote names its objects by SHA-256, as git 3.0 does in new repositories.
    #[error("the remote {remote} has another hash algorithm")]
    OtherHash { remote: String, said: Vec<String> },
    /// The remote cannot be reached now.
    #[error("the remote {remote} cannot be reached")]
    Unreachable { remote: String, said: Vec<String> },
    /// The remote asks for a name or a key that the user's git lacks.
    #[error("the remote {remote} refuses the user")]
    Denied { remote: String, said: Vec<String> },
    /// The remote refuses a ref for a reason of its own: protection, a quota, a hook.
    #[error("the remote {remote} refuses {name}")]
    Refused { remote: String, name: String, reason: String, said: Vec<String> },
    /// Commits that the remote lacks have keys in them.
    #[error("the remote {remote} would get a key")]
    Keys {
        remote: String,
        keys: Vec<SentKey>,
        /// A ref by which the first key would go.
        name: String,
    },
    /// A hook of the repository here stopped the push.
    #[error("a hook stopped the push to the remote {remote}")]
    Hook { remote: String, said: Vec<String> },
    /// Git failed for another reason.
    #[error("git failed with the remote {remote}")]
    Failed { remote: String, said: Vec<String> },
    /// The remote moved repeatedly while it was written to.
    #[error("the remote {remote} keeps moving")]
    Moved { remote: String },
    /// The remote has no commit in common with the book.
    #[error("the remote {remote} holds another history")]
    Unrelated {
        remote: String,
        /// The branch compared.
        branch: String,
    },
    /// The local history is shallow, so that two lines cannot be compared.
    #[error("the clone is shallow")]
    Shallow,
    /// A file is too large for code hosts.
    #[error("`{path}` has {bytes} bytes")]
    TooLarge {
        path: String,
        bytes: u64,
        /// The abbreviated commit with the file.
        commit: String,
    },
    /// A commit of the remote has a path that a book may not have.
    #[error("a commit of the remote {remote} holds the path `{path}`")]
    BadPath { remote: String, path: String },
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The clone cannot be written to.
    #[error(transparent)]
    NotWritable(#[from] NotWritable),
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The session could not begin.
    #[error(transparent)]
    Begin(#[from] BeginError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl RemoteError {
    /// True when the remote is only out of reach, so that work may go on without it.
    pub fn is_out_of_reach(&self) -> bool {
        matches!(
            self,
            Self::NoGit
                | Self::NotFound { .. }
                | Self::OtherHash { .. }
                | Self::OldGit { .. }
                | Self::ReadOnly { .. }
                | Self::Unreachable { .. }
                | Self::Denied { .. }
                | Self::Failed { .. }
                | Self::Refused { .. }
        )
    }
}
