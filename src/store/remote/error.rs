//! Why a remote could not be used.

use crate::store::book::lock::Busy;
use crate::store::book::not_writable::NotWritable;
use crate::store::book::repository::OpenError;
use crate::store::book::session::BeginError;
use crate::store::error::StoreError;

/// A remote could not be used. Nothing of the book has changed.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// There is no `git` program.
    #[error("there is no `git` program")]
    NoGit,
    /// The book has no remote.
    #[error("the book has no remote")]
    NoRemote,
    /// The book has several remotes, and nothing says which one is meant.
    #[error("the book has several remotes: {}", .0.join(", "))]
    Several(Vec<String>),
    /// No remote has that name.
    #[error("there is no remote `{0}`")]
    Unknown(String),
    /// The address cannot be given to git.
    #[error("the address of the remote cannot be used")]
    BadAddress,
    /// The name that a new address would have belongs to another one.
    #[error("the remote `{0}` has another address")]
    NameTaken(String),
    /// The folder that a clone is to go to is not empty.
    #[error("`{}` is not empty", .0.display())]
    Occupied(std::path::PathBuf),
    /// There is no repository at the address, or the user may not see it.
    #[error("there is no repository at the remote {remote}")]
    NotFound { remote: String, said: Vec<String> },
    /// The remote cannot be reached now.
    #[error("the remote {remote} cannot be reached")]
    Unreachable { remote: String, said: Vec<String> },
    /// The remote asks for a name or a key that the user's git does not have.
    #[error("the remote {remote} refuses the user")]
    Denied { remote: String, said: Vec<String> },
    /// The remote refuses a ref for a reason of its own: protection, a quota, a hook.
    #[error("the remote {remote} refuses {name}")]
    Refused {
        remote: String,
        name: String,
        /// The reason that it gave.
        reason: String,
        said: Vec<String>,
    },
    /// Git failed for another reason.
    #[error("git failed with the remote {remote}")]
    Failed { remote: String, said: Vec<String> },
    /// The remote moved while it was written to, again and again.
    #[error("the remote {remote} keeps moving")]
    Moved { remote: String },
    /// The remote holds something that has no commit in common with the book.
    #[error("the remote {remote} holds another history")]
    Unrelated {
        remote: String,
        /// The branch of it that was compared.
        branch: String,
    },
    /// The local history is cut off, so that two lines cannot be compared.
    #[error("the clone is shallow")]
    Shallow,
    /// A file is larger than code hosts take.
    #[error("`{path}` has {bytes} bytes")]
    TooLarge {
        path: String,
        /// Its size in bytes.
        bytes: u64,
        /// The commit that holds it, shortened.
        commit: String,
    },
    /// A commit of the remote holds a path that a book may not have.
    #[error("a commit of the remote {remote} holds the path `{path}`")]
    BadPath { remote: String, path: String },
    /// The clone cannot be opened as a book.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The clone cannot be written to.
    #[error(transparent)]
    NotWritable(#[from] NotWritable),
    /// Another process is writing.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The session could not begin.
    #[error(transparent)]
    Begin(#[from] BeginError),
    /// The repository could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl RemoteError {
    /// True when the remote is only out of reach, so that work may go on without it.
    #[must_use]
    pub fn is_out_of_reach(&self) -> bool {
        matches!(
            self,
            Self::NoGit
                | Self::NotFound { .. }
                | Self::Unreachable { .. }
                | Self::Denied { .. }
                | Self::Failed { .. }
                | Self::Refused { .. }
        )
    }
}
