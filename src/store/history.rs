//! The book's past, read from its commits: there is no changelog and no database beside it.

use std::collections::{BTreeMap, BTreeSet};

use git2::{Commit, Oid, Repository};

use super::book::Book;
use super::error::{GitContext, Missing, StoreError};
use super::message::{Kind, Trailers, key};
use super::refs;
use super::revision::{CommitId, Identity, Moment};
use super::session::Session;
use crate::domain::{ChapterNo, VolumeNo};

/// One commit of the accepted line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// The commit.
    pub id: CommitId,
    /// What it did. A commit that `novel` did not make is a [`Kind::HandEdit`].
    pub kind: Kind,
    /// Whether `novel` made it.
    pub is_ours: bool,
    /// The chapter that it is about.
    pub chapter: Option<ChapterNo>,
    /// The volume that it is about.
    pub volume: Option<VolumeNo>,
    /// The first line of the message.
    pub subject: String,
    /// Who wrote it.
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
        let returns = matches!(self.kind, Kind::Rollback | Kind::Undo | Kind::Redo);
        self.trailers.read::<CommitId>(key::TO).filter(|_| returns).map(CommitId::oid)
    }
}

/// Which commits [`Book::log`] gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// At most so many.
    pub limit: usize,
    /// Only these kinds; empty for all.
    pub kinds: BTreeSet<Kind>,
}

impl Default for Log {
    fn default() -> Self {
        Self { limit: usize::MAX, kinds: BTreeSet::new() }
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

    /// Where a commit that went back to `to` continues: `to`, or after the author rewrote the history, the commit
    /// there that holds the same files.
    fn landing(&self, commit: &Commit<'_>, to: Oid) -> Result<Option<Oid>, StoreError> {
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

impl Book {
    /// The commits of the accepted line, newest first. Costs as much as it gives, plus what it passes over.
    ///
    /// # Errors
    /// When a commit cannot be read.
    pub fn log(&self, log: &Log) -> Result<Vec<Transaction>, StoreError> {
        self.log_from(self.tip()?, log)
    }

    /// The same, from any commit back.
    ///
    /// # Errors
    /// When a commit cannot be read.
    pub fn log_from(&self, from: CommitId, log: &Log) -> Result<Vec<Transaction>, StoreError> {
        let wanted = |t: &Result<Transaction, StoreError>| match t {
            Ok(t) => log.kinds.is_empty() || log.kinds.contains(&t.kind),
            Err(_) => true,
        };
        Walk::new(&self.repo, from.oid(), false).filter(wanted).take(log.limit).collect()
    }

    /// What the commit `id` did.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn transaction(&self, id: CommitId) -> Result<Transaction, StoreError> {
        Ok(Transaction::of(&self.repo.find_commit(id.oid()).doing("reading a commit")?))
    }

    /// The commits that are in effect, newest first, until `enough` says so: those that a rollback or undo took out
    /// are passed over.
    ///
    /// # Errors
    /// When a commit cannot be read.
    pub fn in_effect(&self, mut enough: impl FnMut(&Transaction) -> bool) -> Result<Vec<Transaction>, StoreError> {
        let mut found = Vec::new();
        for transaction in Walk::new(&self.repo, self.tip()?.oid(), true) {
            let transaction = transaction?;
            let stop = enough(&transaction);
            found.push(transaction);
            if stop {
                break;
            }
        }
        Ok(found)
    }

    /// The commit of every chapter that the book has.
    ///
    /// # Errors
    /// When a commit cannot be read.
    pub fn chapters(&self) -> Result<BTreeMap<ChapterNo, Transaction>, StoreError> {
        let mut chapters = BTreeMap::new();
        for transaction in Walk::new(&self.repo, self.tip()?.oid(), true) {
            let transaction = transaction?;
            if let Some(chapter) = transaction.accepts() {
                chapters.entry(chapter).or_insert(transaction);
            }
        }
        Ok(chapters)
    }

    /// The commit that put the last chapter at the end of the book. Looks no further back than that.
    ///
    /// # Errors
    /// When a commit cannot be read.
    pub fn last_chapter(&self) -> Result<Option<Transaction>, StoreError> {
        let is_last = |t: &Transaction| t.accepts().is_some() && t.replaces().is_none();
        Ok(self.in_effect(is_last)?.pop().filter(is_last))
    }

    /// The transactions in effect back to where the book had just reached `chapter`, newest first; the last one is there.
    /// Empty where the chapter is not in the book.
    ///
    /// That is the chapter's acceptance, or, where it or one before it was written again before the next chapter, the
    /// last of those: the book as its author left it to go on.
    ///
    /// # Errors
    /// When a commit cannot be read.
    pub fn since(&self, chapter: ChapterNo) -> Result<Vec<Transaction>, StoreError> {
        let is_it = |t: &Transaction| t.accepts() == Some(chapter) && t.replaces().is_none();
        let mut line = self.in_effect(is_it)?;
        if !line.last().is_some_and(is_it) {
            return Ok(Vec::new());
        }
        let is_later = |t: &Transaction| t.accepts().is_some_and(|accepted| accepted > chapter);
        let next = line.iter().rposition(is_later).map_or(0, |at| at + 1);
        let left = line.iter().skip(next).position(|t| t.accepts().is_some()).map_or(line.len(), |at| next + at + 1);
        line.truncate(left);
        Ok(line)
    }

    /// The commit that accepted `chapter`: by its tag when that is right, else by walking back.
    ///
    /// # Errors
    /// When a commit cannot be read.
    pub fn chapter_commit(&self, chapter: ChapterNo) -> Result<Option<CommitId>, StoreError> {
        if let Some(id) = refs::target(&self.repo, &tag_ref(chapter))?
            && let Some(commit) = self.repo.find_commit(id).or_missing("reading a tag")?
            && Transaction::of(&commit).accepts() == Some(chapter)
        {
            return Ok(Some(id.into()));
        }
        let is_it = |t: &Transaction| t.accepts() == Some(chapter);
        Ok(self.in_effect(is_it)?.pop().filter(is_it).map(|t| t.id))
    }

    /// Tags of chapters that are not what the commits say: name, what it should be.
    pub(crate) fn wrong_tags(&self) -> Result<BTreeMap<String, Option<CommitId>>, StoreError> {
        let chapters = self.chapters()?;
        let mut wrong: BTreeMap<String, Option<CommitId>> =
            chapters.iter().map(|(chapter, t)| (tag_ref(*chapter), Some(t.id))).collect();
        for (name, target) in refs::listed(&self.repo, "refs/tags/ch-")? {
            let is_chapter = name["refs/tags/".len()..].parse().is_ok_and(|c| tag_ref(c) == name);
            match wrong.get(&name) {
                Some(Some(id)) if id.oid() == target => {
                    wrong.remove(&name);
                }
                None if is_chapter => {
                    wrong.insert(name, None);
                }
                _ => {}
            }
        }
        Ok(wrong)
    }
}

impl Session<'_> {
    /// Makes the tags `ch-NNN` what the commits say. Returns how many were wrong.
    ///
    /// # Errors
    /// When a commit cannot be read or a tag not written.
    pub fn retag(&self) -> Result<usize, StoreError> {
        let wrong = self.book.wrong_tags()?;
        for (name, target) in &wrong {
            match target {
                Some(id) => refs::set(&self.book.repo, &self.wait, name, id.oid(), "novel: tag")?,
                None => refs::delete(&self.book.repo, &self.wait, name)?,
            }
        }
        Ok(wrong.len())
    }
}
