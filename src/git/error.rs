//! Errors common to the operations of this room.
//! Names of commits, of people and of moments, as this room gives and takes them.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{fmt, io};

/// A failure of git or of the file system that no caller can do more about than report.
///
/// Failures that a caller can act on have their own enums beside the operation that has them.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("git failed while {doing}")]
    Git {
        /// The operation, as a phrase that follows "while".
        doing: &'static str,
        source: git2::Error,
    },
    /// The file system refused.
    #[error("failed while {doing} `{}`", path.display())]
    Io {
        /// The operation, as a phrase that precedes a path.
        doing: &'static str,
        /// The file or folder concerned.
        path: PathBuf,
        source: io::Error,
    },
    /// No space is left where the book lives. Nothing half-written stays behind.
    #[error("no space is left on the disk while {doing}")]
    DiskFull {
        /// The operation, as a phrase that follows "while".
        doing: &'static str,
    },
    /// A path that may not be in a book: absolute, leaving the folder, inside `.git` or `staging`, or not canonical.
    #[error("`{0}` is not a path of a book")]
    BadPath(String),
    /// A commit would bring keys.
    #[error("{} has a key", .files.iter().map(|(path, line)| format!("{path}:{line}")).collect::<Vec<_>>().join(", "))]
    Keys {
        place: CommitSource,
        /// The files, each with a line, from 1.
        files: Vec<(String, usize)>,
    },
    /// Folders lie one in another deeper than can be read.
    #[error("the folders in `{folder}` are nested too deeply")]
    TooDeep {
        /// The folder to take out.
        folder: String,
    },
    /// The repository holds something else than it should.
    #[error("{what}")]
    Damaged {
        /// The damage, as a sentence fragment.
        what: String,
    },
}

/// The place of files that a commit is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitSource {
    Folder,
    /// A linked work tree in a folder of the book's.
    Linked(&'static str),
    Index,
}

/// Classes of failures of git and of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultClass {
    Missing,
    Denied,
    /// The file system is mounted so that nothing can be written.
    ReadOnly,
    Full,
    /// The disk or the connection to it fails.
    Failing,
    /// Another program holds a lock.
    Locked,
    /// Too many open files, or no memory.
    Exhausted,
    /// Data in the repository cannot be read.
    Garbled,
    Other,
}

impl FaultClass {
    pub fn of_io(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Missing,
            io::ErrorKind::PermissionDenied => Self::Denied,
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            io::ErrorKind::StaleNetworkFileHandle | io::ErrorKind::TimedOut | io::ErrorKind::HostUnreachable => {
                Self::Failing
            }
            io::ErrorKind::ResourceBusy => Self::Locked,
            io::ErrorKind::OutOfMemory => Self::Exhausted,
            _ => Self::of_words(&error.to_string()),
        }
    }

    /// Libgit2 keeps no error number; the words are English in a program that never calls `setlocale`, but on Windows.
    fn of_words(words: &str) -> Self {
        let known = [
            ("Input/output error", Self::Failing),
            ("Stale file handle", Self::Failing),
            ("Permission denied", Self::Denied),
            ("Operation not permitted", Self::Denied),
            ("Read-only file system", Self::ReadOnly),
            ("No space left", Self::Full),
            ("quota exceeded", Self::Full),
            ("No such file or directory", Self::Missing),
            ("Not a directory", Self::Missing),
            ("Too many open files", Self::Exhausted),
            ("Cannot allocate memory", Self::Exhausted),
            // Windows words its errors in the user's language.
            ("Access is denied", Self::Denied),
            ("拒绝访问", Self::Denied),
            ("not enough space", Self::Full),
            ("磁盘空间不足", Self::Full),
            ("used by another process", Self::Locked),
            ("另一个程序正在使用", Self::Locked),
            ("cannot find the", Self::Missing),
            ("系统找不到指定的", Self::Missing),
        ];
        known.into_iter().find(|(part, _)| words.contains(part)).map_or(Self::Other, |(_, class)| class)
    }
}

/// The description of a failure of git or of the system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemFault {
    pub class: FaultClass,
    /// The whole story in English: the operation, then the system's own words.
    pub text: String,
}

impl StoreError {
    pub fn fault(&self) -> SystemFault {
        let class = match self {
            Self::Io { source, .. } => FaultClass::of_io(source),
            Self::DiskFull { .. } => FaultClass::Full,
            Self::BadPath(_) | Self::Keys { .. } | Self::TooDeep { .. } => FaultClass::Other,
            Self::Damaged { .. } => FaultClass::Garbled,
            Self::Git { source, .. } => match FaultClass::of_words(source.message()) {
                FaultClass::Other if source.code() == git2::ErrorCode::Locked => FaultClass::Locked,
                FaultClass::Other if is_of_content(source.class()) => FaultClass::Garbled,
                class => class,
            },
        };
        let text = match self {
            Self::Git { source, .. } => format!("{self}: {}", source.message()),
            Self::Io { source, .. } => format!("{self}: {source}"),
            _ => self.to_string(),
        };
        SystemFault { class, text }
    }

    /// Says where the files with keys are.
    pub(crate) fn of_keys_in(self, place: CommitSource) -> Self {
        match (self, place) {
            (Self::Keys { files, .. }, CommitSource::Linked(folder)) => {
                let files = files.into_iter().map(|(path, line)| (format!("{folder}/{path}"), line)).collect();
                Self::Keys { place, files }
            }
            (Self::Keys { files, .. }, place) => Self::Keys { place, files },
            (other, _) => other,
        }
    }

    pub(crate) fn git(doing: &'static str, source: git2::Error) -> Self {
        match FaultClass::of_words(source.message()) {
            FaultClass::Full => Self::DiskFull { doing },
            _ => Self::Git { doing, source },
        }
    }

    pub(crate) fn io(doing: &'static str, path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { doing },
            _ => Self::Io { doing, path: path.to_owned(), source },
        }
    }
}

fn is_of_content(class: git2::ErrorClass) -> bool {
    use git2::ErrorClass as C;
    matches!(class, C::Odb | C::Zlib | C::Object | C::Tree | C::Reference | C::Indexer | C::Index)
}

/// Names what was being done when libgit2 failed.
pub(crate) trait GitContext<T> {
    fn doing(self, doing: &'static str) -> Result<T, StoreError>;
}

impl<T> GitContext<T> for Result<T, git2::Error> {
    fn doing(self, doing: &'static str) -> Result<T, StoreError> {
        self.map_err(|source| StoreError::git(doing, source))
    }
}

/// Names what was being done, and to which file, when the system failed.
pub(crate) trait IoContext<T> {
    fn at(self, doing: &'static str, path: &Path) -> Result<T, StoreError>;
}

impl<T> IoContext<T> for io::Result<T> {
    fn at(self, doing: &'static str, path: &Path) -> Result<T, StoreError> {
        self.map_err(|source| StoreError::io(doing, path, source))
    }
}

/// Turns "not found", which libgit2 reports as an error, into `Ok(None)`.
pub(crate) trait Missing<T> {
    fn or_missing(self, doing: &'static str) -> Result<Option<T>, StoreError>;
}

impl<T> Missing<T> for Result<T, git2::Error> {
    fn or_missing(self, doing: &'static str) -> Result<Option<T>, StoreError> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(e) if e.code() == git2::ErrorCode::NotFound => Ok(None),
            Err(e) => Err(e).doing(doing),
        }
    }
}

impl<T> Missing<T> for io::Result<T> {
    fn or_missing(self, doing: &'static str) -> Result<Option<T>, StoreError> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
            Err(e) => Err(e).at(doing, Path::new("")),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitFeature {
    /// References that are not files: `reftable`.
    RefStorage,
    /// Objects with SHA-256 names.
    Sha256,
    /// A clone that fetches objects when they are wanted.
    PartialClone,
    /// An index in two files.
    SplitIndex,
    /// An index with whole folders as entries.
    SparseIndex,
}

/// The fault of a file of the object store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectFault {
    Empty,
    /// Its end is missing, or its bytes are others than were written.
    Garbled,
    /// Kind and size of the object are missing.
    NoHeader,
    /// The object has another size than its header says.
    OtherSize,
    /// The object is another one than the file's name says.
    OtherContent,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(git2::Oid);

impl CommitId {
    pub(crate) fn oid(self) -> git2::Oid {
        self.0
    }

    /// The first ten digits: enough to be unique in a book, short enough to read.
    pub fn short(self) -> String {
        let mut text = self.0.to_string();
        text.truncate(10);
        text
    }
}

impl From<git2::Oid> for CommitId {
    fn from(oid: git2::Oid) -> Self {
        Self(oid)
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl serde::Serialize for CommitId {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl fmt::Debug for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CommitId({})", self.0)
    }
}

/// The text was not forty hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the id of a commit")]
pub struct NotACommitId(String);

impl FromStr for CommitId {
    type Err = NotACommitId;

    /// Reads all forty digits; shorter forms are for [`crate::store::Book::resolve`].
    fn from_str(text: &str) -> Result<Self, NotACommitId> {
        let whole = text.len() == 40 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let oid = if whole { git2::Oid::from_str(text).ok() } else { None };
        oid.map(Self).ok_or_else(|| NotACommitId(text.to_owned()))
    }
}

/// A moment as git records it. This room sees no clock: callers say what time it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// Seconds since 1970-01-01T00:00:00Z.
    pub seconds: i64,
    /// Minutes east of UTC where the author was.
    pub offset_minutes: i32,
}

impl From<&jiff::ZonedDateTime> for Moment {
    fn from(zoned: &jiff::ZonedDateTime) -> Self {
        Self { seconds: zoned.timestamp().as_second(), offset_minutes: zoned.offset().seconds() / 60 }
    }
}

impl From<git2::Time> for Moment {
    fn from(time: git2::Time) -> Self {
        Self { seconds: time.seconds(), offset_minutes: time.offset_minutes() }
    }
}

/// The person written down as author and committer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// `user.name`.
    pub name: String,
    /// `user.email`.
    pub email: String,
}

/// The part of an author that git's variables give; it counts before git's configuration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GivenAuthor {
    /// `GIT_AUTHOR_NAME`.
    pub name: Option<String>,
    /// `GIT_AUTHOR_EMAIL`.
    pub email: Option<String>,
}

impl Identity {
    /// The identity for commits when git has no user configured.
    pub fn fallback() -> Self {
        Self { name: "novel".to_owned(), email: "novel@localhost".to_owned() }
    }

    /// The signature of this person at `when`. Characters that git forbids in names are dropped.
    pub(crate) fn signature(&self, when: Moment) -> Result<git2::Signature<'static>, git2::Error> {
        let clean =
            |text: &str| -> String { text.chars().filter(|c| !matches!(c, '<' | '>') && !c.is_control()).collect() };
        let or = |text: String, other: &str| if text.trim().is_empty() { other.to_owned() } else { text };
        let name = or(clean(&self.name), "novel");
        let email = or(clean(&self.email), "novel@localhost");
        git2::Signature::new(&name, &email, &git2::Time::new(when.seconds, when.offset_minutes))
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} <{}>", self.name, self.email)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_known_in_the_words_of_every_system() {
        let of = |words: &str| StoreError::git("writing objects", git2::Error::from_str(words)).fault().class;
        assert_eq!(of("failed to write: No space left on device"), FaultClass::Full);
        assert_eq!(of("failed to write file: 磁盘空间不足。"), FaultClass::Full);
        assert_eq!(of("could not open: There is not enough space on the disk."), FaultClass::Full);
        assert_eq!(of("failed to rename: 拒绝访问。"), FaultClass::Denied);
        assert_eq!(of("the file is being used by another process."), FaultClass::Locked);
        assert_eq!(of("something else"), FaultClass::Other);
    }
}
