//! Failures of a remote.

use crate::git::error::StoreError;
use crate::store::book::keys::SentKey;
use crate::store::book::lock::Busy;
use crate::store::book::not_writable::NotWritable;
use crate::store::book::repository::OpenError;
use crate::store::book::session::BeginError;

/// The failure of a remote, without any change of the book.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum RemoteError {
    /// There is no `git` program.
    NoGit,
    /// The book is synced with no remote.
    NoRemote,
    /// The book has several remotes, and none is chosen.
    Several(Vec<String>),
    /// No remote has that name.
    Unknown(String),
    /// The address cannot be given to git.
    BadAddress,
    /// The name for a new address belongs to another one.
    NameTaken(String),
    /// The target folder of a clone is not empty.
    Occupied(std::path::PathBuf),
    /// There is no repository at the address, or the user may not see it.
    NotFound { remote: String, said: Vec<String> },
    /// The repository at the remote is empty, or is no book.
    NoBook { remote: String },
    /// The user's git does not know an extension that the book's repository has.
    OldGit { said: Vec<String> },
    /// The remote can be read from alone, such as a bundle.
    ReadOnly { remote: String },
    /// The remote names its objects by SHA-256, as git 3.0 does in new repositories.
    OtherHash { remote: String, said: Vec<String> },
    /// The remote cannot be reached now.
    Unreachable { remote: String, said: Vec<String> },
    /// The remote asks for a name or a key that the user's git lacks.
    Denied { remote: String, said: Vec<String> },
    /// The remote refuses a ref for a reason of its own: protection, a quota, a hook.
    Refused { remote: String, name: String, reason: String, said: Vec<String> },
    /// Commits that the remote lacks have keys in them.
    Keys {
        remote: String,
        keys: Vec<SentKey>,
        /// A ref by which the first key would go.
        name: String,
    },
    /// A hook of the repository here stopped the push.
    Hook { remote: String, said: Vec<String> },
    /// Git failed for another reason.
    Failed { remote: String, said: Vec<String> },
    /// The remote moved repeatedly while it was written to.
    Moved { remote: String },
    /// The remote has no commit in common with the book.
    Unrelated { remote: String, branch: String },
    /// The local history is shallow, so that two lines cannot be compared.
    Shallow,
    /// A file is too large for code hosts.
    TooLarge {
        path: String,
        bytes: u64,
        /// The abbreviated commit with the file.
        commit: String,
    },
    /// A commit of the remote has a path that a book may not have.
    BadPath { remote: String, path: String },
    /// The clone cannot be opened as a book.
    Open(#[from] OpenError),
    /// The clone cannot be written to.
    NotWritable(#[from] NotWritable),
    /// Another process is writing.
    Busy(#[from] Busy),
    /// The writer's lock was not to be had.
    Begin(#[from] BeginError),
    /// The repository of this copy failed.
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
