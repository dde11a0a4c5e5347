//! The findings of `novel doctor` on a book's repository.

use crate::git::disk::Process;
use crate::git::error::ObjectFault;
use crate::store::prelude::*;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RepoFinding {
    /// A file of the object store is damaged. Repaired by putting it aside and taking the object from a pack or from
    /// the work tree, where they have it.
    BrokenObject { id: String, path: PathBuf, why: ObjectFault },
    /// A pack or its index is damaged. Repaired by making the index again, or by keeping the objects of the pack that
    /// can still be read; the rest is taken from the work tree as far as it is there, and the damaged files are put
    /// aside.
    BrokenPack {
        /// The name of the file without its ending.
        name: String,
        why: ObjectFault,
    },
    /// The accepted line needs an object that is not there. Repaired from the work tree if the object is there;
    /// otherwise it must come from another copy of the book.
    MissingObject { id: String, needed_for: NeededFor },
    /// A branch names a commit that cannot be read. Repaired by moving it to the newest commit of its log that is whole.
    LostBranch {
        name: String,
        /// The commit that it names; empty when the file is garbled.
        at: String,
        /// The newest commit of its log that can be read.
        last_whole: Option<CommitId>,
    },
    /// A lock that may have been left behind. Repaired by putting it aside, once it is old enough and no program that may hold
    /// it is at work; a dead process's of ours at once.
    StrayLock {
        path: PathBuf,
        /// Its age in seconds.
        age: Option<i64>,
        /// The programs that may hold it, as far as the system tells.
        users: Vec<Process>,
        /// Whether a process of ours made it.
        ours: bool,
    },
    /// A tag of a chapter is not where the commits say.
    WrongTag {
        name: String,
        /// The commit that it should name; `None` if the tag should not exist.
        should: Option<CommitId>,
    },
    /// A setting that protects the book is missing or changed.
    WrongSetting { name: String, should: String },
    /// Drafts would show up in `git status`.
    NotExcluded,
    /// An interrupted transaction, or a draft that lags. Any command that writes repairs it; so does this.
    Unfinished { what: UnfinishedThing },
    /// Git's index has an entry that names no object, with which git can neither add nor commit; JGit puts one there for `staging/`.
    /// Repaired by giving the path what the last commit has.
    NullEntry { path: String },
    /// Git's index cannot be read. Repaired by making it again from the last commit; the work tree stays as it is.
    BadIndex,
}

/// A thing of the book that needs an object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum NeededFor {
    /// The history: the object is a commit of it.
    History,
    /// A folder of a commit, with a slash at its end; empty for the whole book.
    Folder(String, CommitId),
    File(String, CommitId),
    /// A branch or another ref, by its full name.
    Ref(String),
}

/// A thing that an interrupted command has left unfinished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnfinishedThing {
    Transaction,
    /// The draft of a chapter that is in the book.
    Draft,
    Staging,
}
