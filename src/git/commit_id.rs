//! Names of commits, of people and of moments, as this room gives and takes them.

use std::fmt;
use std::str::FromStr;

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
