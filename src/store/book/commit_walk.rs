//! Commits of the accepted line, read one by one.

use crate::domain::{ChapterNo, VolumeNo};
use crate::store::error::{GitContext, Missing, StoreError};
use crate::store::git::commit_id::{CommitId, Identity, Moment};
use crate::store::git::message::{Kind, Trailers, key};
use git2::{Commit, Oid, Repository};

/// One commit of the accepted line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// The commit.
    pub id: CommitId,
    /// The kind of change. A commit that `novel` did not make is a [`Kind::HandEdit`].
    pub kind: Kind,
    /// Whether `novel` made it.
    pub is_ours: bool,
    /// The chapter that it is about.
    pub chapter: Option<ChapterNo>,
    /// The volume that it is about.
    pub volume: Option<VolumeNo>,
    /// The first line of the message.
    pub subject: String,
    /// The author.
    pub author: Identity,
    /// When it was written.
    pub time: Moment,
    /// Everything that it says about itself.
    pub trailers: Trailers,
    /// The commit before it on the same line.
    pub parent: Option<CommitId>,
}

impl Transaction {
    pub(crate) fn of(commit: &Commit<'_>) -> Self {
        let message = String::from_utf8_lossy(commit.message_raw_bytes());
        let trailers = Trailers::parse(&message);
        let author = commit.author();
        Self {
            id: commit.id().into(),
            kind: trailers.kind().unwrap_or(Kind::HandEdit),
            is_ours: trailers.kind().is_some(),
            chapter: trailers.chapter(),
            volume: trailers.volume(),
            subject: message.trim_start().lines().next().unwrap_or_default().trim().to_owned(),
            author: Identity {
                name: String::from_utf8_lossy(author.name_bytes()).into_owned(),
                email: String::from_utf8_lossy(author.email_bytes()).into_owned(),
            },
            time: author.when().into(),
            trailers,
            parent: commit.parent_id(0).ok().map(CommitId::from),
        }
    }

    /// The chapter that this commit put into the book.
    #[must_use]
    pub fn accepts(&self) -> Option<ChapterNo> {
        self.chapter.filter(|_| matches!(self.kind, Kind::Chapter | Kind::Import))
    }

    /// The commit whose chapter this one takes the place of, when it is a chapter written again.
    #[must_use]
    pub fn replaces(&self) -> Option<CommitId> {
        self.accepts().and_then(|_| self.trailers.read(key::REPLACES))
    }

    /// The chapters of which it says that they are out of the book on purpose.
    pub(crate) fn removes(&self) -> impl Iterator<Item = ChapterNo> {
        let named = self.trailers.get(key::REMOVES).filter(|_| self.is_ours).unwrap_or_default();
        named.split(", ").filter_map(|chapter| chapter.parse().ok())
    }

    /// The commit that this one takes back or puts back.
    #[must_use]
    pub fn retraces(&self) -> Option<CommitId> {
        match self.kind {
            Kind::Undo => self.trailers.read(key::UNDOES),
            Kind::Redo => self.trailers.read(key::REDOES),
            _ => None,
        }
    }

    /// The commit whose content the book had again after this one.
    pub(crate) fn returns_to(&self) -> Option<Oid> {
        let returns = matches!(self.kind, Kind::Rollback | Kind::Undo | Kind::Redo | Kind::Adopt);
        self.trailers.read::<CommitId>(key::TO).filter(|_| returns).map(CommitId::oid)
    }
}

/// Goes back along first parents. With `in_effect`, commits that a rollback, undo or redo took out of the book are
/// passed over.
pub(crate) struct Walk<'r> {
    repo: &'r Repository,
    next: Option<Oid>,
    in_effect: bool,
}

impl<'r> Walk<'r> {
    pub(crate) fn new(repo: &'r Repository, tip: Oid, in_effect: bool) -> Self {
        Self { repo, next: Some(tip), in_effect }
    }

    fn step(&mut self, id: Oid) -> Result<Transaction, StoreError> {
        let commit = self.repo.find_commit(id).doing("reading a commit")?;
        let transaction = Transaction::of(&commit);
        self.next = transaction.parent.map(CommitId::oid);
        if self.in_effect
            && let Some(to) = transaction.returns_to()
        {
            self.next = self.landing(&commit, to)?.or(self.next);
        }
        Ok(transaction)
    }

    /// The commit from which one that went back to `to` continues: `to`, or after the author rewrote the history, the commit
    /// there that holds the same files.
    fn landing(&self, commit: &Commit<'_>, to: Oid) -> Result<Option<Oid>, StoreError> {
        // Another line that was joined.
        if commit.parent_ids().skip(1).any(|parent| parent == to) {
            return Ok(Some(to));
        }
        let target = self.repo.find_commit(to).or_missing("reading a commit")?;
        let tree = target.map_or(commit.tree_id(), |t| t.tree_id());
        let mut at = commit.parent_id(0).ok();
        while let Some(id) = at {
            let earlier = self.repo.find_commit(id).doing("reading a commit")?;
            if id == to || earlier.tree_id() == tree {
                return Ok(Some(id));
            }
            at = earlier.parent_id(0).ok();
        }
        Ok(None)
    }
}

impl Iterator for Walk<'_> {
    type Item = Result<Transaction, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let id = self.next.take()?;
        Some(self.step(id))
    }
}

/// The name of the tag of `chapter`.
pub(crate) fn tag_ref(chapter: ChapterNo) -> String {
    format!("refs/tags/{chapter}")
}
